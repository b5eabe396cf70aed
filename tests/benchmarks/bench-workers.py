#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""What worker processes cost: the same pipelines with workers=thread and
workers=process.

  pages  rendered pages, of some 2 MB each, through a Function that does nothing
  ocr    the main job: rendered and recognized, both in workers
  large  units of 2 MB through a Function that sleeps 16 ms for each, in batches of
         8: what a worker waits for its next batch
  tiny   empty children through a Function that does nothing, in batches of 64

Both ways run on the same processors, one after the other, in each round; the
times are medians, from start to end of the program, the start of the workers
included. A ratio is the speed of processes, threads being 1.
"""

import argparse
import os
import sys
import tempfile

import benchlib

# The lowest ratio; None: only to be told.
WORKLOADS = {'pages': 0.8, 'ocr': 0.97, 'large': 0.9, 'tiny': None}
WAYS = ('thread', 'process')

RENDER = ('orchsrc list={folder}/list ! orchpdfpages ! orchexpand '
          '! orchpdfrender dpi=150 replicas={replicas} ')
PIPELINES = {
    'pages': RENDER + '! orchidentity replicas={replicas} workers={way} '
             '! orchreduce ! fakesink sync=false async=false',
    'ocr': RENDER + 'workers={way} ! orchtesseract replicas={replicas} '
           'workers={way} ! orchreduce on-failed=placeholder '
           '! orchsink location={folder}/out.jsonl existing=overwrite',
    'large': 'fakesrc num-buffers={large} sizetype=fixed sizemax=2000000 '
             '! orchtestwork sleep=16000 batch-size=8 replicas={replicas} '
             'workers={way} ! fakesink sync=false async=false',
    'tiny': 'fakesrc num-buffers={lists} sizetype=empty ! orchtestlist n=100 '
            '! orchexpand ! orchidentity batch-size=64 replicas={replicas} '
            'workers={way} ! orchreduce ! fakesink sync=false async=false',
}


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    benchlib.add_document_options(parser)
    parser.add_argument('--documents', type=int, default=20, metavar='N',
                        help='documents, of at most 20 pages (default: 20)')
    parser.add_argument('--large', type=int, default=800, metavar='N',
                        help='large units (default: 800)')
    parser.add_argument('--tiny', type=int, default=400000, metavar='N',
                        help='tiny units (default: 400000)')
    parser.add_argument('--replicas', type=int, default=2, metavar='N',
                        help='of each Function, and processors (default: 2)')
    parser.add_argument('--rounds', type=int, default=3, metavar='N',
                        help='(default: 3)')
    parser.add_argument('--only', choices=WORKLOADS, action='append',
                        help='(default: all; may be repeated)')
    return parser.parse_args()


def run(options, name, way, folder):
    line = PIPELINES[name].format(folder=folder, way=way,
                                  replicas=options.replicas,
                                  large=options.large,
                                  lists=options.tiny // 100)
    return benchlib.run(benchlib.launch(line, '-q'),
                        benchlib.processors(options.replicas))


def measure(options, name, folder):
    """Ends with what it comes to: whether the target is met."""
    costs = {way: [] for way in WAYS}
    for number in range(1, options.rounds + 1):
        for way in WAYS:
            costs[way].append(run(options, name, way, folder))
        print(f'{name}, round {number}:', ', '.join(
            f'{way} {column[-1].wall:.2f} s wall, {column[-1].cpu:.2f} s CPU'
            for way, column in costs.items()), flush=True)
    thread, process = (benchlib.median(costs[way]) for way in WAYS)
    ratio, target = thread.wall / process.wall, WORKLOADS[name]
    verdict = '' if target is None else \
        f', target {target}: {"met" if ratio >= target else "missed"}'
    print(f'{name}: threads {thread.wall:.2f} s wall ({thread.cpu:.2f} s CPU), '
          f'processes {process.wall:.2f} s ({process.cpu:.2f} s); ratio '
          f'{ratio:.3f}{verdict}', flush=True)
    return target is None or ratio >= target


def main():
    options = parse()
    names = options.only or list(WORKLOADS)
    benchlib.need(['pdfinfo'], ['orchpdfrender', 'orchtestlist']
                  + ['orchtesseract'] * ('ocr' in names))
    benchlib.print_command()
    met = True
    with tempfile.TemporaryDirectory(prefix='bench-workers-') as folder:
        if {'pages', 'ocr'} & set(names):
            documents = benchlib.choose(
                [document for document in benchlib.find_documents(options.dir)
                 if document.pages <= 20], options.documents)
            benchlib.write_list(os.path.join(folder, 'list'), documents)
            print(f'{len(documents)} documents, '
                  f'{sum(d.pages for d in documents)} pages', flush=True)
        for name in names:
            met = measure(options, name, folder) and met
    return not met


if __name__ == '__main__':
    sys.exit(main())
