/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdflisting.h"
#include "pdfrepair.h"

void
pdf_listing_free (PdfListing * listing)
{
  g_clear_pointer (&listing->document, pdf_document_free);
  g_clear_pointer (&listing->source, pdf_source_unref);
  g_clear_pointer (&listing->pages, g_array_unref);
  g_free (listing->warning);
  g_free (listing);
}

static void
set_source (PdfListing * listing, PdfSource * source, const gchar * password)
{
  g_clear_pointer (&listing->document, pdf_document_free);
  g_clear_pointer (&listing->source, pdf_source_unref);
  listing->source = source;
  listing->document = pdf_document_new (source, password);
}

static void
set_pages (PdfListing * listing, PdfTree * tree)
{
  g_clear_pointer (&listing->pages, g_array_unref);
  listing->pages = g_array_ref (tree->pages);
}

/* -1 when Poppler cannot open it */
static gint
count_for_poppler (PdfListing * listing, GError ** error)
{
  PopplerDocument *poppler = pdf_document_get_poppler (listing->document,
      error);

  return poppler ? poppler_document_get_n_pages (poppler) : -1;
}

/* What Poppler alone says: all that there is to go by when the objects are not
 * looked at or make no sense to qpdf. */
static gboolean
list_by_poppler (PdfListing * listing, guint max_pages, GError ** error)
{
  gint i, n = count_for_poppler (listing, error);

  if (n < 0)
    return FALSE;
  if (max_pages > 0 && (guint) n > max_pages) {
    g_set_error (error, PDF_ERROR, PDF_ERROR_TOO_MANY_PAGES,
        "The document has %d pages, more than the limit of %u set by "
        "max-pages.", n, max_pages);
    return FALSE;
  }
  g_clear_pointer (&listing->pages, g_array_unref);
  listing->pages = g_array_new (FALSE, FALSE, sizeof (PdfTreePage));
  for (i = 0; i < n; i++) {
    PdfTreePage page = {.user_unit = 1 };

    g_array_append_val (listing->pages, page);
  }
  return TRUE;
}

/* The faults of the broken tree are the faults of the repaired one, whose pages
 * have other object numbers. */
static gboolean
list_repaired (PdfListing * listing, PdfTree * broken, GError ** error)
{
  PdfSource *source = pdf_repair (listing->document, error);
  g_autoptr (PdfTree) tree = NULL;
  guint i;

  if (!source)
    return FALSE;
  set_source (listing, source, NULL);
  tree = pdf_tree_read (listing->document, 0, error);
  pdf_document_close_qpdf (listing->document);
  if (!tree)
    return FALSE;
  if (tree->pages->len != broken->pages->len || tree->irregular
      || count_for_poppler (listing, NULL) != (gint) tree->pages->len) {
    g_set_error_literal (error, PDF_ERROR, PDF_ERROR_DAMAGED,
        "The document is damaged: its page tree makes no sense.");
    return FALSE;
  }
  for (i = 0; i < tree->pages->len; i++)
    g_array_index (tree->pages, PdfTreePage, i).fault =
        g_array_index (broken->pages, PdfTreePage, i).fault;
  set_pages (listing, tree);
  return TRUE;
}

static gboolean
check_count (PdfListing * listing, PdfTree * tree, PdfCheck check,
    GError ** error)
{
  if (tree->declared == tree->pages->len)
    return TRUE;
  listing->warning = g_strdup_printf ("The document says that it has %"
      G_GINT64_FORMAT " pages, but its page tree has %u.",
      MAX (tree->declared, 0), tree->pages->len);
  tree->irregular = TRUE;
  if (check == PDF_CHECK_WARN)
    return TRUE;
  g_set_error_literal (error, PDF_ERROR, PDF_ERROR_PAGE_COUNT,
      listing->warning);
  return FALSE;
}

static gboolean
list_checked (PdfListing * listing, PdfTree * tree, PdfCheck check,
    GError ** error)
{
  if (tree->pages->len == 0 && tree->declared <= 0)
    return TRUE;
  if (!check_count (listing, tree, check, error))
    return FALSE;
  if (tree->irregular
      || count_for_poppler (listing, NULL) != (gint) tree->pages->len)
    return list_repaired (listing, tree, error);
  set_pages (listing, tree);
  return TRUE;
}

