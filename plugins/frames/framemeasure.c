/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "framemeasure.h"

#include "framehash.h"

#include <math.h>
#include <stdlib.h>

typedef struct
{
  guint8 *luma;
  gsize size;                   /* bytes there are */
  gint width, height;
} Plane;

struct _FrameMeter
{
  Plane planes[2];
  guint current;
  gboolean has_previous;
};

FrameMeter *
frame_meter_new (void)
{
  return g_new0 (FrameMeter, 1);
}

void
frame_meter_free (FrameMeter * meter)
{
  g_free (meter->planes[0].luma);
  g_free (meter->planes[1].luma);
  g_free (meter);
}

void
frame_meter_begin (FrameMeter * meter)
{
  meter->has_previous = FALSE;
}

static void
fill_plane (Plane * plane, const FrameImage * image)
{
  gsize size = (gsize) image->width * image->height;

  if (plane->size < size) {
    g_free (plane->luma);
    plane->luma = g_malloc (size);
    plane->size = size;
  }
  plane->width = image->width;
  plane->height = image->height;
  frame_image_read_luma (image, plane->luma);
}

/* ---- one frame ---- */

static void
measure_levels (const Plane * plane, const FrameLimits * limits,
    FrameMeasure * measure)
{
  gsize i, n = (gsize) plane->width * plane->height;
  guint64 sum = 0, squares = 0, n_black = 0;

  for (i = 0; i < n; i++) {
    guint value = plane->luma[i];

    sum += value;
    squares += value * value;
    n_black += value <= limits->black_level;
  }
  measure->luma = (gdouble) sum / n;
  measure->contrast = sqrt (MAX (0, (gdouble) squares / n
          - measure->luma * measure->luma));
  measure->dark = (gdouble) n_black / n;
  measure->is_black = measure->dark >= limits->black_share;
}

/* Of the pixels that have four neighbours. */
static void
measure_sharpness (const Plane * plane, FrameMeasure * measure)
{
  gint64 sum = 0, squares = 0, n = 0;
  gint width = plane->width;
  gdouble mean;
  gint x, y;

  for (y = 1; y < plane->height - 1; y++) {
    const guint8 *row = plane->luma + (gsize) y * width;

    for (x = 1; x < width - 1; x++) {
      gint value = row[x - 1] + row[x + 1] + row[x - width] + row[x + width]
          - 4 * row[x];

      sum += value;
      squares += value * value;
      n++;
    }
  }
  if (n == 0)
    return;
  mean = (gdouble) sum / n;
  measure->sharpness = (gdouble) squares / n - mean * mean;
}

/* How far from grey, and how varied: the opponent colours red - green and
 * yellow - blue, their deviation and 0.3 of their mean. */
static void
measure_colour (const FrameImage * image, FrameMeasure * measure)
{
  gdouble n = (gdouble) image->width * image->height;
  gdouble rg_sum = 0, rg_squares = 0, yb_sum = 0, yb_squares = 0, variance;
  gdouble *rgb;
  gint x, y;

  if (frame_image_is_grey (image))
    return;
  rgb = g_new (gdouble, 3 * (gsize) image->width);
  for (y = 0; y < image->height; y++) {
    frame_image_read_rgb_row (image, y, rgb);
    for (x = 0; x < image->width; x++) {
      gdouble rg = rgb[3 * x] - rgb[3 * x + 1];
      gdouble yb = (rgb[3 * x] + rgb[3 * x + 1]) / 2 - rgb[3 * x + 2];

      rg_sum += rg;
      rg_squares += rg * rg;
      yb_sum += yb;
      yb_squares += yb * yb;
    }
  }
  g_free (rgb);
  rg_sum /= n;
  yb_sum /= n;
  variance = rg_squares / n - rg_sum * rg_sum + yb_squares / n
      - yb_sum * yb_sum;
  measure->colourfulness = sqrt (MAX (0, variance))
      + 0.3 * sqrt (rg_sum * rg_sum + yb_sum * yb_sum);
}

/* ---- black borders ---- */

static gboolean
is_black_line (const guint8 * begin, gsize step, gint n,
    const FrameLimits * limits)
{
  gint i, n_black = 0;

  for (i = 0; i < n; i++)
    n_black += begin[i * step] <= limits->black_level;
  return n_black >= limits->black_share * n;
}

static gboolean
is_black_row (const Plane * plane, gint y, const FrameLimits * limits)
{
  return is_black_line (plane->luma + (gsize) y * plane->width, 1,
      plane->width, limits);
}

static gboolean
is_black_column (const Plane * plane, gint x, const FrameLimits * limits)
{
  return is_black_line (plane->luma + x, plane->width, plane->height, limits);
}

static void
measure_border (const Plane * plane, const FrameLimits * limits,
    FrameMeasure * measure)
{
  gint left = 0, top = 0, right = plane->width, bottom = plane->height;

  while (top < bottom && is_black_row (plane, top, limits))
    top++;
  if (measure->is_black || top == bottom)
    return;
  while (is_black_row (plane, bottom - 1, limits))
    bottom--;
  while (left < right && is_black_column (plane, left, limits))
    left++;
  while (left < right && is_black_column (plane, right - 1, limits))
    right--;
  if (left == right)
    return;
  measure->border = (FrameBorder) { left, top, plane->width - right,
    plane->height - bottom
  };
}

/* ---- two frames ---- */

static void
measure_motion (const Plane * plane, const Plane * previous,
    const FrameLimits * limits, FrameMeasure * measure)
{
  gsize i, n = (gsize) plane->width * plane->height;
  guint64 sum = 0;

  if (plane->width != previous->width || plane->height != previous->height)
    return;
  for (i = 0; i < n; i++)
    sum += abs (plane->luma[i] - previous->luma[i]);
  measure->has_motion = TRUE;
  measure->motion = (gdouble) sum / n;
  measure->is_frozen = measure->motion <= limits->frozen_level;
}

void
frame_meter_measure (FrameMeter * meter, const FrameImage * image,
    const FrameLimits * limits, FrameMeasure * measure)
{
  Plane *plane = &meter->planes[meter->current];

  *measure = (FrameMeasure) {.width = image->width,.height = image->height };
  fill_plane (plane, image);
  measure_levels (plane, limits, measure);
  measure_sharpness (plane, measure);
  measure_colour (image, measure);
  measure_border (plane, limits, measure);
  measure->hash = frame_hash (plane->luma, plane->width, plane->height);
  if (meter->has_previous)
    measure_motion (plane, &meter->planes[!meter->current], limits, measure);
  meter->has_previous = TRUE;
  meter->current = !meter->current;
}
