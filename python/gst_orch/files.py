# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Files as values of a source."""

from __future__ import annotations

import os
import stat


class File:
    """A document: a Function gets it as orchsrc gives it, a UDF as a Document.

    It is opened when its row has its turn. If that cannot be done the row has failed.
    """

    def __init__(self, path):
        self.path = os.fspath(path)

    def __repr__(self):
        return f"File({self.path!r})"

    def open(self):
        """(file descriptor, size). Raises OSError."""
        fd = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        status = os.fstat(fd)
        if stat.S_ISREG(status.st_mode):
            return fd, status.st_size
        os.close(fd)
        raise OSError(f"{self.path} is no file that can be read from any place")
