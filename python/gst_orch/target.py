# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""How a worker gets the user's class: by where it is defined, or else pickled.

A class of a module is imported. One of the program itself (``__main__``) is pickled by
value if cloudpickle is there; if not, or for another interpreter, whose bytecode may be
another, the program's file is run again, up to where it starts a pipeline.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import pickle
import sys
import types

from . import codec
from .api import Module
from .errors import CompileError

_MAIN = "__main__"
_MAIN_COPY = "__mp_main__"

_loading_main = False


class MainIsLoaded(BaseException):
    """Ends the second run of the program where it would start a pipeline."""


def stop_here_if_loading_main():
    if _loading_main:
        raise MainIsLoaded


# ---- in the program ----

def pack(target, args, kwargs, environment, is_same_python=True):
    """Bytes that load() understands in another process. Raises CompileError."""
    # What workers send back is of the copy that they have made.
    sys.modules.setdefault(_MAIN_COPY, sys.modules[_MAIN])
    try:
        return pickle.dumps({
            "path": list(sys.path),
            "environment": dict(environment),
            "main": _find_main(),
            "target": _refer(target, is_same_python),
            "arguments": codec.dump((args, kwargs)),
        })
    except codec.Unpicklable as error:
        raise CompileError(str(error)) from error


def _find_main():
    """How to run the program again: a module's name, a file, or None."""
    main = sys.modules[_MAIN]
    spec = getattr(main, "__spec__", None)
    if spec is not None and spec.name:
        return ("module", spec.name)
    file = getattr(main, "__file__", None)
    return ("file", os.path.abspath(file)) if file and os.path.isfile(file) else None


def _refer(target, is_same_python):
    place = _find_place(target)
    can_be_run_again = place and (place[0] != _MAIN or _find_main())
    if can_be_run_again and (place[0] != _MAIN or not is_same_python):
        return ("place", place)
    if _has_cloudpickle():
        return ("pickle", codec.dump(target))
    if can_be_run_again:
        return ("place", place)
    if not isinstance(target, (type, types.FunctionType)):
        return ("pickle", codec.dump(target))
    name = getattr(target, "__qualname__", repr(target))
    raise CompileError(f"{name} cannot be found by a worker, which is another process: define "
                       "it at the top level of a file, or install the package cloudpickle")


def _has_cloudpickle():
    return codec._pickler is not pickle


def _find_place(target):
    """(module, qualified name) that leads to the target, or None."""
    module = getattr(target, "__module__", None)
    name = getattr(target, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str):
        return None
    try:
        found = _follow(sys.modules[module], name)
    except (KeyError, AttributeError):
        return None
    return (module, name) if found is target else None


def _follow(module, name):
    """What has the name; a Module that has taken the name of its UDF stands for that."""
    found = module
    for part in name.split("."):
        found = getattr(found, part)
    return found.udf if isinstance(found, Module) else found


# ---- in a worker ----

def load(data):
    """The target and its arguments, (target, args, kwargs)."""
    packed = pickle.loads(data)
    os.environ.update(packed["environment"])
    sys.path += [folder for folder in packed["path"] if folder not in sys.path]
    kind, what = packed["target"]
    if packed["main"] and (kind == "place" and what[0] == _MAIN or not _has_cloudpickle()):
        _load_main(*packed["main"])
    if kind == "place":
        target = _load_place(*what)
    else:
        target = _load_pickle(what)
    args, kwargs = _load_pickle(packed["arguments"])
    return target, args, kwargs


def _load_place(module, name):
    try:
        return _follow(importlib.import_module(module), name)
    except AttributeError as error:
        hint = ("it has to be defined ahead of where the program starts its first pipeline, "
                "or that be below if __name__ == '__main__', or cloudpickle be installed"
                if module == _MAIN else "has the module another version there?")
        raise ImportError(f"{name} is not to be found in a worker: {hint}") from error


def _load_pickle(data):
    try:
        return pickle.loads(data)
    except ModuleNotFoundError as error:
        raise ImportError(f"{sys.executable} has no module {error.name}, which the UDF or its "
                          "arguments come from; install it there") from error


def _load_main(kind, name):
    """As multiprocessing does it: under another name, so that what is guarded by
    ``if __name__ == '__main__'`` is left out."""
    global _loading_main
    main = types.ModuleType(_MAIN_COPY)
    sys.modules[_MAIN] = sys.modules[_MAIN_COPY] = main
    code = _read_module(main, name) if kind == "module" else _read_file(main, name)
    _loading_main = True
    try:
        exec(code, main.__dict__)
    except MainIsLoaded:
        pass
    finally:
        _loading_main = False


def _read_file(main, path):
    main.__file__ = path
    sys.path.insert(0, os.path.dirname(path))
    with open(path, "rb") as file:
        return compile(file.read(), path, "exec")


def _read_module(main, name):
    spec = importlib.util.find_spec(name)
    main.__file__ = spec.origin
    main.__package__ = spec.parent
    return spec.loader.get_code(name)
