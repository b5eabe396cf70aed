/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchonnx.h"

static gboolean
plugin_init (GstPlugin * plugin)
{
  return gst_orch_function_register (plugin, "onnx",
      GST_TYPE_ORCH_ONNX_FUNCTION);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, orchonnx,
    "ONNX models (ONNX Runtime)", plugin_init, PACKAGE_VERSION, GST_LICENSE,
    GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
