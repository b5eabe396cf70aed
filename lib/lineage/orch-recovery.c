/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-call-private.h"

/* What becomes of a batch whose attempt failed (semantics S5.3, S5.4), or was not
 * made. */

/* Seals what is covered, and closes up the entries of the rest. */
static void
give_up_covered (OrchCall * call, OrchBatch * batch, OrchGrainList * sealed)
{
  guint i, n = batch->n;

  batch->n = 0;
  for (i = 0; i < n; i++) {
    OrchGrain *grain = batch->grains[i];
    OrchCause *cover;

    if (!grain)
      continue;
    cover = orch_call_find_cover (call, grain);
    if (cover)
      orch_call_seal_in_flight (call, grain, ORCH_OUTCOME_SUPPRESSED, cover,
          sealed);
    else
      orch_batch_add (batch, grain);
  }
}

static void
fail_all (OrchCall * call, OrchBatch * batch, OrchCause * cause,
    OrchGrainList * sealed)
{
  guint i;

  for (i = 0; i < batch->n; i++) {
    OrchCause *located = orch_call_locate (call, batch->grains[i], cause);

    orch_call_seal_in_flight (call, batch->grains[i], ORCH_OUTCOME_FAILED,
        located, sealed);
    orch_cause_unref (located);
  }
  orch_batch_free (batch);
}

static void
make_ready (OrchCall * call, OrchBatch * batch)
{
  guint i;

  for (i = 0; i < batch->n; i++)
    orch_grain_step (batch->grains[i], ORCH_GRAIN_EVENT_RETRY);
  call->n_in_flight -= batch->n;
}

static void
queue_again (OrchCall * call, OrchBatch * batch, gboolean in_front)
{
  guint i;

  make_ready (call, batch);
  for (i = 0; i < batch->n; i++)
    batch->grains[i]->generation++;
  batch->recovery = TRUE;
  orch_ready_queue_push_batch (&call->queue, batch, in_front);
}

static void
queue_part (OrchCall * call, OrchBatch * whole, guint from, guint to)
{
  OrchBatch *part = orch_batch_new (call, to - from);
  guint i;

  for (i = from; i < to; i++)
    orch_batch_add (part, whole->grains[i]);
  part->split = TRUE;
  queue_again (call, part, FALSE);
}

static void
split (OrchCall * call, OrchBatch * batch)
{
  guint half = (batch->n + 1) / 2;

  queue_part (call, batch, 0, half);
  if (half < batch->n)
    queue_part (call, batch, half, batch->n);
  orch_batch_free (batch);
}

static gboolean
has_retries (OrchCall * call)
{
  return call->recovery == ORCH_RECOVERY_RETRY_BATCH
      || call->recovery == ORCH_RECOVERY_RETRY_TAIL;
}

/* Is the batch as a whole worth another attempt?  Whatever the policy, nothing
 * is split or failed before its second one. */
static gboolean
may_repeat (OrchCall * call, OrchBatch * batch)
{
  guint repeats = 1;

  if (batch->split)
    return FALSE;
  if (has_retries (call))
    repeats = MAX (repeats, call->max_retries);
  return batch->attempts <= repeats;
}

/* What is left of a batch whose run ended early; FALSE when that is nothing, and it
 * is gone. */
static gboolean
keep_wanted (OrchCall * call, OrchBatch * batch, OrchGrainList * sealed)
{
  if (!batch)
    return FALSE;
  if (batch->epoch != call->epoch) {
    orch_batch_abandon (call, batch, sealed);
    return FALSE;
  }
  give_up_covered (call, batch, sealed);
  if (batch->n > 0)
    return TRUE;
  orch_batch_free (batch);
  return FALSE;
}

static gboolean
recover (OrchCall * call, OrchBatch * batch, gboolean was_alone,
    OrchCause * cause, OrchGrainList * sealed)
{
  gboolean repeats, aborts;

  batch->attempts++;
  repeats = may_repeat (call, batch);
  aborts = call->recovery == ORCH_RECOVERY_ABORT
      || (call->abort_after_retries && has_retries (call) && !repeats);
  if (aborts) {
    fail_all (call, batch, cause, sealed);
    return FALSE;
  }

  if (repeats)
    queue_again (call, batch, call->recovery == ORCH_RECOVERY_RETRY_BATCH
        && batch->attempts <= call->max_retries);
  else if (was_alone)
    fail_all (call, batch, cause, sealed);
  else
    split (call, batch);
  return TRUE;
}

gboolean
orch_batch_fail (OrchCall * call, OrchBatch * batch, OrchCause * cause,
    OrchGrainList * sealed)
{
  gboolean was_alone = batch && batch->n == 1;

  return !keep_wanted (call, batch, sealed)
      || recover (call, batch, was_alone, cause, sealed);
}

/* May each of its Grains be replayed once more? */
static gboolean
count_lost (OrchBatch * batch)
{
  guint i;

  for (i = 0; i < batch->n; i++)
    if (batch->grains[i]->n_lost >= ORCH_GRAIN_MAX_LOST)
      return FALSE;
  for (i = 0; i < batch->n; i++)
    batch->grains[i]->n_lost++;
  return TRUE;
}

gboolean
orch_batch_lost (OrchCall * call, OrchBatch * batch, OrchCause * cause,
    OrchGrainList * sealed)
{
  gboolean was_alone = batch && batch->n == 1;

  if (!keep_wanted (call, batch, sealed))
    return TRUE;
  if (!count_lost (batch))
    return recover (call, batch, was_alone, cause, sealed);
  queue_again (call, batch, TRUE);
  return TRUE;
}

void
orch_batch_return (OrchCall * call, OrchBatch * batch, OrchGrainList * sealed)
{
  if (!keep_wanted (call, batch, sealed))
    return;
  make_ready (call, batch);
  orch_ready_queue_push_batch (&call->queue, batch, TRUE);
}
