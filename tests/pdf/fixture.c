/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

gchar *
pdf_test_path (const gchar * name)
{
  g_autofree gchar *base = g_strconcat (name, ".pdf", NULL);

  return g_build_filename (g_getenv ("ORCH_PDF_FILES"), base, NULL);
}

PdfSource *
pdf_test_open_path (const gchar * path)
{
  gint fd = open (path, O_RDONLY | O_CLOEXEC);
  struct stat status;

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (fstat (fd, &status), ==, 0);
  return pdf_source_new_take_fd (fd, status.st_size);
}

PdfSource *
pdf_test_open (const gchar * name)
{
  g_autofree gchar *path = pdf_test_path (name);

  return pdf_test_open_path (path);
}

PdfSource *
pdf_test_load (const gchar * name)
{
  g_autofree gchar *path = pdf_test_path (name);
  g_autoptr (GBytes) bytes = NULL;
  gchar *data;
  gsize size;

  g_assert_true (g_file_get_contents (path, &data, &size, NULL));
  bytes = g_bytes_new_take (data, size);
  return pdf_source_new_for_bytes (bytes);
}

gboolean
pdf_test_page_init (PdfTestPage * page, PdfListing * listing, guint index,
    GError ** error)
{
  PopplerDocument *poppler;

  page->info.label = NULL;
  page->poppler_page = NULL;
  if (!pdf_listing_get_page (listing, index, &page->page, &page->info, error))
    return FALSE;
  poppler = pdf_document_get_poppler (listing->document, error);
  g_assert_nonnull (poppler);
  page->poppler_page = poppler_document_get_page (poppler, page->page.index);
  g_assert_nonnull (page->poppler_page);
  return TRUE;
}

void
pdf_test_page_clear (PdfTestPage * page)
{
  g_clear_pointer (&page->info.label, g_free);
  g_clear_object (&page->poppler_page);
}

gboolean
pdf_test_draw (PdfListing * listing, PdfTestPage * page,
    const PdfDrawSettings * settings, PdfDrawing * drawing, GError ** error)
{
  PdfCanvas *canvas = pdf_canvas_new ();
  PdfMessages messages;
  gboolean ok;

  pdf_messages_begin (&messages);
  ok = pdf_draw_page (canvas, page->poppler_page, &page->page, settings,
      drawing, error);
  if (ok && !pdf_check_page (listing->document, &page->page, &messages,
          PDF_RESULT_DRAWING, drawing->is_blank, error)) {
    g_free (drawing->data);
    ok = FALSE;
  }
  pdf_messages_end (&messages);
  pdf_messages_clear (&messages);
  pdf_canvas_free (canvas);
  return ok;
}

gchar *
pdf_test_get_text (PdfListing * listing, PdfTestPage * page, GError ** error)
{
  PdfMessages messages;
  gchar *text;

  pdf_messages_begin (&messages);
  text = pdf_text_extract (page->poppler_page);
  if (!pdf_check_page (listing->document, &page->page, &messages,
          PDF_RESULT_TEXT, pdf_text_is_blank (text), error))
    g_clear_pointer (&text, g_free);
  pdf_messages_end (&messages);
  pdf_messages_clear (&messages);
  return text;
}
