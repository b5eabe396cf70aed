/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchcall.h>
#include <gst/orch/gstorchegress-private.h>

G_BEGIN_DECLS

typedef enum
{
  GST_ORCH_ORDER_COMPLETION,
  GST_ORCH_ORDER_INPUT,
} GstOrchOrder;

GST_ORCH_API GType gst_orch_order_get_type (void);
#define GST_TYPE_ORCH_ORDER (gst_orch_order_get_type ())

GST_ORCH_API GType gst_orch_batching_get_type (void);
#define GST_TYPE_ORCH_BATCHING (gst_orch_batching_get_type ())
GST_ORCH_API GType gst_orch_recovery_get_type (void);
#define GST_TYPE_ORCH_RECOVERY (gst_orch_recovery_get_type ())

/* What was in force on the sink pad when a Grain entered; its output is
 * preceded by what differs from the last sent.  Immutable and refcounted. */
typedef struct
{
  gint refs;
  GstCaps *caps;
  GstEvent *segment;
  GPtrArray *tags;              /* GstEvent, (nullable) */
} GstOrchContext;

G_GNUC_INTERNAL GstOrchContext *gst_orch_context_new (void);
/* n at once: the count is one that several threads use for every Grain. */
G_GNUC_INTERNAL void gst_orch_context_ref_n (GstOrchContext * context, guint n);
G_GNUC_INTERNAL void gst_orch_context_unref_n (GstOrchContext * context,
    guint n);
G_GNUC_INTERNAL void gst_orch_context_unref (GstOrchContext * context);
/* (transfer full): `context` (transfer full) changed by a sticky event */
G_GNUC_INTERNAL GstOrchContext *gst_orch_context_with (GstOrchContext *
    context, GstEvent * event);

/* One Grain of a Call: the core's record first, then what it carries. */
typedef struct _GstOrchGrain GstOrchGrain;
struct _GstOrchGrain
{
  OrchGrain core;
  GstOrchGrain *next_entered;   /* order=input: in order of entry */

  GstBuffer *input;
  GstOrchContext *context;
  GstOrchInfo *info;            /* of the input, then of the output */
  gsize bytes;                  /* that the budget counts for it */

  /* What its Function said, until it is committed. */
  guint8 staged;                /* OrchOutcome */
  gboolean staged_group;
  OrchCause *staged_cause;
  GstStructure *staged_info;
  GstBuffer *output;
  GstCaps *output_caps;         /* NULL: those of the input */

  GstEvent **events;            /* serialized, followed it; NULL-terminated */
};

/* Takes over `entity`, `input`, `info` and a reference to `context`. */
G_GNUC_INTERNAL GstOrchGrain *gst_orch_grain_new (OrchEntity * entity,
    GstBuffer * input, GstOrchContext * context, GstOrchInfo * info);
G_GNUC_INTERNAL void gst_orch_grain_free (GstOrchGrain * grain);
/* Frees a list of Grains. */
G_GNUC_INTERNAL void gst_orch_grain_list_free (OrchGrainList * list);
G_GNUC_INTERNAL void gst_orch_grain_attach_event (GstOrchGrain * grain,
    GstEvent * event);
/* Throws away what was staged: the attempt failed. */
G_GNUC_INTERNAL void gst_orch_grain_unstage (GstOrchGrain * grain);

/* Memory that a buffer itself keeps: a file it refers to counts as nothing. */
GST_ORCH_API gsize gst_orch_buffer_get_owned_size (GstBuffer * buffer);

typedef struct _GstOrchReplica GstOrchReplica;

typedef struct
{
  guint64 entered;
  guint64 outcomes[5];          /* by OrchOutcome */
  guint64 batches;
  guint64 full;
  guint64 drained;
  guint64 deadline;
  guint64 budget;
  guint64 recovery;
  guint64 fill[8];              /* by eighth of batch-size */
  guint64 forgotten;
  guint64 refused;              /* outcomes that were not the first (S4.3) */
} GstOrchCallStats;

struct _GstOrchCall
{
  GstElement element;

  GstPad *sinkpad;
  GstPad *srcpad;
  GstOrchFunction *function;    /* (nullable); object lock */

  /* Properties, read under `lock`. */
  guint batch_size;
  guint n_replicas;
  guint max_buffers;
  guint64 max_bytes;
  GstClockTime max_wait;
  OrchBatching batching;
  OrchRecovery recovery;
  guint max_retries;
  GstOrchOrder order;
  GstOrchOnLost on_lost;

  GstOrchSubscriber *input;
  GstOrchEgress output;

