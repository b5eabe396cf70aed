/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchvideoclipfunction.h"

G_BEGIN_DECLS

#define GST_TYPE_ORCH_CLIP_COPY_FUNCTION (gst_orch_clip_copy_function_get_type ())
G_DECLARE_FINAL_TYPE (GstOrchClipCopyFunction, gst_orch_clip_copy_function,
    GST, ORCH_CLIP_COPY_FUNCTION, GstOrchVideoClipFunction)

G_END_DECLS
