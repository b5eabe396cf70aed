# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Buffers of the Python values that a Function gives."""

import json
import re

import numpy

from ..outcomes import Drop, GroupFailure, RecordFailure, as_outcome
from ..values import Document, Reference, Value
from . import unpack
from .arrays import TENSORS, Frame, make_tensor_caps
from .caps import Caps
from .decode import JSON, LIST
from .sharedfile import SharedFile
from .wire import Writer

MAX_INLINE = 16 * 1024
MAX_DEPTH = 16
_NO_TIME = (1 << 64) - 1

TEXT = "text/x-raw, format=(string)utf8"
BYTES = "application/octet-stream"


class Unencodable(Exception):
    """There is no buffer for such a value."""


class Encoder:
    """Writes values into one message."""

    def __init__(self):
        self.writer = Writer()
        self.fds = []
        self._file = SharedFile()
        self._file_index = None
        self._unit = None
        self._is_main = True
        self._depth = 0

    def begin_unit(self, unit):
        self._unit = unit
        self._depth = 0

    def put_output(self, number, value):
        """One of the values of the unit.  Raises Unencodable."""
        self.writer.u32(number)
        self._is_main = number == 0
        self.put(value)

    def seal(self):
        if self._file_index is not None:
            self._file.seal()

    def close(self):
        self._file.close()

    # ---- values ----

    def put(self, value):
        """Caps and buffer.  Raises Unencodable."""
        writer = self.writer
        if value is self._unit.value and self._is_unchanged(value):
            self._put_input()
            return
        if isinstance(value, Value):
            self._put_value(value)
        elif isinstance(value, str):
            writer.string(TEXT)
            self._put_bytes(value.encode("utf-8", "replace"))
        elif isinstance(value, numpy.ndarray) and value.ndim > 0:
            self._put_array(_without_class(value))
        elif isinstance(value, (bytes, bytearray, memoryview)):
            writer.string(BYTES)
            self._put_bytes(value)
        elif isinstance(value, (list, tuple)):
            self._put_list(value)
        elif isinstance(value, Document):
            writer.string(BYTES)
            self._put_document(value)
        elif isinstance(value, Reference):
            self._put_reference(value)
        elif not isinstance(value, (numpy.ndarray, numpy.generic)) \
                and hasattr(value, "__array__"):
            self.put(numpy.asarray(value))
        else:
            raw = dump_json(value)
            writer.string(JSON)
            self._put_bytes(raw)

    def _is_unchanged(self, value):
        """Is it certain that it is what came, as it came?"""
        if isinstance(value, numpy.ndarray):
            return not value.flags.writeable
        if isinstance(value, str):
            return self._unit.kind.name.startswith("text/")
        return isinstance(value, (memoryview, Document))

    def _put_input(self):
        caps = self._unit.kind.caps
        if caps and self._is_main and self._depth == 0:
            # What it has already.
            self.writer.string(None)
        else:
            self.writer.string(caps.text if caps else BYTES)
        self._put_known(self._unit.buffer)

    def _put_value(self, value):
        data = value.data
        if value.caps is None:
            self.put(data)
            return
        caps = _read_caps(value.caps)
        if caps.name == JSON:
            raw = dump_json(data)
        elif isinstance(data, str):
            raw = data.encode("utf-8", "replace")
        elif isinstance(data, (bytes, bytearray, memoryview)):
            raw = data
        else:
            self._put_array_as(numpy.asarray(data), caps)
            return
        self.writer.string(value.caps)
        self._put_bytes(raw)

    # ---- arrays ----

    def _put_array(self, array):
        frame = self._unit.kind.frame
        if frame and array.dtype == frame.dtype and array.ndim == len(frame.shape) \
                and array.shape[2:] == frame.shape[2:] and array.size > 0:
            height, width = array.shape[:2]
            text = re.sub(r"\bwidth=\(int\)\d+", f"width=(int){width}",
                          self._unit.kind.caps.text)
            text = re.sub(r"\bheight=\(int\)\d+", f"height=(int){height}", text)
            self._put_frame(array, text, Frame(frame.format, width, height))
            return
        if array.dtype == bool:
            array = array.view("u1")
        if array.dtype.name not in TENSORS:
            raise Unencodable(f"an array of {array.dtype} has no place in a tensor: use one of "
                              + ", ".join(sorted(TENSORS)))
        self.writer.string(make_tensor_caps(array.shape, array.dtype))
        self._put_packed(array, array.dtype.newbyteorder("="))

    def _put_array_as(self, array, caps):
        """An array with caps that are given: frames get width, height and their rows."""
        if caps.name != "video/x-raw":
            self.writer.string(caps.text)
            self._put_packed(array, array.dtype)
            return
        text = caps.text
        for field, axis in (("width", 1), ("height", 0)):
            if caps.get(field) is None and array.ndim > 1:
                text += f", {field}=(int){array.shape[axis]}"
        if "framerate" not in caps.fields:
            text += ", framerate=(fraction)0/1"
        frame = Frame.from_caps(Caps(text))
        if not frame or array.shape != frame.shape or array.dtype != frame.dtype:
            raise Unencodable(f"an array of {array.dtype} with the shape {array.shape} is no "
                              f"frame of {text}")
        self._put_frame(array, text, frame)

    def _put_frame(self, array, text, frame):
        self.writer.string(text)
        row = frame.shape[1] * frame.pixel
        if row == frame.stride:
            self._put_packed(array, frame.dtype)
        else:
            self._lay_out(array, frame.dtype, frame.get_strides(frame.stride),
                          frame.stride * frame.shape[0])

    def _put_packed(self, array, dtype):
        if array.flags.c_contiguous and dtype == array.dtype:
            self._put_bytes(array.reshape(-1).view("u1"))
        else:
            self._lay_out(array, dtype, None, array.nbytes)

    def _lay_out(self, array, dtype, strides, size):
        """In one copy, which puts everything where it belongs."""
        if size <= MAX_INLINE:
            raw = bytearray(size)
            numpy.ndarray(array.shape, dtype, raw, 0, strides)[...] = array
            self._put_bytes(raw)
            return
        at = self._file.add_array(array, dtype, strides, size)
        self._put_content(lambda: self._put_place(at, size))

    # ---- buffers ----

    def _put_content(self, put_memory=None):
        """A new buffer with one memory, or none, and no metas."""
        writer = self.writer
        writer.u8(unpack.BUFFER_NEW)
        writer.pack(unpack.CONTENT, 0, _NO_TIME, _NO_TIME, _NO_TIME, _NO_TIME, _NO_TIME,
                    1 if put_memory else 0)
        if put_memory:
            put_memory()
        writer.u8(unpack.META_END)

    def _put_bytes(self, raw):
        size = memoryview(raw).nbytes
        if size == 0:
            self._put_content()
        elif size <= MAX_INLINE:
            self._put_content(lambda: self._put_inline(raw, size))
        else:
            raw = memoryview(raw)
            if not raw.c_contiguous:
                raw = raw.tobytes()
            at = self._file.add(memoryview(raw).cast("B"))
            self._put_content(lambda: self._put_place(at, size))

    def _put_inline(self, raw, size):
        self.writer.u8(unpack.MEMORY_INLINE)
        self.writer.u32(size)
        self.writer.data += raw if isinstance(raw, (bytes, bytearray)) else bytes(raw)

    def _put_place(self, at, size):
        if self._file_index is None:
            self._file_index = len(self.fds)
            self.fds.append(self._file.fd)
        self._put_memory(unpack.MEMORY_SHARED, self._file_index, at, size)

    def _put_memory(self, kind, index, offset, size):
        self.writer.u8(kind)
        self.writer.u32(index)
        self.writer.u64(offset)
        self.writer.u64(size)

    # ---- what is made of several ----

    def _begin_meta(self, kind):
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Unencodable(f"lists are nested more than {MAX_DEPTH} deep")
        writer = self.writer
        writer.u8(unpack.BUFFER_NEW)
        writer.pack(unpack.CONTENT, 0, _NO_TIME, _NO_TIME, _NO_TIME, _NO_TIME, _NO_TIME, 0)
        writer.u8(kind)

    def _end_meta(self):
        self.writer.u8(unpack.META_END)
        self._depth -= 1

    def _put_list(self, values):
        self.writer.string(LIST)
        self._begin_meta(unpack.META_LIST)
        self.writer.u32(len(values))
        for ordinal, value in enumerate(values):
            self._put_element(ordinal, value)
        # Nothing was gathered for it.
        self.writer.u8(0)
        self.writer.u32(0)
        self._end_meta()

    def _put_element(self, ordinal, value):
        writer = self.writer
        writer.u64(ordinal)
        writer.string(None)
        value = as_outcome(value)
        if isinstance(value, GroupFailure):
            raise Unencodable("an element of a list cannot be a GroupFailure: return it in the "
                              "place of the list")
        if isinstance(value, (RecordFailure, Drop)):
            dropped = isinstance(value, Drop)
            writer.u8(unpack.OUTCOME_DROPPED if dropped else unpack.OUTCOME_FAILED)
            writer.string(None)
            writer.cause("python", "dropped" if dropped else str(value.code),
                         "the Function dropped it" if dropped else str(value.cause))
            return
        writer.u8(unpack.OUTCOME_PRESENT)
        put_info(writer, value)
        self.put(value)

    def _put_document(self, document):
        buffer = document._buffer
        if self._put_known(buffer):
            return
        file = buffer.get_file()
        index = len(self.fds)
        self.fds.append(file.fd)
        self._put_content(lambda: self._put_memory(unpack.MEMORY_FILE, index, file.offset,
                                                   file.size))

    def _put_known(self, buffer):
        """A document that the other side has is a word."""
        writer = self.writer
        is_input = buffer is self._unit.buffer
        if not is_input and buffer.source_id is None:
            return False
        writer.u8(unpack.BUFFER_KNOWN)
        writer.u8(unpack.KNOWN_INPUT if is_input else unpack.KNOWN_SOURCE)
        writer.u64(self._unit.place if is_input else buffer.source_id)
        writer.u8(0)
        return True

    def _put_reference(self, reference):
        if not isinstance(reference.source, Document):
            raise Unencodable("a Reference is to a Document, not to a "
                              f"{type(reference.source).__name__}")
        caps = "application/x-orch-ref"
        if reference.media_type:
            caps += f", media-type=(string){reference.media_type}"
        self.writer.string(caps)
        self._begin_meta(unpack.META_REF)
        self.writer.structure("locator", reference.locator)
        self._put_document(reference.source)
        self._end_meta()


