# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""The user's class: found, made, and given its batches."""

import importlib
import importlib.util
import inspect
import json
import os
import re
import sys
import traceback
from operator import attrgetter

import numpy

from .decode import Joined

_PACKAGE = os.path.dirname(os.path.dirname(__file__))
_MAX_MESSAGE = 400
_MAX_TRACEBACK = 1600
_POSITIONAL = re.compile(r"sink_\d+$")


class NotReady(Exception):
    """Why the Function cannot be set up, for a person."""


class Contract(Exception):
    """What run returned is not what was asked for."""


def explain(error):
    """An exception and where it came from, without the frames of this package."""
    try:
        lines = "".join(traceback.format_exception_only(type(error), error)).strip()
    except Exception:
        lines = type(error).__qualname__
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if not frame.filename.startswith((_PACKAGE, "<frozen"))]
    trace = "".join(traceback.format_list(frames)).rstrip()
    if len(lines) > _MAX_MESSAGE:
        lines = lines[:_MAX_MESSAGE] + "..."
    if len(trace) > _MAX_TRACEBACK:
        trace = "..." + trace[-_MAX_TRACEBACK:]
    return f"{lines}\n{trace}" if trace else lines


def _load_module(name):
    is_file = name.endswith(".py") or os.sep in name
    if is_file and not os.path.isfile(name):
        raise NotReady(f"module={name}: there is no such file (looked for in {os.getcwd()})")
    try:
        return _load_file(name) if is_file else _load_name(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(error.name + ".")):
            raise NotReady(f"module={name}: there is no such module on the Python path of "
                           f"{sys.executable}; a file is named with its .py") from None
        raise NotReady(f"module={name} needs a module {error.name}, which {sys.executable} does "
                       "not have; install it there, or set the property python to the "
                       "interpreter of an environment that has it") from None
    except Exception as error:
        raise NotReady(f"module={name} cannot be imported: {explain(error)}") from None


def _load_file(path):
    path = os.path.abspath(path)
    # As for a program: what lies beside it can be imported.
    sys.path.insert(0, os.path.dirname(path))
    name = os.path.splitext(os.path.basename(path))[0]
    if name in sys.modules or not name.isidentifier():
        name = "gst_orch_module"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _load_name(name):
    sys.path.insert(0, os.getcwd())
    return importlib.import_module(name)


def _find_target(module_name, name):
    module = _load_module(module_name)
    try:
        return attrgetter(name)(module)
    except AttributeError:
        has = sorted(n for n, value in vars(module).items()
                     if inspect.isclass(value) and value.__module__ == module.__name__)
        raise NotReady(f"module={module_name} has no class {name}; it has "
                       f"{', '.join(has) or 'none'}") from None


def _read_json(settings, name, type):
    text = settings.get(name)
    if not text:
        return type()
    try:
        value = json.loads(text)
    except ValueError as error:
        raise NotReady(f"the property {name} is not JSON: {error}") from None
    if not isinstance(value, type):
        raise NotReady(f"the property {name} is to be a JSON "
                       f"{'array' if type is list else 'object'}, this is {text}")
    return value


class Function:
    """`settings`: the properties of the element."""

    def __init__(self, settings):
        self._settings = settings
        self.n_outputs = settings.get("outputs", 1)
        self._kwargs = _read_json(settings, "run-kwargs", dict)
        name = f"{settings.get('class')} of module={settings.get('module')}"
        target = _find_target(settings.get("module", ""), settings.get("class", ""))
        made = self._make(target, name) if inspect.isclass(target) else target
        self._run = getattr(made, "run", made)
        # What it alone can read, by the names of caps: see udf.py.
        self.decoders = getattr(made, "decoders", None)
        if not callable(self._run):
            raise NotReady(f"{name} has no method run(batch)")

    def _make(self, target, name):
        args = _read_json(self._settings, "init-args", list)
        kwargs = _read_json(self._settings, "init-kwargs", dict)
        try:
            return target(*args, **kwargs)
        except Exception as error:
            raise NotReady(f"{name} cannot be made: {explain(error)}") from None

    def change(self, settings):
        """Properties have changed while it plays.  Raises NotReady."""
        self._settings.update(settings)
        self._kwargs = _read_json(self._settings, "run-kwargs", dict)

    def run(self, values):
        """What run() returns for the values of some units: a tuple with the values of each
        output for each unit, or a generator of such, with the unit's place."""
        args, kwargs = _make_columns(values)
        for name in self._kwargs:
            if name in kwargs:
                raise Contract(f"{name} is both an input and in run-kwargs")
        result = self._run(*args, **kwargs, **self._kwargs)
        if inspect.isgenerator(result):
            return self._read_generator(result, len(values))
        return self._read_columns(result, len(values))

    def _read_columns(self, result, n):
        if self.n_outputs == 1:
            columns = [result]
        else:
            columns = _check_sequence(result, "run", self.n_outputs, "outputs")
        columns = [_check_sequence(column, f"output {i}", n, "values")
                   for i, column in enumerate(columns)]
        return list(zip(*columns))

    def _read_generator(self, generator, n):
        for pair in generator:
            if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], int) \
                    or not 0 <= pair[0] < n:
                raise Contract("a run that yields has to yield (place in the batch, value), "
                               f"with places 0 .. {n - 1}, not {str(pair)[:80]}")
            place, value = pair
            if self.n_outputs > 1:
                value = tuple(_check_sequence(value, "a yielded value", self.n_outputs, "outputs"))
            else:
                value = (value,)
            yield place, value


def _check_sequence(value, what, n, of):
    if not isinstance(value, (list, tuple, numpy.ndarray)) \
            or isinstance(value, numpy.ndarray) and value.ndim == 0:
        raise Contract(f"{what} returned a {type(value).__name__} where a list of {n} {of} was "
                       "expected")
    if len(value) != n:
        raise Contract(f"{what} returned {len(value)} {of} where {n} were expected")
    return value


def _make_columns(values):
    """Joined inputs are several arguments: those with labels by keyword."""
    first = values[0]
    if not isinstance(first, Joined):
        return [values], {}
    args, kwargs = [], {}
    for i, name in enumerate(first.names):
        column = [value.values[i] for value in values]
        if name is None or _POSITIONAL.match(name):
            args.append(column)
        else:
            kwargs[name] = column
    return args, kwargs
