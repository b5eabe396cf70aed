/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchidentity.h"
#include "gstorchpart.h"

static gboolean
plugin_init (GstPlugin * plugin)
{
  return gst_orch_function_register (plugin, "identity",
      GST_TYPE_ORCH_IDENTITY_FUNCTION)
      && gst_orch_function_register (plugin, "part",
      GST_TYPE_ORCH_PART_FUNCTION);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, orchidentity,
    "Functions that hand on their input, or a part of it", plugin_init,
    PACKAGE_VERSION, GST_LICENSE, GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
