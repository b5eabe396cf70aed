/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "videoreader.h"

G_BEGIN_DECLS

/**
 * VideoShots: where one shot ends and the next begins: the frames that differ
 * much from the one before in hue, saturation and brightness, which is the
 * method of PySceneDetect's detect-content.
 */
typedef struct
{
  gdouble threshold;            /* mean difference of a pixel, 0 to 255 */
  gint64 min_duration;          /* nanoseconds: cuts that follow each other
                                 * faster are one */
} VideoShotSettings;

/* (transfer full) (nullable): the times of cuts, of gint64; NULL with @error
 * set.  Decodes all of the video. */
GArray *video_shots_find (VideoReader * reader,
    const VideoShotSettings * settings, GError ** error);

/* How much a frame differs from another, of the same @n_pixels.
 * @hsv: three bytes a pixel, as of video_shots_convert() */
gdouble video_shots_compare (const guint8 * hsv, const guint8 * other,
    gsize n_pixels);
/* Hue in half degrees, saturation and value in 255ths. */
void video_shots_convert (const guint8 * rgb, guint8 * hsv, gsize n_pixels);

G_END_DECLS
