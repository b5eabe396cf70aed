/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchclipcopy.h"
#include "gstorchvideoclips.h"
#include "gstorchvideodecode.h"

static gboolean
plugin_init (GstPlugin * plugin)
{
  return gst_orch_function_register (plugin, "video-clips",
      GST_TYPE_ORCH_VIDEO_CLIPS_FUNCTION)
      && gst_orch_function_register (plugin, "video-decode",
      GST_TYPE_ORCH_VIDEO_DECODE_FUNCTION)
      && gst_orch_function_register (plugin, "clip-copy",
      GST_TYPE_ORCH_CLIP_COPY_FUNCTION);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, orchvideo,
    "Video Functions (FFmpeg)", plugin_init, PACKAGE_VERSION, GST_LICENSE,
    GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
