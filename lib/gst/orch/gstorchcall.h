/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchfunction.h>

G_BEGIN_DECLS

#define GST_TYPE_ORCH_CALL (gst_orch_call_get_type ())
#define GST_ORCH_CALL(obj) \
  (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_ORCH_CALL, GstOrchCall))
#define GST_IS_ORCH_CALL(obj) \
  (G_TYPE_CHECK_INSTANCE_TYPE ((obj), GST_TYPE_ORCH_CALL))

typedef struct _GstOrchCall GstOrchCall;
typedef struct _GstOrchCallClass GstOrchCallClass;

/**
 * GstOrchCall:
 *
 * One configured use of a #GstOrchFunction: the base of `orchcall` and of the
 * element generated for each Function.
 *
 * Since: 0.1
 */
GST_ORCH_API GType gst_orch_call_get_type (void);

GST_ORCH_API GstOrchFunction *gst_orch_call_get_function (GstOrchCall * call);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstOrchCall, gst_object_unref)
G_END_DECLS
