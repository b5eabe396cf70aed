/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/orch.h>

G_BEGIN_DECLS

#define GST_TYPE_ORCH_ONNX_FUNCTION (gst_orch_onnx_function_get_type ())
G_DECLARE_FINAL_TYPE (GstOrchOnnxFunction, gst_orch_onnx_function, GST,
    ORCH_ONNX_FUNCTION, GstOrchFunction)

G_END_DECLS
