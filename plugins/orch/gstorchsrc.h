/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/base/gstpushsrc.h>

G_BEGIN_DECLS

#define GST_TYPE_ORCH_SRC (gst_orch_src_get_type ())
G_DECLARE_FINAL_TYPE (GstOrchSrc, gst_orch_src, GST, ORCH_SRC, GstPushSrc)

GST_ELEMENT_REGISTER_DECLARE (orchsrc);

G_END_DECLS
