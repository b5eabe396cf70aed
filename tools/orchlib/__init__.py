# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""What the orch command is made of."""


class OrchError(Exception):
    """What went wrong, in words for the user."""
