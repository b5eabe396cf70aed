/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videoabout.h"

static gint
count_audio_tracks (AVFormatContext * format)
{
  gint n = 0;
  guint i;

  for (i = 0; i < format->nb_streams; i++)
    n += format->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
  return n;
}

static void
add_size (GstStructure * info, VideoFile * file)
{
  AVCodecParameters *about = video_file_get_stream (file)->codecpar;
  gint rotation = (gint) (video_file_get_rotation (file) + 0.5);
  gboolean swaps = rotation == 90 || rotation == 270;

  gst_structure_set (info,
      "width", G_TYPE_INT, swaps ? about->height : about->width,
      "height", G_TYPE_INT, swaps ? about->width : about->height,
      "rotation", G_TYPE_INT, rotation, NULL);
}

GstStructure *
video_about (VideoFile * file, const VideoExtent * extent)
{
  AVFormatContext *format = video_file_get_format (file);
  AVStream *stream = video_file_get_stream (file);
  AVRational rate = stream->avg_frame_rate;
  GstStructure *info = gst_structure_new ("info",
      "container", G_TYPE_STRING, format->iformat->name,
      "codec", G_TYPE_STRING, avcodec_get_name (stream->codecpar->codec_id),
      "start", G_TYPE_INT64, extent->start,
      "duration", G_TYPE_UINT64, (guint64) (extent->end - extent->start),
      "audio-tracks", G_TYPE_INT, count_audio_tracks (format), NULL);

  add_size (info, file);
  if (rate.num > 0 && rate.den > 0)
    gst_structure_set (info, "framerate", GST_TYPE_FRACTION, rate.num,
        rate.den, NULL);
  return info;
}
