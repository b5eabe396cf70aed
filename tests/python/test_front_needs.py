#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""What is missing on a machine is named, with the package that has it."""

import subprocess
import sys
import unittest

try:
    import gi  # noqa: F401
    import gst_orch  # noqa: F401
except ImportError as error:
    print(f'skipped: {error}')
    sys.exit(77)


class Needs(unittest.TestCase):
    def assert_named(self, module, package):
        done = subprocess.run(
            [sys.executable, '-c', f'import sys; sys.modules["{module}"] = None; '
             'import gst_orch.gst'], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr.splitlines()[-1], f'^ImportError: .*Debian: {package}')

    def test_pygobject(self):
        self.assert_named('gi', 'python3-gi')

    def test_what_gstreamer_brings_for_it(self):
        self.assert_named('gi.overrides.Gst', 'python3-gst-1.0')

    def test_nothing_is_missing(self):
        subprocess.run([sys.executable, '-c', 'import gst_orch.gst'], check=True, timeout=60)


if __name__ == '__main__':
    unittest.main()
