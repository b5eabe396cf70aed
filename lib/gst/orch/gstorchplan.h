/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchprelude.h>

G_BEGIN_DECLS

/**
 * GstOrchPlan:
 *
 * What a pipeline is going to do: its Domains, the elements that open, work on
 * and gather them, and what is wrong with it.  Immutable; any thread may use
 * it.
 *
 * Since: 0.1
 */
typedef struct _GstOrchPlan GstOrchPlan;

GST_ORCH_API GType gst_orch_plan_get_type (void);
#define GST_TYPE_ORCH_PLAN (gst_orch_plan_get_type ())

GST_ORCH_API GstOrchPlan *gst_orch_plan_new (GstElement * pipeline);
GST_ORCH_API GstOrchPlan *gst_orch_plan_ref (GstOrchPlan * plan);
GST_ORCH_API void gst_orch_plan_unref (GstOrchPlan * plan);

GST_ORCH_API gboolean gst_orch_plan_is_complete (GstOrchPlan * plan);
GST_ORCH_API guint gst_orch_plan_get_n_errors (GstOrchPlan * plan);
GST_ORCH_API guint gst_orch_plan_get_n_warnings (GstOrchPlan * plan);

GST_ORCH_API gchar *gst_orch_plan_to_text (GstOrchPlan * plan);
GST_ORCH_API gchar *gst_orch_plan_to_json (GstOrchPlan * plan);
GST_ORCH_API gchar *gst_orch_plan_to_dot (GstOrchPlan * plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstOrchPlan, gst_orch_plan_unref)
G_END_DECLS
