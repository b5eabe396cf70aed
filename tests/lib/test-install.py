#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""What is installed is enough: an out-of-tree Function is built with the
pkg-config file alone, and runs."""

import glob
import os
import subprocess
import sys
import tempfile
import unittest

BUILD = os.environ['ORCH_TEST_BUILD']
SOURCE = os.environ['ORCH_TEST_FUNCTION']
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

    def test_function_out_of_tree(self):
        plugin = os.path.join(self.folder.name, 'mine',
                              'libgstorchthirdparty.so')
        os.makedirs(os.path.dirname(plugin))
        run('cc', '-shared', '-fPIC', '-Wall', '-Werror',
            '-DPACKAGE="thirdparty"', SOURCE, '-o', plugin,
            *self.pkg_config('--cflags', '--libs'))
        plugins, = self.pkg_config('--variable=pluginsdir')
        library, = self.pkg_config('--variable=libdir')
        output = os.path.join(self.folder.name, 'output')
        text = os.path.join(self.folder.name, 'text')
        with open(text, 'w', encoding='utf-8') as file:
            file.write('hello')
        environment = dict(
            os.environ, LD_LIBRARY_PATH=library,
            GST_PLUGIN_PATH_1_0=f'{plugins}:{os.path.dirname(plugin)}',
            GST_REGISTRY_1_0=os.path.join(self.folder.name, 'registry'))
        run('gst-launch-1.0', '-q', 'filesrc', f'location={text}', '!',
            'text/x-raw,format=utf8', '!', 'orchcall', 'function=upper',
            'function::suffix=-there', '!', 'orchidentity', '!', 'filesink',
            f'location={output}', env=environment, timeout=60)
        with open(output, encoding='utf-8') as file:
            self.assertEqual(file.read(), 'HELLO-there')


if __name__ == '__main__':
    for tool in ('meson', 'pkg-config', 'cc', 'gst-launch-1.0'):
        if subprocess.run(['which', tool], stdout=subprocess.DEVNULL,
                          check=False).returncode:
            print(f'SKIP: {tool} is not installed')
            sys.exit(77)
    unittest.main()
