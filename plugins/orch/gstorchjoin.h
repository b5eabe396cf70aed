/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchzip.h"

G_BEGIN_DECLS

#define GST_TYPE_ORCH_JOIN (gst_orch_join_get_type ())
G_DECLARE_FINAL_TYPE (GstOrchJoin, gst_orch_join, GST, ORCH_JOIN, GstOrchZip)

GST_ELEMENT_REGISTER_DECLARE (orchjoin);

G_END_DECLS
