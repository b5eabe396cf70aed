# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""When each Call of a run had work, and how busy it was."""

import dataclasses

OUTCOMES = ('present', 'dropped', 'failed', 'suppressed')
NS = 1e9


@dataclasses.dataclass
class Stage:
    name: str
    function: str
    units: int      # that it is done with
    failed: int
    batches: int
    threads: int
    begin: float    # seconds after the run began
    end: float
    busy: float     # seconds, of all of its threads together

    @property
    def share(self):
        """Of the time from the first batch to the last that its threads had
        one, from 0 to 1."""
        span = (self.end - self.begin) * self.threads
        return min(1.0, self.busy / span) if span > 0 else 0.0

    @property
    def mean_batch(self):
        return self.units / self.batches if self.batches else 0.0

    def tail(self, elapsed):
        """How long the run went on after its last batch."""
        return max(0.0, elapsed - self.end)


def read_stage(name, function, stats, started):
    """`started`: of the run, seconds of the monotonic clock; None for a Call
    that never had a batch."""
    if not stats.get_value('first-begin'):
        return None
    return Stage(
        name, function, sum(map(stats.get_value, OUTCOMES)),
        stats.get_value('failed'), stats.get_value('batches'),
        stats.get_value('threads'),
        stats.get_value('first-begin') / NS - started,
        stats.get_value('last-end') / NS - started,
        stats.get_value('busy') / NS)
