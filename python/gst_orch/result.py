# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""What a run gives back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class ItemOutcome(Enum):
    """How a value ends; only a present one is there."""

    PRESENT = auto()
    DROPPED = auto()
    FAILED = auto()
    SUPPRESSED = auto()


@dataclass(frozen=True)
class OutputIssue:
    """Stands in the outputs where there is no value, and says why."""

    outcome: ItemOutcome
    cause: str | None = None

    def __post_init__(self):
        if not isinstance(self.outcome, ItemOutcome) or self.outcome is ItemOutcome.PRESENT:
            raise ValueError("an OutputIssue is for a value that is not present")
        if self.cause is not None and not isinstance(self.cause, str):
            raise TypeError("the cause of an OutputIssue is a str or None")


@dataclass(frozen=True)
class CallMetrics:
    """What one Call has done in one run.

    A unit that was tried three times counts three times in ``grain_dispatches``
    and twice in ``grain_requeues``. ``batch_sizes`` are in descending order.
    """

    call_index: int
    udf_name: str
    actor_instances: int
    rpcs: int
    grain_dispatches: int
    grain_requeues: int
    batch_sizes: tuple[int, ...]

    @property
    def average_batch(self):
        return self.grain_dispatches / self.rpcs if self.rpcs else 0.0


@dataclass(frozen=True)
class InputBatchMetrics:
    """How much there was of a run. Its rows are not kept apart, so a run has one.

    ``released_values`` is 0: a value goes when nobody needs it any more.
    """

    index: int
    entity_count: int
    item_count: int
    expansion_count: int
    grain_count: int
    released_values: int


@dataclass(frozen=True)
class RunResult:
    """Outputs in the order of the rows, and what it took to make them."""

    outputs: object
    elapsed_s: float
    calls: tuple[CallMetrics, ...]
    input_batches: tuple[InputBatchMetrics, ...]
    peak_active_input_batches: int
    actor_count: int

    @property
    def rpc_count(self):
        return sum(call.rpcs for call in self.calls)

    @property
    def released_values(self):
        return sum(batch.released_values for batch in self.input_batches)
