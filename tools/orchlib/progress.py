# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""One line that says how far a run is."""

import dataclasses
import shutil
import sys
import time

from .records import plural

TERMINAL_INTERVAL = 0.5
FILE_INTERVAL = 10.0


@dataclasses.dataclass
class Counts:
    done: int = 0      # documents, in this run
    skipped: int = 0   # documents, done in an earlier one
    total: int = 0     # documents, 0 while not known
    opened: int = 0    # documents whose pages are known
    known: int = 0     # those pages
    pages: int = 0     # that are done with
    failures: int = 0  # documents that are not complete


def duration(seconds):
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f'{hours}:{minutes:02}:{seconds:02}'
    return f'{minutes}:{seconds:02}'


class Progress:
    """Rewrites a line on a terminal; elsewhere writes a new one now and
    then."""

    def __init__(self, stream=sys.stderr, units=('document', 'page')):
        self.stream = stream
        self.document, self.part = units
        self.terminal = stream.isatty()
        self.started = time.monotonic()
        self.next = self.started + (0 if self.terminal else FILE_INTERVAL)
        self.shown = False

    def elapsed(self):
        return time.monotonic() - self.started

    def text(self, counts):
        elapsed = self.elapsed()
        left = counts.total - counts.skipped
        parts = [plural(counts.done, self.document)]
        if left > 0:
            parts[0] = f'{counts.done} of {plural(left, self.document)}'
        parts.append(plural(counts.pages, self.part))
        if elapsed >= 1:
            parts.append(f'{counts.pages / elapsed:.1f} {self.part}s/s')
        parts.append(plural(counts.failures, 'failure'))
        if left > counts.done and counts.pages:
            rest = elapsed / counts.pages * self.pages_left(counts)
            parts.append(f'about {duration(rest)} left')
        return ', '.join(parts)

    @staticmethod
    def pages_left(counts):
        """Small documents are done first: their number says little.  Those
        not opened yet are taken to be like those that are."""
        unopened = max(0, counts.total - counts.skipped - counts.opened)
        average = counts.known / max(1, counts.opened)
        return max(0, counts.known - counts.pages) + unopened * average

    def update(self, counts):
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + (
            TERMINAL_INTERVAL if self.terminal else FILE_INTERVAL)
        self._write(self.text(counts))

    def _write(self, text):
        if self.terminal:
            width = shutil.get_terminal_size().columns - 1
            self.stream.write('\r\033[K' + text[:width])
            self.shown = True
        else:
            self.stream.write(text + '\n')
        self.stream.flush()

    def message(self, text):
        """Something worth a line of its own."""
        self.clear()
        self.stream.write(text + '\n')
        self.stream.flush()

    def clear(self):
        if self.shown:
            self.stream.write('\r\033[K')
            self.stream.flush()
            self.shown = False
