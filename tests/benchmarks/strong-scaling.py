#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Strong scaling: the same 174,722 pages with more and more replicas.

For real, pages that are 1 ms of sleep; simulated, log-normal costs (sigma 0.8, on
average 1 ms). Batches of 16. Efficiency is the best that any schedule can do, over
what it took: the work divided by the replicas, or the longest page if that is
more."""

import argparse

import benchlib
import schedlib

ORDERS = ('published', 'shuffled', 'largest-first', 'largest-last')
REPLICAS = (4, 8, 16, 32, 64)
TARGETS = {'real': 0.99, 'simulated': 0.995}


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    schedlib.add_options(parser)
    parser.add_argument('--order', action='append', choices=ORDERS,
                        help='only this one (may be repeated)')
    parser.add_argument('--replicas', action='append', type=int, metavar='N',
                        help='only so many (may be repeated)')
    return parser.parse_args()


def efficiency(found):
    return found['bound'] / found['makespan']


def show(found, target):
    """The efficiency, and what bounds it if that is not the work."""
    text = schedlib.percent(efficiency(found))
    if found['ideal'] / found['bound'] < target:
        text += f' of {schedlib.seconds(found["bound"])}'
    return text


def measure(programs, order, replicas):
    common = {'pages': 'corpus', 'order': order, 'replicas': replicas,
              'batch_size': 16, 'item_cost': 1}
    return {'real': programs.sleep(**common, early=False),
            'simulated': programs.simulate(**common, sigma=0.8)}


def main():
    options = parse()
    programs = schedlib.Programs(options.build)
    benchlib.print_command()
    worst = dict.fromkeys(TARGETS, 1)
    schedlib.print_row('order, replicas', *TARGETS, 'real wall')
    for order in options.order or ORDERS:
        for replicas in options.replicas or REPLICAS:
            found = measure(programs, order, replicas)
            for kind, run in found.items():
                worst[kind] = min(worst[kind], efficiency(run))
            schedlib.print_row(
                f'{order}, {replicas}',
                *(show(found[kind], target) for kind, target in TARGETS.items()),
                schedlib.seconds(found['real']['makespan']))
    print('strong scaling: lowest efficiency ' + '; '.join(
        f'{kind} {schedlib.percent(worst[kind])}, target '
        f'{schedlib.percent(target)}: {schedlib.verdict(worst[kind] >= target)}'
        for kind, target in TARGETS.items()))


if __name__ == '__main__':
    main()
