#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Pipelines written in Python, run with workers."""

import concurrent.futures
import gc
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest

try:
    import numpy
    import gst_orch as ro
    from gst_orch import gst  # noqa: F401
except ImportError as error:
    print(f'skipped: {error}')
    sys.exit(77)
import programs  # noqa: E402

F = ro.F
FOLDER = pathlib.Path(__file__).resolve().parent

# Where something else than under RayOrch is meant, and why.
DIFFERENT = {
    # The cause says what happened, where RayOrch says nothing.
    'dropped_values_of_members': (
        '<SUPPRESSED None>',
        '<SUPPRESSED the value at sink of a present member was dropped>'),
    # The value of a parent that failed is, for a child, somebody else's failure (S1.2).
    'a_broadcast_that_failed': ('<FAILED y has y>', '<SUPPRESSED y has y>'),
}


class Golden(unittest.TestCase):
    """The outputs are those of RayOrch: see record-golden.py."""

    def test_programs(self):
        golden = json.loads((FOLDER / 'golden.json').read_text(encoding='ascii'))
        self.assertEqual(set(golden), set(programs.PROGRAMS))
        # Side by side: to start and end workers is to wait, most of the time.
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            found = dict(zip(golden, pool.map(programs.run, golden)))
        for name, expected in golden.items():
            if name in DIFFERENT:
                self.assertIn(DIFFERENT[name][0], expected)
                expected = expected.replace(*DIFFERENT[name])
            with self.subTest(name):
                self.assertEqual(found[name], expected)


class Process:
    """Says which process it is in, and how often it has run there."""

    def __init__(self):
        self.runs = 0

    def run(self, values):
        self.runs += 1
        return [(os.getpid(), self.runs) for _ in values]


class Exit:
    """Ends its process at the word."""

    def run(self, values):
        for value in values:
            if value == 'exit':
                os._exit(3)
            if value == 'kill':
                os.kill(os.getpid(), signal.SIGSEGV)
        return list(values)


class CannotBeMade:
    def __init__(self):
        raise RuntimeError('the model is not there')


class Missing:
    def run(self, there, perhaps):
        return list(zip(there, perhaps))


CYCLIC = []
CYCLIC.append(CYCLIC)


class Odd:
    """What is returned for each word."""

    WORDS = {
        'drop': ro.Drop, 'fail': ro.RecordFailure, 'huge': 10 ** 9000, 'deep': {'a': ['\udcff']},
        'cyclic': CYCLIC, 'list': [memoryview, b'a'],
    }

    def run(self, words):
        return [self.WORDS.get(word, word) for word in words]


class DropSome:
    def run(self, words):
        return [ro.DROP if 'x' in word else word for word in words]


class Letters:
    """Of which b is dropped and x a failure."""

    def run(self, words):
        special = {'b': ro.DROP, 'x': ro.RecordFailure('x fails')}
        return [[special.get(letter, letter) for letter in word] for word in words]


class Bytes:
    def run(self, words):
        return [ro.Value(word.encode(), 'application/x-words') if len(word) > 1
                else memoryview(word.encode()) for word in words]


class Environment:
    def run(self, names):
        return [os.environ.get(name) for name in names]


def single(udf, **options):
    return programs.pipeline(lambda values: ro.Module(udf).configure(**options)(values))


