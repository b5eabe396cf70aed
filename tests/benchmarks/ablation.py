#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""What each part of the scheduling gives: 23 distinct documents, each 16 times,
7,072 pages; 4 replicas, batches of up to 64 pages, which cost 30 ms and 2 ms a
page. For real, through elements that sleep, and simulated.

  one document at a time  the next one is opened when the last one is done
  batches of siblings     a batch has pages of one document
  unordered               all documents are open, pages are taken from any
  FIFO                    pages in the order of the source
  fair                    documents take turns, as many as the elements choose

A published run of such a workload took 811 s with batches of siblings, 634 s
unordered and 579 s with FIFO, which is 0.71 of the first."""

import argparse
import tempfile

import benchlib
import schedlib

PAGES = (1, 2, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 26, 30, 35,
         44, 52, 68)
COPIES = 16

ARMS = {
    'one document at a time': {'interleave': 'none', 'max_open': 1},
    'batches of siblings': {'interleave': 'none', 'batching': 'siblings'},
    'unordered': {'interleave': 'fair', 'window': COPIES * len(PAGES)},
    'FIFO': {'interleave': 'none'},
    'fair': {'interleave': 'fair'},
}
# Of the real wall, by the simulated one; and of fair by siblings.
TARGET_REAL = 1.03
TARGET_FAIR = 0.72


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    schedlib.add_options(parser)
    return parser.parse_args()


def columns(found):
    call = found['calls'][0]
    return (schedlib.seconds(found['makespan']), f'{call["batches"]:.0f}',
            schedlib.percent(call['fill']),
            schedlib.seconds(found['completion']['mean']))


def measure(programs):
    found = {}
    with tempfile.NamedTemporaryFile('w') as pages:
        pages.writelines(f'{count}\n' for count in PAGES * COPIES)
        pages.flush()
        for name, arm in ARMS.items():
            options = {'pages': pages.name, 'order': 'shuffled', 'replicas': 4,
                       'batch_size': 64, 'batch_cost': 30, 'item_cost': 2,
                       **arm}
            found[name] = (programs.sleep(**options),
                           programs.simulate(**options))
            for kind, run in zip(('real', 'simulated'), found[name]):
                schedlib.print_row(f'{name}, {kind}', *columns(run))
    return found


def main():
    options = parse()
    programs = schedlib.Programs(options.build)
    benchlib.print_command()
    schedlib.print_row('', 'wall', 'batches', 'fill', 'mean done')
    found = measure(programs)
    worst = max(real['makespan'] / simulated['makespan']
                for real, simulated in found.values())
    ratio = (found['fair'][0]['makespan']
             / found['batches of siblings'][0]['makespan'])
    print(f'ablation: fair takes {ratio:.3f} of the wall of batches of siblings, '
          f'target {TARGET_FAIR}: {schedlib.verdict(ratio <= TARGET_FAIR)}; '
          f'real walls are at most {worst:.3f} of the simulated, target '
          f'{TARGET_REAL}: {schedlib.verdict(worst <= TARGET_REAL)}')


if __name__ == '__main__':
    main()