  /* Guards everything down to `stats`; never held while user code, a pad push
   * or a query runs, nor while a buffer is freed. */
  GMutex lock;
  GCond space;                  /* the streaming thread waits for credit */
  GCond work;                   /* replicas wait for Grains */
  guint n_idle;                 /* replicas that wait until they are woken */
  guint n_lingering;            /* replicas that wait a moment for more */
  gboolean chain_waits;
  OrchCall *core;
  OrchGrainList sealed;         /* to be pushed, in order of completion */
  GstOrchGrain *entered_head;   /* order=input: from entry to push */
  GstOrchGrain *entered_tail;
  GstOrchGrain *last_entered;   /* not pushed yet: further events follow it */
  guint used_buffers;           /* the budget: from entry to push */
  guint64 used_bytes;
  guint unpushed_buffers;       /* the finished part of it */
  guint64 unpushed_bytes;
  GList *loose_events;          /* serialized, with no Grain before them */
  gboolean flushing;
  gboolean stopping;
  gboolean eos;
  gboolean resolved;            /* at EOS: what is missing was asked for */
  GstFlowReturn flow;
  GstOrchCallStats stats;

  GPtrArray *replicas;
  guint n_threads;              /* of them; fixed while they run */
  gint cancelled;               /* atomic: going down */

  GstOrchContext *context;      /* streaming thread only */
  GPtrArray *sent_tags;         /* src task only */
  GstEvent *stream_start;       /* `lock` */
};

struct _GstOrchCallClass
{
  GstElementClass parent_class;
};

/* (transfer full) (nullable): the Function of a generated element type */
G_GNUC_INTERNAL GstOrchFunction *gst_orch_call_type_make_function (GType type);
/* (transfer none) (nullable) */
G_GNUC_INTERNAL GstOrchFunction *gst_orch_call_peek_function (GstOrchCall *
    self);

/* `function` (transfer full) (nullable) replaces the one there is. */
GST_ORCH_API void gst_orch_call_set_function (GstOrchCall * self,
    GstOrchFunction * function);

/* gstorchcallsink.c: the streaming thread */
G_GNUC_INTERNAL GstFlowReturn gst_orch_call_chain (GstPad * pad,
    GstObject * parent, GstBuffer * buffer);
G_GNUC_INTERNAL GstFlowReturn gst_orch_call_chain_list (GstPad * pad,
    GstObject * parent, GstBufferList * list);
G_GNUC_INTERNAL gboolean gst_orch_call_sink_event (GstPad * pad,
    GstObject * parent, GstEvent * event);
G_GNUC_INTERNAL gboolean gst_orch_call_sink_query (GstPad * pad,
    GstObject * parent, GstQuery * query);
G_GNUC_INTERNAL gboolean gst_orch_call_sink_activate_mode (GstPad * pad,
    GstObject * parent, GstPadMode mode, gboolean active);

/* An Item that no buffer brings: src task. */
G_GNUC_INTERNAL void gst_orch_call_enter_outcome (GstOrchCall * self,
    const GstOrchNews * news);

/* gstorchcallsrc.c: the task of the src pad */
G_GNUC_INTERNAL gboolean gst_orch_call_src_query (GstPad * pad,
    GstObject * parent, GstQuery * query);
G_GNUC_INTERNAL gboolean gst_orch_call_src_activate_mode (GstPad * pad,
    GstObject * parent, GstPadMode mode, gboolean active);
G_GNUC_INTERNAL void gst_orch_call_start_src_task (GstOrchCall * self);
G_GNUC_INTERNAL void gst_orch_call_forget_sent (GstOrchCall * self);

/* gstorchcallcore.c: what the threads share */
/* With the lock held: books what the core has sealed and posts what no buffer
 * will carry.  Wake the src task afterwards. */
G_GNUC_INTERNAL void gst_orch_call_settle (GstOrchCall * self,
    OrchGrainList * sealed);
/* With the lock held: S7, everything that entered has ended. */
G_GNUC_INTERNAL gboolean gst_orch_call_ledger_closes (GstOrchCall * self);
/* With the lock held: takes everything out, to be freed without it. */
G_GNUC_INTERNAL void gst_orch_call_forget (GstOrchCall * self,
    OrchGrainList * forgotten);
/* With the lock held: may a replica take a batch now? */
G_GNUC_INTERNAL gboolean gst_orch_call_may_dispatch (GstOrchCall * self);
/* With the lock held: budget in Grains, 0 resolved to a default */
G_GNUC_INTERNAL guint gst_orch_call_get_max_buffers (GstOrchCall * self);
/* With the lock held: there may be work for n more replicas. */
G_GNUC_INTERNAL void gst_orch_call_wake_replicas (GstOrchCall * self,
    guint n);
/* With the lock held: one more Grain is ready. */
G_GNUC_INTERNAL void gst_orch_call_offer (GstOrchCall * self);
G_GNUC_INTERNAL GstStructure *gst_orch_call_make_stats (GstOrchCall * self);

/* gstorchreplica.c */
G_GNUC_INTERNAL gboolean gst_orch_call_start_replicas (GstOrchCall * self);
G_GNUC_INTERNAL void gst_orch_call_stop_replicas (GstOrchCall * self);

/* gstorchbatch.c */
G_GNUC_INTERNAL GstOrchBatch *gst_orch_batch_new (GstOrchCall * call,
    GstOrchFunction * function, OrchBatch * core);
G_GNUC_INTERNAL void gst_orch_batch_free (GstOrchBatch * batch);

G_END_DECLS
