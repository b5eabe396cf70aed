/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchpython.h"

static gboolean
plugin_init (GstPlugin * plugin)
{
  const gchar *filename = gst_plugin_get_filename (plugin);
  g_autofree gchar *folder = filename ? g_path_get_dirname (filename) : NULL;

  gst_orch_python_set_plugin_folder (folder);
  return gst_orch_function_register (plugin, "python",
      GST_TYPE_ORCH_PYTHON_FUNCTION);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, orchpython,
    "Functions that are classes in Python", plugin_init,
    PACKAGE_VERSION, GST_LICENSE, GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
