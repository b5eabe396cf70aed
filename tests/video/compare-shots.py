#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The shots of orchvideoclips beside those of PySceneDetect's detect-content.

    compare-shots.py [VIDEOS...]      (default: generated ones)

Needs the Python package scenedetect, and is skipped without it.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

try:
    from scenedetect import SceneManager, open_video
    from scenedetect.detectors import ContentDetector
except ImportError:
    print('scenedetect is not installed: pip install scenedetect')
    sys.exit(77)

MIN_SECONDS = 0.6
SIZE = '640x360'
SEED = 7


def sources(chance):
    """Pictures of ffmpeg that move, and some that do not."""
    colour = f'0x{chance.randrange(1 << 24):06x}'
    return [f'color=c={colour}:s={SIZE}', f'testsrc2=s={SIZE}', f'smptebars=s={SIZE}',
            f'mandelbrot=s={SIZE}:start_scale={chance.uniform(0.01, 3)}',
            f'gradients=s={SIZE}:seed={chance.randrange(1000)}',
            f'cellauto=s={SIZE}:seed={chance.randrange(99)}']


def generate(path, chance, n_shots=15):
    inputs, graph = [], ''
    for number in range(n_shots):
        inputs += ['-f', 'lavfi', '-t', f'{chance.uniform(0.2, 2):.2f}',
                   '-i', chance.choice(sources(chance))]
        graph += f'[{number}:v]format=yuv420p,setsar=1,fps=30,scale=640:360[v{number}];'
    graph += ''.join(f'[v{number}]' for number in range(n_shots))
    subprocess.run(['ffmpeg', '-v', 'error', '-y', *inputs, '-filter_complex',
                    f'{graph}concat=n={n_shots}[v]', '-map', '[v]', '-c:v', 'libx264',
                    '-preset', 'veryfast', path], check=True)


def cuts_of_scenedetect(path):
    """Also the length of a frame, in seconds."""
    video = open_video(path)
    manager = SceneManager()
    manager.add_detector(ContentDetector(min_scene_len=MIN_SECONDS))
    manager.detect_scenes(video)
    starts = [scene[0].get_seconds() for scene in manager.get_scene_list()]
    return starts[1:], 1 / float(video.frame_rate)


def cuts_of_orch(path, folder):
    out = os.path.join(folder, 'out.jsonl')
    subprocess.run(
        ['gst-launch-1.0', '-q', 'orchsrc', f'location={path}', '!', 'orchvideoclips',
         'boundaries=shots', f'min-duration={int(MIN_SECONDS * 1e9)}', '!', 'orchexpand', '!',
         'orchvideodecode', 'frames=1', 'width=64', '!', 'orchexpand', '!', 'orchframestats',
         '!', 'orchreduce', '!', 'orchreduce', '!', 'orchsink', f'location={out}',
         'existing=overwrite'], check=True)
    with open(out, encoding='utf-8') as file:
        record = json.loads(file.readline())
    return [clip['info']['start'] / 1e9 for clip in record['content']][1:]


def compare(path, folder):
    """How many cuts each finds, and how many both do, within a frame."""
    expected, frame = cuts_of_scenedetect(path)
    found = cuts_of_orch(path, folder)
    both = sum(any(abs(cut - other) <= 1.01 * frame for other in found) for cut in expected)
    print(f'{os.path.basename(path)}: scenedetect {len(expected)}, orch {len(found)}, '
          f'both {both}')
    return len(expected), len(found), both


def main(paths):
    chance = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        if not paths:
            paths = [os.path.join(folder, f'{number}.mp4') for number in range(3)]
            for path in paths:
                generate(path, chance)
        totals = [sum(column) for column in zip(*(compare(path, folder) for path in paths))]
    score = 2 * totals[2] / max(totals[0] + totals[1], 1)
    print(f'F1 {score:.4f}')
    return 0 if score >= 0.95 else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
