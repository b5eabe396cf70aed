/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdfpixels.h"

#include <string.h>

/* Most of a page of text is untouched; it is passed over in runs of so many
 * pixels. */
#define RUN 64

/* The loops below are plain, so that the compiler turns them into vector code:
 * where it can, one version for each of these instruction sets, chosen when the
 * plugin is loaded.  ThreadSanitizer is not up yet at that moment. */
#if defined (HAVE_TARGET_CLONES) && !defined (__SANITIZE_THREAD__)
#define VECTORIZE __attribute__ ((target_clones ("avx2", "default")))
#else
#define VECTORIZE
#endif

VECTORIZE static void
run_to_gray8 (const guint32 * __restrict source, guint8 * __restrict dest,
    guint width)
{
  guint i;

  /* The factors add up to 65536: white needs none. */
  for (i = 0; i < width; i++) {
    guint32 pixel = source[i];
    guint32 sum = ((pixel >> 16) & 0xff) * 19661
        + ((pixel >> 8) & 0xff) * 38666 + (pixel & 0xff) * 7209 + 32829;

    dest[i] = (255 - (pixel >> 24)) + (sum >> 16);
  }
}

VECTORIZE static void
run_to_rgb (const guint32 * __restrict source, guint8 * __restrict dest,
    guint width)
{
  guint i;

  for (i = 0; i < width; i++) {
    guint32 pixel = source[i];
    guint32 white = 255 - (pixel >> 24);

    dest[3 * i] = (pixel >> 16) + white;
    dest[3 * i + 1] = (pixel >> 8) + white;
    dest[3 * i + 2] = pixel + white;
  }
}

/* Each byte is at most 255 less its pixel's alpha: no sum carries over. */
VECTORIZE static void
run_to_bgrx (const guint32 * __restrict source, guint32 * __restrict dest,
    guint width)
{
  guint i;

  for (i = 0; i < width; i++) {
    guint32 white = 255 - (source[i] >> 24);

    dest[i] = GUINT32_TO_LE ((source[i] + white * 0x010101) | 0xff000000);
  }
}

VECTORIZE static gboolean
is_untouched (const guint32 * source, guint width)
{
  guint32 any = 0;
  guint i;

  for (i = 0; i < width; i++)
    any |= source[i];
  return any == 0;
}

VECTORIZE static gboolean
is_white (const guint8 * data, guint size)
{
  guint8 all = 0xff;
  guint i;

  for (i = 0; i < size; i++)
    all &= data[i];
  return all == 0xff;
}

static void
convert_run (const guint32 * source, guint8 * dest, guint width,
    PdfFormat format)
{
  switch (format) {
    case PDF_FORMAT_GRAY8:
      run_to_gray8 (source, dest, width);
      break;
    case PDF_FORMAT_RGB:
      run_to_rgb (source, dest, width);
      break;
    case PDF_FORMAT_BGRX:
      run_to_bgrx (source, (guint32 *) dest, width);
      break;
  }
}

static guint
bytes_per_pixel (PdfFormat format)
{
  switch (format) {
    case PDF_FORMAT_RGB:
      return 3;
    case PDF_FORMAT_BGRX:
      return 4;
    default:
      return 1;
  }
}

gsize
pdf_format_get_stride (PdfFormat format, guint width)
{
  return ((gsize) width * bytes_per_pixel (format) + 3) & ~(gsize) 3;
}

/* Returns whether the row stays white. */
static gboolean
convert_row (const guint32 * source, guint8 * dest, guint width,
    PdfFormat format, gboolean blank)
{
  guint bytes = bytes_per_pixel (format);
  guint x;

  for (x = 0; x < width; x += RUN) {
    guint n = MIN (RUN, width - x);

    if (is_untouched (source + x, n)) {
      memset (dest + x * bytes, 0xff, n * bytes);
    } else {
      convert_run (source + x, dest + x * bytes, n, format);
      blank = blank && is_white (dest + x * bytes, n * bytes);
    }
  }
  return blank;
}

gboolean
pdf_pixels_convert (const guint8 * pixels, gsize stride, guint width,
    guint height, PdfFormat format, guint8 * dest)
{
  gsize dest_stride = pdf_format_get_stride (format, width);
  gsize used = (gsize) width * bytes_per_pixel (format);
  gboolean blank = TRUE;
  guint y;

  for (y = 0; y < height; y++) {
    blank = convert_row ((const guint32 *) pixels, dest, width, format, blank);
    memset (dest + used, 0, dest_stride - used);
    pixels += stride;
    dest += dest_stride;
  }
  return !blank;
}
