/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchpdffunction.h"

G_BEGIN_DECLS

#define GST_TYPE_ORCH_PDF_PAGES_FUNCTION \
  (gst_orch_pdf_pages_function_get_type ())
G_DECLARE_FINAL_TYPE (GstOrchPdfPagesFunction, gst_orch_pdf_pages_function, GST,
    ORCH_PDF_PAGES_FUNCTION, GstOrchPdfFunction)

G_END_DECLS
