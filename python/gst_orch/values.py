# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Values of a Function that are neither text, numbers, JSON nor arrays."""

import io
import os


class Value:
    """A value whose caps, or info, are not those that follow from its type.

    ``caps`` are written as in a pipeline: ``"video/x-raw, format=RGB"``; JSON, width and
    height are filled in.  ``info`` is a dict that reaches the Functions below, and the
    record.
    """

    __slots__ = ("data", "caps", "info")

    def __init__(self, data, caps=None, info=None):
        self.data = data
        self.caps = caps
        self.info = info


class Document:
    """A file that came in.  It is open, and stays where it is until it is read."""

    def __init__(self, buffer):
        self._buffer = buffer
        self._file = buffer.get_file()
        self.size = self._file.size

    def fileno(self):
        return self._file.fd

    @property
    def path(self):
        """For libraries that take nothing but paths.  The whole file is behind it."""
        return f"/proc/self/fd/{self._file.fd}"

    def read(self):
        return self._file.read()

    def open(self):
        """The document as a binary file that can be sought."""
        return io.BufferedReader(_Window(self._file))


class _Window(io.RawIOBase):
    def __init__(self, file):
        super().__init__()
        self._file = file
        self._at = 0

    def readable(self):
        return True

    def seekable(self):
        return True

    def seek(self, offset, whence=os.SEEK_SET):
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._file.size}[whence]
        if start + offset < 0:
            raise ValueError("before the beginning of the document")
        self._at = start + offset
        return self._at

    def readinto(self, target):
        n = max(0, min(len(target), self._file.size - self._at))
        part = os.pread(self._file.fd, n, self._file.offset + self._at)
        target[:len(part)] = part
        self._at += len(part)
        return len(part)


class Reference:
    """A part of a document, such as a page: ``locator`` says which, by ``source``."""

    def __init__(self, source, locator, media_type=None):
        self.source = source
        self.locator = locator
        self.media_type = media_type
