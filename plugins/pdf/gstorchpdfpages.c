/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchpdfpages
 * @title: orchpdfpages
 *
 * Function `pdf-pages`: the pages of a PDF document, as a list of references.
 *
 * Nothing is drawn.  Each element of the list refers to a page of the document
 * and has the info fields `page` (int, from 1), `label` (string: "iv"),
 * `width` and `height` (double, points, as the page is looked at) and
 * `rotation` (int, degrees).  The document gets `pages` (int), `title`
 * (string, if it has one) and `encrypted` (boolean).
 *
 * A page that the page tree promises but does not have is an element that
 * failed: the others keep their numbers.  A document whose page tree
 * contradicts itself fails, or with `check=warn` is listed as its objects
 * are.
 *
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchpdfpages ! orchexpand ! \
 *     orchpdftext ! orchreduce ! orchsink location=out.jsonl
 * ]|
 */

#include "gstorchpdfpages.h"
#include "pdfcache.h"
#include "pdflisting.h"

#define DEFAULT_MAX_PAGES 100000

/* Characters of a title that are kept. */
#define MAX_TITLE 1000

enum
{
  PROP_0,
  PROP_MAX_PAGES,
};

struct _GstOrchPdfPagesFunction
{
  GstOrchPdfFunction parent;

  guint max_pages;              /* protected by the object lock */
};

G_DEFINE_FINAL_TYPE (GstOrchPdfPagesFunction, gst_orch_pdf_pages_function,
    GST_TYPE_ORCH_PDF_FUNCTION);

static gchar *
get_title (PopplerDocument * poppler)
{
  g_autofree gchar *title = poppler_document_get_title (poppler);
  g_autofree gchar *valid = NULL;

  if (!title)
    return NULL;
  valid = g_utf8_make_valid (title, -1);
  g_strstrip (valid);
  if (*valid == '\0')
    return NULL;
  return g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1),
          MAX_TITLE));
}

static void
describe_document (GstOrchBatch * batch, guint index, PdfListing * listing)
{
  GstStructure *info = gst_structure_new ("info",
      "pages", G_TYPE_INT, (gint) listing->pages->len,
      "encrypted", G_TYPE_BOOLEAN, listing->is_encrypted, NULL);
  PopplerDocument *poppler = pdf_document_get_poppler (listing->document, NULL);
  g_autofree gchar *title = poppler ? get_title (poppler) : NULL;

  if (title)
    gst_structure_set (info, "title", G_TYPE_STRING, title, NULL);
  gst_orch_batch_set_info (batch, index, info);
  if (listing->warning)
    gst_orch_batch_warn (batch, index, "%s", listing->warning);
}

static GstStructure *
describe_number (guint index)
{
  g_autofree gchar *fragment = g_strdup_printf ("page=%u", index + 1);

  return gst_structure_new ("info", "fragment", G_TYPE_STRING, fragment,
      "page", G_TYPE_INT, (gint) index + 1, NULL);
}

static void
append_page (GstOrchList * list, GstBuffer * source, GstCaps * caps,
    PdfListing * listing, guint index)
{
  g_autoptr (GError) error = NULL;
  GstStructure *info = describe_number (index);
  PdfPageInfo about;
  PdfPage page;
  GstBuffer *reference;

  if (!pdf_listing_get_page (listing, index, &page, &about, &error)) {
    gst_orch_list_append_failed (list, gst_orch_pdf_cause_new (error), info);
    return;
  }
  gst_structure_set (info, "label", G_TYPE_STRING, about.label,
      "width", G_TYPE_DOUBLE, about.width,
      "height", G_TYPE_DOUBLE, about.height,
      "rotation", G_TYPE_INT, about.rotation, NULL);
  g_free (about.label);
  reference = gst_orch_ref_buffer_new (source, pdf_page_to_locator (&page));
  gst_orch_list_append (list, reference, caps, info);
}

