#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The pipelines with worker processes: the same records as with threads,
whatever becomes of the workers meanwhile.

    test_workers.py [--count N] [NAMES...]     N documents while workers are killed"""

import os
import signal
import subprocess
import time
import unittest

import orchtest
from orchtest import ORCH, makepdfs

# Of test_killed_time_and_again.
COUNT = orchtest.take_option('--count', 300)
DOCUMENTS = ['three_pages', 'mixed_sizes', 'rotated', 'labelled', 'gbk_font',
             'nested_tree', 'blank_page', 'object_streams', 'encrypted',
             'junk_around', 'truncated', 'truncated_early', 'zero_byte',
             'not_a_pdf', 'damaged_xref', 'no_startxref', 'kids_cycle',
             'count_million', 'missing_page', 'broken_flate', 'half_broken',
             'broken_form', 'broken_font', 'mutual_forms', 'control_text']


def children(parent):
    """Worker processes that `parent` has started."""
    found = []
    for name in os.listdir('/proc'):
        try:
            with open(f'/proc/{name}/stat', encoding='ascii',
                      errors='replace') as file:
                words = file.read().rsplit(')', 1)
        except OSError:
            continue
        if 'gst-orch-worker' in words[0] and \
                int(words[1].split()[1]) == parent:
            found.append(int(name))
    return found


class Workers(orchtest.FolderTest):
    def write_all(self):
        for name in DOCUMENTS:
            self.write(f'docs/{name}.pdf', getattr(makepdfs, name)())

    def read_with(self, workers, *words):
        done = self.run_command(ORCH, *words, '-o', f'{workers}.jsonl',
                                '--order', 'input', '--workers', workers)
        self.assertIn(done.returncode, (0, 3), done.stdout + done.stderr)
        return self.read_records(f'{workers}.jsonl')

    def count_lines(self, name):
        try:
            with open(self.path(name), 'rb') as file:
                return file.read().count(b'\n')
        except FileNotFoundError:
            return 0

    def check_same(self, *words):
        self.write_all()
        threads = self.read_with('thread', *words)
        self.assertEqual(len(threads), len(DOCUMENTS))
        for ours, theirs in zip(threads, self.read_with('process', *words)):
            self.assertEqual(ours, theirs)

    def test_text(self):
        self.check_same('pdf-text', 'docs')

    def test_ocr(self):
        self.check_same('pdf-ocr', 'docs', '--dpi', '60')

    def test_auto(self):
        self.check_same('pdf-auto', 'docs', '--dpi', '60')

    def test_page_without_end(self):
        """It costs itself only, and no more than its time."""
        self.write('docs/1.pdf', makepdfs.endless_forms())
        self.write('docs/2.pdf', makepdfs.text_document(3, words=5, size=24))
        done = self.run_command(ORCH, 'pdf-ocr', 'docs', '-o', 'out.jsonl',
                                '--order', 'input', '--dpi', '60',
                                '--attempt-timeout', '5000000000')
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        hostile, good = self.read_records()
        self.assertEqual(hostile['members']['present'], 1)
        self.assertEqual(hostile['members']['suppressed'], 1)
        self.assertIn('orch/timeout', done.stdout)
        self.assertEqual(good['members']['present'], 3)

    def test_killed_time_and_again(self):
        for number in range(COUNT):
            self.write(f'docs/{number:03}.pdf', makepdfs.text_document(
                2, words=5, size=24, seed=number))
        expected = self.read_with('thread', 'pdf-text', 'docs')
        with subprocess.Popen(
                [ORCH, 'pdf-text', 'docs', '-o', 'killed.jsonl', '--order',
                 'input', '--replicas', '2'], cwd=self.folder,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                text=True) as process:
            victims = written = 0
            while process.poll() is None:
                time.sleep(0.2)
                # a unit may lose its worker three times: not the same again
                # before some more are through, however slow the machine
                if self.count_lines('killed.jsonl') < written + 5:
                    continue
                written = self.count_lines('killed.jsonl')
                for pid in children(process.pid)[victims % 2:]:
                    try:
                        os.kill(pid, signal.SIGKILL)
                        victims += 1
                    except ProcessLookupError:
                        pass
                    break
            errors = process.stderr.read()
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(self.read_records('killed.jsonl'), expected)
        print(f'{victims} workers were killed', flush=True)
        self.assertGreater(victims, 0)

    def test_nothing_is_left(self):
        """When the command is killed, its workers end."""
        for number in range(50):
            self.write(f'docs/{number:03}.pdf', makepdfs.text_document(
                4, words=5, size=24, seed=number))
        with subprocess.Popen(
                [ORCH, 'pdf-ocr', 'docs', '-o', 'out.jsonl'], cwd=self.folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL) as process:
            while not children(process.pid):
                time.sleep(0.01)
            pids = children(process.pid)
            process.kill()
        end = time.monotonic() + 30
        for pid in pids:
            while os.path.exists(f'/proc/{pid}') and time.monotonic() < end:
                time.sleep(0.01)
            self.assertFalse(os.path.exists(f'/proc/{pid}'))


if __name__ == '__main__':
    orchtest.skip_without_functions()
    unittest.main()
