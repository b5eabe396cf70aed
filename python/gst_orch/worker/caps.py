# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Caps, as GStreamer writes them."""

import re

_NAME = re.compile(r"\s*([A-Za-z][\w/.:+-]*)(?:\([^)]*\))?\s*")
_FIELD = re.compile(r"\s*([A-Za-z][\w/.:+-]*)\s*=\s*(?:\(\s*([\w+:]+)\s*\))?\s*")
_VALUE = re.compile(r'"((?:[^"\\]|\\.)*)"|[^,;]*', re.DOTALL)
_OPEN = {"{": "}", "<": ">", "[": "]"}


class Caps:
    """The first structure of caps: its name, and those of its fields that have one value."""

    def __init__(self, text):
        self.text = text
        match = _NAME.match(text)
        self.name = match.group(1) if match else text
        self.fields = {}
        end = self._read_fields(match.end()) if match else 0
        # Is it nothing but caps, as far as it is read?
        self.is_whole = match is not None and (end == len(text) or text[end] == ";")

    def get(self, field, default=None):
        return self.fields.get(field, default)

    def _read_fields(self, at):
        """Where they end."""
        text = self.text
        while at < len(text) and text[at] == ",":
            match = _FIELD.match(text, at + 1)
            if not match:
                break
            name, type, at = match.group(1), match.group(2), match.end()
            if text[at:at + 1] in _OPEN:
                at = _skip_many(text, at)
                continue
            match = _VALUE.match(text, at)
            at = match.end()
            raw = match.group(0).strip() if match.group(1) is None else _unescape(match.group(1))
            self.fields[name] = _convert(raw, type)
            while at < len(text) and text[at] == " ":
                at += 1
        return at


def _skip_many(text, at):
    """Behind a list, an array or a range."""
    close = [_OPEN[text[at]]]
    at += 1
    while at < len(text) and close:
        if text[at] == '"':
            at = _VALUE.match(text, at).end()
            continue
        if text[at] == close[-1]:
            close.pop()
        elif text[at] in _OPEN:
            close.append(_OPEN[text[at]])
        at += 1
    while at < len(text) and text[at] == " ":
        at += 1
    return at


def _unescape(text):
    """GStreamer writes bytes that are not ASCII as three octal digits."""
    raw = re.sub(rb"\\([0-7]{3})|\\(.)",
                 lambda m: bytes([int(m.group(1), 8)]) if m.group(1) else m.group(2),
                 text.encode("utf-8"), flags=re.DOTALL)
    return raw.decode("utf-8", "replace")


def _convert(raw, type):
    if type in ("int", "uint", "gint", "guint", "int64", "gint64", "guint64", "i"):
        return int(raw, 0)
    if type in ("boolean", "bool", "gboolean", "b"):
        return raw.lower() in ("true", "yes", "1")
    if type in ("double", "float", "gdouble", "gfloat", "d", "f"):
        return float(raw)
    return raw


def quote(value):
    """A string as the value of a field."""
    escaped = re.sub(rb"[^A-Za-z0-9_ /.:+-]",
                     lambda m: b"\\%03o" % m.group(0)[0], value.encode("utf-8"))
    return '"%s"' % escaped.decode("ascii")
