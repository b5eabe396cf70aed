#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""What is meant to do harm, through `orch pdf-ocr`: each is a record with the right
cause, within the limit, and everything else is as if it had not been there."""

import os
import time
import unittest

import orchtest
from orchtest import ORCH, makepdfs

SECOND = 10 ** 9
GOOD = 6
# Besides what it takes to start workers again, on a slow machine.
PATIENCE = 120


class HostileTest(orchtest.FolderTest):
    def write_good(self):
        for number in range(GOOD):
            self.write(f'docs/good-{number}.pdf', makepdfs.text_document(
                2, words=5, size=24, seed=number))

    def run_over(self, *command, **options):
        """Its output, and what it wrote, by the names of the documents."""
        start = time.monotonic()
        done = self.run_command(*command, **options)
        self.assertIn(done.returncode, (0, 3), done.stdout + done.stderr)
        self.assertLess(time.monotonic() - start, PATIENCE)
        self.assertEqual(self.find_workers(), [])
        records = {record['info']['name']: record
                   for record in self.read_records()}
        self.assertEqual(sorted(records), sorted(os.listdir(
            self.path('docs'))))
        return done.stdout, records

    def find_workers(self):
        """Of this run, whose folder is where they were started."""
        found = []
        for pid in filter(str.isdigit, os.listdir('/proc')):
            try:
                if os.readlink(f'/proc/{pid}/cwd') == self.folder:
                    found.append(pid)
            except OSError:
                pass
        return found

    def check_good(self, records):
        for number in range(GOOD):
            record = records[f'good-{number}.pdf']
            self.assertTrue(record['complete'], record)
            self.assertEqual(record['members']['present'], 2)

    def get_cause(self, record):
        """The one of its one failure, and where."""
        self.assertFalse(record['complete'])
        self.assertEqual(len(record['failures']), 1, record)
        failure = record['failures'][0]
        return failure['cause'], failure['id']


class FilesTest(HostileTest):
    """`orch pdf-ocr` with short limits."""

    def read(self, *words):
        return self.run_over(ORCH, 'pdf-ocr', 'docs', '-o', 'out.jsonl', '--dpi', '60',
                             '--replicas', '2', *words)

    def check_page_fails(self, name, output, records, domain, code, says):
        """Page 1 is good, page 2 is not."""
        record = records[f'{name}.pdf']
        cause, place = self.get_cause(record)
        self.assertEqual((cause['domain'], cause['code']), (domain, code))
        self.assertIn(says, cause['message'])
        self.assertTrue(place.endswith(f'{name}.pdf#page=2'), place)
        self.assertEqual(record['members']['present'], 1)
        self.assertEqual(record['content'][0]['outcome'], 'present')
        # the summary names cause, document and page
        self.assertIn(f'{domain}/{code}', output)
        self.assertIn(f'docs/{name}.pdf#page=2', output)

    def test_time(self):
        self.write_good()
        self.write('docs/forms-7.pdf', makepdfs.endless_forms(7))
        self.write('docs/forms-12.pdf', makepdfs.endless_forms(12))
        self.write('docs/strokes.pdf', makepdfs.many_strokes(400000))
        output, records = self.read('--attempt-timeout', str(2 * SECOND))
        self.check_good(records)
        self.check_page_fails('forms-12', output, records, 'orch', 'timeout',
                              'attempt-timeout')
        # what has an end may be fast enough on some machine
        for name in ('forms-7', 'strokes'):
            if not records[f'{name}.pdf']['complete']:
                self.check_page_fails(name, output, records, 'orch', 'timeout',
                                      'attempt-timeout')

    @unittest.skipIf('ORCH_TEST_SLOW' in os.environ, 'a sanitizer needs more itself')
    def test_memory(self):
        """Pictures in each other, none of them too large."""
        self.write_good()
        self.write('docs/groups.pdf', makepdfs.many_groups(40))
        output, records = self.read('--max-memory', '150000000', '--dpi', '300')
        self.check_good(records)
        self.check_page_fails('groups', output, records, 'orch', 'max-memory',
                              'max-memory')

    def test_bomb(self):
        """A picture of 900 MB in 2 KB: it is not even begun with."""
        self.write_good()
        self.write('docs/bomb.pdf', makepdfs.bomb())
        output, records = self.read('--max-memory', '300000000')
        self.check_good(records)
        self.check_page_fails('bomb', output, records, 'pdf',
                              'image-too-large', 'too large')


class FunctionTest(HostileTest):
    """A Function that does it itself, among those of `orch pdf-ocr`."""

    def read(self, deed, *properties):
        """The pipeline that `orch pdf-ocr` prints, with one more Call."""
        self.write_good()
        self.write('docs/a.pdf', makepdfs.three_pages())
        done = self.run_command(ORCH, 'pdf-ocr', 'docs', '-o', 'out.jsonl',
                                '--dpi', '60', '--order', 'input', '--print')
        self.assertEqual(done.returncode, 0, done.stderr)
        call = ' '.join(['! orchtesthostile workers=process batch-size=8 '
                         f'rules=0/1:{deed}', *properties, '! orchtesseract'])
        line = done.stdout.strip().replace('! orchtesseract', call, 1)
        self.assertIn(call, line)
        self.assertNotIn('# ', line)
        return self.run_over('sh', '-c', line, env={
            **os.environ, 'GST_REGISTRY': self.path('registry'),
            'GST_PLUGIN_PATH': f'{os.environ["GST_PLUGIN_PATH"]}:'
                               f'{orchtest.BUILD}/tests/functions'})

    def check(self, deed, code, says, *properties):
        _, records = self.read(deed, *properties)
        self.check_good(records)
        record = records['a.pdf']
        cause, place = self.get_cause(record)
        self.assertEqual((cause['domain'], cause['code']), ('orch', code))
        self.assertIn(says, cause['message'])
        self.assertTrue(place.endswith('a.pdf#page=2'), place)
        self.assertEqual(record['members']['present'], 2)

    def test_abort(self):
        self.check('abort', 'crashed', 'it is so')

    def test_segv(self):
        self.check('segv', 'crashed', 'signal 11')

    def test_exit(self):
        self.check('exit', 'crashed', 'status 7')

    def test_memory(self):
        self.check('bomb', 'max-memory', 'max-memory',
                   'max-memory=200000000')

    def test_loop(self):
        self.check('spin', 'timeout', 'attempt-timeout',
                   'attempt-timeout=1000000000')


if __name__ == '__main__':
    orchtest.skip_without_functions()
    unittest.main()
