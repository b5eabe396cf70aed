/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videosample.h"

static gint64
get_rate_target (const VideoSample * sample, guint64 n)
{
  guint64 offset = gst_util_uint64_scale (n, sample->fps_d * GST_SECOND,
      sample->fps_n);

  /* Clocks of a file are coarser than nanoseconds. */
  return sample->start + offset - (n > 0 ? sample->slack : 0);
}

void
video_sample_init (VideoSample * sample, VideoSampleMode mode,
    const VideoClip * clip, guint fps_n, guint fps_d, gint64 tick)
{
  sample->mode = mode;
  sample->start = clip->start;
  sample->fps_n = fps_n;
  sample->fps_d = fps_d;
  sample->n_taken = 0;
  sample->slack = tick / 2;
  sample->times = NULL;
  sample->target = clip->start;
}

static gint64
get_count_target (const VideoSample * sample)
{
  return sample->n_taken < sample->times->len
      ? g_array_index (sample->times, gint64, sample->n_taken) : G_MAXINT64;
}

void
video_sample_choose (VideoSample * sample, GArray * times, guint n)
{
  guint i;

  sample->times = g_array_new (FALSE, FALSE, sizeof (gint64));
  n = MIN (n, times->len);
  for (i = 0; i < n; i++) {
    guint64 index = ((2 * (guint64) i + 1) * times->len) / (2 * (guint64) n);

    g_array_append_val (sample->times, g_array_index (times, gint64, index));
  }
  g_array_unref (times);
  sample->target = get_count_target (sample);
}

void
video_sample_clear (VideoSample * sample)
{
  g_clear_pointer (&sample->times, g_array_unref);
}

static void
advance_rate (VideoSample * sample, gint64 time)
{
  guint64 passed = gst_util_uint64_scale (time - sample->start, sample->fps_n,
      sample->fps_d * GST_SECOND);

  sample->n_taken = MAX (sample->n_taken + 1, passed);
  while (get_rate_target (sample, sample->n_taken) <= time)
    sample->n_taken++;
  sample->target = get_rate_target (sample, sample->n_taken);
}

void
video_sample_advance (VideoSample * sample, gint64 time)
{
  switch (sample->mode) {
    case VIDEO_SAMPLE_RATE:
      advance_rate (sample, time);
      break;
    case VIDEO_SAMPLE_COUNT:
      do
        sample->n_taken++;
      while (get_count_target (sample) <= time);
      sample->target = get_count_target (sample);
      break;
    default:
      sample->target = time + 1;
      break;
  }
}
