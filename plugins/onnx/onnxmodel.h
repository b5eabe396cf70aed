/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "onnxvalue.h"

G_BEGIN_DECLS

typedef enum
{
  ONNX_PROVIDER_AUTO,
  ONNX_PROVIDER_CPU,
  ONNX_PROVIDER_CUDA,
} OnnxProvider;

#define ONNX_TYPE_PROVIDER (onnx_provider_get_type ())
GType onnx_provider_get_type (void);

typedef struct
{
  const gchar *path;
  OnnxProvider provider;
  gint n_threads;               /* 0: one for each processor */
} OnnxModelOptions;

/* A loaded model: one for all who ask for the same file with the same options, in any
 * thread, as long as one of them keeps it. */
typedef struct _OnnxModel OnnxModel;

/* FALSE with `error` set if there is no such file, without reading it. */
gboolean onnx_model_find (const gchar * path, GError ** error);
OnnxModel *onnx_model_open (const OnnxModelOptions * options, GError ** error);
void onnx_model_unref (OnnxModel * model);

/* for messages */
const gchar *onnx_model_get_path (OnnxModel * model);

guint onnx_model_get_n_inputs (OnnxModel * model);
const OnnxValue *onnx_model_get_input (OnnxModel * model, guint index);
guint onnx_model_get_n_outputs (OnnxModel * model);
const OnnxValue *onnx_model_get_output (OnnxModel * model, guint index);
/* (transfer full): all inputs or outputs, for people */
gchar *onnx_model_describe_inputs (OnnxModel * model);
gchar *onnx_model_describe_outputs (OnnxModel * model);

/* -1: it has none of this name */
gint onnx_model_find_output (OnnxModel * model, const gchar * name);

/* Any thread, several at once.  `outputs`: (transfer full), `n_outputs` of them from
 * `first` on. */
gboolean onnx_model_run (OnnxModel * model, const OrtValue * input,
    guint first, guint n_outputs, OrtValue ** outputs, GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OnnxModel, onnx_model_unref)
G_END_DECLS
