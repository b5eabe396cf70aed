# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Python Functions for gst-orch."""

from .batch import get_batch
from .outcomes import DROP, Drop, GroupFailure, RecordFailure
from .values import Document, Reference, Value

__all__ = [
    "DROP", "Document", "Drop", "GroupFailure", "RecordFailure", "Reference", "Value", "get_batch",
]
