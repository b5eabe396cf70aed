/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "tensorplace.h"

#include <math.h>

/* Width of the image, in pixels as high as wide. */
static gdouble
get_square_width (const GstVideoInfo * info)
{
  gdouble width = GST_VIDEO_INFO_WIDTH (info);

  if (GST_VIDEO_INFO_PAR_N (info) > 0 && GST_VIDEO_INFO_PAR_D (info) > 0)
    width = width * GST_VIDEO_INFO_PAR_N (info) / GST_VIDEO_INFO_PAR_D (info);
  return width;
}

static gint
fit (gdouble length, gint limit)
{
  return CLAMP ((gint) floor (length + 0.5), 1, limit);
}

static void
letterbox (TensorPlace * place, const TensorFormat * format, gdouble width,
    gdouble height)
{
  gdouble zoom = MIN (format->width / width, format->height / height);

  place->width = fit (width * zoom, format->width);
  place->height = fit (height * zoom, format->height);
  place->x = (format->width - place->width) / 2;
  place->y = (format->height - place->height) / 2;
}

void
tensor_place_find (TensorPlace * place, const TensorFormat * format,
    const GstVideoInfo * info)
{
  gdouble width = get_square_width (info);
  gdouble height = GST_VIDEO_INFO_HEIGHT (info);
  gdouble used_x = 1, used_y = 1, zoom;

  *place = (TensorPlace) {
  0, 0, format->width, format->height};
  if (format->resize == TENSOR_RESIZE_LETTERBOX)
    letterbox (place, format, width, height);
  if (format->resize == TENSOR_RESIZE_CROP) {
    zoom = MAX (format->width / width, format->height / height);
    used_x = format->width / (width * zoom);
    used_y = format->height / (height * zoom);
  }
  place->step_x = GST_VIDEO_INFO_WIDTH (info) * used_x / place->width;
  place->step_y = GST_VIDEO_INFO_HEIGHT (info) * used_y / place->height;
  place->begin_x = GST_VIDEO_INFO_WIDTH (info) * (1 - used_x) / 2
      + place->step_x / 2;
  place->begin_y = GST_VIDEO_INFO_HEIGHT (info) * (1 - used_y) / 2
      + place->step_y / 2;
}
