#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""How values and UDFs get to a worker, without one."""

import collections
import json
import os
import pickle
import subprocess
import sys
import tempfile
import textwrap
import unittest

try:
    import numpy
    import gst_orch as ro
except ImportError as error:
    print(f'skipped: {error}')
    sys.exit(77)
from gst_orch import codec, target  # noqa: E402

Point = collections.namedtuple('Point', 'x y')


class Text(str):
    pass


class Choice(unittest.TestCase):
    def assert_choice(self, kind, *values):
        for value in values:
            self.assertEqual(codec.choose(value), kind, type(value))

    def test_text(self):
        self.assert_choice(codec.TEXT, '', 'a', 'é\0')

    def test_json(self):
        values = [None, True, 0, -1, 2 ** 70, 1.5, -0.0, [], {}, [1, ['a', None]],
                  {'a': {'b': [1.0]}}]
        self.assert_choice(codec.JSON, *values)
        self.assert_choice(codec.PICKLE, 10 ** 640, {'a': -10 ** 9000})
        for value in values:
            self.assertEqual(repr(json.loads(json.dumps(value))), repr(value))

    def test_what_json_would_change(self):
        cyclic = []
        cyclic.append(cyclic)
        self.assert_choice(codec.PICKLE, (), [()], {1: 2}, {'a': (1,)}, float('nan'),
                           [float('inf')], Point(1, 2), Text('a'), b'', {1}, '\ud800',
                           ['\ud800'], {'\ud800': 1}, {'a': ['\udcff']},
                           numpy.float64(1), cyclic)

    def test_arrays(self):
        array = numpy.arange(6.0).reshape(2, 3)
        self.assert_choice(codec.TENSOR, array, array.T, array[::-1], array.astype('u1'),
                           numpy.empty((0, 3)))
        self.assert_choice(codec.PICKLE, numpy.array(1), array > 1, array.astype('c8'),
                           array.astype('>i4'), array.astype(object), numpy.array(['a']),
                           numpy.ma.masked_array([1]))

    def test_what_cannot_be_pickled(self):
        with self.assertRaisesRegex(codec.Unpicklable, 'generator'):
            codec.dump(i for i in ())


@ro.function
def decorated(values):
    return values


class Nested:
    class Udf:
        def __init__(self, *args, **kwargs):
            self.given = args, kwargs


class Packing(unittest.TestCase):
    def assert_same(self, udf, *args, **kwargs):
        packed = target.pack(udf, args, kwargs, {})
        self.assertEqual(target.load(packed), (udf, args, kwargs))
        return pickle.loads(packed)

    def test_by_name(self):
        self.assertEqual(self.assert_same(os.path.join, 1, a=[2])['target'][0], 'place')
        self.assertEqual(self.assert_same(collections.OrderedDict)['target'][0], 'place')

    def test_name_of_a_module(self):
        self.assertEqual(target._find_place(decorated.udf), (__name__, 'decorated'))
        loaded, _, _ = target.load(target.pack(decorated.udf, (), {}, {}))
        self.assertEqual(loaded([1]), [1])

    def test_environment(self):
        packed = target.pack(len, (), {}, {'ORCH_TEST_VALUE': 'x'})
        self.addCleanup(os.environ.pop, 'ORCH_TEST_VALUE')
        target.load(packed)
        self.assertEqual(os.environ['ORCH_TEST_VALUE'], 'x')


PROGRAM = '''
    import sys
    print('begin', __name__)
    from gst_orch import target
    from gst_orch.errors import CompileError

    class Top:
        pass

    def main():
        class Local:
            pass
        for udf in (Top, Local, lambda values: values):
            try:
                packed = target.pack(udf, (), {}, {})
            except CompileError as error:
                print('refused', error)
                continue
            with open(sys.argv[1], 'wb') as file:
                file.write(packed)
            print('packed')

    target.stop_here_if_loading_main()
    main()
'''
LOADER = '''
    import sys
    from gst_orch import target
    with open(sys.argv[1], 'rb') as file:
        print('loaded', target.load(file.read())[0].__qualname__)
'''


class Main(unittest.TestCase):
    """The program itself is no module: a worker reads its file again."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name, text in (('program.py', PROGRAM), ('loader.py', LOADER)):
            with open(self.path(name), 'w', encoding='utf-8') as file:
                file.write(textwrap.dedent(text))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run_python(self, *words, without_cloudpickle):
        environment = dict(os.environ)
        if without_cloudpickle:
            os.makedirs(self.path('hidden'), exist_ok=True)
            with open(self.path('hidden', 'cloudpickle.py'), 'w', encoding='ascii') as file:
                file.write('raise ImportError\n')
            environment['PYTHONPATH'] = self.path('hidden') + ':' + environment['PYTHONPATH']
        done = subprocess.run([sys.executable, *words, self.path('packed')], cwd=self.folder,
                              env=environment, capture_output=True, text=True, timeout=60,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_file(self):
        out = self.run_python('program.py', without_cloudpickle=True)
        self.assertEqual(out.count('packed'), 1, out)
        self.assertIn('refused main.<locals>.Local cannot be found by a worker', out)
        self.assertEqual(out.count('refused'), 2, out)
        self.assertEqual(self.run_python('loader.py', without_cloudpickle=True),
                         'begin __mp_main__\nloaded Top\n')

    def test_module(self):
        self.run_python('-m', 'program', without_cloudpickle=True)
        self.assertEqual(self.run_python('loader.py', without_cloudpickle=True),
                         'begin __mp_main__\nloaded Top\n')

    def test_by_value(self):
        try:
            import cloudpickle  # noqa: F401
        except ImportError:
            self.skipTest('cloudpickle is not installed')
        out = self.run_python('program.py', without_cloudpickle=False)
        self.assertEqual(out.count('packed'), 3, out)
        self.assertIn('<lambda>', self.run_python('loader.py', without_cloudpickle=False))


if __name__ == '__main__':
    unittest.main()
