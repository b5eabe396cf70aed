/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchrecordmembers.h"

G_BEGIN_DECLS

/* What a run came to, grouped by cause: bounded, however long the run. */

/* Further causes share one group. */
#define GST_ORCH_SUMMARY_MAX_GROUPS 32
#define GST_ORCH_SUMMARY_MAX_EXAMPLES 3

typedef struct _GstOrchSummary GstOrchSummary;

GstOrchSummary *gst_orch_summary_new (void);
void gst_orch_summary_free (GstOrchSummary * summary);
/* Counts one record, and each failure it lists. */
void gst_orch_summary_add (GstOrchSummary * summary,
    const GstOrchResult * result, const GstOrchRecord * record);
guint64 gst_orch_summary_get_n_records (GstOrchSummary * summary);
guint64 gst_orch_summary_get_n_complete (GstOrchSummary * summary);
/* Records that have nothing of their document. */
guint64 gst_orch_summary_get_n_failed (GstOrchSummary * summary);
/* (transfer full): which cause most failures have, for a person */
gchar *gst_orch_summary_describe_commonest (GstOrchSummary * summary);
/* (transfer full): `name` with documents, complete, incomplete (guint64) and
 * failures: a list of structures with domain, code, message (of the first),
 * count (guint64) and examples (ids) */
GstStructure *gst_orch_summary_to_structure (GstOrchSummary * summary,
    const gchar * name);

G_END_DECLS
