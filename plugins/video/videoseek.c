/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videoreader-private.h"

/* How far before its target a second attempt begins; a third, twice as far. */
#define STEP_BACK GST_SECOND

/* Whether the file's index knows a key frame between what was read and @time:
 * then going there is less work than going on. */
static gboolean
knows_nearer_key (VideoReader * reader, gint64 time)
{
  AVStream *stream = video_file_get_stream (reader->file);
  const AVIndexEntry *entry = avformat_index_get_entry_from_timestamp (stream,
      video_file_get_timestamp (reader->file, time), AVSEEK_FLAG_BACKWARD);

  return entry && entry->timestamp > reader->read_timestamp
      && !video_file_is_by_order (reader->file);
}

static gboolean
can_go_on (VideoReader * reader, gint64 time)
{
  const VideoPicture *next = g_queue_peek_head (&reader->pictures);

  if (reader->is_fresh)
    return FALSE;
  if (next && next->time == time)
    return TRUE;
  if (reader->passed == G_MININT64)
    return next && next->time < time && !knows_nearer_key (reader, time);
  if (next && next->time > time)
    return reader->passed < time;
  return reader->passed < time && !knows_nearer_key (reader, time);
}

/* ---- going elsewhere ---- */

static gboolean
jump (VideoReader * reader, gint64 time, GError ** error)
{
  AVStream *stream = video_file_get_stream (reader->file);
  gint64 timestamp = video_file_get_timestamp (reader->file, time);
  gint64 start = stream->start_time == AV_NOPTS_VALUE ? 0 : stream->start_time;

  if (video_file_is_by_order (reader->file) || timestamp <= start)
    return reader->is_fresh || video_reader_rewind (reader, error);
  if (!video_file_seek (reader->file, time))
    return video_reader_rewind (reader, error);
  video_reader_reset (reader);
  return TRUE;
}

/* Clocks of files tick slowly, and between two ticks there is no picture. */
static gboolean
is_up_to (VideoReader * reader, const VideoPicture * picture, gint64 time)
{
  return picture->time <= time
      || picture->time < time + video_file_get_tick (reader->file) - 1;
}

/* Seeking is not exact, and behind a key frame may come pictures that are shown
 * before it and cannot be decoded.  So @time is found for certain only if a
 * picture there or before it was seen, or everything from the beginning on. */
static gboolean
is_found (VideoReader * reader, gint64 time, gboolean * is_found,
    GError ** error)
{
  g_autoptr (GError) reason = NULL;
  const VideoPicture *first = video_reader_peek (reader, &reason);

  if (reason) {
    g_propagate_error (error, g_steal_pointer (&reason));
    return FALSE;
  }
  *is_found = reader->is_begun || (first
      && is_up_to (reader, first, time));
  return TRUE;
}

static gboolean
find (VideoReader * reader, gint64 time, GError ** error)
{
  gint64 back = 0;
  gboolean found = FALSE;

  while (!found) {
    if (!jump (reader, time - back, error)
        || !is_found (reader, time, &found, error))
      return FALSE;
    back = back == 0 ? STEP_BACK : MIN (back * 2, G_MAXINT64 / 4);
  }
  return TRUE;
}

/* ---- times of frames ---- */

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return x < y ? -1 : x > y;
}

/* Adds the times of packets from where the file is, until all that is decoded is
 * shown after @end.  *@first is that of the first key frame. */
static gboolean
add_times (VideoReader * reader, gint64 start, gint64 end, GArray * times,
    gint64 * first, GError ** error)
{
  g_autoptr (GError) reason = NULL;
  AVPacket *packet = reader->packet;
  gboolean is_done = FALSE;

  *first = G_MAXINT64;
  while (!is_done && video_file_read (reader->file, packet, &reason)) {
    gint64 time = video_file_get_packet_time (reader->file, packet,
        MAX (reader->read_until, 0));

    reader->read_until = time + video_file_get_packet_duration (reader->file,
        packet);
    if ((packet->flags & AV_PKT_FLAG_KEY) && *first == G_MAXINT64)
      *first = time;
    if (time >= start && time < end && !(packet->flags & AV_PKT_FLAG_DISCARD))
      g_array_append_val (times, time);
    is_done = packet->dts != AV_NOPTS_VALUE
        && video_file_get_time (reader->file, video_file_get_stream
        (reader->file), packet->dts) >= end;
    av_packet_unref (packet);
  }
  if (!reason)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&reason));
  return FALSE;
}

GArray *
video_reader_list_times (VideoReader * reader, gint64 start, gint64 end,
    GError ** error)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 first;

  if (!jump (reader, start, error)
      || !add_times (reader, start, end, times, &first, error))
    return NULL;
  if (first > start) {
    g_array_set_size (times, 0);
    if (!video_reader_rewind (reader, error)
        || !add_times (reader, start, end, times, &first, error))
      return NULL;
  }
  video_reader_reset (reader);
  g_array_sort (times, compare_times);
  return g_steal_pointer (&times);
}

/* ---- seeking ---- */

static gboolean
go_to (VideoReader * reader, gint64 time, GError ** error)
{
  g_autoptr (GError) reason = NULL;
  const VideoPicture *picture;

  if (!can_go_on (reader, time) && !find (reader, time, error))
    return FALSE;
  while ((picture = video_reader_peek (reader, &reason))
      && picture->time < time)
    video_reader_skip (reader);
  if (reason) {
    g_propagate_error (error, g_steal_pointer (&reason));
    return FALSE;
  }
  /* Some before it were skipped. */
  reader->passed = MAX (reader->passed, time - 1);
  return TRUE;
}

gboolean
video_reader_seek (VideoReader * reader, gint64 time, GError ** error)
{
  gboolean ok;

  reader->wanted_from = time;
  ok = go_to (reader, time, error);
  reader->wanted_from = G_MININT64;
  return ok;
}