def _without_class(array):
    """Of what is more than an array (a matrix, a file that is mapped): what lies below."""
    if hasattr(array, "mask"):
        raise Unencodable("a masked array has no place in a tensor: use filled(), or a list of "
                          "its data and its mask")
    return numpy.asarray(array)


def put_info(writer, value):
    """The info that comes with a value, if it has one."""
    info = value.info if isinstance(value, Value) else None
    if not info:
        writer.string(None)
        return
    try:
        writer.structure("info", _without_numpy(info))
    except TypeError as error:
        raise Unencodable(str(error)) from None


def _without_numpy(value):
    """Of an info: its numbers and arrays as Python has them."""
    if isinstance(value, dict):
        return {key: _without_numpy(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_numpy(part) for part in value]
    return _to_plain(value) if isinstance(value, (numpy.generic, numpy.ndarray)) else value


def _read_caps(text):
    try:
        caps = Caps(text)
    except (TypeError, ValueError):
        caps = None
    if caps is None or not caps.is_whole:
        raise Unencodable(f"the caps of a Value are written as in a pipeline, {text!r} is not")
    return caps


def _to_plain(value):
    if isinstance(value, numpy.generic):
        return value.item()
    if isinstance(value, numpy.ndarray):
        return value.tolist()
    raise TypeError(f"a {type(value).__module__}.{type(value).__qualname__}")


def dump_json(value):
    """Bytes.  Raises Unencodable."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False,
                          default=_to_plain).encode("utf-8", "replace")
    except TypeError as error:
        raise Unencodable(f"{error} is no value that can leave: give text, bytes, arrays, "
                          "numbers, or dicts and lists of them") from None
    except (ValueError, RecursionError) as error:
        raise Unencodable(f"it cannot be written as JSON: {error}") from None
