#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""runstats.py CALL LINE: runs a pipeline to its end, and prints what the Call of that
name has counted, as JSON."""

import json
import sys

import gi
gi.require_version('Gst', '1.0')
from gi.repository import Gst  # noqa: E402

OUTCOMES = ('present', 'dropped', 'failed', 'suppressed')


def run(pipeline):
    bus = pipeline.get_bus()
    pipeline.set_state(Gst.State.PLAYING)
    message = bus.timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    if message.type == Gst.MessageType.ERROR:
        error, details = message.parse_error()
        sys.exit(f'{error.message} ({details})')


def main(name, line):
    Gst.init(None)
    pipeline = Gst.parse_launch(line)
    run(pipeline)
    stats = pipeline.get_by_name(name).get_property('stats')
    pipeline.set_state(Gst.State.NULL)
    json.dump({'units': sum(map(stats.get_value, OUTCOMES)),
               'batches': stats.get_value('batches')}, sys.stdout)


if __name__ == '__main__':
    main(*sys.argv[1:])
