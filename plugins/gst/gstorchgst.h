/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/orch.h>

G_BEGIN_DECLS

#define GST_TYPE_ORCH_GST_FUNCTION (gst_orch_gst_function_get_type ())
G_DECLARE_FINAL_TYPE (GstOrchGstFunction, gst_orch_gst_function,
    GST, ORCH_GST_FUNCTION, GstOrchFunction)

G_END_DECLS
