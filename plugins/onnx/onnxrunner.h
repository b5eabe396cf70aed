/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "frameimage.h"
#include "onnxinput.h"

G_BEGIN_DECLS

/* A model, and the images of one batch after the other.  Belongs to one thread. */
typedef struct _OnnxRunner OnnxRunner;

/* Runs the model once on nothing, to see what comes out.  `model`: (transfer full).
 * `output_name`: the only output that counts (NULL: all, or the first if `is_single`).
 * NULL with `error` set. */
OnnxRunner *onnx_runner_new (OnnxModel * model,
    const OnnxInputSettings * settings, const gchar * output_name,
    gboolean is_single, GError ** error);
void onnx_runner_free (OnnxRunner * runner);

guint onnx_runner_get_n_outputs (OnnxRunner * runner);
/* What comes out, for each image: all dimensions but the first, which is -1. */
const OnnxValue *onnx_runner_get_output (OnnxRunner * runner, guint output);

/* One more image for the batch.  A model with a fixed batch may be full then.  FALSE with
 * `error` set if there is no memory for it. */
gboolean onnx_runner_add (OnnxRunner * runner, const FrameImage * image,
    GError ** error);
gboolean onnx_runner_is_full (OnnxRunner * runner);

/* Forgets what was added and not run. */
void onnx_runner_clear (OnnxRunner * runner);
/* Runs the model on the images that were added, and begins a new batch.  What came out
 * can be read until the next run.  Of a model with a fixed batch only the places of
 * images count.  FALSE with `error` set. */
gboolean onnx_runner_run (OnnxRunner * runner, GError ** error);
/* (transfer none): onnx_value_count() values */
gconstpointer onnx_runner_get_result (OnnxRunner * runner, guint output,
    guint image);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OnnxRunner, onnx_runner_free)
G_END_DECLS
