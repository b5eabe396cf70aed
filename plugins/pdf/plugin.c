/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchpdfpages.h"
#include "gstorchpdfrender.h"
#include "gstorchpdftext.h"

static gboolean
plugin_init (GstPlugin * plugin)
{
  return gst_orch_function_register (plugin, "pdf-pages",
      GST_TYPE_ORCH_PDF_PAGES_FUNCTION)
      && gst_orch_function_register (plugin, "pdf-render",
      GST_TYPE_ORCH_PDF_RENDER_FUNCTION)
      && gst_orch_function_register (plugin, "pdf-text",
      GST_TYPE_ORCH_PDF_TEXT_FUNCTION);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, orchpdf,
    "PDF Functions (Poppler, qpdf)", plugin_init, PACKAGE_VERSION, "GPL",
    GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
