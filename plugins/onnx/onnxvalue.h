/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "onnxapi.h"

G_BEGIN_DECLS

/* As many as NNStreamer's tensors have. */
#define ONNX_MAX_RANK 16

/* An input or output of a model: what its file says, or what came out. */
typedef struct
{
  gchar *name;
  ONNXTensorElementDataType type;       /* UNDEFINED: no tensor */
  guint rank;
  gint64 shape[ONNX_MAX_RANK];  /* -1: open */
} OnnxValue;

void onnx_value_clear (OnnxValue * value);

/* FALSE with `error` set if it has too many dimensions. */
gboolean onnx_value_read_shape (OnnxValue * value,
    const OrtTensorTypeAndShapeInfo * info, GError ** error);

/* As NNStreamer calls it, which is also what messages say; NULL if it has no name for
 * this type. */
const gchar *onnx_type_get_name (ONNXTensorElementDataType type);
/* in bytes; 0 for types without a name */
gsize onnx_type_get_size (ONNXTensorElementDataType type);

/* (transfer full): for people: "input 'x', float32 [?, 3, 224, 224]" */
gchar *onnx_value_describe (const OnnxValue * value, const gchar * what);

/* How many numbers one Grain has of it: all dimensions but the first. */
gsize onnx_value_count (const OnnxValue * value);

G_END_DECLS
