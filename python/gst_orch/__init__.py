# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Python Functions for gst-orch, and dataflows written in Python."""

from . import functional as F
from .api import Module, Pipeline, RayModule, function
from .batch import get_batch
from .errors import CompileError, ExecutionError
from .executor import Executor, run
from .files import File
from .outcomes import DROP, Drop, GroupFailure, RecordFailure
from .recovery import RecoveryPolicy
from .result import ItemOutcome, OutputIssue, RunResult
from .trace import Port
from .values import Document, Reference, Value
from .version import __version__, version_info

__all__ = [
    "DROP", "CompileError", "Document", "Drop", "ExecutionError", "Executor", "F", "File",
    "GroupFailure", "ItemOutcome", "Module", "OutputIssue", "Pipeline", "Port", "RayModule",
    "RecordFailure", "RecoveryPolicy", "Reference", "RunResult", "Value", "__version__",
    "function", "get_batch", "run", "version_info",
]
