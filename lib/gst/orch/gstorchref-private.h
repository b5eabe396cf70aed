/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchref.h>

G_BEGIN_DECLS

/* Takes over `source` and `locator`. */
G_GNUC_INTERNAL void gst_orch_ref_meta_add (GstBuffer * buffer,
    GstBuffer * source, GstStructure * locator);

G_END_DECLS
