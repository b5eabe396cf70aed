#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Pipelines by chance against a serial model: test_front_random.py [COUNT [SEED]]."""

import os
import random
import sys
import unittest

try:
    import gst_orch as ro
    from gst_orch import gst  # noqa: F401
except ImportError as error:
    print(f'skipped: {error}')
    sys.exit(77)
from randomprograms import Build, Oracle, Program  # noqa: E402

COUNT = int(os.environ.get('ORCH_RANDOM_COUNT', '5'))
SEED = int(os.environ.get('ORCH_RANDOM_SEED', random.randrange(1 << 30)))


def plain(output):
    """As the Oracle has it."""
    if isinstance(output, ro.OutputIssue):
        return output.outcome.name.lower(), None
    return 'present', output


class Random(unittest.TestCase):
    def check(self, seed):
        program = Program(seed)
        chance = random.Random(seed)
        options = {'batch_size': chance.randint(1, 8), 'replicas': chance.randint(1, 2)}
        with ro.Executor(Build(program, options)) as executor:
            for n in (chance.randrange(12), chance.randrange(4), 5):
                rows = [(chance.randrange(1000), f'row {i}') for i in range(n)]
                outputs = executor.run([row[0] for row in rows], [row[1] for row in rows],
                                       input_batch_size=chance.choice((None, 1, 3)))
                found = tuple([plain(value) for value in port] for port in outputs.outputs)
                self.assertEqual(found, Oracle(program, rows).get_outputs(), program.steps)

    def test_programs(self):
        for seed in range(SEED, SEED + COUNT):
            with self.subTest(f'ORCH_RANDOM_SEED={seed} ORCH_RANDOM_COUNT=1'):
                self.check(seed)


if __name__ == '__main__':
    print(f'ORCH_RANDOM_SEED={SEED} ORCH_RANDOM_COUNT={COUNT}', flush=True)
    unittest.main()
