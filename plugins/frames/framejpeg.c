/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "framejpeg.h"

#include <turbojpeg.h>

struct _FrameJpeg
{
  tjhandle compressor;
  GstVideoConverter *converter; /* (nullable): of the last frame */
  GstVideoInfo from, to;        /* what it is for */
};

FrameJpeg *
frame_jpeg_new (GError ** error)
{
  tjhandle compressor = tjInitCompress ();
  FrameJpeg *jpeg;

  if (!compressor) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
        "libjpeg-turbo could not be set up: %s", tjGetErrorStr2 (NULL));
    return NULL;
  }
  jpeg = g_new0 (FrameJpeg, 1);
  jpeg->compressor = compressor;
  return jpeg;
}

void
frame_jpeg_free (FrameJpeg * jpeg)
{
  g_clear_pointer (&jpeg->converter, gst_video_converter_free);
  tjDestroy (jpeg->compressor);
  g_free (jpeg);
}

void
frame_jpeg_get_size (const GstVideoInfo * info,
    const FrameJpegSettings * settings, gint * width, gint * height)
{
  gdouble shape = (gdouble) MAX (1, info->par_n) / MAX (1, info->par_d);
  /* Square pixels take the smaller side of what is not square. */
  gdouble w = shape > 1 ? info->width : info->width * shape;
  gdouble h = shape > 1 ? info->height / shape : info->height;
  gdouble scale = MIN (1, MIN (settings->max_width / w,
          settings->max_height / h));

  *width = MAX (1, (gint) (w * scale + 0.5));
  *height = MAX (1, (gint) (h * scale + 0.5));
}

/* Frames of one video have one converter. */
static gboolean
prepare_converter (FrameJpeg * jpeg, const GstVideoInfo * from, gint width,
    gint height)
{
  GstVideoInfo to;

  if (!gst_video_info_set_format (&to, GST_VIDEO_FORMAT_RGB, width, height))
    return FALSE;
  if (jpeg->converter && gst_video_info_is_equal (&jpeg->from, from)
      && gst_video_info_is_equal (&jpeg->to, &to))
    return TRUE;
  g_clear_pointer (&jpeg->converter, gst_video_converter_free);
  jpeg->from = *from;
  jpeg->to = to;
  jpeg->converter = gst_video_converter_new (&jpeg->from, &jpeg->to,
      gst_structure_new_empty ("config"));
  return jpeg->converter != NULL;
}

static GstBuffer *
compress (FrameJpeg * jpeg, GstVideoFrame * frame, gint quality,
    GError ** error)
{
  unsigned char *data = NULL;
  unsigned long size = 0;

  if (tjCompress2 (jpeg->compressor, GST_VIDEO_FRAME_PLANE_DATA (frame, 0),
          GST_VIDEO_FRAME_WIDTH (frame), GST_VIDEO_FRAME_PLANE_STRIDE (frame,
              0), GST_VIDEO_FRAME_HEIGHT (frame), TJPF_RGB, &data, &size,
          TJSAMP_420, quality, 0) == 0)
    return gst_buffer_new_wrapped_full (0, data, size, 0, size, data,
        (GDestroyNotify) tjFree);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
      "The picture could not be compressed: %s",
      tjGetErrorStr2 (jpeg->compressor));
  tjFree (data);
  return NULL;
}

GstBuffer *
frame_jpeg_make (FrameJpeg * jpeg, const FrameImage * image,
    const FrameJpegSettings * settings, gint * width, gint * height,
    GError ** error)
{
  GstBuffer *pixels, *result = NULL;
  GstVideoFrame small;

  frame_jpeg_get_size (&image->frame.info, settings, width, height);
  if (!prepare_converter (jpeg, &image->frame.info, *width, *height)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED,
        "GStreamer cannot scale such a frame.");
    return NULL;
  }
  pixels = gst_buffer_new_allocate (NULL, jpeg->to.size, NULL);
  if (gst_video_frame_map (&small, &jpeg->to, pixels, GST_MAP_READWRITE)) {
    gst_video_converter_frame (jpeg->converter, &image->frame, &small);
    result = compress (jpeg, &small, settings->quality, error);
    gst_video_frame_unmap (&small);
  }
  gst_buffer_unref (pixels);
  return result;
}
