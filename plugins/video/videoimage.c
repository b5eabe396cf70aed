/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videoimage.h"

#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>

#include <math.h>
#include <string.h>

struct _VideoImager
{
  AVFilterGraph *graph;         /* (nullable) */
  AVFilterContext *source;
  AVFilterContext *sink;
  gchar *description;           /* what it was made for */
};

static const struct
{
  GstVideoFormat format;
  enum AVPixelFormat pixels;
} formats[] = {
  {GST_VIDEO_FORMAT_RGB, AV_PIX_FMT_RGB24},
  {GST_VIDEO_FORMAT_BGRx, AV_PIX_FMT_BGR0},
  {GST_VIDEO_FORMAT_GRAY8, AV_PIX_FMT_GRAY8},
  {GST_VIDEO_FORMAT_I420, AV_PIX_FMT_YUV420P},
  {GST_VIDEO_FORMAT_NV12, AV_PIX_FMT_NV12},
};

VideoImager *
video_imager_new (void)
{
  return g_new0 (VideoImager, 1);
}

void
video_imager_free (VideoImager * imager)
{
  avfilter_graph_free (&imager->graph);
  g_free (imager->description);
  g_free (imager);
}

/* ---- what is to be done ---- */

static const gchar *
get_pixels (GstVideoFormat format)
{
  guint i = 0;

  while (formats[i].format != format)
    i++;
  return av_get_pix_fmt_name (formats[i].pixels);
}

/* As ffmpeg turns pictures. */
static const gchar *
get_turn (const gint32 * matrix, gboolean * swaps)
{
  gdouble rotation = matrix ? -round (av_display_rotation_get (matrix)) : 0;

  rotation = fmod (rotation + 360, 360);
  *swaps = TRUE;
  if (fabs (rotation - 90) < 1)
    return matrix[3] > 0 ? "transpose=cclock_flip," : "transpose=clock,";
  if (fabs (rotation - 270) < 1)
    return matrix[3] < 0 ? "transpose=clock_flip," : "transpose=cclock,";
  *swaps = FALSE;
  if (fabs (rotation - 180) < 1)
    return matrix[0] < 0 ? matrix[4] < 0 ? "hflip,vflip," : "hflip," :
        matrix[4] < 0 ? "vflip," : "";
  return matrix && matrix[4] < 0 ? "vflip," : "";
}

/* A side that is not given follows from the other, and from the shape of the
 * pixels, which are square afterwards unless both are given or none. */
static void
find_size (const AVFrame * frame, gboolean swaps,
    const VideoImageSettings * settings, gint * width, gint * height)
{
  AVRational shape = frame->sample_aspect_ratio;
  gint w = swaps ? frame->height : frame->width;
  gint h = swaps ? frame->width : frame->height;

  if (shape.num <= 0 || shape.den <= 0)
    shape = (AVRational) { 1, 1 };
  if (swaps)
    shape = av_inv_q (shape);
  *width = settings->width;
  *height = settings->height;
  if (*width == 0 && *height == 0) {
    *width = w;
    *height = h;
  } else if (*width == 0) {
    *width = MAX (av_rescale (*height, (gint64) w * shape.num,
            (gint64) h * shape.den), 1);
  } else if (*height == 0) {
    *height = MAX (av_rescale (*width, (gint64) h * shape.den,
            (gint64) w * shape.num), 1);
  }
}

static gboolean
check_size (gint width, gint height, guint64 max_pixels, GError ** error)
{
  if (width <= G_MAXINT16 && height <= G_MAXINT16
      && (max_pixels == 0 || (guint64) width * height <= max_pixels))
    return TRUE;
  g_set_error (error, VIDEO_ERROR, VIDEO_ERROR_IMAGE_TOO_LARGE,
      "The frame would have %d x %d pixels: more than max-pixels, or 32767 a "
      "side, are not made.", width, height);
  return FALSE;
}

/* The source of a graph, and the graph, in one text, which says when a new one
 * is needed. */
static gchar *
describe (const AVFrame * frame, const gint32 * matrix,
    const VideoImageSettings * settings, gint width, gint height)
{
  gboolean swaps;
  const gchar *turn = get_turn (matrix, &swaps);

  return g_strdup_printf ("buffer@in=video_size=%dx%d:pix_fmt=%d:"
      "time_base=1/1:pixel_aspect=%d/%d,%sscale=%d:%d:flags=bicubic,format=%s,"
      "buffersink@out", frame->width, frame->height, frame->format,
      frame->sample_aspect_ratio.num, MAX (frame->sample_aspect_ratio.den, 1),
      turn, width, height, get_pixels (settings->format));
}

/* ---- the graph ---- */

