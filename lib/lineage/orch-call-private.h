/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-call.h"
#include "orch-ready-queue.h"
#include "orch-scope.h"

G_BEGIN_DECLS

/* As many open parents as an interleaving window usually has. */
#define ORCH_CALL_N_RECENT 64

struct _OrchCall
{
  const gchar *name;            /* interned */
  gpointer key;
  guint64 epoch;
  OrchBatching batching;
  OrchRecovery recovery;
  guint max_retries;
  gboolean abort_after_retries;
  guint n_in_flight;
  guint n_sets;                 /* report sets looked at, wraps */
  guint64 n_refused;
  OrchReadyQueue queue;
  gboolean can_group_fail;
  gboolean has_scopes;          /* ever: until then there is nothing to look up */
  gboolean has_covered;         /* ready Grains may have been covered since */
  gboolean has_unwanted;        /* in this epoch: ancestors have to be looked at */
  /* Scopes of this epoch by Expansion serial, NULL where there is none.  An
   * Expansion that is passed in with that serial is alive, and so is its scope;
   * the others may be gone. */
  struct
  {
    guint64 serial;
    OrchScope *scope;
  } recent[ORCH_CALL_N_RECENT];
};

/* (nullable): of this epoch */
G_GNUC_INTERNAL OrchScope *orch_call_find_scope (OrchCall * call,
    OrchExpansion * expansion);
/* The same, made if there is none. */
G_GNUC_INTERNAL OrchScope *orch_call_get_scope (OrchCall * call,
    OrchExpansion * expansion);

G_GNUC_INTERNAL OrchCause *orch_call_look_up_cover (OrchCall * call,
    OrchExpansion * expansion);

/* (nullable): what covers `grain`, so that it is not to run and has no other
 * result than a failure: a barrier on its parent, or its parent's or an ancestor's
 * being unwanted.  Never the barrier of a root Entity: none is set. */
static inline OrchCause *
orch_call_find_cover (OrchCall * call, const OrchGrain * grain)
{
  if (!call->has_scopes)
    return NULL;
  return orch_call_look_up_cover (call, grain->entity->expansion);
}

/* One step to SEALED.  `cause` (transfer none) (nullable) */
G_GNUC_INTERNAL void orch_call_seal (OrchCall * call, OrchGrain * grain,
    OrchGrainEvent event, OrchOutcome outcome, OrchCause * cause,
    OrchGrainList * sealed);
/* The same for a Grain in flight, which leaves its batch. */
G_GNUC_INTERNAL void orch_call_seal_in_flight (OrchCall * call,
    OrchGrain * grain, OrchOutcome outcome, OrchCause * cause,
    OrchGrainList * sealed);
/* (transfer full): `cause` with the place where `grain` runs filled in */
G_GNUC_INTERNAL OrchCause *orch_call_locate (OrchCall * call,
    OrchGrain * grain, OrchCause * cause);

G_GNUC_INTERNAL OrchBatch *orch_batch_new (OrchCall * call, guint size);
G_GNUC_INTERNAL void orch_batch_free (OrchBatch * batch);

static inline void
orch_batch_add (OrchBatch * batch, OrchGrain * grain)
{
  grain->flight.batch = batch;
  grain->flight.slot = batch->n;
  grain->flight.set = 0;
  batch->grains[batch->n++] = grain;
}

G_END_DECLS
