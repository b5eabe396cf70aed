/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "onnxtensors.h"

#define MAX_TENSORS 16
#define MIN_DIMENSIONS 4

/* The innermost dimension first, without that of the batch, filled up with 1. */
static void
append_dimensions (GString * text, const OnnxValue * value)
{
  guint n = 0, i;

  for (i = value->rank; i > 1; i--, n++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, n > 0 ? ":" : "",
        value->shape[i - 1]);
  for (; n < MIN_DIMENSIONS; n++)
    g_string_append (text, n > 0 ? ":1" : "1");
}

GstCaps *
onnx_tensors_get_caps (OnnxRunner * runner, GError ** error)
{
  guint n = onnx_runner_get_n_outputs (runner), i;
  GString *dimensions = g_string_new (NULL), *types = g_string_new (NULL);
  GstCaps *caps = NULL;

  for (i = 0; i < n; i++) {
    const OnnxValue *value = onnx_runner_get_output (runner, i);

    g_string_append (dimensions, i > 0 ? "," : "");
    append_dimensions (dimensions, value);
    g_string_append_printf (types, "%s%s", i > 0 ? "," : "",
        onnx_type_get_name (value->type));
  }
  if (n <= MAX_TENSORS)
    caps = gst_caps_new_simple ("other/tensors",
        "format", G_TYPE_STRING, "static", "num_tensors", G_TYPE_INT, n,
        "dimensions", G_TYPE_STRING, dimensions->str,
        "types", G_TYPE_STRING, types->str,
        "framerate", GST_TYPE_FRACTION, 0, 1, NULL);
  else
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
        "The model has %u outputs, but other/tensors at most %d: choose one "
        "with output-name.", n, MAX_TENSORS);
  g_string_free (dimensions, TRUE);
  g_string_free (types, TRUE);
  return caps;
}

GstBuffer *
onnx_tensors_make (OnnxRunner * runner, guint image)
{
  GstBuffer *buffer = gst_buffer_new ();
  guint i;

  for (i = 0; i < onnx_runner_get_n_outputs (runner); i++) {
    const OnnxValue *value = onnx_runner_get_output (runner, i);
    gsize size = onnx_value_count (value) * onnx_type_get_size (value->type);
    gpointer copy = g_memdup2 (onnx_runner_get_result (runner, i, image),
        size);

    gst_buffer_append_memory (buffer, gst_memory_new_wrapped (0, copy, size, 0,
            size, copy, g_free));
  }
  return buffer;
}
