/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videofile.h"

#include <libavutil/display.h>

#include <math.h>

/* What ffmpeg adds to the pixels of a stream that is marked as the default. */
#define DEFAULT_STREAM_BONUS 5000000

/* Bytes of a chunk ahead of its data. */
#define AVI_CHUNK_HEADER 8

/* Bytes between the packets of an undamaged file. */
#define MAX_OVERHEAD 256

/* Times beyond, a hundred years, are those of damaged files. */
#define FARTHEST (G_MAXINT64 / 4)

/* Errors of a demultiplexer that are passed over, in a row. */
#define MAX_ERRORS 16

static const AVRational nanoseconds = { 1, 1000000000 };

struct _VideoFile
{
  VideoSource *source;
  AVFormatContext *format;
  AVStream *stream;
  gint64 origin;                /* in nanoseconds */
  gboolean all_streams;
  gint64 read_until;            /* where the last packet ended; -1: not known */
  gboolean has_skipped;
  VideoWantedFunc is_wanted;    /* (nullable) */
  gpointer wanted_data;
};

/* A playlist names other files, and they are none of ours. */
static gint
refuse_to_open (AVFormatContext * format, AVIOContext ** io, const gchar * url,
    gint flags, AVDictionary ** options)
{
  return AVERROR (EPERM);
}

/* ---- the stream ---- */

/* Matroska has packets one after the other, with little between them; so
 * all of them are looked at, and what is between shows. */
static gboolean
is_contiguous (VideoFile * file)
{
  return g_str_has_prefix (file->format->iformat->name, "matroska");
}

static gint64
rate_stream (const AVStream * stream)
{
  gint64 score = (gint64) stream->codecpar->width * stream->codecpar->height;

  if (stream->disposition & AV_DISPOSITION_DEFAULT)
    score += DEFAULT_STREAM_BONUS;
  return score;
}

static AVStream *
find_stream (AVFormatContext * format)
{
  AVStream *best = NULL;
  guint i;

  for (i = 0; i < format->nb_streams; i++) {
    AVStream *stream = format->streams[i];

    if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO
        || (stream->disposition & AV_DISPOSITION_ATTACHED_PIC))
      continue;
    if (!best || rate_stream (stream) > rate_stream (best))
      best = stream;
  }
  return best;
}

static gboolean
has_audio (AVFormatContext * format)
{
  return av_find_best_stream (format, AVMEDIA_TYPE_AUDIO, -1, -1, NULL, 0) >= 0;
}

static gboolean
select_stream (VideoFile * file, gint score, GError ** error)
{
  file->stream = find_stream (file->format);
  if (file->stream) {
    video_file_set_all_streams (file, FALSE);
    return TRUE;
  }
  if (has_audio (file->format))
    g_set_error_literal (error, VIDEO_ERROR, VIDEO_ERROR_NO_VIDEO,
        "The file has audio and no video.");
  else if (score <= AVPROBE_SCORE_RETRY)
    g_set_error_literal (error, VIDEO_ERROR, VIDEO_ERROR_NOT_A_VIDEO,
        "The file is not a video.");
  else
    g_set_error (error, VIDEO_ERROR, VIDEO_ERROR_NO_VIDEO,
        "The file (%s) has no video stream.", file->format->iformat->name);
  return FALSE;
}

/* ffmpeg's origin is in microseconds; frames should not be off by a part of
 * one. */
static gint64
find_origin (VideoFile * file)
{
  gint64 origin = 0, start = file->stream->start_time;

  if (file->format->start_time != AV_NOPTS_VALUE)
    origin = CLAMP (file->format->start_time, -FARTHEST / 1000,
        FARTHEST / 1000) * 1000;
  if (start == AV_NOPTS_VALUE)
    return origin;
  start = av_rescale_q (start, file->stream->time_base, nanoseconds);
  return ABS (start - origin) <= 1000 ? start : origin;
}

/* ---- opening ---- */

static gboolean
open_format (VideoFile * file, const AVInputFormat * input, GError ** error)
{
  g_autofree gchar *what = g_strdup_printf ("The file looks like %s and "
      "cannot be opened", input->long_name ? input->long_name : input->name);
  gint result;

  file->format = avformat_alloc_context ();
  file->format->pb = video_source_rewind (file->source);
  file->format->flags |= AVFMT_FLAG_CUSTOM_IO;
  file->format->io_open = refuse_to_open;
  result = avformat_open_input (&file->format, NULL, input, NULL);
  if (result >= 0)
    result = avformat_find_stream_info (file->format, NULL);
  if (result >= 0)
    return TRUE;
  if (video_source_check (file->source, error))
    video_error_set (error, VIDEO_ERROR_DAMAGED, what, result);
  return FALSE;
}

