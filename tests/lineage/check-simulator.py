#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The command line of the simulator: what it prints, and what it refuses."""

import json
import pathlib
import subprocess
import sys
import tempfile

command = sys.argv[1]


def run(*args):
    return subprocess.run([command, *args], capture_output=True, text=True, check=False)


def simulate(*args):
    result = run('--json', *args)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def refuses(word, *args):
    result = run(*args)
    assert result.returncode == 2, (args, result.returncode)
    assert not result.stdout and word in result.stderr, (args, result.stderr)


def check_defaults():
    found = simulate()
    assert (found['parents'], found['children']) == (1885, 45485)
    assert found['order'] == 'published' and found['interleave'] == 'fair'
    assert found['clean'] == found['makespan'] and found['saved'] == 0
    assert found['suppressed'] == 0 and len(found['calls']) == 1
    assert found == simulate(), 'two runs differ'
    text = run()
    assert text.returncode == 0 and f"{found['makespan']:.2f} s" in text.stdout


def check_file(folder):
    pages = folder / 'pages'
    pages.write_text('# of each document\n3\n\n10 # a long one\n0\n')
    found = simulate(f'--pages={pages}', '--order=given', '--replicas=1', '--item-cost=1000',
                     '--batch-cost=500', '--batch-size=2')
    assert (found['parents'], found['children']) == (3, 13)
    assert found['ideal'] == 13 + 7 * 0.5
    assert found['calls'][0]['batches'] == 7 and found['calls'][0]['full'] == 6
    assert found['makespan'] == found['ideal']
    pages.write_text('3\nmany\n')
    refuses('line 2', f'--pages={pages}')
    refuses('No such file', f'--pages={folder}/none')


def check_failures():
    args = ('--failure=record', '--poisoned=9', '--poison=random', '--order=shuffled', '--seed=7',
            '--upstream=replicas=2,batch-size=1,item-cost=20,max-buffers=100')
    found = simulate(*args)
    assert found['suppressed'] == 9 and found['present'] == 1876
    assert len(found['calls']) == 2 and found['makespan'] < found['clean']
    assert all(0 < call['prevented'] < call['prevented-behind'] <= 1 for call in found['calls'])
    assert found['calls'][1]['failed'] == 9
    without = simulate(*args, '--no-prune')
    assert without['calls'][0]['prevented'] == 0
    assert 'record failures' in run(*args).stdout


def check_refusals():
    refuses('fair, shortest, none', '--interleave=random')
    refuses('given, published', '--order=sorted')
    refuses('replicas', '--replicas=0')
    refuses('batch-size', '--batch-size=many')
    refuses('sigma', '--sigma=-1')
    refuses('item-cost', '--item-cost=1ms')
    refuses('no "speed"', '--upstream=speed=3')
    refuses('KEY=VALUE', '--upstream=replicas')
    refuses('8 Calls', *['--upstream=replicas=1'] * 8)
    refuses('poisoned', '--poisoned=-1')
    refuses('what is "more"', 'more')
    refuses('--never', '--never')


def main():
    check_defaults()
    with tempfile.TemporaryDirectory() as folder:
        check_file(pathlib.Path(folder))
    check_failures()
    check_refusals()
    print('the command does what it says')


main()
