/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * VideoError: what may be wrong with a video or a clip.  Each has a short
 * stable word, the code of the cause that users see.
 */
typedef enum
{
  VIDEO_ERROR_EMPTY_FILE,
  VIDEO_ERROR_NOT_A_VIDEO,
  VIDEO_ERROR_NO_VIDEO,
  VIDEO_ERROR_DAMAGED,
  VIDEO_ERROR_NO_FRAMES,
  VIDEO_ERROR_TOO_MANY_CLIPS,
  VIDEO_ERROR_NO_DECODER,
  VIDEO_ERROR_IMAGE_TOO_LARGE,
  VIDEO_ERROR_TOO_MANY_BYTES,
  VIDEO_ERROR_NOT_A_CLIP,
  VIDEO_ERROR_MISSING_FRAMES,
  VIDEO_ERROR_DAMAGED_FRAME,
  VIDEO_ERROR_NOT_COPIED,
  VIDEO_ERROR_IO,
  VIDEO_ERROR_NO_MEMORY,
  VIDEO_ERROR_CANCELLED,
} VideoError;

#define VIDEO_ERROR (video_error_quark ())

GQuark video_error_quark (void);
const gchar *video_error_get_code (const GError * error);

/* Sets @error to "@what: what FFmpeg says of @result." */
void video_error_set (GError ** error, VideoError code, const gchar * what,
    gint result);

G_END_DECLS
