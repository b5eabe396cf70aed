/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* From images to tensors, against what is written down here a second time, number by
 * number, in double. */

#include "tensorfill.h"
#include "tensorpixel.h"
#include "pictures.h"

#include <math.h>
#include <string.h>

static const gchar *const formats[] = { "GRAY8", "RGB", "BGRx", "I420", "NV12" };

/* ---- the reference ---- */

static gdouble
clamp (gdouble value, gdouble low, gdouble high)
{
  return value < low ? low : value > high ? high : value;
}

static gdouble
value_at (const GstVideoFrame * frame, guint component, gint x, gint y)
{
  const GstVideoFormatInfo *info = frame->info.finfo;

  return ((const guint8 *) GST_VIDEO_FRAME_COMP_DATA (frame, component))
      [(y >> GST_VIDEO_FORMAT_INFO_H_SUB (info, component))
      * GST_VIDEO_FRAME_COMP_STRIDE (frame, component)
      + (x >> GST_VIDEO_FORMAT_INFO_W_SUB (info, component))
      * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component)];
}

/* BT.601, narrow (Y from 16 to 235) or full. */
static void
rgb_of_yuv (const GstVideoFrame * frame, gint x, gint y, gdouble rgb[3])
{
  gboolean is_full =
      frame->info.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255;
  gdouble luma = value_at (frame, 0, x, y);
  gdouble cb = value_at (frame, 1, x, y) - 128;
  gdouble cr = value_at (frame, 2, x, y) - 128;
  gdouble factor = is_full ? 1 : 255 / 224.0;

  if (!is_full)
    luma = (luma - 16) * 255 / 219;
  rgb[0] = clamp (luma + 1.402 * factor * cr, 0, 255);
  rgb[1] = clamp (luma - factor * (0.114 * 1.772 * cb + 0.299 * 1.402 * cr)
      / 0.587, 0, 255);
  rgb[2] = clamp (luma + 1.772 * factor * cb, 0, 255);
}

static gdouble
pixel_at (const GstVideoFrame * frame, guint colour, gint x, gint y)
{
  gdouble rgb[3];

  if (GST_VIDEO_INFO_IS_GRAY (&frame->info))
    return value_at (frame, 0, x, y);
  if (GST_VIDEO_INFO_IS_RGB (&frame->info))
    return value_at (frame, colour, x, y);
  rgb_of_yuv (frame, x, y, rgb);
  return rgb[colour];
}

static gdouble
bilinear (const GstVideoFrame * frame, guint colour, gdouble x, gdouble y)
{
  gint width = GST_VIDEO_FRAME_WIDTH (frame);
  gint height = GST_VIDEO_FRAME_HEIGHT (frame);
  gint left, top, right, bottom;

  x = clamp (x - 0.5, 0, width - 1);
  y = clamp (y - 0.5, 0, height - 1);
  left = x;
  top = y;
  right = MIN (left + 1, width - 1);
  bottom = MIN (top + 1, height - 1);
  x -= left;
  y -= top;
  return (1 - y) * ((1 - x) * pixel_at (frame, colour, left, top)
      + x * pixel_at (frame, colour, right, top))
      + y * ((1 - x) * pixel_at (frame, colour, left, bottom)
      + x * pixel_at (frame, colour, right, bottom));
}

/* Where the middle of pixel `i` of a side is in the image; FALSE: beside it. */
static gboolean
find_place (gint i, gint target, gint source, gdouble zoom, gboolean is_crop,
    gdouble * place)
{
  gint used = is_crop ? target : MAX (1, floor (source * zoom + 0.5));
  gint begin = (target - used) / 2;

  if (is_crop) {
    *place = source / 2.0 + (i + 0.5 - target / 2.0) / zoom;
    return TRUE;
  }
  *place = (i - begin + 0.5) * source / used;
  return i >= begin && i < begin + used;
}

static gdouble
colour_of_target (const TensorFormat * format, const GstVideoFrame * frame,
    guint colour, gint x, gint y)
{
  gint width = GST_VIDEO_FRAME_WIDTH (frame);
  gint height = GST_VIDEO_FRAME_HEIGHT (frame);
  gdouble zoom_x = format->width / (gdouble) width;
  gdouble zoom_y = format->height / (gdouble) height;
  gboolean is_crop = format->resize == TENSOR_RESIZE_CROP;
  gdouble at_x, at_y;

  if (is_crop)
    zoom_x = zoom_y = MAX (zoom_x, zoom_y);
  if (format->resize == TENSOR_RESIZE_LETTERBOX)
    zoom_x = zoom_y = MIN (zoom_x, zoom_y);
  if (!find_place (x, format->width, width, zoom_x, is_crop, &at_x)
      || !find_place (y, format->height, height, zoom_y, is_crop, &at_y))
    return format->border;
  return bilinear (frame, colour, at_x, at_y);
}

