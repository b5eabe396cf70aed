# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Stands in for a Call: starts a worker and speaks docs/worker-protocol.md with it."""

import os
import signal
import socket
import struct
import sys

from gst_orch.worker.link import HEADER, VERSION, Closed, Link, Say, make_memfd, seal, write_all
from gst_orch.worker.shared import Arenas
from gst_orch.worker.unpack import Unpacker
from gst_orch.worker.wire import Reader, Writer

FOLDER = os.path.dirname(os.path.abspath(__file__))
NO_TIME = (1 << 64) - 1


class Outcome:
    """What was said of one unit: `values` are (output, caps, Buffer or 'known')."""

    def __init__(self, kind, values=(), cause=None, group=False):
        self.kind = kind
        self.values = values
        self.cause = cause
        self.group = group


class Call:
    def __init__(self, function, python=sys.executable, **properties):
        speak, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.inbox, their_inbox = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.speak = speak
        self.link = Link(speak)
        self._inbox_link = Link(self.inbox)
        self.control = make_memfd()
        os.ftruncate(self.control, 2 * 65536)
        self.errors, errors = os.pipe()
        actions = [(os.POSIX_SPAWN_DUP2, errors, 2)]
        # Where nothing is in the way.
        high = [_move_up(fd) for fd in (theirs.fileno(), self.control, their_inbox.fileno())]
        actions += [(os.POSIX_SPAWN_DUP2, fd, 3 + i) for i, fd in enumerate(high)]
        self.pid = os.posix_spawn(python, [python, os.environ["ORCH_TEST_PACKAGE"], "/nowhere",
                                           "test"], os.environ, file_actions=actions)
        for fd in [errors, *high]:
            os.close(fd)
        theirs.close()
        their_inbox.close()
        self._set_up({"module": os.path.join(FOLDER, "functions.py"), "class": function,
                      **properties})

    def _set_up(self, properties):
        writer = Writer()
        writer.u32(os.getpid())
        writer.string("plugin.so")
        writer.string("python")
        writer.u8(0)
        self.put_properties(writer, properties)
        self.send(Say.SETUP, writer)

    @staticmethod
    def put_properties(writer, properties):
        for name, value in properties.items():
            writer.string(name)
            writer.value(value)
        writer.string(None)

    def send(self, type, writer=None, fds=()):
        self._inbox_link.send(type, writer.data if writer else b"", fds)

    def hear(self):
        return self.link.receive()

    def hear_ready(self):
        """(nullable): why it is not"""
        message = self.hear()
        text = Reader(message.data).string()
        return text if message.type == Say.NOT_READY else None

    def send_batch(self, units, tag=0, reused=None):
        """`units`: (caps, bytes) each.  `reused`: a file that is filled again, not sealed."""
        writer, fds, arena, at = Writer(), [], reused, 0
        if reused is not None:
            fds.append(reused)
        writer.u32(len(units))
        for place, (caps, data) in enumerate(units):
            writer.u32(1)
            writer.u8(place == 0)
            if place == 0:
                writer.string("root")
            writer.u64(place)
            writer.u32(0)
            writer.string(None)
            writer.string(caps)
            writer.u8(1)
            writer.data += struct.pack("=IQQQQQI", 0, *[NO_TIME] * 5, 1)
            if len(data) <= 16384:
                writer.u8(0)
                writer.u32(len(data))
                writer.data += data
            else:
                if arena is None:
                    arena = make_memfd()
                    fds.append(arena)
                write_all(arena, data, at)
                writer.u8(1)
                writer.data += struct.pack("=IQQ", 0, at, len(data))
                at += (len(data) + 63) // 64 * 64
            writer.u8(0)
        writer.u32(0)
        if arena is not None and arena != reused:
            seal(arena)
        self._send_tagged(writer.data, fds, tag)
        if arena is not None and arena != reused:
            os.close(arena)

    def _send_tagged(self, body, fds, tag):
        if len(body) <= 65536:
            header = HEADER.pack(VERSION, Say.BATCH, len(body), 0, tag)
            self.inbox.sendmsg([header, body], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                                                 struct.pack(f"{len(fds)}i", *fds))])
        else:
            self._inbox_link.send(Say.BATCH, body, fds)

    def hear_batch(self):
        """(outcomes by place, error or None)"""
        outcomes = {}
        while True:
            message = self.hear()
            if message.type == Say.OUTCOMES:
                self._read_outcomes(message, outcomes)
            elif message.type in (Say.DONE, Say.FAILED):
                reader = Reader(message.data)
                reader.u32()
                self.is_let_go = bool(reader.u8())
                if message.type == Say.DONE:
                    return outcomes, None
                reader.string()
                reader.u32()
                return outcomes, reader.string()

    def _read_outcomes(self, message, outcomes):
        reader = Reader(message.data)
        unpacker = Unpacker(reader, message, {}, Arenas(2))
        for _ in range(reader.u32()):
            place, kind = reader.u32(), reader.u8()
            assert place not in outcomes, "it was said twice"
            reader.structure()
            if kind == 1:
                outcomes[place] = Outcome(kind, [self._read_value(reader, unpacker)
                                                 for _ in range(reader.u32())])
            elif kind == 3:
                group = bool(reader.u8())
                reader.u32()
                outcomes[place] = Outcome(kind, cause=reader.cause(), group=group)
            else:
                outcomes[place] = Outcome(kind)
        assert reader.at == len(reader.data), "something is left over"

    @staticmethod
    def _read_value(reader, unpacker):
        output, caps = reader.u32(), reader.string()
        if reader.data[reader.at] == 3:
            reader.u8()
            known, place, described = reader.u8(), reader.u64(), reader.u8()
            assert (known, described) == (0, 0)
            return output, caps, place
        return output, caps, unpacker.buffer()

    def run(self, units, **options):
        self.send_batch(units, **options)
        return self.hear_batch()

    def wait(self):
        """Its status: an exit code, or minus a signal."""
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        self.pid = 0
        return status

    def close(self):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            self.wait()
        self.speak.close()
        self.inbox.close()
        os.close(self.control)
        os.close(self.errors)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _move_up(fd):
    import fcntl
    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 16)


__all__ = ["Call", "Closed", "Say"]
