#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""samplevideos.py FOLDER: makes the videos that tools/demo-video reads, with
ffmpeg."""

import argparse
import os
import shutil
import subprocess
import sys

SIZE = '480x270'
RATE = 25
H264 = ['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'veryfast',
        '-g', str(RATE)]

FRACTAL = f'mandelbrot=size={SIZE}:rate={RATE}:start_scale=2:end_scale=0.02'
LIFE = (f'life=size={SIZE}:rate={RATE}:mold=10:ratio=0.1:random_seed=7:'
        'death_color=#206080:life_color=#ffe080')
CHART = f'testsrc2=size={SIZE}:rate={RATE}'
BLACK = f'color=black:size={SIZE}:rate={RATE}'
TONE = 'sine=frequency=330:sample_rate=44100:duration=9'
FILM = f'gradients=size=480x200:rate={RATE}:seed=3:speed=0.02'


def scene(source, seconds, filters='null'):
    return f'{source},trim=duration={seconds},{filters},setsar=1'


# Each video: its scenes, one after the other.
VIDEOS = {
    'zoom.mp4': [scene(FRACTAL, 9)],       # with sound
    # Black at first, then a chart that stands still after a while.
    'test chart.mkv': [
        scene(BLACK, 3),
        scene(CHART, 6, 'trim=duration=3,tpad=stop_mode=clone:stop_duration=3')],
    'wide film.mp4': [scene(FILM, 4, 'pad=480:270:0:35'),
                      scene(LIFE, 5)],
}


def make(path, scenes, sound=()):
    graph = ';'.join(f'{text}[s{number}]' for number, text in enumerate(scenes))
    labels = ''.join(f'[s{number}]' for number in range(len(scenes)))
    graph += f';{labels}concat=n={len(scenes)}[out]'
    subprocess.run(['ffmpeg', '-v', 'error', '-y', *sound, '-filter_complex',
                    graph, '-map', '[out]', *(['-map', '0:a'] if sound else []),
                    *H264, path], check=True)


def make_broken(path, whole):
    """As a download that was not finished."""
    with open(whole, 'rb') as file:
        data = file.read()
    with open(path, 'wb') as file:
        file.write(data[:len(data) // 2])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('folder', help='where to write them')
    folder = parser.parse_args().folder
    if not shutil.which('ffmpeg'):
        sys.exit('samplevideos.py needs the program ffmpeg: apt-get install '
                 'ffmpeg')
    os.makedirs(folder, exist_ok=True)
    for name, scenes in VIDEOS.items():
        make(os.path.join(folder, name), scenes,
             ['-f', 'lavfi', '-i', TONE] if name == 'zoom.mp4' else ())
    make_broken(os.path.join(folder, 'unfinished download.mp4'),
                os.path.join(folder, 'zoom.mp4'))


if __name__ == '__main__':
    main()
