# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""What the tests share that run gst-launch-1.0."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

TREE = os.environ['ORCH_TEST_TREE']

# A document becomes a list of texts, each is worked on, the results gathered.
LIST = 'orchcall function=test-list function::text=true'
WORK = f'{LIST} ! orchexpand ! orchcall function=test-work ! orchreduce'


class FolderTest(unittest.TestCase):
    """Each test has a folder of its own, and runs pipelines in it."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='orch-records-')
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text='hello'):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)

    def write_documents(self, n):
        for i in range(n):
            self.write(f'docs/{i:05}.pdf')

    def start(self, launch, wrapper=(), environment=None, **options):
        command = [*wrapper, 'gst-launch-1.0', '-q', *launch.split()]
        return subprocess.Popen(command, cwd=self.folder, text=True,
                                env={**os.environ, **(environment or {})},
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                **options)

    def run_pipeline(self, launch, standard_input=None, **options):
        """Returns what it wrote to standard output and error."""
        with self.start(launch, stdin=subprocess.PIPE, **options) as process:
            output, errors = process.communicate(standard_input, timeout=120)
        self.assertEqual(process.returncode, 0, output + errors)
        return output, errors

    def read_bytes(self, name='out.jsonl'):
        with open(self.path(name), 'rb') as file:
            return file.read()

    def read_records(self, name='out.jsonl'):
        data = self.read_bytes(name)
        self.assertTrue(data == b'' or data.endswith(b'\n'))
        return [json.loads(line) for line in data.splitlines()]
