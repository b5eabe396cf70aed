#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""samples.py FOLDER: makes the PDFs that tools/demo reads."""

import argparse
import os
import sys

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TREE, 'tests', 'pdf'))

import makepdfs  # noqa: E402  (found through the line above)

LETTER = [
    ['Dear reader,', '',
     'this letter was never printed. A program drew it as a picture,',
     'another one read the picture, and what you see now is the text',
     'that came out of it: page by page, in the order of the pages.'],
    ['The second page was read at the same time as the first, or even',
     'before it. You cannot tell, and that is the point: each page went',
     'its own way, and they met again at the end.'],
    ['Yours sincerely,', '', 'gst-orch'],
]
REPORT = [
    [f'Report, chapter {chapter}', '',
     f'In month {chapter} the machines read {chapter * 1250} pages.',
     f'{chapter} of them failed, and each failure has a cause.']
    for chapter in range(1, 6)
]


def document(pages):
    tree = makepdfs.Tree()
    for lines in pages:
        tree.add_page(makepdfs.text_content(lines, 16))
    return tree.build()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('folder', help='where to write them')
    folder = parser.parse_args().folder
    os.makedirs(folder, exist_ok=True)
    files = {
        'letter.pdf': document(LETTER),
        'yearly report.pdf': document(REPORT),
        'middle page broken.pdf': makepdfs.broken_flate(),
    }
    for name, data in files.items():
        makepdfs.write(os.path.join(folder, name), data)


if __name__ == '__main__':
    main()
