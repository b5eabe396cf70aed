# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""What bench-python.py runs: the same classes everywhere."""


class Identity:
    """Frames, as they come."""

    def run(self, batch):
        return batch

    def __call__(self, batch):
        """As Ray Data calls it, with a dict of columns."""
        return {"frame": self.run(batch["frame"])}


class Invert(Identity):
    """Frames of the same size, every byte of them new."""

    def run(self, batch):
        return [255 - frame for frame in batch]
