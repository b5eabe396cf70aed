# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Buffers, as they come in a message."""

import os
import struct

from .link import ProtocolError

(BUFFER_NONE, BUFFER_NEW, BUFFER_SEEN, BUFFER_KNOWN) = range(4)
(MEMORY_INLINE, MEMORY_SHARED, MEMORY_FILE) = range(3)
(META_END, META_LIST, META_REF, META_VIDEO, META_CUSTOM, META_GATHERED) = range(6)
(KNOWN_INPUT, KNOWN_SOURCE) = range(2)
OUTCOME_PRESENT, OUTCOME_DROPPED, OUTCOME_FAILED, OUTCOME_SUPPRESSED = range(1, 5)

CONTENT = struct.Struct("=IQQQQQI")
_PLACE = struct.Struct("=IQQ")
_VIDEO = struct.Struct("=IIIII")
_PLANE = struct.Struct("=QI")
_COUNTS = struct.Struct("=QQQQQQ")


class File:
    """A document: it is read, never mapped, since it may shrink meanwhile."""

    def __init__(self, fd, offset, size):
        self.fd = fd
        self.offset = offset
        self.size = size

    def __del__(self):
        os.close(self.fd)

    def read(self):
        return read_fully(self.fd, self.offset, self.size)


def read_fully(fd, offset, size):
    parts = []
    while size > 0:
        part = os.pread(fd, min(size, 1 << 26), offset)
        if not part:
            break
        parts.append(part)
        offset += len(part)
        size -= len(part)
    return b"".join(parts)


class Element:
    """One of a list, or one input of a joined Item."""

    __slots__ = ("ordinal", "name", "outcome", "info", "caps", "buffer", "cause")


class Buffer:
    __slots__ = ("memories", "list", "reference", "video", "source_id")

    def __init__(self):
        self.memories = []
        self.list = None
        self.reference = None
        self.video = None
        self.source_id = None

    def get_file(self):
        """(nullable): the file that it is, if it is one"""
        memory = self.memories[0] if len(self.memories) == 1 else None
        return memory if isinstance(memory, File) else None

    def get_view(self):
        """What it holds.  Copied only when it lies in several places, or in a file."""
        if len(self.memories) == 1 and not isinstance(self.memories[0], File):
            return self.memories[0]
        return memoryview(b"".join(m.read() if isinstance(m, File) else m
                                   for m in self.memories))


class Unpacker:
    """Reads the buffers of one message.  `sources`: documents, by their number.
    `arenas`: what maps the memory that the message shares."""

    def __init__(self, reader, message, sources, arenas):
        self._reader = reader
        self._message = message
        self._sources = sources
        self._arenas = arenas
        self._mappings = {}
        self._seen = []

    def buffer(self):
        kind = self._reader.u8()
        if kind == BUFFER_NONE:
            return None
        if kind == BUFFER_NEW:
            buffer = Buffer()
            self._seen.append(buffer)
            return self._fill(buffer)
        if kind == BUFFER_SEEN:
            return self._seen[self._reader.u32()]
        if kind == BUFFER_KNOWN:
            return self._known()
        raise ProtocolError(f"there is no kind {kind} of buffers")

    def _known(self):
        reader = self._reader
        known, id, described = reader.u8(), reader.u64(), reader.u8()
        if known != KNOWN_SOURCE:
            raise ProtocolError("only documents are known here")
        if described:
            buffer = Buffer()
            buffer.source_id = id
            self._sources[id] = self._fill(buffer)
        return self._sources[id]

    def _fill(self, buffer):
        n = self._reader.unpack(CONTENT)[6]
        for _ in range(n):
            buffer.memories.append(self._memory())
        while self._meta(buffer):
            pass
        return buffer

    def _memory(self):
        reader = self._reader
        kind = reader.u8()
        if kind == MEMORY_INLINE:
            return memoryview(reader.take(reader.u32())).toreadonly()
        index, offset, size = reader.unpack(_PLACE)
        if kind == MEMORY_SHARED:
            return self._mapping(index)[offset:offset + size]
        if kind == MEMORY_FILE:
            return File(self._message.take_fd(index), offset, size)
        raise ProtocolError(f"there is no kind {kind} of memory")

    def _mapping(self, index):
        mapping = self._mappings.get(index)
        if mapping is None:
            mapping = self._arenas.map(self._message.fds[index], self._message.tag)
            self._mappings[index] = mapping
        return mapping

    def _meta(self, buffer):
        reader = self._reader
        kind = reader.u8()
        if kind == META_LIST:
            buffer.list = [self._element() for _ in range(reader.u32())]
            self._skip_gathered()
        elif kind == META_REF:
            _, locator = reader.structure()
            buffer.reference = (locator, self.buffer())
        elif kind == META_VIDEO:
            buffer.video = self._video()
        elif kind == META_CUSTOM:
            reader.structure()
        elif kind == META_GATHERED:
            self._skip_gathered()
        elif kind != META_END:
            raise ProtocolError(f"there is no kind {kind} of metas")
        return kind != META_END

    def _element(self):
        reader = self._reader
        element = Element()
        element.ordinal = reader.u64()
        element.name = reader.string()
        element.outcome = reader.u8()
        element.info = reader.structure()
        present = element.outcome == OUTCOME_PRESENT
        element.caps = reader.raw_string() if present else None
        element.buffer = self.buffer() if present else None
        element.cause = None if present else reader.cause()
        return element

    def _skip_gathered(self):
        """The Call keeps what a gather has counted and listed with what is made of it."""
        reader = self._reader
        if reader.u8():
            reader.unpack(_COUNTS)
        for _ in range(reader.u32()):
            for _ in range(reader.u32()):
                reader.string()
                reader.u64()
            reader.u8()
            if reader.cause():
                reader.string()
                reader.string()
            reader.string()

    def _video(self):
        """(width, height, [(offset, stride) of each plane])"""
        _, _, width, height, n_planes = self._reader.unpack(_VIDEO)
        return width, height, [self._reader.unpack(_PLANE) for _ in range(n_planes)]
