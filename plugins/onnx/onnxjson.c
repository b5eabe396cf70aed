/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "onnxjson.h"

#include "tensorpixel.h"

#include <json-glib/json-glib.h>
#include <math.h>

/* ---- numbers ---- */

static gdouble
read_number (ONNXTensorElementDataType type, gconstpointer data, gsize i)
{
  switch (type) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16:
      return tensor_from_half (((const guint16 *) data)[i]);
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE:
      return ((const gdouble *) data)[i];
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8:
      return ((const gint8 *) data)[i];
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8:
      return ((const guint8 *) data)[i];
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16:
      return ((const gint16 *) data)[i];
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16:
      return ((const guint16 *) data)[i];
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32:
      return ((const gint32 *) data)[i];
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32:
      return ((const guint32 *) data)[i];
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64:
      return ((const gint64 *) data)[i];
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64:
      return ((const guint64 *) data)[i];
    default:
      return ((const gfloat *) data)[i];
  }
}

/* NULL if one is not finite. */
static gdouble *
read_numbers (OnnxRunner * runner, guint image, gsize * n)
{
  const OnnxValue *value = onnx_runner_get_output (runner, 0);
  gconstpointer data = onnx_runner_get_result (runner, 0, image);
  gdouble *numbers;
  gsize i;

  *n = onnx_value_count (value);
  numbers = g_new (gdouble, *n + 1);
  for (i = 0; i < *n; i++) {
    numbers[i] = read_number (value->type, data, i);
    if (!isfinite (numbers[i])) {
      g_free (numbers);
      return NULL;
    }
  }
  return numbers;
}

static void
soften (gdouble * numbers, gsize n)
{
  gdouble largest = -G_MAXDOUBLE, sum = 0;
  gsize i;

  for (i = 0; i < n; i++)
    largest = MAX (largest, numbers[i]);
  for (i = 0; i < n; i++)
    sum += numbers[i] = exp (numbers[i] - largest);
  for (i = 0; i < n; i++)
    numbers[i] /= sum;
}

static void
make_unit_length (gdouble * numbers, gsize n)
{
  gdouble sum = 0;
  gsize i;

  for (i = 0; i < n; i++)
    sum += numbers[i] * numbers[i];
  for (i = 0; i < n && sum > 0; i++)
    numbers[i] /= sqrt (sum);
}

static void
append_number (GString * json, gdouble number)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  /* As many digits as a float has. */
  g_string_append (json, g_ascii_formatd (text, sizeof text, "%.9g", number));
}

/* ---- topk ---- */

/* The largest that comes after `last` (-1: of all), of equal ones the first. */
static gssize
find_next (const gdouble * numbers, gsize n, gssize last)
{
  gssize found = -1;
  gsize i;

  for (i = 0; i < n; i++) {
    if (last >= 0 && (numbers[i] > numbers[last]
            || (numbers[i] == numbers[last] && (gssize) i <= last)))
      continue;
    if (found < 0 || numbers[i] > numbers[found])
      found = i;
  }
  return found;
}

static void
append_label (GString * json, const gchar * label)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_VALUE);
  g_autofree gchar *text = NULL;

  json_node_set_string (node, label);
  text = json_to_string (node, FALSE);
  g_string_append_printf (json, "\"label\":%s,", text);
}

GString *
onnx_json_make_top (OnnxRunner * runner, guint image,
    const OnnxOutputSettings * settings)
{
  gsize n, i;
  g_autofree gdouble *numbers = read_numbers (runner, image, &n);
  gssize last = -1;
  GString *json;

  if (!numbers)
    return NULL;
  if (settings->softmax)
    soften (numbers, n);
  json = g_string_new ("{\"top\":[");
  for (i = 0; i < MIN (settings->top, n); i++) {
    last = find_next (numbers, n, last);
    g_string_append_printf (json, "%s{\"index\":%" G_GSSIZE_FORMAT ",",
        i > 0 ? "," : "", last);
    if (settings->labels)
      append_label (json, settings->labels[last]);
    g_string_append (json, "\"score\":");
    append_number (json, numbers[last]);
    g_string_append_c (json, '}');
  }
  return g_string_append (json, "]}");
}

/* ---- embedding ---- */

GString *
onnx_json_make_embedding (OnnxRunner * runner, guint image,
    const OnnxOutputSettings * settings)
{
  gsize n, i;
  g_autofree gdouble *numbers = read_numbers (runner, image, &n);
  GString *json;

  if (!numbers)
    return NULL;
  if (settings->normalize)
    make_unit_length (numbers, n);
  json = g_string_new ("{\"embedding\":[");
  for (i = 0; i < n; i++) {
    g_string_append (json, i > 0 ? "," : "");
    append_number (json, numbers[i]);
  }
  return g_string_append (json, "]}");
}
