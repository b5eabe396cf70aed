/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* A sink pad of orchjoin. */
#define GST_TYPE_ORCH_JOIN_PAD (gst_orch_join_pad_get_type ())
G_DECLARE_FINAL_TYPE (GstOrchJoinPad, gst_orch_join_pad, GST, ORCH_JOIN_PAD,
    GstPad)

gboolean gst_orch_join_pad_is_optional (GstOrchJoinPad * self);
/* (transfer none): interned: its label, or its name */
const gchar *gst_orch_join_pad_get_label (GstOrchJoinPad * self);

G_END_DECLS
