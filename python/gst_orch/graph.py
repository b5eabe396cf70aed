# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""What forward() says, as a graph: Ports, the Domain of each, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Source:
    """A column of the rows."""

    column: int
    name: str
    inputs = ()


@dataclass(frozen=True)
class Output:
    """One output of a Call."""

    call: int
    number: int
    inputs = ()


@dataclass(frozen=True)
class Expanded:
    """Elements of the list of a parent."""

    group: int

    @property
    def inputs(self):
        return (self.group,)


@dataclass(frozen=True)
class Reduced:
    """Lists of children."""

    value: int
    members: int

    @property
    def inputs(self):
        return (self.value, self.members)


@dataclass(frozen=True)
class Broadcast:
    """Values of an ancestor."""

    source: int

    @property
    def inputs(self):
        return (self.source,)


@dataclass(frozen=True)
class Filtered:
    """Those values that a mask is true for."""

    source: int
    mask: int

    @property
    def inputs(self):
        return (self.source, self.mask)


@dataclass(frozen=True)
class PortSpec:
    domain: int
    origin: object


@dataclass(frozen=True)
class Input:
    """An input of a Call; without a name it is positional."""

    port: int
    name: str | None = None
    optional: bool = False


@dataclass(frozen=True)
class CallSpec:
    module: object
    domain: int
    inputs: tuple
    static: dict
    outputs: tuple = ()


@dataclass
class Graph:
    """Ports, Calls and Domains by number, which is their place in these lists.

    ``domains`` has the parent of each Domain; the first is that of the rows.
    """

    ports: list = field(default_factory=list)
    calls: list = field(default_factory=list)
    domains: list = field(default_factory=lambda: [None])
    sources: tuple = ()
    outputs: object = None

    def origin(self, port):
        return self.ports[port].origin

    def domain(self, port):
        return self.ports[port].domain

    def is_above(self, ancestor, domain):
        while domain is not None:
            domain = self.domains[domain]
            if domain == ancestor:
                return True
        return False

    def expansions(self):
        """The Ports that are opened, each with the Port of its elements."""
        return {spec.origin.group: number for number, spec in enumerate(self.ports)
                if isinstance(spec.origin, Expanded)}

    def masks(self):
        """The Ports whose values have to be booleans: masks, and what they are made of."""
        pending = [spec.origin.mask for spec in self.ports
                   if isinstance(spec.origin, Filtered)]
        found = set()
        while pending:
            port = pending.pop()
            if port not in found:
                found.add(port)
                pending += _boolean_inputs(self.origin(port))
        return found


def _boolean_inputs(origin):
    if isinstance(origin, Filtered):
        return (origin.source,)
    return origin.inputs if isinstance(origin, (Broadcast, Expanded)) else ()


def leaves(tree):
    """The Ports of an output tree, from left to right."""
    if isinstance(tree, tuple):
        return [port for branch in tree for port in leaves(branch)]
    return [tree]
