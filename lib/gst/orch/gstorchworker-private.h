/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchpayload-private.h"
#include "gstorchreplica-private.h"
#include "gstorchsources-private.h"
#include "gstorchspawn-private.h"

G_BEGIN_DECLS

/* Why this process has killed a worker. */
typedef enum
{
  GST_ORCH_KILLED_NOT,
  GST_ORCH_KILLED_TIME,         /* attempt-timeout */
  GST_ORCH_KILLED_MEMORY,       /* max-memory */
  GST_ORCH_KILLED_STOP,         /* the Call goes down */
  GST_ORCH_KILLED_PROTOCOL,     /* what it says makes no sense */
} GstOrchKilled;

/* A worker process, seen from the Call: what a replica has in place of a Function
 * in its own thread.  Used by the replica's thread only. */
struct _GstOrchWorker
{
  GstOrchReplica *replica;
  GstOrchProcess process;
  GstOrchLink link;
  GstOrchCapsCache caps;
  GstOrchSources sources;
  GstOrchKilled killed;
  GError *problem;              /* what made no sense */
  guint serial;                 /* of the properties that it has */
  guint n_deaths;               /* one after the other, no batch between them */
};

/* How a batch in a worker ended. */
typedef enum
{
  GST_ORCH_WORKER_RUNS,         /* it has not */
  GST_ORCH_WORKER_DONE,
  GST_ORCH_WORKER_FAILED,       /* with the Function's error */
  GST_ORCH_WORKER_DIED,         /* with the worker */
} GstOrchWorkerState;

/* gstorchworkerbatch.c: what is said of a batch.  FALSE: it cannot be given to
 * another process. */
G_GNUC_INTERNAL gboolean gst_orch_worker_send_batch (GstOrchWorker * worker,
    GstOrchBatch * batch, GError ** error);
/* Applies what the worker says of `batch`.  `error`: of FAILED; for anything else
 * that makes no sense, with DIED. */
G_GNUC_INTERNAL GstOrchWorkerState gst_orch_worker_hear (GstOrchWorker * worker,
    GstOrchBatch * batch, GstOrchMessage * message, GError ** error);

/* gstorchworkersetup.c */
G_GNUC_INTERNAL gboolean gst_orch_worker_send_setup (GstOrchWorker * worker,
    GError ** error);
/* If they have changed. */
G_GNUC_INTERNAL gboolean gst_orch_worker_send_properties (GstOrchWorker *
    worker, GError ** error);

/* gstorchworkerend.c: why it has ended.  (transfer full); `is_lost` (out): it was
 * no fault of what it worked on (semantics S5.4). */
G_GNUC_INTERNAL GstOrchCause *gst_orch_worker_explain_end (GstOrchWorker *
    worker, gint status, gboolean * is_lost);

/* gstorchworker.c */
/* A replica whose Function runs in a worker. */
G_GNUC_INTERNAL const GstOrchReplicaKind *gst_orch_worker_get_kind (void);

G_END_DECLS
