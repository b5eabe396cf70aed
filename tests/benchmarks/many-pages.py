#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Many pages, for real: 174,722 of them in 3,689 documents, each of which costs one
of 32 replicas 10 ms of sleep. What the elements add to the ideal of 54.6 s is their
own. Published for the same: RayOrch 287 to 432 s, Ray Data 106 s."""

import argparse

import benchlib
import schedlib

TARGET = 1.02


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    schedlib.add_options(parser)
    parser.add_argument('--replicas', type=int, default=32, metavar='N',
                        help='(default: 32)')
    parser.add_argument('--item-cost', type=float, default=10, metavar='MS',
                        help='of a page (default: 10)')
    parser.add_argument('--batch-size', type=int, default=16, metavar='N',
                        help='(default: 16)')
    return parser.parse_args()


def main():
    options = parse()
    programs = schedlib.Programs(options.build)
    benchlib.print_command()
    found = programs.sleep(pages='corpus', replicas=options.replicas,
                           item_cost=options.item_cost,
                           batch_size=options.batch_size)
    call = found['calls'][0]
    ratio = found['makespan'] / found['ideal']
    print(f'many pages: {found["children"]} pages of {options.item_cost:g} ms in '
          f'{found["parents"]} documents, {options.replicas} replicas, '
          f'{call["batches"]:.0f} batches filled to '
          f'{schedlib.percent(call["fill"])}: {found["makespan"]:.2f} s wall, '
          f'ideal {found["ideal"]:.2f} s; ratio {ratio:.4f}; target {TARGET}: '
          f'{schedlib.verdict(ratio <= TARGET)}')


if __name__ == '__main__':
    main()