/* qpdf has read the file, but is not asked whether it is right. */
static gboolean
list_unchecked (PdfListing * listing, PdfTree * tree, guint max_pages,
    GError ** error)
{
  guint i;

  if (!list_by_poppler (listing, max_pages, error))
    return FALSE;
  if (tree->pages->len != listing->pages->len)
    return TRUE;
  for (i = 0; i < tree->pages->len; i++)
    g_array_index (tree->pages, PdfTreePage, i).fault = 0;
  set_pages (listing, tree);
  return TRUE;
}

static gboolean
list_without_tree (PdfListing * listing, guint max_pages, PdfCheck check,
    const GError * reason, GError ** error)
{
  if (check == PDF_CHECK_FAIL
      || !g_error_matches (reason, PDF_ERROR, PDF_ERROR_DAMAGED)) {
    g_propagate_error (error, g_error_copy (reason));
    return FALSE;
  }
  if (check == PDF_CHECK_WARN)
    listing->warning = g_strdup (reason->message);
  return list_by_poppler (listing, max_pages, error);
}

static gboolean
list (PdfListing * listing, guint max_pages, PdfCheck check, GError ** error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (PdfTree) tree = pdf_tree_read (listing->document, max_pages,
      &reason);
  qpdf_data qpdf;

  if (!tree)
    return list_without_tree (listing, max_pages, check, reason, error);
  qpdf = pdf_document_get_qpdf (listing->document, error);
  if (!qpdf)
    return FALSE;
  listing->is_encrypted = qpdf_is_encrypted (qpdf);
  /* It may hold much, and Poppler is about to. */
  pdf_document_close_qpdf (listing->document);
  if (check == PDF_CHECK_OFF)
    return list_unchecked (listing, tree, max_pages, error);
  return list_checked (listing, tree, check, error);
}

PdfListing *
pdf_listing_new (PdfSource * source, const gchar * password, guint max_pages,
    PdfCheck check, GError ** error)
{
  g_autoptr (PdfListing) listing = g_new0 (PdfListing, 1);
  PdfSource *trimmed = pdf_source_trim (source, error);

  if (!trimmed)
    return NULL;
  set_source (listing, trimmed, password);
  if (!list (listing, max_pages, check, error))
    return NULL;
  if (!listing->pages || listing->pages->len == 0) {
    g_set_error_literal (error, PDF_ERROR, PDF_ERROR_NO_PAGES,
        "The document has no pages.");
    return NULL;
  }
  return g_steal_pointer (&listing);
}

/* ---- pages ---- */

static void
set_fault (PdfError fault, guint index, GError ** error)
{
  const gchar *reason;

  switch (fault) {
    case PDF_ERROR_MISSING_PAGE:
      reason = "its object does not exist";
      break;
    case PDF_ERROR_PAGE_LOOP:
      reason = "the page tree leads back to where it has been";
      break;
    default:
      reason = "what stands in its place is no page";
      break;
  }
  g_set_error (error, PDF_ERROR, fault, "Page %u is missing: %s.", index + 1,
      reason);
}

static void
describe (PdfPageInfo * info, const PdfTreePage * entry,
    PopplerPage * poppler_page, guint index)
{
  info->label = poppler_page_get_label (poppler_page);
  if (!info->label)
    info->label = g_strdup_printf ("%u", index + 1);
  poppler_page_get_size (poppler_page, &info->width, &info->height);
  info->width *= entry->user_unit;
  info->height *= entry->user_unit;
  info->rotation = entry->rotation;
}

gboolean
pdf_listing_get_page (PdfListing * listing, guint index, PdfPage * page,
    PdfPageInfo * info, GError ** error)
{
  const PdfTreePage *entry = &g_array_index (listing->pages, PdfTreePage,
      index);
  PopplerDocument *poppler = pdf_document_get_poppler (listing->document,
      error);
  PopplerPage *poppler_page;

  if (!poppler)
    return FALSE;
  if (entry->fault != 0) {
    set_fault (entry->fault - 1, index, error);
    return FALSE;
  }
  poppler_page = poppler_document_get_page (poppler, index);
  if (!poppler_page) {
    g_set_error (error, PDF_ERROR, PDF_ERROR_MISSING_PAGE,
        "Page %u is missing: Poppler cannot find it.", index + 1);
    return FALSE;
  }
  *page = (PdfPage) { index, entry->object, entry->generation,
    entry->user_unit, entry->images
  };
  describe (info, entry, poppler_page, index);
  g_object_unref (poppler_page);
  return TRUE;
}
