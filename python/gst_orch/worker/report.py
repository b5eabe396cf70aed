# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Outcomes of some units, in one message."""

import struct

from ..outcomes import Drop, GroupFailure, RecordFailure, as_outcome
from ..values import Value
from . import unpack
from .encode import Encoder, Unencodable, put_info
from .link import Say

_COUNT = struct.Struct("=I")
DOMAIN = "python"


def _find_failure(values):
    """(output, failure): a group's before a record's, an earlier output's before a later's."""
    for kind in (GroupFailure, RecordFailure):
        for output, value in enumerate(values):
            if isinstance(value, kind):
                return output, value
    return None


class Report:
    def __init__(self):
        self._encoder = Encoder()
        self._writer = self._encoder.writer
        self._writer.u32(0)
        self._n = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._encoder.close()

    def add(self, unit, values):
        """What the outputs say of a unit."""
        values = [as_outcome(value) for value in values]
        failed = _find_failure(values)
        if failed:
            output, failure = failed
            self.fail(unit, failure.code, failure.cause, output,
                      isinstance(failure, GroupFailure))
        elif any(isinstance(value, Drop) for value in values):
            self._begin(unit, unpack.OUTCOME_DROPPED)
            self._writer.string(None)
        else:
            self._present(unit, values)

    def fail(self, unit, code, message, output=0, is_group=False):
        self._begin(unit, unpack.OUTCOME_FAILED)
        self._writer.string(None)
        self._writer.u8(is_group)
        self._writer.u32(output)
        self._writer.cause(DOMAIN, str(code), str(message))

    def _begin(self, unit, outcome):
        self._n += 1
        self._writer.u32(unit.place)
        self._writer.u8(outcome)

    def _present(self, unit, values):
        begin = len(self._writer.data)
        try:
            self._put_values(unit, values)
        except Unencodable as error:
            del self._writer.data[begin:]
            self._n -= 1
            self.fail(unit, "value", error)

    def _put_values(self, unit, values):
        encoder = self._encoder
        self._begin(unit, unpack.OUTCOME_PRESENT)
        infos = [value for value in values if isinstance(value, Value) and value.info]
        put_info(self._writer, infos[0] if infos else None)
        self._writer.u32(len(values))
        encoder.begin_unit(unit)
        # The main output last: it may take the input away from where the others find it.
        for output in [*range(1, len(values)), 0]:
            encoder.put_output(output, values[output])

    def send(self, link):
        if self._n:
            _COUNT.pack_into(self._writer.data, 0, self._n)
            self._encoder.seal()
            link.send(Say.OUTCOMES, self._writer.data, self._encoder.fds)
