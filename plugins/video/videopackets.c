/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videopackets.h"

/* How far behind the video the audio of the same time may stand in a file. */
#define MAX_LAG (10 * (gint64) GST_SECOND)

typedef struct
{
  VideoPackets *packets;
  VideoFile *file;
  const VideoClip *clip;
  guint64 max_size;
  gboolean video_done;
  gboolean audio_done;
} Reading;

static void
packet_free (gpointer data)
{
  AVPacket *packet = data;

  av_packet_free (&packet);
}

/* ---- one packet ---- */

static gboolean
is_video (Reading * reading, const AVPacket * packet)
{
  return packet->stream_index == reading->packets->video->index;
}

static gint64
get_decoding_time (Reading * reading, const AVPacket * packet)
{
  if (packet->dts == AV_NOPTS_VALUE)
    return video_file_get_packet_time (reading->file, packet,
      G_MININT64);
  return video_file_get_time (reading->file,
      video_file_get_format (reading->file)->streams[packet->stream_index],
      packet->dts);
}

/* What came before a key frame at the start of the clip, or ahead of it, is not
 * needed. */
static void
begin_again (Reading * reading)
{
  VideoPackets *packets = reading->packets;
  guint i = 0;

  while (i < packets->packets->len) {
    const AVPacket *packet = g_ptr_array_index (packets->packets, i);

    if (is_video (reading, packet)) {
      packets->size -= packet->size;
      g_ptr_array_remove_index (packets->packets, i);
    } else {
      i++;
    }
  }
}

/* Pictures that are shown ahead of the first key frame need what is not there. */
static gboolean
wants_video (Reading * reading, const AVPacket * packet)
{
  VideoPackets *packets = reading->packets;
  gint64 time = video_file_get_packet_time (reading->file, packet,
      G_MININT64);

  reading->video_done = get_decoding_time (reading, packet)
      >= reading->clip->end;
  if (reading->video_done || time == G_MININT64)
    return FALSE;
  if ((packet->flags & AV_PKT_FLAG_KEY)
      && (packets->key_time == G_MAXINT64 || time <= reading->clip->start)) {
    begin_again (reading);
    packets->key_time = time;
  }
  return packets->key_time != G_MAXINT64 && time >= packets->key_time;
}

static gboolean
wants_audio (Reading * reading, const AVPacket * packet)
{
  gint64 begin = video_file_get_packet_time (reading->file, packet,
      G_MININT64);
  gint64 end = begin + av_rescale_q (packet->duration,
      reading->packets->audio->time_base, (AVRational) {1, GST_SECOND});

  reading->audio_done = begin >= reading->clip->end;
  return begin != G_MININT64 && end > reading->clip->start
      && !reading->audio_done;
}

static gboolean
wants (Reading * reading, const AVPacket * packet)
{
  const AVStream *audio = reading->packets->audio;

  if (is_video (reading, packet))
    return wants_video (reading, packet);
  return audio && packet->stream_index == audio->index
      && wants_audio (reading, packet);
}

/* AVI has one time for each packet, of decoding, MPEG program streams not all; when
 * frames are shown in another order they have to be decoded to know when. */
static gboolean
check_packet (Reading * reading, const AVPacket * packet, GError ** error)
{
  if (packet->flags & AV_PKT_FLAG_CORRUPT) {
    g_set_error_literal (error, VIDEO_ERROR, VIDEO_ERROR_DAMAGED,
        "A part of the clip is damaged, and a copy would be, too.");
    return FALSE;
  }
  if (!is_video (reading, packet) || packet->pts != AV_NOPTS_VALUE
      || reading->packets->video->codecpar->video_delay == 0)
    return TRUE;
  g_set_error (error, VIDEO_ERROR, VIDEO_ERROR_NOT_COPIED,
      "The file (%s) does not say when its frames are shown: they can be decoded, "
      "but not copied.", video_file_get_format (reading->file)->iformat->name);
  return FALSE;
}

