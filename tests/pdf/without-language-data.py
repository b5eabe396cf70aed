#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Runs a test program where Poppler finds no poppler-data.

    without-language-data.py PROGRAM [ARGUMENTS...]

In a mount namespace of its own an empty folder lies over the data.  Exits with
77, for "skipped", where that is not allowed.
"""

import os
import subprocess
import sys
import tempfile

SKIPPED = 77


def find_data():
    result = subprocess.run(["pkg-config", "--variable=poppler_datadir", "poppler-data"],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return result.stdout.strip() or "/usr/share/poppler"


def hide(data, empty, command):
    mount = ["mount", "--bind", empty, data]
    unshare = ["unshare", "--mount"]
    if os.geteuid() != 0:
        unshare.append("--map-root-user")
    if subprocess.run(unshare + mount, stderr=subprocess.DEVNULL).returncode != 0:
        print("a mount namespace is not allowed here")
        return SKIPPED
    script = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'
    os.environ["ORCH_NO_LANGUAGE_DATA"] = "1"
    return subprocess.run(unshare + ["sh", "-c", script, "sh", empty, data] + command).returncode


def main(command):
    data = find_data()
    if not os.path.isdir(data):
        print("poppler-data is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory() as empty:
        return hide(data, empty, command)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
