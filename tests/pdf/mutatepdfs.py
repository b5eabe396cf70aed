#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""PDF files that are a little wrong, each in its own way: of one seed and number
always the same bytes.

    mutatepdfs.py SEED COUNT OUTDIR     writes OUTDIR/NNNN.pdf
"""

import os
import random
import re
import sys
import zlib

import makepdfs

# Those that take seconds by what they are, not by what is wrong with them.
SLOW = {"five-hundred-pages", "huge-page", "huge-image", "long-page", "wide-image",
        "masked-wide-image", "count-million"}
# Good files, so that something is left to go wrong.
SOUND = ["one-page", "three-pages", "mixed-sizes", "rotated", "cropped", "labelled", "nested-tree",
         "image-only", "colours", "object-streams", "gbk-font", "encrypted-open", "user-unit",
         "broken-font", "mutual-forms", "control-text"]
NUMBERS = [b"0", b"-1", b"1", b"65536", b"2147483647", b"-2147483648", b"4294967296",
           b"99999999999999999999", b"1e38", b"0.0000001", b"nan", b""]
WORDS = [b"/Kids", b"/Count", b"/Parent", b"/Length", b"/Filter", b"/FlateDecode", b"/Contents",
         b"/Resources", b"/XObject", b"/Font", b"/MediaBox", b"/Rotate", b"/Width", b"/Height",
         b"/BitsPerComponent", b"/Type", b"/Page", b"/Pages", b"/Root", b"/Size", b"/Prev",
         b"/Encrypt", b"/DCTDecode", b"/LZWDecode", b"/ASCII85Decode", b"/JBIG2Decode",
         b"/JPXDecode", b"/CCITTFaxDecode", b"obj", b"endobj", b"stream", b"endstream", b"xref",
         b"trailer", b"<<", b">>", b"[", b"]", b"(", b")", b"R"]
OPERATORS = [b"q", b"Q", b"BT", b"ET", b"Do", b"cm", b"re", b"f", b"S", b"W n", b"Tj", b"Td", b"Tf",
             b"gs", b"sh", b"scn", b"d0", b"BI ID EI", b"-1", b"1e9", b"/F1", b"/Im", b"(x)",
             b"<ff>", b"["]
STREAM = re.compile(rb"stream\n(.*?)\nendstream", re.S)


def choose_span(chance, data, most):
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.randrange(1, most))


def flip_bytes(chance, data):
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 4, 32)) if data else 0):
        changed[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(changed)


def cut(chance, data):
    return data[:len(data) - chance.randrange(len(data) // chance.choice((1, 4, 20)) + 1)]


def leave_out(chance, data):
    start, end = choose_span(chance, data, 400)
    return data[:start] + data[end:]


def repeat(chance, data):
    start, end = choose_span(chance, data, 400)
    return data[:end] + data[start:end] * chance.choice((1, 2, 50)) + data[end:]


def move(chance, data):
    start, end = choose_span(chance, data, 400)
    rest = data[:start] + data[end:]
    place = chance.randrange(len(rest) + 1)
    return rest[:place] + data[start:end] + rest[place:]


def replace_match(chance, data, pattern, replacements):
    found = list(re.finditer(pattern, data))
    if not found:
        return data
    match = chance.choice(found)
    return data[:match.start()] + chance.choice(replacements) + data[match.end():]


def change_number(chance, data):
    return replace_match(chance, data, rb"(?<![\w.])-?\d+(\.\d+)?", NUMBERS)


def change_word(chance, data):
    return replace_match(chance, data, rb"/[A-Za-z]\w+|<<|>>|\bobj\b|\bR\b", WORDS)


def change_reference(chance, data):
    numbers = [b"%d 0 R" % number for number in range(9)]
    return replace_match(chance, data, rb"\d+ 0 R", numbers)


def change_content(chance, data):
    """What a stream holds, packed as before."""
    found = list(STREAM.finditer(data))
    if not found:
        return data
    match = chance.choice(found)
    try:
        content = zlib.decompress(match.group(1))
        pack = zlib.compress
    except zlib.error:
        content, pack = match.group(1), bytes
    words = content[:100000].split(b" ")
    for _ in range(chance.choice((1, 3, 10))):
        words.insert(chance.randrange(len(words) + 1), chance.choice(OPERATORS + NUMBERS))
    return data[:match.start(1)] + pack(b" ".join(words)) + data[match.end(1):]


def splice(chance, data):
    other = chance.choice(get_originals())
    return data[:chance.randrange(len(data) + 1)] + other[chance.randrange(len(other) + 1):]


CHANGES = [flip_bytes, flip_bytes, cut, leave_out, repeat, move, splice] \
    + [change_number, change_word, change_reference] * 2 + [change_content] * 4
originals = []


def get_originals():
    """Each good one several times, each of the others once."""
    if not originals:
        originals.extend(function() for name, function in makepdfs.FILES.items()
                         if name not in SLOW)
        originals.extend([makepdfs.FILES[name]() for name in SOUND] * 5)
        originals.extend([makepdfs.text_document(5, words=30)] * 10)
    return originals


def mutate(seed, number):
    """The `number`th file of `seed`, as bytes."""
    chance = random.Random(f"{seed}/{number}")
    data = chance.choice(get_originals())
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        data = chance.choice(CHANGES)(chance, data)
    return data


def main(arguments):
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    os.makedirs(arguments[2], exist_ok=True)
    for number in range(int(arguments[1])):
        makepdfs.write(os.path.join(arguments[2], f"{number:04}.pdf"),
                       mutate(arguments[0], number))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
