#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""check-layers.py TREE: each layer includes only what it may know of.

The layers, uppermost first: lineage core, GStreamer binding, elements,
Functions.  A layer may use those above it, and Functions only the public
headers of the binding."""

import os
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', re.M)


class Layer:
    def __init__(self, folder, above, forbidden=()):
        self.folder = folder
        self.above = above
        # Headers from outside the tree, as patterns.
        self.forbidden = [re.compile(pattern) for pattern in forbidden]


MEDIA_LIBRARIES = r'poppler|qpdf|cairo|tesseract|leptonica|turbojpeg|libav|onnx'
CORE = Layer('lib/lineage', [],
             [r'gst/', r'gio/', r'json-glib/', r'pthread\.h', r'threads\.h',
              MEDIA_LIBRARIES])
BINDING = Layer('lib/gst/orch', ['lib/lineage'],
                [r'json-glib/', MEDIA_LIBRARIES])
ELEMENTS = Layer('plugins/orch', ['lib/gst/orch', 'lib/lineage'],
                 [MEDIA_LIBRARIES])


def layers(tree):
    yield from (CORE, BINDING, ELEMENTS)
    for name in sorted(os.listdir(os.path.join(tree, 'plugins'))):
        folder = f'plugins/{name}'
        if name != 'orch' and os.path.isdir(os.path.join(tree, folder)):
            yield Layer(folder, ['lib/gst/orch'])


def sources(tree, folder):
    for place, _, names in os.walk(os.path.join(tree, folder)):
        for name in sorted(names):
            if name.endswith(('.c', '.h')):
                yield os.path.relpath(os.path.join(place, name), tree)


def resolve(tree, source, header):
    """The file of the tree that an #include means; None if it is none."""
    for base in (os.path.dirname(source), 'lib', 'lib/lineage',
                 'lib/gst/orch'):
        path = os.path.normpath(os.path.join(base, header))
        if os.path.isfile(os.path.join(tree, path)):
            return path
    return None


def problem(tree, layer, source, header):
    path = resolve(tree, source, header)
    if not path:
        if any(pattern.match(header) for pattern in layer.forbidden):
            return f'{source}: {layer.folder} must not know <{header}>'
        return None
    folder = os.path.dirname(path)
    if folder == layer.folder or folder.startswith(layer.folder + '/'):
        return None
    if folder not in layer.above:
        return f'{source}: {layer.folder} must not include {path}'
    if layer.above == ['lib/gst/orch'] and path.endswith('-private.h'):
        return f'{source}: Functions use public headers only, not {path}'
    return None


def check(tree):
    """(number of #include lines seen, problems)"""
    seen = 0
    problems = []
    for layer in layers(tree):
        for source in sources(tree, layer.folder):
            with open(os.path.join(tree, source), encoding='utf-8') as file:
                headers = INCLUDE.findall(file.read())
            seen += len(headers)
            problems += filter(None, (problem(tree, layer, source, header)
                                      for header in headers))
    return seen, problems


def main(tree):
    seen, problems = check(tree)
    for line in problems:
        print(line)
    print(f'{seen} includes, {len(problems)} problems')
    return 0 if seen and not problems else 1


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
