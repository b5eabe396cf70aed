#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""orch plan: what it prints of a line, and its exit status (S8)."""

import json
import shutil
import subprocess
import unittest

import orchtest
from orchtest import ORCH

GOOD = ('orchsrc location=docs/*.pdf ! orchpdfpages ! orchexpand ! '
        'orchpdfrender ! queue ! orchtesseract ! orchreduce ! '
        'orchsink location=out.jsonl')
WITHOUT_RENDER = GOOD.replace('orchpdfrender ! queue ! orchtesseract',
                              'orchcall function=tesseract name=ocr')
UNGATHERED = GOOD.replace(' ! orchtesseract ! orchreduce', '')


class Plan(orchtest.FolderTest):
    def plan(self, *words, status=0):
        done = self.run_command(ORCH, 'plan', *words)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def test_text(self):
        text = self.plan(GOOD).stdout
        self.assertIn('\n    orchexpand0: children that orchexpand0 opens, '
                      'gathered by orchreduce0\n', text)
        self.assertIn('\n  orchtesseract0: call of tesseract, in orchexpand0\n'
                      '      from orchpdfrender0:src through queue0\n', text)
        self.assertNotIn('error', text)

    def test_json(self):
        plan = json.loads(self.plan(GOOD, '--format=json').stdout)
        self.assertTrue(plan['complete'])
        self.assertEqual([(d['name'], d['parent']) for d in plan['domains']],
                         [('orchsrc0', None), ('orchexpand0', 'orchsrc0')])
        self.assertEqual([element['kind'] for element in plan['elements']],
                         ['source', 'call', 'expand', 'call', 'call',
                          'reduce', 'sink'])
        self.assertEqual([element['function'] for element in plan['elements']
                          if element['kind'] == 'call'],
                         ['pdf-pages', 'pdf-render', 'tesseract'])
        self.assertEqual(plan['pairs'], [{'expand': 'orchexpand0',
                                          'reduce': 'orchreduce0'}])
        self.assertEqual(plan['errors'] + plan['warnings'], [])

    def test_json_of_any_name(self):
        name = 'a"b\\c\td é'
        quoted = name.replace('\\', '\\\\').replace('"', '\\"')
        line = f'fakesrc ! orchidentity name="{quoted}" ! fakesink'
        plan = json.loads(self.plan(line, '--format=json').stdout)
        self.assertEqual(plan['elements'][0]['name'], name)

    def test_dot(self):
        dot = self.plan(GOOD, '--format=dot').stdout
        self.assertIn('subgraph "cluster_orchexpand0" {\n'
                      'label="children of orchexpand0";\n'
                      '"orchpdfrender0"', dot)
        self.assertIn('"orchpdfrender0" -> "orchtesseract0" '
                      '[label="queue0"];\n', dot)
        if shutil.which('dot'):
            subprocess.run(['dot', '-Tsvg'], input=dot, check=True, text=True,
                           stdout=subprocess.DEVNULL)

    def test_errors(self):
        for line, messages in (
                (WITHOUT_RENDER, ['error: ocr cannot work on what it is given. '
                                  'It gets application/x-orch-ref']),
                (UNGATHERED, ['error: orchsink0 cannot work on what it is '
                              'given.', 'orchtesseract']),
                (GOOD.replace('! orchsink', '! orchreduce name=r ! orchsink'),
                 ['error: r has nothing to gather into.', 'orchexpand'])):
            with self.subTest(line=line):
                text = self.plan(line, status=1).stdout
                for message in messages:
                    self.assertIn(message, text)

    def test_advice_is_given_once(self):
        text = self.plan(UNGATHERED, status=1).stdout
        self.assertEqual(text.count('Put a Call in between'), 1, text)

    def test_settings(self):
        text = self.plan('orchsrc location=x ! orchfilter predicate="lang == '
                         'en" ! orchsink location=y', status=1).stdout
        self.assertIn('error: The predicate of orchfilter0 is not one', text)

    def test_lines_that_are_none(self):
        done = self.plan('orchsrc ! orchpdfpages ! orchpdfrender ! fakesink',
                         status=1)
        self.assertEqual(done.stdout, '')
        self.assertIn('orch: could not link orchpdfpages0 to orchpdfrender0: '
                      'the one gives application/x-orch-list, the other takes '
                      'application/x-orch-ref', done.stderr)
        done = self.plan('orchsrc ! orchnothing ! fakesink', status=1)
        self.assertIn('orchnothing', done.stderr)

    def test_the_same_line_in_other_forms(self):
        text = self.plan(GOOD).stdout
        self.assertEqual(self.plan(*GOOD.split()).stdout, text)
        self.assertEqual(self.plan(f'gst-launch-1.0 -e {GOOD}').stdout, text)
        printed = self.run_command(ORCH, 'pdf-ocr', "it's", '-o', 'two words',
                                   '--print').stdout
        self.assertIn('orchtesseract0: call of tesseract',
                      self.plan(printed).stdout)
        # with a shell's quotes, as it stands in a text
        printed = self.run_command(ORCH, 'pdf-auto', "it's", '-o', 'two words',
                                   '--print').stdout
        self.assertIn('way: join', self.plan(printed.partition(' ')[2]).stdout)
        self.assertIn('syntax error', self.plan("orchsrc ! 'x", status=1).stderr)

    def test_value_out_of_range(self):
        done = self.plan('orchsrc ! orchcall function=identity batch-size=0',
                         status=1)
        self.assertTrue(done.stderr.startswith('orch: value "0" '), done.stderr)
        self.assertIn('batch-size', done.stderr)

    def test_one_element(self):
        self.assertIn('has no Function', self.plan('orchcall',
                                                   status=1).stdout)

    def test_nothing_is_started(self):
        self.plan(GOOD)
        self.assertEqual(self.run_command('ls').stdout, '')


if __name__ == '__main__':
    orchtest.skip_without_functions()
    unittest.main()
