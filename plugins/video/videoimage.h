/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "videofile.h"

#include <gst/video/video.h>
#include <libavutil/frame.h>

G_BEGIN_DECLS

/* What pictures are to look like. */
typedef struct
{
  GstVideoFormat format;
  gint width;                   /* 0: as it is, or as its shape wants */
  gint height;
  guint64 max_pixels;           /* 0: any number */
} VideoImageSettings;

/**
 * VideoImager: turns, scales and converts decoded frames, with libavfilter.
 * Belongs to one thread at a time.
 */
typedef struct _VideoImager VideoImager;

VideoImager *video_imager_new (void);
void video_imager_free (VideoImager * imager);

/* (transfer full) (nullable): @frame upright, in the format and size of
 * @settings; NULL with @error set.
 * @matrix: (nullable): the display matrix
 * @info: its layout for GStreamer */
AVFrame *video_imager_convert (VideoImager * imager, AVFrame * frame,
    const gint32 * matrix, const VideoImageSettings * settings,
    GstVideoInfo * info, GError ** error);
/* Copies @image to @data, in rows as @info has them or, for packed formats,
 * without padding. */
void video_image_copy (const AVFrame * image, const GstVideoInfo * info,
    gboolean without_padding, guint8 * data);
gsize video_image_get_packed_size (const GstVideoInfo * info);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VideoImager, video_imager_free)
G_END_DECLS
