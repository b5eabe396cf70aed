#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""What forward() may say, and what is made of it, before anything runs."""

import logging
import os
import stat
import sys
import tempfile
import unittest

try:
    import gst_orch as ro
except ImportError as error:
    print(f'skipped: {error}')
    sys.exit(77)
from gst_orch import options, wiring  # noqa: E402

F = ro.F


class Echo:
    def run(self, *columns):
        return list(columns[0])


def echo(**properties):
    return ro.Module(Echo, **properties)


def compile_forward(forward):
    class Made(ro.Pipeline):
        pass
    Made.forward = staticmethod(forward)
    return Made().compile()


class Refused(unittest.TestCase):
    """Each program is refused, with a reason that has the words."""

    def assert_refused(self, words, forward):
        with self.assertRaisesRegex(ro.CompileError, words):
            compile_forward(forward)

    def test_outside_of_forward(self):
        for use in (lambda: F.expand(None), lambda: F.reduce(None), lambda: echo()(1),
                    lambda: F.optional(None), lambda: F.call('identity', None)):
            with self.assertRaisesRegex(ro.CompileError, 'only be used in Pipeline.forward'):
                use()

    def test_parameters(self):
        self.assert_refused('a parameter for each source', lambda: None)
        self.assert_refused('positional parameters only', lambda *columns: columns[0])
        self.assert_refused('positional parameters only', lambda a, *, b: a)

    def test_what_is_returned(self):
        for value in (None, (), [], 1, ((),)):
            self.assert_refused('returns a Port', lambda a: value)
        self.assert_refused('returns a Port', lambda a: [a])

    def test_ports_of_another_pipeline(self):
        kept = []
        compile_forward(lambda a: kept.append(a) or a)
        self.assert_refused('of another Pipeline', lambda a: echo()(kept[0]))
        self.assert_refused('of another Pipeline', lambda a: kept[0])

    def test_inputs_of_a_module(self):
        self.assert_refused('takes Ports', lambda a: echo()(1))
        self.assert_refused('needs one Port', lambda a: echo()(word='x'))
        self.assert_refused('a Port within', lambda a: echo()(a, words={'b': [(a,)]}))
        self.assert_refused('different Domains', lambda a: echo()(a, F.expand(echo()(a))))

    def test_expand(self):
        self.assert_refused('what a Module returns', F.expand)
        self.assert_refused('one Port at least', lambda a: F.expand_aligned())
        self.assert_refused('one Port twice',
                            lambda a: (lambda b: F.expand_aligned(b, b))(echo()(a)))
        self.assert_refused('outputs of one Call',
                            lambda a: F.expand_aligned(echo()(a), echo()(a)))

        def opened_twice(a):
            b, c = echo(num_outputs=2)(a)
            return F.expand(b), F.expand_aligned(b, c)
        self.assert_refused('opened already', opened_twice)

    def test_reduce(self):
        self.assert_refused('these are the rows', lambda a: F.reduce(a))
        self.assert_refused('another Domain than its values',
                            lambda a: F.reduce(F.expand(echo()(a)), members=a))
        self.assert_refused('different Domains',
                            lambda a: F.reduce_aligned(F.expand(echo()(a)), a))

    def test_broadcast(self):
        self.assert_refused('not above', lambda a: F.broadcast(F.expand(echo()(a)), like=a))
        self.assert_refused('not above', lambda a: F.broadcast(
            F.expand(echo()(a)), like=F.expand(echo()(a))))

    def test_filter(self):
        self.assert_refused('another Domain', lambda a: F.filter(a, F.expand(echo()(a))))
        self.assert_refused('is a list', lambda a: F.filter(a, F.reduce(F.expand(echo()(a)))))
        self.assert_refused('is a list', lambda a: F.filter(
            a, F.filter(F.reduce(F.expand(echo()(a))), a)))

    def test_optional_is_for_modules(self):
        self.assert_refused('takes Ports', lambda a: F.filter(F.optional(a), a))
        self.assert_refused('returns a Port', F.optional)

    def test_branching(self):
        with self.assertRaisesRegex(TypeError, 'cannot branch'):
            compile_forward(lambda a: a if a else a)

    def test_properties_of_a_function(self):
        self.assert_refused('when its Module is made',
                            lambda a: ro.Module('identity')(a, dpi=150))
        with self.assertRaises(TypeError):
            ro.Module(Echo, dpi=150)

    def test_numbers_of_outputs(self):
        for wrong in (lambda: ro.Module(Echo, num_outputs=0), lambda: echo().returns(0),
                      lambda: echo().configure(num_outputs=2)):
            with self.assertRaises(ValueError):
                wrong()


