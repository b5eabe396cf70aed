/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videoshots.h"

#include "videoimage.h"

#include <stdlib.h>

/* Pixels of the longer side of what is compared: small enough to be fast, and
 * for noise not to count. */
#define LONGER_SIDE 256

/* What decides which of the frames that differ are cuts.  A flash is two of them
 * in quick succession; those are put off until it is quiet again, and count as
 * one then. */
typedef struct
{
  gint64 min_duration;
  gint64 last;                  /* frame that differed; G_MININT64: no frame yet */
  gint64 merge_start;           /* G_MININT64: nothing is put off */
  gboolean has_cut;
  GArray *cuts;
} Filter;

typedef struct
{
  VideoImager *imager;
  guint8 *last;                 /* (nullable): the frame before */
  gsize n_pixels;
} Comparison;

/* ---- pixels ---- */

static gint
divide (gint a, gint b)
{
  return (2 * a + b) / (2 * b);
}

/* In half degrees; negative ones are rounded as their opposites. */
static guint8
get_hue (gint r, gint g, gint b, gint value, gint chroma)
{
  gint sixth;

  if (chroma == 0)
    return 0;
  if (value == r)
    sixth = g >= b ? 30 * (g - b) : 180 * chroma + 30 * (g - b);
  else if (value == g)
    sixth = 60 * chroma + 30 * (b - r);
  else
    sixth = 120 * chroma + 30 * (r - g);
  return divide (sixth, chroma) % 180;
}

void
video_shots_convert (const guint8 * rgb, guint8 * hsv, gsize n_pixels)
{
  gsize i;

  for (i = 0; i < n_pixels; i++, rgb += 3, hsv += 3) {
    gint r = rgb[0], g = rgb[1], b = rgb[2];
    gint value = MAX (r, MAX (g, b));
    gint chroma = value - MIN (r, MIN (g, b));

    hsv[0] = get_hue (r, g, b, value, chroma);
    hsv[1] = value > 0 ? divide (255 * chroma, value) : 0;
    hsv[2] = value;
  }
}

gdouble
video_shots_compare (const guint8 * hsv, const guint8 * other, gsize n_pixels)
{
  guint64 sum = 0;
  gsize i;

  for (i = 0; i < 3 * n_pixels; i++)
    sum += abs (hsv[i] - other[i]);
  return sum / (3.0 * n_pixels);
}

/* ---- frames ---- */

static void
find_size (const AVFrame * frame, VideoImageSettings * settings)
{
  if (MAX (frame->width, frame->height) <= LONGER_SIDE)
    return;
  if (frame->width >= frame->height) {
    settings->width = LONGER_SIDE;
    settings->height = MAX (frame->height * LONGER_SIDE / frame->width, 1);
  } else {
    settings->height = LONGER_SIDE;
    settings->width = MAX (frame->width * LONGER_SIDE / frame->height, 1);
  }
}

static guint8 *
get_hsv (Comparison * comparison, AVFrame * frame, gsize * n_pixels,
    GError ** error)
{
  VideoImageSettings settings = { GST_VIDEO_FORMAT_RGB, };
  g_autofree guint8 *rgb = NULL;
  GstVideoInfo info;
  AVFrame *image;
  guint8 *hsv;

  find_size (frame, &settings);
  image = video_imager_convert (comparison->imager, frame, NULL, &settings,
      &info, error);
  if (!image)
    return NULL;
  *n_pixels = (gsize) image->width * image->height;
  rgb = g_malloc (3 * *n_pixels);
  hsv = g_malloc (3 * *n_pixels);
  video_image_copy (image, &info, TRUE, rgb);
  av_frame_free (&image);
  video_shots_convert (rgb, hsv, *n_pixels);
  return hsv;
}

/* The first frame, and one of another size, differ from nothing. */
static gboolean
compare (Comparison * comparison, AVFrame * frame, gdouble * difference,
    GError ** error)
{
  gsize n_pixels;
  guint8 *hsv = get_hsv (comparison, frame, &n_pixels, error);

  if (!hsv)
    return FALSE;
  *difference = 0;
  if (comparison->last && comparison->n_pixels == n_pixels)
    *difference = video_shots_compare (hsv, comparison->last, n_pixels);
  g_free (comparison->last);
  comparison->last = hsv;
  comparison->n_pixels = n_pixels;
  return TRUE;
}

/* ---- cuts ---- */

static void
add_cut (Filter * filter, gint64 time)
{
  g_array_append_val (filter->cuts, time);
  filter->has_cut = TRUE;
}

static void
handle_late (Filter * filter, gint64 time, gboolean differs, gboolean is_quiet)
{
  if (!is_quiet || differs
      || filter->last - filter->merge_start < filter->min_duration)
    return;
  add_cut (filter, filter->last);
  filter->merge_start = G_MININT64;
}

static void
handle_difference (Filter * filter, gint64 time, gboolean differs)
{
  gboolean is_quiet;

  if (filter->last == G_MININT64)
    filter->last = time;
  is_quiet = time - filter->last >= filter->min_duration;
  if (differs)
    filter->last = time;
  if (filter->merge_start != G_MININT64)
    handle_late (filter, time, differs, is_quiet);
  else if (differs && is_quiet)
    add_cut (filter, time);
  else if (differs && filter->has_cut)
    filter->merge_start = time;
}

static gboolean
read_pictures (VideoReader * reader, const VideoShotSettings * settings,
    Comparison * comparison, Filter * filter, GError ** error)
{
  g_autoptr (GError) reason = NULL;
  const VideoPicture *picture;
  gdouble difference;

  while ((picture = video_reader_peek (reader, &reason))) {
    if (picture->frame) {
      if (!compare (comparison, picture->frame, &difference, error))
        return FALSE;
      handle_difference (filter, picture->time,
          difference >= settings->threshold);
    }
    video_reader_skip (reader);
  }
  if (!reason)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&reason));
  return FALSE;
}

GArray *
video_shots_find (VideoReader * reader, const VideoShotSettings * settings,
    GError ** error)
{
  g_autoptr (GArray) cuts = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (VideoImager) imager = video_imager_new ();
  Comparison comparison = { imager, };
  Filter filter = { settings->min_duration, G_MININT64, G_MININT64, FALSE,
    cuts
  };
  gboolean ok = read_pictures (reader, settings, &comparison, &filter, error);

  g_free (comparison.last);
  return ok ? g_steal_pointer (&cuts) : NULL;
}