static gboolean
make_graph (VideoImager * imager, const gchar * description, GError ** error)
{
  AVFilterInOut *inputs = NULL, *outputs = NULL;
  gint result;

  avfilter_graph_free (&imager->graph);
  g_clear_pointer (&imager->description, g_free);
  imager->graph = avfilter_graph_alloc ();
  imager->graph->nb_threads = 1;
  result = avfilter_graph_parse2 (imager->graph, description, &inputs,
      &outputs);
  avfilter_inout_free (&inputs);
  avfilter_inout_free (&outputs);
  if (result >= 0)
    result = avfilter_graph_config (imager->graph, NULL);
  if (result < 0) {
    video_error_set (error, VIDEO_ERROR_DAMAGED_FRAME,
        "The frame cannot be converted", result);
    return FALSE;
  }
  imager->source = avfilter_graph_get_filter (imager->graph, "buffer@in");
  imager->sink = avfilter_graph_get_filter (imager->graph, "buffersink@out");
  imager->description = g_strdup (description);
  return TRUE;
}

static gboolean
prepare_graph (VideoImager * imager, const AVFrame * frame,
    const gint32 * matrix, const VideoImageSettings * settings,
    GError ** error)
{
  g_autofree gchar *description = NULL;
  gboolean swaps;
  gint width, height;

  get_turn (matrix, &swaps);
  find_size (frame, swaps, settings, &width, &height);
  if (!check_size (width, height, settings->max_pixels, error))
    return FALSE;
  description = describe (frame, matrix, settings, width, height);
  return g_strcmp0 (description, imager->description) == 0
      || make_graph (imager, description, error);
}

static AVFrame *
filter (VideoImager * imager, AVFrame * frame, GError ** error)
{
  AVFrame *image = av_frame_alloc ();
  gint result = av_buffersrc_add_frame_flags (imager->source, frame,
      AV_BUFFERSRC_FLAG_KEEP_REF | AV_BUFFERSRC_FLAG_NO_CHECK_FORMAT);

  if (result >= 0)
    result = av_buffersink_get_frame (imager->sink, image);
  if (result >= 0)
    return image;
  av_frame_free (&image);
  video_error_set (error, VIDEO_ERROR_DAMAGED_FRAME,
      "The frame cannot be converted", result);
  return NULL;
}

static void
describe_colours (const AVFrame * image, GstVideoInfo * info)
{
  if (!GST_VIDEO_INFO_IS_YUV (info))
    return;
  info->colorimetry.matrix = image->colorspace == AVCOL_SPC_BT709
      ? GST_VIDEO_COLOR_MATRIX_BT709
      : image->colorspace == AVCOL_SPC_BT2020_NCL
      ? GST_VIDEO_COLOR_MATRIX_BT2020 : GST_VIDEO_COLOR_MATRIX_BT601;
  info->colorimetry.range = image->color_range == AVCOL_RANGE_JPEG
      ? GST_VIDEO_COLOR_RANGE_0_255 : GST_VIDEO_COLOR_RANGE_16_235;
}

AVFrame *
video_imager_convert (VideoImager * imager, AVFrame * frame,
    const gint32 * matrix, const VideoImageSettings * settings,
    GstVideoInfo * info, GError ** error)
{
  AVFrame *image;

  if (!prepare_graph (imager, frame, matrix, settings, error))
    return NULL;
  image = filter (imager, frame, error);
  if (!image)
    return NULL;
  gst_video_info_set_format (info, settings->format, image->width,
      image->height);
  info->fps_n = 0;
  info->fps_d = 1;
  if (image->sample_aspect_ratio.num > 0 && image->sample_aspect_ratio.den > 0) {
    info->par_n = image->sample_aspect_ratio.num;
    info->par_d = image->sample_aspect_ratio.den;
  }
  describe_colours (image, info);
  return image;
}

/* ---- bytes ---- */

static gsize
get_packed_row (const GstVideoInfo * info)
{
  return (gsize) GST_VIDEO_INFO_WIDTH (info)
      * GST_VIDEO_INFO_COMP_PSTRIDE (info, 0);
}

gsize
video_image_get_packed_size (const GstVideoInfo * info)
{
  return get_packed_row (info) * GST_VIDEO_INFO_HEIGHT (info);
}

void
video_image_copy (const AVFrame * image, const GstVideoInfo * info,
    gboolean without_padding, guint8 * data)
{
  guint8 *planes[4] = { NULL, };
  gint strides[4] = { 0, };
  guint i;

  for (i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    planes[i] = data + GST_VIDEO_INFO_PLANE_OFFSET (info, i);
    strides[i] = GST_VIDEO_INFO_PLANE_STRIDE (info, i);
  }
  if (without_padding)
    strides[0] = get_packed_row (info);
  av_image_copy (planes, strides, (const guint8 **) image->data,
      image->linesize, image->format, image->width, image->height);
}
