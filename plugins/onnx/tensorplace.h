/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "tensorformat.h"

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Which part of the target an image fills, in whole pixels, and from where: the middle of
 * the first of them in the image, and how far it is to the next. */
typedef struct
{
  gint x, y, width, height;
  gdouble begin_x, begin_y;
  gdouble step_x, step_y;
} TensorPlace;

/* Pixels that are not square count as what they look like. */
void tensor_place_find (TensorPlace * place, const TensorFormat * format,
    const GstVideoInfo * info);

G_END_DECLS
