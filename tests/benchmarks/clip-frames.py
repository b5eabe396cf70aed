#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Very many short lists, for real: 27,091 clips with 104,952 frames, of which most have
one or two and a few have hundreds, and each frame costs one of 8 to 64 replicas 5 ms of
sleep. Efficiency is the best that any schedule can do, over what it took."""

import argparse
import os
import random
import tempfile

import benchlib
import schedlib

CLIPS = 27091
FRAMES = 104952
# Of a Pareto distribution: the heavier, the smaller.
TAIL = 1.3
MOST = 500
REPLICAS = (8, 16, 32, 64)
TARGET = 0.99


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    schedlib.add_options(parser)
    parser.add_argument('--replicas', action='append', type=int, metavar='N',
                        help='only so many (may be repeated)')
    parser.add_argument('--item-cost', type=float, default=5, metavar='MS',
                        help='of a frame (default: 5)')
    parser.add_argument('--batch-size', type=int, default=16, metavar='N',
                        help='(default: 16)')
    return parser.parse_args()


def make_counts():
    """Long-tailed, and always the same; the total is right because what is
    missing is given to one clip after the other."""
    chance = random.Random(27091)
    counts = [min(int(chance.paretovariate(TAIL)), MOST) for _ in range(CLIPS)]
    missing = FRAMES - sum(counts)
    step = 1 if missing > 0 else -1
    place = 0
    while missing:
        if counts[place % CLIPS] + step >= 1:
            counts[place % CLIPS] += step
            missing -= step
        place += 1
    return counts


def main():
    options = parse()
    programs = schedlib.Programs(options.build)
    benchlib.print_command()
    counts = make_counts()
    print(f'{len(counts)} clips, {sum(counts)} frames, at most {max(counts)}, '
          f'median {sorted(counts)[CLIPS // 2]}', flush=True)
    worst = 1
    schedlib.print_row('replicas', 'efficiency', 'wall', 'bound', 'fill')
    with tempfile.TemporaryDirectory(prefix='clip-frames-') as folder:
        pages = os.path.join(folder, 'counts')
        with open(pages, 'w', encoding='utf-8') as file:
            file.writelines(f'{count}\n' for count in counts)
        for replicas in options.replicas or REPLICAS:
            found = programs.sleep(
                pages=pages, order='given', replicas=replicas,
                item_cost=options.item_cost, batch_size=options.batch_size)
            efficiency = found['bound'] / found['makespan']
            worst = min(worst, efficiency)
            schedlib.print_row(
                replicas, schedlib.percent(efficiency),
                schedlib.seconds(found['makespan']),
                schedlib.seconds(found['bound']),
                schedlib.percent(found['calls'][0]['fill']))
    print(f'clips and frames: lowest efficiency {schedlib.percent(worst)}, '
          f'target {schedlib.percent(TARGET)}: '
          f'{schedlib.verdict(worst >= TARGET)}')


if __name__ == '__main__':
    main()
