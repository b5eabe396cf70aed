# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""What stands between a worker and a UDF: it finds the UDF, and hands it columns."""

from __future__ import annotations

import base64
import pickle
import sys

from . import codec, target
from .outcomes import Drop, GroupFailure, RecordFailure, as_outcome
from .values import Document, Reference, Value

_AS_IT_IS = (Value, Document, Reference, memoryview)


class ContractError(RuntimeError):
    """What a UDF returned is not what was asked for."""


def pack(call, graph, options):
    """The argument of Udf for a Call, as text."""
    module = call.module
    groups, masks = graph.expansions(), graph.masks()
    layout = {
        "arguments": _number_arguments(call),
        "static": call.static,
        "opened": [port in groups for port in call.outputs],
        "masks": [groups.get(port, port) in masks for port in call.outputs],
        "domains": [graph.domain(groups.get(port, port)) for port in call.outputs],
    }
    packed = target.pack(module.udf, module.init_args, module.init_kwargs, options.environment,
                         options.python in (None, sys.executable))
    return base64.b64encode(pickle.dumps((packed, codec.dump(layout)))).decode("ascii")


def _number_arguments(call):
    """Each argument's name, if any, and which of the columns it is."""
    from .wiring import distinct_inputs
    columns = [input.port for input in distinct_inputs(call)]
    return [(input.name, columns.index(input.port)) for input in call.inputs]


class Udf:
    """The Function of each Python Call of a Pipeline: see orchpython."""

    decoders = {codec.PICKLE: codec.load}

    def __init__(self, packed):
        packed, layout = pickle.loads(base64.b64decode(packed))
        udf, args, kwargs = target.load(packed)
        # What these hold may be of the program.
        self._layout = pickle.loads(layout)
        made = udf(*args, **kwargs) if isinstance(udf, type) else udf
        self._run = getattr(made, "run", made)

    def run(self, *columns):
        args, kwargs = [], dict(self._layout["static"])
        for name, number in self._layout["arguments"]:
            if name is None:
                args.append(columns[number])
            else:
                kwargs[name] = columns[number]
        returned = self._run(*args, **kwargs)
        return self._read(returned, len(columns[0]))

    def _read(self, returned, n):
        """What a worker takes: a column, or a tuple of them."""
        opened = self._layout["opened"]
        columns = [returned] if len(opened) == 1 else _check_list(
            returned, f"a UDF with {len(opened)} outputs")
        if len(columns) != len(opened):
            raise ContractError(f"a UDF with {len(opened)} outputs returned {len(columns)}")
        for number, column in enumerate(columns):
            if len(_check_list(column, f"output {number}")) != n:
                raise ContractError(f"output {number} has {len(column)} values for {n} units")
        outcomes = [_find_outcome(row) for row in zip(*columns)]
        self._check_lengths(columns, outcomes)
        encoded = tuple([outcome or self._encode(value, number)
                         for value, outcome in zip(column, outcomes)]
                        for number, column in enumerate(columns))
        return encoded if len(opened) > 1 else encoded[0]

    def _check_lengths(self, columns, outcomes):
        """Lists that are opened side by side are of one length."""
        first = {}
        for number, domain in enumerate(self._layout["domains"]):
            other = first.setdefault(domain, number)
            if not self._layout["opened"][number] or other == number:
                continue
            for values in zip(columns[other], columns[number], outcomes):
                lengths = [len(_check_list(value, "what is opened")) for value in values[:2]
                           if not values[2]]
                if len(set(lengths)) > 1:
                    raise ContractError(f"lists that are opened side by side have {lengths[0]} "
                                        f"and {lengths[1]} elements")

    def _encode(self, value, number):
        is_mask = self._layout["masks"][number]
        if not self._layout["opened"][number]:
            return _encode(value, is_mask)
        return [_encode(part, is_mask) for part in _check_list(
            value, f"a value of output {number}, which is opened,")]


def _check_list(value, what):
    if not isinstance(value, (list, tuple)):
        raise ContractError(f"{what} is to be a list or tuple, "
                            f"and this is a {type(value).__qualname__}")
    return value


def _find_outcome(row):
    """What is said instead of values: a group's failure goes before a record's, that before
    a drop, and the first output's before others."""
    for kind in (GroupFailure, RecordFailure, Drop):
        for value in row:
            outcome = as_outcome(value)
            if isinstance(outcome, kind):
                return outcome
    return None


def _encode(value, is_mask):
    value = as_outcome(value)
    if isinstance(value, (RecordFailure, Drop)):
        # An element of a list that is opened.
        return value
    if is_mask and type(value) is not bool:
        raise ContractError("what F.filter goes by is to be True or False, "
                            f"and this is a {type(value).__qualname__}")
    if isinstance(value, _AS_IT_IS):
        return value
    kind = codec.choose(value)
    if kind == codec.JSON:
        return Value(value, kind)
    return Value(codec.dump(value), kind) if kind == codec.PICKLE else value
