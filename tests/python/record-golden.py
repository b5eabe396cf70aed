#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Writes golden.json: what the programs give under RayOrch.

    pip install rayorch==0.1.1 numpy
    python tests/python/record-golden.py
"""

import json
import os
import pathlib
import sys

os.environ['ORCH_FRONT_END'] = 'rayorch'
folder = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(folder))
os.environ['PYTHONPATH'] = str(folder)

import ray  # noqa: E402
import programs  # noqa: E402

ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
found = {}
for name in sys.argv[1:] or programs.PROGRAMS:
    found[name] = programs.run(name)
    print(f'{name}: {found[name]}', flush=True)
if not sys.argv[1:]:
    (folder / 'golden.json').write_text(json.dumps(found, indent=1) + '\n', encoding='ascii')
