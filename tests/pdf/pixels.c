/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* The conversion of what cairo drew, against the formula in its plain form. */

#include "pdfpixels.h"

#include <string.h>

static guint32
premultiply (guint alpha, guint red, guint green, guint blue)
{
  return alpha << 24 | (red * alpha / 255) << 16 | (green * alpha / 255) << 8
      | blue * alpha / 255;
}

/* What cairo's operator DEST_OVER makes of it on white. */
static void
put_on_white (guint32 pixel, guint * red, guint * green, guint * blue)
{
  guint white = 255 - (pixel >> 24);

  *red = (pixel >> 16 & 255) + white;
  *green = (pixel >> 8 & 255) + white;
  *blue = (pixel & 255) + white;
}

static void
check_pixel (guint32 pixel, const guint8 * dest, PdfFormat format)
{
  guint red, green, blue;

  put_on_white (pixel, &red, &green, &blue);
  switch (format) {
    case PDF_FORMAT_GRAY8:
      g_assert_cmpuint (dest[0], ==,
          (red * 19661 + green * 38666 + blue * 7209 + 32829) >> 16);
      break;
    case PDF_FORMAT_RGB:
      g_assert_cmpuint (dest[0], ==, red);
      g_assert_cmpuint (dest[1], ==, green);
      g_assert_cmpuint (dest[2], ==, blue);
      break;
    case PDF_FORMAT_BGRX:
      g_assert_cmpuint (dest[0], ==, blue);
      g_assert_cmpuint (dest[1], ==, green);
      g_assert_cmpuint (dest[2], ==, red);
      g_assert_cmpuint (dest[3], ==, 255);
      break;
  }
}

static const guint sizes[] = { 1, 3, 4 };

static void
test_colours (gconstpointer data)
{
  PdfFormat format = GPOINTER_TO_INT (data);
  const guint width = 17 * 17;
  g_autofree guint32 *pixels = g_new (guint32, width);
  g_autofree guint8 *dest = g_malloc (pdf_format_get_stride (format, width));
  guint alpha, red, i;

  for (alpha = 0; alpha <= 255; alpha += 15) {
    for (red = 0; red <= 255; red += 15) {
      for (i = 0; i < width; i++)
        pixels[i] = premultiply (alpha, red, i / 17 * 15, i % 17 * 15);
      pdf_pixels_convert ((guint8 *) pixels, width * 4, width, 1, format, dest);
      for (i = 0; i < width; i++)
        check_pixel (pixels[i], dest + i * sizes[format], format);
    }
  }
}

/* Widths around the run length, with one pixel that is not white, anywhere. */
static void
test_one_mark (gconstpointer data)
{
  PdfFormat format = GPOINTER_TO_INT (data);
  guint width, x;

  for (width = 1; width <= 130; width++) {
    gsize stride = pdf_format_get_stride (format, width);
    g_autofree guint32 *pixels = g_new0 (guint32, width * 2);
    g_autofree guint8 *dest = g_malloc (stride * 2);

    g_assert_cmpuint (stride % 4, ==, 0);
    g_assert_false (pdf_pixels_convert ((guint8 *) pixels, width * 4, width, 2,
            format, dest));
    for (x = 0; x < width; x++) {
      pixels[width + x] = 0xff000000;
      g_assert_true (pdf_pixels_convert ((guint8 *) pixels, width * 4, width, 2,
              format, dest));
      check_pixel (0xff000000, dest + stride + x * sizes[format], format);
      pixels[width + x] = 0xffffffff;
      g_assert_false (pdf_pixels_convert ((guint8 *) pixels, width * 4, width,
              2, format, dest));
      pixels[width + x] = 0;
    }
  }
}

gint
main (gint argc, gchar ** argv)
{
  static const gchar *const names[] = { "gray8", "rgb", "bgrx" };
  gint i;

  g_test_init (&argc, &argv, NULL);
  for (i = PDF_FORMAT_GRAY8; i <= PDF_FORMAT_BGRX; i++) {
    g_autofree gchar *colours = g_strconcat ("/pdf/pixels/", names[i], NULL);
    g_autofree gchar *mark = g_strconcat ("/pdf/one-mark/", names[i], NULL);

    g_test_add_data_func (colours, GINT_TO_POINTER (i), test_colours);
    g_test_add_data_func (mark, GINT_TO_POINTER (i), test_one_mark);
  }
  return g_test_run ();
}
