#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""A dataflow in Python over small units: documents, 20 pages each, and back.

Beside RayOrch, with the same program, where an interpreter is named that has it:
    python3 -m venv V && V/bin/pip install rayorch==0.1.1
    tests/benchmarks/bench-pipelines.py --rayorch V/bin/python
The two take turns; the median of their runs counts. At least 5 times as many pages a
second as RayOrch, whose work between the UDFs is what is measured here."""

import argparse
import importlib
import os
import statistics
import subprocess
import sys
import time

import benchlib

PAGES = 20
TARGET_RATIO = 5


class Split:
    def run(self, documents):
        return [[f'{document}:{page}' for page in range(PAGES)] for document in documents]


class Upper:
    def run(self, pages):
        return [page.upper() for page in pages]


class Count:
    def run(self, groups):
        return [len(group) for group in groups]


def make_pipeline(package):
    class Documents(package.Pipeline):
        def __init__(self):
            self.split, self.upper, self.count = (
                package.RayModule(udf).ray_options(replicas=1, batch_size=64, num_cpus=0)
                for udf in (Split, Upper, Count))

        def forward(self, documents):
            pages = package.F.expand(self.split(documents))
            return self.count(package.F.reduce(self.upper(pages)))
    return Documents()


def measure(name, n_documents):
    """In a process of its own: prints the pages a second of a run with warm workers."""
    package = importlib.import_module(name)
    documents = [f'document {i}' for i in range(n_documents)]
    with package.Executor(make_pipeline(package)) as executor:
        executor.run(documents[:10])
        begin = time.monotonic()
        outputs = executor.run(documents).outputs
        seconds = time.monotonic() - begin
    assert outputs == [PAGES] * n_documents
    print(n_documents * PAGES / seconds)


def run(python, name, n_documents):
    environment = {**os.environ, 'RAY_USAGE_STATS_ENABLED': '0'}
    done = subprocess.run([python, __file__, '--measure', name, '--documents', str(n_documents)],
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    if done.returncode:
        sys.exit(f'{name} under {python} failed:\n{done.stderr[-2000:]}')
    return float(done.stdout.split()[-1])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--documents', type=int, default=2000, metavar='N')
    parser.add_argument('--rounds', type=int, default=3, metavar='N')
    parser.add_argument('--rayorch', metavar='PYTHON', help='an interpreter that has RayOrch')
    parser.add_argument('--measure', help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        measure(options.measure, options.documents)
        return
    benchlib.need([], ['orchpython', 'orchpart'])
    print(f'load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors')
    ours, theirs = [], []
    for _ in range(options.rounds):
        ours.append(run(sys.executable, 'gst_orch', options.documents))
        if options.rayorch:
            theirs.append(run(options.rayorch, 'rayorch', options.documents))
    speed = statistics.median(ours)
    print(f'gst-orch: {speed:,.0f} pages/s')
    if not theirs:
        print('RayOrch: skipped, no interpreter was named that has it')
        return
    ratio = speed / statistics.median(theirs)
    print(f'RayOrch: {statistics.median(theirs):,.0f} pages/s, ratio {ratio:.1f}; '
          f'target {TARGET_RATIO}: {"met" if ratio >= TARGET_RATIO else "MISSED"}')


if __name__ == '__main__':
    main()
