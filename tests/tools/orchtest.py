# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""What the tests of the command and of the documentation share."""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TREE = os.environ['ORCH_TEST_TREE']
BUILD = os.environ['ORCH_TEST_BUILD']
ORCH = os.path.join(TREE, 'tools', 'orch')

sys.path.insert(0, os.path.join(TREE, 'tests', 'pdf'))
sys.path.insert(0, os.path.join(TREE, 'tests', 'video'))
sys.path.insert(0, os.path.join(TREE, 'tests', 'onnx'))
import makemodels  # noqa: E402
import makepdfs  # noqa: E402  (found through the lines above)
import makevideos  # noqa: E402


def has_element(name):
    return not subprocess.run(['gst-inspect-1.0', name], capture_output=True,
                              check=False).returncode


def skip_without_functions():
    """Exits as skipped when the plugins were left out of the build."""
    for name in ('orchpdfpages', 'orchtesseract'):
        if not has_element(name):
            print(f'{name} is not built')
            sys.exit(77)


def can_make_videos():
    return shutil.which('ffmpeg') and has_element('orchvideoclips')


def skip_without_introspection(test):
    """`orch plan` reads the library through it."""
    if not glob.glob(f'{BUILD}/lib/gst/orch/*.typelib'):
        test.skipTest('built without introspection')


def take_option(name, default):
    """A number from the command line, taken out of what unittest reads."""
    if name not in sys.argv:
        return default
    place = sys.argv.index(name)
    value = int(sys.argv[place + 1])
    del sys.argv[place:place + 2]
    return value


class FolderTest(unittest.TestCase):
    """Each test has a folder of its own, and works in it."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='orch-test-')
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, data):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        makepdfs.write(path, data)

    def run_command(self, *words, **options):
        options.setdefault('check', False)
        options.setdefault('timeout', 300)
        return subprocess.run(words, cwd=self.folder, capture_output=True,
                              text=True, **options)

    def read_records(self, name='out.jsonl'):
        with open(self.path(name), encoding='utf-8') as file:
            return [json.loads(line) for line in file]
