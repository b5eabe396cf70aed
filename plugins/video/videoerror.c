/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videoerror.h"

#include <libavutil/error.h>

G_DEFINE_QUARK (video, video_error)

static const gchar *const codes[] = {
  [VIDEO_ERROR_EMPTY_FILE] = "empty-file",
  [VIDEO_ERROR_NOT_A_VIDEO] = "not-a-video",
  [VIDEO_ERROR_NO_VIDEO] = "no-video",
  [VIDEO_ERROR_DAMAGED] = "damaged",
  [VIDEO_ERROR_NO_FRAMES] = "no-frames",
  [VIDEO_ERROR_TOO_MANY_CLIPS] = "too-many-clips",
  [VIDEO_ERROR_NO_DECODER] = "no-decoder",
  [VIDEO_ERROR_IMAGE_TOO_LARGE] = "image-too-large",
  [VIDEO_ERROR_TOO_MANY_BYTES] = "too-many-bytes",
  [VIDEO_ERROR_NOT_A_CLIP] = "not-a-clip",
  [VIDEO_ERROR_MISSING_FRAMES] = "missing-frames",
  [VIDEO_ERROR_DAMAGED_FRAME] = "damaged-frame",
  [VIDEO_ERROR_NOT_COPIED] = "not-copied",
  [VIDEO_ERROR_IO] = "io",
  [VIDEO_ERROR_NO_MEMORY] = "no-memory",
  [VIDEO_ERROR_CANCELLED] = "cancelled",
};

/* Errors of other domains reach here only from reading the file. */
const gchar *
video_error_get_code (const GError * error)
{
  g_return_val_if_fail (error != NULL, NULL);

  if (error->domain != VIDEO_ERROR
      || (guint) error->code >= G_N_ELEMENTS (codes))
    return codes[VIDEO_ERROR_IO];
  return codes[error->code];
}

void
video_error_set (GError ** error, VideoError code, const gchar * what,
    gint result)
{
  gchar reason[AV_ERROR_MAX_STRING_SIZE] = "";

  av_strerror (result, reason, sizeof (reason));
  if (result == AVERROR (ENOMEM))
    code = VIDEO_ERROR_NO_MEMORY;
  g_set_error (error, VIDEO_ERROR, code, "%s: %s.", what, reason);
}
