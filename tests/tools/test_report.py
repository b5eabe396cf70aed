#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The page about a run: what it shows, and that nothing of a document gets out
of its place."""

import html.parser
import io
import json
import os
import sys
import tarfile
import tempfile
import unittest
from unittest import mock

TREE = os.environ['ORCH_TEST_TREE']
sys.path.insert(0, os.path.join(TREE, 'tools'))

from orchlib import markup, pictures, report, timeline, values  # noqa: E402

JPEG = b'\xff\xd8\xff\xe0 a picture'
NASTY = '<script>alert("x")</script>&\'"><img src=x onerror=y>'
VOID = {'meta', 'img'}


class Page(html.parser.HTMLParser):
    """Its elements, and that they are closed in their order."""

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.elements = []
        self.texts = []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.texts.append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self):
        return ' '.join(self.texts)


def unit(ordinal, **fields):
    return {'ordinal': ordinal, 'outcome': 'present', 'text': None,
            'value': None, 'content': None, 'cause': None, 'info': {},
            **fields}


def record(identity, content, **fields):
    return {'id': identity, 'complete': True, 'outcome': 'present',
            'summary': '', 'failures': [], 'cause': None, 'info': {},
            'members': {'total': len(content), 'present': len(content)},
            'content': content, **fields}


class Reports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), 'wb') as file:
            file.write(data)

    def make(self, records, **facts):
        with open(self.path('out.jsonl'), 'w', encoding='utf-8') as file:
            for one in records:
                file.write(json.dumps(one) + '\n')
        known = {'line': 'gst-launch-1.0 x', 'end': 'Finished',
                 'elapsed': 10.0, 'done': len(records), 'skipped': 0, **facts}
        report.write(report.RunFacts(**known), self.path('out.jsonl'),
                     self.path('report.html'))
        with open(self.path('report.html'), encoding='utf-8') as file:
            return Page(file.read())

    def test_nothing_escapes(self):
        cause = {'domain': NASTY, 'code': NASTY, 'message': NASTY}
        page = self.make([record(
            NASTY, [unit(0, text=NASTY), unit(1, value={NASTY: NASTY}),
                    unit(2, value={NASTY: unit(0, text=NASTY)}),
                    unit(3, info={'file': NASTY, NASTY: NASTY}),
                    unit(4, outcome='failed', cause=cause), NASTY,
                    {NASTY: [NASTY]}, [NASTY]],
            complete=False, summary=NASTY, info={NASTY: NASTY}, cause=cause)],
            line=NASTY, end=NASTY)
        self.assertEqual(page.all('script'), [])
        self.assertEqual(page.all('img'), [])
        self.assertIn(NASTY, page.text)
        for _, attributes in page.elements:
            self.assertFalse([name for name in attributes
                              if name.startswith('on')])

    def test_needs_no_other_file(self):
        self.write('pictures/a b.jpg', JPEG)
        page = self.make([record('file:///a.mp4', [
            unit(0, info={'file': 'pictures/a%20b.jpg'})])])
        image, = page.all('img')
        self.assertTrue(image['src'].startswith('data:image/jpeg;base64,'))
        self.assertEqual(page.all('link') + page.all('script'), [])
        policy, = [meta['content'] for meta in page.all('meta')
                   if 'http-equiv' in meta]
        self.assertTrue(policy.startswith("default-src 'none'"))

    def test_order_and_causes(self):
        page = self.make([
            record('file:///a.mp4', [unit(0, text='first'), unit(
                1, outcome='failed', cause={'domain': 'd', 'code': 'c',
                                            'message': 'It broke.'})],
                   complete=False, summary='1 part is missing',
                   failures=[{'id': 'file:///a.mp4#clip=2', 'cause':
                              {'domain': 'd', 'code': 'c',
                               'message': 'It broke.'}}]),
            record('file:///b.mp4', [unit(0, text='second')])],
            document='video')
        for text in ('2 videos: 1 complete, 1 not', 'd/c', 'It broke.',
                     '/a.mp4#clip=2', 'Videos'):
            self.assertIn(text, page.text)
        self.assertLess(page.text.index('first'), page.text.index('second'))
        self.assertEqual([part['value'] for part in page.all('li')],
                         ['1', '2', '1'])

    def test_large_corpora_are_cut(self):
        with mock.patch.object(report, 'MAX_DOCUMENTS', 3), \
                mock.patch.object(values, 'MAX_PARTS', 2):
            page = self.make([record(f'file:///{number}', [
                unit(part, text=f'text {number}.{part}') for part in range(4)])
                for number in range(5)])
        self.assertEqual(len(page.all('details')), 1 + 3)
        self.assertIn('The file of records has 5 documents', page.text)
        self.assertIn('and 2 more', page.text)
        self.assertNotIn('text 0.2', page.text)

    def test_pictures_have_a_budget(self):
        for number in range(3):
            self.write(f'{number}.jpg', JPEG)
        with mock.patch.object(report, 'PICTURE_BUDGET', 2 * len(JPEG)):
            page = self.make([record('file:///a', [
                unit(number, info={'file': f'{number}.jpg'})
                for number in range(3)])])
        self.assertEqual(len(page.all('img')), 2)
        self.assertIn('2.jpg', page.text)

    def test_what_is_no_picture_is_named(self):
        os.mkfifo(self.path('pipe.jpg'))
        self.write('text.jpg', b'no picture')
        self.write('sub/out.jpg', JPEG)
        secret = os.path.relpath('/etc/hostname', self.folder)
        for name in ('pipe.jpg', 'text.jpg', 'gone.jpg', secret, 'a%00b.jpg',
                     'https://example.org/x.jpg'):
            page = self.make([record('file:///a', [
                unit(0, info={'file': name})])])
            self.assertEqual(page.all('img'), [], name)
            self.assertIn(name, page.text)
        shown = pictures.Pictures(self.path('sub/out.jsonl'), 1000)
        self.assertIsNone(shown.data_uri('../sub2/out.jpg'))
        self.assertIsNotNone(shown.data_uri('file://' + self.path('sub/out.jpg')))

    def test_pictures_of_shards(self):
        for number in range(2):
            with tarfile.open(self.path(f'{number}.tar'), 'w') as archive:
                member = tarfile.TarInfo('k y.0000.jpg')
                member.size = len(JPEG)
                archive.addfile(member, io.BytesIO(JPEG))
        self.write('broken.tar', b'no archive')
        page = self.make([
            record(f'file:///{shard}', [unit(0, info={'file': name})],
                   info={'shard': f'{shard}.tar'})
            for shard, name in (('0', 'k%20y.0000.jpg'), ('0', 'gone.jpg'),
                                ('1', 'k%20y.0000.jpg'), ('gone', 'a.jpg'),
                                ('broken', 'b.jpg'), ('../x', 'c.jpg'))])
        self.assertEqual(len(page.all('img')), 2)
        for name in ('gone.jpg', 'a.jpg', 'b.jpg', 'c.jpg'):
            self.assertIn(name, page.text)

    def test_a_page_is_whole_or_not_there(self):
        self.make([record('file:///a', [])])
        with open(self.path('out.jsonl'), 'a', encoding='utf-8') as file:
            file.write('no record\n')
        with self.assertRaises(Exception):
            report.write(report.RunFacts('', '', 1.0, 1, 0),
                         self.path('out.jsonl'), self.path('other.html'))
        self.assertEqual(sorted(os.listdir(self.folder)),
                         ['out.jsonl', 'report.html'])

    def test_stages(self):
        stages = [
            timeline.Stage('b', 'two', 5, 1, 2, 2, 4.0, 8.0, 4.0),
            timeline.Stage('a', 'one', 10, 0, 10, 1, 0.0, 5.0, 5.0)]
        page = self.make([record('file:///a', [])], stages=stages)
        cells = [text for text in page.texts if text.strip()]
        row = cells.index('b')
        self.assertLess(cells.index('a'), row)
        self.assertEqual(cells[row:row + 11], [
            'b', 'two', '5', '1', '2', '2.5', '2', '4.00', '8.00', '50 %',
            '2.00'])
        styles = [span['style'] for span in page.all('span') if 'style' in span]
        self.assertEqual(styles[1], 'left: 40.00%; width: 40.00%')


class Timelines(unittest.TestCase):
    def read(self, **fields):
        stats = mock.Mock()
        stats.get_value = {**dict.fromkeys(
            (*timeline.OUTCOMES, 'batches', 'threads', 'first-begin',
             'last-end', 'busy'), 0), **fields}.get
        return timeline.read_stage('name', 'function', stats, 100.0)

    def test_seconds_of_the_run(self):
        stage = self.read(**{
            'present': 3, 'dropped': 2, 'failed': 1, 'batches': 2, 'threads': 2,
            'first-begin': 101_000_000_000, 'last-end': 105_000_000_000,
            'busy': 2_000_000_000})
        self.assertEqual((stage.units, stage.begin, stage.end), (6, 1.0, 5.0))
        self.assertEqual(stage.share, 0.25)
        self.assertEqual(stage.mean_batch, 3)
        self.assertEqual(stage.tail(7.0), 2.0)

    def test_without_a_batch(self):
        self.assertIsNone(self.read())


class Markups(unittest.TestCase):
    def test_escaping(self):
        self.assertEqual(
            markup.element('p', 'a < b', markup.element('b', '&'), class_='"',
                           title=None),
            '<p class="&quot;">a &lt; b<b>&amp;</b></p>')


if __name__ == '__main__':
    unittest.main()
