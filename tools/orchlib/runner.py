# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Runs one pipeline to its end, shows how far it is, stops on Ctrl-C."""

import signal

import gi
gi.require_version('Gst', '1.0')
from gi.repository import GLib, Gst  # noqa: E402  (needs the version above)

from . import OrchError  # noqa: E402
from .parsing import parse  # noqa: E402
from .progress import Counts, Progress  # noqa: E402
from .timeline import OUTCOMES, read_stage  # noqa: E402

POLL_MS = 200


class PipelineError(OrchError):
    pass


class Run:
    """One run.  `stopped` says that a signal ended it."""

    def __init__(self, words, quiet, units):
        Gst.init(None)
        try:
            self.pipeline = parse(Gst.parse_launchv, words)
        except GLib.Error as error:
            raise PipelineError(error.message) from error
        self.quiet = quiet
        self.loop = GLib.MainLoop()
        self.progress = Progress(units=units)
        self.error = None
        self.stopped = False
        self.counts_at_end = None
        self.stages = []
        self.elapsed = 0
        self.handlers = {
            Gst.MessageType.EOS: self._on_eos,
            Gst.MessageType.ERROR: self._on_error,
            Gst.MessageType.WARNING: self._on_warning,
        }
        self.counted = [element for element in self._elements()
                        if element.find_property('stats')]

    def _elements(self):
        """Sinks first."""
        iterator = self.pipeline.iterate_sorted()
        result, element = iterator.next()
        while result == Gst.IteratorResult.OK:
            yield element
            result, element = iterator.next()

    def run(self):
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect('message', self._on_message)
        for number in (signal.SIGINT, signal.SIGTERM):
            GLib.unix_signal_add(GLib.PRIORITY_HIGH, number, self._on_signal)
        GLib.timeout_add(POLL_MS, self._on_tick)
        if self.pipeline.set_state(Gst.State.PLAYING) \
                == Gst.StateChangeReturn.FAILURE:
            self._take_error(bus)
        else:
            self.loop.run()
        self.progress.clear()
        self.elapsed = self.progress.elapsed()
        self.counts_at_end = self.counts()
        self.stages = list(self._read_stages())
        self.pipeline.set_state(Gst.State.NULL)
        bus.remove_signal_watch()
        if self.error:
            raise PipelineError(self.error)

    def _take_error(self, bus):
        message = bus.pop_filtered(Gst.MessageType.ERROR)
        if message:
            self._on_error(message)
        else:
            self.error = 'the pipeline could not be started'

    def _on_message(self, bus, message):
        handler = self.handlers.get(message.type)
        if handler:
            handler(message)

    def _on_eos(self, message):
        self.loop.quit()

    def _on_error(self, message):
        error, _ = message.parse_error()
        self.error = self.error or error.message
        self.loop.quit()

    def _on_warning(self, message):
        warning, _ = message.parse_warning()
        self.progress.message(f'warning: {warning.message}')

    def _on_signal(self):
        self.stopped = True
        self.loop.quit()
        return GLib.SOURCE_REMOVE

    def _on_tick(self):
        if not self.quiet:
            self.progress.update(self.counts())
        return GLib.SOURCE_CONTINUE

    def _stats(self, kind):
        """Those of all elements of a kind, sinks first."""
        every = [element.get_property('stats') for element in self.counted]
        return [stats for stats in every if stats.get_name() == kind]

    def _read_stages(self):
        for element in self.counted:
            stats = element.get_property('stats')
            if stats.get_name() != 'orch-call-stats':
                continue
            function = element.get_factory().get_metadata('orch-function') \
                or element.get_property('function')
            stage = read_stage(element.get_name(), function, stats,
                               self.progress.started)
            if stage:
                yield stage

    def counts(self):
        """How far the run is, from the elements' own counters."""
        counts = Counts()
        for stats in self._stats('orchsink-stats'):
            counts.done += stats.get_value('documents')
            counts.failures += stats.get_value('incomplete')
        for stats in self._stats('orchsrc-stats'):
            counts.skipped += stats.get_value('skipped')
            counts.total += max(0, stats.get_value('total'))
        for stats in self._stats('orch-expand-stats')[-1:]:
            # The one that opens documents.
            counts.opened = stats.get_value('parents')
            counts.known = stats.get_value('listed')
        # Where parts have parts: the gather of those.  Else the last Call
        # before the gather: what it is done with.
        inner = self._stats('orch-reduce-stats')[1:2]
        for stats in inner or self._stats('orch-call-stats')[:1]:
            counts.pages = sum(map(stats.get_value, OUTCOMES))
        return counts
