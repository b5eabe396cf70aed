/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-call-private.h"

/* Waiting for a batch to fill (semantics S9.3, S10). */

/* A Grain that is covered neither fills a batch nor hurries one: ends those that
 * stand before the first `n` others. */
static void
drop_covered (OrchCall * call, guint n, OrchGrainList * sealed)
{
  OrchGrainList others = { NULL, NULL, 0 };
  OrchGrain *grain;

  while (others.n < n && (grain = orch_ready_queue_pop (&call->queue))) {
    OrchCause *cover = orch_call_find_cover (call, grain);

    if (cover)
      orch_call_seal (call, grain, ORCH_GRAIN_EVENT_SUPPRESS,
          ORCH_OUTCOME_SUPPRESSED, cover, sealed);
    else
      orch_grain_list_append (&others, grain);
  }
  if (call->queue.n == 0)
    call->has_covered = FALSE;
  orch_ready_queue_push_front (&call->queue, &others);
}

/* What covers one sibling covers all, so only the first of each matters. */
static void
drop_covered_siblings (OrchCall * call, OrchGrainList * sealed)
{
  OrchCause *cover;

  while (call->queue.n > 0
      && (cover = orch_call_find_cover (call, call->queue.fresh.head)))
    orch_call_seal (call, orch_ready_queue_pop (&call->queue),
        ORCH_GRAIN_EVENT_SUPPRESS, ORCH_OUTCOME_SUPPRESSED, cover, sealed);
}

/* Every child of the oldest Grain's parent has entered. */
static gboolean
has_all_siblings (const OrchGrain * oldest)
{
  OrchExpansion *expansion = oldest->entity->expansion;

  return orch_expansion_get_state (expansion) != ORCH_EXPANSION_OPEN
      && oldest->ready.scope->n_entered >=
      orch_expansion_get_n_children (expansion);
}

/* Can the batch that the oldest Grain leads get no fuller? */
static gboolean
is_full (OrchCall * call, guint batch_size)
{
  const OrchGrain *oldest = call->queue.fresh.head;

  if (call->batching == ORCH_BATCHING_SIBLINGS)
    return oldest->ready.scope->n_ready >= batch_size
        || has_all_siblings (oldest);
  return call->queue.n >= batch_size;
}

gint64
orch_call_get_deadline (OrchCall * call, gint64 max_wait, guint batch_size,
    gboolean closed, OrchGrainList * sealed)
{
  gint64 entered;

  if (call->queue.n == 0)
    return ORCH_TIME_NEVER;
  if (max_wait <= 0 || closed || orch_call_has_recovery (call))
    return ORCH_TIME_NOW;

  if (call->batching == ORCH_BATCHING_SIBLINGS)
    drop_covered_siblings (call, sealed);
  else if (call->has_covered)
    drop_covered (call, batch_size, sealed);
  if (call->queue.n == 0)
    return ORCH_TIME_NEVER;
  if (is_full (call, batch_size))
    return ORCH_TIME_NOW;
  entered = call->queue.fresh.head->ready.entered;
  return entered > ORCH_TIME_NEVER - max_wait ? ORCH_TIME_NEVER :
      entered + max_wait;
}