/* They name videos, and hold none. */
static gboolean
is_playlist (const AVInputFormat * input)
{
  static const gchar *const names[] = {
    "hls", "dash", "concat", "sdp", "imf", NULL
  };

  return g_strv_contains (names, input->name);
}

static gboolean
open_file (VideoFile * file, GError ** error)
{
  const AVInputFormat *input = NULL;
  gint score = av_probe_input_buffer2 (video_source_rewind (file->source),
      &input, "", NULL, 0, 0);

  if (score < 0 || !input || is_playlist (input)) {
    if (video_source_check (file->source, error))
      g_set_error_literal (error, VIDEO_ERROR, VIDEO_ERROR_NOT_A_VIDEO,
          input ? "The file is a playlist, not a video." :
          "The file is not a video: FFmpeg does not know its format.");
    return FALSE;
  }
  if (!open_format (file, input, error) || !select_stream (file, score, error))
    return FALSE;
  file->origin = find_origin (file);
  file->read_until = -1;
  return TRUE;
}

VideoFile *
video_file_open (GstBuffer * buffer, GError ** error)
{
  g_autoptr (VideoFile) file = g_new0 (VideoFile, 1);

  file->source = video_source_new (buffer, error);
  if (!file->source || !open_file (file, error))
    return NULL;
  return g_steal_pointer (&file);
}

gboolean
video_file_rewind (VideoFile * file, GError ** error)
{
  AVFormatContext *format = g_steal_pointer (&file->format);
  AVStream *stream = file->stream;

  if (open_file (file, error)) {
    avformat_close_input (&format);
    return TRUE;
  }
  avformat_close_input (&file->format);
  file->format = format;
  file->stream = stream;
  return FALSE;
}

void
video_file_free (VideoFile * file)
{
  avformat_close_input (&file->format);
  if (file->source)
    video_source_free (file->source);
  g_free (file);
}

AVFormatContext *
video_file_get_format (VideoFile * file)
{
  return file->format;
}

AVStream *
video_file_get_stream (VideoFile * file)
{
  return file->stream;
}

VideoSource *
video_file_get_source (VideoFile * file)
{
  return file->source;
}

void
video_file_set_all_streams (VideoFile * file, gboolean all)
{
  guint i;

  file->all_streams = all;
  for (i = 0; i < file->format->nb_streams; i++) {
    AVStream *stream = file->format->streams[i];

    stream->discard = all || stream == file->stream || is_contiguous (file)
        ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  }
}

/* ---- packets ---- */

void
video_file_set_wanted (VideoFile * file, VideoWantedFunc is_wanted,
    gpointer data)
{
  file->is_wanted = is_wanted;
  file->wanted_data = data;
}

static gboolean
check_wanted (VideoFile * file, GError ** error)
{
  if (!file->is_wanted || file->is_wanted (file->wanted_data))
    return TRUE;
  g_set_error_literal (error, VIDEO_ERROR, VIDEO_ERROR_CANCELLED,
      "Nobody waits for this any more.");
  return FALSE;
}

static void
note_position (VideoFile * file, const AVPacket * packet)
{
  if (!is_contiguous (file) || packet->pos < 0)
    return;
  file->has_skipped |= file->read_until >= 0
      && packet->pos > file->read_until + MAX_OVERHEAD;
  file->read_until = packet->pos + packet->size;
}

static gboolean
is_avi (VideoFile * file)
{
  return g_str_equal (file->format->iformat->name, "avi");
}

