/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "onnxmodel.h"

G_BEGIN_DECLS

/* ONNX Runtime's session for a file, on the provider that is asked for. */
OrtSession *onnx_session_new (const OnnxModelOptions * options,
    GError ** error);

G_END_DECLS
