/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* The measures of frames, against what is written down here a second time, as plainly
 * as can be. */

#include "framehash.h"
#include "framemeasure.h"
#include "pictures.h"

#include <math.h>
#include <string.h>

static const gchar *const formats[] = { "GRAY8", "RGB", "BGRx", "I420", "NV12" };
static const FrameLimits limits = { 26, 0.98, 0.25 };

/* ---- a picture as numbers ---- */

typedef struct
{
  gint width, height;
  guint8 *rgb;
} Picture;

static Picture
random_picture (gint width, gint height, gint low, gint high)
{
  Picture picture = { width, height, g_malloc (3 * width * height) };
  gint i;

  for (i = 0; i < 3 * width * height; i++)
    picture.rgb[i] = g_test_rand_int_range (low, high);
  return picture;
}

static void
paint (gint x, gint y, guint8 rgb[3], gpointer data)
{
  Picture *picture = data;

  memcpy (rgb, picture->rgb + 3 * (y * picture->width + x), 3);
}

static void
measure_picture (FrameMeter * meter, const gchar * format, Picture * picture,
    FrameMeasure * measure)
{
  GstCaps *caps;
  GstBuffer *buffer = picture_new (format, picture->width, picture->height,
      paint, picture, &caps);
  FrameImage image;

  g_assert_true (frame_image_map (&image, buffer, caps));
  frame_meter_measure (meter, &image, &limits, measure);
  frame_image_unmap (&image);
  gst_buffer_unref (buffer);
  gst_caps_unref (caps);
}

/* ---- the reference ---- */

static gdouble
luma_of (const Picture * picture, gint x, gint y)
{
  const guint8 *rgb = picture->rgb + 3 * (y * picture->width + x);

  return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
}

static void
mean_and_variance (const gdouble * values, gsize n, gdouble * mean,
    gdouble * variance)
{
  gsize i;

  *mean = *variance = 0;
  for (i = 0; i < n; i++)
    *mean += values[i] / n;
  for (i = 0; i < n; i++)
    *variance += (values[i] - *mean) * (values[i] - *mean) / n;
}

static void
check_luma (const Picture * picture, const FrameMeasure * measure)
{
  gsize n = picture->width * picture->height, i;
  g_autofree gdouble *luma = g_new (gdouble, n);
  gdouble mean, variance;

  for (i = 0; i < n; i++)
    luma[i] = luma_of (picture, i % picture->width, i / picture->width);
  mean_and_variance (luma, n, &mean, &variance);
  g_assert_cmpfloat_with_epsilon (measure->luma, mean, 0.51);
  g_assert_cmpfloat_with_epsilon (measure->contrast, sqrt (variance), 0.51);
}

static void
check_sharpness (const Picture * picture, const FrameMeasure * measure)
{
  g_autofree gdouble *laplacian =
      g_new0 (gdouble, picture->width * picture->height);
  gdouble mean, variance;
  gsize n = 0;
  gint x, y;

  for (y = 1; y < picture->height - 1; y++)
    for (x = 1; x < picture->width - 1; x++)
      laplacian[n++] = luma_of (picture, x - 1, y) + luma_of (picture, x + 1, y)
          + luma_of (picture, x, y - 1) + luma_of (picture, x, y + 1)
          - 4 * luma_of (picture, x, y);
  mean_and_variance (laplacian, n, &mean, &variance);
  /* each of five values may be rounded by a half */
  g_assert_cmpfloat_with_epsilon (sqrt (measure->sharpness), sqrt (variance),
      4);
}

