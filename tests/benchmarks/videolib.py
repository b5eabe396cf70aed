# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Videos that ffmpeg makes for the benchmarks."""

import os
import subprocess

import benchlib

# As most files are: B-frames, a key frame only where something is new, and no more
# bits than a network gives.
H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-threads', '2',
        '-maxrate', '8M', '-bufsize', '16M', '-pix_fmt', 'yuv420p']


def ffmpeg(*words):
    subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-y', *words],
                   check=True)


def make_once(path, make):
    """`make` writes to another name, so that half a file is never taken for a
    whole one."""
    if os.path.exists(path):
        return path
    os.makedirs(os.path.dirname(path), exist_ok=True)
    stem, extension = os.path.splitext(path)
    unfinished = f'{stem}.unfinished{extension}'
    make(unfinished)
    os.rename(unfinished, path)
    return path


def encode(path, graph, options=()):
    """What a graph of filters shows, in H.264."""
    return make_once(path, lambda name: ffmpeg(
        '-filter_complex', f'{graph}[out]', '-map', '[out]', *H264, *options,
        name))


def join(path, parts):
    """Videos one after the other, without encoding them again."""
    def make(name):
        names = f'{path}.parts'
        with open(names, 'w', encoding='utf-8') as file:
            file.writelines(f"file '{part}'\n" for part in parts)
        ffmpeg('-f', 'concat', '-safe', '0', '-i', names, '-c', 'copy', name)
        os.unlink(names)
    return make_once(path, make)


def default_folder(build):
    return os.path.join(build, 'tests', 'benchmarks', 'videos')


def probe(path, entries):
    """The values of ffprobe's entries of the first video stream."""
    done = subprocess.run(
        ['ffprobe', '-v', 'error', '-select_streams', 'v:0', '-show_entries',
         f'stream={entries}', '-of', 'csv=p=0', path], capture_output=True,
        text=True, check=True)
    return done.stdout.strip().rstrip(',').split(',')


def need(elements):
    benchlib.need(['ffmpeg', 'ffprobe'], elements)
