/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-call-private.h"
#include "orch-expansion-private.h"

OrchCall *
orch_call_new (const gchar * name)
{
  OrchCall *call = g_new0 (OrchCall, 1);

  call->name = g_intern_string (name);
  call->key = orch_expansion_new_key ();
  call->recovery = ORCH_RECOVERY_BISECT;
  call->max_retries = 1;
  return call;
}

void
orch_call_set_name (OrchCall * call, const gchar * name)
{
  call->name = g_intern_string (name);
}

void
orch_call_free (OrchCall * call)
{
  if (!call)
    return;
  g_return_if_fail (call->queue.n == 0);
  g_return_if_fail (call->n_in_flight == 0);

  g_free (call);
}

void
orch_call_set_batching (OrchCall * call, OrchBatching batching)
{
  if (call->batching == batching)
    return;
  call->batching = batching;
  if (batching == ORCH_BATCHING_SIBLINGS)
    orch_ready_queue_link_siblings (&call->queue, call);
  else
    orch_ready_queue_unlink_siblings (&call->queue);
}

void
orch_call_set_recovery (OrchCall * call, OrchRecovery recovery,
    guint max_retries)
{
  call->recovery = recovery;
  call->max_retries = max_retries;
}

void
orch_call_set_abort_after_retries (OrchCall * call,
    gboolean abort_after_retries)
{
  call->abort_after_retries = abort_after_retries;
}

void
orch_call_set_can_group_fail (OrchCall * call, gboolean can_group_fail)
{
  call->can_group_fail = can_group_fail;
}

gpointer
orch_call_get_key (OrchCall * call)
{
  return call->key;
}

guint64
orch_call_get_epoch (const OrchCall * call)
{
  return call->epoch;
}

guint
orch_call_get_n_ready (const OrchCall * call)
{
  return call->queue.n;
}

guint
orch_call_get_n_in_flight (const OrchCall * call)
{
  return call->n_in_flight;
}

gboolean
orch_call_has_recovery (const OrchCall * call)
{
  return call->queue.head != NULL;
}

guint64
orch_call_get_n_refused (const OrchCall * call)
{
  return call->n_refused;
}

/* ---- scopes ---- */

static OrchScope *
remember (OrchCall * call, OrchExpansion * expansion, OrchScope * scope)
{
  guint i = expansion->serial % ORCH_CALL_N_RECENT;

  call->recent[i].serial = expansion->serial;
  call->recent[i].scope = scope;
  return scope;
}

static OrchScope *
attach_scope (OrchCall * call, OrchExpansion * expansion)
{
  call->has_scopes = TRUE;
  return remember (call, expansion,
      orch_scope_attach (expansion, call->key, call->epoch));
}

OrchScope *
orch_call_find_scope (OrchCall * call, OrchExpansion * expansion)
{
  guint i = expansion->serial % ORCH_CALL_N_RECENT;
  OrchScope *scope;

  if (call->recent[i].serial == expansion->serial)
    return call->recent[i].scope;
  scope = orch_scope_find (expansion, call->key);
  /* a newer one hides the barrier of an epoch that is over */
  if (scope && scope->epoch != call->epoch)
    return attach_scope (call, expansion);
  return remember (call, expansion, scope);
}

OrchScope *
orch_call_get_scope (OrchCall * call, OrchExpansion * expansion)
{
  OrchScope *scope = orch_call_find_scope (call, expansion);

  return scope ? scope : attach_scope (call, expansion);
}

/* ---- entering ---- */

void
orch_call_enter (OrchCall * call, OrchGrain * grain, OrchOutcome input,
    OrchCause * cause, OrchGrainList * sealed)
{
  OrchScope *scope = NULL;
  OrchCause *cover;

  g_return_if_fail (input != ORCH_OUTCOME_UNRESOLVED);
  g_return_if_fail (grain->phase == ORCH_GRAIN_WAITING);

  grain->epoch = call->epoch;
  if (call->batching == ORCH_BATCHING_SIBLINGS) {
    scope = orch_call_get_scope (call, grain->entity->expansion);
    scope->n_entered++;
  }
  cover = orch_call_find_cover (call, grain);

  if (cover) {
    orch_call_seal (call, grain, ORCH_GRAIN_EVENT_TERMINAL,
        ORCH_OUTCOME_SUPPRESSED, cover, sealed);
  } else if (input != ORCH_OUTCOME_PRESENT) {
    orch_call_seal (call, grain, ORCH_GRAIN_EVENT_TERMINAL,
        input == ORCH_OUTCOME_DROPPED ? ORCH_OUTCOME_DROPPED :
        ORCH_OUTCOME_SUPPRESSED, cause, sealed);
  } else {
    orch_grain_step (grain, ORCH_GRAIN_EVENT_READY);
    grain->ready.scope = scope;
    orch_ready_queue_push (&call->queue, grain);
  }
}

/* ---- epochs ---- */

static void
forget_batch (OrchBatch * batch, OrchGrainList * forgotten)
{
  guint i;

  for (i = 0; i < batch->n; i++)
    if (batch->grains[i])
      orch_grain_list_append (forgotten, batch->grains[i]);
  orch_batch_free (batch);
}

void
orch_call_new_epoch (OrchCall * call, OrchGrainList * forgotten)
{
  OrchGrain *grain;
  OrchBatch *batch;
  guint i;

  while (call->queue.n > 0) {
    while ((grain = orch_ready_queue_pop (&call->queue)))
      orch_grain_list_append (forgotten, grain);
    batch = orch_ready_queue_pop_batch (&call->queue);
    if (batch)
      forget_batch (batch, forgotten);
  }
  call->epoch++;
  call->has_unwanted = FALSE;
  for (i = 0; i < ORCH_CALL_N_RECENT; i++)
    call->recent[i].serial = 0;
}

void
orch_batch_abandon (OrchCall * call, OrchBatch * batch,
    OrchGrainList * forgotten)
{
  if (!batch)
    return;
  call->n_in_flight -= batch->n_open;
  forget_batch (batch, forgotten);
}