static void
check_colour (const Picture * picture, const FrameMeasure * measure)
{
  gsize n = picture->width * picture->height, i;
  g_autofree gdouble *rg = g_new (gdouble, n), *yb = g_new (gdouble, n);
  gdouble rg_mean, rg_variance, yb_mean, yb_variance;

  for (i = 0; i < n; i++) {
    const guint8 *rgb = picture->rgb + 3 * i;

    rg[i] = rgb[0] - rgb[1];
    yb[i] = (rgb[0] + rgb[1]) / 2.0 - rgb[2];
  }
  mean_and_variance (rg, n, &rg_mean, &rg_variance);
  mean_and_variance (yb, n, &yb_mean, &yb_variance);
  g_assert_cmpfloat_with_epsilon (measure->colourfulness,
      sqrt (rg_variance + yb_variance) + 0.3 * sqrt (rg_mean * rg_mean
          + yb_mean * yb_mean), 0.001);
}

static void
test_random_pictures (void)
{
  static const gint sizes[][2] = { {1, 1}, {2, 3}, {7, 5}, {64, 48}, {33, 1} };
  FrameMeter *meter = frame_meter_new ();
  guint f, s;

  for (f = 0; f < G_N_ELEMENTS (formats); f++)
    for (s = 0; s < G_N_ELEMENTS (sizes); s++) {
      Picture picture = random_picture (sizes[s][0], sizes[s][1], 0, 256);
      FrameMeasure measure;

      measure_picture (meter, formats[f], &picture, &measure);
      g_assert_cmpint (measure.width, ==, sizes[s][0]);
      g_assert_cmpint (measure.height, ==, sizes[s][1]);
      check_luma (&picture, &measure);
      check_sharpness (&picture, &measure);
      if (strstr (formats[f], "GRAY"))
        g_assert_cmpfloat (measure.colourfulness, ==, 0);
      else if (strstr (formats[f], "RGB") || strstr (formats[f], "BGR"))
        check_colour (&picture, &measure);
      g_free (picture.rgb);
    }
  frame_meter_free (meter);
}

/* Half the colours of YUV are not stored: blocks of one colour lose nothing. */
static void
test_colour_of_yuv (void)
{
  FrameMeter *meter = frame_meter_new ();
  Picture picture = random_picture (32, 20, 60, 200);
  FrameMeasure rgb, yuv;
  gint x, y;
  guint f;

  for (y = 0; y < picture.height; y++)
    for (x = 0; x < picture.width; x++)
      memcpy (picture.rgb + 3 * (y * picture.width + x), picture.rgb
          + 3 * (y / 2 * 2 * picture.width + x / 2 * 2), 3);
  measure_picture (meter, "RGB", &picture, &rgb);
  for (f = 3; f < G_N_ELEMENTS (formats); f++) {
    measure_picture (meter, formats[f], &picture, &yuv);
    g_assert_cmpfloat_with_epsilon (yuv.colourfulness, rgb.colourfulness, 1);
    g_assert_cmpfloat_with_epsilon (yuv.luma, rgb.luma, 0.5);
  }
  g_free (picture.rgb);
  frame_meter_free (meter);
}

/* Y from 16 to 235 is black to white, unless the caps say otherwise. */
static void
test_range (void)
{
  g_autoptr (GstCaps) narrow = gst_caps_from_string ("video/x-raw,format=I420,"
      "width=2,height=2,framerate=0/1,colorimetry=bt601");
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 16, NULL);
  static const guint8 values[] = { 16, 235, 0, 255 };
  static const guint8 expected[] = { 0, 255, 0, 255 };
  guint8 luma[4], bytes[16];
  FrameImage image;
  GstVideoInfo info;

  gst_video_info_from_caps (&info, narrow);
  memset (bytes, 128, sizeof bytes);
  bytes[0] = values[0];
  bytes[1] = values[1];
  bytes[info.stride[0]] = values[2];
  bytes[info.stride[0] + 1] = values[3];
  gst_buffer_fill (buffer, 0, bytes, sizeof bytes);
  g_assert_true (frame_image_map (&image, buffer, narrow));
  frame_image_read_luma (&image, luma);
  g_assert_cmpmem (luma, 4, expected, 4);
  frame_image_unmap (&image);
  gst_buffer_unref (buffer);
}

