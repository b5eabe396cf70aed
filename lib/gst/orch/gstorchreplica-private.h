/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchcall-private.h"

G_BEGIN_DECLS

typedef struct _GstOrchWorker GstOrchWorker;

/* Where the Function of a replica runs: in the replica's own thread, or in a worker
 * process that this thread speaks for. */
typedef struct
{
  /* FALSE: it cannot run, for `error`; without one the Call goes down. */
  gboolean (*start) (GstOrchReplica * replica, GError ** error);
  /* (nullable): as start(), before each batch: what has died is replaced */
  gboolean (*prepare) (GstOrchReplica * replica, GError ** error);
  /* A batch, to its end. */
  void (*run) (GstOrchReplica * replica, GstOrchBatch * batch);
  /* Also after a start that failed. */
  void (*stop) (GstOrchReplica * replica);
} GstOrchReplicaKind;

/* What runs a Function's batches. */
struct _GstOrchReplica
{
  const GstOrchReplicaKind *kind;
  GstOrchCall *call;
  guint index;
  GThread *thread;
  GstOrchFunction *function;
  gboolean is_set_up;
  gpointer data;                /* thread: what setup() gave */
  GstOrchWorker *worker;        /* process */
  GstOrchBatch *ahead;          /* (nullable): to be run next */
  gint64 linger_until;          /* the Call's time, us; 0: do not */
  gint64 timeout;               /* of an attempt, us; 0: none */
  guint64 max_memory;           /* of a worker, in bytes; 0: any */

  /* The Call's lock. */
  GstOrchBatch *batch;          /* (nullable): an attempt that is timed */
  gint64 give_up_at;            /* on it */
  gboolean abandoned;           /* the thread is on its own */
};

/* With the Call's lock held: one more thread runs `function`. */
G_GNUC_INTERNAL GstOrchReplica *gst_orch_replica_start (GstOrchCall * call,
    GstOrchFunction * function, guint index);
/* (transfer full) (nullable): a batch to be run after the one that is run, if one is
 * full and all other replicas are busy. */
G_GNUC_INTERNAL GstOrchBatch *gst_orch_replica_reserve_ahead (GstOrchReplica *
    replica);
/* Would another replica run it now? */
G_GNUC_INTERNAL gboolean gst_orch_replica_has_idle_peer (GstOrchReplica *
    replica);
/* With the Call's lock held: one thread less that the Call waits for. */
G_GNUC_INTERNAL void gst_orch_replica_note_end (GstOrchCall * call);
/* recovery=abort */
G_GNUC_INTERNAL void gst_orch_call_end_pipeline (GstOrchCall * call,
    const gchar * reason);

G_END_DECLS
