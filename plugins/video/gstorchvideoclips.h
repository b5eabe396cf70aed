/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchvideofunction.h"

G_BEGIN_DECLS

#define GST_TYPE_ORCH_VIDEO_CLIPS_FUNCTION \
  (gst_orch_video_clips_function_get_type ())
G_DECLARE_FINAL_TYPE (GstOrchVideoClipsFunction,
    gst_orch_video_clips_function, GST, ORCH_VIDEO_CLIPS_FUNCTION,
    GstOrchVideoFunction)

G_END_DECLS
