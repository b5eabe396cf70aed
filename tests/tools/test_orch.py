#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The orch command, on real files."""

import glob
import json
import os
import pty
import shutil
import signal
import subprocess
import time
import unittest

import orchtest
from orchtest import BUILD, ORCH, TREE, makepdfs

NASTY = ['plain.pdf', 'two words.pdf', "it's.pdf", 'double"quote.pdf',
         'back\\slash.pdf', 'käse ☕.pdf', 'a[1]*?.pdf', '$HOME ! x=y.pdf',
         '-dash.pdf']


class OrchTest(orchtest.FolderTest):
    def orch(self, *words):
        return self.run_command(ORCH, *words)

    def write_documents(self, count, pages=2):
        for number in range(count):
            self.write(f'docs/{number:02}.pdf', makepdfs.text_document(
                pages, words=5, size=24, seed=number))

    def check_whole(self):
        """Every line is a record, and no document has two; their number."""
        with open(self.path('out.jsonl'), 'rb') as file:
            data = file.read()
        lines = data.split(b'\n')
        ids = [json.loads(line)['id'] for line in lines[:-1]]
        self.assertEqual(len(ids), len(set(ids)))
        return len(ids), lines[-1]


class Printing(OrchTest):
    def test_printed_line_does_the_same(self):
        for name in NASTY:
            self.write(name, makepdfs.text_document(1, words=3))
        words = ['pdf-text', *(f'./{name}' for name in NASTY),
                 '--order', 'input']
        done = self.orch(*words, '-o', 'out.jsonl')
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        printed = self.orch(*words, '-o', 'out two.jsonl', '--print')
        self.assertTrue(printed.stdout.startswith('gst-launch-1.0 orchsrc '))
        self.assertFalse(os.path.exists(self.path('out two.jsonl')))
        done = self.run_command('sh', '-c', printed.stdout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.read_records('out two.jsonl'),
                         self.read_records())
        self.assertEqual(len(self.read_records()), len(NASTY))

    def test_parameters_reach_the_line(self):
        done = self.orch('pdf-ocr', 'x', '-o', 'y', '--print', '--dpi', '99',
                         '--language', 'eng+deu', '--replicas', '3')
        for word in (' dpi=99 ', ' language=eng+deu ', ' replicas=3 '):
            self.assertIn(word, done.stdout)


    def test_numbers(self):
        for words in (('pdf-auto', '--max-unmapped=0.5e'),
                      ('pdf-auto', '--max-unmapped=abc'),
                      ('pdf-ocr', '--dpi='), ('pdf-text', '--stop-after=nan')):
            done = self.orch(*words, 'x', '-o', 'y', '--print')
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn('invalid number value', done.stderr)
        done = self.orch('pdf-auto', '--max-unmapped=5e-2', '--stop-after=-1',
                         '--dpi=72.5', 'x', '-o', 'y', '--print')
        self.assertIn('info.quality <= 5e-2 and', done.stdout)


