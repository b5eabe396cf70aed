/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-call-private.h"

/* From the ready queue into a batch. */

OrchBatch *
orch_batch_new (OrchCall * call, guint size)
{
  OrchBatch *batch = g_malloc (sizeof (OrchBatch) + size * sizeof (gpointer));

  *batch = (OrchBatch) {
    .grains = (OrchGrain **) (batch + 1),
    .epoch = call->epoch,
    .call = call,
  };
  return batch;
}

void
orch_batch_free (OrchBatch * batch)
{
  g_free (batch);
}

static void
take_or_give_up (OrchCall * call, OrchBatch * batch, OrchGrain * grain,
    OrchGrainList * sealed)
{
  OrchCause *cover = orch_call_find_cover (call, grain);

  if (cover) {
    orch_call_seal (call, grain, ORCH_GRAIN_EVENT_SUPPRESS,
        ORCH_OUTCOME_SUPPRESSED, cover, sealed);
  } else {
    orch_grain_step (grain, ORCH_GRAIN_EVENT_RESERVE);
    orch_batch_add (batch, grain);
  }
}

static void
reserve_mixed (OrchCall * call, OrchBatch * batch, guint max,
    OrchGrainList * sealed)
{
  OrchGrain *grain;

  while (batch->n < max && (grain = orch_ready_queue_pop (&call->queue)))
    take_or_give_up (call, batch, grain, sealed);
}

static void
reserve_siblings (OrchCall * call, OrchBatch * batch, guint max,
    OrchGrainList * sealed)
{
  OrchGrain *grain = orch_ready_queue_pop (&call->queue);
  OrchScope *scope = grain->ready.scope;
  guint64 segment = grain->ready.segment;

  do {
    take_or_give_up (call, batch, grain, sealed);
  } while (batch->n < max
      && (grain = orch_ready_queue_pop_sibling (&call->queue, scope, segment)));
}

static OrchBatch *
reserve_fresh (OrchCall * call, guint max, OrchGrainList * sealed)
{
  guint n = orch_ready_queue_get_n_fresh (&call->queue);
  OrchBatch *batch = orch_batch_new (call, MIN (max, n));

  if (call->batching == ORCH_BATCHING_SIBLINGS)
    reserve_siblings (call, batch, max, sealed);
  else
    reserve_mixed (call, batch, max, sealed);
  return batch;
}

static void
reserve_again (OrchCall * call, OrchBatch * batch, OrchGrainList * sealed)
{
  guint i, n = batch->n;

  batch->n = 0;
  for (i = 0; i < n; i++)
    take_or_give_up (call, batch, batch->grains[i], sealed);
}

guint
orch_call_get_batch_limit (const OrchCall * call, guint batch_size,
    guint n_replicas, gboolean eos)
{
  guint share;

  if (!eos)
    return batch_size;
  share = (call->queue.n + n_replicas - 1) / n_replicas;
  return CLAMP (share, 1, batch_size);
}

OrchBatch *
orch_call_reserve (OrchCall * call, guint max, OrchGrainList * sealed)
{
  g_return_val_if_fail (max > 0, NULL);

  while (call->queue.n > 0) {
    OrchBatch *batch = orch_ready_queue_pop_batch (&call->queue);

    if (batch)
      reserve_again (call, batch, sealed);
    else
      batch = reserve_fresh (call, max, sealed);
    if (batch->n > 0) {
      batch->n_open = batch->n;
      call->n_in_flight += batch->n;
      return batch;
    }
    orch_batch_free (batch);
  }
  return NULL;
}
