/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "pdfcheck.h"

#include <gst/orch/orch.h>

G_BEGIN_DECLS

#define GST_TYPE_ORCH_PDF_CHECK (gst_orch_pdf_check_get_type ())
GType gst_orch_pdf_check_get_type (void);

/**
 * GstOrchPdfFunctionClass:
 * @process: works on one Grain and gives it an outcome, or returns FALSE with
 *   @error set for what fails it.  Whatever Poppler complains about meanwhile
 *   is in @messages.
 *
 * Base of the PDF Functions: their common properties, one Grain at a time.
 */
#define GST_TYPE_ORCH_PDF_FUNCTION (gst_orch_pdf_function_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstOrchPdfFunction, gst_orch_pdf_function, GST,
    ORCH_PDF_FUNCTION, GstOrchFunction)

struct _GstOrchPdfFunctionClass
{
  GstOrchFunctionClass parent_class;

  gboolean (*process) (GstOrchPdfFunction * self, gpointer replica_data,
      GstOrchBatch * batch, guint index, PdfMessages * messages,
      GError ** error);
};

/* (transfer full) (nullable) */
gchar *gst_orch_pdf_function_dup_password (GstOrchPdfFunction * self);
PdfCheck gst_orch_pdf_function_get_check (GstOrchPdfFunction * self);
/* (transfer full) */
GstOrchCause *gst_orch_pdf_cause_new (const GError * error);

G_END_DECLS
