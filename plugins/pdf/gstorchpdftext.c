/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchpdftext
 * @title: orchpdftext
 *
 * Function `pdf-text`: the text layer of the page that a reference refers to.
 *
 * With `boxes=true` the result is JSON: the page's width and height and its
 * lines, each with its words, each of them with its text and a box [left, top,
 * right, bottom] in points from the top left corner of the page.
 *
 * Sets the info field `quality` (double, 0 to 1): the share of characters
 * that stand for nothing, because the font does not map them or because they
 * are control characters.  Above a few hundredths, OCR is the better source.
 *
 * A page without text, like a scan, is an empty buffer.  A page that shows text
 * of which nothing can be told, or whose content is damaged, fails
 * (`check=fail`).
 *
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchpdfpages ! orchexpand ! \
 *     orchpdftext boxes=true ! orchreduce ! orchsink location=out.jsonl
 * ]|
 */

#include "gstorchpdftext.h"
#include "pdftext.h"

#include <string.h>

#define DEFAULT_BOXES FALSE

enum
{
  PROP_0,
  PROP_BOXES,
};

struct _GstOrchPdfTextFunction
{
  GstOrchPdfPageFunction parent;

  gboolean boxes;               /* protected by the object lock */
};

G_DEFINE_FINAL_TYPE (GstOrchPdfTextFunction, gst_orch_pdf_text_function,
    GST_TYPE_ORCH_PDF_PAGE_FUNCTION);

static GstBuffer *
wrap_text (gchar * text)
{
  if (*text)
    return gst_buffer_new_wrapped (text, strlen (text));
  g_free (text);
  return gst_buffer_new ();
}

static void
present_text (GstOrchPdfPageJob * job, gchar * text)
{
  GstCaps *caps = gst_caps_new_simple ("text/x-raw",
      "format", G_TYPE_STRING, "utf8", NULL);

  gst_orch_batch_present (job->batch, job->index, wrap_text (text), caps);
  gst_caps_unref (caps);
}

static void
present_json (GstOrchPdfPageJob * job, const gchar * text)
{
  GstCaps *caps = gst_caps_new_empty_simple ("application/json");
  gchar *json = pdf_text_to_json (job->poppler_page, &job->page, text);

  gst_orch_batch_present (job->batch, job->index, wrap_text (json), caps);
  gst_caps_unref (caps);
}

static gboolean
gst_orch_pdf_text_function_process_page (GstOrchPdfPageFunction * function,
    GstOrchPdfPageJob * job, GError ** error)
{
  GstOrchPdfTextFunction *self = GST_ORCH_PDF_TEXT_FUNCTION (function);
  g_autofree gchar *text = pdf_text_extract (job->poppler_page);
  gboolean boxes;

  if (!gst_orch_pdf_page_job_check (job, PDF_RESULT_TEXT,
          pdf_text_is_blank (text), error))
    return FALSE;
  GST_OBJECT_LOCK (self);
  boxes = self->boxes;
  GST_OBJECT_UNLOCK (self);
  gst_orch_batch_set_info (job->batch, job->index, gst_structure_new ("info",
          "quality", G_TYPE_DOUBLE, pdf_text_get_unmapped_share (text), NULL));
  if (boxes)
    present_json (job, text);
  else
    present_text (job, g_steal_pointer (&text));
  return TRUE;
}

static void
gst_orch_pdf_text_function_set_property (GObject * object, guint prop_id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchPdfTextFunction *self = GST_ORCH_PDF_TEXT_FUNCTION (object);

  switch (prop_id) {
    case PROP_BOXES:
      GST_OBJECT_LOCK (self);
      self->boxes = g_value_get_boolean (value);
      GST_OBJECT_UNLOCK (self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
}

static void
gst_orch_pdf_text_function_get_property (GObject * object, guint prop_id,
    GValue * value, GParamSpec * pspec)
{
  GstOrchPdfTextFunction *self = GST_ORCH_PDF_TEXT_FUNCTION (object);

  switch (prop_id) {
    case PROP_BOXES:
      GST_OBJECT_LOCK (self);
      g_value_set_boolean (value, self->boxes);
      GST_OBJECT_UNLOCK (self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
}

static void
gst_orch_pdf_text_function_class_init (GstOrchPdfTextFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  object_class->set_property = gst_orch_pdf_text_function_set_property;
  object_class->get_property = gst_orch_pdf_text_function_get_property;
  GST_ORCH_PDF_PAGE_FUNCTION_CLASS (klass)->process_page =
      gst_orch_pdf_text_function_process_page;

  g_object_class_install_property (object_class, PROP_BOXES,
      g_param_spec_boolean ("boxes", "Boxes",
          "Give JSON with the boxes of lines and words, in points",
          DEFAULT_BOXES, G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING |
          G_PARAM_STATIC_STRINGS));

  gst_orch_function_class_set_metadata (function_class, "PDF text layer",
      "Extracts the text of the pages that references refer to",
      "the gst-orch authors");
  gst_orch_function_class_set_caps (function_class,
      gst_caps_from_string (GST_ORCH_REF_CAPS_NAME
          ", media-type=(string)application/pdf"),
      gst_caps_from_string ("text/x-raw, format=(string)utf8; "
          "application/json"));
}

static void
gst_orch_pdf_text_function_init (GstOrchPdfTextFunction * self)
{
  self->boxes = DEFAULT_BOXES;
}
