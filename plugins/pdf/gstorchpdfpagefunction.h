/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchpdffunction.h"
#include "pdfdraw.h"

G_BEGIN_DECLS

/**
 * GstOrchPdfPageJob: one page to work on.
 */
typedef struct
{
  GstOrchBatch *batch;
  guint index;                  /* in the batch */
  PdfCanvas *canvas;            /* the replica's */
  PdfDocument *document;
  PdfPage page;
  PopplerPage *poppler_page;
  PdfMessages *messages;
  PdfCheck check;
} GstOrchPdfPageJob;

/**
 * GstOrchPdfPageFunctionClass:
 * @process_page: gives the page's Grain an outcome, or returns FALSE with
 *   @error set
 *
 * Base of the Functions that work on page references.
 */
#define GST_TYPE_ORCH_PDF_PAGE_FUNCTION (gst_orch_pdf_page_function_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstOrchPdfPageFunction, gst_orch_pdf_page_function,
    GST, ORCH_PDF_PAGE_FUNCTION, GstOrchPdfFunction)

struct _GstOrchPdfPageFunctionClass
{
  GstOrchPdfFunctionClass parent_class;

  gboolean (*process_page) (GstOrchPdfPageFunction * self,
      GstOrchPdfPageJob * job, GError ** error);
};

/* Whether the page may be presented: FALSE with @error set when it is damaged
 * and check=fail; with check=warn there is a warning on it. */
gboolean gst_orch_pdf_page_job_check (GstOrchPdfPageJob * job, PdfResult result,
    gboolean is_empty, GError ** error);

G_END_DECLS
