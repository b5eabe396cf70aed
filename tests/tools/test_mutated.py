#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Files that are a little wrong, each in its own way, through whole pipelines: a
record for each, nothing hangs, nothing is left behind.

    test_mutated.py [--count N] [NAMES...]     ORCH_TEST_SEED says which files"""

import os
import random
import unittest

import orchtest
from orchtest import ORCH

import mutatepdfs

COUNT = orchtest.take_option('--count', 60)
SEED = os.environ.get('ORCH_TEST_SEED') or str(random.randrange(10 ** 6))
print(f'ORCH_TEST_SEED={SEED}', flush=True)


def find_reports(text):
    """What a sanitizer, GLib or GStreamer complains of."""
    return [line for line in text.splitlines()
            if 'Sanitizer' in line or 'runtime error' in line
            or 'CRITICAL' in line or 'assertion' in line]


class Mutated(orchtest.FolderTest):
    def setUp(self):
        super().setUp()
        for number in range(COUNT):
            self.write(f'docs/{number:04}.pdf',
                       mutatepdfs.mutate(SEED, number))

    def check(self, words, most_seconds):
        limit = str(most_seconds * 10 ** 9)
        done = self.run_command(ORCH, *words, 'docs', '-o', 'out.jsonl',
                                '--attempt-timeout', limit, timeout=3600)
        self.assertIn(done.returncode, (0, 3), done.stdout + done.stderr)
        self.assertEqual(find_reports(done.stderr), [])
        records = self.read_records()
        self.assertEqual(sorted(record['info']['name'] for record in records),
                         sorted(os.listdir(self.path('docs'))))
        for record in records:
            self.check_record(record)
        complete = sum(record['complete'] for record in records)
        print(f'{complete} of {COUNT} complete', flush=True)
        self.assertTrue(0 < complete < COUNT)

    def check_record(self, record):
        """It holds what it says, or it says why not, and of what."""
        causes = [record['cause']] + [failure['cause']
                                      for failure in record['failures']]
        causes = [cause for cause in causes if cause]
        if record['complete']:
            self.assertGreater(record['members']['present'], 0, record)
        else:
            self.assertGreater(len(causes), 0, record)
        for cause in causes:
            self.assertTrue(cause['message'].strip(), record)
            self.assertTrue(cause['path'].startswith(record['path']), record)
            # no file, however wrong, may end a worker or take for ever
            self.assertNotEqual(cause['domain'], 'orch', record)

    def test_text(self):
        self.check(['pdf-text'], 60)

    def test_ocr(self):
        self.check(['pdf-ocr', '--dpi', '50'], 60)

    def test_leaks(self):
        """Of what the pipeline makes, in its own threads."""
        done = self.run_command(
            'gst-launch-1.0', '-q', 'orchsrc', 'location=docs', '!',
            'orchpdfpages', '!', 'orchexpand', '!', 'orchpdfrender', 'dpi=30',
            '!', 'orchreduce', 'on-failed=placeholder', '!', 'fakesink',
            env={**os.environ, 'GST_TRACERS': 'leaks',
                 'GST_DEBUG': 'GST_TRACER:7', 'GST_DEBUG_NO_COLOR': '1'})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line for line in done.stderr.splitlines()
                          if 'object-alive, type-name' in line
                          and ':0::' in line], [])


if __name__ == '__main__':
    orchtest.skip_without_functions()
    unittest.main()
