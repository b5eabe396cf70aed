/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "pdfdraw.h"
#include "pdflisting.h"
#include "pdftext.h"

G_BEGIN_DECLS

/* (transfer full): path of a file made by makepdfs.py */
gchar *pdf_test_path (const gchar * name);
/* (transfer full): that file, or its bytes in memory */
PdfSource *pdf_test_open (const gchar * name);
PdfSource *pdf_test_open_path (const gchar * path);
PdfSource *pdf_test_load (const gchar * name);

/* A page of a listing as the Functions see it. */
typedef struct
{
  PdfPage page;
  PdfPageInfo info;
  PopplerPage *poppler_page;
} PdfTestPage;

/* FALSE with @error set when the page is no page. */
gboolean pdf_test_page_init (PdfTestPage * page, PdfListing * listing,
    guint index, GError ** error);
void pdf_test_page_clear (PdfTestPage * page);

/* What pdf-render and pdf-text do with a page. */
gboolean pdf_test_draw (PdfListing * listing, PdfTestPage * page,
    const PdfDrawSettings * settings, PdfDrawing * drawing, GError ** error);
gchar *pdf_test_get_text (PdfListing * listing, PdfTestPage * page,
    GError ** error);

#define pdf_test_assert_code(error, expected) \
  G_STMT_START { \
    g_assert_nonnull (error); \
    g_assert_cmpstr (pdf_error_get_code (error), ==, expected); \
  } G_STMT_END

G_END_DECLS
