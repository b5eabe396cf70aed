# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""A Pipeline that was read and checked, ready to be run."""

from __future__ import annotations

from dataclasses import dataclass

from . import options
from .graph import Graph
from .trace import trace_pipeline
from .wiring import Wiring, wire


@dataclass(frozen=True)
class CompiledProgram:
    """What Pipeline.compile() returns and an Executor takes."""

    graph: Graph
    wiring: Wiring
    options: tuple

    def describe(self):
        """The elements and links that it is run with, as text."""
        lines = [f"{element.factory} {element.name}" for element in self.wiring.elements]
        lines += [f"{source}.{out} ! {sink}.{into}"
                  for (source, out), (sink, into) in self.wiring.links]
        return "\n".join(lines)


def compile_pipeline(pipeline):
    """Reads ``forward`` once. Raises CompileError."""
    graph = trace_pipeline(pipeline)
    return CompiledProgram(graph, wire(graph),
                           tuple(options.read(call.module.options) for call in graph.calls))
