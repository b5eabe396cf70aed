#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The published failure workload: 1,885 documents with 45,485 pages; a page of each
of the 99 longest, which have 51.9 % of the pages, is poisoned; 4 replicas, batches
of 48 pages. RayOrch prevented 26.5 % of the pages that failed with their document,
and saved 14.9 % of the time of a clean run.

One thing after the other is switched on: simulated with 50 ms a page, once with the
published bound of 128 ready pages and once with the elements' own bounds, and for
real with --item-cost, through elements that sleep. Elements prune unless a branch wants
what it gets, as one does in the rows before. Each run checks that every healthy
document comes out whole and in order, and ends with an error otherwise.

"prevented" is of the pages behind the poisoned one."""

import argparse

import benchlib
import schedlib

ORDERS = ('published', 'shuffled')
SIMULATED_COST = 50

# What orchsrc lets in by default: as many documents as pages are in flight.
OPEN = 4 * 48
SOURCE = {'interleave': 'none'}
ROWS = {
    'source order, late reports': {**SOURCE, 'early': False, 'prune': False},
    '+ early reports': {**SOURCE, 'prune': False},
    '+ fair': {'prune': False},
    '+ pruning': {},
    'record failures': {'failure': 'record'},
    'random page': {'poison': 'random'},
    'random page, record failures': {'poison': 'random', 'failure': 'record'},
}


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    schedlib.add_options(parser)
    parser.add_argument('--item-cost', type=float, default=2, metavar='MS',
                        help='of a page in real runs (default: 2)')
    parser.add_argument('--only-simulated', action='store_true',
                        help='no real runs')
    return parser.parse_args()


def figures(run, clean):
    return {'prevented': run['calls'][0]['prevented-behind'],
            'saved': 1 - run['makespan'] / clean['makespan']}


class Measurement:
    def __init__(self, run, bounds, **common):
        bounded = {**common, **bounds}
        self.clean = run(**bounded)
        self.rows = {}
        for name, row in ROWS.items():
            row = {'failure': 'group', **row}
            self.rows[name] = figures(run(**bounded, **row), self.clean)
        source = run(**common, **SOURCE)
        shortest = run(**common, interleave='shortest', window=256)
        self.shortest = (shortest['completion']['mean']
                         / source['completion']['mean'])

    def checks(self):
        for name, figure, target in (
                ('+ pruning', 'prevented', 0.98), ('+ pruning', 'saved', 0.5),
                ('record failures', 'prevented', 0.98),
                ('random page', 'prevented', 0.85),
                ('random page, record failures', 'prevented', 0.85)):
            value = self.rows[name][figure]
            yield (f'{name.lstrip("+ ")} {figure}', schedlib.percent(value),
                   f'{100 * target:.0f} %', value >= target)
        excess = self.clean['makespan'] / self.clean['ideal'] - 1
        yield ('clean run above the ideal', schedlib.percent(excess), '0.5 %',
               excess <= 0.005)
        yield ('mean completion of shortest by source order',
               f'{self.shortest:.3f}', '0.5', self.shortest <= 0.5)


def print_rows(order, found):
    schedlib.print_row(f'{order} order', *(
        name for kind in found for name in (kind, 'saved')))
    for name in ROWS:
        schedlib.print_row(name, *(
            schedlib.percent(figure) for measured in found.values()
            for figure in measured.rows[name].values()))


def measure(programs, order, options):
    simulated = {'order': order, 'item_cost': SIMULATED_COST}
    found = {
        '128 ready': Measurement(programs.simulate, {'max_ready': 128},
                                 **simulated),
        'simulated': Measurement(programs.simulate, {'max_open': OPEN},
                                 **simulated),
    }
    if not options.only_simulated:
        found['real'] = Measurement(programs.sleep, {'max_open': OPEN},
                                    order=order, item_cost=options.item_cost)
    return found


def main():
    options = parse()
    programs = schedlib.Programs(options.build)
    benchlib.print_command()
    for order in ORDERS:
        found = measure(programs, order, options)
        print_rows(order, found)
        for kind, measured in found.items():
            print(f'failure workload, {order} order, {kind}: ' + '; '.join(
                f'{name} {figure}, target {target}: {schedlib.verdict(is_met)}'
                for name, figure, target, is_met in measured.checks()),
                flush=True)


if __name__ == '__main__':
    main()
