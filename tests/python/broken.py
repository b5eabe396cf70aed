# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""A module that is not Python: the tests want to see what is said of it."""

class Unfinished
