/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-call-private.h"

/* From a batch to a sealed Grain. */

void
orch_call_seal (OrchCall * call, OrchGrain * grain, OrchGrainEvent event,
    OrchOutcome outcome, OrchCause * cause, OrchGrainList * sealed)
{
  orch_grain_step (grain, event);
  grain->outcome = outcome;
  grain->cause = cause ? orch_cause_ref (cause) : NULL;
  if (call->can_group_fail)
    orch_scope_count_sealed (orch_call_get_scope (call,
            grain->entity->expansion));
  orch_grain_list_append (sealed, grain);
}

void
orch_call_seal_in_flight (OrchCall * call, OrchGrain * grain,
    OrchOutcome outcome, OrchCause * cause, OrchGrainList * sealed)
{
  OrchBatch *batch = grain->flight.batch;

  batch->grains[grain->flight.slot] = NULL;
  batch->n_open--;
  call->n_in_flight--;
  orch_call_seal (call, grain, ORCH_GRAIN_EVENT_REPORT, outcome, cause,
      sealed);
}

OrchCause *
orch_call_locate (OrchCall * call, OrchGrain * grain, OrchCause * cause)
{
  OrchCause *located;
  gchar *path = NULL;

  if (!cause)
    return NULL;
  if (!cause->path)
    path = orch_entity_get_path (grain->entity);
  located = orch_cause_locate (cause, path, call->name);
  g_free (path);
  return located;
}

/* ---- a set of reports ---- */

static gboolean
can_commit (OrchCall * call, const OrchReport * report)
{
  OrchGrain *grain = report->grain;

  if (grain->phase != ORCH_GRAIN_IN_FLIGHT || grain->flight.batch->call != call
      || grain->flight.set == call->n_sets)
    return FALSE;
  if (report->generation != grain->generation
      || report->epoch != grain->epoch || report->epoch != call->epoch)
    return FALSE;
  if (report->group)
    return report->outcome == ORCH_OUTCOME_FAILED && report->cause;
  return report->outcome == ORCH_OUTCOME_PRESENT
      || report->outcome == ORCH_OUTCOME_DROPPED
      || report->outcome == ORCH_OUTCOME_FAILED;
}

static gboolean
can_commit_all (OrchCall * call, const OrchReport * reports, guint n)
{
  guint i;

  if (++call->n_sets == 0)
    call->n_sets = 1;
  for (i = 0; i < n; i++) {
    if (!can_commit (call, &reports[i]))
      return FALSE;
    reports[i].grain->flight.set = call->n_sets;
  }
  return TRUE;
}

/* (nullable): what `report` may set a barrier on */
static OrchScope *
get_scope_to_bar (OrchCall * call, const OrchReport * report)
{
  OrchEntity *entity = report->grain->entity;

  if (!report->group || !orch_entity_get_parent (entity))
    return NULL;
  return orch_call_get_scope (call, entity->expansion);
}

/* S5.2: one barrier for each parent with a group failure, from the first in
 * batch order. */
static void
set_barriers (OrchCall * call, const OrchReport * reports, guint n)
{
  guint i;

  for (i = 0; i < n; i++) {
    OrchScope *scope = get_scope_to_bar (call, &reports[i]);
    const OrchReport *first = scope ? scope->first_failure : NULL;

    if (scope && !orch_scope_get_barrier (scope) && (!first
            || reports[i].grain->flight.slot < first->grain->flight.slot))
      scope->first_failure = &reports[i];
  }

  for (i = 0; i < n; i++) {
    OrchScope *scope = get_scope_to_bar (call, &reports[i]);
    OrchCause *cause;

    if (!scope || scope->first_failure != &reports[i])
      continue;
    scope->first_failure = NULL;
    cause = orch_call_locate (call, reports[i].grain, reports[i].cause);
    orch_scope_set_barrier (scope, cause);
    call->has_covered = TRUE;
    orch_cause_unref (cause);
  }
}

static void
commit (OrchCall * call, const OrchReport * report, OrchGrainList * sealed)
{
  OrchGrain *grain = report->grain;
  OrchCause *cover = orch_call_find_cover (call, grain);
  OrchCause *cause;

  if (report->outcome == ORCH_OUTCOME_FAILED) {
    cause = orch_call_locate (call, grain, report->cause);
    orch_call_seal_in_flight (call, grain, ORCH_OUTCOME_FAILED, cause, sealed);
    orch_cause_unref (cause);
  } else if (cover) {
    orch_call_seal_in_flight (call, grain, ORCH_OUTCOME_SUPPRESSED, cover,
        sealed);
  } else {
    orch_call_seal_in_flight (call, grain, report->outcome, report->cause,
        sealed);
  }
}

gboolean
orch_call_report (OrchCall * call, const OrchReport * reports, guint n,
    OrchGrainList * sealed)
{
  gboolean any_group = FALSE;
  guint i;

  if (!can_commit_all (call, reports, n)) {
    call->n_refused += n;
    return FALSE;
  }
  for (i = 0; i < n && !any_group; i++)
    any_group = reports[i].group;
  if (any_group)
    set_barriers (call, reports, n);
  for (i = 0; i < n; i++)
    commit (call, &reports[i], sealed);
  return TRUE;
}

/* ---- the end of a run ---- */

static void
fail_unreported (OrchCall * call, OrchGrain * grain, OrchGrainList * sealed)
{
  gchar *path = orch_entity_get_path (grain->entity);
  OrchCause *cause = orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_CONTRACT,
      "the Function returned without an outcome for this Grain", path,
      call->name);

  orch_call_seal_in_flight (call, grain, ORCH_OUTCOME_FAILED, cause, sealed);
  orch_cause_unref (cause);
  g_free (path);
}

/* A Function may leave out what is not wanted any more. */
static void
end_unreported (OrchCall * call, OrchGrain * grain, OrchGrainList * sealed)
{
  OrchCause *cover = orch_call_find_cover (call, grain);

  if (cover)
    orch_call_seal_in_flight (call, grain, ORCH_OUTCOME_SUPPRESSED, cover,
        sealed);
  else
    fail_unreported (call, grain, sealed);
}

void
orch_batch_finish (OrchCall * call, OrchBatch * batch, OrchGrainList * sealed)
{
  guint i;

  if (!batch)
    return;
  if (batch->epoch != call->epoch) {
    orch_batch_abandon (call, batch, sealed);
    return;
  }
  for (i = 0; i < batch->n && batch->n_open > 0; i++)
    if (batch->grains[i])
      end_unreported (call, batch->grains[i], sealed);
  orch_batch_free (batch);
}
