#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Frames of videos: our pipeline against the program it replaces.

From VIDEOS generated ones of 1920 x 1080 pixels, H.264, one frame a second:
`video-clips` and `video-decode` with REPLICAS replicas, against `xargs -P REPLICAS`
over `ffmpeg -threads 1 -vf fps=1 -f null`, on the same processors, in turns. And the
memory that it takes.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import benchlib

TARGET = 1.05
MEMORY = 400e6

PIPELINE = ('orchsrc location={folder}/*.mp4 ! orchvideoclips ! orchexpand '
            '! orchvideodecode replicas={replicas} fps=1/1 format=I420 ! fakesink')
PROGRAM = ('ls {folder}/*.mp4 | xargs -P {replicas} -I FILE '
           'ffmpeg -v error -nostdin -threads 1 -i FILE -vf fps=1 -f null -')
WAYS = ('gst-orch', 'ffmpeg')


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--videos', type=int, default=20, metavar='N')
    parser.add_argument('--seconds', type=int, default=30, metavar='N',
                        help='of each video (default: 30)')
    parser.add_argument('--replicas', type=int, default=2, metavar='N')
    parser.add_argument('--rounds', type=int, default=3, metavar='N')
    return parser.parse_args()


def generate(folder, options):
    for number in range(options.videos):
        path = os.path.join(folder, f'{number:03}.mp4')
        if number < 4:
            subprocess.run(['ffmpeg', '-v', 'error', '-f', 'lavfi', '-i',
                            'testsrc2=size=1920x1080:rate=30'
                            f':duration={options.seconds}', '-vf', f'hue=h={90 * number}',
                            '-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '4M', path],
                           check=True)
        else:
            os.link(os.path.join(folder, f'{number % 4:03}.mp4'), path)


def run(way, folder, options):
    values = {'folder': folder, 'replicas': options.replicas}
    words = (benchlib.launch(PIPELINE.format(**values), '-q') if way == 'gst-orch'
             else ['sh', '-c', PROGRAM.format(**values)])
    return benchlib.run(words, benchlib.processors(options.replicas))


def measure(folder, options):
    costs = {way: [] for way in WAYS}
    for number in range(1, options.rounds + 1):
        for way, column in costs.items():
            column.append(run(way, folder, options))
        print(f'round {number}:', ', '.join(
            f'{way} {column[-1].wall:.2f} s ({column[-1].cpu:.2f} s of processors)'
            for way, column in costs.items()), flush=True)
    return {way: benchlib.median(column) for way, column in costs.items()}


def main():
    options = parse()
    benchlib.need(['ffmpeg', 'xargs'], ['orchvideodecode'])
    benchlib.print_command()
    with tempfile.TemporaryDirectory(prefix='bench-video-') as folder:
        generate(folder, options)
        medians = measure(folder, options)
    ours, theirs = (medians[way] for way in WAYS)
    ratio = ours.wall / theirs.wall
    print(f'ratio {ratio:.3f} (of processor time {ours.cpu / theirs.cpu:.3f}), '
          f'target {TARGET}; memory {ours.peak / 1e6:.0f} MB, target '
          f'{MEMORY / 1e6:.0f} MB')
    return not (ratio <= TARGET and ours.peak < MEMORY)


if __name__ == '__main__':
    sys.exit(main())
