/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchcall-private.h"

G_BEGIN_DECLS

/* In a worker process, what stands behind a batch in place of a Call.  Called from
 * the thread that runs the Function; is_wanted() and is_cancelled() from any. */
typedef struct
{
  gboolean (*is_cancelled) (gpointer data);
  gboolean (*is_wanted) (gpointer data, guint index);
  void (*warn) (gpointer data, guint index, const gchar * text);
  /* n Grains, at `places` in the batch, have an outcome. */
  void (*commit) (gpointer data, GstOrchGrain ** grains, const guint * places,
      guint n);
} GstOrchBatchHost;

/* Takes over what is in `grains`. */
G_GNUC_INTERNAL GstOrchBatch *gst_orch_batch_new_hosted (const GstOrchBatchHost
    * host, gpointer data, GstOrchFunction * function, GstOrchGrain ** grains,
    guint n);
/* run() has returned.  Returns the number of outcomes that were refused. */
G_GNUC_INTERNAL guint gst_orch_batch_finish_hosted (GstOrchBatch * batch,
    gboolean failed);
/* Outcomes that were refused in a worker. */
G_GNUC_INTERNAL void gst_orch_batch_add_refused (GstOrchBatch * batch,
    guint n);

/* run() has returned TRUE: commits what is staged; Grains without an outcome
 * get a contract failure. */
G_GNUC_INTERNAL void gst_orch_batch_finish (GstOrchBatch * batch);
/* run() has returned FALSE: what is not committed follows the recovery policy.
 * FALSE when that says to end the pipeline. */
G_GNUC_INTERNAL gboolean gst_orch_batch_fail (GstOrchBatch * batch,
    const GError * error);
/* The same where a worker died; `is_lost`: that was no fault of the batch (S5.4). */
G_GNUC_INTERNAL gboolean gst_orch_batch_end_attempt (GstOrchBatch * batch,
    OrchCause * cause, gboolean is_lost);
/* No attempt was made: its Grains are ready again, as they were. */
G_GNUC_INTERNAL void gst_orch_batch_return (GstOrchBatch * batch);
/* With the Call's lock held, from another thread, while run() goes on: the
 * attempt failed for `cause`, and nothing that run() says counts any more.
 * `forgotten`: to be freed without the lock.  Returns as gst_orch_batch_fail(). */
G_GNUC_INTERNAL gboolean gst_orch_batch_abandon (GstOrchBatch * batch,
    OrchCause * cause, OrchGrainList * forgotten);
/* (transfer none) (nullable): with the Call's lock held; NULL once it has ended */
G_GNUC_INTERNAL OrchBatch *gst_orch_batch_get_core (GstOrchBatch * batch);
/* With the Call's lock held, from any thread: the attempt has not ended yet. */
G_GNUC_INTERNAL gboolean gst_orch_batch_is_running (GstOrchBatch * batch);
/* (transfer full): the path of its first open Grain, and how many there are.  As
 * gst_orch_batch_is_running(), while it is TRUE. */
G_GNUC_INTERNAL gchar *gst_orch_batch_describe (GstOrchBatch * batch,
    guint * n);

G_END_DECLS
