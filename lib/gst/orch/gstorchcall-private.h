/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchcall.h>
#include <gst/orch/gstorchegress-private.h>
#include <gst/orch/gstorchledger-private.h>
#include <gst/orch/gstorchtime-private.h>

G_BEGIN_DECLS

typedef enum
{
  GST_ORCH_ORDER_COMPLETION,
  GST_ORCH_ORDER_INPUT,
} GstOrchOrder;

typedef enum
{
  GST_ORCH_WORKERS_THREAD,
  GST_ORCH_WORKERS_PROCESS,
} GstOrchWorkers;

GST_ORCH_API GType gst_orch_workers_get_type (void);
#define GST_TYPE_ORCH_WORKERS (gst_orch_workers_get_type ())

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

/* What a Function gave for a further output of one Grain. */
typedef struct
{
  GstBuffer *buffer;
  GstCaps *caps;
} GstOrchValue;

/* What the budget counts for a Grain that several src pads push: given back with
 * the last of them. */
typedef struct
{
  gint refs;
  gsize bytes;
} GstOrchCredit;

/* One Grain of a Call: the core's record first, then what it carries.  Once it is
 * sealed each src pad has one of its own. */
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
  guint32 said;                 /* of which outputs, one bit each */
  guint8 staged;                /* OrchOutcome */
  guint8 failed_output;         /* the one that gives the cause (S4.4) */
  gboolean staged_group;
  OrchCause *staged_cause;
  GstStructure *staged_info;
  GstBuffer *output;
  GstCaps *output_caps;         /* NULL: those of the input */
  GstOrchValue *further;        /* (nullable): of the further outputs */
  guint n_further;

  GstOrchCredit *credit;        /* (nullable): shared with other src pads */
  GstEvent **events;            /* serialized, followed it; NULL-terminated */
};

/* Takes over `entity`, `input`, `info` and a reference to `context`. */
G_GNUC_INTERNAL GstOrchGrain *gst_orch_grain_new (OrchEntity * entity,
    GstBuffer * input, GstOrchContext * context, GstOrchInfo * info);
G_GNUC_INTERNAL void gst_orch_grain_free (GstOrchGrain * grain);
/* (transfer full): for a further src pad, what a sealed Grain says there.  Moves
 * the value of that output out. */
G_GNUC_INTERNAL GstOrchGrain *gst_orch_grain_new_part (GstOrchGrain * grain,
    guint output);
/* Where the value of output 1 .. n of a Grain is kept. */
G_GNUC_INTERNAL GstOrchValue *gst_orch_grain_get_further (GstOrchGrain *
    grain, guint output, guint n);
/* TRUE when `credit` (transfer full) was the last reference; `bytes` (out) then. */
G_GNUC_INTERNAL gboolean gst_orch_credit_drop (GstOrchCredit * credit,
    gsize * bytes);
/* Frees a list of Grains. */
G_GNUC_INTERNAL void gst_orch_grain_list_free (OrchGrainList * list);
G_GNUC_INTERNAL void gst_orch_grain_attach_event (GstOrchGrain * grain,
    GstEvent * event);
/* (transfer full): what a Function works on in place of `grain`, which may be
 * taken from it */
G_GNUC_INTERNAL GstOrchGrain *gst_orch_grain_new_stand_in (GstOrchGrain *
    grain);
/* Moves what is staged from a stand-in to its Grain.  It keeps what was there,
 * to be freed with it. */
G_GNUC_INTERNAL void gst_orch_grain_take_staged (GstOrchGrain * grain,
    GstOrchGrain * stand_in);
/* Throws away what was staged: the attempt failed. */
G_GNUC_INTERNAL void gst_orch_grain_unstage (GstOrchGrain * grain);

/* Memory that a buffer itself keeps: a file it refers to counts as nothing. */
GST_ORCH_API gsize gst_orch_buffer_get_owned_size (GstBuffer * buffer);

typedef struct _GstOrchReplica GstOrchReplica;

typedef struct
{
  GstOrchLedger ledger;
  guint64 batches;
  guint64 full;
  guint64 drained;
  guint64 deadline;
  guint64 budget;
  guint64 recovery;
  guint64 repeated;             /* units of those */
  guint64 ahead;                /* sent to a worker while it was busy */
  guint64 fill[8];              /* by eighth of batch-size */
  guint64 refused;              /* outcomes that were not the first (S4.3) */
  guint64 timeouts;             /* attempts that took too long (S5.3) */
  guint64 workers_died;         /* by what they worked on */
  guint64 workers_lost;         /* from outside (S5.4) */
  gint64 first_begin;           /* of a batch, the Call's time, us; 0: none yet */
  gint64 last_end;
  gint64 busy;                  /* of all batches that have ended, us */
} GstOrchCallStats;

