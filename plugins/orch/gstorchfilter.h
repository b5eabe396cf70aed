/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchzip.h"

G_BEGIN_DECLS

#define GST_TYPE_ORCH_FILTER (gst_orch_filter_get_type ())
G_DECLARE_FINAL_TYPE (GstOrchFilter, gst_orch_filter, GST, ORCH_FILTER,
    GstOrchZip)

GST_ELEMENT_REGISTER_DECLARE (orchfilter);

G_END_DECLS
