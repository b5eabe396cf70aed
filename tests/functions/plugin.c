/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "testfunctions.h"

static gboolean
plugin_init (GstPlugin * plugin)
{
  gboolean ok = FALSE;

  ok |= gst_orch_function_register (plugin, "test-hostile",
      test_hostile_function_get_type ());
  ok |= gst_orch_function_register (plugin, "test-list",
      test_list_function_get_type ());
  ok |= gst_orch_function_register (plugin, "test-outputs",
      test_outputs_function_get_type ());
  ok |= gst_orch_function_register (plugin, "test-work",
      test_work_function_get_type ());
  return ok;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, orchtest,
    "Functions for the tests of gst-orch", plugin_init, PACKAGE_VERSION,
    GST_LICENSE, GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN);
