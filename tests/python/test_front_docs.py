#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The programs of docs/pipelines.md do what it says."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy  # noqa: F401
    from gst_orch import gst
except ImportError as error:
    print(f'skipped: {error}')
    sys.exit(77)

TREE = pathlib.Path(__file__).resolve().parents[2]
PAGE = (TREE / 'docs' / 'pipelines.md').read_text(encoding='utf-8')
BLOCK = re.compile(r'^```python\n(.*?)^```$(?:\s*^```text\n(.*?)^```$)?', re.M | re.S)


class Programs(unittest.TestCase):
    def run_program(self, text, *words):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, 'program.py')
            program.write_text(text, encoding='utf-8')
            done = subprocess.run([sys.executable, str(program), *words], text=True,
                                  capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_outputs(self):
        programs = [(text, output) for text, output in BLOCK.findall(PAGE) if output]
        self.assertEqual(len(programs), 2)
        for text, output in programs:
            self.assertEqual(self.run_program(text), output)

    def test_files(self):
        if not gst.Gst.ElementFactory.find('orchpdfpages'):
            self.skipTest('built without the PDF Functions')
        text, = (text for text, output in BLOCK.findall(PAGE) if not output)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'a.pdf')
            subprocess.run([sys.executable, str(TREE / 'tests' / 'pdf' / 'makepdfs.py'), '--text',
                            '2', '7', path], check=True)
            self.assertEqual(self.run_program(text, path), '[[7, 7]]\n')


if __name__ == '__main__':
    unittest.main()
