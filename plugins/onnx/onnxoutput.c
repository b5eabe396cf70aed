/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "onnxoutput.h"

#include "onnxjson.h"
#include "onnxtensors.h"

GType
onnx_output_kind_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {ONNX_OUTPUT_TENSORS, "The numbers as they are", "tensors"},
    {ONNX_OUTPUT_TOPK, "JSON: the largest numbers and their labels", "topk"},
    {ONNX_OUTPUT_EMBEDDING, "JSON: all numbers, as one vector", "embedding"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchOnnxOutput", values));
  return type;
}

GStrv
onnx_output_read_labels (const gchar * path, GError ** error)
{
  g_autofree gchar *text = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, error))
    return NULL;
  if (!g_utf8_validate (text, length, NULL)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "The labels '%s' are not UTF-8.", path);
    return NULL;
  }
  g_strchomp (text);
  return *text ? g_strsplit (text, "\n", -1) : g_new0 (gchar *, 1);
}

static gboolean
check_labels (const OnnxOutputSettings * settings, OnnxRunner * runner,
    GError ** error)
{
  const OnnxValue *value = onnx_runner_get_output (runner, 0);
  gsize n = onnx_value_count (value);

  if (settings->kind != ONNX_OUTPUT_TOPK || !settings->labels
      || g_strv_length (settings->labels) == n)
    return TRUE;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "There are %u labels, but %" G_GSIZE_FORMAT " numbers in the model's "
      "output '%s'.", g_strv_length (settings->labels), n, value->name);
  return FALSE;
}

GstCaps *
onnx_output_get_caps (const OnnxOutputSettings * settings, OnnxRunner * runner,
    GError ** error)
{
  if (settings->kind == ONNX_OUTPUT_TENSORS)
    return onnx_tensors_get_caps (runner, error);
  if (!check_labels (settings, runner, error))
    return NULL;
  return gst_caps_new_empty_simple ("application/json");
}

GstBuffer *
onnx_output_make (const OnnxOutputSettings * settings, OnnxRunner * runner,
    guint image)
{
  GString *json;
  gsize size;

  if (settings->kind == ONNX_OUTPUT_TENSORS)
    return onnx_tensors_make (runner, image);
  json = settings->kind == ONNX_OUTPUT_TOPK
      ? onnx_json_make_top (runner, image, settings)
      : onnx_json_make_embedding (runner, image, settings);
  if (!json)
    return NULL;
  size = json->len;
  return gst_buffer_new_wrapped (g_string_free (json, FALSE), size);
}
