/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "onnxinput.h"

#include <math.h>

#define MAX_SIDE 16384
#define MAX_BATCH_SIZE 65536

/* ---- settings ---- */

GType
onnx_layout_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {ONNX_LAYOUT_AUTO, "Where the model has 1 or 3 channels", "auto"},
    {ONNX_LAYOUT_NCHW, "Channels before rows", "nchw"},
    {ONNX_LAYOUT_NHWC, "Channels within pixels", "nhwc"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchOnnxLayout", values));
  return type;
}

GType
onnx_resize_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {TENSOR_RESIZE_STRETCH, "All of the image, whatever its shape", "stretch"},
    {TENSOR_RESIZE_LETTERBOX, "All of the image, with a border", "letterbox"},
    {TENSOR_RESIZE_CROP, "The middle of the image", "crop"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchOnnxResize", values));
  return type;
}

GType
onnx_colours_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {TENSOR_CHANNELS_RGB, "Red, green, blue", "rgb"},
    {TENSOR_CHANNELS_BGR, "Blue, green, red", "bgr"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchOnnxColours", values));
  return type;
}

static gboolean
parse_number (const gchar * text, gdouble * number)
{
  gchar *end;

  *number = g_ascii_strtod (text, &end);
  while (g_ascii_isspace (*end))
    end++;
  return end != text && *end == '\0' && isfinite (*number);
}

gboolean
onnx_input_parse_numbers (const gchar * text, const gchar * name,
    gdouble numbers[TENSOR_MAX_CHANNELS], GError ** error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  guint n = g_strv_length (words), i;
  gboolean is_valid = n == 1 || n == TENSOR_MAX_CHANNELS;

  for (i = 0; is_valid && i < n; i++)
    is_valid = parse_number (words[i], &numbers[i]);
  if (!is_valid) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "%s=\"%s\" is neither one number nor three, as in \"0.4,0.5,0.6\".",
        name, text);
    return FALSE;
  }
  for (i = n; i < TENSOR_MAX_CHANNELS; i++)
    numbers[i] = numbers[0];
  return TRUE;
}

/* ---- the model ---- */

static void
refuse (OnnxModel * model, const gchar * expected, GError ** error)
{
  g_autofree gchar *found = onnx_model_describe_inputs (model);

  g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      "The model '%s' cannot be given images: expected %s, but it has %s.",
      onnx_model_get_path (model), expected, found);
}

static gboolean
find_type (const OnnxValue * input, TensorType * type)
{
  switch (input->type) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT:
      *type = TENSOR_TYPE_FLOAT32;
      return TRUE;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16:
      *type = TENSOR_TYPE_FLOAT16;
      return TRUE;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8:
      *type = TENSOR_TYPE_UINT8;
      return TRUE;
    default:
      return FALSE;
  }
}

static gboolean
are_channels (gint64 n)
{
  return n == 1 || n == TENSOR_MAX_CHANNELS;
}

/* Which dimension holds the channels; 0 if none does. */
static guint
find_channels (const OnnxValue * input, OnnxLayout layout)
{
  if (layout != ONNX_LAYOUT_NHWC && are_channels (input->shape[1]))
    return 1;
  if (layout != ONNX_LAYOUT_NCHW && are_channels (input->shape[3]))
    return 3;
  return 0;
}

static gboolean
find_side (OnnxModel * model, const gchar * name, gint64 has, gint wanted,
    gint * side, GError ** error)
{
  g_autofree gchar *expected = NULL;

  if (has > MAX_SIDE)
    expected = g_strdup_printf ("a %s of at most %d", name, MAX_SIDE);
  else if (has == 0 || (has > 0 && wanted > 0 && has != wanted))
    expected = g_strdup_printf ("%s=%d", name, MAX (wanted, 1));
  else if (has < 0 && wanted == 0)
    expected = g_strdup_printf ("a %s, which it leaves open: set it here "
        "(%s=...)", name, name);
  if (expected) {
    refuse (model, expected, error);
    return FALSE;
  }
  *side = has > 0 ? has : wanted;
  return TRUE;
}

static gboolean
check_kind (OnnxModel * model, TensorType * type, GError ** error)
{
  const OnnxValue *input = onnx_model_get_input (model, 0);
  const gchar *expected = NULL;

  if (onnx_model_get_n_inputs (model) != 1)
    expected = "one input";
  else if (input->rank != 4)
    expected = "an input with 4 dimensions";
  else if (!find_type (input, type))
    expected = "an input of float32, float16 or uint8";
  else if (input->shape[0] == 0 || input->shape[0] > MAX_BATCH_SIZE)
    expected = "a batch of 1 to 65536";
  if (expected)
    refuse (model, expected, error);
  return !expected;
}

gboolean
onnx_input_plan (OnnxModel * model, const OnnxInputSettings * settings,
    TensorFormat * format, gint64 * batch_size, GError ** error)
{
  const OnnxValue *input;
  guint channels, rows, i;

  if (!check_kind (model, &format->type, error))
    return FALSE;
  input = onnx_model_get_input (model, 0);
  channels = find_channels (input, settings->layout);
  if (channels == 0) {
    refuse (model, settings->layout == ONNX_LAYOUT_NCHW ? "1 or 3 channels "
        "in the second dimension" : settings->layout == ONNX_LAYOUT_NHWC
        ? "1 or 3 channels in the last dimension" : "1 or 3 channels in the "
        "second or last dimension", error);
    return FALSE;
  }
  rows = channels == 1 ? 2 : 1;
  if (!find_side (model, "height", input->shape[rows], settings->height,
          &format->height, error)
      || !find_side (model, "width", input->shape[rows + 1], settings->width,
          &format->width, error))
    return FALSE;
  format->is_nhwc = channels == 3;
  format->channels = input->shape[channels] == 1 ? TENSOR_CHANNELS_GREY
      : settings->colours;
  format->resize = settings->resize;
  format->border = settings->border;
  format->scale = settings->scale != 0 ? settings->scale
      : format->type == TENSOR_TYPE_UINT8 ? 1 : 1 / 255.0;
  for (i = 0; i < TENSOR_MAX_CHANNELS; i++) {
    format->mean[i] = settings->mean[i];
    format->std[i] = settings->std[i];
  }
  *batch_size = MAX (input->shape[0], 0);
  return TRUE;
}
