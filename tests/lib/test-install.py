#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""What is installed is enough: an out-of-tree Function is built with the
pkg-config file alone, and runs."""

import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = os.environ['ORCH_TEST_BUILD']
SOURCE = os.environ['ORCH_TEST_FUNCTION']
PAGE = os.path.join(os.environ['ORCH_TEST_TREE'], 'docs',
                    'writing-a-function.md')
PACKAGE = 'gstreamer-orch-1.0'


def run(*command, **more):
    result = subprocess.run(command, check=False, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            **more)
    if result.returncode:
        raise AssertionError(f'{" ".join(command)}\n{result.stdout}')
    return result.stdout


def move_package(file, folder, root):
    """A copy of the .pc file in `folder`, of what lies below `root`."""
    with open(file, encoding='utf-8') as source:
        text = source.read()
    os.makedirs(folder)
    with open(os.path.join(folder, os.path.basename(file)), 'w',
              encoding='utf-8') as target:
        target.write(text.replace('prefix=/', f'prefix={root}/', 1))


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = os.path.join(cls.folder.name, 'root')
        run('meson', 'install', '-C', BUILD, '--no-rebuild', '--destdir',
            cls.root)
        file, = glob.glob(f'{cls.root}/**/{PACKAGE}.pc', recursive=True)
        cls.package_path = os.path.join(cls.folder.name, 'pkgconfig')
        move_package(file, cls.package_path, cls.root)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def pkg_config(self, *options):
        environment = dict(os.environ, PKG_CONFIG_PATH=self.package_path)
        return run('pkg-config', *options, PACKAGE, env=environment).split()

    def test_variables(self):
        plugins, = self.pkg_config('--variable=pluginsdir')
        self.assertTrue(glob.glob(f'{plugins}/libgstorch.so'))

    def test_worker_is_found(self):
        """Wherever it was all moved to: beside the library."""
        plugins, = self.pkg_config('--variable=pluginsdir')
        environment = dict(
            os.environ, GST_PLUGIN_PATH=plugins,
            LD_LIBRARY_PATH=os.path.dirname(plugins),
            GST_REGISTRY=os.path.join(self.folder.name, 'worker.registry'))
        run('gst-launch-1.0', '-q', 'fakesrc', 'num-buffers=3', 'format=time',
            '!', 'application/x-test', '!', 'orchidentity', 'workers=process',
            '!', 'fakesink', env=environment)

    def test_no_private_header(self):
        headers = glob.glob(f'{self.root}/**/*.h', recursive=True)
        self.assertIn('orch.h', [os.path.basename(name) for name in headers])
        self.assertEqual([name for name in headers if 'private' in name], [])

    def test_headers_stand_alone(self):
        for header in glob.glob(f'{self.root}/**/*.h', recursive=True):
            run('cc', '-fsyntax-only', '-Wall', '-Werror', '-include', header,
                '-x', 'c', '/dev/null', *self.pkg_config('--cflags'))

    def test_introspection_is_installed(self):
        if not glob.glob(f'{BUILD}/lib/gst/orch/*.gir'):
            self.skipTest('built without introspection')
        self.assertTrue(glob.glob(f'{self.root}/**/GstOrch-1.0.gir',
                                  recursive=True))
        self.assertTrue(glob.glob(f'{self.root}/**/GstOrch-1.0.typelib',
                                  recursive=True))

    def environment(self, folder):
        """What a user sets who has installed to an unusual place."""
        plugins, = self.pkg_config('--variable=pluginsdir')
        library, = self.pkg_config('--variable=libdir')
        return dict(
            os.environ, LD_LIBRARY_PATH=library,
            PKG_CONFIG_PATH=self.package_path,
            GST_PLUGIN_PATH=plugins,
            GST_PLUGIN_PATH_1_0=f'{plugins}:{folder}',
            GST_REGISTRY_1_0=os.path.join(folder, 'registry'))

    def make_folder(self, name):
        folder = os.path.join(self.folder.name, name)
        os.makedirs(folder)
        return folder

    def work_on(self, text, call, folder):
        """What a Call makes of a text."""
        source = os.path.join(folder, 'text')
        output = os.path.join(folder, 'output')
        with open(source, 'w', encoding='utf-8') as file:
            file.write(text)
        run('gst-launch-1.0', '-q', 'filesrc', f'location={source}', '!',
            'text/x-raw,format=utf8', '!', *call, '!', 'orchidentity', '!',
            'filesink', f'location={output}', timeout=60,
            env=self.environment(folder))
        with open(output, encoding='utf-8') as file:
            return file.read()

    def test_function_out_of_tree(self):
        folder = self.make_folder('mine')
        run('cc', '-shared', '-fPIC', '-Wall', '-Werror',
            '-DPACKAGE="thirdparty"', SOURCE, '-o',
            os.path.join(folder, 'libgstorchthirdparty.so'),
            *self.pkg_config('--cflags', '--libs'))
        self.assertEqual(
            self.work_on('hello', ['orchcall', 'function=upper',
                                   'function::suffix=-there'], folder),
            'HELLO-there')

    def test_function_of_the_documentation(self):
        """As a reader does it: what the page says, word for word."""
        with open(PAGE, encoding='utf-8') as file:
            blocks = dict(re.findall(r'^```(\w+)\n(.*?)^```$', file.read(),
                                     re.M | re.S))
        folder = self.make_folder('readers')
        with open(os.path.join(folder, 'wordcount.c'), 'w',
                  encoding='utf-8') as file:
            file.write(blocks['c'])
        # the last line needs the Functions for PDFs
        commands = [line for line in blocks['sh'].splitlines()
                    if 'gst-launch-1.0' not in line]
        self.assertIn('cc', commands[0])
        run('sh', '-ec', '\n'.join(commands), cwd=folder,
            env=self.environment(folder))
        self.assertEqual(
            self.work_on('one two\nthree ', ['orchwordcount'], folder),
            '{"words":3}')


if __name__ == '__main__':
    for tool in ('meson', 'pkg-config', 'cc', 'gst-launch-1.0'):
        if subprocess.run(['which', tool], stdout=subprocess.DEVNULL,
                          check=False).returncode:
            print(f'SKIP: {tool} is not installed')
            sys.exit(77)
    unittest.main()
