# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""F: relations between the Ports of a Pipeline, which run nothing of the user's."""

from __future__ import annotations

from .trace import active_trace


def expand(port):
    """Opens lists: each element becomes a unit of its own, in a new Domain."""
    return active_trace("F.expand").expand((port,))[0]


def expand_aligned(*ports):
    """Opens lists of one Call side by side: the n-th elements are of one unit."""
    return active_trace("F.expand_aligned").expand(ports)


def reduce(port, *, members=None):
    """Gathers the children of each parent into a list, in their order.

    ``members``, a Port of the same Domain, says which of them there are.
    """
    return active_trace("F.reduce").reduce((port,), members)[0]


def reduce_aligned(*ports, members=None):
    """Gathers several values of the same children; the first says which there are,
    unless ``members`` does."""
    return active_trace("F.reduce_aligned").reduce(ports, members)


def broadcast(port, *, like):
    """What belongs to a parent, for each of the children in the Domain of ``like``."""
    return active_trace("F.broadcast").broadcast(port, like)


def filter(port, mask):
    """Keeps what ``mask`` is True for, and drops what it is False for."""
    return active_trace("F.filter").filter(port, mask)


def optional(port):
    """An input of a Module that may be missing: for a dropped value it gets None."""
    return active_trace("F.optional").optional(port)


def call(function, *ports, **properties):
    """A Call of a Function of gst-orch, with its properties."""
    from .api import Module
    return Module(function, **properties)(*ports)
