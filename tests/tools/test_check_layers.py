#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""check-layers.py finds what it is there to find."""

import importlib.util
import os
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = importlib.util.spec_from_file_location(
    'check_layers', os.path.join(HERE, 'check-layers.py'))
check_layers = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(check_layers)

GOOD = {
    'lib/lineage/orch-core.h': '#include <glib.h>\n',
    'lib/lineage/orch-core.c': '#include "orch-core.h"\n',
    'lib/gst/orch/orch.h': '#include <gst/gst.h>\n',
    'lib/gst/orch/port-private.h': '#include "lineage/orch-core.h"\n',
    'plugins/orch/sink.c': '#include <gst/orch/port-private.h>\n',
    'plugins/pdf/render.h': '#include <gst/orch/orch.h>\n',
    'plugins/pdf/render.c': '#include "render.h"\n#include <poppler.h>\n',
}


class CheckLayers(unittest.TestCase):
    def problems(self, name=None, line=''):
        with tempfile.TemporaryDirectory() as tree:
            for path, text in GOOD.items():
                path = os.path.join(tree, path)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, 'w', encoding='utf-8') as file:
                    file.write(text)
            if name:
                with open(os.path.join(tree, name), 'a',
                          encoding='utf-8') as file:
                    file.write(line)
            return check_layers.check(tree)[1]

    def test_good_tree(self):
        self.assertEqual(self.problems(), [])

    def test_core_must_not_know_gstreamer(self):
        self.assertIn('<gst/gst.h>', self.problems(
            'lib/lineage/orch-core.c', '#include <gst/gst.h>\n')[0])

    def test_core_must_not_know_the_binding(self):
        self.assertEqual(len(self.problems(
            'lib/lineage/orch-core.c', '#include <gst/orch/orch.h>\n')), 1)

    def test_binding_must_not_know_functions(self):
        self.assertEqual(len(self.problems(
            'lib/gst/orch/orch.h', '#include <poppler.h>\n')), 1)
        self.assertEqual(len(self.problems(
            'lib/gst/orch/orch.h',
            '#include "../../../plugins/pdf/render.h"\n')), 1)

    def test_functions_must_not_know_private_headers(self):
        self.assertIn('public', self.problems(
            'plugins/pdf/render.c',
            '#include <gst/orch/port-private.h>\n')[0])

    def test_functions_must_not_know_the_core(self):
        self.assertEqual(len(self.problems(
            'plugins/pdf/render.c', '#include "lineage/orch-core.h"\n')), 1)


if __name__ == '__main__':
    unittest.main()
