#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The introspection data: lineage, info and lists of buffers from Python."""

import json
import sys
import unittest

try:
    import gi
    gi.require_version('Gst', '1.0')
    from gi.repository import Gst
except (ImportError, ValueError) as error:
    print(f'SKIP: no Python bindings of GStreamer: {error}')
    sys.exit(77)
gi.require_version('GstOrch', '1.0')
from gi.repository import GstOrch

TIMEOUT = 30 * Gst.SECOND
SOURCE = ('fakesrc num-buffers=2 ! orchcall function=test-list function::n=2 '
          'function::text=true ! ')


class Pipeline:
    """A pipeline that ends in the appsink `out`."""

    def __init__(self, chain):
        self.pipeline = Gst.parse_launch(
            f'{SOURCE}{chain} ! appsink name=out sync=false')
        self.out = self.pipeline.get_by_name('out')

    def __enter__(self):
        self.pipeline.set_state(Gst.State.PLAYING)
        return self

    def __exit__(self, *_):
        self.pipeline.set_state(Gst.State.NULL)

    def samples(self):
        """Every sample, to the end of the stream."""
        while True:
            sample = self.out.emit('try-pull-sample', TIMEOUT)
            if sample is None:
                assert self.out.get_property('eos')
                return
            yield sample


def text(buffer):
    return buffer.extract_dup(0, buffer.get_size()).decode()


class Children(unittest.TestCase):
    def setUp(self):
        with Pipeline('orchexpand name=pages interleave=none') as pipeline:
            self.samples = list(pipeline.samples())
        self.entities = [GstOrch.buffer_get_entity(sample.get_buffer())
                         for sample in self.samples]

    def test_paths(self):
        self.assertEqual([entity.get_path() for entity in self.entities],
                         ['0/0', '0/1', '1/0', '1/1'])

    def test_values_are_of_their_paths(self):
        self.assertEqual([text(sample.get_buffer())
                          for sample in self.samples],
                         [entity.get_path() for entity in self.entities])

    def test_ordinals_and_parents(self):
        self.assertEqual([entity.get_ordinal() for entity in self.entities],
                         [0, 1, 0, 1])
        self.assertEqual([entity.get_parent().get_path()
                          for entity in self.entities], ['0', '0', '1', '1'])
        self.assertIsNone(self.entities[0].get_parent().get_parent())

    def test_domains(self):
        domain = self.entities[0].get_domain()
        self.assertEqual(domain.get_depth(), 1)
        self.assertTrue(domain.get_name())
        self.assertEqual(domain.get_parent().get_depth(), 0)
        self.assertIsNone(domain.get_parent().get_parent())

    def test_equality_and_order(self):
        first, second = self.entities[:2]
        self.assertTrue(first.equal(first))
        self.assertFalse(first.equal(second))
        self.assertLess(first.compare(second), 0)
        self.assertLess(first.get_parent().compare(first), 0)

    def test_meta(self):
        buffer = self.samples[3].get_buffer()
        meta = GstOrch.buffer_get_orch_meta(buffer)
        self.assertEqual(meta.get_entity().get_path(), '1/1')

    def test_a_plain_buffer_has_none(self):
        buffer = Gst.Buffer.new()
        self.assertIsNone(GstOrch.buffer_get_entity(buffer))
        self.assertIsNone(GstOrch.buffer_get_info(buffer))
        self.assertIsNone(GstOrch.buffer_get_list(buffer))


