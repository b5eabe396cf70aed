# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Running a compiled Pipeline."""

from __future__ import annotations

import threading
import time
import weakref

from . import target
from .program import CompiledProgram, compile_pipeline
from .errors import ExecutionError
from .metrics import Account
from .result import RunResult


def run(pipeline, *source_columns, input_batch_size=None, max_active_input_batches=1,
        address=None, ray_init_kwargs=None):
    """Runs rows once, with an Executor of their own."""
    with Executor(pipeline, address=address, ray_init_kwargs=ray_init_kwargs) as executor:
        return executor.run(*source_columns, input_batch_size=input_batch_size,
                            max_active_input_batches=max_active_input_batches)


class Executor:
    """Workers that stay for as many runs as are wanted, until close().

    ``address`` and ``ray_init_kwargs`` are accepted for RayOrch's sake: all is done on
    this machine.
    """

    def __init__(self, pipeline, *, address=None, ray_init_kwargs=None):
        target.stop_here_if_loading_main()
        from .running import Running
        self.compiled = (pipeline if isinstance(pipeline, CompiledProgram)
                         else compile_pipeline(pipeline))
        self._running = Running(self.compiled)
        self._turn = threading.Lock()
        # Also when nobody closes it, and at the end of the program.
        self._stop = weakref.finalize(self, self._running.stop)

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc, traceback):
        self.close()

    def close(self):
        """Ends the workers."""
        self._stop()

    def run(self, *source_columns, input_batch_size=None, max_active_input_batches=1):
        """Runs rows, one value of each column, and waits for the last.

        ``input_batch_size`` times ``max_active_input_batches`` rows are open at once;
        without the first, as many as the Calls have room for. Runs of several threads
        wait for each other.
        """
        rows = self._read_rows(source_columns)
        limit = _read_limit(input_batch_size, max_active_input_batches)
        with self._turn:
            if not self._stop.alive:
                raise RuntimeError("this Executor is closed")
            try:
                return self._run(rows, limit, input_batch_size)
            except BaseException:
                # What is under way would turn up in the next run.
                self.close()
                raise

    def _read_rows(self, columns):
        sources = self.compiled.graph.sources
        if len(columns) != len(sources):
            raise ValueError(f"forward() has {len(sources)} sources, and there are "
                             f"{len(columns)} columns")
        columns = [tuple(column) for column in columns]
        if len({len(column) for column in columns}) > 1:
            raise ValueError("the columns are of different lengths")
        self._check_masks(columns)
        return list(zip(*columns))

    def _check_masks(self, columns):
        graph = self.compiled.graph
        for port in graph.masks().intersection(graph.sources):
            source = graph.origin(port)
            if any(type(value) is not bool for value in columns[source.column]):
                raise ExecutionError(f"F.filter goes by the source {source.name}, which is to "
                                     "be True or False in each row")

    def _run(self, rows, limit, input_batch_size):
        account = Account(self.compiled, self._running.pipeline)
        started = time.perf_counter()
        results, peak = self._running.run(rows, limit)
        elapsed = time.perf_counter() - started
        account.close()
        calls = account.count_calls()
        return RunResult(
            outputs=_fill(self.compiled.graph.outputs, results),
            elapsed_s=elapsed,
            calls=calls,
            input_batches=(account.count_units(len(rows)),),
            peak_active_input_batches=-(-peak // input_batch_size) if input_batch_size else 1,
            actor_count=sum(call.actor_instances for call in calls))


def _read_limit(size, batches):
    """Most rows that may be open, None for any number."""
    if batches <= 0:
        raise ValueError("max_active_input_batches must be 1 or more")
    if size is None:
        return None
    if size <= 0:
        raise ValueError("input_batch_size must be 1 or more")
    return size * batches


def _fill(tree, results):
    """The output tree with what came of its Ports."""
    if isinstance(tree, tuple):
        return tuple(_fill(branch, results) for branch in tree)
    return list(results[tree])