/* A src pad: its Port, its task, and what waits to be pushed there.  Refcounted. */
typedef struct
{
  gint refs;
  GstOrchCall *call;
  guint index;                  /* 0: "src", else "src_1" .. */
  GstOrchEgress egress;
  /* The Call's lock. */
  GCond pushable;               /* a further pad's task waits for any of these */
  OrchGrainList sealed;         /* to be pushed */
  GList *loose_events;          /* serialized, with no Grain before them */
  GstEvent *stream_start;
  GstFlowReturn end;            /* why downstream takes no more, or OK */
  gboolean flushing;            /* its own pad goes down */
  gint pushes_quickly;          /* atomic: what is behind it did not wait, last */
  /* Its task only. */
  GPtrArray *sent_tags;
} GstOrchCallOutput;

struct _GstOrchCall
{
  GstElement element;

  GstPad *sinkpad;
  GstOrchFunction *function;    /* (nullable); object lock */
  gint function_serial;         /* atomic: counts its changes */

  /* Properties, read under `lock`. */
  guint batch_size;
  guint n_replicas;
  guint max_buffers;
  guint64 max_bytes;
  GstClockTime max_wait;
  GstClockTime attempt_timeout;
  GstOrchWorkers workers;
  guint64 max_memory;
  gboolean confine;
  gboolean confine_is_set;      /* by somebody: no default */
  OrchBatching batching;
  OrchRecovery recovery;
  guint max_retries;
  gboolean abort_after_retries;
  GstOrchOrder order;
  GstOrchOnLost on_lost;

  GstOrchSubscriber *input;
  GstOrchCallOutput *output;    /* the pad "src", first of `outputs` */

  /* Guards everything down to `stats`; never held while user code, a pad push
   * or a query runs, nor while a buffer is freed. */
  GMutex lock;
  GCond space;                  /* the streaming thread waits for credit */
  GCond work;                   /* replicas wait for Grains */
  guint n_idle;                 /* replicas that wait until they are woken */
  guint n_lingering;            /* replicas that wait a moment for more */
  gboolean runs_quickly;        /* the last batch took but a moment */
  gboolean chain_waits;
  gboolean hurried;             /* nothing more can come, for now (S10) */
  gboolean can_group_fail;
  OrchCall *core;
  GPtrArray *outputs;           /* GstOrchCallOutput */
  guint n_outputs;              /* that the Function has, requested or not */
  GstOrchGrain *entered_head;   /* order=input: until it and all before are sealed */
  GstOrchGrain *entered_tail;
  GstOrchGrain *last_entered;   /* on no src pad yet: further events follow it */
  guint used_buffers;           /* the budget: from entry to push */
  guint64 used_bytes;
  guint unpushed_buffers;       /* the finished part of it */
  guint64 unpushed_bytes;
  gboolean flushing;
  gboolean stopping;
  gboolean eos;
  gboolean resolved;            /* at EOS: what is missing was asked for */
  gboolean drained;             /* and everything is on its way out */
  GstFlowReturn flow;
  GstOrchCallStats stats;
  GArray *sizes;                /* guint64: batches of 1, 2, ... units */

  GstOrchTime *time;
  GPtrArray *replicas;          /* NULL where none took an abandoned one's place */
  guint n_threads;              /* of them; fixed while they run */
  guint n_running;              /* threads that are waited for; `lock` */
  GCond ended;                  /* one of them did */
  guint n_hung;                 /* abandoned threads that go on; `lock` */
  guint n_giving_up;            /* errors of recovery=abort to be posted; `lock` */
  GThread *watch;               /* (nullable): looks for overruns; `lock` */
  GCond watch_work;
  gint64 watch_until;
  gboolean watch_ends;
  gint cancelled;               /* atomic: going down */
  gboolean confinement_reported;        /* what it lacks; `lock` */

