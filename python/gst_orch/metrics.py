# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""What a run took, from what the elements have counted."""

from __future__ import annotations

from .result import CallMetrics, InputBatchMetrics
from .trace import module_name


class Account:
    """Counts of one run: elements go on counting from run to run."""

    def __init__(self, program, pipeline):
        self._program = program
        self._elements = {element.name: pipeline.get_by_name(element.name)
                          for element in program.wiring.elements
                          if element.call is not None or element.factory == "orchexpand"}
        self._before = self._read()
        self._after = None

    def _read(self):
        return {name: element.get_property("stats")
                for name, element in self._elements.items()}

    def close(self):
        """The run is over."""
        self._after = self._read()

    def _count(self, name, field):
        return self._after[name].get_value(field) - self._before[name].get_value(field)

    def count_calls(self):
        """CallMetrics of each Call."""
        return tuple(self._count_call(element)
                     for element in self._program.wiring.elements if element.call is not None)

    def _count_call(self, element):
        before, after = (_list_sizes(stats[element.name])
                         for stats in (self._before, self._after))
        counts = [n - (before[i] if i < len(before) else 0) for i, n in enumerate(after)]
        sizes = [size for size in range(len(counts), 0, -1) for _ in range(counts[size - 1])]
        return CallMetrics(
            call_index=element.call,
            udf_name=module_name(self._program.graph.calls[element.call].module),
            actor_instances=self._program.options[element.call].replicas,
            rpcs=len(sizes),
            grain_dispatches=sum(sizes),
            grain_requeues=self._count(element.name, "repeated"),
            batch_sizes=tuple(sizes))

    def count_units(self, n_rows):
        """InputBatchMetrics of a run of so many rows."""
        graph = self._program.graph
        units = [n_rows] + [self._count(f"expand{domain}", "children")
                            for domain in range(1, len(graph.domains))]
        return InputBatchMetrics(
            index=0,
            entity_count=sum(units),
            item_count=sum(units[port.domain] for port in graph.ports),
            expansion_count=sum(units[parent] for parent in graph.domains[1:]),
            grain_count=sum(units[call.domain] for call in graph.calls),
            released_values=0)


def _list_sizes(stats):
    """How many batches there were of 1, 2, ... units."""
    return stats.get_value("sizes")
