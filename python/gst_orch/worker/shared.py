# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Memory that a Call shares with its worker."""

import mmap
import os
import weakref

import numpy

from .link import is_sealed


class Arena:
    """A file in memory that the Call fills again and again: it stays mapped."""

    def __init__(self):
        self._file = None
        self._memory = None
        self._lent = None

    def lend(self, fd):
        """A view of it for one batch, which others can be cut from."""
        about = os.fstat(fd)
        file = (about.st_dev, about.st_ino, about.st_size)
        if file != self._file:
            self._memory = mmap.mmap(fd, about.st_size, mmap.MAP_SHARED, mmap.PROT_READ)
            self._file = file
        base = numpy.frombuffer(self._memory, numpy.uint8)
        self._lent = weakref.ref(base)
        return memoryview(base)

    def is_let_go(self):
        """Does nobody look at it any more?"""
        return self._lent is None or self._lent() is None


class Arenas:
    """One for each of the batches that may be under way."""

    def __init__(self, n):
        self._arenas = [Arena() for _ in range(n)]

    def map(self, fd, tag):
        """A view of all that a message shares."""
        if is_sealed(fd):
            return memoryview(mmap.mmap(fd, 0, mmap.MAP_SHARED, mmap.PROT_READ))
        return self._arenas[tag % len(self._arenas)].lend(fd)

    def is_let_go(self, tag):
        return self._arenas[tag % len(self._arenas)].is_let_go()
