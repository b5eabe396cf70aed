# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""What compiling and running a pipeline may raise."""


class CompileError(ValueError):
    """The program says something that cannot be run, whatever the data."""


class ExecutionError(RuntimeError):
    """A run came to an end before all of its rows had one."""