static gdouble
reference (const TensorFormat * format, const GstVideoFrame * frame,
    guint channel, gint x, gint y)
{
  gdouble value;

  if (format->channels == TENSOR_CHANNELS_GREY)
    value = 0.299 * colour_of_target (format, frame, 0, x, y)
        + 0.587 * colour_of_target (format, frame, 1, x, y)
        + 0.114 * colour_of_target (format, frame, 2, x, y);
  else
    value = colour_of_target (format, frame,
        format->channels == TENSOR_CHANNELS_BGR ? 2 - channel : channel, x, y);
  return (value * format->scale - format->mean[channel])
      / format->std[channel];
}

/* ---- comparison ---- */

static void
check_number (const TensorFormat * format, gconstpointer tensor, gsize index,
    gdouble expected)
{
  gdouble got;

  switch (format->type) {
    case TENSOR_TYPE_FLOAT32:
      g_assert_cmpfloat_with_epsilon (((const gfloat *) tensor)[index],
          expected, 2e-3 * format->scale / format->std[0]);
      break;
    case TENSOR_TYPE_FLOAT16:
      got = tensor_from_half (((const guint16 *) tensor)[index]);
      g_assert_cmpfloat_with_epsilon (got, expected,
          2e-3 * format->scale / format->std[0] + fabs (expected) / 2048);
      break;
    case TENSOR_TYPE_UINT8:
      got = ((const guint8 *) tensor)[index];
      g_assert_cmpfloat_with_epsilon (got, clamp (expected, 0, 255), 0.503);
      break;
  }
}

static void
check_tensor (const TensorFormat * format, const GstVideoFrame * frame,
    gconstpointer tensor)
{
  guint n = tensor_format_get_n_channels (format), c;
  gint x, y;

  for (c = 0; c < n; c++)
    for (y = 0; y < format->height; y++)
      for (x = 0; x < format->width; x++) {
        gsize pixel = y * format->width + x;

        check_number (format, tensor, format->is_nhwc ? pixel * n + c
            : c * format->width * format->height + pixel,
            reference (format, frame, c, x, y));
      }
}

static void
paint_noise (gint x, gint y, guint8 rgb[3], gpointer data)
{
  guint i;

  for (i = 0; i < 3; i++)
    rgb[i] = g_test_rand_int_range (0, 256);
}

static GstBuffer *
random_picture (gint width, gint height, GstCaps ** caps)
{
  GstBuffer *buffer = picture_new (formats[g_test_rand_int_range (0,
              G_N_ELEMENTS (formats))], width, height, paint_noise, NULL, caps);
  const gchar *format;

  *caps = gst_caps_make_writable (*caps);
  format = gst_structure_get_string (gst_caps_get_structure (*caps, 0),
      "format");
  /* The same bytes mean something else in narrow range. */
  if (g_test_rand_bit () && (g_str_equal (format, "I420")
          || g_str_equal (format, "NV12")))
    gst_caps_set_simple (*caps, "colorimetry", G_TYPE_STRING, "2:4:0:0", NULL);
  return buffer;
}

static TensorFormat
random_format (void)
{
  TensorFormat format = {
    g_test_rand_int_range (1, 40), g_test_rand_int_range (1, 40),
    g_test_rand_int_range (0, 3), g_test_rand_int_range (0, 3),
    g_test_rand_bit (), g_test_rand_int_range (0, 3),
  };
  guint i;

  format.scale = format.type == TENSOR_TYPE_UINT8 ? 1 : 1 / 255.0;
  for (i = 0; i < 3; i++) {
    format.mean[i] = format.type == TENSOR_TYPE_UINT8 ? 0 : 0.1 * (i + 1);
    format.std[i] = format.type == TENSOR_TYPE_UINT8 ? 1 : 0.2 + 0.1 * i;
  }
  format.border = g_test_rand_int_range (0, 256);
  return format;
}

