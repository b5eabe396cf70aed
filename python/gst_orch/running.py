# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""A pipeline that plays, and goes on playing between runs."""

from __future__ import annotations

import itertools
import logging
import threading

from .buffers import ROW_CAPS, ValueReader, make_row
from .build import build
from .errors import ExecutionError
from .gst import Gst, GstOrch
from .result import ItemOutcome, OutputIssue
from .udf import ContractError
from .wiring import ENTRY

_log = logging.getLogger("gst_orch")

_CONTRACT = f"{ContractError.__module__}.{ContractError.__qualname__}: "
_WATCHED = (Gst.PadProbeType.BUFFER | Gst.PadProbeType.BUFFER_LIST
            | Gst.PadProbeType.EVENT_DOWNSTREAM)


class Running:
    """Threads of GStreamer call into it; ``changed`` guards what they share."""

    def __init__(self, program):
        self.changed = threading.Condition()
        self._error = None
        self._peak = 0
        self._serials = itertools.count()
        self.pipeline = build(program)
        self._entry = Gst.Pad.new("rows", Gst.PadDirection.SRC)
        self._entry.link(self.pipeline.get_by_name(ENTRY).get_static_pad("sink"))
        self._collectors = {
            port: Collector(self.pipeline.get_by_name(name).get_static_pad("sink"), self)
            for port, name in program.wiring.exits.items()}
        self._finished = [self._collectors[port] for port in self._collectors
                          if program.graph.domain(port) == 0]
        self._probes = [collector.probe for collector in self._collectors.values()]
        for element in program.wiring.elements:
            if element.call is not None:
                pad = self.pipeline.get_by_name(element.name).get_static_pad("src")
                self._probes.append((pad, pad.add_probe(Gst.PadProbeType.EVENT_DOWNSTREAM,
                                                        self._see_failure)))
        self.pipeline.get_bus().set_sync_handler(self._hear)
        self._entry.set_active(True)
        self.pipeline.set_state(Gst.State.PLAYING)

    def stop(self):
        self.fail("the Executor was closed")
        self.pipeline.set_state(Gst.State.NULL)
        self._entry.set_active(False)
        self.pipeline.get_bus().set_sync_handler(None)
        # They refer to this object, which refers to the pipeline.
        for pad, probe in self._probes:
            pad.remove_probe(probe)
        self._probes.clear()

    def run(self, rows, limit):
        """The results at each exit, in order; the most rows that were open at once."""
        self._begin()
        # A push may have to wait for a UDF, and Ctrl-C is not heard there.
        feeder = threading.Thread(target=self._feed, args=(rows, limit), daemon=True)
        feeder.start()
        self._wait(lambda: all(collector.ended for collector in self._collectors.values()))
        feeder.join()
        return {port: collector.sorted()
                for port, collector in self._collectors.items()}, self._peak

    def _begin(self):
        serial = next(self._serials)
        if serial:
            # It is at EOS since the last run.
            self._entry.push_event(Gst.Event.new_flush_start())
            self._entry.push_event(Gst.Event.new_flush_stop(True))
        for collector in self._collectors.values():
            collector.begin()
        segment = Gst.Segment()
        segment.init(Gst.Format.TIME)
        for event in (Gst.Event.new_stream_start(f"run{serial}"), Gst.Event.new_caps(ROW_CAPS),
                      Gst.Event.new_segment(segment)):
            self._entry.push_event(event)

    def _feed(self, rows, limit):
        try:
            self._push(rows, limit)
            self._entry.push_event(Gst.Event.new_eos())
        except Exception as error:
            self._end_with(error)

    def _push(self, rows, limit):
        pushed = self._peak = 0
        for row in rows:
            if limit and self._finished:
                self._wait(lambda: pushed - self._count_finished() < limit)
            flow = self._entry.push(make_row(row))
            if flow != Gst.FlowReturn.OK:
                self._wait(lambda: False)
            pushed += 1
            self._peak = max(self._peak, pushed - self._count_finished())

    def _count_finished(self):
        """Rows of which nothing is to come any more at the exits for rows."""
        return min((len(collector.results) for collector in self._finished), default=0)

    def _wait(self, condition):
        """Raises what has ended the run instead."""
        with self.changed:
            self.changed.wait_for(lambda: self._error or condition())
            if self._error:
                raise self._error

    def fail(self, text):
        self._end_with(ExecutionError(text))

    def _end_with(self, error):
        """The first error is the one that counts."""
        with self.changed:
            self._error = self._error or error
            self.changed.notify_all()

    def _see_failure(self, pad, info):
        """A UDF that breaks its contract is wrong, whatever became of the unit."""
        news = _read_outcome(info.get_event())
        if news and news.get_string("outcome") == "failed" and _CONTRACT in (
                news.get_string("cause-message") or ""):
            self.fail(f"{pad.get_parent_element().get_name()}: "
                      f'{news.get_string("cause-message")}')
        return Gst.PadProbeReturn.OK

    def _hear(self, bus, message):
        """What elements say, in their threads."""
        if message.type == Gst.MessageType.ERROR:
            self.fail(_describe(message, *message.parse_error()))
        elif message.type == Gst.MessageType.WARNING:
            _log.warning("%s", message.parse_warning()[0].message)
        # Nobody takes it from the bus; to drop it here would leak it in Python.
        while bus.pop():
            pass
        return Gst.BusSyncReply.PASS


def _read_outcome(event):
    """The news in an event, if it is such."""
    news = event.get_structure()
    return news if news and news.get_name() == "orch-outcome" else None


def _describe(message, error, debug):
    text = f"{message.src.get_name()}: {error.message}"
    return f"{text}\n{debug}" if debug else text


class Collector:
    """What arrives at one exit: values, and news of those that are not there."""

    def __init__(self, pad, running):
        self._running = running
        self._reader = ValueReader()
        self.begin()
        self.probe = pad, pad.add_probe(_WATCHED, self._see)

    def begin(self):
        self.results = {}
        self.ended = False

    def sorted(self):
        """In the order of their places in the lineage."""
        return [self.results[path] for path in sorted(self.results)]

    def _see(self, pad, info):
        try:
            if info.type & Gst.PadProbeType.BUFFER:
                self._see_buffer(info.get_buffer(), pad)
            elif info.type & Gst.PadProbeType.BUFFER_LIST:
                buffers = info.get_buffer_list()
                for number in range(buffers.length()):
                    self._see_buffer(buffers.get(number), pad)
            else:
                self._see_event(info.get_event())
        except Exception as error:
            _log.debug("at an exit", exc_info=True)
            self._running.fail(f"a result cannot be read: {type(error).__name__}: {error}")
        return Gst.PadProbeReturn.OK

    def _see_buffer(self, buffer, pad):
        value = self._reader.read(buffer, pad.get_current_caps())
        self._add(GstOrch.buffer_get_entity(buffer).get_path(), value)

    def _see_event(self, event):
        if event.type == Gst.EventType.EOS:
            with self._running.changed:
                self.ended = True
                self._running.changed.notify_all()
            return
        news = _read_outcome(event)
        if news:
            outcome = ItemOutcome[news.get_string("outcome").upper()]
            cause = (None if outcome is ItemOutcome.DROPPED
                     else news.get_string("cause-message"))
            self._add(news.get_string("path"), OutputIssue(outcome, cause))

    def _add(self, path, result):
        place = tuple(int(ordinal) for ordinal in path.split("/"))
        with self._running.changed:
            self.results[place] = result
            self._running.changed.notify_all()
