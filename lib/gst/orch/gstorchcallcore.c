/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchcall-private.h"

/* The state that the streaming thread, the replicas and the src task share.
 * Everything here runs with the Call's lock held. */

/* Batches held for each replica: one in flight, and some ready, finished and coming
 * in.  Where all of that takes but a moment, more of them keep the threads from
 * waiting for each other after every few units. */
#define HELD_BATCHES 8
#define HELD_QUICK_BATCHES 32

/* Nothing that is held stays for long: neither with the Function nor at a pad. */
static gboolean
is_quick (GstOrchCall * self)
{
  gboolean result = self->runs_quickly;
  guint i;

  for (i = 0; i < self->outputs->len && result; i++)
    result = g_atomic_int_get (&((GstOrchCallOutput *)
            g_ptr_array_index (self->outputs, i))->pushes_quickly);
  return result;
}

guint
gst_orch_call_get_max_buffers (GstOrchCall * self)
{
  guint in_flight = MAX (1, self->n_threads) * self->batch_size;

  if (self->max_buffers)
    return self->max_buffers;
  return MAX (16, in_flight *
      (is_quick (self) ? HELD_QUICK_BATCHES : HELD_BATCHES));
}

/* With values for outputs that nobody has asked for not counted: they go with the
 * Grain. */
static gsize
count_bytes (GstOrchCall * self, GstOrchGrain * grain)
{
  gsize bytes = gst_orch_buffer_get_owned_size (grain->output);
  guint i;

  for (i = 1; i < self->outputs->len; i++) {
    GstOrchCallOutput *output = g_ptr_array_index (self->outputs, i);

    if (output->index <= grain->n_further)
      bytes += gst_orch_buffer_get_owned_size
          (grain->further[output->index - 1].buffer);
  }
  return bytes;
}

static void
post_outcome (GstOrchCall * self, GstOrchGrain * grain)
{
  guint i;

  for (i = 0; i < self->outputs->len; i++) {
    GstOrchCallOutput *output = g_ptr_array_index (self->outputs, i);

    gst_orch_port_post_outcome (output->egress.port, grain->core.entity,
        grain->core.outcome, grain->core.cause, grain->info);
  }
}

static void
settle_one (GstOrchCall * self, GstOrchGrain * grain)
{
  OrchOutcome outcome = grain->core.outcome;
  gsize bytes = 0;

  self->stats.ledger.outcomes[outcome]++;
  if (grain->staged_info) {
    GstOrchInfo *merged = gst_orch_info_merge (grain->info,
        g_steal_pointer (&grain->staged_info));

    gst_orch_info_unref (grain->info);
    grain->info = merged;
  }
  if (outcome == ORCH_OUTCOME_PRESENT)
    bytes = count_bytes (self, grain);
  else
    post_outcome (self, grain);
  /* The credit now stands for what is still to be pushed. */
  self->used_bytes = self->used_bytes - grain->bytes + bytes;
  grain->bytes = bytes;
  self->unpushed_buffers++;
  self->unpushed_bytes += bytes;
}

/* order=input: what is not behind an unfinished Grain may leave. */
static void
distribute_in_order (GstOrchCall * self)
{
  GstOrchGrain *grain;

  while ((grain = self->entered_head)
      && grain->core.phase == ORCH_GRAIN_SEALED) {
    self->entered_head = grain->next_entered;
    grain->next_entered = NULL;
    if (!self->entered_head)
      self->entered_tail = NULL;
    gst_orch_call_distribute (self, grain);
  }
}

/* Gathers that wait until no group failure can come (S5.2a). */
static void
wake_gathers (GstOrchCall * self)
{
  guint i;

  for (i = 0; i < self->outputs->len; i++) {
    GstOrchCallOutput *output = g_ptr_array_index (self->outputs, i);

    gst_orch_port_wake_waiters (output->egress.port);
  }
}

void
gst_orch_call_settle (GstOrchCall * self, OrchGrainList * sealed)
{
  OrchGrain *grain;

  while ((grain = orch_grain_list_pop (sealed))) {
    settle_one (self, (GstOrchGrain *) grain);
    if (self->order == GST_ORCH_ORDER_COMPLETION)
      gst_orch_call_distribute (self, (GstOrchGrain *) grain);
  }
  if (self->order == GST_ORCH_ORDER_INPUT)
    distribute_in_order (self);
  if (self->can_group_fail)
    wake_gathers (self);
}

static void
take_entered (GstOrchCall * self, OrchGrainList * forgotten)
{
  GstOrchGrain *grain, *next;

  for (grain = self->entered_head; grain; grain = next) {
    next = grain->next_entered;
    grain->next_entered = NULL;
    /* Ready ones the core hands back; those in flight stay with their batch. */
    if (grain->core.phase == ORCH_GRAIN_SEALED)
      orch_grain_list_append (forgotten, &grain->core);
  }
  self->entered_head = self->entered_tail = NULL;
}

