#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""What elements cost in a Call: JPEG pictures decoded by jpegdec in a pipeline, and
by jpegdec in orchgst.

  direct   jpegdec itself, behind a queue: it has a thread of its own in orchgst, too
  orchgst  one replica, whose elements are used again
  anew     one replica, with new elements for each picture (reuse=never)
  many     REPLICAS threads
  process  REPLICAS worker processes

All run on the same processors, one after the other, in each round; the times are
medians, from start to end of the program. Ratios are of pictures a second, and of
processor time for each, those of jpegdec itself being 1.
"""

import argparse
import os
import sys
import tempfile

import benchlib

# Width and height, and the most processor time that one replica may take.
PICTURES = {'large': (1920, 1080, 1.05), 'small': (160, 120, None)}

SOURCE = ('multifilesrc location={folder}/{name}.jpg num-buffers={count} '
          'caps=image/jpeg,framerate=25/1 ! ')
SINK = ' ! fakesink sync=false async=false'
WAYS = {
    'direct': 'queue ! jpegdec',
    'orchgst': 'orchgst bin=jpegdec',
    'anew': 'orchgst bin=jpegdec reuse=never',
    'many': 'orchgst bin=jpegdec replicas={replicas}',
    'process': 'orchgst bin=jpegdec replicas={replicas} workers=process',
}


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--large', type=int, default=600, metavar='N',
                        help='pictures of 1920x1080 (default: 600)')
    parser.add_argument('--small', type=int, default=20000, metavar='N',
                        help='pictures of 160x120 (default: 20000)')
    parser.add_argument('--replicas', type=int, default=2, metavar='N',
                        help='and processors to use (default: 2)')
    parser.add_argument('--rounds', type=int, default=5, metavar='N',
                        help='(default: 5)')
    return parser.parse_args()


def make_picture(folder, name):
    width, height, _ = PICTURES[name]
    benchlib.run(benchlib.launch(
        f'videotestsrc num-buffers=1 ! video/x-raw,width={width},'
        f'height={height} ! jpegenc ! filesink location={folder}/{name}.jpg',
        '-q'))


def run(options, way, name, folder):
    line = (SOURCE + WAYS[way] + SINK).format(
        folder=folder, name=name, count=getattr(options, name),
        replicas=options.replicas)
    return benchlib.run(benchlib.launch(line, '-q'),
                        benchlib.processors(options.replicas))


def measure(options, name, folder):
    """Ends with what it comes to: whether the target is met."""
    costs = {way: [] for way in WAYS}
    for number in range(1, options.rounds + 1):
        for way, column in costs.items():
            column.append(run(options, way, name, folder))
        print(f'{name}, round {number}:', ', '.join(
            f'{way} {column[-1].wall:.2f} s'
            for way, column in costs.items()), flush=True)
    medians = {way: benchlib.median(column) for way, column in costs.items()}
    count, target = getattr(options, name), PICTURES[name][2]
    direct = medians['direct']
    for way, cost in medians.items():
        print(f'{name}, {way}: {count / cost.wall:.0f} pictures a second (ratio '
              f'{direct.wall / cost.wall:.2f}), {cost.cpu / count * 1e6:.0f} us of '
              f'processor time each (ratio {cost.cpu / direct.cpu:.2f})')
    ratio = medians['orchgst'].cpu / direct.cpu
    if target:
        print(f'{name}: ratio of processor time {ratio:.3f}, target {target}: '
              f'{"met" if ratio <= target else "missed"}', flush=True)
    return not target or ratio <= target


def main():
    options = parse()
    benchlib.need([], ['orchgst', 'jpegdec', 'jpegenc', 'multifilesrc'])
    benchlib.print_command()
    met = True
    with tempfile.TemporaryDirectory(prefix='bench-gst-') as folder:
        for name in PICTURES:
            make_picture(folder, name)
            assert os.path.getsize(os.path.join(folder, f'{name}.jpg'))
            met = measure(options, name, folder) and met
    return not met


if __name__ == '__main__':
    sys.exit(main())
