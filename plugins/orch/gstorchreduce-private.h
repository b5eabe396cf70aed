/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchreduce.h"

#include <gst/orch/gstorchcall-private.h>
#include <gst/orch/gstorchlist-private.h>

G_BEGIN_DECLS

typedef enum
{
  GST_ORCH_REDUCE_LIST,
  GST_ORCH_REDUCE_CONCAT,
} GstOrchReduceOutput;

/* Results that wait to be pushed, above which children wait as well. */
#define GST_ORCH_REDUCE_MAX_FINISHED 64

/* What a gather keeps of one child. */
typedef struct
{
  GstBuffer *buffer;            /* (nullable) */
  GstCaps *caps;                /* (nullable) */
  GstOrchInfo *info;
} GstOrchReduceValue;

/* The gather of one Expansion: attached to it, and in the element's list while
 * it is open. */
typedef struct _GstOrchReduceGather GstOrchReduceGather;
struct _GstOrchReduceGather
{
  GstOrchReduceGather *prev, *next;
  OrchExpansion *expansion;     /* owned while open */
  OrchGather *gather;           /* NULL once the parent has left */
};

/* The result of a parent, to be pushed or posted by the src task. */
typedef struct
{
  OrchEntity *parent;
  OrchOutcome outcome;
  OrchCause *cause;
  GstOrchInfo *info;
  GstBuffer *buffer;
  GstCaps *caps;
} GstOrchReduceResult;

struct _GstOrchReduce
{
  GstElement element;

  GstPad *sinkpad;
  GstPad *srcpad;
  GstOrchSubscriber *input;
  GstOrchEgress output;

  GMutex lock;
  OrchOnFailed on_failed;
  gdouble max_failed;
  GstOrchReduceOutput mode;
  GstOrchOnLost on_lost;
  GstOrchOrder order;
  gpointer key;                 /* that its gathers are attached under */
  GstOrchReduceGather *open;    /* list, newest first */
  gboolean any_held;            /* of them, all known but for a barrier */
  GstOrchLedger ledger;         /* of parents */
  GstCaps *caps;                /* in force on the sink pad */
  gboolean flushing;
  gboolean eos;
  gboolean resolved;
  gboolean cut_off;             /* and what was open even so has been closed */
  GQueue finished;              /* GstOrchReduceResult: to be pushed */
  GCond room;                   /* the streaming thread waits while there are many */
  GHashTable *rows;             /* order=input: results that wait for others */
  GstFlowReturn flow;

  /* Src task only. */
  GstClockTime next_time;
};

/* gstorchreducegather.c; with the lock held unless said otherwise */
G_GNUC_INTERNAL GstOrchReduceValue *gst_orch_reduce_value_new (GstBuffer *
    buffer, GstCaps * caps, GstOrchInfo * info);
G_GNUC_INTERNAL void gst_orch_reduce_value_free (gpointer value);
/* (transfer none) (nullable): NULL once the parent has left */
G_GNUC_INTERNAL GstOrchReduceGather *gst_orch_reduce_get_gather (GstOrchReduce *
    self, OrchExpansion * expansion);
/* Tells a gather what its Expansion says of itself. */
G_GNUC_INTERNAL void gst_orch_reduce_read_expansion (GstOrchReduceGather *
    gather, OrchExpansion * expansion);
/* Moves a gather that has come to its outcome to `finished`.  Returns what is
 * to be freed without lock. */
G_GNUC_INTERNAL void gst_orch_reduce_check (GstOrchReduce * self,
    GstOrchReduceGather * gather, GPtrArray * garbage);
/* Looks again at those that waited for a Call to seal its Grains. */
G_GNUC_INTERNAL void gst_orch_reduce_check_held (GstOrchReduce * self,
    GPtrArray * garbage);
/* Closes what is still open at the end of the pad. */
G_GNUC_INTERNAL void gst_orch_reduce_cut_off (GstOrchReduce * self,
    GPtrArray * garbage);
/* Forgets every open gather. */
G_GNUC_INTERNAL void gst_orch_reduce_forget (GstOrchReduce * self,
    GPtrArray * garbage);
/* Garbage: gathers and Expansions, freed without lock; what parents that ended
 * there leave unfinished is not wanted any more. */
G_GNUC_INTERNAL void gst_orch_reduce_dispose (GstOrchReduce * self,
    GPtrArray * garbage);
G_GNUC_INTERNAL GPtrArray *gst_orch_reduce_garbage_new (void);
G_GNUC_INTERNAL void gst_orch_reduce_garbage_add_expansion (GPtrArray *
    garbage, OrchExpansion * expansion);
G_GNUC_INTERNAL void gst_orch_reduce_result_free (gpointer result);

/* What its Port tells it; no lock held. */
G_GNUC_INTERNAL void gst_orch_reduce_unwant (GstElement * element,
    OrchExpansion * expansion, OrchCause * cause);

/* gstorchreduceorder.c; with the lock held */
G_GNUC_INTERNAL GHashTable *gst_orch_reduce_rows_new (void);
/* Takes over `result`; what may leave goes to `finished`. */
G_GNUC_INTERNAL void gst_orch_reduce_rows_add (GHashTable * rows,
    GstOrchReduceResult * result, GQueue * finished);
G_GNUC_INTERNAL void gst_orch_reduce_rows_collect (GHashTable * rows,
    GPtrArray * garbage);
G_GNUC_INTERNAL void gst_orch_reduce_rows_drain (GHashTable * rows,
    GQueue * finished);

/* gstorchreducelist.c: no lock */
G_GNUC_INTERNAL GstOrchList *gst_orch_reduce_make_list (OrchGather * gather,
    OrchExpansion * expansion, OrchOnFailed mode);
G_GNUC_INTERNAL GstBuffer *gst_orch_reduce_concat (GstOrchList * list,
    GstCaps ** caps);

/* gstorchreducesrc.c */
G_GNUC_INTERNAL void gst_orch_reduce_start_task (GstOrchReduce * self);
G_GNUC_INTERNAL gboolean gst_orch_reduce_src_activate_mode (GstPad * pad,
    GstObject * parent, GstPadMode mode, gboolean active);
G_GNUC_INTERNAL gboolean gst_orch_reduce_src_query (GstPad * pad,
    GstObject * parent, GstQuery * query);

/* gstorchreducesink.c */
G_GNUC_INTERNAL GstFlowReturn gst_orch_reduce_chain (GstPad * pad,
    GstObject * parent, GstBuffer * buffer);
G_GNUC_INTERNAL GstFlowReturn gst_orch_reduce_chain_list (GstPad * pad,
    GstObject * parent, GstBufferList * list);
G_GNUC_INTERNAL gboolean gst_orch_reduce_sink_event (GstPad * pad,
    GstObject * parent, GstEvent * event);
G_GNUC_INTERNAL gboolean gst_orch_reduce_sink_query (GstPad * pad,
    GstObject * parent, GstQuery * query);
G_GNUC_INTERNAL gboolean gst_orch_reduce_sink_activate_mode (GstPad * pad,
    GstObject * parent, GstPadMode mode, gboolean active);
/* No lock held.  FALSE, with an error posted, for an Entity that has no
 * parent. */
G_GNUC_INTERNAL gboolean gst_orch_reduce_enter_outcome (GstOrchReduce * self,
    GstOrchNews * news);
G_GNUC_INTERNAL void gst_orch_reduce_enter_expansion (GstOrchReduce * self,
    OrchExpansion * expansion);

G_END_DECLS
