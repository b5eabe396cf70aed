/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "tensorformat.h"

guint
tensor_format_get_n_channels (const TensorFormat * format)
{
  return format->channels == TENSOR_CHANNELS_GREY ? 1 : TENSOR_MAX_CHANNELS;
}

gsize
tensor_format_get_value_size (const TensorFormat * format)
{
  switch (format->type) {
    case TENSOR_TYPE_FLOAT16:
      return 2;
    case TENSOR_TYPE_UINT8:
      return 1;
    default:
      return 4;
  }
}

gsize
tensor_format_get_size (const TensorFormat * format)
{
  return (gsize) format->width * format->height
      * tensor_format_get_n_channels (format)
      * tensor_format_get_value_size (format);
}
