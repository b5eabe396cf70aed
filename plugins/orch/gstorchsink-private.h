/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchoutput.h"
#include "gstorchsink.h"
#include "gstorchsinkrun.h"
#include "gstorchsummary.h"

#include <gst/orch/gstorchcall-private.h>

G_BEGIN_DECLS

/* The streaming thread only enqueues; one task renders and writes.
 *
 * Lock order: `lock`, then the leaf locks of ledger and mailbox.  `lock` is not
 * held while anything is rendered, written or posted. */
struct _GstOrchSink
{
  GstElement element;

  GstPad *sinkpad;
  GstOrchSubscriber *input;
  GstTask *task;
  GRecMutex task_lock;

  /* Properties; object lock. */
  gchar *location;
  gchar *files;                 /* (nullable) */
  gchar *shards;                /* (nullable) */
  guint64 shard_records;
  guint64 shard_bytes;
  GstOrchRecordFormat format;
  GstOrchContentFormat content_format;
  GstOrchExisting existing;
  GstOrchDurability durability;
  GstOrchOrder order;
  GstOrchOnLost on_lost;
  gboolean retry_failed;
  gdouble stop_after;

  GMutex lock;
  GCond space;                  /* the streaming thread waits for it */
  GQueue queue;                 /* GstOrchResult */
  GPtrArray *runs;              /* GstOrchSinkRun */
  gboolean flushing;
  gboolean stopping;
  gboolean eos;                 /* the event was there */
  guint32 eos_seqnum;
  gboolean done;                /* all is written */
  gboolean eos_posted;
  gboolean playing;
  GstFlowReturn flow;           /* what the streaming thread is told */
  GstOrchSummary *summary;
  GstOrchLedger ledger;         /* of records; how many are due is the runs' */

  GstCaps *caps;                /* the streaming thread's */

  /* From READY->PAUSED to PAUSED->READY; the task's. */
  GstOrchOutput *output;
  GstBus *watched;              /* (nullable): the pipeline's */
  gulong watch;
  gint failed;                  /* atomic: an error was posted on it */
  GstOrchOrder run_order;       /* as it was at the start */
  gboolean resuming;
};

/* Properties. */
G_GNUC_INTERNAL void gst_orch_sink_install_properties (GObjectClass * klass);
G_GNUC_INTERNAL void gst_orch_sink_init_properties (GstOrchSink * self);
G_GNUC_INTERNAL void gst_orch_sink_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec);
G_GNUC_INTERNAL void gst_orch_sink_get_property (GObject * object, guint id,
    GValue * value, GParamSpec * pspec);

/* There is somewhere to write them to. */
G_GNUC_INTERNAL gboolean gst_orch_sink_takes_media (GstOrchSink * self);

/* Pads. */
G_GNUC_INTERNAL GstFlowReturn gst_orch_sink_chain (GstPad * pad,
    GstObject * parent, GstBuffer * buffer);
G_GNUC_INTERNAL gboolean gst_orch_sink_event (GstPad * pad, GstObject * parent,
    GstEvent * event);
G_GNUC_INTERNAL gboolean gst_orch_sink_query (GstPad * pad, GstObject * parent,
    GstQuery * query);
G_GNUC_INTERNAL gboolean gst_orch_sink_activate_mode (GstPad * pad,
    GstObject * parent, GstPadMode mode, gboolean active);

/* The task. */
G_GNUC_INTERNAL void gst_orch_sink_loop (gpointer self);
/* `lock` held; (transfer none): the account of a run, made if it is new */
G_GNUC_INTERNAL GstOrchSinkRun *gst_orch_sink_get_run (GstOrchSink * self,
    GstOrchRoots * roots, OrchExpansion * expansion);
/* Posts EOS, if all is written and the element is playing. */
G_GNUC_INTERNAL void gst_orch_sink_post_eos (GstOrchSink * self);
G_GNUC_INTERNAL void gst_orch_sink_post_summary (GstOrchSink * self,
    gboolean finished);
G_GNUC_INTERNAL void gst_orch_sink_clear_queue (GstOrchSink * self);
/* After an error: nothing more is taken or written. */
G_GNUC_INTERNAL void gst_orch_sink_end (GstOrchSink * self);
G_GNUC_INTERNAL void gst_orch_sink_post_error (GstOrchSink * self,
    const GError * error);

G_END_DECLS
