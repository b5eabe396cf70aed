/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Drawn pages have the pixels of pdftocairo's.  With arguments: those of the
 * given files' pages. */

#include "fixture.h"

#include <glib/gstdio.h>

#include <string.h>

#define DPI 150
#define DPI_TEXT "150"
/* Of a file given by name. */
#define MAX_PAGES 40

static const gchar *const grey_files[] = {
  "one-page", "mixed-sizes", "rotated", "cropped", "colours", "image-only",
  "gbk-font", "control-text", "encrypted-open", NULL
};
static const gchar *const colour_files[] = { "colours", "cropped", NULL };

/* ---- what pdftocairo draws ---- */

static cairo_surface_t *
draw_by_pdftocairo (const gchar * path, guint number, gboolean grey)
{
  g_autofree gchar *dir = g_dir_make_tmp ("orch-pdf-XXXXXX", NULL);
  g_autofree gchar *stem = g_build_filename (dir, "page", NULL);
  g_autofree gchar *png = g_strconcat (stem, ".png", NULL);
  g_autofree gchar *page = g_strdup_printf ("%u", number);
  const gchar *argv[] = { "pdftocairo", "-q", "-r", DPI_TEXT, "-png",
    "-cropbox", "-singlefile", "-f", page, "-l", page, path, stem,
    grey ? "-gray" : NULL, NULL
  };
  cairo_surface_t *surface;
  gint status;

  g_assert_true (g_spawn_sync (NULL, (gchar **) argv, NULL,
          G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
  g_assert_true (g_spawn_check_wait_status (status, NULL));
  surface = cairo_image_surface_create_from_png (png);
  g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
  g_unlink (png);
  g_rmdir (dir);
  return surface;
}

/* ---- comparing ---- */

static guint32
get_pixel (const PdfDrawing * drawing, PdfFormat format, gint x, gint y)
{
  const guint8 *row = drawing->data
      + y * pdf_format_get_stride (format, drawing->width);

  switch (format) {
    case PDF_FORMAT_GRAY8:
      return row[x] * 0x010101u;
    case PDF_FORMAT_RGB:
      return row[3 * x] << 16 | row[3 * x + 1] << 8 | row[3 * x + 2];
    default:
      return row[4 * x + 2] << 16 | row[4 * x + 1] << 8 | row[4 * x];
  }
}

static guint
count_differences (const PdfDrawing * drawing, PdfFormat format,
    cairo_surface_t * expected)
{
  const guint8 *data = cairo_image_surface_get_data (expected);
  gint stride = cairo_image_surface_get_stride (expected);
  guint n = 0;
  gint x, y;

  for (y = 0; y < drawing->height; y++) {
    const guint32 *row = (const guint32 *) (data + y * stride);

    for (x = 0; x < drawing->width; x++)
      n += get_pixel (drawing, format, x, y) != (row[x] & 0xffffff);
  }
  return n;
}

static void
compare_page (const gchar * path, PdfListing * listing, guint index,
    PdfFormat format)
{
  PdfDrawSettings settings = { DPI, 40000000, format };
  cairo_surface_t *expected = draw_by_pdftocairo (path, index + 1,
      format == PDF_FORMAT_GRAY8);
  PdfTestPage page;
  PdfDrawing drawing;
  GError *error = NULL;

  g_assert_true (pdf_test_page_init (&page, listing, index, &error));
  g_assert_true (pdf_test_draw (listing, &page, &settings, &drawing, &error));
  g_assert_cmpint (drawing.width, ==, cairo_image_surface_get_width (expected));
  g_assert_cmpint (drawing.height, ==,
      cairo_image_surface_get_height (expected));
  g_assert_cmpuint (count_differences (&drawing, format, expected), ==, 0);
  g_free (drawing.data);
  pdf_test_page_clear (&page);
  cairo_surface_destroy (expected);
}

static void
compare_file (const gchar * path, PdfFormat format)
{
  g_autoptr (PdfSource) source = pdf_test_open_path (path);
  g_autoptr (PdfListing) listing = pdf_listing_new (source, NULL, 0,
      PDF_CHECK_FAIL, NULL);
  guint i, step;

  g_assert_nonnull (listing);
  step = (listing->pages->len + MAX_PAGES - 1) / MAX_PAGES;
  for (i = 0; i < listing->pages->len; i += step)
    compare_page (path, listing, i, format);
}

static void
test_format (gconstpointer data)
{
  g_autofree gchar *tool = g_find_program_in_path ("pdftocairo");
  PdfFormat format = GPOINTER_TO_INT (data);
  const gchar *const *files =
      format == PDF_FORMAT_GRAY8 ? grey_files : colour_files;
  guint i;

  if (!tool) {
    g_test_skip ("pdftocairo (package poppler-utils) is not installed");
    return;
  }
  for (i = 0; files[i]; i++) {
    g_autofree gchar *path = pdf_test_path (files[i]);

    compare_file (path, format);
  }
}

static gint
compare_named_files (gint n, gchar ** paths)
{
  gint i;

  for (i = 0; i < n; i++) {
    g_print ("%s\n", paths[i]);
    compare_file (paths[i], PDF_FORMAT_GRAY8);
  }
  return 0;
}

gint
main (gint argc, gchar ** argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  if (argc > 1)
    return compare_named_files (argc - 1, argv + 1);
  g_test_add_data_func ("/pdf/drawing/gray8",
      GINT_TO_POINTER (PDF_FORMAT_GRAY8), test_format);
  g_test_add_data_func ("/pdf/drawing/rgb",
      GINT_TO_POINTER (PDF_FORMAT_RGB), test_format);
  g_test_add_data_func ("/pdf/drawing/bgrx",
      GINT_TO_POINTER (PDF_FORMAT_BGRX), test_format);
  return g_test_run ();
}
