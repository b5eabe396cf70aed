# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""A Graph as elements and links. Nothing is made yet: this is a plan of it.

A value that several want goes through a tee. Nothing in between makes a branch wait
for another, so there are no queues: Calls hold what they work on, and joins and
gathers hold what waits for its partner.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from . import graph as g
from .trace import module_name

ENTRY = "rows"
SINK = {"sync": False, "async": False, "enable-last-sample": False, "qos": False}


@dataclass
class Element:
    """``call`` is the number of the Call that it runs, if it does."""

    factory: str
    name: str
    properties: dict = field(default_factory=dict)
    call: int | None = None


@dataclass
class Wiring:
    """Links are pairs of (element, pad), all by name. Rows go into the element ENTRY;
    the values of a Port come out at the sink that ``exits`` names."""

    elements: list = field(default_factory=list)
    links: list = field(default_factory=list)
    pads: dict = field(default_factory=dict)
    exits: dict = field(default_factory=dict)

    def add(self, factory, name, call=None, **properties):
        self.elements.append(Element(factory, name, properties, call))
        return name

    def link(self, outlet, inlet):
        self.links.append((outlet, inlet))


def wire(graph):
    """The Wiring of a Graph."""
    return _Wirer(graph).wire()


class _Wirer:
    def __init__(self, graph):
        self.graph = graph
        self.wiring = Wiring()
        self.outlets = {}       # of each Port
        self.inlets = {}        # of each outlet, those that want it
        self.joined = {}        # by the Ports that are put together
        self.first_of = {}      # a Port that says which units a Domain has

    def wire(self):
        self._wire_sources()
        for number, call in enumerate(self.graph.calls):
            self._name_outputs(number, call)
        for number, spec in enumerate(self.graph.ports):
            self._wire_port(number, spec)
        for number, call in enumerate(self.graph.calls):
            self._wire_call(number, call)
        self._wire_exits()
        self._link_all()
        return self.wiring

    def _want(self, port, inlet):
        self.inlets.setdefault(self.outlets[port], []).append(inlet)

    # -- where values come from --

    def _wire_sources(self):
        """The rows are joined Items, of a part for each column."""
        self.wiring.add("orchidentity", ENTRY, **{"batch-size": 64})
        for port in self.graph.sources:
            column = self.graph.origin(port).column
            name = self.wiring.add("orchpart", f"source{column}", number=column,
                                   **{"batch-size": 64})
            self.inlets.setdefault((ENTRY, "src"), []).append((name, "sink"))
            self.outlets[port] = (name, "src")

    def _name_outputs(self, number, call):
        name = self.call_name(number, call)
        for output, port in enumerate(call.outputs):
            self.outlets[port] = (name, "src" if output == 0 else f"src_{output}")

    @staticmethod
    def call_name(number, call):
        word = re.sub(r"\W+", "-", module_name(call.module)).strip("-")
        return f"call{number}-{word}"

    def _wire_port(self, number, spec):
        wire = {g.Expanded: self._wire_expanded, g.Reduced: self._wire_reduced,
                g.Broadcast: self._wire_broadcast, g.Filtered: self._wire_filtered}
        if type(spec.origin) in wire:
            wire[type(spec.origin)](number, spec)

    def _wire_expanded(self, number, spec):
        """The first Port of a Domain makes the element, the others are aligned to it."""
        name = f"expand{spec.domain}"
        if spec.domain not in self.first_of:
            self.first_of[spec.domain] = number
            self.wiring.add("orchexpand", name)
            pads = ("sink", "src")
        else:
            place = number - self.first_of[spec.domain]
            pads = (f"aligned_{place}", f"src_{place}")
        self._want(spec.origin.group, (name, pads[0]))
        self.outlets[number] = (name, pads[1])

    def _wire_reduced(self, number, spec):
        name = self.wiring.add("orchreduce", f"reduce{number}")
        self._want(spec.origin.value, (name, "sink"))
        if spec.origin.members != spec.origin.value:
            self._want(spec.origin.members, (name, "members"))
        self.outlets[number] = (name, "src")

    def _wire_filtered(self, number, spec):
        name = self.wiring.add("orchfilter", f"filter{number}")
        self._want(spec.origin.source, (name, "sink"))
        self._want(spec.origin.mask, (name, "mask"))
        self.outlets[number] = (name, "src")

    def _wire_broadcast(self, number, spec):
        """A join of which the parent's value is taken. What was opened only says which
        children there are."""
        name = self.wiring.add("orchjoin", f"broadcast{number}", output="first")
        self._want(spec.origin.source, (name, "sink_0"))
        self._want(self.first_of[spec.domain], (name, "sink_1"))
        self.wiring.pads[(name, "sink_1")] = {"optional": True}
        self.outlets[number] = (name, "src")

    # -- where they go --

    def _wire_call(self, number, call):
        name = self.wiring.add("orchcall", self.call_name(number, call), call=number)
        inputs = distinct_inputs(call)
        if len(inputs) == 1 and not inputs[0].optional:
            self._want(inputs[0].port, (name, "sink"))
            return
        join = self.wiring.add("orchjoin", f"join{number}")
        for place, input in enumerate(inputs):
            self._want(input.port, (join, f"sink_{place}"))
            self.wiring.pads[(join, f"sink_{place}")] = _pad_properties(call, input)
        self.wiring.link((join, "src"), (name, "sink"))

    def _wire_exits(self):
        for port in dict.fromkeys(g.leaves(self.graph.outputs)):
            name = self.wiring.add("fakesink", f"out{port}", **SINK)
            self._want(port, (name, "sink"))
            self.wiring.exits[port] = name
        for outlet in [(ENTRY, "src"), *self.outlets.values()]:
            if outlet not in self.inlets and self._has_to_be_linked(outlet):
                name = self.wiring.add("fakesink", f"unused-{outlet[0]}-{outlet[1]}", **SINK)
                self.inlets[outlet] = [(name, "sink")]

    @staticmethod
    def _has_to_be_linked(outlet):
        """Further pads of a Call are there when they are asked for; others always."""
        element, pad = outlet
        return pad == "src" or not element.startswith("call")

    def _link_all(self):
        for outlet, inlets in self.inlets.items():
            if len(inlets) > 1:
                tee = self.wiring.add("tee", f"tee-{outlet[0]}-{outlet[1]}")
                self.wiring.link(outlet, (tee, "sink"))
                outlet = (tee, "src_%u")
            for inlet in inlets:
                self.wiring.link(outlet, inlet)


def distinct_inputs(call):
    """Its inputs, each Port once. An optional use of it is one only if all are."""
    found = {}
    for input in call.inputs:
        before = found.get(input.port)
        if before is None or (before.optional and not input.optional):
            found[input.port] = input
    return list(found.values())


def _pad_properties(call, input):
    """A UDF gets its inputs by their places, and a Function perhaps by name."""
    properties = {"optional": True} if input.optional else {}
    if input.name and isinstance(call.module.udf, str):
        properties["label"] = input.name
    return properties
