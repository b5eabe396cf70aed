/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchdemux.h"
#include "gstorchstream.h"

#include <gst/orch/gstorchledger-private.h>
#include <gst/orch/gstorchport-private.h>

G_BEGIN_DECLS

typedef struct _GstOrchDemuxNode GstOrchDemuxNode;
typedef struct _GstOrchDemuxOutput GstOrchDemuxOutput;

/* What one place among the children of a node holds, until its turn comes. */
typedef struct
{
  guint64 ordinal;              /* its place, and its key there */
  GstOrchDemuxNode *node;       /* (nullable): a group, with places of its own */
  GstBuffer *buffer;            /* (nullable): a child without a value has none */
  GstCaps *caps;                /* (nullable) */
  GstOrchInfo *info;
  OrchOutcome outcome;
} GstOrchDemuxUnit;

/* An Expansion whose children leave in order: that of a stream, or of one of its
 * groups.  Attached to it. */
struct _GstOrchDemuxNode
{
  OrchExpansion *expansion;     /* owned until it is over */
  GstOrchDemuxOutput *output;
  GHashTable *units;            /* ordinal -> GstOrchDemuxUnit, from `next` on */
  guint64 next;
  gboolean over;
};

/* A stream, from its first child, or its end, to its last. */
typedef struct
{
  GstOrchDemuxNode *node;
  GstOrchStream *origin;        /* its Expansion's */
  gboolean begun;
  guint64 within;               /* the place below its own child that has its turn */
  guint position;               /* in what is known of its origin */
  GstSegment segment;
  gboolean has_segment;
} GstOrchDemuxStream;

/* A src pad. */
struct _GstOrchDemuxOutput
{
  GstOrchDemux *owner;
  GstPad *pad;
  gsize id;                     /* of the pad that its streams came to */
  guint64 number;
  /* With the element's lock. */
  GQueue streams;               /* GstOrchDemuxStream, in the order in which they came: the
                                 * first has its turn if none before it is missing */
  gsize last_over;              /* serial number of the last that is over */
  GQueue queue;                 /* GstMiniObject: buffers and events to be pushed */
  guint n_buffers;              /* of those */
  GstCaps *caps;                /* the last that were queued */
  GCond wake;
  gboolean flushing;
  gboolean ended;               /* nobody takes what comes (S5.7) */
  gboolean at_eos;              /* that is the last thing queued */
  gboolean is_new;              /* its task is not started */
  guint n_flushes;              /* of the pad that its streams came to, that it has passed on */
  guint n_flushes_due;
  gboolean was_released;        /* the pad that its streams came to is gone */
  gboolean is_finished;         /* all that is left is pushed */
  gboolean is_going;            /* nothing is given to it any more */
  GWeakRef origin_pad;          /* where events and queries go upstream */
  /* Its task only. */
  gboolean is_added;
};

struct _GstOrchDemux
{
  GstElement element;

  GstPad *sinkpad;
  GstOrchSubscriber *input;
  GstTask *task;                /* hears what no buffer brings */
  GRecMutex task_lock;

  /* Held while others are told of pads, or of a refusal, and for nothing else: who waits
   * for pads, as the parser of launch lines does, expects them one after the other. */
  GMutex adding;

  /* Never held while pushing, adding a pad, or freeing a buffer. */
  GMutex lock;
  GCond room;                   /* the streaming thread waits for it */
  GList *outputs;               /* GstOrchDemuxOutput, in the order of their numbers */
  gpointer key;                 /* that its nodes are attached under */
  gsize last_before;            /* serial number of the last stream that is not expected */
  GstFlowReturn flow;
  guint max_buffers;
  gboolean flushing;
  gboolean eos;
  gboolean resolved;            /* what has not arrived by then is lost */
  gboolean done;                /* every pad is at EOS */
  gboolean refused;             /* what came is of no stream */
  gboolean refusal_posted;
  gboolean told_no_more;        /* that no more pads come */
  GPtrArray *over;              /* Expansions, to be let go without lock */
  GstOrchLedger ledger;         /* of children */

  GstCaps *caps;                /* the streaming thread's */
};

