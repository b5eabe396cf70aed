/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videoframes.h"

#define SECONDS(time) ((time) / (gdouble) GST_SECOND)

static gboolean
begin (VideoReader * reader, const VideoClip * clip,
    const VideoFramesSettings * settings, VideoSample * sample,
    GError ** error)
{
  GArray *times;

  video_reader_set_keys_only (reader, settings->mode == VIDEO_SAMPLE_KEYS);
  video_sample_init (sample, settings->mode, clip, settings->fps_n,
      settings->fps_d, video_file_get_tick (video_reader_get_file (reader)));
  if (settings->mode != VIDEO_SAMPLE_COUNT)
    return TRUE;
  times = video_reader_list_times (reader, clip->start, clip->end, error);
  if (!times)
    return FALSE;
  video_sample_choose (sample, times, settings->n_frames);
  return TRUE;
}

/* The file is at its end.  @target: where the next frame was to be, G_MININT64:
 * none has come yet. */
static gboolean
check_end (VideoReader * reader, const VideoClip * clip, gint64 target,
    GError ** error)
{
  gint64 reached = video_reader_get_reached (reader);
  gint64 frame = video_file_get_frame_duration (video_reader_get_file (reader));

  if (reached != G_MININT64
      && MAX (target, reached) >= clip->end - frame * 3 / 2)
    return TRUE;
  g_set_error (error, VIDEO_ERROR, VIDEO_ERROR_MISSING_FRAMES,
      "The video ends at %.3f s, in the middle of what should be there: the "
      "clip is from %.3f to %.3f s.", reached == G_MININT64 ? 0.0 :
      SECONDS (reached), SECONDS (clip->start), SECONDS (clip->end));
  return FALSE;
}

static gboolean
read_samples (VideoReader * reader, const VideoClip * clip,
    VideoSample * sample, VideoFramesFunc func, gpointer data, GError ** error)
{
  gboolean has_any = FALSE;

  while (sample->target < clip->end) {
    const VideoPicture *picture;

    if (!video_reader_seek (reader, sample->target, error))
      return FALSE;
    picture = video_reader_peek (reader, NULL);
    if (!picture)
      return sample->mode == VIDEO_SAMPLE_KEYS
          || check_end (reader, clip, has_any ? sample->target : G_MININT64,
          error);
    if (picture->time >= clip->end)
      return TRUE;
    if (!func (picture, data, error))
      return FALSE;
    has_any = TRUE;
    video_sample_advance (sample, picture->time);
  }
  return TRUE;
}

gboolean
video_frames_read (VideoReader * reader, const VideoClip * clip,
    const VideoFramesSettings * settings, VideoFramesFunc func, gpointer data,
    GError ** error)
{
  VideoSample sample;
  gboolean ok;

  if (!begin (reader, clip, settings, &sample, error))
    return FALSE;
  ok = read_samples (reader, clip, &sample, func, data, error);
  video_sample_clear (&sample);
  return ok;
}
