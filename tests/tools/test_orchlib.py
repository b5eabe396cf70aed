#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The parts of the orch command that need no pipeline."""

import io
import os
import sys
import tempfile
import unittest
from unittest import mock

TREE = os.environ['ORCH_TEST_TREE']
sys.path.insert(0, os.path.join(TREE, 'tools'))

from orchlib import launchfile, progress, records  # noqa: E402

LAUNCH = """# Does a thing.
# And more of it.
#: dpi=150  resolution
orchsrc ${inputs} !
orchthing dpi=${dpi} ! orchsink location=${output}
"""


def write(text):
    file = tempfile.NamedTemporaryFile('w', suffix='.launch')
    file.write(text)
    file.flush()
    return file


class LaunchFiles(unittest.TestCase):
    def load(self, text):
        with write(text) as file:
            return launchfile.LaunchFile(file.name)

    def test_parameters_and_description(self):
        launch = self.load(LAUNCH)
        self.assertEqual(launch.description, 'Does a thing.')
        self.assertEqual([(p.name, p.default, p.description)
                          for p in launch.parameters],
                         [('dpi', '150', 'resolution')])

    def test_units(self):
        self.assertEqual(self.load(LAUNCH).units, ('document', 'page'))
        launch = self.load(LAUNCH + '#units: video clip\n')
        self.assertEqual(launch.units, ('video', 'clip'))

    def test_expand(self):
        words = self.load(LAUNCH).expand(['a', 'b c'], 'o"ut', {'dpi': '72'})
        self.assertEqual(words, [
            'orchsrc', 'location=a', 'location="b c"', '!', 'orchthing',
            'dpi=72', '!', 'orchsink', 'location="o\\"ut"'])

    def test_files(self):
        launch = self.load(LAUNCH.replace('${output}', '${output} files=${files}'))
        self.assertTrue(launch.names_files)
        self.assertEqual(launch.expand(['a'], 'o.x/out.jsonl', {})[-1],
                         'files=o.x/out.files')
        self.assertEqual(launch.expand(['a'], 'out', {}, 'b c')[-1],
                         'files="b c"')
        self.assertEqual(launch.expand(['a'], 'out', {}, shards='s')[-1],
                         'shards=s')
        self.assertFalse(self.load(LAUNCH).names_files)

    def test_shell_line_reads_back(self):
        words = self.load(LAUNCH).expand(["it's", '$HOME'], 'out', {})
        import shlex
        self.assertEqual(shlex.split(launchfile.shell_line(words))[1:], words)

    def test_mistakes_are_told(self):
        for text, message in (
                (LAUNCH.replace('#: dpi', '# dpi'), 'dpi'),
                (LAUNCH + '#: more=1  never used\n', 'more'),
                (LAUNCH.replace('${inputs}', ''), 'inputs')):
            with self.assertRaisesRegex(launchfile.LaunchFileError, message):
                self.load(text)


def record(identity, **fields):
    return {'id': identity, 'complete': True, 'outcome': 'present',
            'failures': [], 'cause': None, 'members': {'total': 2}, **fields}


CAUSE = {'domain': 'pdf', 'code': 'encrypted', 'message': 'It is locked.'}
BROKEN = {'domain': 'pdf', 'code': 'broken', 'message': 'It is broken.'}


class Summaries(unittest.TestCase):
    def test_groups_by_cause(self):
        summary = records.Summary([
            record('file:///a'),
            *[record(f'file:///b%20{i}', complete=False, outcome='suppressed',
                     cause=CAUSE) for i in range(5)],
            record('file:///c', complete=False, failures=[
                {'id': 'file:///c#page=2', 'cause': BROKEN}])])
        self.assertEqual(list(summary.lines()), [
            '7 documents: 1 complete, 6 not',
            '  5 x pdf/encrypted: It is locked.',
            '      /b 0', '      /b 1', '      /b 2', '      and 2 more',
            '  1 x pdf/broken: It is broken.',
            '      /c#page=2'])

    def test_a_cause_is_not_always_known(self):
        summary = records.Summary([
            record('file:///a', complete=False, failures=[
                {'id': 'file:///a#page=1', 'cause': None}]),
            record('file:///b', complete=False)])
        self.assertEqual([(c.code, c.examples) for c in summary.causes],
                         [('orch/unknown', ['/a#page=1', '/b'])])

    def test_reading_ignores_a_torn_last_line(self):
        with write('{"header": 1}\n{"outcome": "present"}\n{"outco') as file:
            self.assertEqual(list(records.read(file.name)),
                             [{'outcome': 'present'}])

    def test_reading_refuses_other_files(self):
        with write('not a record\n') as file:
            with self.assertRaisesRegex(Exception, 'line 1'):
                list(records.read(file.name))


class Terminal(io.StringIO):
    def isatty(self):
        return True


class ProgressLines(unittest.TestCase):
    def test_text(self):
        line = progress.Progress(io.StringIO())
        with mock.patch.object(line, 'elapsed', return_value=20.0):
            self.assertEqual(
                line.text(progress.Counts(
                    done=4, skipped=5, total=17, opened=6, known=90,
                    pages=50, failures=1)),
                '4 of 12 documents, 50 pages, 2.5 pages/s, 1 failure, '
                'about 0:52 left')  # 40 known, 6 x 15 unknown
            self.assertEqual(
                line.text(progress.Counts(done=12, total=12, pages=1)),
                '12 of 12 documents, 1 page, 0.1 pages/s, 0 failures')
            self.assertEqual(
                line.text(progress.Counts(1)),
                '1 document, 0 pages, 0.0 pages/s, 0 failures')

    def test_terminal_line_is_rewritten_and_cleared(self):
        stream = Terminal()
        line = progress.Progress(stream)
        line.next = 0
        line.update(progress.Counts(done=1, total=2))
        line.update(progress.Counts(done=1, total=2))  # too soon
        line.message('warning: x')
        self.assertEqual(stream.getvalue().count('1 of 2'), 1)
        self.assertTrue(stream.getvalue().endswith('\r\033[Kwarning: x\n'))


if __name__ == '__main__':
    unittest.main()
