# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""What a Function can know of the batch that it works on, beside the values."""

_current = None


class Batch:
    """The units of a batch, by their place in the lists that ``run`` gets."""

    def __init__(self, units, host):
        self._units = units
        self._host = host

    def __len__(self):
        return len(self._units)

    def get_info(self, index):
        """What Functions above have said of the unit: a dict."""
        return self._units[index].info

    def get_caps(self, index):
        """The caps of the unit's value, or None."""
        return self._units[index].caps

    def get_ordinals(self, index):
        """Where the unit stands: the number of its document, of its page, ..."""
        return self._units[index].ordinals

    def is_wanted(self, index):
        """False when nobody waits for the unit any more: it may be left as Drop."""
        return self._host.is_wanted(self._units[index].place)

    def is_cancelled(self):
        """True when the pipeline stops: what run returns does not count."""
        return self._host.is_cancelled()

    def warn(self, index, text):
        """Posts a warning about the unit."""
        self._host.warn(self._units[index].place, text)


def get_batch():
    """The batch that ``run`` works on."""
    if _current is None:
        raise RuntimeError("only run() has a batch")
    return _current


def set_batch(batch):
    global _current
    _current = batch
