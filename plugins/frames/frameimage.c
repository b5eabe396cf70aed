/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "frameimage.h"

#define REC_601_KR 0.299
#define REC_601_KB 0.114

/* ---- mapping ---- */

static gboolean
holds_its_rows (GstVideoFrame * frame, guint plane)
{
  gint component[GST_VIDEO_MAX_COMPONENTS];
  gssize stride = GST_VIDEO_FRAME_PLANE_STRIDE (frame, plane);
  const guint8 *begin = GST_VIDEO_FRAME_PLANE_DATA (frame, plane);
  guint map = frame->meta ? plane : 0;
  gssize row, height, left;

  gst_video_format_info_component (frame->info.finfo, plane, component);
  row = (gssize) GST_VIDEO_FRAME_COMP_WIDTH (frame, component[0])
      * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component[0]);
  height = GST_VIDEO_FRAME_COMP_HEIGHT (frame, component[0]);
  left = frame->map[map].data + frame->map[map].size - begin;
  return stride >= row && stride * (height - 1) + row <= left;
}

static gboolean
holds_its_planes (GstVideoFrame * frame)
{
  guint i;

  for (i = 0; i < GST_VIDEO_FRAME_N_PLANES (frame); i++)
    if (!holds_its_rows (frame, i))
      return FALSE;
  return TRUE;
}

static gboolean
is_supported (const GstVideoInfo * info)
{
  switch (GST_VIDEO_INFO_FORMAT (info)) {
    case GST_VIDEO_FORMAT_GRAY8:
    case GST_VIDEO_FORMAT_RGB:
    case GST_VIDEO_FORMAT_BGRx:
    case GST_VIDEO_FORMAT_I420:
    case GST_VIDEO_FORMAT_NV12:
      return GST_VIDEO_INFO_WIDTH (info) > 0 && GST_VIDEO_INFO_HEIGHT (info) > 0;
    default:
      return FALSE;
  }
}

static void
prepare_luma (FrameImage * image, gint offset, gint scale)
{
  gint i;

  image->luma_zero = offset;
  image->luma_factor = 255.0 / scale;
  for (i = 0; i < 256; i++) {
    gint value = ((i - offset) * 255 + scale / 2) / scale;

    image->luma[i] = i < offset ? 0 : MIN (value, 255);
  }
}

static void
prepare_chroma (FrameImage * image, gint offset, gint scale)
{
  gdouble kr = REC_601_KR, kb = REC_601_KB, kg, range = 255.0 / scale;

  gst_video_color_matrix_get_Kr_Kb (image->frame.info.colorimetry.matrix, &kr,
      &kb);
  kg = 1 - kr - kb;
  image->chroma_zero = offset;
  image->red_v = 2 * (1 - kr) * range;
  image->blue_u = 2 * (1 - kb) * range;
  image->green_u = -image->blue_u * kb / kg;
  image->green_v = -image->red_v * kr / kg;
}

gboolean
frame_image_map (FrameImage * image, GstBuffer * buffer, GstCaps * caps)
{
  gint offset[GST_VIDEO_MAX_COMPONENTS], scale[GST_VIDEO_MAX_COMPONENTS];
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, caps) || !is_supported (&info)
      || !gst_video_frame_map (&image->frame, &info, buffer, GST_MAP_READ))
    return FALSE;
  if (GST_VIDEO_FRAME_FORMAT (&image->frame) != GST_VIDEO_INFO_FORMAT (&info)
      || !holds_its_planes (&image->frame)) {
    frame_image_unmap (image);
    return FALSE;
  }
  image->width = GST_VIDEO_FRAME_WIDTH (&image->frame);
  image->height = GST_VIDEO_FRAME_HEIGHT (&image->frame);
  gst_video_color_range_offsets (info.colorimetry.range, info.finfo, offset,
      scale);
  prepare_luma (image, offset[0], scale[0]);
  if (GST_VIDEO_INFO_IS_YUV (&info))
    prepare_chroma (image, offset[1], scale[1]);
  return TRUE;
}

void
frame_image_unmap (FrameImage * image)
{
  gst_video_frame_unmap (&image->frame);
}

/* ---- reading ---- */

static const guint8 *
get_row (const FrameImage * image, guint component, gint y)
{
  const GstVideoFrame *frame = &image->frame;

  return (const guint8 *) GST_VIDEO_FRAME_COMP_DATA (frame, component)
      + (gsize) y * GST_VIDEO_FRAME_COMP_STRIDE (frame, component);
}

gboolean
frame_image_is_grey (const FrameImage * image)
{
  return GST_VIDEO_INFO_IS_GRAY (&image->frame.info);
}

static void
read_luma_of_rgb (const FrameImage * image, gint y, guint8 * luma)
{
  const guint8 *red = get_row (image, 0, y), *green = get_row (image, 1, y),
      *blue = get_row (image, 2, y);
  gint step = GST_VIDEO_FRAME_COMP_PSTRIDE (&image->frame, 0);
  gint x;

  for (x = 0; x < image->width; x++) {
    luma[x] = (299 * *red + 587 * *green + 114 * *blue + 500) / 1000;
    red += step;
    green += step;
    blue += step;
  }
}

void
frame_image_read_luma (const FrameImage * image, guint8 * luma)
{
  gboolean is_rgb = GST_VIDEO_INFO_IS_RGB (&image->frame.info);
  gint x, y;

  for (y = 0; y < image->height; y++, luma += image->width) {
    const guint8 *row = get_row (image, 0, y);

    if (is_rgb) {
      read_luma_of_rgb (image, y, luma);
      continue;
    }
    for (x = 0; x < image->width; x++)
      luma[x] = image->luma[row[x]];
  }
}

static void
read_rgb_of_yuv (const FrameImage * image, gint y, gdouble * rgb)
{
  const guint8 *luma = get_row (image, 0, y);
  const guint8 *u = get_row (image, 1, y / 2), *v = get_row (image, 2, y / 2);
  gint step = GST_VIDEO_FRAME_COMP_PSTRIDE (&image->frame, 1);
  gint x;

  for (x = 0; x < image->width; x++, rgb += 3) {
    gint cb = u[x / 2 * step] - image->chroma_zero;
    gint cr = v[x / 2 * step] - image->chroma_zero;
    gdouble grey = image->luma[luma[x]];

    rgb[0] = CLAMP (grey + image->red_v * cr, 0, 255);
    rgb[1] = CLAMP (grey + image->green_u * cb + image->green_v * cr, 0, 255);
    rgb[2] = CLAMP (grey + image->blue_u * cb, 0, 255);
  }
}

void
frame_image_read_rgb_row (const FrameImage * image, gint y, gdouble * rgb)
{
  const GstVideoInfo *info = &image->frame.info;
  guint component;
  gint x, step;

  if (GST_VIDEO_INFO_IS_YUV (info)) {
    read_rgb_of_yuv (image, y, rgb);
    return;
  }
  for (component = 0; component < 3; component++) {
    const guint8 *row = get_row (image, frame_image_is_grey (image)
        ? 0 : component, y);

    step = GST_VIDEO_FRAME_COMP_PSTRIDE (&image->frame, 0);
    for (x = 0; x < image->width; x++)
      rgb[3 * x + component] = row[x * step];
  }
}
