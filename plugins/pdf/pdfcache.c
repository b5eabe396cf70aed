/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdfcache.h"

PdfCache *
pdf_cache_new (void)
{
  return gst_orch_cache_new ((GDestroyNotify) pdf_document_free);
}

static PdfDocument *
try_open (GstBuffer * buffer, const gchar * password, GError ** error)
{
  g_autoptr (PdfSource) source = pdf_source_from_buffer (buffer, error);
  g_autoptr (PdfDocument) document = NULL;

  if (!source)
    return NULL;
  document = pdf_document_new (source, password);
  if (!pdf_document_get_poppler (document, error))
    return NULL;
  return g_steal_pointer (&document);
}

/* The process may be out of file descriptors, and the cache holds some. */
static PdfDocument *
open_document (PdfCache * cache, GstBuffer * buffer, const gchar * password,
    GError ** error)
{
  g_autoptr (GError) reason = NULL;
  PdfDocument *document = try_open (buffer, password, &reason);

  if (document)
    return document;
  if (gst_orch_cache_get_size (cache) == 0
      || !g_error_matches (reason, PDF_ERROR, PDF_ERROR_IO)) {
    g_propagate_error (error, g_steal_pointer (&reason));
    return NULL;
  }
  gst_orch_cache_shrink (cache, 0);
  return try_open (buffer, password, error);
}

PdfDocument *
pdf_cache_get (PdfCache * cache, GstBuffer * buffer, const gchar * password,
    guint max_open, GError ** error)
{
  PdfDocument *document = gst_orch_cache_lookup (cache, buffer);

  if (document)
    return document;
  gst_orch_cache_shrink (cache, MAX (max_open, 1) - 1);
  document = open_document (cache, buffer, password, error);
  if (document)
    gst_orch_cache_insert (cache, buffer, document);
  return document;
}
