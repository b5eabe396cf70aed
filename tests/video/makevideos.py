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
BFRAMES = ["-g", "30", "-bf", "3", "-b_strategy", "0", "-sc_threshold", "0"]
OPEN = ["-x264-params", "open-gop=1:bframes=3:b-adapt=0:keyint=30:scenecut=0"]
X265 = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "log-level=error:pools=none:frame-threads=1:keyint=30:bframes=3:b-adapt=0"]
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
    subprocess.run(["ffmpeg", "-v", "error", "-y", *arguments], input=data, check=True,
                   env=dict(os.environ, SVT_LOG="1"))


def encode(path, options, frames=90, width=WIDTH, height=HEIGHT, audio=None, rate=RATE):
    data = b"".join(frame(number, width, height) for number in range(frames))
    sound = [*TONE[:3], TONE[3] + str(audio)] if audio else []
    run("-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{width}x{height}", "-r", str(rate),
        "-i", "-", *sound, "-pix_fmt", "yuv420p", *options, path, data=data)


def shots(cuts, options):
    """90 flat frames; at each cut dark ones follow bright ones, or the reverse."""
    def work(path, _):
        data = b"".join(bytes([200 if sum(cut <= number for cut in cuts) % 2 else 60])
                        * (WIDTH * HEIGHT) for number in range(90))
        run("-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{WIDTH}x{HEIGHT}", "-r", str(RATE),
            "-i", "-", "-pix_fmt", "yuv420p", *options, path, data=data)
    return work


def simple(options, **keywords):
    return lambda path, _: encode(path, options, **keywords)


def copy(source, options, *before):
    """Another container, or part of a file, without coding again."""
    return lambda path, other: run(*before, "-i", other(source), "-map", "0", "-c", "copy",
                                   *options, path)


def change(source, function):
    """Other bytes."""
    def work(path, other):
        with open(other(source), "rb") as file:
            data = bytearray(file.read())
        with open(path, "wb") as file:
            file.write(function(data))
    return work


def overwrite(start, end):
    """Random bytes in place of a part of the file, given in shares of its length."""
    def work(data):
        first, last = int(len(data) * start), int(len(data) * end)
        data[first:last] = random.Random(2).randbytes(last - first)
        return data
    return work


def zero(start):
    def work(data):
        first = int(len(data) * start)
        return data[:first] + bytes(len(data) - first)
    return work


def without_moov(data):
    at = data.index(b"moov")
    return data[:at - 4] + data[at - 4:].replace(b"moov", b"junk", 1)


def no_duration(path, _):
    """What a program writes that cannot seek: no duration, no index."""
    data = b"".join(frame(number) for number in range(90))
    with open(path, "wb") as file:
        subprocess.run(["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "gray",
                        "-s", f"{WIDTH}x{HEIGHT}", "-r", str(RATE), "-i", "-",
                        "-pix_fmt", "yuv420p", *VP8, "-f", "webm", "-"],
                       input=data, stdout=file, check=True)


def cover(path, other):
    """A picture that is larger than the video."""
    run("-i", other("closed.mp4"), "-i", other("cover.png"), "-map", "0", "-map", "1",
        "-c", "copy", "-disposition:v:1", "attached_pic", path)


def cover_of_audio(path, other):
    run(*TONE[:3], TONE[3] + "1", "-i", other("cover.png"), "-map", "0", "-map", "1",
        "-c:a", "libmp3lame", "-c:v", "copy", "-id3v2_version", "3", path)


def two_videos(path, other):
    run("-i", other("small.mp4"), "-i", other("closed.mp4"), "-map", "0", "-map", "1",
        "-c", "copy", path)


def text(content):
    def work(path, _):
        with open(path, "wb") as file:
            file.write(content)
    return work


VP8 = ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-g", "30",
       "-auto-alt-ref", "1", "-lag-in-frames", "10", "-b:v", "500k"]
VP9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g", "30",
       "-lag-in-frames", "10", "-auto-alt-ref", "1", "-b:v", "500k"]
AV1 = ["-c:v", "libsvtav1", "-preset", "12", "-g", "30", "-svtav1-params", "lp=1"]
MPEG2 = ["-c:v", "mpeg2video", "-q:v", "3", "-g", "15", "-bf", "2"]
# Frame n is at n^2 / 90 seconds, in milliseconds.
VARIABLE = ["-vf", "settb=1/1000,setpts=N*N*1000/90", "-fps_mode", "passthrough",
            "-enc_time_base", "1/1000"]

