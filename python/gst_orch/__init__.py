# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Python Functions for gst-orch."""

from .outcomes import DROP, Drop, GroupFailure, RecordFailure

__all__ = ["DROP", "Drop", "GroupFailure", "RecordFailure"]
