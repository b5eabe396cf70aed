/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchpdfpagefunction.h"
#include "pdfcache.h"

/* orchexpand takes turns among this many documents, and more. */
#define DEFAULT_MAX_DOCUMENTS 64

enum
{
  PROP_0,
  PROP_MAX_DOCUMENTS,
};

typedef struct
{
  guint max_documents;          /* protected by the object lock */
} GstOrchPdfPageFunctionPrivate;

typedef struct
{
  PdfCache *cache;
  PdfCanvas *canvas;
} Replica;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GstOrchPdfPageFunction,
    gst_orch_pdf_page_function, GST_TYPE_ORCH_PDF_FUNCTION);

static gboolean
gst_orch_pdf_page_function_setup (GstOrchFunction * function,
    gpointer * replica_data, GError ** error)
{
  Replica *replica = g_new (Replica, 1);

  replica->cache = pdf_cache_new ();
  replica->canvas = pdf_canvas_new ();
  *replica_data = replica;
  return TRUE;
}

static void
gst_orch_pdf_page_function_teardown (GstOrchFunction * function,
    gpointer replica_data)
{
  Replica *replica = replica_data;

  gst_orch_cache_unref (replica->cache);
  pdf_canvas_free (replica->canvas);
  g_free (replica);
}

gboolean
gst_orch_pdf_page_job_check (GstOrchPdfPageJob * job, PdfResult result,
    gboolean is_empty, GError ** error)
{
  g_autoptr (GError) reason = NULL;

  if (job->check == PDF_CHECK_OFF || pdf_check_page (job->document, &job->page,
          job->messages, result, is_empty, &reason))
    return TRUE;
  if (job->check == PDF_CHECK_FAIL) {
    g_propagate_error (error, g_steal_pointer (&reason));
    return FALSE;
  }
  gst_orch_batch_warn (job->batch, job->index, "%s", reason->message);
  return TRUE;
}

static guint
get_max_documents (GstOrchPdfPageFunction * self)
{
  GstOrchPdfPageFunctionPrivate *priv =
      gst_orch_pdf_page_function_get_instance_private (self);
  guint max_documents;

  GST_OBJECT_LOCK (self);
  max_documents = priv->max_documents;
  GST_OBJECT_UNLOCK (self);
  return max_documents;
}

static gboolean
find_page (GstOrchPdfPageFunction * self, Replica * replica,
    GstOrchPdfPageJob * job, GError ** error)
{
  GstOrchRefMeta *meta =
      gst_buffer_get_orch_ref_meta (gst_orch_batch_get_buffer (job->batch,
          job->index));
  g_autofree gchar *password =
      gst_orch_pdf_function_dup_password (GST_ORCH_PDF_FUNCTION (self));
  PopplerDocument *poppler;

  if (!meta || !pdf_page_from_locator (&job->page, meta->locator)) {
    g_set_error_literal (error, PDF_ERROR, PDF_ERROR_NOT_A_PAGE,
        "The input does not refer to a page: pdf-pages makes such references, "
        "and orchexpand opens its list.");
    return FALSE;
  }
  job->document = pdf_cache_get (replica->cache, meta->source, password,
      get_max_documents (self), error);
  if (!job->document)
    return FALSE;
  poppler = pdf_document_get_poppler (job->document, error);
  if (!poppler)
    return FALSE;
  if (job->page.index < poppler_document_get_n_pages (poppler))
    job->poppler_page = poppler_document_get_page (poppler, job->page.index);
  if (job->poppler_page)
    return TRUE;
  g_set_error (error, PDF_ERROR, PDF_ERROR_MISSING_PAGE,
      "Page %d is missing: Poppler cannot find it.", job->page.index + 1);
  return FALSE;
}

static gboolean
gst_orch_pdf_page_function_process (GstOrchPdfFunction * function,
    gpointer replica_data, GstOrchBatch * batch, guint index,
    PdfMessages * messages, GError ** error)
{
  GstOrchPdfPageFunction *self = GST_ORCH_PDF_PAGE_FUNCTION (function);
  Replica *replica = replica_data;
  GstOrchPdfPageJob job = { batch, index, replica->canvas, };
  gboolean ok;

  job.messages = messages;
  job.check = gst_orch_pdf_function_get_check (function);
  if (!find_page (self, replica, &job, error))
    return FALSE;
  ok = GST_ORCH_PDF_PAGE_FUNCTION_GET_CLASS (self)->process_page (self, &job,
      error);
  g_object_unref (job.poppler_page);
  return ok;
}

static void
gst_orch_pdf_page_function_set_property (GObject * object, guint prop_id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchPdfPageFunctionPrivate *priv =
      gst_orch_pdf_page_function_get_instance_private
      (GST_ORCH_PDF_PAGE_FUNCTION (object));

  switch (prop_id) {
    case PROP_MAX_DOCUMENTS:
      GST_OBJECT_LOCK (object);
      priv->max_documents = g_value_get_uint (value);
      GST_OBJECT_UNLOCK (object);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
}

static void
gst_orch_pdf_page_function_get_property (GObject * object, guint prop_id,
    GValue * value, GParamSpec * pspec)
{
  switch (prop_id) {
    case PROP_MAX_DOCUMENTS:
      g_value_set_uint (value,
          get_max_documents (GST_ORCH_PDF_PAGE_FUNCTION (object)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
}

static void
gst_orch_pdf_page_function_class_init (GstOrchPdfPageFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  object_class->set_property = gst_orch_pdf_page_function_set_property;
  object_class->get_property = gst_orch_pdf_page_function_get_property;
  function_class->setup = gst_orch_pdf_page_function_setup;
  function_class->teardown = gst_orch_pdf_page_function_teardown;
  GST_ORCH_PDF_FUNCTION_CLASS (klass)->process =
      gst_orch_pdf_page_function_process;

  g_object_class_install_property (object_class, PROP_MAX_DOCUMENTS,
      g_param_spec_uint ("max-documents", "Maximum documents",
          "Documents that each replica keeps open", 1, G_MAXINT,
          DEFAULT_MAX_DOCUMENTS, G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING |
          G_PARAM_STATIC_STRINGS));

  gst_orch_function_class_set_caps (function_class,
      gst_caps_from_string (GST_ORCH_REF_CAPS_NAME
          ", media-type=(string)application/pdf"), gst_caps_new_any ());
}

static void
gst_orch_pdf_page_function_init (GstOrchPdfPageFunction * self)
{
  GstOrchPdfPageFunctionPrivate *priv =
      gst_orch_pdf_page_function_get_instance_private (self);

  priv->max_documents = DEFAULT_MAX_DOCUMENTS;
}