class Executors(unittest.TestCase):
    def test_workers_stay(self):
        with ro.Executor(single(Process)) as executor:
            first, = executor.run([1]).outputs
            second, = executor.run([1]).outputs
        self.assertNotEqual(first[0], os.getpid())
        self.assertEqual(second, (first[0], first[1] + 1))
        with self.assertRaises(ProcessLookupError):
            os.kill(first[0], 0)

    def test_many_runs(self):
        with ro.Executor(programs.PROGRAMS['nested_levels'][0]()) as executor:
            for n in range(6):
                rows = [(f'a{i}', i % 4) for i in range(n)]
                pages, parts = executor.run(rows).outputs
                self.assertEqual([len(of) for of in pages], [i % 4 for i in range(n)])
                self.assertEqual([len(of) for of in parts], [i % 4 for i in range(n)])

    def test_wrong_rows(self):
        with ro.Executor(programs.PROGRAMS['broadcast'][0]()) as executor:
            for columns in ((), ([1],), ([1], [1, 2])):
                with self.assertRaises(ValueError):
                    executor.run(*columns)
            for limits in ({'input_batch_size': 0}, {'max_active_input_batches': 0}):
                with self.assertRaises(ValueError):
                    executor.run([], [], **limits)
            # Nothing had begun.
            self.assertEqual(executor.run([], []).outputs, ([], [], []))

    def test_an_error_closes(self):
        executor = ro.Executor(single(Exit))
        with self.assertRaisesRegex(ro.ExecutionError, 'call0-Exit'):
            executor.run(['a', 'exit'])
        with self.assertRaisesRegex(RuntimeError, 'closed'):
            executor.run(['a'])
        executor.close()

    def test_nothing_is_left(self):
        gone = []
        for close in (True, False):
            executor = ro.Executor(single(programs.AddOne))
            self.assertEqual(executor.run([1]).outputs, [2])
            executor._running.pipeline.weak_ref(lambda: gone.append(True))
            if close:
                executor.close()
            del executor
            gc.collect()
        self.assertEqual(gone, [True, True])

    def test_threads(self):
        found = {}
        with ro.Executor(single(programs.AddOne, batch_size=8)) as executor:
            def run(first):
                found[first] = executor.run(range(first, first + 100)).outputs
            threads = [threading.Thread(target=run, args=(first,)) for first in (0, 1000, 2000)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(found, {first: list(range(first + 1, first + 101))
                                 for first in (0, 1000, 2000)})

    def test_compiled_once(self):
        program = single(programs.AddOne).compile()
        self.assertEqual(ro.run(program, [1]).outputs, [2])
        with ro.Executor(program) as executor:
            self.assertEqual(executor.run([1]).outputs, [2])

    def test_rows_that_cannot_be_sent(self):
        with self.assertRaisesRegex(TypeError, 'generator cannot be handed'):
            single(programs.AddOne).run([1, (i for i in ())])

    def test_rows_that_are_open(self):
        pipeline = single(programs.AddOne, batch_size=2)
        result = pipeline.run(list(range(50)), input_batch_size=5, max_active_input_batches=2)
        self.assertEqual(result.outputs, list(range(1, 51)))
        self.assertLessEqual(result.peak_active_input_batches, 2)
        self.assertGreaterEqual(result.peak_active_input_batches, 1)


INTERRUPTED = '''
    import pathlib, sys, time
    import gst_orch as ro

    class Hang:
        def run(self, values):
            pathlib.Path(values[0]).touch()
            time.sleep(1000)

    class Pipeline(ro.Pipeline):
        def forward(self, values):
            return ro.Module(Hang)(values)

    if __name__ == '__main__':
        try:
            Pipeline().run([sys.argv[1]] * 10000)
        except KeyboardInterrupt:
            print('interrupted')
'''


class Interruption(unittest.TestCase):
    def test_ctrl_c(self):
        with tempfile.TemporaryDirectory() as folder:
            script, mark = pathlib.Path(folder, 'program.py'), pathlib.Path(folder, 'mark')
            script.write_text(textwrap.dedent(INTERRUPTED))
            with subprocess.Popen([sys.executable, str(script), str(mark)], text=True,
                                  stdout=subprocess.PIPE) as process:
                self.addCleanup(process.kill)
                while not mark.exists():
                    self.assertIsNone(process.poll())
                    time.sleep(0.01)
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.communicate(timeout=60)[0], 'interrupted\n')


class Metrics(unittest.TestCase):
    def test_counts(self):
        make, columns, _ = programs.PROGRAMS['fan_out_and_reduce']
        with ro.Executor(make()) as executor:
            for _ in range(2):
                result = executor.run(*columns)
                calls = {call.udf_name: call for call in result.calls}
                self.assertEqual({name: call.grain_dispatches for name, call in calls.items()},
                                 {'Count': 3, 'Upper': 5, 'Join': 3})
                for call in result.calls:
                    self.assertEqual(call.grain_requeues, 0)
                    self.assertEqual(sum(call.batch_sizes), call.grain_dispatches)
                    self.assertEqual(len(call.batch_sizes), call.rpcs)
                    self.assertLessEqual(max(call.batch_sizes), 4)
                self.assertEqual(result.rpc_count, sum(call.rpcs for call in result.calls))
                units, = result.input_batches
                self.assertEqual((units.entity_count, units.expansion_count,
                                  units.grain_count), (8, 3, 11))
                self.assertEqual(result.actor_count, 3)
                self.assertGreater(result.elapsed_s, 0)

    def test_what_is_repeated(self):
        pipeline = single(Exit, batch_size=1, recovery=ro.RecoveryPolicy.isolate_tail())
        call, = pipeline.run(['exit']).calls
        self.assertEqual((call.rpcs, call.grain_dispatches, call.grain_requeues), (2, 2, 1))
        self.assertEqual(call.average_batch, 1.0)


