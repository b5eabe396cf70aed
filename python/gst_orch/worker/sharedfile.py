# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Memory that a worker shares with its Call."""

import mmap
import os

import numpy

from .link import make_memfd, seal, write_all

_ALIGNMENT = 64


class SharedFile:
    """The file in memory that holds what is large in one message."""

    def __init__(self):
        self.fd = -1
        self.size = 0

    def _reserve(self, size):
        if self.fd < 0:
            self.fd = make_memfd()
        at = self.size
        self.size = (at + size + _ALIGNMENT - 1) // _ALIGNMENT * _ALIGNMENT
        return at

    def add(self, data):
        """Where it is now."""
        at = self._reserve(len(data))
        write_all(self.fd, data, at)
        return at

    def add_array(self, array, dtype, strides, size):
        """Lays out an array that is not as it has to be, in one copy."""
        at = self._reserve(size)
        start = at // mmap.ALLOCATIONGRANULARITY * mmap.ALLOCATIONGRANULARITY
        os.ftruncate(self.fd, max(os.fstat(self.fd).st_size, at + size))
        mapping = mmap.mmap(self.fd, at + size - start, mmap.MAP_SHARED, offset=start)
        target = numpy.ndarray(array.shape, dtype, mapping, at - start, strides)
        target[...] = array
        # What is mapped for writing cannot be sealed.
        del target
        mapping.close()
        return at

    def seal(self):
        seal(self.fd)

    def close(self):
        if self.fd >= 0:
            os.close(self.fd)
