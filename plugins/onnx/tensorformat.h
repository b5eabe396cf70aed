/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TENSOR_MAX_CHANNELS 3

typedef enum
{
  TENSOR_RESIZE_STRETCH,
  TENSOR_RESIZE_LETTERBOX,
  TENSOR_RESIZE_CROP,
} TensorResize;

typedef enum
{
  TENSOR_CHANNELS_GREY,
  TENSOR_CHANNELS_RGB,
  TENSOR_CHANNELS_BGR,
} TensorChannels;

typedef enum
{
  TENSOR_TYPE_FLOAT32,
  TENSOR_TYPE_FLOAT16,
  TENSOR_TYPE_UINT8,
} TensorType;

/* What becomes of an image.  Each number is (value x scale - mean) / std, of a value from
 * 0 to 255, with mean and std of its channel in the order of the channels. */
typedef struct
{
  gint width, height;
  TensorResize resize;
  TensorChannels channels;
  gboolean is_nhwc;             /* else NCHW */
  TensorType type;
  gdouble scale;
  gdouble mean[TENSOR_MAX_CHANNELS], std[TENSOR_MAX_CHANNELS];
  gdouble border;               /* value of what letterbox leaves free */
} TensorFormat;

guint tensor_format_get_n_channels (const TensorFormat * format);
gsize tensor_format_get_value_size (const TensorFormat * format);
/* of one image, in bytes */
gsize tensor_format_get_size (const TensorFormat * format);

G_END_DECLS
