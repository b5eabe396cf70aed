#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""count-tests.py testlog.json: one line, "N passed, N failed, N skipped".

Counts the cases within each test program where its output tells them (TAP,
Check, Python's unittest), and the program as one case where it does not.  Exit
status: 0 when nothing failed and something passed."""

import json
import re
import sys

TAP = re.compile(r'^\s*(not )?ok\b[^#\n]*(#\s*(SKIP|TODO)\b)?', re.M | re.I)
CHECK = re.compile(r'^\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)',
                   re.M)
UNITTEST = re.compile(r'^Ran (\d+) tests? in [\d.]+s\s+'
                      r'(?:OK|FAILED)(?: \((.*)\))?$', re.M)


def count_tap(text):
    passed = failed = skipped = 0
    for match in TAP.finditer(text):
        if (match.group(3) or '').upper() == 'SKIP':
            skipped += 1
        elif match.group(1):
            failed += 1
        else:
            passed += 1
    return passed, failed, skipped


def count_check(text):
    passed = failed = 0
    for match in CHECK.finditer(text):
        checks, failures, errors = map(int, match.groups())
        passed += checks - failures - errors
        failed += failures + errors
    return passed, failed, 0


def count_unittest(text):
    passed = failed = skipped = 0
    for match in UNITTEST.finditer(text):
        details = dict(re.findall(r'([a-z]+)=(\d+)', match.group(2) or ''))
        bad = int(details.get('failures', 0)) + int(details.get('errors', 0))
        skip = int(details.get('skipped', 0))
        passed += int(match.group(1)) - bad - skip
        failed += bad
        skipped += skip
    return passed, failed, skipped


def count(test):
    """(passed, failed, skipped) of one entry of Meson's log."""
    text = (test.get('stdout') or '') + '\n' + (test.get('stderr') or '')
    result = test['result']
    if result == 'SKIP':
        return 0, 0, 1
    for counter in (count_check, count_unittest, count_tap):
        passed, failed, skipped = counter(text)
        if passed + failed + skipped > 0:
            break
    else:
        passed = 1 if result == 'OK' else 0
    # A program that crashed or hung after its last case has failed too.
    if result not in ('OK', 'EXPECTEDFAIL') and failed == 0:
        failed = 1
    return passed, failed, skipped


def main(path):
    totals = [0, 0, 0]
    try:
        with open(path, encoding='utf-8') as log:
            for line in log:
                for index, number in enumerate(count(json.loads(line))):
                    totals[index] += number
    except FileNotFoundError:
        # Nothing could be run at all.
        totals = [0, 1, 0]
    print('{} passed, {} failed, {} skipped'.format(*totals))
    return 0 if totals[0] > 0 and totals[1] == 0 else 1


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
