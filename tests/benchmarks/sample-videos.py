#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""One frame a second of 20 videos of 1920x1080 in H.264.

  ffmpeg     xargs -P REPLICAS, ffmpeg -vf fps=1 for each video
  fps        orchvideodecode fps=1/1, all frames in batches of 32
  keyframes  orchvideodecode keyframes=true, where those are enough

All run on the same processors and take turns within a round; the times are
medians, from start to end of the program. Ratios are of wall time. Memory is the
peak of the whole pipeline: on the videos, on each of them ten times, and on one of
an hour.

The videos are made once, in --folder, which takes a minute or two.
"""

import argparse
import json
import os
import sys
import tempfile

import benchlib
import schedlib
import videolib

RATE = 25
BATCH = 32
MOST_TIME = 1.05
LEAST_FILL = 0.95
MOST_MEMORY = 400e6

# Scenes of five seconds, and of how many of them each video consists.
SECONDS = 5
SCENES = tuple(f'{picture}=size=1920x1080:rate={RATE}:duration={SECONDS},'
               f'{noise}setsar=1' for picture, noise in (
                   ('testsrc2', 'noise=alls=8:allf=t:all_seed=1,'),
                   ('testsrc2', 'hue=h=120,'),
                   ('gradients', 'noise=alls=4:allf=t:all_seed=2,'),
                   ('testsrc2', 'vflip,noise=alls=12:allf=t:all_seed=3,'),
                   ('smptehdbars', 'scroll=h=0.01:v=0.003,')))
# There are 255 frames to take, so that the last batch is nearly full, too.
PARTS = (1, 3, 1, 2, 1, 8, 2, 1, 4, 1, 2, 1, 6, 2, 1, 4, 3, 1, 4, 3)

# An hour at a frame a second, with a key frame twice a minute.
LONG = 'testsrc2=size=1920x1080:rate=1:duration=300,setsar=1'
LONG_PARTS = 12

# How often each video is read to see the memory of many.
TIMES = 10

# A frame is a unit of its own, so that batches are of frames of any videos.  They are
# scaled, as a model would have them, which ffmpeg is not asked for; the budget holds
# two batches.
LINE = ('orchsrc list={folder}/list ! '
        'orchvideoclips boundaries=fixed clip-duration={clip} ! orchexpand ! '
        'orchvideodecode {sampling} height=720 format=I420 replicas={replicas} ! '
        'orchexpand ! orchtestwork name=batches drop=* batch-size={batch} '
        'max-wait=60000000000 max-bytes=128000000 ! orchreduce ! orchreduce ! '
        'orchsink location={folder}/out.jsonl existing=overwrite')
RUNSTATS = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        'runstats.py')
SAMPLING = {'fps': 'fps=1/1', 'keyframes': 'keyframes=true'}


def make_videos(folder):
    scenes = [videolib.encode(os.path.join(folder, f'scene{number}.mp4'), graph)
              for number, graph in enumerate(SCENES)]
    return [videolib.join(
        os.path.join(folder, f'video{number:02}-{parts * SECONDS}s.mp4'),
        [scenes[(number + part) % len(scenes)] for part in range(parts)])
        for number, parts in enumerate(PARTS)]


def make_long(folder):
    scene = videolib.encode(os.path.join(folder, 'slow.mp4'), LONG,
                            ['-g', '30'])
    return videolib.join(os.path.join(folder, 'hour.mp4'), [scene] * LONG_PARTS)


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--folder', metavar='FOLDER',
                        default=videolib.default_folder(
                            os.path.join(schedlib.TREE, 'build')),
                        help='where the videos are kept (default: in build)')
    parser.add_argument('--replicas', type=int, default=2, metavar='N',
                        help='and processors to use (default: 2)')
    parser.add_argument('--rounds', type=int, default=3, metavar='N',
                        help='(default: 3)')
    parser.add_argument('--clip', type=float, default=10, metavar='SECONDS',
                        help='length of the clips (default: 10)')
    parser.add_argument('--only', choices=('time', 'memory'),
                        help='only this')
    return parser.parse_args()


# ---- the two ways ----

def run_ffmpeg(options, paths):
    names = '\n'.join(paths).encode()
    with tempfile.TemporaryFile() as file:
        file.write(names)
        file.seek(0)
        return benchlib.run(
            ['xargs', '-d', '\n', '-P', str(options.replicas), '-I', '{}',
             'ffmpeg', '-v', 'error', '-nostdin', '-i', '{}', '-vf', 'fps=1',
             '-f', 'null', '-'],
            benchlib.processors(options.replicas), stdin=file)


def check(records, count):
    if len(records) != count:
        sys.exit(f'{len(records)} records of {count} videos')
    for record in records:
        if not record['complete']:
            sys.exit(f'{record["uri"]}: {record["summary"]}')


def run_orch(options, way, paths):
    """The cost, and the frames and batches that there were."""
    with tempfile.TemporaryDirectory(prefix='sample-videos-') as folder:
        with open(os.path.join(folder, 'list'), 'w', encoding='utf-8') as file:
            file.writelines(f'{path}\n' for path in paths)
        line = LINE.format(
            folder=folder, sampling=SAMPLING[way], replicas=options.replicas,
            clip=int(options.clip * 1e9), batch=BATCH)
        with open(os.path.join(folder, 'stats'), 'w+', encoding='utf-8') as file:
            cost = benchlib.run([sys.executable, RUNSTATS, 'batches', line],
                                benchlib.processors(options.replicas),
                                stdout=file)
            file.seek(0)
            stats = json.load(file)
        check(benchlib.read_records(os.path.join(folder, 'out.jsonl')),
              len(paths))
    return cost, stats


def fill(stats):
    return stats['units'] / (stats['batches'] * BATCH)


# ---- what is measured ----

def compare(options, paths):
    costs = {way: [] for way in ('ffmpeg', *SAMPLING)}
    fills = []
    for number in range(1, options.rounds + 1):
        costs['ffmpeg'].append(run_ffmpeg(options, paths))
        for way in SAMPLING:
            cost, stats = run_orch(options, way, paths)
            costs[way].append(cost)
            fills.append(fill(stats))
        print(f'round {number}:', ', '.join(
            f'{way} {column[-1].wall:.2f} s ({column[-1].cpu:.2f} s CPU)'
            for way, column in costs.items()), flush=True)
    medians = {way: benchlib.median(column) for way, column in costs.items()}
    ratios = {way: medians[way].wall / medians['ffmpeg'].wall
              for way in SAMPLING}
    print(f'sample videos: ratio {ratios["fps"]:.3f} of wall time '
          f'({medians["fps"].cpu / medians["ffmpeg"].cpu:.3f} of processor '
          f'time), target {MOST_TIME}: '
          f'{schedlib.verdict(ratios["fps"] <= MOST_TIME)}; key frames '
          f'{ratios["keyframes"]:.3f}; lowest fill of batches '
          f'{schedlib.percent(min(fills))}, target '
          f'{schedlib.percent(LEAST_FILL)}: '
          f'{schedlib.verdict(min(fills) >= LEAST_FILL)}')


def measure_memory(options, paths, hour):
    workloads = {
        'the videos': ('fps', paths),
        f'each of them {TIMES} times': ('keyframes', link_copies(paths)),
        'an hour': ('fps', [hour]),
    }
    peaks = []
    for name, (way, names) in workloads.items():
        cost, stats = run_orch(options, way, names)
        peaks.append(cost.peak)
        print(f'memory, {name}: peak {cost.peak / 1e6:.0f} MB; '
              f'{stats["units"]} frames', flush=True)
    print(f'peak memory of videos: {max(peaks) / 1e6:.0f} MB, target '
          f'{MOST_MEMORY / 1e6:.0f} MB: '
          f'{schedlib.verdict(max(peaks) < MOST_MEMORY)}')


def link_copies(paths):
    """The same files under other names, since a document is read once."""
    copies = []
    for number in range(TIMES):
        for path in paths:
            folder = os.path.join(os.path.dirname(path), f'copy{number}')
            os.makedirs(folder, exist_ok=True)
            copies.append(os.path.join(folder, os.path.basename(path)))
            if not os.path.lexists(copies[-1]):
                os.symlink(path, copies[-1])
    return copies


def main():
    options = parse()
    videolib.need(['orchvideodecode', 'orchtestwork'])
    benchlib.print_command()
    paths = make_videos(options.folder)
    print(f'{len(paths)} videos, {sum(PARTS) * SECONDS} s of 1920x1080 at '
          f'{RATE} frames a second', flush=True)
    if options.only != 'memory':
        compare(options, paths)
    if options.only != 'time':
        measure_memory(options, paths, make_long(options.folder))


if __name__ == '__main__':
    main()
