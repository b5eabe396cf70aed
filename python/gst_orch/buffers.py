# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Rows as buffers, and values of buffers."""

from __future__ import annotations

import json
import os
import pathlib

from . import codec
from .files import File
from .gst import GLib, Gst, GstAllocators, GstOrch, GstVideo
from .worker.arrays import make_tensor_caps
from .worker.decode import Decoder, Joined

ROW_CAPS = Gst.Caps.from_string("application/x-orch-items")
_FIXED_CAPS = {text: Gst.Caps.from_string(text)
               for text in (codec.TEXT, codec.JSON, codec.PICKLE)}
_FILE_CAPS = Gst.Caps.from_string("application/octet-stream")
_FILES = GstAllocators.FdAllocator.new()


# ---- rows ----

def make_row(values):
    """A joined Item, of a part for each column."""
    parts = GstOrch.List.new_sized(len(values))
    for value in values:
        if isinstance(value, File):
            _append_file(parts, value)
        else:
            buffer, caps = _make_part(value)
            parts.append(buffer, caps, None)
    return parts.buffer_new()


def _append_file(parts, file):
    info = Gst.Structure.new_empty("info")
    info.set_value("uri", pathlib.Path(file.path).absolute().as_uri())
    info.set_value("name", os.path.basename(file.path))
    try:
        fd, size = file.open()
    except OSError as error:
        parts.append_failed(GstOrch.Cause.new("file", "unreadable", str(error)), info)
        return
    buffer = Gst.Buffer.new()
    buffer.append_memory(GstAllocators.FdAllocator.alloc(
        _FILES, fd, size, GstAllocators.FdMemoryFlags.NONE))
    parts.append(buffer, _FILE_CAPS, info)


def _make_part(value):
    kind = codec.choose(value)
    if kind == codec.TENSOR:
        text = make_tensor_caps(value.shape, value.dtype)
        return _make_buffer(value.tobytes()), Gst.Caps.from_string(text)
    if kind == codec.TEXT:
        data = value.encode("utf-8")
    elif kind == codec.JSON:
        data = json.dumps(value, check_circular=False).encode("ascii")
    else:
        data = codec.dump(value)
    return _make_buffer(data), _FIXED_CAPS[kind]


def _make_buffer(data):
    """What is empty has no memory to wrap."""
    return Gst.Buffer.new_wrapped(data) if data else Gst.Buffer.new()


# ---- values ----

class ValueReader:
    """Reads values as the UDFs of a worker get them, but that they are copies."""

    def __init__(self):
        self._decoder = _OwningDecoder({codec.PICKLE: codec.load})

    def read(self, buffer, caps):
        raw = caps.to_string().encode("utf-8") if caps else None
        return self._decoder.decode(_Buffer(buffer), raw)


class _OwningDecoder(Decoder):
    """What is no array, text or object is bytes."""

    def decode(self, buffer, raw):
        value = super().decode(buffer, raw)
        if isinstance(value, memoryview):
            return bytes(value)
        return tuple(value.values) if isinstance(value, Joined) else value


class _Buffer:
    """A buffer as a Decoder wants it."""

    def __init__(self, buffer, is_source=False):
        self._buffer = buffer
        self._is_source = is_source

    def get_view(self):
        """A document is read, and not mapped: its file may change."""
        data = GstOrch.buffer_read_all(self._buffer, GLib.MAXUINT64).get_data()
        return memoryview(bytearray(data or b""))

    def get_file(self):
        """A result is bytes, but what pages refer to is not read for each of them."""
        is_file, fd, size = GstOrch.buffer_get_fd(self._buffer)
        return _OpenFile(self._buffer, fd, size) if is_file and self._is_source else None

    @property
    def list(self):
        parts = GstOrch.buffer_get_list(self._buffer)
        if parts is None:
            return None
        return [_Element(parts.get(number)) for number in range(parts.get_size())]

    @property
    def reference(self):
        meta = GstOrch.buffer_get_orch_ref_meta(self._buffer)
        if meta is None:
            return None
        names = [meta.locator.nth_field_name(n) for n in range(meta.locator.n_fields())]
        return {name: meta.locator.get_value(name) for name in names}, _Buffer(
            meta.source, is_source=True)

    @property
    def video(self):
        meta = GstVideo.buffer_get_video_meta(self._buffer)
        if meta is None:
            return None
        return meta.width, meta.height, list(zip(meta.offset, meta.stride))


class _OpenFile:
    """The file of a document, which is open as long as the buffer is there."""

    offset = 0

    def __init__(self, buffer, fd, size):
        self._buffer = buffer
        self.fd = fd
        self.size = size

    def read(self):
        return GstOrch.buffer_read_all(self._buffer, GLib.MAXUINT64).get_data()


class _Element:
    """An element of a list, as a Decoder wants it."""

    def __init__(self, element):
        self.name = element.name
        self.outcome = element.outcome
        self.buffer = _Buffer(element.buffer) if element.buffer else None
        self.caps = element.caps.to_string().encode("utf-8") if element.caps else None
        cause = element.cause
        self.cause = cause and (cause.get_domain(), cause.get_code(), cause.get_message())
