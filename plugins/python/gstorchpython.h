/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/orch.h>

G_BEGIN_DECLS

#define GST_TYPE_ORCH_PYTHON_FUNCTION (gst_orch_python_function_get_type ())
G_DECLARE_FINAL_TYPE (GstOrchPythonFunction, gst_orch_python_function,
    GST, ORCH_PYTHON_FUNCTION, GstOrchFunction)

/* Where the plugin lies: the Python side is found from there. */
G_GNUC_INTERNAL void gst_orch_python_set_plugin_folder (const gchar * folder);

G_END_DECLS
