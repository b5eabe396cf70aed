# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Reading forward(): the Ports that it is given, and what it does with them."""

from __future__ import annotations

import contextlib
import contextvars
import inspect
import itertools
from dataclasses import dataclass

from . import graph as g
from .errors import CompileError

_SERIALS = itertools.count()
_ACTIVE = contextvars.ContextVar("gst_orch_trace", default=None)


@dataclass(frozen=True)
class Port:
    """Stands for the values of one output, in forward()."""

    number: int
    _trace: int

    def __bool__(self):
        raise TypeError("a Port is no value yet, so forward() cannot branch on it; use "
                        "F.filter, or decide within a UDF")


@dataclass(frozen=True)
class OptionalPort:
    """What F.optional makes: an input of a Module, and nothing else."""

    port: Port


def active_trace(user):
    trace = _ACTIVE.get()
    if trace is None:
        raise CompileError(f"{user} can only be used in Pipeline.forward")
    return trace


def trace_pipeline(pipeline):
    """The Graph of a Pipeline."""
    trace = Trace(_source_names(pipeline))
    with trace.active():
        returned = pipeline.forward(*(trace.handle(port) for port in trace.graph.sources))
    trace.graph.outputs = trace.output_tree(returned)
    _check_masks(trace.graph)
    return trace.graph


def _source_names(pipeline):
    parameters = inspect.signature(pipeline.forward).parameters.values()
    if not parameters:
        raise CompileError("Pipeline.forward needs a parameter for each source, "
                           "one at least")
    for parameter in parameters:
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            raise CompileError("Pipeline.forward has positional parameters only, "
                               f"and {parameter} is none")
    return [parameter.name for parameter in parameters]


def _check_masks(graph):
    for port in graph.masks():
        if isinstance(graph.origin(port), g.Reduced):
            raise CompileError("the mask of F.filter is a boolean for each unit, and what "
                               "F.reduce makes is a list")


