#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The lineage core may include GLib, string.h, stdlib.h and itself, and may use
none of what GLib offers for threads, clocks and I/O."""

import pathlib
import re
import sys

ALLOWED = re.compile(r'<(glib|string|stdlib)\.h>|"orch-[a-z-]+\.h"')
INCLUDE = re.compile(r'^\s*#\s*include\s+(.*?)\s*(?:/\*.*)?$')
FORBIDDEN = re.compile(
    r'\b(g_(mutex|rec_mutex|rw_lock|cond|thread|once|private|main|source|idle|timeout'
    r'|get_monotonic|get_real|usleep|date_time|timer|file|io|mkdir|spawn|print|printerr)'
    r'\w*|G_LOCK|(f?printf|f?open|fopen|read|write|time|clock_gettime|getenv))\s*\(')


def complaints(path):
    text = re.sub(r'/\*.*?\*/', lambda m: '\n' * m.group().count('\n'),
                  path.read_text(), flags=re.S)
    for number, line in enumerate(text.splitlines(), 1):
        include = INCLUDE.match(line)
        if include and not ALLOWED.fullmatch(include.group(1)):
            yield f'{path}:{number}: includes {include.group(1)}'
        use = FORBIDDEN.search(line)
        if use:
            yield f'{path}:{number}: uses {use.group(1)}'


def main():
    sources = sorted(p for p in pathlib.Path(sys.argv[1]).iterdir()
                     if p.suffix in ('.c', '.h'))
    if not sources:
        sys.exit(f'no sources in {sys.argv[1]}')
    found = [c for path in sources for c in complaints(path)]
    print('\n'.join(found) or f'{len(sources)} files are pure')
    sys.exit(1 if found else 0)


main()
