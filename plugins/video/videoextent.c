/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videoextent.h"

#include <libavcodec/packet.h>

/* How much earlier than the file says a video may end without reason. */
#define TOLERANCE (G_GINT64_CONSTANT (500000000))

typedef struct
{
  gint64 start;                 /* G_MAXINT64: no frame was there */
  gint64 end;
  gint64 end_of_all;            /* other streams, too */
} Range;

static gint64
get_duration (VideoFile * file, const AVPacket * packet, const AVStream * stream)
{
  if (packet->duration <= 0)
    return stream == video_file_get_stream (file)
        ? video_file_get_frame_duration (file) : 0;
  return video_file_get_time (file, stream, packet->duration)
      - video_file_get_time (file, stream, 0);
}

static void
note_packet (VideoFile * file, const AVPacket * packet, Range * range,
    GArray * keys)
{
  const AVStream *stream =
      video_file_get_format (file)->streams[packet->stream_index];
  gint64 time = video_file_get_packet_time (file, packet);
  gint64 end = time + get_duration (file, packet, stream);

  if (time == G_MININT64 || (packet->flags & AV_PKT_FLAG_DISCARD))
    return;
  range->end_of_all = MAX (range->end_of_all, end);
  if (stream != video_file_get_stream (file))
    return;
  range->start = MIN (range->start, time);
  range->end = MAX (range->end, end);
  if (keys && (packet->flags & AV_PKT_FLAG_KEY))
    g_array_append_val (keys, time);
}

/* From where the file is to its end. */
static gboolean
read_range (VideoFile * file, Range * range, GArray * keys, GError ** error)
{
  g_autoptr (GError) reason = NULL;
  AVPacket *packet = av_packet_alloc ();

  *range = (Range) { G_MAXINT64, G_MININT64, G_MININT64 };
  while (video_file_read (file, packet, &reason)) {
    note_packet (file, packet, range, keys);
    av_packet_unref (packet);
  }
  av_packet_free (&packet);
  if (!reason)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&reason));
  return FALSE;
}

gboolean
video_extent_scan (VideoFile * file, VideoExtent * extent, GArray * keys,
    GError ** error)
{
  Range range;

  if (!read_range (file, &range, keys, error)
      || !video_file_rewind (file, error))
    return FALSE;
  if (range.start == G_MAXINT64) {
    g_set_error_literal (error, VIDEO_ERROR, VIDEO_ERROR_NO_FRAMES,
        "The video has no frames.");
    return FALSE;
  }
  *extent = (VideoExtent) { range.start, range.end, TRUE };
  return TRUE;
}

static void
trust_stream (VideoFile * file, VideoExtent * extent)
{
  AVStream *stream = video_file_get_stream (file);
  gint64 start = stream->start_time == AV_NOPTS_VALUE ? 0 : stream->start_time;

  extent->start = video_file_get_time (file, stream, start);
  extent->end = video_file_get_time (file, stream, start + stream->duration);
}

/* What the file says is the end of its longest stream.  The video may end
 * before; but in a file that is cut off so does everything, and what it promises
 * counts.  The last frames tell. */
static gboolean
look_at_end (VideoFile * file, VideoExtent * extent, GError ** error)
{
  AVFormatContext *format = video_file_get_format (file);
  AVStream *stream = video_file_get_stream (file);
  gint64 promised = MIN (format->duration, G_MAXINT64 / 4000) * 1000;
  Range range = { G_MAXINT64, G_MININT64, G_MININT64 };
  gboolean ok;

  extent->start = stream->start_time == AV_NOPTS_VALUE ? 0
      : video_file_get_time (file, stream, stream->start_time);
  extent->end = promised;
  video_file_set_all_streams (file, TRUE);
  ok = av_seek_frame (format, stream->index,
      video_file_get_timestamp (file, promised), AVSEEK_FLAG_BACKWARD) < 0
      || read_range (file, &range, NULL, error);
  if (ok && range.start != G_MAXINT64
      && (range.end >= promised - TOLERANCE
          || range.end_of_all >= promised - TOLERANCE))
    extent->end = range.end;
  return ok && video_file_rewind (file, error);
}

static gboolean
is_guessed (const AVFormatContext * format)
{
  return format->duration == AV_NOPTS_VALUE || format->duration <= 0
      || format->duration_estimation_method == AVFMT_DURATION_FROM_BITRATE;
}

gboolean
video_extent_find (VideoFile * file, VideoExtent * extent, GError ** error)
{
  AVFormatContext *format = video_file_get_format (file);
  AVStream *stream = video_file_get_stream (file);

  extent->was_scanned = FALSE;
  if (is_guessed (format))
    return video_extent_scan (file, extent, NULL, error);
  if (stream->duration != AV_NOPTS_VALUE && stream->duration > 0)
    trust_stream (file, extent);
  else if (!look_at_end (file, extent, error))
    return FALSE;
  if (extent->end > extent->start)
    return TRUE;
  return video_extent_scan (file, extent, NULL, error);
}
