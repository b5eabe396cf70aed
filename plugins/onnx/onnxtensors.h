/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "onnxrunner.h"

G_BEGIN_DECLS

#define ONNX_TENSORS_CAPS "other/tensors, format=(string)static"

/* As NNStreamer's elements have them: one memory for each output of the model. */
GstCaps *onnx_tensors_get_caps (OnnxRunner * runner, GError ** error);
GstBuffer *onnx_tensors_make (OnnxRunner * runner, guint image);

G_END_DECLS
