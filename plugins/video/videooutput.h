/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "videoimage.h"
#include "videoreader.h"

#include <gst/orch/orch.h>

G_BEGIN_DECLS

#define VIDEO_OUTPUT_TENSORS "other/tensors"

typedef enum
{
  VIDEO_OUTPUT_LIST,
  VIDEO_OUTPUT_STACK,
} VideoOutputKind;

/**
 * VideoOutput: what becomes of the frames of one clip.
 */
typedef struct _VideoOutput VideoOutput;

gboolean video_output_can_stack (GstVideoFormat format);

/* @max_bytes: of all frames, 0: any number */
VideoOutput *video_output_new (VideoOutputKind kind, VideoImager * imager,
    VideoFile * file, const VideoImageSettings * settings, guint64 max_bytes);
void video_output_free (VideoOutput * output);

/* FALSE with @error set when the clip fails of it. */
gboolean video_output_add (VideoOutput * output, const VideoPicture * picture,
    GError ** error);
/* FALSE with @error set when nothing came that can be used. */
gboolean video_output_check (VideoOutput * output, GError ** error);

/* (transfer full) (nullable): NULL when it is a stack */
GstOrchList *video_output_take_list (VideoOutput * output);
/* (transfer full) */
GstBuffer *video_output_take_stack (VideoOutput * output, GstCaps ** caps,
    GstStructure ** info);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VideoOutput, video_output_free)
G_END_DECLS
