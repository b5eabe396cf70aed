# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""What the benchmarks on real documents share."""

import collections
import concurrent.futures
import json
import os
import re
import shlex
import signal
import statistics
import subprocess
import sys
import threading

# Where Debian's packages of documentation put theirs.
FOLDER = '/usr/share/doc/texlive-doc'
PACKAGES = 'texlive-science-doc texlive-latex-base-doc'

SKIPPED = 77

Document = collections.namedtuple('Document', 'pages path')
# Seconds, seconds, bytes of resident memory at most.
Cost = collections.namedtuple('Cost', 'wall cpu peak')


def skip(reason):
    print(f'skipped: {reason}')
    sys.exit(SKIPPED)


def need(programs, elements):
    for program in programs:
        if subprocess.run(['which', program], capture_output=True,
                          check=False).returncode:
            skip(f'{program} is not installed')
    for element in elements:
        if subprocess.run(['gst-inspect-1.0', element], capture_output=True,
                          check=False).returncode:
            skip(f'GStreamer does not find {element}: set GST_PLUGIN_PATH to '
                 'build/plugins:build/tests/functions')


# ---- documents ----

def count_pages(path):
    """0 when it is not a PDF that can be read."""
    done = subprocess.run(['pdfinfo', path], capture_output=True, text=True,
                          errors='replace', check=False)
    found = re.search(r'^Pages:\s*(\d+)', done.stdout, re.M)
    return int(found.group(1)) if found else 0


def find_documents(folders):
    """Every PDF below, the shortest first; those of one length by path."""
    paths = sorted({os.path.realpath(os.path.join(place, name))
                    for folder in folders or [FOLDER]
                    for place, _, names in os.walk(folder)
                    for name in names if name.endswith('.pdf')})
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        pages = list(pool.map(count_pages, paths))
    return sorted(Document(*pair) for pair in zip(pages, paths) if pair[0])


def choose(documents, count):
    """The middles of `count` equal parts of the list, by path: long and short
    ones are as frequent as in the whole, and mixed."""
    if len(documents) < count:
        skip(f'{len(documents)} documents found, not {count}: '
             f'apt-get install {PACKAGES}, or --dir=FOLDER')
    return sorted((documents[(2 * i + 1) * len(documents) // (2 * count)]
                   for i in range(count)), key=lambda document: document.path)


def add_document_options(parser):
    parser.add_argument('--dir', action='append', metavar='FOLDER',
                        help=f'where the PDFs are (default: {FOLDER}; may be '
                        'repeated)')


# ---- programs ----

def processors(count):
    """The first `count` that this process may use."""
    return sorted(os.sched_getaffinity(0))[:count]


def run(words, cpus=None, seconds=0, **options):
    """The cost of a program and of all that it starts and waits for.  After
    `seconds` it is told to stop."""
    if cpus:
        options['preexec_fn'] = lambda: os.sched_setaffinity(0, cpus)
    begin = os.times().elapsed
    process = subprocess.Popen(words, **options)
    stop = threading.Timer(seconds or threading.TIMEOUT_MAX,
                           process.send_signal, [signal.SIGINT])
    stop.start()
    _, status, usage = os.wait4(process.pid, 0)
    was_stopped = stop.finished.is_set()
    stop.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    cost = Cost(os.times().elapsed - begin, usage.ru_utime + usage.ru_stime,
                usage.ru_maxrss * 1024)
    if process.returncode and not was_stopped:
        raise subprocess.CalledProcessError(process.returncode, words)
    return cost


def median(costs):
    return Cost(*(statistics.median(column) for column in zip(*costs)))


def launch(description, *options):
    return ['gst-launch-1.0', *options, *shlex.split(description)]


def read_records(path):
    with open(path, encoding='utf-8') as file:
        return [json.loads(line) for line in file]


def write_list(path, documents):
    with open(path, 'w', encoding='utf-8') as file:
        file.writelines(f'{document.path}\n' for document in documents)


def print_command():
    print('command:', shlex.join([os.path.basename(sys.argv[0]),
                                  *sys.argv[1:]]))
    print(f'load of the machine before: {os.getloadavg()[0]:.1f}, '
          f'{len(os.sched_getaffinity(0))} processors', flush=True)
