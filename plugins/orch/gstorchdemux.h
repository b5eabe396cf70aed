/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_ORCH_DEMUX (gst_orch_demux_get_type ())
G_DECLARE_FINAL_TYPE (GstOrchDemux, gst_orch_demux, GST, ORCH_DEMUX, GstElement)

GST_ELEMENT_REGISTER_DECLARE (orchdemux);

G_END_DECLS
