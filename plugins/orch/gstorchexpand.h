/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_ORCH_EXPAND (gst_orch_expand_get_type ())
G_DECLARE_FINAL_TYPE (GstOrchExpand, gst_orch_expand, GST, ORCH_EXPAND,
    GstElement)

GST_ELEMENT_REGISTER_DECLARE (orchexpand);

G_END_DECLS