void
gst_orch_call_forget (GstOrchCall * self, OrchGrainList * forgotten,
    GList ** events)
{
  OrchGrain *grain;
  guint i;

  *events = NULL;
  take_entered (self, forgotten);
  for (i = 0; i < self->outputs->len; i++) {
    GstOrchCallOutput *output = g_ptr_array_index (self->outputs, i);

    while ((grain = orch_grain_list_pop (&output->sealed)))
      orch_grain_list_append (forgotten, grain);
    *events = g_list_concat (*events,
        g_steal_pointer (&output->loose_events));
  }
  gst_orch_ledger_forget (&self->stats.ledger);
  orch_call_new_epoch (self->core, forgotten);
  self->last_entered = NULL;
  self->used_buffers = 0;
  self->used_bytes = 0;
  self->unpushed_buffers = 0;
  self->unpushed_bytes = 0;
}

/* Finished outputs that nobody takes hold back dispatch, except that with
 * order=input the oldest Grain must run before anything can be pushed. */
gboolean
gst_orch_call_may_dispatch (GstOrchCall * self)
{
  if (orch_call_get_n_ready (self->core) == 0)
    return FALSE;
  if (self->unpushed_buffers == 0)
    return TRUE;
  if (self->entered_head && self->output->sealed.n == 0
      && self->entered_head->core.phase == ORCH_GRAIN_READY)
    return TRUE;
  return self->unpushed_buffers < gst_orch_call_get_max_buffers (self)
      && self->unpushed_bytes < self->max_bytes;
}

void
gst_orch_call_wake_replicas (GstOrchCall * self, guint n)
{
  if (self->n_idle + self->n_lingering == 0)
    return;
  if (n == 1)
    g_cond_signal (&self->work);
  else
    g_cond_broadcast (&self->work);
}

/* A replica that lingers looks by itself in a moment, unless its batch is full
 * before.  A batch of siblings is when the last of them has come. */
void
gst_orch_call_offer (GstOrchCall * self)
{
  if (self->n_lingering > 0
      && orch_call_get_n_ready (self->core) < self->batch_size
      && (self->max_wait == 0 || self->batching == ORCH_BATCHING_MIXED))
    return;
  gst_orch_call_wake_replicas (self, 1);
}

static void
take_counts (GstStructure * stats, const gchar * name, const guint64 * counts,
    guint n)
{
  GValue array = G_VALUE_INIT, count = G_VALUE_INIT;
  guint i;

  g_value_init (&array, GST_TYPE_ARRAY);
  g_value_init (&count, G_TYPE_UINT64);
  for (i = 0; i < n; i++) {
    g_value_set_uint64 (&count, counts[i]);
    gst_value_array_append_value (&array, &count);
  }
  g_value_unset (&count);
  gst_structure_take_value (stats, name, &array);
}

GstStructure *
gst_orch_call_make_stats (GstOrchCall * self)
{
  GstOrchCallStats *s = &self->stats;
  GstStructure *stats;

  stats = gst_structure_new ("orch-call-stats",
      "entered", G_TYPE_UINT64, s->ledger.entered,
      "present", G_TYPE_UINT64, s->ledger.outcomes[ORCH_OUTCOME_PRESENT],
      "dropped", G_TYPE_UINT64, s->ledger.outcomes[ORCH_OUTCOME_DROPPED],
      "failed", G_TYPE_UINT64, s->ledger.outcomes[ORCH_OUTCOME_FAILED],
      "suppressed", G_TYPE_UINT64, s->ledger.outcomes[ORCH_OUTCOME_SUPPRESSED],
      "forgotten", G_TYPE_UINT64, s->ledger.forgotten,
      "lost", G_TYPE_UINT64, gst_orch_subscriber_get_n_lost (self->input),
      "duplicates", G_TYPE_UINT64,
      gst_orch_subscriber_get_n_duplicates (self->input),
      "refused", G_TYPE_UINT64,
      s->refused + orch_call_get_n_refused (self->core),
      "timeouts", G_TYPE_UINT64, s->timeouts,
      "hung", G_TYPE_UINT, self->n_hung,
      "workers-died", G_TYPE_UINT64, s->workers_died,
      "workers-lost", G_TYPE_UINT64, s->workers_lost,
      "batches", G_TYPE_UINT64, s->batches,
      "batches-full", G_TYPE_UINT64, s->full,
      "batches-drained", G_TYPE_UINT64, s->drained,
      "batches-deadline", G_TYPE_UINT64, s->deadline,
      "batches-budget", G_TYPE_UINT64, s->budget,
      "batches-recovery", G_TYPE_UINT64, s->recovery,
      "repeated", G_TYPE_UINT64, s->repeated,
      "batches-ahead", G_TYPE_UINT64, s->ahead,
      "threads", G_TYPE_UINT, self->n_threads,
      "first-begin", G_TYPE_UINT64, (guint64) s->first_begin * GST_USECOND,
      "last-end", G_TYPE_UINT64, (guint64) s->last_end * GST_USECOND,
      "busy", G_TYPE_UINT64, (guint64) s->busy * GST_USECOND, NULL);
  take_counts (stats, "fill", s->fill, G_N_ELEMENTS (s->fill));
  take_counts (stats, "sizes", (const guint64 *) self->sizes->data,
      self->sizes->len);
  return stats;
}
