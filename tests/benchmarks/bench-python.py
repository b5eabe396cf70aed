#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Python Functions on frames of 224 x 224 x 3 bytes in batches of 64.

On one processor, which the source, the elements and the Python process share: at least
5,000 frames a second.  Beside Ray Data's map_batches and RayOrch, with the same class, one
replica and all processors: at least 10 times as many.  What a frame costs is the
difference between runs of some frames and of more, so that no start counts; `in all` is
the longer run with its start, for Ray without ray.init().  Of a machine that others use,
processor time (of all processes of a system) says more than the time of day.

The other two are skipped where this interpreter does not have them:
    python3 -m venv V && V/bin/pip install numpy 'ray[data]' rayorch==0.1.1
    V/bin/python tests/benchmarks/bench-python.py"""

import argparse
import collections
import importlib.util
import math
import os
import statistics
import subprocess
import sys
import time

import benchlib

FOLDER = os.path.dirname(os.path.abspath(__file__))
SIDE = 224
BATCH = 64
TARGET_SPEED = 5000
TARGET_RATIO = 10


# Seconds.
Cost = collections.namedtuple('Cost', 'wall cpu')
# Frames a second, frames for a second of processor time, seconds of the longer run.
Speed = collections.namedtuple('Speed', 'wall cpu all')


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--frames', type=int, default=BATCH * 200, metavar='N',
                        help='of the longer of our runs (default: 12800)')
    parser.add_argument('--ray-frames', type=int, default=BATCH * 120, metavar='N',
                        help='of those of the others (default: 7680)')
    parser.add_argument('--rounds', type=int, default=5, metavar='N',
                        help='of which the median counts (default: 5)')
    return parser.parse_args()


def get_processor_time():
    """Seconds, of this process and all that it has started, theirs included."""
    parents, times = {}, {}
    for name in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{name}/stat', encoding='ascii', errors='replace') as file:
                fields = file.read().rpartition(')')[2].split()
        except OSError:
            continue
        parents[int(name)] = int(fields[1])
        times[int(name)] = sum(map(int, fields[11:15]))
    own = {os.getpid()}
    while True:
        more = {pid for pid, parent in parents.items() if parent in own} - own
        if not more:
            return sum(times.get(pid, 0) for pid in own) / os.sysconf('SC_CLK_TCK')
        own |= more


def timed(run):
    """A Cost, of what run() does."""
    begin, cpu = time.monotonic(), get_processor_time()
    run()
    return Cost(time.monotonic() - begin, get_processor_time() - cpu)


def run_pipeline(frames, step, one_processor):
    command = ['gst-launch-1.0', '-q', 'videotestsrc', f'num-buffers={frames}',
               'pattern=solid-color', '!',
               f'video/x-raw,format=RGB,width={SIDE},height={SIDE},framerate=30/1', '!',
               'orchpython', f'python={sys.executable}', f'module={FOLDER}/python_steps.py',
               f'class={step}', f'batch-size={BATCH}', '!', 'fakesink', 'sync=false']
    if one_processor:
        command = ['taskset', '-c', str(min(os.sched_getaffinity(0))), *command]
    return timed(lambda: subprocess.run(command, check=True))


def measure(run, frames, rounds):
    """`run`: from a number of frames to a Cost.  Medians."""
    few = frames // BATCH // 4 * BATCH
    short, long = [], []
    for _ in range(rounds):
        short.append(run(few))
        long.append(run(frames))
    medians = [Cost(*(statistics.median(cost[i] for cost in costs) for i in range(2)))
               for costs in (short, long)]
    return Speed(*(divide(frames - few, medians[1][i] - medians[0][i]) for i in range(2)),
                 medians[1].wall)


def divide(a, b):
    """Not a number where noise has eaten it up."""
    return a / b if b > 0 else math.nan


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
        work = data.map_batches(target, batch_size=BATCH, batch_format='numpy',
                                compute=ray.data.ActorPoolStrategy(size=1))
        return timed(work.materialize)
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
            return timed(lambda: executor.run(values, input_batch_size=BATCH * 4,
                                              max_active_input_batches=2))
        run(BATCH)
        return measure(run, frames, rounds)


def verdict(ok):
    return 'met' if ok else 'MISSED'


def show(step, name, speed):
    print(f'{step}: {name} {speed.wall:,.0f} frames/s, {speed.cpu:,.0f} for a second of '
          f'processor time; in all {speed.all:.2f} s', flush=True)


def compare(step, options, others):
    ours = measure(lambda n: run_pipeline(n, step, False), options.frames, options.rounds)
    show(step, 'gst-orch', ours)
    for name, _, function in others:
        theirs = function(step, options.ray_frames, options.rounds)
        show(step, name, theirs)
        ratio = ours.wall / theirs.wall
        print(f'{step}: ratio to {name} {ratio:.1f}, of processor time '
              f'{ours.cpu / theirs.cpu:.1f}; target {TARGET_RATIO}: '
              f'{verdict(ratio >= TARGET_RATIO)}', flush=True)


def main():
    options = parse()
    if not importlib.util.find_spec('numpy'):
        benchlib.skip(f'{sys.executable} has no NumPy')
    benchlib.need(['taskset'], ['orchpython', 'videotestsrc'])
    benchlib.print_command()
    for step in ('Identity', 'Invert'):
        speed = measure(lambda n: run_pipeline(n, step, True), options.frames, options.rounds)
        show(step, 'on one processor', speed)
        if step == 'Identity':
            print(f'{step}: {speed.wall:,.0f} frames/s on one processor; target '
                  f'{TARGET_SPEED:,}: {verdict(speed.wall >= TARGET_SPEED)}', flush=True)
    others = [('Ray Data', 'ray', measure_ray_data), ('RayOrch', 'rayorch', measure_rayorch)]
    missing = [name for _, name, _ in others if not importlib.util.find_spec(name)]
    if missing:
        print(f'skipped: {sys.executable} has no {" and no ".join(missing)}')
        return
    start_ray()
    for step in ('Identity', 'Invert'):
        compare(step, options, others)


if __name__ == '__main__':
    main()
