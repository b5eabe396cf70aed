#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""What the documentation says works when it is typed."""

import glob
import importlib.util
import os
import re
import sys
import unittest

import orchtest
from orchtest import BUILD, TREE, makemodels, makepdfs, makevideos

PAGES = sorted(glob.glob(os.path.join(TREE, '*.md'))
               + glob.glob(os.path.join(TREE, 'docs', '*.md')))
SOURCES = sorted(glob.glob(os.path.join(TREE, 'plugins', '*', '*.c')))
BLOCK = re.compile(r'^```(\w+)\n(.*?)^```$', re.M | re.S)
LINK = re.compile(r'\]\(([^)#]+)')
ROW = re.compile(r'^\| (S[\d.]+a?)? ?\| `([^`]+)` \| (.*) \|$', re.M)
EXAMPLE = re.compile(r'\|\[(.*?)\]\|', re.S)


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def shell_lines(text):
    """Commands, one a line, without continuations and comments."""
    for line in text.replace('\\\n', ' ').splitlines():
        line = line.split('  #')[0].strip()
        if line and not line.startswith('#'):
            yield line


def rules(text):
    """Numbered in bold or in a table; a section without such is one rule."""
    for section in re.split(r'^## ', text, flags=re.M)[1:]:
        yield from (re.findall(r'^(?:\*\*|\| )(S\d+\.\d+a?)', section, re.M)
                    or re.findall(r'^S\d+', section))


def can_run(line):
    return (('python' not in line or importlib.util.find_spec('numpy'))
            and ('orchonnx' not in line or orchtest.has_element('orchonnx')))


def launch_lines_of_pages():
    for path in PAGES:
        for language, text in BLOCK.findall(read(path)):
            if language != 'sh':
                continue
            for line in shell_lines(text):
                if 'gst-launch-1.0' in line and 'orchwordcount' not in line \
                        and can_run(line):
                    yield os.path.relpath(path, TREE), line


def launch_lines_of_sources():
    for path in SOURCES:
        for text in EXAMPLE.findall(read(path)):
            text = re.sub(r'^ \* ?', '', text, flags=re.M)
            for line in shell_lines(text):
                if 'gst-launch-1.0' in line and can_run(line):
                    yield os.path.relpath(path, TREE), line


class Documentation(orchtest.FolderTest):
    def setUp(self):
        super().setUp()
        for name in ('a', 'b'):
            self.write(f'docs/{name}.pdf',
                       makepdfs.text_document(2, words=6, size=24))
        os.mkdir(self.path('texts'))
        self.write('classifier.onnx', makemodels.MODELS['means'])
        self.write('labels.txt', makemodels.LABELS.encode())
        self.write('words.py', next(
            block for language, block in BLOCK.findall(
                read(os.path.join(TREE, 'docs', 'python.md')))
            if language == 'python').encode())
        # Python Functions run in the interpreter that runs this.
        self.environment = dict(
            os.environ,
            PATH=':'.join((os.path.join(TREE, 'tools'), os.path.dirname(sys.executable),
                           os.environ['PATH'])),
            PKG_CONFIG_PATH=os.path.join(BUILD, 'meson-uninstalled'),
            LD_LIBRARY_PATH=os.path.join(BUILD, 'lib', 'gst', 'orch'))

    def run_line(self, line):
        return self.run_command('sh', '-ec', line, env=self.environment)

    def make_videos(self):
        os.makedirs(self.path('videos'), exist_ok=True)
        for name in ('a.mp4', 'b.mkv'):
            makevideos.encode(self.path('videos', name),
                              makevideos.X264 + makevideos.BFRAMES, frames=45)

    def remove_outputs(self):
        for path in glob.glob(self.path('*.jsonl*')):
            os.unlink(path)

    def check_launch_lines(self, lines):
        number = 0
        has_videos = orchtest.can_make_videos()
        if has_videos:
            self.make_videos()
        for number, (path, line) in enumerate(lines, 1):
            if 'location=videos' in line and not has_videos:
                continue
            with self.subTest(path=path, line=line):
                self.remove_outputs()
                done = self.run_line(line)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                for out in glob.glob(self.path('*.jsonl')):
                    self.assertEqual(
                        [record['complete'] for record in
                         self.read_records(os.path.basename(out))],
                        [True, True])
        return number

    def test_launch_lines_of_pages(self):
        self.assertGreaterEqual(
            self.check_launch_lines(launch_lines_of_pages()), 2)

    def test_launch_lines_of_sources(self):
        self.assertGreaterEqual(
            self.check_launch_lines(launch_lines_of_sources()), 5)

    def test_commands_of_the_readme(self):
        text = read(os.path.join(TREE, 'README.md'))
        lines = [line for language, block in BLOCK.findall(text)
                 for line in shell_lines(block)
                 if language == 'sh' and line.startswith('tools/orch ')]
        self.assertGreaterEqual(len(lines), 2)
        for line in lines:
            if ' plan ' in line:
                orchtest.skip_without_introspection(self)
            done = self.run_line(os.path.join(TREE, line))
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_plan(self):
        orchtest.skip_without_introspection(self)
        text = read(os.path.join(TREE, 'docs', 'architecture.md'))
        line, = re.findall(r'^    tools/(orch plan .*)$', text, re.M)
        plan, = (block for language, block in BLOCK.findall(text)
                 if language == 'text')
        done = self.run_line(line)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, plan)

    def test_writing_a_function(self):
        blocks = dict(BLOCK.findall(
            read(os.path.join(TREE, 'docs', 'writing-a-function.md'))))
        self.write('wordcount.c', blocks['c'].encode())
        done = self.run_line(blocks['sh'])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for record in self.read_records('words.jsonl'):
            self.assertEqual([page['value'] for page in record['content']],
                             [{'words': 6}, {'words': 6}])

    def test_rules_are_tested(self):
        text, tests = read(os.path.join(TREE, 'docs', 'semantics.md')).split(
            '## Where each rule is tested')
        known = set(rules(text))
        self.assertGreater(len(known), 30)
        tested = set()
        rule = None
        for row in ROW.finditer(tests):
            rule = row.group(1) or rule
            tested.add(rule)
            source = read(os.path.join(TREE, 'tests', row.group(2)))
            cases = re.findall('`([^`]+)`', row.group(3))
            self.assertTrue(cases, row.group(0))
            for case in cases:
                pattern = f'"{case}"' if case[0] == '/' else rf'\b{case}\b'
                self.assertTrue(re.search(pattern, source),
                                f'{row.group(2)} has no {case}')
        self.assertEqual(tested, known)

    def test_links(self):
        seen = 0
        for path in PAGES:
            for link in LINK.findall(read(path)):
                if '://' not in link:
                    seen += 1
                    target = os.path.join(os.path.dirname(path), link)
                    self.assertTrue(os.path.exists(target), f'{path}: {link}')
        self.assertGreater(seen, 3)


if __name__ == '__main__':
    orchtest.skip_without_functions()
    unittest.main()
