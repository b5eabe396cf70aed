/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "pdfcheck.h"
#include "pdftree.h"

G_BEGIN_DECLS

/**
 * PdfListing: the pages of a document, seen by qpdf and by Poppler alike.
 */
typedef struct
{
  PdfSource *source;            /* where the pages are to be read from */
  PdfDocument *document;        /* open on it */
  GArray *pages;                /* of PdfTreePage; none of them is left out */
  gboolean is_encrypted;
  gchar *warning;               /* (nullable): what is wrong with the whole */
} PdfListing;

/* What a page is like. */
typedef struct
{
  gchar *label;
  gdouble width, height;        /* in points, as the page is looked at */
  gint rotation;
} PdfPageInfo;

/* (transfer full) (nullable): NULL with @error set.
 *
 * The listing's source is another than @source when that has junk around it or
 * a page tree on which Poppler would lose count. */
PdfListing *pdf_listing_new (PdfSource * source, const gchar * password,
    guint max_pages, PdfCheck check, GError ** error);
void pdf_listing_free (PdfListing * listing);

/* FALSE with @error set when there is no such page although there should be. */
gboolean pdf_listing_get_page (PdfListing * listing, guint index,
    PdfPage * page, PdfPageInfo * info, GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdfListing, pdf_listing_free)
G_END_DECLS