class Options(unittest.TestCase):
    def refuse(self, words, **given):
        with self.assertRaisesRegex(ro.CompileError, words):
            options.read(given)

    def test_wrong_values(self):
        self.refuse('whole number', replicas=1.5)
        self.refuse('whole number', batch_size=True)
        self.refuse('1 or more', batch_size=0)
        self.refuse('RecoveryPolicy', recovery='abort')
        self.refuse('seconds', max_wait='soon')
        self.refuse('seconds', attempt_timeout=-1)
        self.refuse('mixed or siblings', batching='none')
        self.refuse('which retries', max_retries=1)
        self.refuse('there is no option batchsize', batchsize=1)
        self.refuse('runtime_env', runtime_env={'pip': ['numpy']})
        self.refuse('no Conda environment', runtime_env={'conda': '/nowhere'})

    def test_properties(self):
        read = options.read({
            'replicas': 2, 'batch_size': 8, 'max_wait': 0.5, 'attempt_timeout': 2,
            'recovery': ro.RecoveryPolicy.retry_tail(max_retries=3), 'max_memory': 1 << 30,
            'runtime_env': {'env_vars': {'A': 'b'}, 'py_executable': '/usr/bin/python3'}})
        self.assertEqual(read.element, {
            'replicas': 2, 'batch-size': 8, 'max-wait': 500000000,
            'attempt-timeout': 2000000000, 'recovery': 'retry-tail', 'max-retries': 3,
            'abort-after-retries': True, 'max-memory': 1 << 30})
        self.assertEqual((read.python, read.environment), ('/usr/bin/python3', {'A': 'b'}))

    def test_conda(self):
        with tempfile.TemporaryDirectory() as folder:
            python = os.path.join(folder, 'bin', 'python')
            os.mkdir(os.path.dirname(python))
            with open(python, 'w', encoding='ascii'):
                pass
            os.chmod(python, stat.S_IRWXU)
            self.assertEqual(options.read({'runtime_env': {'conda': folder}}).python, python)

    def test_ray_options_are_told_of_once(self):
        options._told.clear()
        with self.assertLogs('gst_orch', logging.INFO) as logs:
            options.read({'num_gpus': 1, 'num_cpus': 1})
            options.read({'num_gpus': 2})
        self.assertEqual(len(logs.output), 2)


class Recovery(unittest.TestCase):
    def test_policies(self):
        policy = ro.RecoveryPolicy
        self.assertEqual(policy.abort(), policy())
        self.assertEqual(policy.retry_batch(max_retries=2).max_udf_retries, 2)
        self.assertEqual(policy.isolate_tail(infra_retries=0).infra_retries, 0)

    def test_refused(self):
        policy, modes = ro.RecoveryPolicy, type(ro.RecoveryPolicy().udf_mode)
        for wrong in (lambda: policy('abort'), lambda: policy.abort(infra_retries=1.0),
                      lambda: policy(max_udf_retries='1')):
            with self.assertRaises(TypeError):
                wrong()
        for wrong in (lambda: policy.abort(infra_retries=-1),
                      lambda: policy.retry_batch(max_retries=0),
                      lambda: policy(modes.ABORT, 1), lambda: policy(modes.ISOLATE_TAIL, 2)):
            with self.assertRaises(ValueError):
                wrong()


class Results(unittest.TestCase):
    def test_issues(self):
        with self.assertRaises(ValueError):
            ro.OutputIssue(ro.ItemOutcome.PRESENT)
        with self.assertRaises(TypeError):
            ro.OutputIssue(ro.ItemOutcome.FAILED, ValueError())
        self.assertEqual(ro.OutputIssue(ro.ItemOutcome.DROPPED).cause, None)

    def test_version(self):
        self.assertEqual('.'.join(str(part) for part in ro.version_info), ro.__version__)


class Wiring(unittest.TestCase):
    def links(self, forward):
        return compile_forward(forward).describe().splitlines()

    def test_same_relation_is_one_port(self):
        def forward(a):
            pages = F.expand(echo()(a))
            self.assertIs(F.broadcast(pages, like=pages), pages)
            self.assertEqual(F.reduce(pages), F.reduce(pages))
            self.assertEqual(F.broadcast(a, like=pages), F.broadcast(a, like=echo()(pages)))
            return F.reduce(pages)
        self.assertEqual(sum(line.startswith('orchreduce') for line in self.links(forward)), 1)

    def test_no_tee_without_need(self):
        links = self.links(lambda a: echo()(a))
        self.assertEqual([line for line in links if ' ! ' in line], [
            'rows.src ! source0.sink', 'source0.src ! call0-Echo.sink',
            'call0-Echo.src ! out1.sink'])

    def test_aligned(self):
        def forward(a):
            first, second = F.expand_aligned(*echo(num_outputs=2)(a))
            return F.reduce_aligned(first, second, members=second)
        links = self.links(forward)
        self.assertIn('call0-Echo.src_1 ! expand1.aligned_1', links)
        self.assertIn('tee-expand1-src_1.src_%u ! reduce5.members', links)

    def test_unused(self):
        def forward(a, b):
            echo(num_outputs=2)(a)
            return b
        links = self.links(forward)
        self.assertIn('call0-Echo.src ! unused-call0-Echo-src.sink', links)

    def test_inputs_are_joined_once(self):
        def forward(a, b):
            return echo()(a, F.optional(b), again=a, other=b)
        program = compile_forward(forward)
        self.assertEqual([input.port for input in
                          wiring.distinct_inputs(program.graph.calls[0])], [0, 1])
        self.assertEqual(program.wiring.pads[('join0', 'sink_1')], {})


if __name__ == '__main__':
    unittest.main()
