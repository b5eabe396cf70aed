#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The orch command on videos: clips, what they look like, and their pictures."""

import json
import os
import subprocess
import sys
import unittest
import urllib.parse

import orchtest
from orchtest import BUILD, ORCH, TREE

SECOND = 1_000_000_000


class VideoTest(orchtest.FolderTest):
    @classmethod
    def setUpClass(cls):
        cls.samples = os.path.join(BUILD, 'tests', 'tools', 'sample-videos')
        subprocess.run([os.path.join(TREE, 'tools', 'samplevideos.py'),
                        cls.samples], check=True)

    def orch(self, *words):
        return self.run_command(ORCH, *words)

    def read_by_name(self):
        return {os.path.basename(urllib.parse.unquote(record['uri'])): record
                for record in self.read_records()}


class Clips(VideoTest):
    def run_clips(self, *words):
        done = self.orch('video-clips', self.samples, '-o', 'out.jsonl',
                         '--clip-duration', str(3 * SECOND), '--width', '160',
                         *words)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        return done

    def clips(self, record):
        self.assertEqual([clip['ordinal'] for clip in record['content']],
                         list(range(len(record['content']))))
        return [clip['value'] for clip in record['content']]

    def check_pictures(self, record, thumbnails):
        frames = thumbnails['content']
        self.assertEqual(len(frames), 3)
        for frame in frames:
            name = frame['info']['file']
            self.assertTrue(name.startswith(record['info']['files']))
            with open(self.path(urllib.parse.unquote(name)), 'rb') as file:
                self.assertEqual(file.read(3), b'\xff\xd8\xff')

    def test_videos_clips_frames(self):
        done = self.run_clips('--report', 'report.html')
        self.assertTrue(done.stdout.startswith('4 videos, 9 clips in '))
        records = self.read_by_name()
        self.assertEqual(len(records), 4)
        for name in ('zoom.mp4', 'test chart.mkv', 'wide film.mp4'):
            record = records[name]
            self.assertTrue(record['complete'], record['summary'])
            self.assertEqual(record['info']['duration'], 9 * SECOND)
            clips = self.clips(record)
            self.assertEqual(len(clips), 3)
            for number, clip in enumerate(clips):
                info = clip['stats']['info']
                self.assertEqual(info['start'], number * 3 * SECOND)
                times = [frame['time']
                         for frame in clip['stats']['value']['frames']]
                self.assertEqual(times, [
                    frame['info']['time']
                    for frame in clip['thumbnails']['content']])
                self.assertTrue(all(info['start'] <= time < info['end']
                                    for time in times))
                self.check_pictures(record, clip['thumbnails'])
        self.check_looks(records)
        broken = records['unfinished download.mp4']
        self.assertEqual(broken['cause']['domain'], 'video')
        self.check_report()

    def check_looks(self, records):
        """What the samples were made to look like."""
        black, moving, still = (
            clip['stats']['value'] for clip in
            self.clips(records['test chart.mkv']))
        self.assertEqual((black['black'], moving['black']), (1.0, 0.0))
        self.assertEqual((moving['frozen'], still['frozen']), (0.0, 1.0))
        wide = self.clips(records['wide film.mp4'])[0]['stats']['value']
        # 35 of 270 rows, scaled to 90; gradients may be dark, too
        self.assertAlmostEqual(wide['border']['top'], 12, delta=1)
        self.assertAlmostEqual(wide['border']['bottom'], 12, delta=1)
        zoom = self.clips(records['zoom.mp4'])[0]['stats']['value']
        self.assertGreater(zoom['colourfulness'], 50)
        self.assertGreater(zoom['motion'], 1)

    def check_report(self):
        with open(self.path('report.html'), encoding='utf-8') as file:
            page = file.read()
        self.assertEqual(page.count('data:image/jpeg;base64,'), 27)
        for text in ('4 videos: 3 complete, 1 not', 'video/damaged',
                     'test chart.mkv', '<td>frame-stats</td>'):
            self.assertIn(text, page)

    def test_records_fit_the_schema(self):
        import jsonschema
        self.run_clips()
        with open(os.path.join(TREE, 'docs', 'record.schema.json'),
                  encoding='utf-8') as file:
            schema = json.load(file)
        for record in self.read_records():
            jsonschema.validate(record, schema)

    def test_resumed(self):
        self.run_clips('--files', 'pictures')
        with open(self.path('out.jsonl'), 'rb') as file:
            lines = file.readlines()
        before = sorted(os.listdir(self.path('pictures')))
        with open(self.path('out.jsonl'), 'wb') as file:
            file.writelines(lines[:2])
        done = self.run_clips('--files', 'pictures')
        self.assertIn('2 videos, ', done.stdout)
        self.assertIn('2 had been done before', done.stdout)
        self.assertEqual(sorted(os.listdir(self.path('pictures'))), before)
        self.assertEqual(
            sorted(self.read_records(), key=lambda record: record['id']),
            sorted(map(json.loads, lines), key=lambda record: record['id']))


FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'


