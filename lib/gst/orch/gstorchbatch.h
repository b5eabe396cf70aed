/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchlist.h>

G_BEGIN_DECLS

/**
 * GstOrchBatch:
 *
 * The Grains that one #GstOrchFunctionClass.run() works on.  Belongs to the
 * thread that runs it, for as long as run() takes; only
 * gst_orch_batch_is_wanted() may be called from another.
 *
 * Each Grain needs exactly one outcome: present, drop or fail.  Outcomes are
 * collected and published when run() returns, or earlier by
 * gst_orch_batch_commit().
 *
 * Since: 0.1
 */
typedef struct _GstOrchBatch GstOrchBatch;

/* ---- what to work on ---- */

GST_ORCH_API guint gst_orch_batch_get_size (GstOrchBatch * batch);
GST_ORCH_API GstBuffer *gst_orch_batch_get_buffer (GstOrchBatch * batch,
    guint index);
GST_ORCH_API GstCaps *gst_orch_batch_get_caps (GstOrchBatch * batch,
    guint index);
GST_ORCH_API const GstStructure *gst_orch_batch_get_info (GstOrchBatch * batch,
    guint index);
GST_ORCH_API GstOrchEntity *gst_orch_batch_get_entity (GstOrchBatch * batch,
    guint index);
GST_ORCH_API guint gst_orch_batch_get_n_inputs (GstOrchBatch * batch,
    guint index);
GST_ORCH_API const GstOrchListElement *gst_orch_batch_get_input (GstOrchBatch *
    batch, guint index, guint n);
GST_ORCH_API const GstOrchListElement *gst_orch_batch_get_input_by_name
    (GstOrchBatch * batch, guint index, const gchar * name);
GST_ORCH_API guint gst_orch_batch_get_generation (GstOrchBatch * batch,
    guint index);
GST_ORCH_API gboolean gst_orch_batch_is_wanted (GstOrchBatch * batch,
    guint index);
GST_ORCH_API gboolean gst_orch_batch_is_cancelled (GstOrchBatch * batch);

/* ---- what became of it ---- */

GST_ORCH_API gboolean gst_orch_batch_present (GstOrchBatch * batch, guint index,
    GstBuffer * buffer, GstCaps * caps);
GST_ORCH_API gboolean gst_orch_batch_present_list (GstOrchBatch * batch,
    guint index, GstOrchList * list);
GST_ORCH_API gboolean gst_orch_batch_drop (GstOrchBatch * batch, guint index);
GST_ORCH_API gboolean gst_orch_batch_fail_record (GstOrchBatch * batch,
    guint index, GstOrchCause * cause);
GST_ORCH_API gboolean gst_orch_batch_fail_group (GstOrchBatch * batch,
    guint index, GstOrchCause * cause);
/* of one of several outputs */
GST_ORCH_API gboolean gst_orch_batch_present_output (GstOrchBatch * batch,
    guint index, guint output, GstBuffer * buffer, GstCaps * caps);
GST_ORCH_API gboolean gst_orch_batch_present_list_output (GstOrchBatch * batch,
    guint index, guint output, GstOrchList * list);
GST_ORCH_API gboolean gst_orch_batch_fail_record_output (GstOrchBatch * batch,
    guint index, guint output, GstOrchCause * cause);
GST_ORCH_API gboolean gst_orch_batch_fail_group_output (GstOrchBatch * batch,
    guint index, guint output, GstOrchCause * cause);

GST_ORCH_API void gst_orch_batch_set_info (GstOrchBatch * batch, guint index,
    GstStructure * info);
GST_ORCH_API void gst_orch_batch_warn (GstOrchBatch * batch, guint index,
    const gchar * format, ...) G_GNUC_PRINTF (3, 4);
GST_ORCH_API void gst_orch_batch_commit (GstOrchBatch * batch);

G_END_DECLS
