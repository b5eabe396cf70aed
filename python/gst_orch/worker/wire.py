# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Values as bytes: numbers as the machine has them, everything else with its size ahead."""

import struct

from .link import ProtocolError

_U8 = struct.Struct("=B")
_U32 = struct.Struct("=I")
_U64 = struct.Struct("=Q")
_I64 = struct.Struct("=q")
_F64 = struct.Struct("=d")

MAX_DEPTH = 32

(KIND_NONE, KIND_INT, KIND_UINT, KIND_INT64, KIND_UINT64, KIND_DOUBLE, KIND_BOOLEAN,
 KIND_STRING, KIND_STRUCTURE, KIND_ARRAY, KIND_LIST, KIND_TEXT) = range(12)


class Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0
        self._depth = 0

    def unpack(self, layout):
        """The fields of a struct.Struct."""
        at = self.at
        self.at = at + layout.size
        try:
            return layout.unpack_from(self.data, at)
        except struct.error:
            raise ProtocolError("a message ends too early") from None

    def u8(self):
        return self.unpack(_U8)[0]

    def u32(self):
        return self.unpack(_U32)[0]

    def u64(self):
        return self.unpack(_U64)[0]

    def take(self, size):
        at = self.at
        self.at = at + size
        if self.at > len(self.data):
            raise ProtocolError("a message ends too early")
        return self.data[at:self.at]

    def raw_string(self):
        """The bytes of a string, without the zero at its end; None when there is none."""
        size = self.u32()
        return bytes(self.take(size)[:-1]) if size else None

    def string(self):
        raw = self.raw_string()
        return None if raw is None else raw.decode("utf-8")

    def cause(self):
        """(domain, code, message), or None."""
        domain = self.string()
        return None if domain is None else (domain, self.string(), self.string())

    def structure(self):
        """(name, fields), or None."""
        name = self.string()
        if name is None:
            return None
        return name, {self.string(): self.value() for _ in range(self.u32())}

    def value(self):
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ProtocolError("values are nested too deeply")
        value = self._value(self.u8())
        self._depth -= 1
        return value

    def _value(self, kind):
        if kind in (KIND_INT, KIND_INT64):
            return self.unpack(_I64)[0]
        if kind in (KIND_UINT, KIND_UINT64):
            return self.u64()
        if kind == KIND_DOUBLE:
            return self.unpack(_F64)[0]
        if kind == KIND_BOOLEAN:
            return self.u64() != 0
        if kind == KIND_STRING:
            return self.string()
        if kind == KIND_STRUCTURE:
            structure = self.structure()
            return structure[1] if structure else None
        if kind in (KIND_ARRAY, KIND_LIST):
            return [self.value() for _ in range(self.u32())]
        if kind == KIND_TEXT:
            self.string()
            return self.string()
        raise ProtocolError(f"there is no kind {kind} of values")


class Writer:
    def __init__(self):
        self.data = bytearray()

    def u8(self, value):
        self.data += _U8.pack(value)

    def u32(self, value):
        self.data += _U32.pack(value)

    def u64(self, value):
        self.data += _U64.pack(value)

    def pack(self, layout, *fields):
        self.data += layout.pack(*fields)

    def string(self, text):
        if text is None:
            self.u32(0)
            return
        # The other side is C: a zero would end it.
        raw = text.encode("utf-8", "replace").replace(b"\0", b"\xef\xbf\xbd")
        self.u32(len(raw) + 1)
        self.data += raw
        self.data.append(0)

    def cause(self, domain, code, message):
        self.string(domain)
        self.string(code)
        self.string(message)

    def structure(self, name, fields):
        self.string(name)
        self.u32(len(fields))
        for field, value in fields.items():
            if not isinstance(field, str):
                raise TypeError(f"the fields of an info have names, {field!r} is none")
            self.string(field)
            self.value(value)

    def value(self, value):
        """Raises TypeError for what has no place in a GstStructure."""
        if isinstance(value, bool):
            self._number(KIND_BOOLEAN, _U64.pack(value))
        elif isinstance(value, int):
            self._integer(value)
        elif isinstance(value, float):
            self._number(KIND_DOUBLE, _F64.pack(value))
        elif isinstance(value, str):
            self.u8(KIND_STRING)
            self.string(value)
        elif isinstance(value, dict):
            self.u8(KIND_STRUCTURE)
            self.structure("fields", value)
        elif isinstance(value, (list, tuple)):
            self.u8(KIND_ARRAY)
            self.u32(len(value))
            for item in _unite(value):
                self.value(item)
        else:
            raise TypeError(f"a {type(value).__name__} cannot be part of an info")

    def _number(self, kind, packed):
        self.u8(kind)
        self.data += packed

    def _integer(self, value):
        kind = _get_integer_kind(value)
        self._number(kind, (_U64 if kind == KIND_UINT64 else _I64).pack(value))


def _get_integer_kind(value):
    for kind, low, high in ((KIND_INT, -1 << 31, 1 << 31), (KIND_INT64, -1 << 63, 1 << 63),
                            (KIND_UINT64, 0, 1 << 64)):
        if low <= value < high:
            return kind
    raise TypeError("an integer of more than 64 bits cannot be part of an info")


def _unite(values):
    """GStreamer's arrays are of one type.  Raises TypeError."""
    types = {type(value) for value in values}
    if types <= {int, float} and (
            len(types) > 1 or len({_get_integer_kind(v) for v in values if type(v) is int}) > 1):
        return [float(value) for value in values]
    if len(types) > 1:
        raise TypeError("a list of different types cannot be part of an info")
    return values
