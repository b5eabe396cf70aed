# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Parses launch lines, and takes no default for a value that is refused."""

import warnings

from . import OrchError

_REFUSED = 'out of range for property'


def parse(function, line):
    """What one of Gst.parse_launch...() makes of the line.  A value that the
    property cannot have is an error, not a warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        result = function(line)
    for warning in caught:
        text = str(warning.message)
        if _REFUSED in text:
            # "file.c:7: value "0" of type ..." for a reader of code
            raise OrchError(text[max(0, text.find('value ')):])
        warnings.warn(warning.message)
    return result
