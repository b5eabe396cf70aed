/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_ORCH_SINK (gst_orch_sink_get_type ())
G_DECLARE_FINAL_TYPE (GstOrchSink, gst_orch_sink, GST, ORCH_SINK, GstElement)

GST_ELEMENT_REGISTER_DECLARE (orchsink);

G_END_DECLS