/* ---- what is found ---- */

static Picture
plain_picture (gint width, gint height, guint8 value)
{
  Picture picture = { width, height, g_malloc (3 * width * height) };

  memset (picture.rgb, value, 3 * width * height);
  return picture;
}

static void
fill (Picture * picture, gint left, gint top, gint right, gint bottom,
    guint8 value)
{
  gint y;

  for (y = top; y < bottom; y++)
    memset (picture->rgb + 3 * (y * picture->width + left), value,
        3 * (right - left));
}

static void
test_black (void)
{
  FrameMeter *meter = frame_meter_new ();
  Picture picture = plain_picture (100, 50, 20);
  FrameMeasure measure;

  measure_picture (meter, "RGB", &picture, &measure);
  g_assert_true (measure.is_black);
  g_assert_cmpfloat (measure.dark, ==, 1);
  g_assert_cmpuint (measure.border.top, ==, 0);

  /* 99 of 100 rows and columns: black; 97: not */
  fill (&picture, 0, 0, 50, 1, 255);
  measure_picture (meter, "RGB", &picture, &measure);
  g_assert_true (measure.is_black);
  fill (&picture, 0, 0, 50, 3, 255);
  measure_picture (meter, "RGB", &picture, &measure);
  g_assert_false (measure.is_black);
  g_assert_cmpfloat_with_epsilon (measure.dark, 0.97, 1e-9);
  g_free (picture.rgb);
  frame_meter_free (meter);
}

static void
test_border (void)
{
  FrameMeter *meter = frame_meter_new ();
  Picture picture = plain_picture (80, 60, 10);
  FrameMeasure measure;
  guint f;

  fill (&picture, 6, 8, 76, 50, 128);
  for (f = 0; f < G_N_ELEMENTS (formats); f++) {
    measure_picture (meter, formats[f], &picture, &measure);
    g_assert_cmpuint (measure.border.left, ==, 6);
    g_assert_cmpuint (measure.border.top, ==, 8);
    g_assert_cmpuint (measure.border.right, ==, 4);
    g_assert_cmpuint (measure.border.bottom, ==, 10);
  }
  g_free (picture.rgb);
  frame_meter_free (meter);
}

/* A night sky is dark, but no border. */
static void
test_stars_are_no_border (void)
{
  FrameMeter *meter = frame_meter_new ();
  Picture picture = plain_picture (100, 100, 5);
  FrameMeasure measure;
  gint i;

  for (i = 0; i < 100; i++) {
    fill (&picture, i, i, i + 1, i + 1, 250);
    fill (&picture, (i + 31) % 100, i, (i + 31) % 100 + 1, i + 1, 250);
    fill (&picture, (i + 57) % 100, i, (i + 57) % 100 + 1, i + 1, 250);
  }
  measure_picture (meter, "GRAY8", &picture, &measure);
  g_assert_false (measure.is_black);
  g_assert_cmpfloat (measure.luma, <, 26);
  g_assert_cmpuint (measure.border.top, ==, 0);
  g_assert_cmpuint (measure.border.left, ==, 0);
  g_free (picture.rgb);
  frame_meter_free (meter);
}

static void
test_motion (void)
{
  FrameMeter *meter = frame_meter_new ();
  Picture picture = plain_picture (40, 30, 100), other;
  FrameMeasure measure;

  measure_picture (meter, "I420", &picture, &measure);
  g_assert_false (measure.has_motion);
  measure_picture (meter, "I420", &picture, &measure);
  g_assert_true (measure.has_motion);
  g_assert_true (measure.is_frozen);
  g_assert_cmpfloat (measure.motion, ==, 0);

  /* a tenth of the picture by 50 */
  fill (&picture, 0, 0, 40, 3, 150);
  measure_picture (meter, "I420", &picture, &measure);
  g_assert_cmpfloat_with_epsilon (measure.motion, 5, 1e-9);
  g_assert_false (measure.is_frozen);

  /* another size, and another row of frames */
  other = plain_picture (30, 40, 100);
  measure_picture (meter, "I420", &other, &measure);
  g_assert_false (measure.has_motion);
  frame_meter_begin (meter);
  measure_picture (meter, "I420", &other, &measure);
  g_assert_false (measure.has_motion);
  g_free (picture.rgb);
  g_free (other.rgb);
  frame_meter_free (meter);
}

