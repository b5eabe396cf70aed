/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchcall-private.h"

G_BEGIN_DECLS

/* run() has returned TRUE: commits what is staged; Grains without an outcome
 * get a contract failure. */
G_GNUC_INTERNAL void gst_orch_batch_finish (GstOrchBatch * batch);
/* run() has returned FALSE: what is not committed follows the recovery policy.
 * FALSE when that says to end the pipeline. */
G_GNUC_INTERNAL gboolean gst_orch_batch_fail (GstOrchBatch * batch,
    const GError * error);
/* With the Call's lock held, from another thread, while run() goes on: the
 * attempt failed for `cause`, and nothing that run() says counts any more.
 * `forgotten`: to be freed without the lock.  Returns as gst_orch_batch_fail(). */
G_GNUC_INTERNAL gboolean gst_orch_batch_abandon (GstOrchBatch * batch,
    OrchCause * cause, OrchGrainList * forgotten);
/* With the Call's lock held, from any thread: the attempt has not ended yet. */
G_GNUC_INTERNAL gboolean gst_orch_batch_is_running (GstOrchBatch * batch);
/* (transfer full): the path of its first open Grain, and how many there are.  As
 * gst_orch_batch_is_running(), while it is TRUE. */
G_GNUC_INTERNAL gchar *gst_orch_batch_describe (GstOrchBatch * batch,
    guint * n);

G_END_DECLS
