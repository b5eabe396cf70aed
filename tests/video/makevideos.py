#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Small videos for tests, good and bad ones, made by ffmpeg.

    makevideos.py OUTDIR [NAMES...]   writes OUTDIR/NAME (default: all)
    makevideos.py --outputs           names of the files, on one line

Each frame shows its number: 16 columns in the upper third, bright for a bit that
is set, the lowest bit first; the same columns inverted in the middle third; and
below them noise, so that a frame has some bytes.
"""

import os
import random
import subprocess
import sys

WIDTH, HEIGHT = 320, 180
RATE = 30
BITS = 16

X264 = ["-c:v", "libx264", "-preset", "veryfast", "-threads", "1"]
BFRAMES = ["-g", "30", "-bf", "3", "-sc_threshold", "0"]
OPEN = ["-x264-params", "open-gop=1:bframes=3:keyint=30:scenecut=0"]
X265 = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "log-level=error:pools=none:frame-threads=1:keyint=30:bframes=3"]
FASTSTART = ["-movflags", "+faststart"]
TONE = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration="]


def frame(number, width=WIDTH, height=HEIGHT, noise=random.Random(1).randbytes(1 << 17)):
    """One frame of 8-bit grey."""
    bits = [number >> bit & 1 for bit in range(BITS)]
    row = bytes(208 if bits[x * BITS // width] else 48 for x in range(width))
    inverse = bytes(256 - value for value in row)
    third = height // 3
    start = number * 4099 % (len(noise) // 2)
    texture = bytes(96 + (value & 31) for value in noise[start:start + width])
    return row * third + inverse * third + texture * (height - 2 * third)


def run(*arguments, data=None):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *arguments], input=data, check=True)


def encode(path, options, frames=90, width=WIDTH, height=HEIGHT, audio=None, rate=RATE):
    data = b"".join(frame(number, width, height) for number in range(frames))
    sound = [*TONE[:3], TONE[3] + str(audio)] if audio else []
    run("-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{width}x{height}", "-r", str(rate),
        "-i", "-", *sound, "-pix_fmt", "yuv420p", *options, path, data=data)


def simple(options, **keywords):
    return lambda path, _: encode(path, options, **keywords)


FILES = {
    "closed.mp4": simple(X264 + BFRAMES),
    "open.mp4": simple(X264 + OPEN),
    "open.mkv": simple(X264 + OPEN),
    "open.ts": simple(X264 + OPEN),
}


def make(folder, name):
    path = os.path.join(folder, name)
    FILES[name](path, lambda other: os.path.join(folder, other))


def main(arguments):
    if arguments == ["--outputs"]:
        print(*FILES)
        return 0
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    for name in arguments[1:] or FILES:
        make(arguments[0], name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
