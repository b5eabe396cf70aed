# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Which bytes, and which caps, a Python value becomes on its way between processes.

Text, JSON and arrays become what Functions in C understand as well. Everything else is
pickled. Nothing may come back as something else: a tuple is no JSON, since it would be
a list afterwards.
"""

from __future__ import annotations

import math
import pickle

TEXT = "text/x-raw, format=(string)utf8"
JSON = "application/json"
TENSOR = "other/tensors"
PICKLE = "application/x-python-pickle"

_MAX_DEPTH = 64
# Python refuses to read longer ones, if it is told so: 640 digits at least are allowed.
_MAX_INTEGER = 10 ** 640
_TENSORS = frozenset(("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
                      "uint64", "float16", "float32", "float64"))

try:
    import cloudpickle as _pickler
except ImportError:
    _pickler = pickle


class Unpicklable(TypeError):
    """There are no bytes for such a value."""


def choose(value):
    """TEXT, JSON, TENSOR or PICKLE."""
    if type(value) is str:
        return TEXT if _is_utf8(value) else PICKLE
    if is_json(value):
        return JSON
    return TENSOR if is_tensor(value) else PICKLE


def _is_utf8(text):
    try:
        return text.isascii() or bool(text.encode("utf-8"))
    except UnicodeEncodeError:
        return False


def is_json(value, depth=0):
    """Does it come back from JSON as what it was?"""
    kind = type(value)
    if kind is str:
        return _is_utf8(value)
    if kind is int:
        return -_MAX_INTEGER < value < _MAX_INTEGER
    if kind is float:
        return math.isfinite(value)
    if kind is bool or value is None:
        return True
    if depth >= _MAX_DEPTH:
        return False
    if kind is list:
        return all(is_json(part, depth + 1) for part in value)
    return kind is dict and all(
        type(key) is str and _is_utf8(key) and is_json(part, depth + 1)
        for key, part in value.items())


def is_tensor(value):
    """Is it a NumPy array of numbers as this machine has them?"""
    kind = type(value)
    return (kind.__module__ == "numpy" and kind.__name__ == "ndarray" and value.ndim > 0
            and value.dtype.name in _TENSORS and value.dtype.isnative)


def dump(value):
    try:
        return _pickler.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        hint = "" if _pickler is not pickle else (
            "; with the package cloudpickle installed, functions and classes that are "
            "defined within others can be")
        raise Unpicklable(f"a {type(value).__qualname__} cannot be handed to another "
                          f"process: {error}{hint}") from error


def load(data):
    return pickle.loads(data)