static GstOrchList *
list_pages (PdfListing * listing, GstBuffer * source)
{
  GstOrchList *list = gst_orch_list_new_sized (listing->pages->len);
  GstCaps *caps = gst_caps_new_simple (GST_ORCH_REF_CAPS_NAME,
      "media-type", G_TYPE_STRING, "application/pdf", NULL);
  guint i;

  for (i = 0; i < listing->pages->len; i++)
    append_page (list, source, caps, listing, i);
  gst_caps_unref (caps);
  return list;
}

static gboolean
gst_orch_pdf_pages_function_process (GstOrchPdfFunction * function,
    gpointer replica_data, GstOrchBatch * batch, guint index,
    PdfMessages * messages, GError ** error)
{
  GstOrchPdfPagesFunction *self = GST_ORCH_PDF_PAGES_FUNCTION (function);
  GstBuffer *buffer = gst_orch_batch_get_buffer (batch, index);
  g_autofree gchar *password = gst_orch_pdf_function_dup_password (function);
  g_autoptr (PdfSource) source = pdf_source_from_buffer (buffer, error);
  g_autoptr (PdfListing) listing = NULL;
  GstOrchList *list;
  guint max_pages;

  if (!source)
    return FALSE;
  GST_OBJECT_LOCK (self);
  max_pages = self->max_pages;
  GST_OBJECT_UNLOCK (self);
  listing = pdf_listing_new (source, password, max_pages,
      gst_orch_pdf_function_get_check (function), error);
  if (!listing)
    return FALSE;

  if (listing->source == source)
    buffer = gst_buffer_ref (buffer);
  else
    buffer = pdf_source_to_buffer (listing->source, error);
  if (!buffer)
    return FALSE;
  list = list_pages (listing, buffer);
  gst_buffer_unref (buffer);
  describe_document (batch, index, listing);
  gst_orch_batch_present_list (batch, index, list);
  return TRUE;
}

static void
gst_orch_pdf_pages_function_set_property (GObject * object, guint prop_id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchPdfPagesFunction *self = GST_ORCH_PDF_PAGES_FUNCTION (object);

  switch (prop_id) {
    case PROP_MAX_PAGES:
      GST_OBJECT_LOCK (self);
      self->max_pages = g_value_get_uint (value);
      GST_OBJECT_UNLOCK (self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
}

static void
gst_orch_pdf_pages_function_get_property (GObject * object, guint prop_id,
    GValue * value, GParamSpec * pspec)
{
  GstOrchPdfPagesFunction *self = GST_ORCH_PDF_PAGES_FUNCTION (object);

  switch (prop_id) {
    case PROP_MAX_PAGES:
      GST_OBJECT_LOCK (self);
      g_value_set_uint (value, self->max_pages);
      GST_OBJECT_UNLOCK (self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
}

static void
gst_orch_pdf_pages_function_class_init (GstOrchPdfPagesFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  object_class->set_property = gst_orch_pdf_pages_function_set_property;
  object_class->get_property = gst_orch_pdf_pages_function_get_property;
  GST_ORCH_PDF_FUNCTION_CLASS (klass)->process =
      gst_orch_pdf_pages_function_process;

  g_object_class_install_property (object_class, PROP_MAX_PAGES,
      g_param_spec_uint ("max-pages", "Maximum pages",
          "Documents of more pages fail (0 = any number)", 0, G_MAXINT,
          DEFAULT_MAX_PAGES, G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING |
          G_PARAM_STATIC_STRINGS));

  gst_orch_function_class_set_metadata (function_class, "PDF pages",
      "Lists the pages of PDF documents as references",
      "the gst-orch authors");
  gst_orch_function_class_set_caps (function_class,
      gst_caps_from_string ("application/pdf; application/octet-stream"),
      gst_caps_from_string (GST_ORCH_LIST_CAPS));
  gst_orch_function_class_set_element_caps (function_class,
      gst_caps_from_string (GST_ORCH_REF_CAPS_NAME
          ", media-type=(string)application/pdf"));
}

static void
gst_orch_pdf_pages_function_init (GstOrchPdfPagesFunction * self)
{
  self->max_pages = DEFAULT_MAX_PAGES;
}
