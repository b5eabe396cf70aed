/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchcall-private.h"

G_BEGIN_DECLS

/* What runs a Function's batches: a thread with what setup() gave it. */
struct _GstOrchReplica
{
  GstOrchCall *call;
  guint index;
  GThread *thread;
  GstOrchFunction *function;
  gpointer data;
  gint64 linger_until;          /* the Call's time, us; 0: do not */
  gint64 timeout;               /* of an attempt, us; 0: none */

  /* The Call's lock. */
  GstOrchBatch *batch;          /* (nullable): an attempt that is timed */
  gint64 give_up_at;            /* on it */
  gboolean abandoned;           /* the thread is on its own */
};

/* With the Call's lock held: one more thread runs `function`. */
G_GNUC_INTERNAL GstOrchReplica *gst_orch_replica_start (GstOrchCall * call,
    GstOrchFunction * function, guint index);
/* With the Call's lock held: one thread less that the Call waits for. */
G_GNUC_INTERNAL void gst_orch_replica_note_end (GstOrchCall * call);
/* recovery=abort */
G_GNUC_INTERNAL void gst_orch_call_end_pipeline (GstOrchCall * call,
    const gchar * reason);

G_END_DECLS
