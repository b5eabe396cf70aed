# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Whole runs: killed ones, large ones, many at once, with little to go on."""

import json
import os
import random
import signal
import subprocess
import time
import unittest

from recordstest import FolderTest, LIST, WORK

SLOW = (f'{LIST} ! orchexpand ! orchcall name=work function=test-work '
        'function::record=*7/1 function::sleep=1000 replicas=2 ! orchreduce')


class KilledTest(FolderTest):
    """A run that is killed at any moment is finished by the same command."""

    LAUNCH = (f'orchsrc name=src location=docs max-open=8 ! {SLOW} ! orchsink '
              'location=out.jsonl existing=resume')

    def kill_after(self, launch, number, seconds):
        with self.start(launch) as process:
            time.sleep(seconds)
            process.send_signal(number)
            process.communicate(timeout=60)

    def check_resumed(self, number, launch=LAUNCH):
        self.write_documents(150)
        seed = random.randrange(1 << 30)
        print('# seed', seed)
        rng = random.Random(seed)
        for _ in range(4):
            self.kill_after(launch, number, rng.uniform(0.05, 0.3))
            if os.path.exists(self.path('out.jsonl')):
                whole = self.read_bytes().rpartition(b'\n')[0]
                for line in whole.splitlines():
                    json.loads(line)
        self.run_pipeline(launch)
        records = self.read_records()
        self.assertEqual(sorted(record['id'] for record in records),
                         sorted({record['id'] for record in records}))
        self.assertEqual(len(records), 150)

    def test_sigkill(self):
        self.check_resumed(signal.SIGKILL)

    def test_sigint(self):
        self.check_resumed(signal.SIGINT)

    def test_sigkill_in_order(self):
        """Resumed, the records are those of a run that was not killed."""
        launch = self.LAUNCH + ' order=input'
        self.check_resumed(signal.SIGKILL, launch)
        resumed = self.read_bytes()
        os.unlink(self.path('out.jsonl'))
        self.run_pipeline(launch)
        self.assertEqual(resumed, self.read_bytes())

    def test_sigkill_files(self):
        os.mkdir(self.path('text'))
        launch = (f'orchsrc name=src location=docs max-open=8 ! {SLOW} ! '
                  'orchsink existing=resume format=text '
                  'location=text/{stem}.txt')
        self.write_documents(60)
        for i in range(4):
            self.kill_after(launch, signal.SIGKILL, 0.05 * (i + 1))
        self.run_pipeline(launch)
        records = self.read_records('text/orch-records.jsonl')
        self.assertEqual(len(records), 60)
        texts = [name for name in os.listdir(self.path('text'))
                 if name.endswith('.txt')]
        self.assertEqual(sorted(texts),
                         sorted(record['info']['file'] for record in records
                                if record['outcome'] == 'present'))


class SameBytesTest(FolderTest):
    """order=input: the same bytes, whatever ran at once."""

    def run_with(self, replicas, batch_size, max_open, interleave):
        self.run_pipeline(
            f'orchsrc name=src location=docs max-open={max_open} ! {LIST} '
            f'function::spread=9 name=list replicas={replicas} ! '
            f'orchexpand interleave={interleave} ! queue ! '
            'orchcall name=work function=test-work '
            'function::record=3/*,14/2 function::error-once=*5/1 '
            f'function::sleep=50 replicas={replicas} batch-size={batch_size} '
            '! orchreduce on-failed=placeholder ! '
            'orchsink location=out.jsonl existing=overwrite order=input')
        return self.read_bytes()

    def test_same_bytes(self):
        self.write_documents(100)
        os.symlink('nowhere', self.path('docs', '00050x.pdf'))
        first = self.run_with(1, 1, 64, 'none')
        self.assertEqual(first.count(b'\n'), 101)
        self.assertEqual(first, self.run_with(4, 16, 64, 'fair'))
        self.assertEqual(first, self.run_with(2, 5, 3, 'shortest'))
        self.assertEqual(first, self.run_with(3, 48, 20, 'fair'))


class ManyTest(FolderTest):
    """More documents than file descriptors, and than fit into memory."""

    def test_few_descriptors(self):
        self.write_documents(5000)
        self.run_pipeline(f'orchsrc location=docs ! {WORK} ! '
                          'orchsink location=out.jsonl',
                          wrapper=['prlimit', '--nofile=64'])
        records = self.read_records()
        self.assertEqual(len(records), 5000)
        self.assertEqual({record['outcome'] for record in records},
                         {'present'})

    def test_hardly_any_descriptors(self):
        """What waits for a descriptor of others gives up, and says so."""
        self.write_documents(40)
        with self.start(f'orchsrc location=docs max-open=1000 ! {WORK} ! '
                        'orchsink location=out.jsonl',
                        wrapper=['prlimit', '--nofile=24']) as process:
            process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(len(self.read_records()), 40)


