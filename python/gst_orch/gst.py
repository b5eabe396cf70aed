# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""GStreamer and GstOrch, as Python sees them."""

from __future__ import annotations

from importlib.util import find_spec

try:
    import gi
except ImportError as error:
    raise ImportError("running a pipeline needs PyGObject (Debian: python3-gi, and "
                      "python3-gst-1.0 for GStreamer)") from error

# Without it, arrays and fractions in structures are of unknown types.
if not find_spec("gi.overrides.Gst"):
    raise ImportError("running a pipeline needs what GStreamer brings for PyGObject "
                      "(Debian: python3-gst-1.0)")

try:
    gi.require_version("Gst", "1.0")
    gi.require_version("GstAllocators", "1.0")
    gi.require_version("GstVideo", "1.0")
    gi.require_version("GstOrch", "1.0")
    from gi.repository import GLib, GObject, Gst, GstAllocators, GstOrch, GstVideo
except (ImportError, ValueError) as error:
    raise ImportError("running a pipeline needs GStreamer and gst-orch for Python; where "
                      "gst-orch is not installed, GI_TYPELIB_PATH, LD_LIBRARY_PATH and "
                      f"GST_PLUGIN_PATH have to lead to it: {error}") from error

Gst.init(None)

__all__ = ["GLib", "GObject", "Gst", "GstAllocators", "GstOrch", "GstVideo"]