/* Lets go of what is over, and starts the tasks of pads that are new. */
G_GNUC_INTERNAL void gst_orch_demux_unlock (GstOrchDemux * self);
G_GNUC_INTERNAL void gst_orch_demux_wake (GstOrchDemux * self);
/* No lock held: every pad and stream is forgotten. */
G_GNUC_INTERNAL void gst_orch_demux_drop_all (GstOrchDemux * self);

/* gstorchdemuxorder.c: whose turn it is; with the lock held */
G_GNUC_INTERNAL GstOrchDemuxUnit *gst_orch_demux_unit_new (OrchOutcome outcome,
    GstBuffer * buffer, GstCaps * caps, GstOrchInfo * info);
G_GNUC_INTERNAL void gst_orch_demux_unit_free (gpointer unit);
/* What is known of a child.  FALSE: its stream is over, and `unit` is left to be
 * freed without lock. */
G_GNUC_INTERNAL gboolean gst_orch_demux_enter (GstOrchDemux * self,
    OrchEntity * entity, GstOrchDemuxUnit * unit);
/* An Expansion has come to its end. */
G_GNUC_INTERNAL void gst_orch_demux_enter_expansion (GstOrchDemux * self,
    OrchExpansion * expansion);
/* (nullable): where the children in `expansion` go, if some have been entered. */
G_GNUC_INTERNAL GstOrchDemuxOutput *gst_orch_demux_find_output (GstOrchDemux *
    self, OrchExpansion * expansion);
/* No stream that there has been up to now will come. */
G_GNUC_INTERNAL void gst_orch_demux_expect_new (GstOrchDemux * self);
/* Forgets the first stream, with what waits for its turn: its units are added to
 * `garbage`. */
G_GNUC_INTERNAL void gst_orch_demux_forget_stream (GstOrchDemuxOutput * output,
    GPtrArray * garbage);
/* Forgets those that were flushed.  The next one begins. */
G_GNUC_INTERNAL void gst_orch_demux_forget_flushed (GstOrchDemuxOutput *
    output, GPtrArray * garbage);

/* gstorchdemuxqueue.c: what is to be pushed at a pad; with the lock held */
G_GNUC_INTERNAL void gst_orch_demux_output_begin (GstOrchDemuxOutput * output,
    GstOrchDemuxStream * stream);
/* `unit` has its turn, and is taken over. */
G_GNUC_INTERNAL void gst_orch_demux_output_give (GstOrchDemuxOutput * output,
    GstOrchDemuxStream * stream, GstOrchDemuxUnit * unit);
G_GNUC_INTERNAL void gst_orch_demux_output_end (GstOrchDemuxOutput * output);
/* What is queued is added to `garbage`. */
G_GNUC_INTERNAL void gst_orch_demux_output_empty (GstOrchDemuxOutput * output,
    GPtrArray * garbage);

/* gstorchdemuxsrc.c: what goes out; with the lock held unless said otherwise */
/* (nullable): that of the streams that come to the pad of `origin`, made if it is new
 * and there may be something to come. */
G_GNUC_INTERNAL GstOrchDemuxOutput *gst_orch_demux_get_output (GstOrchDemux *
    self, GstOrchStream * origin, guint64 number);
/* Nothing comes to the pad of orchexpand any more that its streams came to. */
G_GNUC_INTERNAL gboolean gst_orch_demux_output_is_orphan (GstOrchDemuxOutput *
    output);
/* No lock held. */
G_GNUC_INTERNAL void gst_orch_demux_output_start (GstOrchDemuxOutput * output);
G_GNUC_INTERNAL void gst_orch_demux_output_flush_start (GstOrchDemuxOutput *
    output, GstEvent * event);
G_GNUC_INTERNAL void gst_orch_demux_output_flush_stop (GstOrchDemuxOutput *
    output, GstEvent * event);
/* The pad is stopped and removed. */
G_GNUC_INTERNAL void gst_orch_demux_output_close (GstOrchDemuxOutput * output);
/* The same, and it is freed: nobody knows it any more. */
G_GNUC_INTERNAL void gst_orch_demux_output_free (GstOrchDemuxOutput * output);

/* gstorchdemuxsink.c */
G_GNUC_INTERNAL void gst_orch_demux_init_sink (GstOrchDemux * self,
    GstPad * pad);
/* The task that hears. */
G_GNUC_INTERNAL void gst_orch_demux_loop (gpointer self);

G_END_DECLS
