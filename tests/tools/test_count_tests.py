#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The last line of tools/check counts what the tests did."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

TREE = os.environ['ORCH_TEST_TREE']
COUNT = os.path.join(TREE, 'tools', 'count-tests.py')


class CountTests(unittest.TestCase):
    def count(self, *entries):
        with tempfile.NamedTemporaryFile('w', suffix='.json') as log:
            for result, stdout, stderr in entries:
                log.write(json.dumps({'name': 'test', 'result': result,
                                      'stdout': stdout, 'stderr': stderr}))
                log.write('\n')
            log.flush()
            done = subprocess.run([sys.executable, COUNT, log.name],
                                  capture_output=True, text=True, check=False)
        return done.stdout.splitlines()[-1], done.returncode

    def test_tap(self):
        text = '1..3\nok 1 /a\nok 2 /b # SKIP no fonts\nok 3 /c\n# ok 4 no\n'
        self.assertEqual(self.count(('OK', text, '')),
                         ('2 passed, 0 failed, 1 skipped', 0))

    def test_tap_failure(self):
        text = '1..2\nok 1 /a\nnot ok 2 /b\n'
        self.assertEqual(self.count(('FAIL', text, '')),
                         ('1 passed, 1 failed, 0 skipped', 1))

    def test_check(self):
        text = 'Running suite\n83%: Checks: 6, Failures: 1, Errors: 0\n'
        self.assertEqual(self.count(('FAIL', text, '')),
                         ('5 passed, 1 failed, 0 skipped', 1))

    def test_unittest(self):
        text = '.F.s\nRan 4 tests in 0.1s\n\nFAILED (failures=1, skipped=1)\n'
        self.assertEqual(self.count(('FAIL', '', text)),
                         ('2 passed, 1 failed, 1 skipped', 1))

    def test_programs_without_cases(self):
        self.assertEqual(
            self.count(('OK', '', ''), ('SKIP', 'no valgrind', ''),
                       ('TIMEOUT', '', '')),
            ('1 passed, 1 failed, 1 skipped', 1))

    def test_crash_after_the_last_case(self):
        self.assertEqual(self.count(('ERROR', '1..2\nok 1 /a\n', '')),
                         ('1 passed, 1 failed, 0 skipped', 1))

    def test_no_log(self):
        done = subprocess.run([sys.executable, COUNT, '/nonexistent'],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.stdout, done.returncode),
                         ('0 passed, 1 failed, 0 skipped\n', 1))

    def test_nothing_ran(self):
        self.assertEqual(self.count(('SKIP', '', '')),
                         ('0 passed, 0 failed, 1 skipped', 1))


if __name__ == '__main__':
    unittest.main()
