# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The picture files that records name, for a page that holds them itself."""

import base64
import os
import stat
import tarfile
import urllib.parse

SIGNATURES = {b'\xff\xd8\xff': 'image/jpeg', b'\x89PNG\r\n\x1a\n': 'image/png',
              b'GIF8': 'image/gif', b'RIFF': 'image/webp'}
MAX_SIZE = 1 << 20


class Shard:
    """The pictures of one tar archive, by name."""

    def __init__(self, path):
        self.archive = tarfile.open(path)
        self.members = {member.name: member for member in self.archive
                        if member.isfile()}

    def read(self, name, limit):
        member = self.members.get(name)
        if not member or member.size > limit:
            return None
        return self.archive.extractfile(member).read()

    def close(self):
        self.archive.close()


class Pictures:
    """Reads pictures until they come to `budget` bytes."""

    def __init__(self, records_path, budget):
        self.folder = os.path.dirname(os.path.abspath(records_path))
        self.budget = budget
        self.shard_uri = None
        self.shard = None

    def use_shard(self, uri):
        """Where the pictures of the next records are; None: in files.  Records
        of one shard follow each other."""
        if uri == self.shard_uri:
            return
        if self.shard:
            self.shard.close()
        self.shard_uri, self.shard = uri, None
        path = self._path(uri) if uri else None
        try:
            if path and os.path.isfile(path):
                self.shard = Shard(path)
        except (OSError, tarfile.TarError):
            pass

    def _path(self, uri):
        scheme, _, path, *_ = urllib.parse.urlsplit(uri)
        path = os.path.normpath(
            os.path.join(self.folder, urllib.parse.unquote(path)))
        is_below = path.startswith(os.path.join(self.folder, ''))
        return path if scheme == 'file' or (is_below and not scheme) else None

    def _read(self, path):
        """None for what is no file, too large, or not there."""
        try:
            # A pipe, or a device, is not waited for.
            fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        except (OSError, ValueError):
            return None
        with open(fd, 'rb') as file:
            status = os.fstat(fd)
            if not stat.S_ISREG(status.st_mode) \
                    or status.st_size > min(MAX_SIZE, self.budget):
                return None
            return file.read(MAX_SIZE)

    def data_uri(self, uri):
        """None when it is no picture that can be shown."""
        if self.shard_uri:
            data = self.shard and self.shard.read(
                urllib.parse.unquote(uri), min(MAX_SIZE, self.budget))
        else:
            path = self._path(uri)
            data = self._read(path) if path else None
        kind = next((kind for signature, kind in SIGNATURES.items()
                     if data and data.startswith(signature)), None)
        if not kind:
            return None
        self.budget -= len(data)
        return f'data:{kind};base64,{base64.b64encode(data).decode()}'
