/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videoextent.h"

#include <libavcodec/packet.h>

/* How much earlier than the file says a video may end without reason. */
#define TOLERANCE (G_GINT64_CONSTANT (500000000))

/* What is read of the end: seeking is not exact, and the frames that are shown
 * last are not those that are stored last. */
#define LAST_TIME (G_GINT64_CONSTANT (1000000000))
#define LAST_FRAMES 32
#define FIRST_FRAMES 64

typedef struct
{
  gint64 start;                 /* G_MAXINT64: no frame was there */
  gint64 end;
  gint64 end_of_all;            /* other streams, too */
} Range;

static const Range nothing = { G_MAXINT64, G_MININT64, G_MININT64 };

static void
note_packet (VideoFile * file, const AVPacket * packet, Range * range,
    GArray * keys)
{
  const AVStream *stream =
      video_file_get_format (file)->streams[packet->stream_index];
  gint64 time = video_file_get_packet_time (file, packet,
      MAX (range->end, 0));
  gint64 end = time + video_file_get_packet_duration (file, packet);

  if (packet->flags & AV_PKT_FLAG_DISCARD)
    return;
  range->end_of_all = MAX (range->end_of_all, end);
  if (stream != video_file_get_stream (file))
    return;
  range->start = MIN (range->start, time);
  range->end = MAX (range->end, end);
  if (keys && (packet->flags & AV_PKT_FLAG_KEY))
    g_array_append_val (keys, time);
}

/* From where the file is to its end, or @max_packets. */
static gboolean
read_range (VideoFile * file, guint64 max_packets, Range * range,
    GArray * keys, GError ** error)
{
  g_autoptr (GError) reason = NULL;
  AVPacket *packet = av_packet_alloc ();
  guint64 i;

  *range = nothing;
  for (i = 0; i < max_packets && video_file_read (file, packet, &reason); i++) {
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

  if (!read_range (file, G_MAXUINT64, &range, keys, error)
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

/* Where the file says that the video ends, and whether it says so of this stream
 * or of its longest one. */
static gint64
get_promise (VideoFile * file, gint64 start, gboolean * is_own)
{
  gint64 duration = video_file_get_format (file)->duration;
  AVStream *stream = video_file_get_stream (file);

  *is_own = stream->duration != AV_NOPTS_VALUE && stream->duration > 0;
  if (*is_own)
    return video_file_get_time (file, stream, stream->duration)
        - video_file_get_time (file, stream, 0) + start;
  return MIN (duration, G_MAXINT64 / 4000) * 1000;
}

/* Whether the index names what is behind the end of the file. */
static gboolean
is_cut_off (VideoFile * file)
{
  AVStream *stream = video_file_get_stream (file);
  gint n = avformat_index_get_entries_count (stream);
  const AVIndexEntry *last = avformat_index_get_entry (stream, n - 1);

  return last && (guint64) last->pos + last->size >
      video_source_get_size (video_file_get_source (file));
}

/* The last frames tell.  The longest stream may be another one, and the times in
 * an index those of decoding.  But in a file that is cut off everything ends too
 * early, and what it promises counts. */
static gint64
choose_end (VideoFile * file, gint64 promise, gboolean is_own,
    const Range * range)
{
  gint64 earliest = promise - TOLERANCE;

  if (range->start == G_MAXINT64 || is_cut_off (file))
    return promise;
  if (range->end >= earliest || (!is_own && range->end_of_all >= earliest))
    return range->end;
  return promise;
}

/* The packets from somewhat before @promise on, or all when that is not
 * possible. */
static gboolean
read_last (VideoFile * file, gint64 promise, Range * range, GError ** error)
{
  gint64 back = MAX (LAST_TIME, LAST_FRAMES * video_file_get_frame_duration
      (file));

  if (video_file_seek (file, promise - back)
      && !read_range (file, G_MAXUINT64, range, NULL, error))
    return FALSE;
  return range->start != G_MAXINT64 || (video_file_rewind (file, error)
      && read_range (file, G_MAXUINT64, range, NULL, error));
}

/* The frame that is stored first need not be the one that is shown first. */
static gboolean
look_at_start (VideoFile * file, VideoExtent * extent, GError ** error)
{
  Range range;

  if (!read_range (file, FIRST_FRAMES, &range, NULL, error)
      || !video_file_rewind (file, error))
    return FALSE;
  extent->start = range.start == G_MAXINT64 ? 0 : range.start;
  return TRUE;
}

static gboolean
look_at_end (VideoFile * file, VideoExtent * extent, GError ** error)
{
  Range range = nothing;
  gboolean is_own;
  gint64 promise;

  promise = get_promise (file, extent->start, &is_own);
  video_file_set_all_streams (file, !is_own);
  if (!read_last (file, promise, &range, error))
    return FALSE;
  extent->end = choose_end (file, promise, is_own, &range);
  return video_file_rewind (file, error);
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
  extent->was_scanned = FALSE;
  if (is_guessed (video_file_get_format (file)))
    return video_extent_scan (file, extent, NULL, error);
  if (!look_at_start (file, extent, error)
      || !look_at_end (file, extent, error))
    return FALSE;
  if (extent->end > extent->start)
    return TRUE;
  return video_extent_scan (file, extent, NULL, error);
}
