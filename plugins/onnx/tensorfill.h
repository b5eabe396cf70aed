/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "frameimage.h"
#include "tensorformat.h"

G_BEGIN_DECLS

/* Makes numbers of images: resized (bilinear, as most models were trained), in the
 * colours, the order and the type of the tensor, without an image in between.  Belongs
 * to one thread. */
typedef struct _TensorFiller TensorFiller;

TensorFiller *tensor_filler_new (const TensorFormat * format);
void tensor_filler_free (TensorFiller * filler);

/* `tensor`: where the numbers of this image begin in its batch,
 * tensor_format_get_size() bytes. */
void tensor_filler_fill (TensorFiller * filler, const FrameImage * image,
    gpointer tensor);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TensorFiller, tensor_filler_free)
G_END_DECLS