static gboolean
add (Reading * reading, AVPacket * packet, GError ** error)
{
  VideoPackets *packets = reading->packets;
  AVPacket *copy;

  if (!check_packet (reading, packet, error))
    return FALSE;
  packets->size += packet->size;
  if (packets->size > reading->max_size) {
    g_set_error (error, VIDEO_ERROR, VIDEO_ERROR_TOO_MANY_BYTES,
        "The clip takes more than %" G_GUINT64_FORMAT " bytes: cut shorter ones, "
        "or set a larger max-size.", reading->max_size);
    return FALSE;
  }
  copy = av_packet_alloc ();
  av_packet_move_ref (copy, packet);
  g_ptr_array_add (packets->packets, copy);
  return TRUE;
}

/* ---- from one place on ---- */

static gboolean
is_done (Reading * reading, const AVPacket * packet)
{
  gint64 end = reading->clip->end;
  gint64 time = get_decoding_time (reading, packet);

  if (!reading->video_done)
    return FALSE;
  return !reading->packets->audio || reading->audio_done
      || (time > end && time - end >= MAX_LAG);
}

static gboolean
read_on (Reading * reading, GError ** error)
{
  g_autoptr (GError) reason = NULL;
  AVPacket *packet = av_packet_alloc ();
  gboolean done = FALSE;

  while (!done && !reason && video_file_read (reading->file, packet, &reason)) {
    gboolean wanted = wants (reading, packet);

    done = is_done (reading, packet);
    if (wanted)
      add (reading, packet, &reason);
    av_packet_unref (packet);
  }
  av_packet_free (&packet);
  if (!reason)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&reason));
  return FALSE;
}

static gboolean
go_to (Reading * reading, gboolean to_begin, GError ** error)
{
  if (to_begin || !video_file_seek (reading->file, reading->clip->start))
    return video_file_rewind (reading->file, error);
  return TRUE;
}

/* Streams are others after a rewind. */
static void
find_streams (Reading * reading, gboolean with_audio)
{
  VideoPackets *packets = reading->packets;
  AVFormatContext *format = video_file_get_format (reading->file);
  gint audio;

  video_file_set_all_streams (reading->file, with_audio);
  packets->video = video_file_get_stream (reading->file);
  audio = with_audio ? av_find_best_stream (format, AVMEDIA_TYPE_AUDIO, -1,
      packets->video->index, NULL, 0) : -1;
  packets->audio = audio >= 0 ? format->streams[audio] : NULL;
}

static gboolean
read_from (Reading * reading, gboolean to_begin, gboolean with_audio,
    GError ** error)
{
  VideoPackets *packets = reading->packets;

  if (!go_to (reading, to_begin, error))
    return FALSE;
  find_streams (reading, with_audio);
  g_ptr_array_set_size (packets->packets, 0);
  packets->size = 0;
  packets->key_time = G_MAXINT64;
  reading->video_done = reading->audio_done = FALSE;
  return read_on (reading, error);
}

/* What is decoded after the last picture of the clip is needed by none of it. */
static void
trim_end (Reading * reading)
{
  GPtrArray *packets = reading->packets->packets;
  guint i;

  for (i = packets->len; i > 0; i--) {
    const AVPacket *packet = g_ptr_array_index (packets, i - 1);

    if (!is_video (reading, packet))
      continue;
    if (video_file_get_packet_time (reading->file, packet, G_MININT64)
        < reading->clip->end)
      break;
    reading->packets->size -= packet->size;
    g_ptr_array_remove_index (packets, i - 1);
  }
}

/* Seeking is not exact: what begins too late is read from the beginning. */
gboolean
video_packets_read (VideoPackets * packets, VideoFile * file,
    const VideoClip * clip, gboolean with_audio, guint64 max_size,
    GError ** error)
{
  Reading reading = { packets, file, clip, max_size, };

  *packets = (VideoPackets) {
  g_ptr_array_new_with_free_func (packet_free), NULL, NULL, G_MAXINT64, 0};
  if (!read_from (&reading, FALSE, with_audio, error))
    return FALSE;
  if (packets->key_time > clip->start
      && !read_from (&reading, TRUE, with_audio, error))
    return FALSE;
  trim_end (&reading);
  if (packets->key_time != G_MAXINT64)
    return TRUE;
  g_set_error_literal (error, VIDEO_ERROR, VIDEO_ERROR_NO_FRAMES,
      "The clip has no key frame, without which it cannot be decoded.");
  return FALSE;
}

void
video_packets_clear (VideoPackets * packets)
{
  g_clear_pointer (&packets->packets, g_ptr_array_unref);
}
