# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Rows as buffers, and values of buffers."""

from __future__ import annotations

import json

from . import codec
from .gst import Gst, GstOrch, GstVideo
from .worker.arrays import make_tensor_caps
from .worker.decode import Decoder, Joined

ROW_CAPS = Gst.Caps.from_string('application/x-orch-items')
_FIXED_CAPS = {text: Gst.Caps.from_string(text)
               for text in (codec.TEXT, codec.JSON, codec.PICKLE)}


# ---- rows ----

def make_row(values):
    """A joined Item, of a part for each column."""
    parts = GstOrch.List.new_sized(len(values))
    for value in values:
        buffer, caps = _make_part(value)
        parts.append(buffer, caps, None)
    return parts.buffer_new()


def _make_part(value):
    kind = codec.choose(value)
    if kind == codec.TENSOR:
        text = make_tensor_caps(value.shape, value.dtype)
        return _make_buffer(value.tobytes()), Gst.Caps.from_string(text)
    if kind == codec.TEXT:
        data = value.encode('utf-8')
    elif kind == codec.JSON:
        data = json.dumps(value, check_circular=False).encode('ascii')
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
        self._decoder = Decoder({codec.PICKLE: codec.load})

    def read(self, buffer, caps):
        raw = caps.to_string().encode('utf-8') if caps else None
        return _own(self._decoder.decode(_Buffer(buffer), raw))


def _own(value):
    """What is no array, text or object is bytes."""
    if isinstance(value, memoryview):
        return bytes(value)
    if isinstance(value, list):
        return [_own(part) for part in value]
    if isinstance(value, Joined):
        return tuple(_own(part) for part in value.values)
    return value


class _Buffer:
    """A buffer as a Decoder wants it."""

    def __init__(self, buffer):
        self._buffer = buffer

    def get_view(self):
        return memoryview(bytearray(self._buffer.extract_dup(0, self._buffer.get_size())))

    def get_file(self):
        """Documents are read: who has the result may not have the file any more."""
        return None

    @property
    def list(self):
        parts = GstOrch.buffer_get_list(self._buffer)
        if parts is None:
            return None
        return [_Element(parts.get(number)) for number in range(parts.get_size())]

    @property
    def reference(self):
        return None

    @property
    def video(self):
        meta = GstVideo.buffer_get_video_meta(self._buffer)
        if meta is None:
            return None
        return meta.width, meta.height, list(zip(meta.offset, meta.stride))


class _Element:
    """An element of a list, as a Decoder wants it."""

    def __init__(self, element):
        self.name = element.name
        self.outcome = element.outcome
        self.buffer = _Buffer(element.buffer) if element.buffer else None
        self.caps = element.caps.to_string().encode('utf-8') if element.caps else None
        self.cause = None
