/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "videoreader.h"
#include "videosample.h"

G_BEGIN_DECLS

/* Which frames of a clip are to be given. */
typedef struct
{
  VideoSampleMode mode;
  guint fps_n, fps_d;           /* of VIDEO_SAMPLE_RATE */
  guint n_frames;               /* of VIDEO_SAMPLE_COUNT */
} VideoFramesSettings;

/* Takes a frame, or the place of a lost one; FALSE with @error set to stop. */
typedef gboolean (*VideoFramesFunc) (const VideoPicture * picture,
    gpointer data, GError ** error);

/* Gives the wanted frames of a clip to @func, in order.  FALSE with @error set
 * when there are none although there should be, when the file ends before all of
 * them have come, or when @func says so; what has come was right. */
gboolean video_frames_read (VideoReader * reader, const VideoClip * clip,
    const VideoFramesSettings * settings, VideoFramesFunc func, gpointer data,
    GError ** error);

G_END_DECLS
