# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Which version this is."""

__version__ = "0.1.0"


def _parse(version):
    parts = []
    for part in version.split("."):
        number, mark, candidate = part.partition("rc")
        parts.append(int(number))
        if mark:
            parts.append(mark + candidate)
    return tuple(parts)


version_info = _parse(__version__)