class Lists(unittest.TestCase):
    def gather(self, chain):
        """The lists that come out, the buffers kept alive."""
        with Pipeline(chain) as pipeline:
            self.buffers = [sample.get_buffer()
                            for sample in pipeline.samples()]
        return [GstOrch.buffer_get_list(buffer) for buffer in self.buffers]

    def test_elements(self):
        lists = self.gather('orchexpand ! orchidentity ! orchreduce')
        self.assertEqual(len(lists), 2)
        for number, each in enumerate(lists):
            elements = [each.get(i) for i in range(each.get_size())]
            self.assertEqual([text(element.buffer) for element in elements],
                             [f'{number}/0', f'{number}/1'])
            self.assertEqual([element.ordinal for element in elements], [0, 1])
            self.assertEqual(elements[0].caps.to_string(),
                             'text/x-raw, format=(string)utf8')
            self.assertEqual(elements[0].outcome, GstOrch.Outcome.PRESENT)

    def test_failures(self):
        lists = self.gather(
            'orchexpand ! orchcall name=work function=test-work '
            'function::record=1/0 ! orchreduce on-failed=placeholder')
        by_path = {GstOrch.buffer_get_entity(buffer).get_path(): each
                   for buffer, each in zip(self.buffers, lists)}
        counts = by_path['1'].get_counts()
        self.assertEqual((counts.total, counts.present, counts.failed),
                         (2, 1, 1))
        self.assertEqual(by_path['0'].get_n_failures(), 0)
        self.assertEqual(by_path['1'].get_n_failures(), 1)
        failure = by_path['1'].get_failure(0)
        self.assertEqual(failure.entity.get_path(), '1/0')
        self.assertEqual(failure.outcome, GstOrch.Outcome.FAILED)
        cause = failure.cause
        self.assertEqual((cause.get_domain(), cause.get_code(),
                          cause.get_path(), cause.get_call()),
                         ('test', 'record', '1/0', 'work'))
        self.assertEqual(cause.get_message(), 'told to fail')
        self.assertEqual(by_path['1'].get(0).outcome, GstOrch.Outcome.FAILED)

    def test_made_in_python(self):
        made = GstOrch.List.new()
        made.append(Gst.Buffer.new_wrapped(b'a'),
                    Gst.Caps.from_string('text/x-raw'), None)
        made.append_failed(GstOrch.Cause.new('py', 'bad', '100 % bad'), None)
        self.assertEqual(made.get_size(), 2)
        self.assertEqual(text(made.get(0).buffer), 'a')
        self.assertEqual(made.get(1).cause.get_message(), '100 % bad')
        self.assertIsNone(made.get_counts())
        buffer = made.buffer_new()
        self.assertEqual(GstOrch.buffer_get_list(buffer).get_size(), 2)


class Info(unittest.TestCase):
    """A stream's children know their times, its parent its stream."""

    def test_info(self):
        pipeline = Gst.parse_launch(
            'videotestsrc num-buffers=3 ! video/x-raw,framerate=10/1 ! '
            'orchexpand ! appsink name=out sync=false')
        pipeline.set_state(Gst.State.PLAYING)
        out = pipeline.get_by_name('out')
        times = []
        for _ in range(3):
            sample = out.emit('try-pull-sample', TIMEOUT)
            info = GstOrch.buffer_get_info(sample.get_buffer())
            times.append(info.get_uint64('time')[1])
        pipeline.set_state(Gst.State.NULL)
        self.assertEqual(times, [0, Gst.SECOND // 10, Gst.SECOND // 5])


class Functions(unittest.TestCase):
    def test_names(self):
        names = GstOrch.Function.list_names()
        self.assertIn('test-list', names)
        self.assertEqual(names, sorted(names))

    def test_properties(self):
        function = GstOrch.Function.make('test-list')
        self.assertEqual(function.get_property('n'), 3)
        function.set_property('n', 5)
        self.assertEqual(function.get_property('n'), 5)
        self.assertIsNone(GstOrch.Function.make('test-lisp'))

    def test_of_a_call(self):
        call = Gst.parse_launch('orchcall function=test-list function::n=4')
        self.assertEqual(call.get_child_by_name('function').get_property('n'),
                         4)


class Plan(unittest.TestCase):
    def make(self, chain):
        pipeline = Gst.parse_launch(f'{SOURCE}{chain} ! fakesink')
        return GstOrch.Plan.new(pipeline)

    def test_of_a_pipeline(self):
        plan = self.make('orchexpand name=e ! gdppay ! orchreduce name=r')
        self.assertTrue(plan.is_complete())
        self.assertEqual(plan.get_n_errors(), 0)
        self.assertEqual(plan.get_n_warnings(), 1)
        self.assertEqual(json.loads(plan.to_json())['pairs'],
                         [{'expand': 'e', 'reduce': 'r'}])
        self.assertIn('e: children that e opens', plan.to_text())
        self.assertTrue(plan.to_dot().startswith('digraph'))

    def test_of_one_that_cannot_work(self):
        self.assertEqual(self.make('orchreduce').get_n_errors(), 1)


if __name__ == '__main__':
    Gst.init(None)
    unittest.main()
