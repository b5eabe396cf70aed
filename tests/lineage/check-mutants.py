#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""check-mutants.py CORE TESTS COMPILER...: breaks the lineage core in one small way
at a time; each must fail a test."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import mutants

# The quick ones first.
TESTS = ('recovery', 'commit', 'queue', 'unwanted', 'algebra', 'arrivals', 'interleave', 'max-wait',
         'ordinal-set', 'gather', 'entity', 'random-cases', 'random')
SEEDS = 200
JOBS = os.cpu_count() or 1

lib, tests = (pathlib.Path(path) for path in sys.argv[1:3])
compiler = sys.argv[3:]
flags = subprocess.run(['pkg-config', '--cflags', '--libs', 'glib-2.0'], check=True, text=True,
                       capture_output=True).stdout.split()


def compile_file(source, output):
    subprocess.run([*compiler, '-std=gnu11', '-O1', '-w', '-D_GNU_SOURCE',
                    '-DG_LOG_DOMAIN="gst-orch"', '-fno-strict-aliasing', f'-I{lib.parent}',
                    f'-I{lib}', *flags, '-c', source, '-o', output], check=True)
    return output


def compile_all(pool, sources, folder):
    outputs = [folder / (source.stem + '.o') for source in sources]
    return dict(zip((source.name for source in sources),
                    pool.map(compile_file, sources, outputs)))


def link(objects, output):
    subprocess.run([*compiler, *objects, '-o', output, *flags], check=True)
    return output


class Tests:
    """The test programs without the core."""

    def __init__(self, pool, folder):
        shared = sorted({*tests.glob('random-*.c')} - {tests / 'random-cases.c'})
        programs = [tests / f'{name}.c' for name in TESTS]
        objects = compile_all(pool, [*shared, tests / 'world.c', *programs], folder)
        self.objects = {name: [objects[f'{name}.c']] for name in TESTS}
        for name in TESTS:
            if name.startswith('random'):
                self.objects[name] += [objects[source.name] for source in shared]
            else:
                self.objects[name].append(objects['world.c'])

    def find_failure(self, core, folder, names=TESTS):
        """What fails first with this core."""
        env = os.environ | {'ORCH_RANDOM_SEED': '1', 'ORCH_RANDOM_COUNT': str(SEEDS),
                            'ORCH_RANDOM_SHRINK': '0'}
        for name in names:
            program = link([*self.objects[name], *core], folder / name)
            try:
                result = subprocess.run([program, '--seed=R02S' + '0' * 32], env=env, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        errors='replace', check=False, timeout=120)
            except subprocess.TimeoutExpired:
                return f'{name} hangs'
            program.unlink()
            if result.returncode != 0:
                return describe(name, result.stdout.splitlines())
        return None


def describe(name, lines):
    seeds = [line for line in lines if line.startswith(('# seed ', '# ORCH_RANDOM_SEED='))]
    if name == 'random':
        return seeds[-1][2:]
    failed = [line.split(' ', 3)[3] for line in lines if line.startswith('not ok ')]
    started = re.findall(r'# Start of (\S+) tests', '\n'.join(lines))
    return failed[0] if failed else f'{name}, {started[-1]}'


def check_texts():
    wrong = [f'{path} does not have this once: {old!r}' for path, old, _, _ in mutants.MUTANTS
             if (lib / path).read_text().count(old) != 1]
    if wrong:
        raise SystemExit('\n'.join(wrong))


def mutate(mutant, source):
    path, old, new, _ = mutant
    source.write_text((lib / path).read_text().replace(old, new))


def try_mutant(mutant, core, programs):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = folder / mutant[0]
        mutate(mutant, source)
        changed = compile_file(source, folder / 'mutant.o')
        objects = [changed if name == mutant[0] else output for name, output in core.items()]
        failure = programs.find_failure(objects, folder)
        if failure and mutant in mutants.SEEN:
            seed = programs.find_failure(objects, folder, ('random',))
            return f'{failure}, {seed}' if seed else None
        return failure


def main():
    if 'ORCH_TEST_SLOW' in os.environ:
        print('a sanitizer has nothing to find here')
        return 77
    check_texts()
    n_caught = 0
    with tempfile.TemporaryDirectory() as name, \
            concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        folder = pathlib.Path(name)
        core = compile_all(pool, sorted(lib.glob('*.c')), folder)
        programs = Tests(pool, folder)
        failure = programs.find_failure(core.values(), folder)
        if failure:
            raise SystemExit(f'fails without being broken: {failure}')
        found = pool.map(lambda mutant: try_mutant(mutant, core, programs), mutants.MUTANTS)
        for mutant, failure in zip(mutants.MUTANTS, found):
            print(f'{mutant[3]}: {failure or "NOT CAUGHT"}', flush=True)
            n_caught += failure is not None
    print(f'{n_caught} of {len(mutants.MUTANTS)} mutants caught')
    return 0 if n_caught == len(mutants.MUTANTS) else 1


if __name__ == '__main__':
    sys.exit(main())
