#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Python Functions on frames of 224 x 224 x 3 bytes in batches of 64.

On one processor, which the source, the elements and the Python process share: at least
5,000 frames a second.  Beside Ray Data's map_batches and RayOrch, with the same class, one
replica and all processors: at least 10 times as many.  What a frame costs is the
difference between a run of some frames and one of more, so that no start counts.

The other two are skipped where this interpreter does not have them:
    python3 -m venv V && V/bin/pip install numpy 'ray[data]' rayorch==0.1.1
    V/bin/python tests/benchmarks/bench-python.py"""

import argparse
import importlib.util
import os
import subprocess
import sys
import time

import benchlib

FOLDER = os.path.dirname(os.path.abspath(__file__))
SIDE = 224
BATCH = 64
TARGET_SPEED = 5000
TARGET_RATIO = 10


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--frames', type=int, default=9600, metavar='N',
                        help='of the longer of our runs; the others get fewer (default: 9600)')
    parser.add_argument('--rounds', type=int, default=3, metavar='N',
                        help='of which the median counts (default: 3)')
    return parser.parse_args()


def run_pipeline(frames, step, one_processor):
    """Seconds."""
    command = ['gst-launch-1.0', '-q', 'videotestsrc', f'num-buffers={frames}',
               'pattern=solid-color', '!',
               f'video/x-raw,format=RGB,width={SIDE},height={SIDE},framerate=30/1', '!',
               'orchpython', f'python={sys.executable}', f'module={FOLDER}/python_steps.py',
               f'class={step}', f'batch-size={BATCH}', 'max-bytes=200000000', '!',
               'fakesink', 'sync=false']
    if one_processor:
        command = ['taskset', '-c', str(min(os.sched_getaffinity(0))), *command]
    begin = time.monotonic()
    subprocess.run(command, check=True)
    return time.monotonic() - begin


def measure(run, frames, rounds):
    """Frames a second: the median over some rounds."""
    few = frames // 4
    speeds = []
    for _ in range(rounds):
        short, long = run(few), run(frames)
        speeds.append((frames - few) / max(long - short, 1e-9))
    return sorted(speeds)[rounds // 2]


def start_ray():
    import ray
    ray.init(num_cpus=os.cpu_count(), include_dashboard=False, log_to_driver=False,
             logging_level='ERROR')
    return ray


def measure_ray_data(step, frames, rounds):
    import numpy
    import ray
    import python_steps
    ray.data.DataContext.get_current().enable_progress_bars = False
    target = getattr(python_steps, step)

    def run(n):
        block = numpy.zeros((BATCH, SIDE, SIDE, 3), numpy.uint8)
        data = ray.data.from_numpy([block] * (n // BATCH)).rename_columns({'data': 'frame'})
        data = data.materialize()
        begin = time.monotonic()
        done = data.map_batches(target, batch_size=BATCH, batch_format='numpy',
                                concurrency=1).materialize()
        seconds = time.monotonic() - begin
        assert done.count() == n
        return seconds
    return measure(run, frames, rounds)


def measure_rayorch(step, frames, rounds):
    import numpy
    import rayorch
    import python_steps

    class Steps(rayorch.Pipeline):
        def __init__(self):
            self.step = rayorch.RayModule(getattr(python_steps, step)).ray_options(
                replicas=1, batch_size=BATCH)

        def forward(self, frame):
            return self.step(frame)

    with rayorch.Executor(Steps()) as executor:
        def run(n):
            values = [numpy.zeros((SIDE, SIDE, 3), numpy.uint8) for _ in range(n)]
            begin = time.monotonic()
            result = executor.run(values, input_batch_size=BATCH * 4,
                                  max_active_input_batches=2)
            seconds = time.monotonic() - begin
            assert len(result.outputs) == n
            return seconds
        run(BATCH)
        return measure(run, frames, rounds)


def verdict(ok):
    return 'met' if ok else 'MISSED'


def main():
    options = parse()
    if not importlib.util.find_spec('numpy'):
        benchlib.skip(f'{sys.executable} has no NumPy')
    benchlib.need(['taskset'], ['orchpython', 'videotestsrc'])
    print(f'load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors')
    for step in ('Identity', 'Invert'):
        speed = measure(lambda n: run_pipeline(n, step, True), options.frames, options.rounds)
        print(f'{step}: {speed:,.0f} frames/s on one processor'
              + (f'; target {TARGET_SPEED:,}: {verdict(speed >= TARGET_SPEED)}'
                 if step == 'Identity' else ''), flush=True)
    others = [('Ray Data', 'ray', measure_ray_data), ('RayOrch', 'rayorch', measure_rayorch)]
    missing = [name for _, name, _ in others if not importlib.util.find_spec(name)]
    if missing:
        print(f'skipped: {sys.executable} has no {" and no ".join(missing)}')
        return
    start_ray()
    for step in ('Identity', 'Invert'):
        ours = measure(lambda n: run_pipeline(n, step, False), options.frames, options.rounds)
        print(f'{step}: gst-orch {ours:,.0f} frames/s', flush=True)
        for name, _, function in others:
            speed = function(step, BATCH * 40, options.rounds)
            print(f'{step}: {name} {speed:,.0f} frames/s, ratio {ours / speed:.1f}; target '
                  f'{TARGET_RATIO}: {verdict(ours >= TARGET_RATIO * speed)}', flush=True)


if __name__ == '__main__':
    main()
