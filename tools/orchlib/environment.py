# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Where the plugins and the launch files are.

Run from a source tree, the command uses what was built below it, whatever
else is installed; installed, it uses what the system finds."""

import glob
import os
import sys


def find_tree(script):
    """The source tree that `script` lies in; None when it is installed."""
    tree = os.path.dirname(os.path.dirname(script))
    marks = ('meson.build', 'lib/gst/orch', 'pipelines')
    if all(os.path.exists(os.path.join(tree, mark)) for mark in marks):
        return tree
    return None


def pipelines_folder(script):
    tree = find_tree(script)
    if tree:
        return os.path.join(tree, 'pipelines')
    prefix = os.path.dirname(os.path.dirname(script))
    return os.path.join(prefix, 'share', 'gst-orch', 'pipelines')


def _has_plugins(folder):
    return bool(folder) and bool(
        glob.glob(os.path.join(folder, '**', 'libgstorch*.so'),
                  recursive=True))


def _in_development_environment():
    path = os.environ.get('GST_PLUGIN_PATH', '')
    return any(_has_plugins(folder) for folder in path.split(os.pathsep))


def _builds(script):
    """Build folders: that of the development environment, that of the tree."""
    for folder in os.environ.get('GST_PLUGIN_PATH', '').split(os.pathsep):
        if _has_plugins(folder):
            yield os.path.dirname(os.path.abspath(folder))
    tree = find_tree(script)
    if tree:
        yield os.path.join(tree, 'build')


def find_simulator(script):
    """The program orch-sim; None when it is not there."""
    prefix = os.path.dirname(os.path.dirname(script))
    paths = [os.path.join(build, 'tools', 'sim', 'orch-sim')
             for build in _builds(script)]
    paths.append(os.path.join(prefix, 'libexec', 'gst-orch', 'orch-sim'))
    return next(filter(os.path.exists, paths), None)


def _prepend(name, folder):
    old = os.environ.get(name)
    os.environ[name] = folder + os.pathsep + old if old else folder


def use_build(script):
    """Runs the script again with what was built in its source tree."""
    tree = find_tree(script)
    if not tree or _in_development_environment():
        return
    build = os.path.join(tree, 'build')
    plugins = os.path.join(build, 'plugins')
    if not _has_plugins(plugins):
        sys.exit(f'orch: nothing is built in {build}; run tools/demo, or '
                 'meson setup build && ninja -C build')
    _prepend('GST_PLUGIN_PATH', plugins)
    _prepend('LD_LIBRARY_PATH', os.path.join(build, 'lib', 'gst', 'orch'))
    _prepend('GI_TYPELIB_PATH', os.path.join(build, 'lib', 'gst', 'orch'))
    # The user's own plugin cache is none of ours.
    os.environ['GST_REGISTRY'] = os.path.join(build, 'registry.bin')
    # The loader reads LD_LIBRARY_PATH only when a program starts.
    os.execv(sys.executable, [sys.executable, script] + sys.argv[1:])
