# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Python values of the buffers that come in."""

import json

from ..outcomes import DROP, RecordFailure
from ..values import Document, Reference
from .arrays import Frame, Misfit, view_audio, view_tensors
from .caps import Caps
from .unpack import OUTCOME_DROPPED

ITEMS = "application/x-orch-items"
LIST = "application/x-orch-list"
JSON = "application/json"

_MAX_KINDS = 256


class Undecodable(Exception):
    """A buffer is not what its caps say: `code` is of the cause."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Joined:
    """Several inputs, each with its name."""

    __slots__ = ("names", "values")

    def __init__(self, names, values):
        self.names = names
        self.values = values


class Kind:
    """Caps that came, and how a buffer of them becomes a value."""

    def __init__(self, text, decoders):
        self.caps = Caps(text) if text is not None else None
        self.name = self.caps.name if self.caps else None
        self.frame = Frame.from_caps(self.caps) if self.caps else None
        own = decoders.get(self.name)
        self.decode = (lambda buffer: own(buffer.get_view())) if own else self._choose()

    def _choose(self):
        if self.caps is None:
            return _decode_bytes
        if self.name.startswith("text/"):
            return _decode_text
        if self.name == JSON:
            return _decode_json
        if self.frame:
            return self._decode_frame
        view = view_audio(self.caps) or view_tensors(self.caps)
        if view:
            return lambda buffer: view(buffer.get_view())
        return _decode_bytes

    def _decode_frame(self, buffer):
        return self.frame.view(buffer.get_view(), buffer.video)


class Decoder:
    """`decoders`: functions from memory to a value, by the names of caps."""

    def __init__(self, decoders=None):
        self._decoders = decoders or {}
        self._kinds = {}

    def get_kind(self, raw):
        """Of caps as bytes, or None: they come again and again."""
        kind = self._kinds.get(raw)
        if kind is None:
            if len(self._kinds) >= _MAX_KINDS:
                self._kinds.clear()
            kind = self._kinds[raw] = Kind(None if raw is None else raw.decode("utf-8"),
                                           self._decoders)
        return kind

    def decode(self, buffer, raw):
        """Raises Undecodable."""
        kind = self.get_kind(raw)
        if buffer.list is not None:
            return self._decode_list(buffer, kind)
        if buffer.reference is not None:
            locator, source = buffer.reference
            return Reference(self.decode(source, None), locator,
                             kind.caps.get("media-type") if kind.caps else None)
        try:
            return kind.decode(buffer)
        except Misfit as error:
            raise Undecodable("misfit", str(error)) from None

    def _decode_list(self, buffer, kind):
        if kind.name == ITEMS:
            return Joined(tuple(element.name for element in buffer.list),
                          [self.decode(element.buffer, element.caps) if element.buffer else None
                           for element in buffer.list])
        return [self._decode_element(element) for element in buffer.list]

    def _decode_element(self, element):
        if element.buffer is not None:
            return self.decode(element.buffer, element.caps)
        if element.outcome == OUTCOME_DROPPED:
            return DROP
        _, code, message = element.cause or (None, "unknown", "it has no value")
        return RecordFailure(message, code)


def _decode_text(buffer):
    try:
        return str(buffer.get_view(), "utf-8")
    except UnicodeDecodeError as error:
        raise Undecodable("not-utf8", f"the text is not UTF-8: {error.reason} at byte "
                          f"{error.start}") from None


def _decode_json(buffer):
    try:
        return json.loads(bytes(buffer.get_view()))
    except (ValueError, RecursionError) as error:
        raise Undecodable("not-json", f"the value is not JSON: {error}") from None


def _decode_bytes(buffer):
    return Document(buffer) if buffer.get_file() else buffer.get_view()
