/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "onnxrunner.h"

G_BEGIN_DECLS

typedef enum
{
  ONNX_OUTPUT_TENSORS,
  ONNX_OUTPUT_TOPK,
  ONNX_OUTPUT_EMBEDDING,
} OnnxOutputKind;

#define ONNX_TYPE_OUTPUT_KIND (onnx_output_kind_get_type ())
GType onnx_output_kind_get_type (void);

typedef struct
{
  OnnxOutputKind kind;
  guint top;                    /* how many of topk */
  gboolean softmax;
  gboolean normalize;
  GStrv labels;                 /* NULL: none */
} OnnxOutputSettings;

/* One label a line, UTF-8.  NULL with `error` set. */
GStrv onnx_output_read_labels (const gchar * path, GError ** error);

/* (transfer full): what comes out, fixed.  NULL with `error` set if the model's outputs
 * cannot become that. */
GstCaps *onnx_output_get_caps (const OnnxOutputSettings * settings,
    OnnxRunner * runner, GError ** error);

/* (transfer full): of the image in that place of the batch that was run last.  NULL:
 * there are numbers that JSON has not. */
GstBuffer *onnx_output_make (const OnnxOutputSettings * settings,
    OnnxRunner * runner, guint image);

G_END_DECLS
