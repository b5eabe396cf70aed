/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

/* A string of JSON within a description of a pipeline. */
#define QUOTED(text) "\\\"" text "\\\""

/* A Function of functions.py. */
#define PYTHON(name) \
  "orchpython python=" PYTHON_PROGRAM " module=" PYTHON_FOLDER "/functions.py class=" name
