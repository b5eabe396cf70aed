/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * PdfFormat: formats of rendered pages, a subset of GStreamer's.
 */
typedef enum
{
  PDF_FORMAT_GRAY8,
  PDF_FORMAT_RGB,
  PDF_FORMAT_BGRX,
} PdfFormat;

/* Bytes from one row to the next, as GStreamer lays out frames. */
gsize pdf_format_get_stride (PdfFormat format, guint width);

/* Puts @width x @height pixels that cairo drew (premultiplied ARGB32, @stride
 * bytes a row) on white and converts them.
 *
 * Grey is 0.3 red + 0.59 green + 0.11 blue in pdftocairo's integers, so that
 * pages equal those of pdftocairo -gray.
 *
 * Returns whether anything is not white. */
gboolean pdf_pixels_convert (const guint8 * pixels, gsize stride, guint width,
    guint height, PdfFormat format, guint8 * dest);

G_END_DECLS