class ExitStatus(OrchTest):
    def test_complete(self):
        self.write_documents(2)
        done = self.orch('pdf-ocr', 'docs', '-o', 'out.jsonl')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('out.jsonl has 2 documents: 2 complete, 0 not\n',
                      done.stdout)
        self.assertTrue(done.stdout.startswith('2 documents, 4 pages in 0:0'))
        for record in self.read_records():
            self.assertIn('page 1', record['content'][0]['text'])

    def test_some_incomplete(self):
        self.write_documents(2)
        self.write('docs/broken.pdf', makepdfs.broken_flate())
        for number in range(5):
            self.write(f'docs/locked{number}.pdf', makepdfs.encrypted())
        done = self.orch('pdf-text', 'docs', '-o', 'out.jsonl')
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn('has 8 documents: 2 complete, 6 not\n', done.stdout)
        self.assertIn('  5 x pdf/encrypted: ', done.stdout)
        self.assertIn('/docs/locked0.pdf\n', done.stdout)
        self.assertIn('      and 2 more\n', done.stdout)
        self.assertIn('/docs/broken.pdf#page=2\n', done.stdout)

        again = self.orch('failures', 'out.jsonl')
        self.assertEqual(again.returncode, 3)
        self.assertTrue(done.stdout.endswith(again.stdout))
        self.assertTrue(again.stdout.startswith('8 documents: '))

    def test_errors(self):
        self.write_documents(1)
        for words, message in (
                (['docs', '-o', 'out.jsonl', '--language', 'xx'],
                 'tesseract-ocr-xx'),
                (['docs', '-o', 'no/such/folder/out.jsonl'], 'no/such/folder'),
                (['docs', '-o', 'out.jsonl', '--dpi=0'], 'out of range'),
                (['nothing*', '-o', 'out.jsonl'], 'nothing*')):
            done = self.orch('pdf-ocr', *words)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn(message, done.stderr)
            self.assertEqual(done.stdout, '')
        self.assertEqual(self.orch('failures', 'out.pdf').returncode, 1)

    def test_report(self):
        self.write_documents(2)
        self.write('docs/broken.pdf', makepdfs.broken_flate())
        done = self.orch('pdf-text', 'docs', '-o', 'out.jsonl',
                         '--report', 'report.html')
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertTrue(done.stdout.endswith('Report: report.html\n'))
        with open(self.path('report.html'), encoding='utf-8') as file:
            page = file.read()
        for text in ('Finished: 3 documents', 'pdf/damaged-content',
                     '<td>orchpdftext0</td><td>pdf-text</td>', '/docs/00.pdf',
                     'page 1'):
            self.assertIn(text, page)
        done = self.orch('pdf-text', 'docs', '-o', 'out.jsonl', '--report',
                         'no/such/report.html')
        self.assertEqual(done.returncode, 1)
        self.assertIn('no/such', done.stderr)

    def test_report_of_an_error(self):
        self.write_documents(3)
        for number in range(3):
            self.write(f'docs/locked{number}.pdf', makepdfs.encrypted())
        done = self.orch('pdf-text', 'docs', '-o', 'out.jsonl', '--stop-after',
                         '1', '--report', 'report.html')
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn('Report: report.html\n', done.stderr)
        with open(self.path('report.html'), encoding='utf-8') as file:
            self.assertIn('Ended by an error', file.read())

    def test_another_pipeline(self):
        self.write_documents(1)
        words = ('pdf-ocr', 'docs', '-o', 'out.jsonl')
        self.assertEqual(self.orch(*words).returncode, 0)
        done = self.orch(*words, '--dpi', '100')
        self.assertEqual(done.returncode, 1)
        self.assertIn('dpi', done.stderr)
        self.assertIn('Set --existing=overwrite', done.stderr)
        self.assertEqual(
            self.orch(*words, '--dpi', '100', '--existing', 'overwrite')
            .returncode, 0)
        # What changes only how fast it goes is no other pipeline.
        self.assertEqual(self.orch(*words, '--dpi', '100', '--replicas', '1')
                         .returncode, 0)


