/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "onnxmodel.h"
#include "tensorformat.h"

G_BEGIN_DECLS

typedef enum
{
  ONNX_LAYOUT_AUTO,
  ONNX_LAYOUT_NCHW,
  ONNX_LAYOUT_NHWC,
} OnnxLayout;

#define ONNX_TYPE_LAYOUT (onnx_layout_get_type ())
GType onnx_layout_get_type (void);
#define ONNX_TYPE_RESIZE (onnx_resize_get_type ())
GType onnx_resize_get_type (void);
#define ONNX_TYPE_COLOURS (onnx_colours_get_type ())
GType onnx_colours_get_type (void);

/* How images become the model's input, as far as it leaves that open. */
typedef struct
{
  gint width, height;           /* 0: what the model says */
  TensorResize resize;
  OnnxLayout layout;
  TensorChannels colours;       /* of models with three channels */
  gdouble scale;                /* 0: 1/255, or 1 for uint8 */
  gdouble mean[TENSOR_MAX_CHANNELS], std[TENSOR_MAX_CHANNELS];
  gdouble border;
} OnnxInputSettings;

/* "0.5", or "0.4,0.5,0.6": one number for all channels, or one for each.  FALSE with
 * `error` set, which calls it `name`, for anything else. */
gboolean onnx_input_parse_numbers (const gchar * text, const gchar * name,
    gdouble numbers[TENSOR_MAX_CHANNELS], GError ** error);

/* How to fill the input of `model`, and how many images it takes: 0 for any number.
 * FALSE with `error` set, which says what it wants, if it wants no images. */
gboolean onnx_input_plan (OnnxModel * model,
    const OnnxInputSettings * settings, TensorFormat * format,
    gint64 * batch_size, GError ** error);

G_END_DECLS