class SourceTest(FolderTest):
    """Lists that come through a pipe, files that root alone can read."""

    def test_standard_input(self):
        self.write_documents(3)
        names = 'docs/00002.pdf\n\n{"uri": "docs/00000.pdf", "n": 7}\nbad\n'
        self.run_pipeline(f'orchsrc location=- ! {WORK} ! orchsink '
                          'location=out.jsonl order=input', names)
        records = self.read_records()
        self.assertEqual([record['info']['name'] for record in records],
                         ['00002.pdf', '00000.pdf', 'bad'])
        self.assertEqual(records[1]['info']['fields'], {'n': 7})
        self.assertEqual(records[2]['cause']['code'], 'not-found')

    def test_pipe(self):
        self.write_documents(2)
        os.mkfifo(self.path('names'))
        with self.start(f'orchsrc list=names ! {WORK} ! orchsink '
                        'location=out.jsonl') as process:
            with open(self.path('names'), 'w', encoding='utf-8') as file:
                file.write('docs/00000.pdf\ndocs/00001.pdf\n')
            process.communicate(timeout=60)
        self.assertEqual(len(self.read_records()), 2)

    def test_unreadable(self):
        self.write_documents(2)
        os.chmod(self.path('docs', '00001.pdf'), 0)
        os.chmod(self.folder, 0o777)
        wrapper = []
        if os.geteuid() == 0:
            wrapper = ['setpriv', '--bounding-set',
                       '-dac_override,-dac_read_search']
        self.run_pipeline(f'orchsrc location=docs ! {WORK} ! orchsink '
                          'location=out.jsonl', wrapper=wrapper)
        bad, = [record for record in self.read_records()
                if record['outcome'] != 'present']
        self.assertEqual(bad['cause']['code'], 'not-readable')
        self.assertEqual(bad['info']['size'], 5)

    def test_standard_output(self):
        self.write_documents(2)
        output, _ = self.run_pipeline(
            f'orchsrc location=docs ! {WORK} ! orchsink location=- '
            'order=input')
        self.assertEqual([json.loads(line)['path']
                          for line in output.splitlines()], ['0', '1'])
        output, _ = self.run_pipeline(
            f'orchsrc location=docs ! {WORK} ! orchsink location=- '
            'format=text order=input')
        self.assertEqual(output, '0/0\f0/1\f0/2\f1/0\f1/1\f1/2\f')


class ForeignSinkTest(FolderTest):
    """Documents of which nothing comes to a sink of another kind are done with,
    and let others in."""

    def check(self, work):
        self.write_documents(200)
        for sink in ('fakesink', 'fakesink async=false', 'queue ! fakesink',
                     'tee name=t ! queue ! fakesink t. ! queue ! fakesink'):
            self.run_pipeline(f'orchsrc location=docs max-open=2 ! {work} ! '
                              f'{sink}')

    def test_failed(self):
        self.check('orchtesthostile rules=*:fail')

    def test_failed_children(self):
        self.check('orchtestlist text=true ! orchexpand ! orchtesthostile '
                   'rules=*:fail ! orchreduce')

    def test_not_gathered(self):
        self.check('orchtestlist text=true ! orchexpand ! orchtesthostile '
                   'rules=*:fail')


class CleanTest(FolderTest):
    """Nothing is left behind, and nothing is printed."""

    def test_leaks(self):
        self.write_documents(50)
        self.write('docs/empty.pdf', '')
        os.mkfifo(self.path('docs', 'pipe'))
        # gst_parse_launch() of GStreamer 1.22 leaks what function:: names
        work = ('orchtestlist text=true ! orchexpand ! orchtestwork ! '
                'orchreduce')
        for sink in ('', 'order=input', 'format=text'):
            _, errors = self.run_pipeline(
                f'orchsrc location=docs max-open=5 ! {work} ! orchsink '
                f'location=out.jsonl existing=overwrite {sink}',
                environment={'GST_TRACERS': 'leaks',
                             'GST_DEBUG': 'GST_TRACER:7',
                             'GST_DEBUG_NO_COLOR': '1'})
            leaks = [line for line in errors.splitlines()
                     if 'object-alive, type-name' in line and ':0::' in line]
            self.assertEqual(leaks, [])

    def test_full_disk(self):
        """One error that names file and reason; earlier lines stay."""
        self.write_documents(2000)
        with self.start(f'orchsrc location=docs ! {WORK} ! orchsink '
                        'location=out.jsonl',
                        wrapper=['prlimit', '--fsize=100000'],
                        preexec_fn=lambda: signal.signal(
                            signal.SIGXFSZ, signal.SIG_IGN)) as process:
            _, errors = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(errors.count('ERROR:'), 1, errors)
        self.assertIn('out.jsonl', errors)
        self.assertIn(os.strerror(27), errors)
        records = self.read_records()
        self.assertGreater(len(records), 50)
        self.run_pipeline(f'orchsrc location=docs ! {WORK} ! orchsink '
                          'location=out.jsonl existing=resume')
        self.assertEqual(len(self.read_records()), 2000)

    def test_no_file_descriptors_leak(self):
        """A process that runs many pipelines has as many as before."""
        self.write_documents(3)
        script = (
            'import gi, os\n'
            "gi.require_version('Gst', '1.0')\n"
            'from gi.repository import Gst\n'
            'Gst.init(None)\n'
            'def run():\n'
            '    p = Gst.parse_launch("orchsrc location=docs ! '
            f'{WORK} ! orchsink location=out.jsonl existing=overwrite")\n'
            '    p.set_state(Gst.State.PLAYING)\n'
            '    m = p.get_bus().timed_pop_filtered(10 * Gst.SECOND,\n'
            '        Gst.MessageType.EOS | Gst.MessageType.ERROR)\n'
            '    assert m.type == Gst.MessageType.EOS\n'
            '    p.set_state(Gst.State.NULL)\n'
            'run()\n'
            "before = len(os.listdir('/proc/self/fd'))\n"
            'for i in range(20):\n'
            '    run()\n'
            "assert len(os.listdir('/proc/self/fd')) <= before + 1\n")
        subprocess.run(['/usr/bin/python3', '-c', script], cwd=self.folder,
                       check=True, timeout=60)


if __name__ == '__main__':
    unittest.main()
