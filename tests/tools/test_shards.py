#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Shards of runs that are killed, and stopped: each document is in one, once."""

import glob
import json
import os
import signal
import subprocess
import sys
import tarfile
import time
import unittest

import orchtest
from orchtest import makepdfs

DOCUMENTS = 24
PAGES = 3


class Shards(orchtest.FolderTest):
    def setUp(self):
        super().setUp()
        for number in range(DOCUMENTS):
            self.write(f'docs/{number:02}.v1.pdf', makepdfs.text_document(
                PAGES, words=5, size=24, seed=number))
        self.words = [
            'gst-launch-1.0', '-q', 'orchsrc', 'location=docs', '!',
            'orchpdfpages', '!', 'orchexpand', '!', 'orchpdfrender', 'dpi=200',
            '!', 'orchthumbnail', '!', 'orchreduce', '!', 'orchsink',
            'location=out.jsonl', 'shards=shards', 'shard-records=5',
            'existing=resume']

    def count_records(self):
        try:
            with open(self.path('out.jsonl'), 'rb') as file:
                return file.read().count(b'\n')
        except FileNotFoundError:
            return 0

    def has_records(self, count):
        return lambda: self.count_records() >= count

    def has_begun_a_shard(self):
        try:
            status = os.stat(self.path('shards', '.orch-unfinished.tar'))
            return status.st_size > 100000
        except FileNotFoundError:
            return False

    def run_until(self, is_due, number):
        """Sends a signal once it is due."""
        with subprocess.Popen(self.words, cwd=self.folder,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            end = time.monotonic() + 60
            while not is_due() and process.poll() is None \
                    and time.monotonic() < end:
                time.sleep(0.002)
            process.send_signal(number)

    def finish(self):
        done = self.run_command(*self.words)
        if 'libarchive' in done.stderr:
            self.skipTest('built without libarchive')
        self.assertEqual(done.returncode, 0, done.stderr)

    def read_shards(self):
        """{key: its files}, and that no key is in two shards."""
        samples = {}
        for path in sorted(glob.glob(self.path('shards', '*.tar'))):
            name = os.path.relpath(path, self.folder)
            here = {}
            with tarfile.open(path) as archive:
                for member in archive:
                    key, extension = member.name.split('.', 1)
                    here.setdefault(key, {})[extension] = \
                        archive.extractfile(member).read()
            self.assertFalse(samples.keys() & here.keys())
            for files in here.values():
                record = json.loads(files['json'])
                self.assertEqual(record['info']['shard'], name)
            samples.update(here)
        return samples

    def check_whole(self):
        samples = self.read_shards()
        records = self.read_records()
        self.assertEqual(len(samples), DOCUMENTS)
        self.assertEqual(
            sorted(record['id'] for record in records),
            sorted(json.loads(files['json'])['id']
                   for files in samples.values()))
        for files in samples.values():
            self.assertEqual(sorted(files), [
                '0000.jpg', '0001.jpg', '0002.jpg', 'json'])
            for name, data in files.items():
                if name != 'json':
                    self.assertTrue(data.startswith(b'\xff\xd8\xff'))
        return samples

    def test_killed(self):
        for count in (1, 6, 15):
            self.run_until(self.has_records(count), signal.SIGKILL)
        self.finish()
        self.check_whole()
        self.assertEqual(sorted(os.listdir(self.path('shards')))[0],
                         '000000.tar')

    def test_same_as_without_interruption(self):
        self.finish()
        expected = self.check_whole()
        os.rename(self.path('shards'), self.path('other'))
        os.unlink(self.path('out.jsonl'))
        self.run_until(self.has_records(6), signal.SIGKILL)
        self.finish()
        samples = self.check_whole()
        self.assertEqual(samples.keys(), expected.keys())
        for key, files in samples.items():
            for name in files.keys() - {'json'}:
                self.assertEqual(files[name], expected[key][name])

    def test_stopped(self):
        """What was done is kept, in a shard that is not full."""
        self.words.remove('shard-records=5')
        self.run_until(self.has_begun_a_shard, signal.SIGINT)
        before = self.count_records()
        self.assertEqual(len(self.read_shards()), before)
        self.finish()
        self.check_whole()
        self.assertGreater(before, 0)


if __name__ == '__main__':
    orchtest.skip_without_functions()
    if not orchtest.has_element('orchthumbnail'):
        print('orchthumbnail is not built')
        sys.exit(77)
    unittest.main()
