/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "videoclip.h"

G_BEGIN_DECLS

typedef enum
{
  VIDEO_SAMPLE_ALL,
  VIDEO_SAMPLE_KEYS,
  VIDEO_SAMPLE_RATE,            /* so many a second */
  VIDEO_SAMPLE_COUNT,           /* so many a clip */
} VideoSampleMode;

/**
 * VideoSample: which frames of a clip are wanted.  A frame is taken when it is
 * the first at a sample's time or after; none is taken twice, and none of
 * another clip.
 */
typedef struct
{
  VideoSampleMode mode;
  gint64 start;
  guint fps_n, fps_d;
  guint64 n_taken;              /* samples that are done */
  gint64 slack;                 /* by how much times are off, in nanoseconds */
  GArray *times;                /* (nullable): of the samples, of gint64 */
  gint64 target;                /* the next sample; G_MAXINT64: none */
} VideoSample;

/* @tick: of the clock that the video's times are in, nanoseconds */
void video_sample_init (VideoSample * sample, VideoSampleMode mode,
    const VideoClip * clip, guint fps_n, guint fps_d, gint64 tick);
/* For VIDEO_SAMPLE_COUNT: @n evenly spaced ones of @times, the middle ones of as
 * many equal parts.
 * @times: (transfer full): of all frames, of gint64, ascending */
void video_sample_choose (VideoSample * sample, GArray * times, guint n);
void video_sample_clear (VideoSample * sample);
/* The frame at @time was taken. */
void video_sample_advance (VideoSample * sample, gint64 time);

G_END_DECLS