/* (nullable): the entry of the packet whose chunk is at @position */
static const AVIndexEntry *
find_entry (AVStream * stream, gint64 position)
{
  gint low = 0, high = avformat_index_get_entries_count (stream);

  while (low < high) {
    gint middle = low + (high - low) / 2;
    const AVIndexEntry *entry = avformat_index_get_entry (stream, middle);

    if (entry->pos == position)
      return entry;
    if (entry->pos < position)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

/* Packets of an AVI have the times of their turns, so that behind damage they are
 * too early; its index knows better. */
static void
correct_time (VideoFile * file, AVPacket * packet)
{
  const AVIndexEntry *entry = is_avi (file)
      ? find_entry (file->stream, packet->pos - AVI_CHUNK_HEADER) : NULL;

  if (!entry || packet->dts == AV_NOPTS_VALUE
      || entry->timestamp == packet->dts)
    return;
  file->has_skipped = TRUE;
  if (packet->pts != AV_NOPTS_VALUE)
    packet->pts += entry->timestamp - packet->dts;
  packet->dts = entry->timestamp;
}

gboolean
video_file_seek (VideoFile * file, gint64 time)
{
  file->read_until = -1;
  return av_seek_frame (file->format, file->stream->index,
      video_file_get_timestamp (file, time), AVSEEK_FLAG_BACKWARD) >= 0;
}

gboolean
video_file_has_skipped (VideoFile * file)
{
  return file->has_skipped;
}

gboolean
video_file_read (VideoFile * file, AVPacket * packet, GError ** error)
{
  guint n_errors = 0;

  file->has_skipped = FALSE;
  while (check_wanted (file, error)) {
    gint result = av_read_frame (file->format, packet);

    if (result < 0 && (result == AVERROR_EOF || ++n_errors > MAX_ERRORS)) {
      video_source_check (file->source, error);
      return FALSE;
    }
    if (result < 0)
      continue;
    note_position (file, packet);
    if (packet->stream_index == file->stream->index)
      correct_time (file, packet);
    if (file->all_streams || packet->stream_index == file->stream->index)
      return TRUE;
    av_packet_unref (packet);
  }
  return FALSE;
}

/* ---- times ---- */

gint64
video_file_get_time (VideoFile * file, const AVStream * stream,
    gint64 timestamp)
{
  gint64 time = av_rescale_q (timestamp, stream->time_base, nanoseconds);

  return CLAMP (time, -FARTHEST, FARTHEST) - file->origin;
}

gint64
video_file_get_tick (VideoFile * file)
{
  return video_file_get_time (file, file->stream, 1)
      - video_file_get_time (file, file->stream, 0);
}

gint64
video_file_get_timestamp (VideoFile * file, gint64 time)
{
  return av_rescale_q (time + file->origin, nanoseconds,
      file->stream->time_base);
}

gint64
video_file_get_packet_time (VideoFile * file, const AVPacket * packet,
    gint64 otherwise)
{
  gint64 timestamp = packet->pts;

  if (timestamp == AV_NOPTS_VALUE || video_file_is_by_order (file))
    timestamp = packet->dts;
  if (timestamp == AV_NOPTS_VALUE)
    return otherwise;
  return video_file_get_time (file,
      file->format->streams[packet->stream_index], timestamp);
}

gint64
video_file_get_packet_duration (VideoFile * file, const AVPacket * packet)
{
  AVStream *stream = file->format->streams[packet->stream_index];

  if (packet->duration > 0)
    return av_rescale_q (packet->duration, stream->time_base, nanoseconds);
  return stream == file->stream ? video_file_get_frame_duration (file) : 0;
}

gint64
video_file_get_frame_duration (VideoFile * file)
{
  AVRational rate = file->stream->avg_frame_rate;

  if (rate.num <= 0 || rate.den <= 0)
    rate = file->stream->r_frame_rate;
  if (rate.num <= 0 || rate.den <= 0)
    return 0;
  return av_rescale_q (1, av_inv_q (rate), nanoseconds);
}

/* AVI has times of decoding only, which are those of showing unless frames are
 * reordered; a bare stream has none. */
gboolean
video_file_is_by_order (VideoFile * file)
{
  const AVInputFormat *input = file->format->iformat;

  return (input->flags & AVFMT_NOTIMESTAMPS)
      || (is_avi (file) && file->stream->codecpar->video_delay > 0);
}

/* ---- rotation ---- */

const gint32 *
video_file_get_matrix (VideoFile * file)
{
  size_t size = 0;
  guint8 *data = av_stream_get_side_data (file->stream,
      AV_PKT_DATA_DISPLAYMATRIX, &size);

  return size >= 9 * sizeof (gint32) ? (const gint32 *) data : NULL;
}

gdouble
video_file_get_rotation (VideoFile * file)
{
  const gint32 *matrix = video_file_get_matrix (file);
  gdouble rotation = matrix ? -round (av_display_rotation_get (matrix)) : 0;

  /* A matrix without an angle has none. */
  if (!isfinite (rotation))
    return 0;
  rotation = fmod (rotation, 360);
  return rotation < 0 ? rotation + 360 : rotation + 0;
}
