/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchpdfpagefunction.h"

G_BEGIN_DECLS

#define GST_TYPE_ORCH_PDF_RENDER_FUNCTION \
  (gst_orch_pdf_render_function_get_type ())
G_DECLARE_FINAL_TYPE (GstOrchPdfRenderFunction, gst_orch_pdf_render_function,
    GST, ORCH_PDF_RENDER_FUNCTION, GstOrchPdfPageFunction)

G_END_DECLS
