/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchpayload-private.h"
#include "gstorchreplica-private.h"
#include "gstorchsources-private.h"
#include "gstorchspawn-private.h"

G_BEGIN_DECLS

/* Of one that is confined: it could take from others all that there may be. */
#define GST_ORCH_WORKER_MAX_THREADS 1024

/* How often what changes by itself is looked at, in ms: what is still wanted, how
 * much memory is used, whether the Call goes down. */
#define GST_ORCH_WORKER_TICK 20
/* How long a worker may take to end when the Call goes down, in ms. */
#define GST_ORCH_WORKER_STOP_PATIENCE 500
#define GST_ORCH_WORKER_QUIT_PATIENCE 1000

/* Why this process has killed a worker. */
typedef enum
{
  GST_ORCH_KILLED_NOT,
  GST_ORCH_KILLED_TIME,         /* attempt-timeout */
  GST_ORCH_KILLED_MEMORY,       /* max-memory */
  GST_ORCH_KILLED_THREADS,      /* GST_ORCH_WORKER_MAX_THREADS */
  GST_ORCH_KILLED_STOP,         /* the Call goes down */
  GST_ORCH_KILLED_PROTOCOL,     /* what it says makes no sense */
} GstOrchKilled;

/* A batch that was sent, until it ends. */
typedef struct
{
  GstOrchBatch *batch;          /* (nullable): none */
  GstOrchMention mention;
  gint arena;                   /* what was copied for it; -1: nothing */
  gboolean is_let_go;           /* nobody looks at the arena of its area */
  gboolean is_ahead;            /* it was sent while another one was run */
  gboolean is_unread;           /* and the worker died before it took it */
  guint n_warnings;             /* that were heard */
  gsize warned;                 /* bytes of them */
} GstOrchSent;

/* A worker process, seen from the Call: what a replica has in place of a Function
 * in its own thread.  Used by the replica's thread only. */
struct _GstOrchWorker
{
  GstOrchReplica *replica;
  GstOrchProcess process;
  GstOrchLink link;             /* what it says */
  GstOrchLink inbox;            /* what it is told */
  GstOrchLink inbox_end;        /* where it reads that */
  GstOrchSent sent[GST_ORCH_CONTROL_AREAS];     /* each has its own area */
  GstOrchArena arenas[GST_ORCH_CONTROL_AREAS];  /* and arena, if they are reused */
  gboolean reuses_arenas;
  GstOrchCapsCache caps;
  GstOrchSources sources;
  GstOrchKilled killed;
  GError *problem;              /* what made no sense */
  guint serial;                 /* of the properties that it has */
  guint n_deaths;               /* one after the other, no batch between them */
  gboolean heard_failure;       /* since it was last told what is wanted */
  gboolean ahead_refused;       /* what is ready now cannot be sent ahead */
};

typedef enum
{
  GST_ORCH_HEARD_MESSAGE,
  GST_ORCH_HEARD_NOTHING,
  GST_ORCH_HEARD_END,           /* it is dead, or as good as that */
} GstOrchHeard;

/* How a batch in a worker ended. */
typedef enum
{
  GST_ORCH_WORKER_RUNS,         /* it has not */
  GST_ORCH_WORKER_DONE,
  GST_ORCH_WORKER_FAILED,       /* with the Function's error */
  GST_ORCH_WORKER_DIED,         /* with the worker */
} GstOrchWorkerState;

/* gstorchworkerbatch.c: what is said of a batch.  FALSE: it cannot be given to
 * another process; where it is ahead, may be not now. */
G_GNUC_INTERNAL gboolean gst_orch_worker_send_batch (GstOrchWorker * worker,
    GstOrchSent * sent, GError ** error);
/* Applies what the worker says of the batch.  `error`: of FAILED; for anything else
 * that makes no sense, with DIED. */
G_GNUC_INTERNAL GstOrchWorkerState gst_orch_worker_hear (GstOrchWorker * worker,
    GstOrchSent * sent, GstOrchMessage * message, GError ** error);

/* gstorchworkersetup.c */
G_GNUC_INTERNAL gboolean gst_orch_worker_send_setup (GstOrchWorker * worker,
    GError ** error);
/* FALSE: they have changed. */
G_GNUC_INTERNAL gboolean gst_orch_worker_has_properties (GstOrchWorker *
    worker);
/* If they have changed. */
G_GNUC_INTERNAL gboolean gst_orch_worker_send_properties (GstOrchWorker *
    worker, GError ** error);

/* gstorchworkersent.c: the batches that it has, or is to take out of its inbox */
G_GNUC_INTERNAL GstOrchSent *gst_orch_worker_add_sent (GstOrchWorker * worker,
    GstOrchBatch * batch);
G_GNUC_INTERNAL void gst_orch_worker_end_sent (GstOrchWorker * worker,
    GstOrchSent * sent);
/* (nullable) */
G_GNUC_INTERNAL GstOrchSent *gst_orch_worker_find_sent (GstOrchWorker * worker,
    GstOrchBatch * batch);
/* Tells the worker what is not wanted any more of what it is at, and comes next. */
G_GNUC_INTERNAL void gst_orch_worker_tell_wanted (GstOrchWorker * worker,
    GstOrchSent * current);
/* If no other batch waits in the inbox, one that is full, and that nobody else can
 * run now. */
G_GNUC_INTERNAL void gst_orch_worker_send_ahead (GstOrchWorker * worker);
/* Takes it back if others can run it now, or if it is not to be run as it is. */
G_GNUC_INTERNAL void gst_orch_worker_review_ahead (GstOrchWorker * worker);
/* The worker is dead: looks what it had not taken. */
G_GNUC_INTERNAL void gst_orch_worker_note_unread (GstOrchWorker * worker);

/* gstorchworkerend.c: why it has ended.  (transfer full); `is_lost` (out): it was
 * no fault of what it worked on (semantics S5.4). */
G_GNUC_INTERNAL GstOrchCause *gst_orch_worker_explain_end (GstOrchWorker *
    worker, gint status, gboolean * is_lost);

/* gstorchworkerwatch.c: what it says, what it uses, and its end */
/* Waits for a message, no longer than `patience` ms. */
G_GNUC_INTERNAL GstOrchHeard gst_orch_worker_listen (GstOrchWorker * worker,
    GstOrchMessage * message, gint patience);
/* Kills it if it uses more than it may. */
G_GNUC_INTERNAL void gst_orch_worker_check_usage (GstOrchWorker * worker);
/* The first reason counts. */
G_GNUC_INTERNAL void gst_orch_worker_kill (GstOrchWorker * worker,
    GstOrchKilled reason);
/* (transfer full): why; it is gone then, after `patience` ms by force. */
G_GNUC_INTERNAL GstOrchCause *gst_orch_worker_bury (GstOrchWorker * worker,
    gint patience, gboolean * is_lost);
/* Takes the error of a socket whose worker is gone: its end tells more than that. */
G_GNUC_INTERNAL gboolean gst_orch_worker_is_gone (GError ** error);

/* gstorchworkerstart.c */
/* Tries until it is ready.  FALSE without an error: the Call goes down. */
G_GNUC_INTERNAL gboolean gst_orch_worker_start (GstOrchWorker * worker,
    GError ** error);

/* gstorchworker.c */
/* A replica whose Function runs in a worker. */
G_GNUC_INTERNAL const GstOrchReplicaKind *gst_orch_worker_get_kind (void);

G_END_DECLS
