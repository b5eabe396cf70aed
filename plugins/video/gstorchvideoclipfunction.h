/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchvideofunction.h"
#include "videoclip.h"
#include "videoimage.h"
#include "videoreader.h"

G_BEGIN_DECLS

/**
 * GstOrchVideoClipJob: one clip to work on.
 */
typedef struct
{
  GstOrchBatch *batch;
  guint index;                  /* in the batch */
  VideoClip clip;
  VideoReader *reader;          /* the replica's, anywhere in the video */
  VideoImager *imager;          /* the replica's */
} GstOrchVideoClipJob;

/**
 * GstOrchVideoClipFunctionClass:
 * @get_decoding: (nullable): what decodes, and the most pixels of a frame, as
 *   the properties say; without it nothing is to be decoded
 * @process_clip: gives the clip's Grain an outcome, or returns FALSE with @error
 *   set
 *
 * Base of the Functions that work on clip references.
 */
#define GST_TYPE_ORCH_VIDEO_CLIP_FUNCTION \
  (gst_orch_video_clip_function_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstOrchVideoClipFunction,
    gst_orch_video_clip_function, GST, ORCH_VIDEO_CLIP_FUNCTION,
    GstOrchVideoFunction)

struct _GstOrchVideoClipFunctionClass
{
  GstOrchVideoFunctionClass parent_class;

  void (*get_decoding) (GstOrchVideoClipFunction * self,
      VideoDecoder * decoder, guint64 * max_pixels);
  gboolean (*process_clip) (GstOrchVideoClipFunction * self,
      GstOrchVideoClipJob * job, GError ** error);
};

#define GST_TYPE_ORCH_VIDEO_DECODER (gst_orch_video_decoder_get_type ())
GType gst_orch_video_decoder_get_type (void);

G_END_DECLS
