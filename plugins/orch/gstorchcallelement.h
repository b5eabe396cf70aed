/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* `orchcall`: a Call whose Function is named by a property. */
#define GST_TYPE_ORCH_CALL_ELEMENT (gst_orch_call_element_get_type ())
GType gst_orch_call_element_get_type (void);

GST_ELEMENT_REGISTER_DECLARE (orchcall);

G_END_DECLS
