# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Messages between a Call and its worker: see docs/worker-protocol.md."""

import array
import fcntl
import mmap
import os
import socket
import struct
from enum import IntEnum

VERSION = 3
MAX_INLINE = 64 * 1024
# The kernel takes 253 descriptors at a time.  One place is for the bytes.
MAX_FDS = 250
HEADER = struct.Struct("=IIIII")

# fcntl has names for these from Python 3.13 on.
_F_ADD_SEALS = 1033
_F_GET_SEALS = 1034
_SEAL_WRITE = 0x8
_ALL_SEALS = 0x1 | 0x2 | 0x4 | _SEAL_WRITE


class Say(IntEnum):
    FDS = 0
    SETUP = 1
    PROPERTIES = 2
    BATCH = 3
    QUIT = 4
    READY = 5
    NOT_READY = 6
    OUTCOMES = 7
    WARNING = 8
    DONE = 9
    FAILED = 10


class ProtocolError(Exception):
    """What came makes no sense: the other side is another program."""


class Closed(Exception):
    """The other side has gone."""


class Message:
    """Some bytes, and descriptors; those that nobody has taken are closed with it."""

    def __init__(self, type, tag, data, fds):
        self.type = type
        self.tag = tag
        self.data = data
        self.fds = fds

    def take_fd(self, index):
        fd, self.fds[index] = self.fds[index], -1
        return fd

    def close(self):
        for fd in self.fds:
            if fd >= 0:
                os.close(fd)
        self.fds = []


class Link:
    """One end of a pair of sockets that keeps packets apart."""

    def __init__(self, sock):
        self._socket = sock
        self._ahead = array.array("i")

    def receive(self):
        while True:
            type, tag, in_file, data = self._receive_packet()
            if type != Say.FDS:
                break
        fds, self._ahead = self._ahead.tolist(), array.array("i")
        if in_file:
            data = _map_file(fds.pop())
        return Message(type, tag, data, fds)

    def _receive_packet(self):
        packet, control, flags, _ = self._socket.recvmsg(
            HEADER.size + MAX_INLINE, socket.CMSG_SPACE(253 * 4), socket.MSG_CMSG_CLOEXEC)
        for level, kind, data in control:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                self._ahead.frombytes(data[: len(data) // 4 * 4])
        if not packet:
            raise Closed
        if flags & socket.MSG_CTRUNC:
            raise ProtocolError("no file descriptors are left: raise the limit (ulimit -n), "
                                "or lower batch-size")
        if len(packet) < HEADER.size:
            raise ProtocolError("a message is too short")
        version, type, size, in_file, tag = HEADER.unpack_from(packet)
        if version != VERSION:
            raise ProtocolError("gst-orch is of another version than its Python package")
        if size != len(packet) - HEADER.size:
            raise ProtocolError("a message is not as long as it says")
        return type, tag, in_file, memoryview(packet)[HEADER.size:]

    def send(self, type, body=b"", fds=()):
        at = 0
        while len(fds) - at > MAX_FDS - 1:
            self._send_packet(Say.FDS, b"", fds[at:at + MAX_FDS])
            at += MAX_FDS
        rest = list(fds[at:])
        if len(body) <= MAX_INLINE:
            self._send_packet(type, body, rest)
            return
        fd = make_memfd()
        try:
            write_all(fd, body, 0)
            seal(fd)
            self._send_packet(type, b"", rest + [fd], in_file=1)
        finally:
            os.close(fd)

    def _send_packet(self, type, body, fds, in_file=0):
        header = HEADER.pack(VERSION, type, len(body), in_file, 0)
        control = []
        if fds:
            control.append((socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds)))
        self._socket.sendmsg([header, body], control)


def _map_file(fd):
    try:
        return memoryview(mmap.mmap(fd, 0, mmap.MAP_SHARED, mmap.PROT_READ))
    finally:
        os.close(fd)


def make_memfd():
    """A file in memory, which nobody can change once it is sealed."""
    return os.memfd_create("gst-orch", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)


def write_all(fd, data, at):
    view = memoryview(data).cast("B")
    while view:
        n = os.pwrite(fd, view, at)
        view = view[n:]
        at += n


def seal(fd):
    fcntl.fcntl(fd, _F_ADD_SEALS, _ALL_SEALS)


def is_sealed(fd):
    """Will what it holds stay as it is?"""
    return bool(fcntl.fcntl(fd, _F_GET_SEALS) & _SEAL_WRITE)
