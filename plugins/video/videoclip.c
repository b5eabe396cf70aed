/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videoclip.h"

/* ---- cutting ---- */

GArray *
video_clips_divide (const VideoExtent * extent, guint64 duration,
    guint max_clips)
{
  GArray *boundaries = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 at = extent->start;

  while ((guint64) (extent->end - at) > duration
      && (max_clips == 0 || boundaries->len <= max_clips)) {
    at += duration;
    g_array_append_val (boundaries, at);
  }
  return boundaries;
}

/* Those that leave pieces of @min_duration. */
static GArray *
choose_boundaries (const VideoExtent * extent, GArray * boundaries,
    gint64 min_duration)
{
  GArray *chosen = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 last = extent->start;
  guint i;

  for (i = 0; i < boundaries->len; i++) {
    gint64 at = g_array_index (boundaries, gint64, i);

    if (at <= last || at >= extent->end || at - last < min_duration)
      continue;
    g_array_append_val (chosen, at);
    last = at;
  }
  if (chosen->len > 0 && extent->end - last < min_duration)
    g_array_set_size (chosen, chosen->len - 1);
  return chosen;
}

static gboolean
is_too_many (guint64 n, const VideoCutSettings * settings, GError ** error)
{
  if (settings->max_clips == 0 || n <= settings->max_clips)
    return FALSE;
  g_set_error (error, VIDEO_ERROR, VIDEO_ERROR_TOO_MANY_CLIPS,
      "The video would have more than %u clips: set max-clips.",
      settings->max_clips);
  return TRUE;
}

/* In equal parts where it is too long. */
static gboolean
add_clips (GArray * clips, gint64 start, gint64 end,
    const VideoCutSettings * settings, GError ** error)
{
  guint64 length = end - start, max = settings->max_duration;
  guint64 i, n = max == 0 ? 1 : (length + max - 1) / max;

  if (is_too_many (clips->len + n, settings, error))
    return FALSE;
  for (i = 0; i < n; i++) {
    VideoClip clip = { .index = clips->len };

    clip.start = start + gst_util_uint64_scale (length, i, n);
    clip.end = start + gst_util_uint64_scale (length, i + 1, n);
    g_array_append_val (clips, clip);
  }
  return TRUE;
}

GArray *
video_clips_cut (const VideoExtent * extent, GArray * boundaries,
    const VideoCutSettings * settings, GError ** error)
{
  g_autoptr (GArray) chosen = choose_boundaries (extent, boundaries,
      settings->min_duration);
  g_autoptr (GArray) clips = g_array_new (FALSE, TRUE, sizeof (VideoClip));
  gint64 start = extent->start;
  guint i;

  g_array_append_val (chosen, extent->end);
  for (i = 0; i < chosen->len; i++) {
    gint64 end = g_array_index (chosen, gint64, i);

    if (!add_clips (clips, start, end, settings, error))
      return NULL;
    start = end;
  }
  g_array_index (clips, VideoClip, clips->len - 1).is_last = TRUE;
  return g_steal_pointer (&clips);
}

/* ---- references ---- */

GstStructure *
video_clip_to_locator (const VideoClip * clip)
{
  return gst_structure_new ("clip", "clip", G_TYPE_UINT, clip->index,
      "start", G_TYPE_INT64, clip->start, "end", G_TYPE_INT64, clip->end,
      "last", G_TYPE_BOOLEAN, clip->is_last, NULL);
}

gboolean
video_clip_from_locator (VideoClip * clip, const GstStructure * locator)
{
  return gst_structure_get (locator, "clip", G_TYPE_UINT, &clip->index,
      "start", G_TYPE_INT64, &clip->start, "end", G_TYPE_INT64, &clip->end,
      "last", G_TYPE_BOOLEAN, &clip->is_last, NULL)
      && clip->start < clip->end;
}

static void
append_seconds (GString * text, gint64 time)
{
  gchar seconds[32];
  gsize length;

  if (time < 0)
    g_string_append_c (text, '-');
  length = g_snprintf (seconds, sizeof (seconds), "%" G_GUINT64_FORMAT ".%09"
      G_GUINT64_FORMAT, (guint64) ABS (time) / GST_SECOND,
      (guint64) ABS (time) % GST_SECOND);
  while (seconds[length - 1] == '0')
    length--;
  if (seconds[length - 1] == '.')
    length--;
  g_string_append_len (text, seconds, length);
}

gchar *
video_clip_make_fragment (gint64 start, gint64 end)
{
  GString *text = g_string_new ("t=");

  append_seconds (text, start);
  if (end != G_MAXINT64) {
    g_string_append_c (text, ',');
    append_seconds (text, end);
  }
  return g_string_free (text, FALSE);
}
