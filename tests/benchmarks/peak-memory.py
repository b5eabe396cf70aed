#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The most memory that a pipeline holds on the largest document there is.

Runs on the PDF with the most pages below the folders, each with its peak of
resident memory (VmHWM):
  text    pdf-text, the whole document
  render  pdf-render at 150 dpi, the whole document; a Function that drops every
          page stands in for Tesseract, which takes too long
  ocr     pdf-render and Tesseract, for --seconds, or the whole document with
          --seconds=0
"""

import argparse
import os
import subprocess
import tempfile

import benchlib

DPI = 150
TARGET = 600e6

RENDER = f'! orchpdfrender dpi={DPI} replicas={{replicas}} '
STEPS = {
    'text': '! orchpdftext replicas={replicas} ',
    'render': RENDER + '! orchtestwork drop=* replicas={replicas} ',
    'ocr': RENDER + '! orchtesseract replicas={replicas} ',
}
# What `identity` says of each page makes the pages of a run that was stopped
# known.
LINE = ('orchsrc list={folder}/list ! orchpdfpages ! orchexpand {steps} '
        '! identity name=done silent=false ! orchreduce on-failed=placeholder '
        '! orchsink location={folder}/out.jsonl existing=overwrite')


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    benchlib.add_document_options(parser)
    parser.add_argument('--replicas', type=int, default=2, metavar='N',
                        help='of each Function (default: 2)')
    parser.add_argument('--seconds', type=int, default=120, metavar='N',
                        help='of OCR; 0: until it is done (default: 120)')
    parser.add_argument('--run', action='append', choices=list(STEPS),
                        help='only this one (may be repeated)')
    return parser.parse_args()


def count_done(path):
    with open(path, 'rb') as log:
        return sum(b'done: last-message = chain' in line for line in log)


def members(record):
    """"1611 present", or whatever they came to."""
    if not record['members']:
        return record['summary']
    return ', '.join(f'{count} {outcome}' for outcome, count in
                     record['members'].items() if count and outcome != 'total')


def measure(name, document, options):
    """The cost, and what became of the pages."""
    seconds = options.seconds if name == 'ocr' else 0
    with tempfile.TemporaryDirectory(prefix='peak-memory-') as folder:
        benchlib.write_list(os.path.join(folder, 'list'), [document])
        line = LINE.format(folder=folder,
                           steps=STEPS[name].format(replicas=options.replicas))
        log = os.path.join(folder, 'log')
        with open(log, 'wb') as file:
            cost = benchlib.run(benchlib.launch(line, '-v'), seconds=seconds,
                                stdout=file, stderr=subprocess.STDOUT)
        records = benchlib.read_records(os.path.join(folder, 'out.jsonl'))
        if records:
            return cost, members(records[0])
        return cost, f'{count_done(log)} present when it was stopped'


def main():
    options = parse()
    names = options.run or list(STEPS)
    benchlib.need(['pdfinfo'], ['orchpdfrender', 'orchtesseract', 'orchpdftext',
                                'orchtestwork'])
    benchlib.print_command()
    documents = benchlib.find_documents(options.dir)
    if not documents:
        benchlib.skip(f'no PDF found: apt-get install {benchlib.PACKAGES}, or '
                      '--dir=FOLDER')
    document = documents[-1]
    print(f'document: {document.path}, {document.pages} pages, '
          f'{os.path.getsize(document.path) / 1e6:.1f} MB', flush=True)
    peaks = []
    for name in names:
        cost, pages = measure(name, document, options)
        peaks.append(cost.peak)
        print(f'{name}: peak {cost.peak / 1e6:.0f} MB; {pages}; '
              f'{cost.wall:.1f} s wall, {cost.cpu:.1f} s CPU', flush=True)
    print(f'peak memory: {max(peaks) / 1e6:.0f} MB of resident memory with '
          f'{options.replicas} replicas of each Function, in {", ".join(names)}; '
          f'target {TARGET / 1e6:.0f} MB: '
          f'{"met" if max(peaks) < TARGET else "missed"}')


if __name__ == '__main__':
    main()