class Resuming(OrchTest):
    DOCUMENTS = 16

    def start_and(self, number):
        """Sends a signal once two records are there; the exit status."""
        self.write_documents(self.DOCUMENTS, pages=3)
        words = [ORCH, 'pdf-ocr', 'docs', '-o', 'out.jsonl']
        with subprocess.Popen(words, cwd=self.folder,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as process:
            end = time.monotonic() + 60
            while self.count_lines() < 2 and time.monotonic() < end:
                time.sleep(0.01)
            process.send_signal(number)
            signalled = time.monotonic()
            _, self.errors = process.communicate(timeout=60)
            self.took = time.monotonic() - signalled
            return process.returncode

    def count_lines(self):
        try:
            with open(self.path('out.jsonl'), 'rb') as file:
                return file.read().count(b'\n')
        except FileNotFoundError:
            return 0

    def finish(self):
        before = self.count_lines()
        self.assertGreaterEqual(before, 2)
        self.assertLess(before, self.DOCUMENTS)
        done = self.orch('pdf-ocr', 'docs', '-o', 'out.jsonl')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f'{before} had been done before', done.stdout)
        self.assertEqual(self.check_whole(), (self.DOCUMENTS, b''))

    def test_after_ctrl_c(self):
        self.assertEqual(self.start_and(signal.SIGINT), 130)
        self.assertIn('The same command goes on', self.errors)
        self.assertLess(self.took, 10)
        self.assertEqual(self.check_whole()[1], b'')
        self.finish()

    def test_after_kill(self):
        self.assertEqual(self.start_and(signal.SIGKILL), -signal.SIGKILL)
        self.check_whole()
        self.finish()

    def test_nothing_left_to_do(self):
        self.write_documents(2)
        words = ('pdf-text', 'docs', '-o', 'out.jsonl')
        self.assertEqual(self.orch(*words).returncode, 0)
        before = self.read_records()
        done = self.orch(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith('0 documents, 0 pages'))
        self.assertIn('2 had been done before', done.stdout)
        self.assertEqual(self.read_records(), before)

    def test_retry_failed(self):
        self.write_documents(1)
        self.write('docs/late.pdf', makepdfs.encrypted())
        words = ('pdf-text', 'docs', '-o', 'out.jsonl')
        self.assertEqual(self.orch(*words).returncode, 3)
        done = self.orch(*words, '--retry-failed')
        self.assertEqual(done.returncode, 3)
        self.assertIn('1 had been done before', done.stdout)
        self.assertEqual(self.check_whole(), (2, b''))


    def test_stop_after(self):
        for number in range(3):
            self.write(f'docs/{number}.pdf', makepdfs.encrypted())
        words = ('pdf-text', 'docs', '-o', 'out.jsonl')
        done = self.orch(*words, '--stop-after', '1')
        self.assertNotIn(done.returncode, (0, 3))
        self.assertIn('2 of 2 documents failed', done.stderr)
        self.assertIn('stop-after=1', done.stderr)
        self.assertEqual(self.check_whole(), (2, b''))
        self.assertEqual(self.orch(*words).returncode, 3)
        self.assertEqual(self.check_whole(), (3, b''))