class Trace:
    """Grows the Graph of one forward(), and refuses what makes no sense."""

    def __init__(self, names):
        self.serial = next(_SERIALS)
        self.graph = g.Graph()
        self._made = {}
        self.graph.sources = tuple(self._add(0, g.Source(column, name))
                                   for column, name in enumerate(names))

    @contextlib.contextmanager
    def active(self):
        token = _ACTIVE.set(self)
        try:
            yield
        finally:
            _ACTIVE.reset(token)

    def handle(self, number):
        return Port(number, self.serial)

    def _add(self, domain, origin):
        self.graph.ports.append(g.PortSpec(domain, origin))
        return len(self.graph.ports) - 1

    def _number(self, port, user):
        if not isinstance(port, Port):
            raise CompileError(f"{user} takes Ports, and {port!r} is none")
        if port._trace != self.serial:
            raise CompileError(f"{user} got a Port of another Pipeline")
        return port.number

    def _numbers(self, ports, user):
        """Of Ports that have to be of one Domain."""
        if not ports:
            raise CompileError(f"{user} needs one Port at least")
        numbers = tuple(self._number(port, user) for port in ports)
        if len({self.graph.domain(number) for number in numbers}) > 1:
            raise CompileError(f"the Ports of {user} are of different Domains; "
                               "F.broadcast and F.reduce bring them together")
        return numbers

    def _once(self, key, make):
        """The same relation of the same Ports is the same Port."""
        if key not in self._made:
            self._made[key] = make()
        return tuple(self.handle(number) for number in self._made[key])

    def call(self, module, args, kwargs):
        user = f"the Module of {module_name(module)}"
        inputs = [self._input(value, None, user) for value in args]
        static = {}
        for name, value in kwargs.items():
            if isinstance(value, (Port, OptionalPort)):
                inputs.append(self._input(value, name, user))
            elif _has_port(value):
                raise CompileError(f"the argument {name} of {user} has a Port within; "
                                   "give each Port as an argument of its own")
            else:
                static[name] = value
        domains = {self.graph.domain(input.port) for input in inputs}
        if not inputs:
            raise CompileError(f"{user} needs one Port at least")
        if len(domains) > 1:
            raise CompileError(f"the inputs of {user} are of different Domains; "
                               "F.broadcast and F.reduce bring them together")
        return self._add_call(module, domains.pop(), tuple(inputs), static)

    def _input(self, value, name, user):
        optional = isinstance(value, OptionalPort)
        port = self._number(value.port if optional else value, user)
        return g.Input(port, name, optional)

    def _add_call(self, module, domain, inputs, static):
        if static and isinstance(module.udf, str):
            raise CompileError(f'{", ".join(static)}: properties of a Function are said '
                               "when its Module is made")
        call = len(self.graph.calls)
        outputs = tuple(self._add(domain, g.Output(call, number))
                        for number in range(module.num_outputs))
        self.graph.calls.append(g.CallSpec(module, domain, inputs, static, outputs))
        handles = tuple(self.handle(number) for number in outputs)
        return handles if len(handles) > 1 else handles[0]

    def expand(self, ports):
        numbers = self._numbers(ports, "F.expand")
        return self._once(("expand", numbers), lambda: self._expand(numbers))

    def _expand(self, numbers):
        graph = self.graph
        if len(set(numbers)) < len(numbers):
            raise CompileError("F.expand_aligned got one Port twice")
        origins = [graph.origin(number) for number in numbers]
        if not all(isinstance(origin, g.Output) for origin in origins):
            raise CompileError("F.expand opens what a Module returns, and nothing else")
        if len({origin.call for origin in origins}) > 1:
            raise CompileError("F.expand_aligned opens outputs of one Call side by side, "
                               "and these are of several")
        if set(numbers) & set(graph.expansions()):
            raise CompileError("this Port is opened already: use what F.expand gave, or "
                               "open it together with others at once")
        graph.domains.append(graph.domain(numbers[0]))
        return tuple(self._add(len(graph.domains) - 1, g.Expanded(number))
                     for number in numbers)

    def reduce(self, ports, members):
        numbers = self._numbers(ports, "F.reduce")
        who = numbers[0] if members is None else self._number(members, "F.reduce")
        domain = self.graph.domain(numbers[0])
        parent = self.graph.domains[domain]
        if parent is None:
            raise CompileError("F.reduce gathers children, and these are the rows")
        if self.graph.domain(who) != domain:
            raise CompileError("the members of F.reduce are of another Domain than its values")
        return self._once(("reduce", numbers, who), lambda: tuple(
            self._add(parent, g.Reduced(number, who)) for number in numbers))

    def broadcast(self, port, like):
        source = self._number(port, "F.broadcast")
        domain = self.graph.domain(self._number(like, "F.broadcast"))
        if self.graph.domain(source) == domain:
            return port
        if not self.graph.is_above(self.graph.domain(source), domain):
            raise CompileError("F.broadcast hands on what belongs to a parent, and the "
                               "Domain of its Port is not above that of like")
        return self._once(("broadcast", source, domain), lambda: (
            self._add(domain, g.Broadcast(source)),))[0]

    def filter(self, port, mask):
        source = self._number(port, "F.filter")
        by = self._number(mask, "F.filter")
        domain = self.graph.domain(source)
        if self.graph.domain(by) != domain:
            raise CompileError("the mask of F.filter is of another Domain than its values")
        return self._once(("filter", source, by), lambda: (
            self._add(domain, g.Filtered(source, by)),))[0]

    def optional(self, port):
        self._number(port, "F.optional")
        return OptionalPort(port)

    def output_tree(self, value):
        if isinstance(value, Port):
            return self._number(value, "what forward() returns")
        if isinstance(value, tuple) and value:
            return tuple(self.output_tree(branch) for branch in value)
        raise CompileError("Pipeline.forward returns a Port, or a tuple of Ports that is "
                           "not empty and may be nested")


def module_name(module):
    """What people call the UDF."""
    udf = module.udf
    if isinstance(udf, str):
        return udf
    return getattr(udf, "__qualname__", None) or type(udf).__qualname__


def _has_port(value):
    if isinstance(value, (Port, OptionalPort)):
        return True
    if isinstance(value, dict):
        return any(_has_port(part) for pair in value.items() for part in pair)
    if isinstance(value, (tuple, list, set, frozenset)):
        return any(_has_port(part) for part in value)
    return False
