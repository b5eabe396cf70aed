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
  GST_ORCH_REDUCE_STACK,
} GstOrchReduceOutput;

/* Results that wait to be pushed, above which children wait as well. */
#define GST_ORCH_REDUCE_MAX_FINISHED 64

/* What a gather keeps of one child. */
typedef struct _GstOrchReduceValue GstOrchReduceValue;
struct _GstOrchReduceValue
{
  GstBuffer *buffer;            /* (nullable) */
  GstCaps *caps;                /* (nullable) */
  GstOrchInfo *info;
  GstOrchList *gathered;        /* (nullable): what `buffer` was made of; it keeps it */
  GstOrchReduceValue *next;     /* with several pads: of the next one */
};

/* What the pads say of one child, until all have (S3.7). */
typedef struct
{
  guint64 ordinal;
  guint n;                      /* pads */
  OrchInput *inputs;
  GstOrchReduceValue **values;
} GstOrchReduceRow;

/* The gather of one Expansion: attached to it, and in the element's list while
 * it is open. */
typedef struct _GstOrchReduceGather GstOrchReduceGather;
struct _GstOrchReduceGather
{
  GstOrchReduceGather *prev, *next;
  GstOrchReduce *owner;
  OrchExpansion *expansion;     /* owned while open */
  OrchGather *gather;           /* NULL once the parent has left */
  GHashTable *rows;             /* (nullable): ordinal -> GstOrchReduceRow */
};

/* The result of a parent, to be pushed or posted by the src task. */
typedef struct
{
  OrchEntity *parent;
  OrchOutcome outcome;
  OrchCause *cause;
  GstOrchInfo *info;
  GstOrchList *list;            /* (nullable): of the values */
  GstBuffer *buffer;            /* (nullable): what is made of it */
  GstCaps *caps;
} GstOrchReduceResult;

typedef struct _GstOrchReduceSrc GstOrchReduceSrc;

/* A sink pad: of values, or of the members they are values of. */
typedef struct
{
  GstOrchReduce *owner;
  GstPad *pad;
  GstOrchSubscriber *subscriber;
  GstOrchReduceSrc *src;        /* (nullable): of values, where their lists go */
  guint column;                 /* its place among the pads */
  /* With the element's lock. */
  gboolean started;
  gboolean flushing;
  gboolean eos;
  gboolean resolved;            /* what has not arrived by then is lost */
  gboolean quiet;               /* and has been heard */
  gint gone;                    /* atomic: released; kept until the element stops */
  /* Its streaming thread only. */
  GstCaps *caps;
} GstOrchReduceInput;

static inline gboolean
gst_orch_reduce_is_gone (GstOrchReduceInput * input)
{
  return g_atomic_int_get (&input->gone);
}

/* A src pad, and what its task needs. */
struct _GstOrchReduceSrc
{
  GstOrchReduce *owner;
  GstOrchReduceInput *input;    /* whose subscriber wakes the task */
  GstOrchEgress egress;
  /* With the element's lock. */
  GQueue finished;              /* GstOrchReduceResult: to be pushed */
  GHashTable *rows;             /* order=input: results that wait for others */
  gboolean flushing;            /* the pad goes down */
  /* Its task only. */
  GstClockTime next_time;
};

struct _GstOrchReduce
{
  GstElement element;

  /* Of the always pads; the others are added before the element starts. */
  GstOrchReduceInput *input;
  GstOrchReduceSrc *src;
  GPtrArray *inputs;            /* GstOrchReduceInput, that one first */

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
  GstOrchReduceInput *members;  /* (nullable): whose outcomes decide who is one */
  OrchDomain *domain;           /* (nullable): of the children, with several pads */
  gboolean running;
  gboolean flushing;
  gboolean cut_off;             /* what was open at the end has been closed */
  GCond room;                   /* streaming threads wait while much is finished */
  GstFlowReturn flow;
};

/* gstorchreducegather.c; with the lock held unless said otherwise */
G_GNUC_INTERNAL GstOrchReduceValue *gst_orch_reduce_value_new (GstBuffer *
    buffer, GstCaps * caps, GstOrchInfo * info);