class Output(OrchTest):
    def test_input_order_is_the_same_bytes(self):
        self.write_documents(6, pages=3)
        outputs = []
        for replicas in ('1', '3'):
            done = self.orch('pdf-ocr', 'docs', '-o', 'out.jsonl',
                             '--order', 'input', '--replicas', replicas,
                             '--existing', 'overwrite')
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(self.path('out.jsonl'), 'rb') as file:
                outputs.append(file.read())
        self.assertEqual(outputs[0], outputs[1])

    def test_text_is_that_of_the_programs(self):
        self.write('docs/sizes.pdf', makepdfs.mixed_sizes())
        self.write('docs/text.pdf', makepdfs.text_document(2, 60))
        done = self.orch('pdf-ocr', 'docs', '-o', 'out.jsonl', '--order',
                         'input')
        self.assertEqual(done.returncode, 0, done.stderr)
        ours = [page['text'] for record in self.read_records()
                for page in record['content']]
        theirs = []
        for name in ('sizes', 'text'):
            self.run_command('pdftocairo', '-r', '150', '-gray', '-png',
                             '-cropbox', f'docs/{name}.pdf', name, check=True)
            for page in sorted(glob.glob(self.path(f'{name}-*.png'))):
                done = self.run_command('tesseract', page, '-', check=True,
                                        env=dict(os.environ, OMP_THREAD_LIMIT='1'))
                theirs.append(done.stdout.rstrip('\f'))
        self.assertEqual(len(ours), 6)
        self.assertEqual(ours, theirs)

    def scan(self, tree, page):
        """Adds page `page` of a text document to `tree` as a picture."""
        self.write('scan.pdf', makepdfs.text_document(page, words=6, size=24))
        self.run_command('pdftoppm', '-r', '150', '-gray', '-f', str(page),
                         '-singlefile', 'scan.pdf', 'scan', check=True)
        with open(self.path('scan.pgm'), 'rb') as file:
            data = file.read()
        width, height = map(int, data.split(b'\n', 2)[1].split())
        image = tree.pdf.add_flate(
            data[-width * height:], '/Type /XObject /Subtype /Image '
            f'/Width {width} /Height {height} /ColorSpace /DeviceGray '
            '/BitsPerComponent 8')
        tree.add_page('q 612 0 0 792 0 0 cm /Im Do Q',
                      resources=f'/XObject << /Im {image} 0 R >>')

    def read_ways(self, *words):
        """What became of each page, by document."""
        done = self.orch('pdf-auto', 'docs', '-o', 'out.jsonl', '--existing',
                         'overwrite', *words)
        self.assertIn(done.returncode, (0, 3), done.stderr)
        return {record['info']['name']:
                [(page['info'].get('way', page['outcome']), page['text'])
                 for page in record['content']]
                for record in self.read_records()}

    def test_text_or_ocr(self):
        mixed = makepdfs.Tree()
        makepdfs.simple_page(mixed, 1)
        self.scan(mixed, 2)
        makepdfs.simple_page(mixed, 3)
        self.write('docs/mixed.pdf', mixed.build())
        self.write('docs/control.pdf', makepdfs.control_text())
        self.write('docs/unmapped.pdf', makepdfs.unmapped_text())
        self.write('docs/broken.pdf', makepdfs.broken_flate())
        ways = self.read_ways()
        first, scanned, third = ways['mixed.pdf']
        self.assertEqual(first, ('text', 'This is page 1'))
        self.assertEqual(third, ('text', 'This is page 3'))
        self.assertEqual(scanned[0], 'ocr')
        self.assertEqual(scanned[1].split(), makepdfs.page_words(2, 6))
        self.assertEqual(ways['broken.pdf'][0], ('text', 'This is page 1'))
        self.assertEqual(ways['broken.pdf'][1], ('suppressed', None))
        self.assertEqual(ways['unmapped.pdf'][0][0], 'ocr')
        self.assertEqual(ways['control.pdf'][0][0], 'ocr')
        # Nothing is suspect that is not damaged.
        ways = self.read_ways('--max-unmapped', '1')
        self.assertEqual(ways['mixed.pdf'][1][0], 'ocr')
        self.assertEqual(ways['control.pdf'][0][0], 'text')

    def test_show(self):
        self.write('docs/a.pdf', makepdfs.broken_flate())
        self.orch('pdf-text', 'docs', '-o', 'out.jsonl', '-q')
        lines = self.orch('show', 'out.jsonl').stdout.splitlines()
        self.assertTrue(lines[0].startswith('== '))
        self.assertIn('This is page 1', lines)
        self.assertIn('-- 2 (failed)', lines)
        self.assertIn('This is page 3', lines)
        short = self.orch('show', 'out.jsonl', '--lines', '2')
        self.assertEqual(short.stdout.splitlines(), lines[:2])

    def test_show_values(self):
        self.write('docs/a.pdf', makepdfs.text_document(1, words=2, size=24))
        self.orch('pdf-ocr', 'docs', '-o', 'out.jsonl', '--output-format',
                  'json')
        shown = self.orch('show', 'out.jsonl').stdout
        self.assertIn('"lines": [{"text": "page 1"', shown)

    def test_progress_on_a_terminal(self):
        self.write_documents(6, pages=3)
        try:
            master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f'no terminal to be had: {error}')
        with subprocess.Popen(
                [ORCH, 'pdf-ocr', 'docs', '-o', 'out.jsonl'], cwd=self.folder,
                stdout=subprocess.DEVNULL, stderr=slave) as process:
            os.close(slave)
            shown = b''
            while True:
                try:
                    shown += os.read(master, 4096)
                except OSError:
                    break
            os.close(master)
        self.assertEqual(process.returncode, 0)
        self.assertRegex(
            shown, rb'\r\x1b\[K\d of 6 documents, \d+ pages?.*, 0 failures')
        self.assertTrue(shown.endswith(b'\r\x1b[K'))


