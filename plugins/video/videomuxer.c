/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videomuxer.h"

#include <libavcodec/avcodec.h>
#include <libavutil/mem.h>
#include <string.h>

static const AVRational nanoseconds = { 1, GST_SECOND };

typedef struct
{
  VideoFile *file;
  const VideoPackets *packets;
  gint64 start;
  AVFormatContext *output;
} Muxing;

/* ---- the container ---- */

static gboolean
can_hold (const gchar * name, const VideoPackets * packets)
{
  const AVOutputFormat *format = av_guess_format (name, NULL, NULL);
  const AVStream *streams[] = { packets->video, packets->audio };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (streams); i++)
    if (streams[i] && avformat_query_codec (format,
            streams[i]->codecpar->codec_id, FF_COMPLIANCE_NORMAL) != 1)
      return FALSE;
  return TRUE;
}

static const gchar *
choose_container (VideoContainer container, const VideoPackets * packets)
{
  if (container == VIDEO_CONTAINER_MP4
      || (container == VIDEO_CONTAINER_AUTO && can_hold ("mp4", packets)))
    return "mp4";
  return "matroska";
}

static GstCaps *
make_caps (const gchar * name)
{
  return g_str_equal (name, "mp4")
      ? gst_caps_new_simple ("video/quicktime", "variant", G_TYPE_STRING, "iso",
      NULL) : gst_caps_new_empty_simple ("video/x-matroska");
}

/* ---- streams ---- */

/* The rotation, above all. */
static gboolean
copy_side_data (AVStream * to, const AVStream * from)
{
  gint i;

  for (i = 0; i < from->nb_side_data; i++) {
    const AVPacketSideData *side = &from->side_data[i];
    guint8 *data = av_stream_new_side_data (to, side->type, side->size);

    if (!data)
      return FALSE;
    memcpy (data, side->data, side->size);
  }
  return TRUE;
}

static gboolean
add_stream (Muxing * muxing, const AVStream * from)
{
  AVStream *to = avformat_new_stream (muxing->output, NULL);

  if (!to || avcodec_parameters_copy (to->codecpar, from->codecpar) < 0)
    return FALSE;
  to->codecpar->codec_tag = 0;  /* each container has its own */
  to->time_base = from->time_base;
  to->avg_frame_rate = from->avg_frame_rate;
  to->sample_aspect_ratio = from->sample_aspect_ratio;
  to->disposition = from->disposition;
  return copy_side_data (to, from);
}

/* ---- packets ---- */

/* In the stream's own units: where time 0 of the copy is. */
static gint64
get_offset (Muxing * muxing, const AVStream * stream)
{
  gint64 zero = video_file_get_time (muxing->file, stream, 0);

  return av_rescale_q (muxing->start - zero, nanoseconds, stream->time_base);
}

static gint
write_packet (Muxing * muxing, const AVPacket * packet)
{
  gboolean is_video = packet->stream_index == muxing->packets->video->index;
  const AVStream *from = is_video ? muxing->packets->video
      : muxing->packets->audio;
  AVPacket *copy = av_packet_clone (packet);
  gint64 offset = get_offset (muxing, from);
  gint result;

  if (!copy)
    return AVERROR (ENOMEM);
  copy->stream_index = is_video ? 0 : 1;
  copy->pos = -1;
  if (copy->pts == AV_NOPTS_VALUE && from->codecpar->video_delay == 0)
    copy->pts = copy->dts;
  if (copy->pts != AV_NOPTS_VALUE)
    copy->pts -= offset;
  if (copy->dts != AV_NOPTS_VALUE)
    copy->dts -= offset;
  av_packet_rescale_ts (copy, from->time_base,
      muxing->output->streams[copy->stream_index]->time_base);
  result = av_interleaved_write_frame (muxing->output, copy);
  av_packet_free (&copy);
  return result;
}

static gint
write_all (Muxing * muxing)
{
  gint result = avformat_write_header (muxing->output, NULL);
  guint i;

  for (i = 0; result >= 0 && i < muxing->packets->packets->len; i++)
    result = write_packet (muxing,
        g_ptr_array_index (muxing->packets->packets, i));
  return result < 0 ? result : av_write_trailer (muxing->output);
}

static gint
set_up (Muxing * muxing, const gchar * name)
{
  const VideoPackets *packets = muxing->packets;
  gint result = avformat_alloc_output_context2 (&muxing->output, NULL, name,
      NULL);

  if (result < 0)
    return result;
  /* the same clip is always the same bytes */
  muxing->output->flags |= AVFMT_FLAG_BITEXACT;
  if (!add_stream (muxing, packets->video)
      || (packets->audio && !add_stream (muxing, packets->audio)))
    return AVERROR (ENOMEM);
  return avio_open_dyn_buf (&muxing->output->pb);
}

/* (transfer full) (nullable) */
static GstBuffer *
take_buffer (Muxing * muxing)
{
  guint8 *data = NULL;
  gint size;

  if (!muxing->output || !muxing->output->pb)
    return NULL;
  size = avio_close_dyn_buf (muxing->output->pb, &data);
  return gst_buffer_new_wrapped_full (0, data, size, 0, size, data, av_free);
}

GstBuffer *
video_mux (VideoFile * file, const VideoPackets * packets, gint64 start,
    VideoContainer container, GstCaps ** caps, GError ** error)
{
  const gchar *name = choose_container (container, packets);
  Muxing muxing = { file, packets, start, NULL };
  gint result = set_up (&muxing, name);
  GstBuffer *buffer;

  if (result >= 0)
    result = write_all (&muxing);
  buffer = take_buffer (&muxing);
  avformat_free_context (muxing.output);
  if (result >= 0) {
    *caps = make_caps (name);
    return buffer;
  }
  gst_clear_buffer (&buffer);
  video_error_set (error, VIDEO_ERROR_NOT_COPIED,
      "The clip cannot be copied as it is; container=matroska holds more kinds "
      "of streams than mp4", result);
  return NULL;
}
