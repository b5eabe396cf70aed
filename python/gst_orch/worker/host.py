# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""What stands in for the Call in the worker: it reads batches and says what became of them."""

import inspect

from .. import batch as current
from ..outcomes import Drop, GroupFailure, RecordFailure
from .decode import Decoder, Joined, Undecodable
from .function import Contract, Function, NotReady, explain
from .link import Say
from .report import DOMAIN, Report
from .shared import Arenas
from .unpack import Unpacker
from .wire import Reader, Writer

# The memory that is shared with the Call has two areas of this size, each of which says
# what is unwanted, with a byte for each place.
_N_AREAS = 2
_AREA = 64 * 1024
_SLOTS_AT = 64
_EXCEPTION = 1


class Unit:
    """One unit of a batch."""

    __slots__ = ("place", "ordinals", "info", "kind", "buffer", "value")

    @property
    def caps(self):
        return self.kind.caps.text if self.kind.caps else None


class Host:
    def __init__(self, link, control):
        self._link = link
        self._control = control
        self._area = 0
        self._arenas = Arenas(_N_AREAS)
        self._decoder = None
        self._sources = {}
        self._function = None
        self._trouble = None

    # ---- what it is told ----

    def set_up(self, reader):
        """Raises NotReady."""
        reader.string()
        reader.string()
        confine = reader.u8()
        self._function = Function(_read_properties(reader))
        self._decoder = Decoder(self._function.decoders)
        return bool(confine)

    def change(self, reader):
        try:
            self._function.change(_read_properties(reader))
            self._trouble = None
        except NotReady as error:
            self._trouble = error

    def is_cancelled(self):
        return any(self._control[self._area:self._area + 4])

    def is_wanted(self, place):
        at = _SLOTS_AT + place
        return not self.is_cancelled() and not (at < _AREA and self._control[self._area + at])

    def warn(self, place, text):
        writer = Writer()
        writer.u32(place)
        writer.string(str(text))
        self._link.send(Say.WARNING, writer.data)

    # ---- a batch ----

    def run(self, message):
        self._area = message.tag % _N_AREAS * _AREA
        error = self._run_all(message)
        # What was held is gone, unless the Function keeps some of it.
        self._say_end(error, self._arenas.is_let_go(message.tag))

    def _run_all(self, message):
        """(nullable): why it failed"""
        units = [unit for unit in self._read_batch(message) if self.is_wanted(unit.place)]
        try:
            for some in _group(units):
                self._run_units(some)
        except Contract as contract:
            return str(contract)
        except Exception as exception:
            return explain(exception)
        return None

    def _read_batch(self, message):
        """Those units that have a value; the others have failed."""
        reader = Reader(message.data)
        unpacker = Unpacker(reader, message, self._sources, self._arenas)
        with Report() as report:
            units = [self._read_unit(reader, unpacker, place, report)
                     for place in range(reader.u32())]
            for _ in range(reader.u32()):
                self._sources.pop(reader.u64(), None)
            report.send(self._link)
        return [unit for unit in units if unit]

    def _read_unit(self, reader, unpacker, place, report):
        unit = Unit()
        unit.place = place
        unit.ordinals = _read_ordinals(reader)
        reader.u32()
        unit.info = (reader.structure() or (None, {}))[1]
        raw = reader.raw_string()
        unit.kind = self._decoder.get_kind(raw)
        unit.buffer = unpacker.buffer()
        try:
            unit.value = self._decoder.decode(unit.buffer, raw)
        except Undecodable as error:
            report.fail(unit, error.code, error)
            return None
        return unit

    def _run_units(self, units):
        if self._trouble:
            raise self._trouble
        current.set_batch(current.Batch(units, self))
        try:
            results = self._function.run([unit.value for unit in units])
            if not inspect.isgenerator(results):
                self._report(zip(units, results))
                return
            for place, values in results:
                self._report([(units[place], values)])
        except (RecordFailure, GroupFailure, Drop) as outcome:
            self._follow_outcome(units, outcome)
        finally:
            current.set_batch(None)

    def _follow_outcome(self, units, outcome):
        """It was raised: which of the units it is about shows when each is alone."""
        if len(units) > 1:
            for unit in units:
                self._run_units([unit])
            return
        self._report([(units[0], [outcome])])

    def _report(self, results):
        """Says what came of some units."""
        with Report() as report:
            for unit, values in results:
                report.add(unit, values)
            report.send(self._link)

    def _say_end(self, error, is_let_go):
        writer = Writer()
        writer.u32(0)
        writer.u8(is_let_go)
        if error is not None:
            writer.string(DOMAIN)
            writer.u32(_EXCEPTION)
            writer.string(error)
        self._link.send(Say.DONE if error is None else Say.FAILED, writer.data)


def _read_ordinals(reader):
    """From the root down."""
    depth = reader.u32()
    if reader.u8():
        for _ in range(depth):
            reader.raw_string()
    return tuple(reversed([reader.u64() for _ in range(depth)]))


def _read_properties(reader):
    properties = {}
    while True:
        name = reader.string()
        if name is None:
            return properties
        properties[name] = reader.value()


def _group(units):
    """Units that can be columns of the same names."""
    groups = {}
    for unit in units:
        names = unit.value.names if isinstance(unit.value, Joined) else None
        groups.setdefault(names, []).append(unit)
    return groups.values()