class Simulating(OrchTest):
    def test_options_reach_the_simulator(self):
        self.write('pages', b'3\n5\n')
        done = self.orch('sim', '--pages', 'pages', '--replicas=1',
                         '--item-cost=1000', '--json')
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual((found['children'], found['makespan']), (8, 8))

    def test_help_and_errors_are_its_own(self):
        self.assertIn('--interleave', self.orch('sim', '--help').stdout)
        done = self.orch('sim', '--order=sorted')
        self.assertEqual(done.returncode, 2)
        self.assertIn('orch sim: order is one of', done.stderr)
        done = self.orch('sim', '--poisoned=3')
        self.assertEqual(done.returncode, 2)
        self.assertIn('--failure', done.stderr)
        done = self.orch('sim', '--pages=nofile')
        self.assertEqual(done.returncode, 2)
        self.assertIn('\u201cnofile\u201d', done.stderr)
        self.assertEqual(self.orch('show', 'x', '--order=sorted').returncode,
                         2)


class Places(OrchTest):
    """Where the command finds what it needs."""

    def environment(self, **more):
        names = ('GST_PLUGIN_PATH', 'LD_LIBRARY_PATH', 'GI_TYPELIB_PATH',
                 'GST_REGISTRY')
        return {**{name: value for name, value in os.environ.items()
                   if name not in names}, **more}

    def test_in_a_source_tree(self):
        tree = self.path('tree')
        for name in ('tools', 'pipelines'):
            shutil.copytree(os.path.join(TREE, name), os.path.join(tree, name))
        os.makedirs(os.path.join(tree, 'lib', 'gst', 'orch'))
        open(os.path.join(tree, 'meson.build'), 'w').close()
        self.write_documents(1)
        words = (os.path.join(tree, 'tools', 'orch'), 'pdf-text', 'docs',
                 '-o', 'out.jsonl')

        done = self.run_command(*words, env=self.environment())
        self.assertEqual(done.returncode, 1)
        self.assertIn('tools/demo', done.stderr)

        os.mkdir(os.path.join(tree, 'build'))
        for name in ('plugins', 'lib'):
            os.symlink(os.path.join(BUILD, name),
                       os.path.join(tree, 'build', name))
        done = self.run_command(*words, env=self.environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(os.path.exists(os.path.join(tree, 'build',
                                                    'registry.bin')))

    def test_installed(self):
        done = self.run_command('meson', 'install', '-C', BUILD,
                                '--no-rebuild', '--quiet', '--destdir',
                                self.path('root'))
        self.assertEqual(done.returncode, 0, done.stderr)
        prefix = self.path('root', 'usr', 'local')
        plugins, = [place for place, folders, _ in os.walk(prefix)
                    if place.endswith('/gstreamer-1.0')
                    and '/include/' not in place]
        self.write_documents(1)
        done = self.run_command(
            os.path.join(prefix, 'bin', 'orch'), 'pdf-text', 'docs', '-o',
            'out.jsonl', env=self.environment(
                GST_PLUGIN_PATH=plugins, GST_REGISTRY=self.path('registry'),
                LD_LIBRARY_PATH=os.path.dirname(plugins)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.read_records()), 1)
        done = self.run_command(os.path.join(prefix, 'bin', 'orch'), 'sim',
                                env=self.environment())
        self.assertIn('45485 children', done.stdout, done.stderr)


if __name__ == '__main__':
    orchtest.skip_without_functions()
    unittest.main()
