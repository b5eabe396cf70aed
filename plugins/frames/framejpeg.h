/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "frameimage.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  gint max_width, max_height;   /* of the picture, in pixels */
  gint quality;                 /* 1 to 100 */
} FrameJpegSettings;

/* Makes small JPEG pictures of frames.  Used by one thread. */
typedef struct _FrameJpeg FrameJpeg;

/* NULL with `error` (G_IO_ERROR) set. */
FrameJpeg *frame_jpeg_new (GError ** error);
void frame_jpeg_free (FrameJpeg * jpeg);
/* (transfer full) (nullable): the picture, with square pixels, no larger than the
 * frame and no larger than asked for; NULL with `error` (G_IO_ERROR) set.  `width`
 * and `height` (out). */
GstBuffer *frame_jpeg_make (FrameJpeg * jpeg, const FrameImage * image,
    const FrameJpegSettings * settings, gint * width, gint * height,
    GError ** error);

/* The size of the picture of a frame of `info`. */
void frame_jpeg_get_size (const GstVideoInfo * info,
    const FrameJpegSettings * settings, gint * width, gint * height);

G_END_DECLS
