#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""OCR of real documents: our pipeline against the programs it replaces.

Without --check-text, time: one pipeline with REPLICAS threads that render and as
many that recognize, against `xargs -P REPLICAS` over `pdftoppm -r 150 -gray` and
one `tesseract` process for each page, one thread each. The programs are run in
two ways: a job is a document, or a job is a page. All run on the same REPLICAS
processors, one after the other, in each round; figures are medians, and the ratio
is that to the faster way.

With --check-text, the text: that of each page is compared with what
`pdftocairo -r 150 -gray -png -cropbox` and `tesseract` say of it, character for
character (a form feed that tesseract ends a page with is left out).

Documents: of those below the folders with at most --max-pages pages, sorted by
pages and path, the middles of as many equal parts as documents are wanted, in the
order of their paths. The same folders give the same documents.
"""

import argparse
import itertools
import os
import subprocess
import sys
import tempfile

import benchlib

DPI = 150
TARGET = 0.9

PIPELINE = ('orchsrc list={folder}/list ! orchpdfpages ! orchexpand '
            f'! orchpdfrender dpi={DPI} replicas={{replicas}} '
            '! orchtesseract replicas={replicas} '
            '! orchreduce on-failed=placeholder '
            '! orchsink location={folder}/out.jsonl order=input '
            'existing=overwrite')

# $1: a document, $2: where its pages go
ONE_DOCUMENT = (f'pdftoppm -r {DPI} -gray "$1" "$2/page" && '
                'for page in "$2"/page-*.pgm; do '
                f'tesseract "$page" "${{page%.pgm}}" --dpi {DPI} && rm "$page" '
                '|| exit 255; done')
# $1: a document, $2: where the page goes, $3: its number
ONE_PAGE = (f'pdftoppm -r {DPI} -gray -f "$3" -l "$3" -singlefile "$1" '
            f'"$2/$3" && tesseract "$2/$3.pgm" "$2/$3" --dpi {DPI} && '
            'rm "$2/$3.pgm" || exit 255')


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    benchlib.add_document_options(parser)
    parser.add_argument('--documents', type=int, default=50, metavar='N',
                        help='documents (default: 50)')
    parser.add_argument('--max-pages', type=int, default=20, metavar='N',
                        help='of documents that may be chosen; 0: any (default: '
                        '20)')
    parser.add_argument('--replicas', type=int, default=2, metavar='N',
                        help='processors to use (default: 2)')
    parser.add_argument('--rounds', type=int, default=3, metavar='N',
                        help='(default: 3)')
    parser.add_argument('--check-text', action='store_true',
                        help='compare text, not time')
    parser.add_argument('--pages', type=int, default=0, metavar='N',
                        help='choose fewer documents, so that they have no more '
                        'pages than this')
    return parser.parse_args()


def choose(options):
    documents = [document for document in benchlib.find_documents(options.dir)
                 if not options.max_pages or document.pages <= options.max_pages]
    for count in range(options.documents, 0, -1):
        chosen = benchlib.choose(documents, count)
        if not options.pages or sum(d.pages for d in chosen) <= options.pages:
            return chosen
    return benchlib.skip(f'no document has at most {options.pages} pages')


def run_pipeline(folder, replicas):
    line = PIPELINE.format(folder=folder, replicas=replicas)
    return benchlib.run(benchlib.launch(line, '-q'), benchlib.processors(replicas))


def pages_of(record):
    return record['content'] or []


def check_records(folder, documents):
    """Ends when a document or a page is missing."""
    records = benchlib.read_records(os.path.join(folder, 'out.jsonl'))
    wanted = [document.pages for document in documents]
    if [len(pages_of(record)) for record in records] != wanted:
        sys.exit('the pipeline did not give all pages of all documents')
    for record in records:
        if not record['complete']:
            print(f'not complete: {record["uri"]}: {record["summary"]}')
    return records


# ---- time ----

def run_programs(folder, jobs, script, replicas):
    """`jobs`: arguments of the script, after the folder for its pages."""
    with open(os.path.join(folder, 'jobs'), 'wb') as file:
        for words in jobs:
            os.makedirs(words[1], exist_ok=True)
            file.write(b''.join(os.fsencode(word) + b'\0' for word in words))
    width = str(len(jobs[0]))
    command = ['xargs', '-0', '-a', os.path.join(folder, 'jobs'), '-P',
               str(replicas), '-n', width, 'sh', '-c', script, 'sh']
    return benchlib.run(command, benchlib.processors(replicas),
                        env=dict(os.environ, OMP_THREAD_LIMIT='1'),
                        stderr=subprocess.DEVNULL)


def count_texts(folder):
    return sum(name.endswith('.txt') for _, _, names in os.walk(folder)
               for name in names)


def time_programs(documents, replicas, by_page):
    with tempfile.TemporaryDirectory(prefix='main-job-') as folder:
        jobs = []
        for number, document in enumerate(documents):
            place = os.path.join(folder, str(number))
            if by_page:
                jobs += [(document.path, place, str(page))
                         for page in range(1, document.pages + 1)]
            else:
                jobs.append((document.path, place))
        cost = run_programs(folder, jobs, ONE_PAGE if by_page else ONE_DOCUMENT,
                            replicas)
        if count_texts(folder) != sum(d.pages for d in documents):
            sys.exit('the programs did not give all pages of all documents')
    return cost


def time_pipeline(documents, replicas):
    with tempfile.TemporaryDirectory(prefix='main-job-') as folder:
        benchlib.write_list(os.path.join(folder, 'list'), documents)
        cost = run_pipeline(folder, replicas)
        check_records(folder, documents)
    return cost


def measure(options, documents):
    costs = {'pipeline': [], 'a job a document': [], 'a job a page': []}
    for number in range(1, options.rounds + 1):
        costs['pipeline'].append(time_pipeline(documents, options.replicas))
        for name, by_page in (('a job a document', False), ('a job a page', True)):
            costs[name].append(time_programs(documents, options.replicas, by_page))
        print(f'round {number}:', '; '.join(
            f'{name} {column[-1].wall:.1f} s wall, {column[-1].cpu:.1f} s CPU'
            for name, column in costs.items()), flush=True)
    return {name: benchlib.median(column) for name, column in costs.items()}


def print_times(options, documents, costs):
    ours = costs.pop('pipeline')
    fastest = min(costs.values(), key=lambda cost: cost.wall)
    ratio = ours.wall / fastest.wall
    others = ', '.join(f'{cost.wall:.1f} s ({cost.cpu:.1f} s CPU) with {name}'
                       for name, cost in costs.items())
    print(f'main job: {len(documents)} documents, '
          f'{sum(d.pages for d in documents)} pages, '
          f'{options.replicas} processors, medians of {options.rounds} rounds: '
          f'pipeline {ours.wall:.1f} s wall ({ours.cpu:.1f} s CPU); programs '
          f'{others}; ratio of wall {ratio:.2f}, of CPU '
          f'{ours.cpu / fastest.cpu:.2f}; target {TARGET}: '
          f'{"met" if ratio <= TARGET else "missed"}')


# ---- text ----

def read_with_programs(document, page, folder):
    image = os.path.join(folder, 'page')
    subprocess.run(['pdftocairo', '-r', str(DPI), '-gray', '-png', '-cropbox',
                    '-f', str(page), '-l', str(page), '-singlefile',
                    document.path, image], check=True,
                   stderr=subprocess.DEVNULL)
    done = subprocess.run(['tesseract', image + '.png', '-'], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          env=dict(os.environ, OMP_THREAD_LIMIT='1'))
    return done.stdout.decode('utf-8').removesuffix('\f')


def show_difference(document, number, page, theirs):
    print(f'differs: {document.path} page {number}')
    if page['cause']:
        print(f'  pipeline: {page["cause"]["message"]}')
    for ours, other in itertools.zip_longest(
            (page.get('text') or '').splitlines(), theirs.splitlines()):
        if ours != other:
            print(f'  pipeline: {ours!r}\n  programs: {other!r}')
            return


def compare(document, record, folder):
    """How many pages differ."""
    different = 0
    for number, page in enumerate(pages_of(record), 1):
        theirs = read_with_programs(document, number, folder)
        if page['ordinal'] != number - 1 or page.get('text') != theirs:
            different += 1
            show_difference(document, number, page, theirs)
    return different


def check_text(options, documents):
    with tempfile.TemporaryDirectory(prefix='main-job-') as folder:
        benchlib.write_list(os.path.join(folder, 'list'), documents)
        run_pipeline(folder, options.replicas)
        different = sum(compare(*pair, folder) for pair in zip(
            documents, check_records(folder, documents)))
    pages = sum(document.pages for document in documents)
    print(f'text: {pages - different} of {pages} pages in {len(documents)} '
          'documents are equal to pdftocairo and tesseract, '
          f'{different} differ')


def main():
    options = parse()
    benchlib.need(['pdfinfo', 'pdftoppm', 'pdftocairo', 'tesseract', 'xargs'],
                  ['orchpdfrender', 'orchtesseract'])
    benchlib.print_command()
    documents = choose(options)
    if options.check_text:
        check_text(options, documents)
    else:
        print_times(options, documents, measure(options, documents))


if __name__ == '__main__':
    main()