/* Guards behind the tensor must stay. */
static void
check_random (void)
{
  gint width = g_test_rand_int_range (1, 60);
  gint height = g_test_rand_int_range (1, 60);
  TensorFormat format = random_format ();
  gsize size = tensor_format_get_size (&format), i;
  g_autofree guint8 *tensor = g_malloc (size + 16);
  g_autoptr (TensorFiller) filler = tensor_filler_new (&format);
  GstBuffer *buffer;
  FrameImage image;
  GstCaps *caps;

  buffer = random_picture (width, height, &caps);
  memset (tensor, 0xee, size + 16);
  g_assert_true (frame_image_map (&image, buffer, caps));
  tensor_filler_fill (filler, &image, tensor);
  check_tensor (&format, &image.frame, tensor);
  for (i = 0; i < 16; i++)
    g_assert_cmphex (tensor[size + i], ==, 0xee);
  frame_image_unmap (&image);
  gst_buffer_unref (buffer);
  gst_caps_unref (caps);
}

static void
test_random (void)
{
  guint i;

  for (i = 0; i < 300; i++)
    check_random ();
}

/* ---- single things ---- */

/* One filler, images of several sizes: each as if it were alone. */
static void
test_mixed_sizes (void)
{
  static const gint sizes[][2] = { {64, 8}, {1, 1}, {8, 64}, {31, 33}, {1, 50} };
  TensorFormat format = random_format ();
  gsize size = tensor_format_get_size (&format);
  g_autofree guint8 *batch = g_malloc (G_N_ELEMENTS (sizes) * size);
  g_autofree guint8 *alone = g_malloc (size);
  g_autoptr (TensorFiller) filler = tensor_filler_new (&format);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (TensorFiller) other = tensor_filler_new (&format);
    FrameImage image;
    GstCaps *caps;
    GstBuffer *buffer = random_picture (sizes[i][0], sizes[i][1], &caps);

    g_assert_true (frame_image_map (&image, buffer, caps));
    tensor_filler_fill (filler, &image, batch + i * size);
    tensor_filler_fill (other, &image, alone);
    g_assert_cmpmem (batch + i * size, size, alone, size);
    frame_image_unmap (&image);
    gst_buffer_unref (buffer);
    gst_caps_unref (caps);
  }
}

/* Twice as wide as high, in pixels twice as high as wide: a square. */
static void
test_pixels_that_are_not_square (void)
{
  TensorFormat format = { 10, 10, TENSOR_RESIZE_LETTERBOX, TENSOR_CHANNELS_GREY,
    FALSE, TENSOR_TYPE_UINT8, 1, {0,}, {1, 1, 1}, 7
  };
  g_autoptr (TensorFiller) filler = tensor_filler_new (&format);
  g_autoptr (GstCaps) caps = gst_caps_from_string ("video/x-raw,format=GRAY8,"
      "width=40,height=20,framerate=0/1,pixel-aspect-ratio=1/2");
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 40 * 20, NULL);
  guint8 tensor[100];
  FrameImage image;
  guint i;

  gst_buffer_memset (buffer, 0, 200, -1);
  g_assert_true (frame_image_map (&image, buffer, caps));
  tensor_filler_fill (filler, &image, tensor);
  for (i = 0; i < 100; i++)
    g_assert_cmpuint (tensor[i], ==, 200);
  frame_image_unmap (&image);
  gst_buffer_unref (buffer);
}

/* All halves there and back, and the middles between neighbours go to the even one. */
static void
test_halves (void)
{
  guint half;

  for (half = 0; half < 0x7c00; half++) {
    gfloat value = tensor_from_half (half), next = tensor_from_half (half + 1);

    g_assert_cmphex (tensor_to_half (value), ==, half);
    g_assert_cmphex (tensor_to_half (-value), ==, half | 0x8000);
    if (half + 1 == 0x7c00)
      break;
    g_assert_cmphex (tensor_to_half ((value + next) / 2), ==,
        half % 2 ? half + 1 : half);
    g_assert_cmphex (tensor_to_half (nextafterf ((value + next) / 2, 0)), ==,
        half);
    g_assert_cmphex (tensor_to_half (nextafterf ((value + next) / 2, next)),
        ==, half + 1);
  }
  g_assert_cmphex (tensor_to_half (65519.996f), ==, 0x7bff);
  g_assert_cmphex (tensor_to_half (65520), ==, 0x7c00);
  g_assert_cmphex (tensor_to_half (-INFINITY), ==, 0xfc00);
  g_assert_true (isnan (tensor_from_half (tensor_to_half (NAN))));
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tensor/random", test_random);
  g_test_add_func ("/tensor/mixed-sizes", test_mixed_sizes);
  g_test_add_func ("/tensor/pixels-that-are-not-square",
      test_pixels_that_are_not_square);
  g_test_add_func ("/tensor/halves", test_halves);
  return g_test_run ();
}
