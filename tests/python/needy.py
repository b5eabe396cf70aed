# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""A module that needs another, which does not exist."""

import a_module_that_does_not_exist  # noqa: F401
