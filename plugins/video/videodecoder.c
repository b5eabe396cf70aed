/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videodecoder.h"

#include <libavutil/hwcontext.h>

gboolean
video_decoder_open_device (VideoDecoder decoder, AVBufferRef ** device,
    GError ** error)
{
  gint result;

  *device = NULL;
  if (decoder == VIDEO_DECODER_SOFTWARE)
    return TRUE;
  result = av_hwdevice_ctx_create (device, AV_HWDEVICE_TYPE_CUDA, NULL, NULL,
      0);
  if (result >= 0 || decoder == VIDEO_DECODER_AUTO)
    return TRUE;
  video_error_set (error, VIDEO_ERROR_NO_DECODER, "decoder=nvdec needs an "
      "NVIDIA GPU with its driver, and an FFmpeg that is built for it; "
      "decoder=software needs neither", result);
  return FALSE;
}

static gboolean
can_use_gpu (const AVCodec * codec)
{
  const AVCodecHWConfig *config;
  gint i;

  for (i = 0; (config = avcodec_get_hw_config (codec, i)); i++) {
    if ((config->methods & AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX)
        && config->device_type == AV_HWDEVICE_TYPE_CUDA)
      return TRUE;
  }
  return FALSE;
}

/* What the GPU cannot do, 10 bits of H.264 for one, is left to the processor. */
static enum AVPixelFormat
choose_format (AVCodecContext * context, const enum AVPixelFormat *formats)
{
  const enum AVPixelFormat *format;

  for (format = formats; *format != AV_PIX_FMT_NONE; format++) {
    if (*format == AV_PIX_FMT_CUDA)
      return *format;
  }
  return avcodec_default_get_format (context, formats);
}

static gboolean
check_size (const AVCodecParameters * about, guint64 max_pixels,
    GError ** error)
{
  guint64 pixels = (guint64) MAX (about->width, 0) * MAX (about->height, 0);

  if (max_pixels == 0 || pixels <= max_pixels)
    return TRUE;
  g_set_error (error, VIDEO_ERROR, VIDEO_ERROR_IMAGE_TOO_LARGE,
      "The video has %d x %d pixels, more than %" G_GUINT64_FORMAT
      ": set max-pixels.", about->width, about->height, max_pixels);
  return FALSE;
}

/* One thread: frames come out as soon as they can, errors belong to the packet
 * that is sent, and replicas share the processors. */
static AVCodecContext *
make_context (VideoFile * file, const AVCodec * codec,
    const VideoDecoderSettings * settings)
{
  AVStream *stream = video_file_get_stream (file);
  AVCodecContext *context = avcodec_alloc_context3 (codec);

  avcodec_parameters_to_context (context, stream->codecpar);
  context->pkt_timebase = stream->time_base;
  context->framerate = stream->avg_frame_rate;
  context->thread_count = 1;
  /* To explode, as FFmpeg calls it, would cost good frames, too: those that an error
   * finds in the decoder, and those behind the start of an open group. */
  context->err_recognition = AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER;
  if (settings->max_pixels > 0)
    context->max_pixels = settings->max_pixels;
  if (settings->device && can_use_gpu (codec)) {
    context->hw_device_ctx = av_buffer_ref (settings->device);
    context->get_format = choose_format;
  }
  return context;
}

AVCodecContext *
video_decoder_new (VideoFile * file, const VideoDecoderSettings * settings,
    GError ** error)
{
  AVCodecParameters *about = video_file_get_stream (file)->codecpar;
  const AVCodec *codec = avcodec_find_decoder (about->codec_id);
  AVCodecContext *context;
  gint result;

  if (!codec) {
    g_set_error (error, VIDEO_ERROR, VIDEO_ERROR_NO_DECODER,
        "There is no decoder for %s video.",
        avcodec_get_name (about->codec_id));
    return NULL;
  }
  if (!check_size (about, settings->max_pixels, error))
    return NULL;
  context = make_context (file, codec, settings);
  result = avcodec_open2 (context, codec, NULL);
  if (result >= 0)
    return context;
  avcodec_free_context (&context);
  video_error_set (error, VIDEO_ERROR_NO_DECODER,
      "The decoder cannot be started", result);
  return NULL;
}

gint
video_decoder_fetch (AVFrame * frame)
{
  AVFrame *fetched;
  gint result;

  if (!frame->hw_frames_ctx)
    return 0;
  fetched = av_frame_alloc ();
  result = av_hwframe_transfer_data (fetched, frame, 0);
  if (result >= 0)
    result = av_frame_copy_props (fetched, frame);
  if (result >= 0) {
    av_frame_unref (frame);
    av_frame_move_ref (frame, fetched);
  }
  av_frame_free (&fetched);
  return result;
}
