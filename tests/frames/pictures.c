/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pictures.h"

#include <math.h>

static guint8
round_value (gdouble value)
{
  return CLAMP (lrint (value), 0, 255);
}

static guint8 *
pixel (GstVideoFrame * frame, guint component, gint x, gint y)
{
  return (guint8 *) GST_VIDEO_FRAME_COMP_DATA (frame, component)
      + y * GST_VIDEO_FRAME_COMP_STRIDE (frame, component)
      + x * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component);
}

static void
put_pixel (GstVideoFrame * frame, gint x, gint y, const guint8 rgb[3])
{
  gdouble luma = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
  guint i;

  if (GST_VIDEO_INFO_IS_RGB (&frame->info)) {
    for (i = 0; i < 3; i++)
      *pixel (frame, i, x, y) = rgb[i];
    return;
  }
  *pixel (frame, 0, x, y) = round_value (luma);
  if (GST_VIDEO_INFO_IS_GRAY (&frame->info) || x % 2 || y % 2)
    return;
  *pixel (frame, 1, x / 2, y / 2) =
      round_value (128 + (rgb[2] - luma) / 1.772);
  *pixel (frame, 2, x / 2, y / 2) =
      round_value (128 + (rgb[0] - luma) / 1.402);
}

GstBuffer *
picture_new (const gchar * format, gint width, gint height,
    PicturePainter paint, gpointer data, GstCaps ** caps)
{
  GstVideoFrame frame;
  GstVideoInfo info;
  GstBuffer *buffer;
  guint8 rgb[3];
  gint x, y;

  gst_video_info_set_format (&info, gst_video_format_from_string (format),
      width, height);
  info.colorimetry.range = GST_VIDEO_COLOR_RANGE_0_255;
  if (!GST_VIDEO_INFO_IS_RGB (&info))
    info.colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_BT601;
  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_memset (buffer, 0, 0, info.size);
  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_WRITE));
  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++) {
      paint (x, y, rgb, data);
      put_pixel (&frame, x, y, rgb);
    }
  gst_video_frame_unmap (&frame);
  *caps = gst_video_info_to_caps (&info);
  return buffer;
}
