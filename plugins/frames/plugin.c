/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchframestats.h"
#ifdef HAVE_TURBOJPEG
#include "gstorchthumbnail.h"
#endif

static gboolean
plugin_init (GstPlugin * plugin)
{
#ifdef HAVE_TURBOJPEG
  if (!gst_orch_function_register (plugin, "thumbnail",
          GST_TYPE_ORCH_THUMBNAIL_FUNCTION))
    return FALSE;
#endif
  return gst_orch_function_register (plugin, "frame-stats",
      GST_TYPE_ORCH_FRAME_STATS_FUNCTION);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, orchframes,
    "Functions on raw frames", plugin_init, PACKAGE_VERSION, GST_LICENSE,
    GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