class Failures(unittest.TestCase):
    def test_crash(self):
        for word in ('exit', 'kill'):
            outputs = single(Exit, batch_size=8, recovery=ro.RecoveryPolicy.isolate_tail()).run(
                ['a', 'b', word, 'd', 'e']).outputs
            self.assertEqual(outputs[:2] + outputs[3:], ['a', 'b', 'd', 'e'])
            self.assertEqual(outputs[2].outcome, ro.ItemOutcome.FAILED)

    def test_traceback(self):
        with self.assertRaises(ro.ExecutionError) as raised:
            programs.PROGRAMS['abort'][0]().run(['bad'])
        text = str(raised.exception)
        self.assertIn('ValueError: a value has bad', text)
        self.assertIn("raise ValueError(f'a value has {self.word}')", text)
        self.assertNotIn('udf.py', text)

    def test_cannot_be_made(self):
        with self.assertRaisesRegex(ro.ExecutionError, 'the model is not there'):
            single(CannotBeMade).run([1])

    def test_no_interpreter(self):
        with self.assertRaisesRegex(ro.ExecutionError, '/nowhere/python'):
            single(programs.AddOne, python='/nowhere/python').run([1])

    def test_attempt_timeout(self):
        issue, = single(Sleep, attempt_timeout=0.2,
                        recovery=ro.RecoveryPolicy.isolate_tail()).run([300]).outputs
        self.assertEqual(issue.outcome, ro.ItemOutcome.FAILED)


class Sleep:
    def run(self, seconds):
        return [time.sleep(value) for value in seconds]


class Extensions(unittest.TestCase):
    def test_optional(self):
        def forward(words):
            long = F.filter(words, ro.Module(programs.IsLong)(words))
            return (ro.Module(Missing)(words, F.optional(long)),
                    ro.Module(Missing)(F.optional(long), perhaps=words),
                    ro.Module(Missing)(F.optional(long), F.optional(long)))
        self.assertEqual(programs.pipeline(forward).run(['ab', 'abc']).outputs, (
            [('ab', None), ('abc', 'abc')], [(None, 'ab'), ('abc', 'abc')],
            [(None, None), ('abc', 'abc')]))

    def test_optional_that_fails(self):
        def forward(words):
            failed = ro.Module(programs.FailSome).pre_init('b')(words)
            return ro.Module(Missing)(words, F.optional(failed))
        fine, issue = programs.pipeline(forward).run(['a', 'b']).outputs
        self.assertEqual(fine, ('a', 'a'))
        self.assertEqual(issue, ro.OutputIssue(ro.ItemOutcome.SUPPRESSED, 'b has b'))

    def test_functions_of_plugins(self):
        def forward(values, others):
            same = ro.Module('identity').configure(batch_size=4, replicas=2)(values, others)
            return same, F.call('part', same, number=1), ro.Module(programs.Sum)(
                F.call('part', same))
        pipeline = programs.pipeline(forward)
        same, second, total = pipeline.run([numpy.ones(3), numpy.ones(5)], ['a', 'b']).outputs
        self.assertEqual([pair[1] for pair in same], ['a', 'b'])
        self.assertEqual((second, total), (['a', 'b'], [3, 5]))

    def test_no_such_function(self):
        for wrong in (lambda values: F.call('no-such', values),
                      lambda values: F.call('part', values, no_such=1)):
            with self.assertRaisesRegex(ro.ExecutionError, 'no.such'):
                programs.pipeline(wrong).run([1])

    def test_drops(self):
        def forward(words):
            kept = ro.Module(DropSome)(words)
            letters = F.expand(ro.Module(Letters)(words))
            return kept, F.reduce(letters), letters
        outputs = programs.pipeline(forward).run(['ab', 'xa', 'a']).outputs
        dropped = ro.OutputIssue(ro.ItemOutcome.DROPPED)
        failed = ro.OutputIssue(ro.ItemOutcome.FAILED, 'x fails')
        self.assertEqual(outputs[0], ['ab', dropped, 'a'])
        self.assertEqual(outputs[1][0], ['a'])
        self.assertEqual(outputs[1][1].outcome, ro.ItemOutcome.SUPPRESSED)
        self.assertEqual(outputs[2], ['a', dropped, failed, 'a', 'a'])

    def test_odd_values(self):
        with ro.Executor(single(Odd, batch_size=8)) as executor:
            dropped, failed, cyclic, *same = executor.run(
                ['drop', 'fail', 'cyclic', 'huge', 'deep', 'list', -10 ** 9000]).outputs
        self.assertEqual((dropped.outcome, failed.outcome),
                         (ro.ItemOutcome.DROPPED, ro.ItemOutcome.FAILED))
        self.assertIs(cyclic[0], cyclic)
        self.assertEqual(same, [Odd.WORDS['huge'], Odd.WORDS['deep'], Odd.WORDS['list'],
                                -10 ** 9000])

    def test_other_values(self):
        outputs = single(Bytes).run(['ab', 'c']).outputs
        self.assertEqual(outputs, [b'ab', b'c'])

    def test_environment(self):
        outputs = single(Environment, runtime_env={'env_vars': {'ORCH_TEST': 'x'}}).run(
            ['ORCH_TEST']).outputs
        self.assertEqual(outputs, ['x'])