/* ---- hashes ---- */

/* The cosine transform of the definition, in floating point. */
static void
reference_coefficients (const guint8 * luma, gdouble coefficients[64])
{
  gint u, v, x, y;

  for (v = 0; v < 8; v++)
    for (u = 0; u < 8; u++) {
      gdouble sum = 0;

      for (y = 0; y < 32; y++)
        for (x = 0; x < 32; x++)
          sum += luma[32 * y + x] * cos ((2 * x + 1) * u * G_PI / 64)
              * cos ((2 * y + 1) * v * G_PI / 64);
      coefficients[8 * v + u] = sum;
    }
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  gdouble first = *(const gdouble *) a, second = *(const gdouble *) b;

  return (first > second) - (first < second);
}

static void
test_hash_reference (void)
{
  guint8 luma[32 * 32];
  guint round, i;

  for (round = 0; round < 50; round++) {
    gdouble coefficients[64], sorted[64], middle;
    guint64 hash;

    for (i = 0; i < sizeof luma; i++)
      luma[i] = g_test_rand_int_range (0, 256);
    reference_coefficients (luma, coefficients);
    memcpy (sorted, coefficients, sizeof sorted);
    qsort (sorted, 64, sizeof sorted[0], compare);
    middle = (sorted[31] + sorted[32]) / 2;
    hash = frame_hash (luma, 32, 32);
    for (i = 0; i < 64; i++)
      /* cosines are rounded to 1/4096 */
      if (fabs (coefficients[i] - middle) > 30)
        g_assert_cmpint (hash >> (63 - i) & 1, ==, coefficients[i] > middle);
  }
}

static guint
distance (guint64 a, guint64 b)
{
  return __builtin_popcountll (a ^ b);
}

static void
paint_scene (guint8 * luma, gint width, gint height, gdouble phase)
{
  gint x, y;

  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
      luma[y * width + x] = 128 + 60 * sin (9.0 * x / width + phase)
          + 60 * cos (7.0 * y / height * (1 + phase) + 5.0 * x / width);
}

static void
test_hash_likeness (void)
{
  g_autofree guint8 *large = g_malloc (640 * 360), *small = g_malloc (97 * 55);
  guint64 hash;

  paint_scene (large, 640, 360, 0);
  paint_scene (small, 97, 55, 0);
  hash = frame_hash (large, 640, 360);
  g_assert_cmpuint (distance (hash, frame_hash (small, 97, 55)), <=, 6);
  paint_scene (small, 97, 55, 2);
  g_assert_cmpuint (distance (hash, frame_hash (small, 97, 55)), >=, 16);
  /* one colour, whichever, has one hash */
  memset (large, 7, 640 * 360);
  memset (small, 200, 97 * 55);
  g_assert_cmpuint (frame_hash (large, 640, 360), ==,
      frame_hash (small, 97, 55));
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/frames/random-pictures", test_random_pictures);
  g_test_add_func ("/frames/colour-of-yuv", test_colour_of_yuv);
  g_test_add_func ("/frames/range", test_range);
  g_test_add_func ("/frames/black", test_black);
  g_test_add_func ("/frames/border", test_border);
  g_test_add_func ("/frames/stars-are-no-border", test_stars_are_no_border);
  g_test_add_func ("/frames/motion", test_motion);
  g_test_add_func ("/frames/hash-reference", test_hash_reference);
  g_test_add_func ("/frames/hash-likeness", test_hash_likeness);
  return g_test_run ();
}
