#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The examples do what they say."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ['ORCH_TEST_TREE'], 'tests', 'tools'))

import orchtest  # noqa: E402
from orchtest import BUILD, makepdfs  # noqa: E402


class Examples(orchtest.FolderTest):
    def run_example(self, name, *args):
        return subprocess.run(
            [os.path.join(BUILD, 'tests', 'examples', name), *args],
            capture_output=True, text=True, timeout=120)

    @unittest.skipUnless(orchtest.has_element('orchpdfpages'), 'no Functions for PDFs')
    def test_pages_from_memory(self):
        self.write('plain.pdf', makepdfs.text_document(3))
        self.write('junk.pdf', b'not a PDF')
        self.write('half.pdf', makepdfs.half_broken())
        files = [self.path(name) for name in (
            'plain.pdf', 'junk.pdf', 'half.pdf', 'missing.pdf')]
        done = self.run_example('pages-from-memory', *files)
        self.assertEqual(done.returncode, 0, done.stderr)
        for file in files:
            self.assertEqual(done.stdout.count(f'{file}: '), 1, done.stdout)
        self.assertRegex(done.stdout, r'plain\.pdf: 3 pages\n  page 1: \d+ char')
        self.assertRegex(done.stdout, r'junk\.pdf: .*PDF')
        self.assertIn('No such file', done.stderr)

    def test_pages_from_memory_without_plugins(self):
        done = subprocess.run(
            [os.path.join(BUILD, 'tests', 'examples', 'pages-from-memory'), 'a'],
            capture_output=True, text=True, timeout=120,
            env={**os.environ, 'GST_PLUGIN_PATH': '',
                 'GST_REGISTRY': self.path('registry')})
        self.assertEqual(done.returncode, 1)
        self.assertIn('orchpdfpages', done.stderr)

    def test_usage(self):
        done = self.run_example('pages-from-memory')
        self.assertEqual(done.returncode, 1)
        self.assertIn('Usage', done.stderr)


if __name__ == '__main__':
    unittest.main()