class Mixed(VideoTest):
    """PDF pages and video frames, read by one Call."""

    def write_slides(self, name, *titles):
        """Each for two seconds."""
        slides = ';'.join(
            'color=white:size=640x360:rate=10:duration=2,drawtext='
            f'fontfile={FONT}:fontsize=40:x=40:y=150:text={title}[s{number}]'
            for number, title in enumerate(titles))
        labels = ''.join(f'[s{number}]' for number in range(len(titles)))
        subprocess.run(
            ['ffmpeg', '-v', 'error', '-filter_complex',
             f'{slides};{labels}concat=n={len(titles)}', '-pix_fmt', 'yuv420p',
             '-c:v', 'libx264', self.path(name)], check=True)

    def test_pages_and_frames(self):
        if not os.path.exists(FONT) or not orchtest.has_element('orchtesseract'):
            self.skipTest('needs orchtesseract and a font')
        self.write('in/pages.PDF', orchtest.makepdfs.text_document(
            2, words=4, size=24))
        self.write('in/note.txt', b'neither of both')
        self.write_slides('in/slides.mp4', 'first slide', 'second slide')
        done = self.orch('mixed', 'in', '-o', 'out.jsonl', '--interval',
                         str(2 * SECOND), '--replicas', '1')
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stderr, '')
        records = self.read_by_name()
        self.assertEqual(
            [(part['info']['source'], ' '.join(part['text'].split()))
             for part in records['slides.mp4']['content']],
            [('frame', 'first slide'), ('frame', 'second slide')])
        pages = records['pages.PDF']['content']
        self.assertEqual([part['info']['source'] for part in pages],
                         ['page', 'page'])
        for number, page in enumerate(pages, 1):
            self.assertTrue(page['text'].startswith(f'page {number} '))
        self.assertEqual(records['note.txt']['cause']['code'], 'not-a-video')


class Copies(VideoTest):
    def probe(self, path):
        done = subprocess.run(
            ['ffprobe', '-v', 'error', '-show_streams', '-of', 'json', path],
            capture_output=True, check=True)
        return {stream['codec_type']: stream
                for stream in json.loads(done.stdout)['streams']}

    def make(self, name, *options):
        subprocess.run(
            ['ffmpeg', '-v', 'error', '-f', 'lavfi', '-i',
             'testsrc2=size=320x180:rate=25:duration=3', *options,
             self.path(name)], check=True)

    def copy(self, name):
        """The one record of a video that is one clip, copied."""
        done = self.run_command(
            'gst-launch-1.0', '-q', 'orchsrc', f'location={name}', '!',
            'orchvideoclips', f'clip-duration={9 * SECOND}', '!', 'orchexpand',
            '!', 'orchclipcopy', '!', 'orchreduce', 'on-failed=placeholder',
            '!', 'orchsink', 'location=out.jsonl', 'files=clips',
            'existing=overwrite')
        self.assertEqual(done.returncode, 0, done.stderr)
        clip, = self.read_records()[0]['content']
        return clip

    def test_shape(self):
        """Which way is up, and how wide a pixel is, is copied, too."""
        self.make('wide.mp4', '-vf', 'setsar=4/3', '-c:v', 'libx264')
        subprocess.run(['ffmpeg', '-v', 'error', '-i', self.path('wide.mp4'),
                        '-c', 'copy', '-metadata:s:v', 'rotate=90',
                        self.path('turned.mp4')], check=True)
        for name in ('wide.mp4', 'turned.mp4'):
            file = self.path(self.copy(name)['info']['file'])
            expected = self.probe(self.path(name))['video']
            video = self.probe(file)['video']
            self.assertEqual(video['sample_aspect_ratio'], '4:3')
            self.assertEqual(
                [data.get('rotation') for data in
                 video.get('side_data_list', [])],
                [data.get('rotation') for data in
                 expected.get('side_data_list', [])])

    def test_containers(self):
        for name, options, suffix in (
                ('x.webm', ('-c:v', 'libvpx', '-cpu-used', '8', '-deadline',
                            'realtime'), '.mkv'),
                ('x.ts', ('-c:v', 'libx264'), '.mp4'),
                ('m2.ts', ('-c:v', 'mpeg2video', '-bf', '2'), '.mp4'),
                ('nob.avi', ('-c:v', 'libx264', '-bf', '0'), '.mp4')):
            self.make(name, *options)
            file = self.copy(name)['info']['file']
            self.assertTrue(file.endswith(suffix), file)
            done = self.run_command(
                'ffprobe', '-v', 'error', '-count_frames', '-show_entries',
                'stream=nb_read_frames', '-of', 'csv=p=0',
                urllib.parse.unquote(file))
            self.assertEqual(done.stdout.split('\n')[0].strip(','), '75', name)

    def test_frames_without_times(self):
        """A copy with frames in the wrong order would look like one."""
        self.make('b.avi', '-c:v', 'libx264', '-bf', '2')
        clip = self.copy('b.avi')
        self.assertEqual(clip['outcome'], 'failed')
        self.assertEqual(clip['cause']['code'], 'not-copied')

    def test_copies(self):
        """Files that other programs play, with their sound."""
        done = self.run_command(
            'gst-launch-1.0', '-q', 'orchsrc', f'location={self.samples}',
            'pattern=zoom*|wide*', '!', 'orchvideoclips',
            f'clip-duration={4 * SECOND}', '!', 'orchexpand', '!',
            'orchclipcopy', '!', 'orchreduce', '!', 'orchsink',
            'location=out.jsonl', 'files=clips')
        self.assertEqual(done.returncode, 0, done.stderr)
        records = self.read_by_name()
        self.assertEqual(len(records), 2)
        for name, record in records.items():
            files = [clip['info']['file'] for clip in record['content']]
            self.assertEqual(len(files), 3)
            for number, file in enumerate(files):
                self.assertTrue(file.endswith('.mp4'))
                streams = self.probe(self.path(urllib.parse.unquote(file)))
                self.assertEqual('audio' in streams, name == 'zoom.mp4')
                seconds = 4 if number < 2 else 1
                for stream in streams.values():
                    self.assertAlmostEqual(float(stream['duration']), seconds,
                                           delta=0.2)
                    self.assertAlmostEqual(float(stream['start_time']), 0,
                                           delta=0.03)


if __name__ == '__main__':
    if not orchtest.can_make_videos() \
            or not orchtest.has_element('orchthumbnail'):
        print('needs ffmpeg, orchvideoclips and orchthumbnail')
        sys.exit(77)
    unittest.main()
