/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdfdraw.h"

#include <math.h>
#include <string.h>

/* cairo's */
#define MAX_SIDE 32767
/* More than a page of ordinary size needs is given back at once. */
#define MAX_KEPT (64 * 1024 * 1024)

struct _PdfCanvas
{
  guint8 *pixels;
  gsize size;
};

PdfCanvas *
pdf_canvas_new (void)
{
  return g_new0 (PdfCanvas, 1);
}

void
pdf_canvas_free (PdfCanvas * canvas)
{
  g_free (canvas->pixels);
  g_free (canvas);
}

/* ---- size ---- */

typedef struct
{
  gdouble dpi;
  gint width, height;           /* pixels */
} Size;

/* @width, @height: in points.  The same expression as pdftocairo's, or the last
 * row or column may differ. */
static gboolean
set_dpi (Size * size, gdouble dpi, gdouble width, gdouble height,
    guint64 max_pixels)
{
  gdouble columns = ceil (width * dpi / 72.0);
  gdouble rows = ceil (height * dpi / 72.0);

  if (columns > MAX_SIDE || rows > MAX_SIDE || columns * rows > max_pixels)
    return FALSE;
  size->dpi = dpi;
  size->width = MAX (columns, 1);
  size->height = MAX (rows, 1);
  return TRUE;
}

static void
shrink (Size * size, gdouble dpi, gdouble width, gdouble height,
    guint64 max_pixels)
{
  gdouble by_area = 72.0 * sqrt (max_pixels / (width * height));
  gdouble by_side = 72.0 * MAX_SIDE / MAX (width, height);

  dpi = MIN (dpi, MIN (by_area, by_side));
  /* Rounding up may add a row and a column. */
  while (!set_dpi (size, dpi, width, height, max_pixels))
    dpi *= 0.999;
}

static gboolean
is_length (gdouble length)
{
  return isfinite (length) && length > 0 && length < 1e9;
}

static gboolean
find_size (PopplerPage * poppler_page, const PdfPage * page,
    const PdfDrawSettings * settings, Size * size, gboolean * is_scaled,
    GError ** error)
{
  gdouble width, height;

  poppler_page_get_size (poppler_page, &width, &height);
  width *= page->user_unit;
  height *= page->user_unit;
  if (!is_length (width) || !is_length (height)) {
    g_set_error (error, PDF_ERROR, PDF_ERROR_PAGE_SIZE,
        "The page cannot be drawn: its size is %g x %g points.", width, height);
    return FALSE;
  }
  *is_scaled = !set_dpi (size, settings->dpi, width, height,
      settings->max_pixels);
  if (*is_scaled)
    shrink (size, settings->dpi, width, height, settings->max_pixels);
  return TRUE;
}

/* ---- drawing ---- */

static cairo_surface_t *
begin_surface (PdfCanvas * canvas, const Size * size, GError ** error)
{
  gint stride = cairo_format_stride_for_width (CAIRO_FORMAT_ARGB32,
      size->width);
  gsize needed = (gsize) stride * size->height;

  if (canvas->size < needed) {
    g_free (canvas->pixels);
    canvas->pixels = g_try_malloc (needed);
    canvas->size = canvas->pixels ? needed : 0;
  }
  if (!canvas->pixels) {
    g_set_error (error, PDF_ERROR, PDF_ERROR_NO_MEMORY,
        "There is not enough memory to draw %d x %d pixels.", size->width,
        size->height);
    return NULL;
  }
  memset (canvas->pixels, 0, needed);
  return cairo_image_surface_create_for_data (canvas->pixels,
      CAIRO_FORMAT_ARGB32, size->width, size->height, stride);
}

static void
give_back_excess (PdfCanvas * canvas)
{
  if (canvas->size > MAX_KEPT) {
    g_clear_pointer (&canvas->pixels, g_free);
    canvas->size = 0;
  }
}

static gboolean
draw (cairo_surface_t * surface, PopplerPage * poppler_page,
    const PdfPage * page, gdouble scale, GError ** error)
{
  cairo_t *cairo = cairo_create (surface);
  cairo_status_t status;

  cairo_scale (cairo, scale, scale);
  /* For printing, Poppler scales images down while it reads them. */
  if (page->images == PDF_IMAGES_NORMAL)
    poppler_page_render (poppler_page, cairo);
  else
    poppler_page_render_for_printing (poppler_page, cairo);
  status = cairo_status (cairo);
  cairo_destroy (cairo);
  cairo_surface_flush (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    return TRUE;
  g_set_error (error, PDF_ERROR,
      status == CAIRO_STATUS_NO_MEMORY ? PDF_ERROR_NO_MEMORY :
      PDF_ERROR_DAMAGED_CONTENT, "The page could not be drawn: %s.",
      cairo_status_to_string (status));
  return FALSE;
}

static void
convert (PdfCanvas * canvas, cairo_surface_t * surface, const Size * size,
    PdfFormat format, PdfDrawing * drawing)
{
  drawing->width = size->width;
  drawing->height = size->height;
  drawing->size = pdf_format_get_stride (format, size->width) * size->height;
  drawing->data = g_malloc (drawing->size);
  drawing->is_blank = !pdf_pixels_convert (canvas->pixels,
      cairo_image_surface_get_stride (surface), size->width, size->height,
      format, drawing->data);
}

gboolean
pdf_draw_page (PdfCanvas * canvas, PopplerPage * poppler_page,
    const PdfPage * page, const PdfDrawSettings * settings,
    PdfDrawing * drawing, GError ** error)
{
  cairo_surface_t *surface;
  Size size;
  gboolean ok;

  if (page->images == PDF_IMAGES_TOO_LARGE) {
    g_set_error_literal (error, PDF_ERROR, PDF_ERROR_IMAGE_TOO_LARGE,
        "The page has an image that is too large to be drawn in bounded "
        "memory.");
    return FALSE;
  }
  if (!find_size (poppler_page, page, settings, &size, &drawing->is_scaled,
          error))
    return FALSE;
  drawing->dpi = size.dpi;
  surface = begin_surface (canvas, &size, error);
  if (!surface)
    return FALSE;
  ok = draw (surface, poppler_page, page,
      size.dpi / 72.0 * page->user_unit, error);
  if (ok)
    convert (canvas, surface, &size, settings->format, drawing);
  cairo_surface_destroy (surface);
  give_back_excess (canvas);
  return ok;
}
