# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""What the benchmarks of scheduling share: workloads in virtual time, and the
same through elements whose Functions sleep."""

import json
import os
import subprocess
import sys

import benchlib

TREE = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.realpath(__file__))))


def add_options(parser):
    parser.add_argument('--build', default=os.path.join(TREE, 'build'),
                        metavar='FOLDER',
                        help='where gst-orch was built (default: build)')


class Programs:
    """Both take the same options: `replicas=4` is --replicas=4, `early=False`
    is --no-early."""

    def __init__(self, build):
        self.simulator = os.path.join(build, 'tools', 'sim', 'orch-sim')
        self.sleeper = os.path.join(build, 'tests', 'benchmarks', 'bench-sleep')
        for program in (self.simulator, self.sleeper):
            if not os.path.exists(program):
                benchlib.skip(f'{program} is not built')
        benchlib.need([], ['orchexpand'])

    def simulate(self, **options):
        return _run(self.simulator, options)

    def sleep(self, **options):
        return _run(self.sleeper, options)


def _word(name, value):
    name = name.replace('_', '-')
    if value is True:
        return f'--{name}'
    if value is False:
        return f'--no-{name}'
    return f'--{name}={value}'


def _run(program, options):
    words = [program, '--json', *(_word(*pair) for pair in options.items())]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f'{" ".join(words)}: exit status {done.returncode}')
    return json.loads(done.stdout)


def verdict(is_met):
    return 'met' if is_met else 'missed'


def print_row(name, *columns):
    print(f'  {name:<34}' + ''.join(f'{column:>13}' for column in columns),
          flush=True)


def seconds(value):
    return f'{value:.2f} s'


def percent(value):
    return f'{100 * value:.2f} %'