  GstOrchContext *context;      /* streaming thread only */
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

/* (transfer full): what to tell a person when there is none, or none of `name` */
GST_ORCH_API gchar *gst_orch_call_explain_missing (GstOrchCall * self,
    const gchar * name);

/* `function` (transfer full) (nullable) replaces the one there is. */
GST_ORCH_API void gst_orch_call_set_function (GstOrchCall * self,
    GstOrchFunction * function);

/* Before READY: another clock, which outlives the Call. */
GST_ORCH_API void gst_orch_call_set_time (GstOrchCall * self,
    GstOrchTime * time);

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

/* See GstOrchRefusal. */
G_GNUC_INTERNAL gchar *gst_orch_call_refuse (GstPad * sinkpad, GstCaps * caps);

/* An Item that no buffer brings: src task. */
G_GNUC_INTERNAL void gst_orch_call_enter_outcome (GstOrchCall * self,
    const GstOrchNews * news);

/* gstorchcallsrc.c: the tasks of the src pads */
G_GNUC_INTERNAL gboolean gst_orch_call_src_query (GstPad * pad,
    GstObject * parent, GstQuery * query);
G_GNUC_INTERNAL gboolean gst_orch_call_src_activate_mode (GstPad * pad,
    GstObject * parent, GstPadMode mode, gboolean active);
G_GNUC_INTERNAL void gst_orch_call_start_src_task (GstOrchCallOutput * output);
G_GNUC_INTERNAL void gst_orch_call_forget_sent (GstOrchCallOutput * output);
/* Gives back what the Grains of `list` held, and frees them. */
G_GNUC_INTERNAL void gst_orch_call_release (GstOrchCall * self,
    OrchGrainList * list);

/* gstorchcalloutput.c: the src pads */
/* Makes the pad, which is not added yet, and its Port. */
G_GNUC_INTERNAL GstOrchCallOutput *gst_orch_call_output_new (GstOrchCall *
    self, GstPadTemplate * templ, guint index);
G_GNUC_INTERNAL void gst_orch_call_output_unref (gpointer output);
/* (transfer full): what there is now, for when the lock cannot be held */
G_GNUC_INTERNAL GPtrArray *gst_orch_call_copy_outputs (GstOrchCall * self);
G_GNUC_INTERNAL GstPad *gst_orch_call_request_new_pad (GstElement * element,
    GstPadTemplate * templ, const gchar * name, const GstCaps * caps);
G_GNUC_INTERNAL void gst_orch_call_release_pad (GstElement * element,
    GstPad * pad);
/* FALSE, with an error posted, when a pad is for an output that the Function does
 * not have. */
G_GNUC_INTERNAL gboolean gst_orch_call_check_outputs (GstOrchCall * self);
/* With the lock held: a sealed Grain goes to every src pad. */
G_GNUC_INTERNAL void gst_orch_call_distribute (GstOrchCall * self,
    GstOrchGrain * grain);
/* With the lock held: `event` (transfer full) goes out behind what waits. */
G_GNUC_INTERNAL void gst_orch_call_distribute_event (GstOrchCall * self,
    GstEvent * event);
/* With the lock held: the tasks of the further pads look again. */
G_GNUC_INTERNAL void gst_orch_call_wake_outputs (GstOrchCall * self);
/* With the lock held: has every Port room? */
G_GNUC_INTERNAL gboolean gst_orch_call_has_listeners_room (GstOrchCall * self);

/* gstorchcallcore.c: what the threads share */
/* With the lock held: books what the core has sealed and posts what no buffer
 * will carry.  Wake the src task afterwards. */
G_GNUC_INTERNAL void gst_orch_call_settle (GstOrchCall * self,
    OrchGrainList * sealed);
/* With the lock held: takes everything out, to be freed without it.  `events`
 * (out) (transfer full) */
G_GNUC_INTERNAL void gst_orch_call_forget (GstOrchCall * self,
    OrchGrainList * forgotten, GList ** events);
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

/* gstorchcallunwanted.c: what its Port tells it; no lock held */
G_GNUC_INTERNAL void gst_orch_call_unwant (GstElement * element,
    OrchExpansion * expansion, OrchCause * cause);

/* gstorchreplica.c */
G_GNUC_INTERNAL gboolean gst_orch_call_start_replicas (GstOrchCall * self);
G_GNUC_INTERNAL void gst_orch_call_stop_replicas (GstOrchCall * self);

/* gstorchbatch.c */
/* `timed`: it can be abandoned while its Function runs. */
G_GNUC_INTERNAL GstOrchBatch *gst_orch_batch_new (GstOrchCall * call,
    GstOrchFunction * function, OrchBatch * core, gboolean timed);
G_GNUC_INTERNAL void gst_orch_batch_free (GstOrchBatch * batch);

G_END_DECLS
