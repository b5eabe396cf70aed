/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_ORCH_REDUCE (gst_orch_reduce_get_type ())
G_DECLARE_FINAL_TYPE (GstOrchReduce, gst_orch_reduce, GST, ORCH_REDUCE,
    GstElement)

GST_ELEMENT_REGISTER_DECLARE (orchreduce);

G_END_DECLS
