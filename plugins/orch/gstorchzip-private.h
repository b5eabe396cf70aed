/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchzip.h"

#include <gst/orch/gstorchledger-private.h>

G_BEGIN_DECLS

/* What arrives while the task is busy, above which the pads wait for it. */
#define GST_ORCH_ZIP_MAX_ARRIVED 64

/* A sink pad. */
typedef struct
{
  GstOrchZip *owner;
  GstPad *pad;
  GstOrchSubscriber *subscriber;
  guint rank;

  /* With the lock. */
  GstCaps *caps;
  GstEvent *segment;
  gboolean started;             /* it has seen a stream-start, data or EOS */
  gboolean eos;
  gboolean resolved;            /* at EOS: what is missing was asked for */
  gboolean flushing;
  gboolean in_flush;            /* between its flush-start and flush-stop */
  gint released;                /* atomic */

  /* Src task only. */
  gboolean drained;             /* nothing comes any more */
  OrchDomain *domain;
  gpointer key;                 /* that its ancestors are attached under */
  GHashTable *ancestors;        /* OrchEntity -> Ancestor */
} GstOrchZipInput;

/* An Item, or an event. */
typedef struct
{
  GstOrchZipInput *input;
  GstEvent *event;              /* (nullable): serialized */
  OrchEntity *entity;
  GstOrchZipValue value;
} GstOrchZipArrival;

typedef struct
{
  GstPad *srcpad;
  GstOrchEgress output;
  /* Nobody's mailbox: what the task waits on. */
  GstOrchSubscriber *alarm;

  /* Guards everything down to the ledger; never held while a buffer is pushed or
   * freed, or a query runs. */
  GMutex lock;
  GCond room;
  GPtrArray *inputs;            /* GstOrchZipInput, by rank */
  GQueue arrived;               /* GstOrchZipArrival */
  GstOrchOnLost on_lost;
  gboolean begun;
  gboolean flushing;
  guint n_in_flush;             /* pads between flush-start and flush-stop */
  GstFlowReturn flow;
  GstOrchLedger ledger;         /* of units */

  /* Src task only. */
  GPtrArray *row_inputs;        /* of `inputs`, those that rows have; refs none */
  GHashTable *rows;             /* OrchEntity -> GstOrchZipRow */
  OrchDomain *domain;           /* of the rows */
  gpointer key;                 /* of the Expansions that were passed on */
  GstFlowReturn pushed;         /* of the last push that failed */
} GstOrchZipPrivate;

GstOrchZipPrivate *gst_orch_zip_get_private (GstOrchZip * self);

/* gstorchzipsink.c */
void gst_orch_zip_input_init (GstOrchZipInput * input);
void gst_orch_zip_arrival_free (gpointer arrival);
/* With the lock held: (transfer full): what came at this pad. */
GQueue gst_orch_zip_take_arrived (GstOrchZipPrivate * priv,
    GstOrchZipInput * input);

/* gstorchziprow.c; src task */
/* By Entity, which the value holds. */
GHashTable *gst_orch_zip_entity_table_new (GDestroyNotify free_value);
/* What `input` says of `entity`; `value` (transfer full). */
void gst_orch_zip_enter (GstOrchZip * self, GstOrchZipInput * input,
    OrchEntity * entity, GstOrchZipValue * value);
/* Nothing comes at this pad any more: what rows still expect there is lost. */
void gst_orch_zip_drain (GstOrchZip * self, GstOrchZipInput * input);
/* An input of a row is known; `value` (transfer full). */
void gst_orch_zip_settle (GstOrchZip * self, GstOrchZipRow * row, guint index,
    GstOrchZipValue * value);
GstOrchZipRow *gst_orch_zip_row_ref (GstOrchZipRow * row);
void gst_orch_zip_row_unref (gpointer row);

/* gstorchzipbroadcast.c; src task */
void gst_orch_zip_ancestors_init (GstOrchZipInput * input);
void gst_orch_zip_ancestors_clear (GstOrchZipInput * input);
/* `value` (transfer full) */
void gst_orch_zip_enter_ancestor (GstOrchZip * self, GstOrchZipInput * input,
    OrchEntity * entity, GstOrchZipValue * value);
/* Settles one input of a row by what is above it, now or later. */
void gst_orch_zip_look_up (GstOrchZip * self, GstOrchZipInput * input,
    GstOrchZipRow * row, guint index);
void gst_orch_zip_drain_ancestors (GstOrchZip * self, GstOrchZipInput * input);
/* Passes an Expansion on, once. */
void gst_orch_zip_pass_expansion (GstOrchZip * self,
    OrchExpansion * expansion);

/* gstorchzipsrc.c */
void gst_orch_zip_start_task (GstOrchZip * self);
gboolean gst_orch_zip_src_activate_mode (GstPad * pad, GstObject * parent,
    GstPadMode mode, gboolean active);
gboolean gst_orch_zip_src_query (GstPad * pad, GstObject * parent,
    GstQuery * query);
/* Src task: pushes or announces a result, whose parts are taken over. */
void gst_orch_zip_emit (GstOrchZip * self, OrchEntity * entity,
    GstOrchZipValue * result);
/* Src task: FALSE, with an error posted, when the Domains do not fit. */
gboolean gst_orch_zip_read_domains (GstOrchZip * self);
/* No task runs. */
void gst_orch_zip_forget (GstOrchZip * self);

G_END_DECLS
