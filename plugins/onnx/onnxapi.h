/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>
#include <onnxruntime_c_api.h>

G_BEGIN_DECLS

/* ONNX Runtime's functions.  NULL with `error` set when the library is older than the
 * headers that this was built with. */
const OrtApi *onnx_api_get (GError ** error);
/* What all models of the process share; it stays.  What it has to say goes to the debug
 * category orchonnx.  Only after onnx_api_get(). */
OrtEnv *onnx_api_get_environment (GError ** error);

/* Frees `status`.  FALSE with `error` set if it is one: `what` failed. */
gboolean onnx_api_check (OrtStatus * status, const gchar * what,
    GError ** error);

G_END_DECLS
