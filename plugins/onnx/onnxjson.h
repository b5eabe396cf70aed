/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "onnxoutput.h"

G_BEGIN_DECLS

/* (transfer full): of the first output, NULL if a number is not finite. */
GString *onnx_json_make_top (OnnxRunner * runner, guint image,
    const OnnxOutputSettings * settings);
GString *onnx_json_make_embedding (OnnxRunner * runner, guint image,
    const OnnxOutputSettings * settings);

G_END_DECLS