/* With those behind it. */
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

/* gstorchreducealigned.c: several pads (S3.7) */
/* With the lock held: what one pad says of a child; `value` (transfer full). */
G_GNUC_INTERNAL void gst_orch_reduce_enter_row (GstOrchReduceInput * input,
    GstOrchReduceGather * gather, guint64 ordinal, OrchOutcome outcome,
    OrchCause * cause, GstOrchReduceValue * value);
/* With the lock held: nobody says any more what is still missing. */
G_GNUC_INTERNAL void gst_orch_reduce_end_rows (GstOrchReduce * self,
    GstOrchReduceGather * gather);
/* No lock held.  FALSE, with an error posted: of another Domain than the rest. */
G_GNUC_INTERNAL gboolean gst_orch_reduce_check_domain (GstOrchReduce * self,
    OrchEntity * entity);
G_GNUC_INTERNAL GstPad *gst_orch_reduce_request_new_pad (GstElement * element,
    GstPadTemplate * templ, const gchar * name, const GstCaps * caps);
G_GNUC_INTERNAL void gst_orch_reduce_release_pad (GstElement * element,
    GstPad * pad);
/* Between runs: pads that were released leave no gap. */
G_GNUC_INTERNAL void gst_orch_reduce_forget_released (GstOrchReduce * self);

/* gstorchreducelist.c: no lock */
/* Of the values of one pad. */
G_GNUC_INTERNAL GstOrchList *gst_orch_reduce_make_list (OrchGather * gather,
    OrchExpansion * expansion, OrchOnFailed mode, guint column);
/* (transfer full) (nullable): NULL with `cause` (out) (transfer full) when one of
 * them has no bytes.  `caps`: NULL when there are none to tell it by. */
G_GNUC_INTERNAL GstBuffer *gst_orch_reduce_concat (GstOrchList * list,
    GstCaps ** caps, OrchCause ** cause);
/* (transfer full): the bytes of all, in order; without a copy if they are few */
G_GNUC_INTERNAL GstBuffer *gst_orch_reduce_join (GPtrArray * buffers);

/* gstorchreducestack.c: no lock */
/* (transfer full) (nullable): NULL with `cause` (out) (transfer full) when they do
 * not fit together. */
G_GNUC_INTERNAL GstBuffer *gst_orch_reduce_stack (GstOrchList * list,
    GstCaps ** caps, OrchCause ** cause);

/* gstorchreducesrc.c */
G_GNUC_INTERNAL GstOrchReduceSrc *gst_orch_reduce_src_new (GstOrchReduce *
    self, GstPad * pad, GstOrchReduceInput * input);
G_GNUC_INTERNAL void gst_orch_reduce_src_free (GstOrchReduceSrc * src);
G_GNUC_INTERNAL void gst_orch_reduce_start_task (GstOrchReduceSrc * src);
/* With the lock held: what waits to be pushed, to be freed without it. */
G_GNUC_INTERNAL void gst_orch_reduce_src_steal (GstOrchReduceSrc * src,
    GQueue * finished, GHashTable ** rows);

/* gstorchreducesink.c */
/* Takes over nothing; `pad` is not added yet. */
G_GNUC_INTERNAL GstOrchReduceInput *gst_orch_reduce_input_new (GstOrchReduce *
    self, GstPad * pad);
G_GNUC_INTERNAL void gst_orch_reduce_input_free (gpointer input);
/* No lock held: forgets every open gather and what waits to be pushed. */
G_GNUC_INTERNAL void gst_orch_reduce_drop_all (GstOrchReduce * self);
/* All tasks look again. */
G_GNUC_INTERNAL void gst_orch_reduce_wake (GstOrchReduce * self);
/* No lock held.  FALSE, with an error posted, for an Entity that has no
 * parent. */
G_GNUC_INTERNAL gboolean gst_orch_reduce_enter_outcome (GstOrchReduceInput *
    input, GstOrchNews * news);
G_GNUC_INTERNAL void gst_orch_reduce_enter_expansion (GstOrchReduce * self,
    OrchExpansion * expansion);

G_END_DECLS
