/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "onnxvalue.h"

static const struct
{
  ONNXTensorElementDataType type;
  const gchar *name;
  gsize size;
} types[] = {
  {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, "float32", 4},
  {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16, "float16", 2},
  {ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE, "float64", 8},
  {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8, "int8", 1},
  {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8, "uint8", 1},
  {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16, "int16", 2},
  {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16, "uint16", 2},
  {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32, "int32", 4},
  {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32, "uint32", 4},
  {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, "int64", 8},
  {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64, "uint64", 8},
};

void
onnx_value_clear (OnnxValue * value)
{
  g_clear_pointer (&value->name, g_free);
}

gboolean
onnx_value_read_shape (OnnxValue * value,
    const OrtTensorTypeAndShapeInfo * info, GError ** error)
{
  const OrtApi *api = onnx_api_get (error);
  gsize rank = 0;

  if (!api
      || !onnx_api_check (api->GetTensorElementType (info, &value->type),
          value->name, error)
      || !onnx_api_check (api->GetDimensionsCount (info, &rank), value->name,
          error))
    return FALSE;
  if (rank > ONNX_MAX_RANK) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
        "'%s' has %" G_GSIZE_FORMAT " dimensions; there can be %d.",
        value->name, rank, ONNX_MAX_RANK);
    return FALSE;
  }
  value->rank = rank;
  return onnx_api_check (api->GetDimensions (info, value->shape, rank),
      value->name, error);
}

const gchar *
onnx_type_get_name (ONNXTensorElementDataType type)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].type == type)
      return types[i].name;
  return NULL;
}

gsize
onnx_type_get_size (ONNXTensorElementDataType type)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].type == type)
      return types[i].size;
  return 0;
}

gchar *
onnx_value_describe (const OnnxValue * value, const gchar * what)
{
  const gchar *type = onnx_type_get_name (value->type);
  GString *text = g_string_new (NULL);
  guint i;

  g_string_printf (text, "%s '%s', %s [", what, value->name,
      type ? type : value->type == ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED
      ? "no tensor" : "another type");
  for (i = 0; i < value->rank; i++) {
    if (i > 0)
      g_string_append (text, ", ");
    if (value->shape[i] < 0)
      g_string_append_c (text, '?');
    else
      g_string_append_printf (text, "%" G_GINT64_FORMAT, value->shape[i]);
  }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

gsize
onnx_value_count (const OnnxValue * value)
{
  gsize count = 1;
  guint i;

  for (i = 1; i < value->rank; i++)
    count *= value->shape[i];
  return count;
}
