# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""What follows when a UDF fails a whole batch instead of naming a unit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class UdfRecoveryMode(Enum):
    """What is done with the batch."""

    ABORT = auto()
    RETRY_BATCH = auto()
    RETRY_TAIL = auto()
    ISOLATE_TAIL = auto()


_RETRYING = (UdfRecoveryMode.RETRY_BATCH, UdfRecoveryMode.RETRY_TAIL)


def _require_count(name, value):
    if type(value) is not int:
        raise TypeError(f"{name} must be an integer")
    if value < 0:
        raise ValueError(f"{name} must not be negative")


@dataclass(frozen=True)
class RecoveryPolicy:
    """The recovery of one Module.

    ``max_udf_retries`` counts what comes after the first attempt.
    ``infra_retries`` is checked and kept, but not used: a batch whose worker was
    killed from outside is replayed three times at most, whatever it says.
    """

    udf_mode: UdfRecoveryMode = UdfRecoveryMode.ABORT
    max_udf_retries: int = 0
    infra_retries: int = 1

    def __post_init__(self):
        if not isinstance(self.udf_mode, UdfRecoveryMode):
            raise TypeError("udf_mode must be a UdfRecoveryMode")
        _require_count("infra_retries", self.infra_retries)
        _require_count("max_udf_retries", self.max_udf_retries)
        if self.udf_mode is UdfRecoveryMode.ABORT and self.max_udf_retries:
            raise ValueError("abort makes no further attempt: max_udf_retries must be 0")
        if self.udf_mode in _RETRYING and not self.max_udf_retries:
            raise ValueError("a retry needs max_udf_retries of 1 or more")
        if self.udf_mode is UdfRecoveryMode.ISOLATE_TAIL and self.max_udf_retries != 1:
            raise ValueError("isolate_tail makes exactly one further attempt "
                             "of the whole batch")

    @classmethod
    def abort(cls, *, infra_retries=1):
        """The run ends with an ExecutionError. This is the default."""
        return cls(UdfRecoveryMode.ABORT, 0, infra_retries)

    @classmethod
    def retry_batch(cls, *, max_retries=1, infra_retries=1):
        """The same batch again, before fresh work; then the run ends."""
        return cls(UdfRecoveryMode.RETRY_BATCH, max_retries, infra_retries)

    @classmethod
    def retry_tail(cls, *, max_retries=1, infra_retries=1):
        """The same batch again, behind what is ready; then the run ends."""
        return cls(UdfRecoveryMode.RETRY_TAIL, max_retries, infra_retries)

    @classmethod
    def isolate_tail(cls, *, infra_retries=1):
        """The batch once more, behind what is ready, then in halves down to the
        unit at fault, which alone has failed."""
        return cls(UdfRecoveryMode.ISOLATE_TAIL, 1, infra_retries)