FILES = {
    # Codecs and containers.
    "closed.mp4": simple(X264 + BFRAMES + FASTSTART),
    "closed.mov": copy("closed.mp4", []),
    "closed.avi": copy("closed.mp4", ["-bsf:v", "h264_mp4toannexb"]),
    "fragmented.mp4": copy("closed.mp4", ["-movflags", "frag_keyframe+empty_moov"]),
    "open.mp4": simple(X264 + OPEN + FASTSTART),
    "open.mkv": copy("open.mp4", []),
    "open.ts": copy("open.mp4", []),
    "hevc.mp4": simple(X265 + FASTSTART),
    "hevc.mkv": copy("hevc.mp4", []),
    "hevc.ts": copy("hevc.mp4", []),
    "vp8.webm": simple(VP8),
    "vp9.webm": simple(VP9),
    "av1.mp4": simple(AV1),
    "av1.mkv": copy("av1.mp4", []),
    "mpeg2.ts": simple(MPEG2),
    "mpeg2.mpg": simple(MPEG2),
    "mpeg4.avi": simple(["-c:v", "mpeg4", "-q:v", "3", "-g", "15", "-bf", "2"]),
    "mjpeg.avi": simple(["-c:v", "mjpeg", "-q:v", "3"]),
    "mjpeg.mov": copy("mjpeg.avi", []),
    "raw.h264": copy("closed.mp4", []),
    "flv.flv": copy("closed.mp4", []),
    # Pictures.
    "ten-bit.mp4": simple(X264 + BFRAMES + ["-pix_fmt", "yuv420p10le"]),
    "interlaced.ts": simple(MPEG2 + ["-flags", "+ildct+ilme"]),
    "interlaced.mp4": simple(X264 + BFRAMES + ["-x264-params", "tff=1"]),
    "odd.mkv": simple(X264 + BFRAMES + ["-pix_fmt", "yuv444p"], width=321, height=181),
    "8k.mp4": simple(X264 + ["-preset", "ultrafast"], frames=2, width=7680, height=4320),
    "intra-refresh.mp4": simple(X264 + ["-x264-params", "intra-refresh=1:keyint=30"]),
    "small.mp4": simple(X264 + BFRAMES, frames=10, width=160, height=90),
    "rotated.mp4": copy("closed.mp4", ["-metadata:s:v:0", "rotate=270"]),
    "anamorphic.mp4": simple(X264 + ["-vf", "setsar=2/1"], frames=10),
    # Times.
    "thirty-one.mp4": simple(X264 + BFRAMES, frames=31),
    "one-frame.mp4": simple(X264, frames=1),
    "one-frame.mkv": copy("one-frame.mp4", []),
    "variable.mkv": simple(X264 + BFRAMES + VARIABLE),
    "variable.mp4": simple(X264 + BFRAMES + VARIABLE),
    "film-rate.mp4": simple(X264 + BFRAMES, rate="24000/1001"),
    "audio-longer.mkv": simple(X264 + BFRAMES, audio=6),
    "audio-longer.mp4": simple(X264 + BFRAMES, audio=6),
    "late.mkv": simple(X264 + BFRAMES + ["-filter:v", "setpts=PTS+2/TB", "-fps_mode",
                                         "passthrough"], audio=6),
    "negative.mp4": copy("closed.mp4", ["-avoid_negative_ts", "disabled"],
                         "-itsoffset", "-0.5"),
    "edit-list.mp4": copy("closed.mp4", [], "-ss", "0.5", "-t", "1"),
    "no-duration.webm": no_duration,
    # Streams.
    "cover.png": simple(["-frames:v", "1"], frames=1, width=640, height=360),
    "cover.mp3": cover_of_audio,
    "cover.mp4": cover,
    "two-videos.mkv": two_videos,
    # Shots.
    "one-colour.mp4": shots([], X264 + BFRAMES),
    "shots.mp4": shots([2, 40, 89], X264 + BFRAMES),
    "flash.mp4": shots([30, 60, 62, 64], X264 + BFRAMES),
    "shots-variable.mkv": shots([20, 60], X264 + BFRAMES + VARIABLE),
    # Damage.
    "zeroed.mp4": change("closed.mp4", zero(0.7)),
    "truncated.mp4": change("closed.mp4", lambda data: data[:len(data) * 6 // 10]),
    "truncated.mkv": change("open.mkv", lambda data: data[:len(data) * 6 // 10]),
    "no-moov.mp4": change("closed.mp4", without_moov),
    "damaged.mp4": change("closed.mp4", overwrite(0.5, 0.55)),
    "damaged.mkv": change("open.mkv", overwrite(0.5, 0.55)),
    "damaged.avi": change("mjpeg.avi", overwrite(0.5, 0.55)),
    "damaged.ts": change("open.ts", overwrite(0.5, 0.55)),
    "zero-frames.mp4": change("fragmented.mp4", lambda data: data[:data.index(b"moof") - 4]),
    "text.mp4": text(b"This is a text, and no video.\n" * 100),
    "playlist.mp4": text(b"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n"
                         b"closed.mp4\n#EXT-X-ENDLIST\n"),
    "wrong.avi": change("closed.mp4", bytes),
    "empty.mp4": text(b""),
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
