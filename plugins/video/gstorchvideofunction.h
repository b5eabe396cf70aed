/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "videofile.h"

#include <gst/orch/orch.h>

G_BEGIN_DECLS

/* Files that may hold a video, as a source names them. */
#define GST_ORCH_VIDEO_FILE_CAPS \
    "application/octet-stream; video/quicktime; video/x-matroska; " \
    "video/webm; video/x-msvideo; video/mpegts; video/mpeg; video/x-flv; " \
    "video/x-ms-asf; application/ogg; application/mxf; audio/x-m4a; " \
    "audio/mpeg"

/* What references to clips say they are of, and all that is a video. */
#define GST_ORCH_VIDEO_REF_CAPS GST_ORCH_REF_CAPS_NAME \
    ", media-type=(string)video"

/**
 * GstOrchVideoFunctionClass:
 * @process: works on one Grain and gives it an outcome, or returns FALSE with
 *   @error set for what fails it
 *
 * Base of the video Functions: one Grain at a time.
 */
#define GST_TYPE_ORCH_VIDEO_FUNCTION (gst_orch_video_function_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstOrchVideoFunction, gst_orch_video_function, GST,
    ORCH_VIDEO_FUNCTION, GstOrchFunction)

struct _GstOrchVideoFunctionClass
{
  GstOrchFunctionClass parent_class;

  gboolean (*process) (GstOrchVideoFunction * self, gpointer replica_data,
      GstOrchBatch * batch, guint index, GError ** error);
};

/* Whom a VideoFile asks whether to go on. */
typedef struct
{
  GstOrchBatch *batch;
  guint index;
} GstOrchVideoGrain;

/* A VideoWantedFunc, of a GstOrchVideoGrain. */
gboolean gst_orch_video_grain_is_wanted (gpointer grain);
/* (transfer full) */
GstOrchCause *gst_orch_video_cause_new (const GError * error);

G_END_DECLS
