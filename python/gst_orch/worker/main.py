# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""The whole of a worker process, which a Call has started."""

import mmap
import os
import resource
import select
import signal
import socket
import sys
import threading
import traceback

from .link import Closed, Link, ProtocolError, Say
from .wire import Reader, Writer

_SOCKET = 3
_CONTROL = 4
_INBOX = 5
_PR_SET_PDEATHSIG = 1
_PR_SET_NAME = 15


def _die_with_parent():
    """When the thread that speaks for this worker ends, so does this worker.  It is called
    as others are, by ps and top."""
    try:
        import ctypes
        prctl = ctypes.CDLL(None).prctl
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        prctl(_PR_SET_NAME, b"gst-orch-worker", 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        # The watch sees it too, unless the Function holds the interpreter.
        pass


def _close_all_above(limit):
    """Of what the Call's process has open, a worker gets what it is given."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) > limit:
            try:
                os.close(int(name))
            except OSError:
                # The folder itself, which is closed by now.
                pass


def _limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _watch(fd):
    """Whatever the Function does, and be it for ever: without the Call's process there is
    nothing to do."""
    def wait():
        poll = select.poll()
        poll.register(fd, select.POLLRDHUP)
        poll.poll()
        os._exit(1)
    threading.Thread(target=wait, daemon=True, name="gst-orch-watch").start()


def _say_text(link, type, text):
    writer = Writer()
    writer.string(text)
    link.send(type, writer.data)


def _become(link, inbox, control, library):
    """(nullable): what is to run batches; the other side knows why not."""
    message = inbox.receive()
    if message.type != Say.SETUP:
        raise ProtocolError("the first message does not say what to be")
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        _say_text(link, Say.NOT_READY,
                  f"{sys.executable} has no NumPy ({error}): install it there (pip install "
                  "numpy), or set the property python to an interpreter that has it")
        return None
    from .function import NotReady
    from .host import Host
    host = Host(link, control)
    reader = Reader(message.data)
    reader.u32()
    try:
        confine = host.set_up(reader)
    except NotReady as error:
        _say_text(link, Say.NOT_READY, str(error))
        return None
    message.close()
    # The Function has read what it needs (a model); documents come after the walls are up.
    _say_text(link, Say.READY, _confine(library) if confine else None)
    return host


def _confine(library):
    """(nullable): what of its confinement could not be applied"""
    try:
        import ctypes
        confine = ctypes.CDLL(library).gst_orch_confine
    except (ImportError, OSError, AttributeError) as error:
        return f"the walls cannot be loaded: {error}"
    confine.restype = ctypes.c_char_p
    missing = confine()
    return missing.decode("utf-8", "replace") if missing else None


def _end(error):
    """At once: threads that the Function has started could keep the process for ever."""
    code = error.code if isinstance(error, SystemExit) else traceback.format_exc()
    if not isinstance(code, int) and code is not None:
        print(code, file=sys.stderr, flush=True)
        code = 1
    os._exit((code or 0) & 0xff)


def _work(inbox, host):
    while True:
        # Not sooner than it is done with the one before: the Call may take it back.
        message = inbox.receive()
        if message.type == Say.BATCH:
            host.run(message)
        elif message.type == Say.PROPERTIES:
            host.change(Reader(message.data))
        else:
            return
        message.close()


def main():
    _die_with_parent()
    _close_all_above(_INBOX)
    os.set_inheritable(_SOCKET, False)
    os.set_inheritable(_INBOX, False)
    _limit()
    control = mmap.mmap(_CONTROL, 0, mmap.MAP_SHARED, mmap.PROT_READ)
    os.close(_CONTROL)
    link = Link(socket.socket(fileno=_SOCKET))
    inbox = Link(socket.socket(fileno=_INBOX))
    _watch(_SOCKET)
    try:
        host = _become(link, inbox, control, sys.argv[1])
        if host:
            _work(inbox, host)
        return 0 if host else 1
    except (Closed, BrokenPipeError, ConnectionResetError):
        return 1
    except BaseException as error:
        _end(error)