class Sizes:
    def run(self, documents):
        return [(document.size, document.read()) for document in documents]


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def test_documents(self):
        (self.path / 'a').write_bytes(b'abc')

        def forward(files):
            return ro.Module(Sizes)(files), files
        files = [ro.File(self.path / name) for name in ('a', 'none', '.')]
        sizes, same = programs.pipeline(forward).run(files).outputs
        self.assertEqual((sizes[0], same[0]), ((3, b'abc'), b'abc'))
        for number, word in ((1, 'No such file'), (2, 'is no file')):
            self.assertEqual(same[number].outcome, ro.ItemOutcome.FAILED)
            self.assertIn(word, same[number].cause)
            self.assertEqual(sizes[number], ro.OutputIssue(ro.ItemOutcome.SUPPRESSED,
                                                           same[number].cause))

    def test_pages(self):
        if not gst.Gst.ElementFactory.find('orchpdfpages'):
            self.skipTest('built without the PDF Functions')
        subprocess.run([sys.executable, str(FOLDER.parent / 'pdf' / 'makepdfs.py'), '--text',
                        '3', '4', str(self.path / 'a.pdf')], check=True)

        def forward(files):
            pages = F.expand(F.call('pdf-pages', files))
            text = F.call('pdf-text', pages)
            images = ro.Module('pdf-render', dpi=10)(pages)
            return (F.reduce(ro.Module(Words).configure(batch_size=8)(text)),
                    F.reduce(ro.Module(Shapes)(images)), pages)
        words, shapes, pages = programs.pipeline(forward).run(
            [ro.File(self.path / 'a.pdf')]).outputs
        self.assertEqual(words, [[4, 4, 4]])
        self.assertEqual(shapes, [[(110, 85)] * 3])
        self.assertEqual(len(pages), 3)
        self.assertEqual(pages[2].source.read(), (self.path / 'a.pdf').read_bytes())


class Words:
    def run(self, texts):
        return [len(text.split()) for text in texts]


class Shapes:
    def run(self, images):
        return [image.shape for image in images]


README = '''
    import gst_orch as ro


    class AddOne:
        # A UDF receives one runtime batch and returns one result per input item.
        def run(self, values):
            return [value + 1 for value in values]


    class MyPipeline(ro.Pipeline):
        def __init__(self):
            self.first = ro.RayModule(AddOne).ray_options(replicas=2, batch_size=8)
            self.second = ro.RayModule(AddOne).ray_options(replicas=2, batch_size=8)

        def forward(self, values):
            return self.second(self.first(values))


    class Point:
        def __init__(self, x):
            self.x = x


    class MakePoints:
        def run(self, points):
            return [Point(point.x + 1) for point in points]


    class Points(ro.Pipeline):
        def forward(self, values):
            return ro.Module(MakePoints)(values)


    pipeline = MyPipeline()
    result = pipeline.run([1, 2, 3], input_batch_size=2, max_active_input_batches=2)
    print(result.outputs)

    if __name__ == '__main__':
        point, = Points().run([Point(1)]).outputs
        print(type(point) is Point, point.x)
    with ro.Executor(MyPipeline()) as executor:
        print(executor.run([1, 2, 3]).outputs, executor.run([4, 5, 6]).outputs)
'''


LATE = README.split('    print(result.outputs)')[0] + '''
    class Late(AddOne):
        pass


    ro.run(type('Two', (ro.Pipeline,), {'forward': lambda self, a: ro.Module(Late)(a)})(), [1])
'''


class Scripts(unittest.TestCase):
    """A program that is not guarded against being run again."""

    def start(self, text, without_cloudpickle):
        with tempfile.TemporaryDirectory() as folder:
            if without_cloudpickle:
                pathlib.Path(folder, 'cloudpickle.py').write_text('raise ImportError\n')
            script = pathlib.Path(folder, 'my pipeline.py')
            script.write_text(textwrap.dedent(text))
            return subprocess.run([sys.executable, str(script)], text=True,
                                  capture_output=True, timeout=60, check=False)

    def run_script(self, without_cloudpickle):
        done = self.start(README, without_cloudpickle)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, '[3, 4, 5]\nTrue 2\n[3, 4, 5] [6, 7, 8]\n')

    def test_what_comes_too_late(self):
        done = self.start(LATE, without_cloudpickle=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn('Late is not to be found in a worker: it has to be defined ahead',
                      done.stderr)

    def test_without_cloudpickle(self):
        self.run_script(True)

    def test_as_it_is(self):
        self.run_script(False)


if __name__ == '__main__':
    unittest.main()
