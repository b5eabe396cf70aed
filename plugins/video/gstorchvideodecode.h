/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchvideoclipfunction.h"

G_BEGIN_DECLS

#define GST_TYPE_ORCH_VIDEO_DECODE_FUNCTION \
  (gst_orch_video_decode_function_get_type ())
G_DECLARE_FINAL_TYPE (GstOrchVideoDecodeFunction,
    gst_orch_video_decode_function, GST, ORCH_VIDEO_DECODE_FUNCTION,
    GstOrchVideoClipFunction)

G_END_DECLS
