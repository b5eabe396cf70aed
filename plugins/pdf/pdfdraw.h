/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "pdferror.h"
#include "pdfpage.h"
#include "pdfpixels.h"

#include <poppler.h>

G_BEGIN_DECLS

/**
 * PdfCanvas: memory to draw on, kept from page to page.  Belongs to one thread.
 */
typedef struct _PdfCanvas PdfCanvas;

typedef struct
{
  gdouble dpi;
  guint64 max_pixels;
  PdfFormat format;
} PdfDrawSettings;

typedef struct
{
  guint8 *data;                 /* with g_malloc() */
  gsize size;
  gint width, height;
  gdouble dpi;                  /* less than what was asked for when scaled */
  gboolean is_scaled;           /* because of max_pixels or what cairo can do */
  gboolean is_blank;
} PdfDrawing;

PdfCanvas *pdf_canvas_new (void);
void pdf_canvas_free (PdfCanvas * canvas);

/* Draws the crop box of a page, rotated as the page says, on white.
 * Returns FALSE with @error set. */
gboolean pdf_draw_page (PdfCanvas * canvas, PopplerPage * poppler_page,
    const PdfPage * page, const PdfDrawSettings * settings,
    PdfDrawing * drawing, GError ** error);

G_END_DECLS
