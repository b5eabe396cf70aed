/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-grain.h"

G_BEGIN_DECLS

/* What one Call knows of one Expansion in one epoch, made when there is something
 * to know: that its children are not to run, or siblings to be batched.  Attached
 * to the Expansion and freed with it, so it may outlive its Call; everything but
 * the two causes belongs to the Call's lock. */
struct _OrchScope
{
  guint64 epoch;
  OrchCause *barrier;           /* set once, read by any thread, like the next */
  OrchCause *unwanted;          /* holds for the Entities below the children too */
  gconstpointer first_failure;  /* a report, while its set is applied */
  guint64 n_sealed;             /* if the Call can group-fail; read by any thread */
  /* batching=siblings only */
  OrchGrain *first_ready;
  OrchGrain *last_ready;
  guint n_ready;
  guint64 n_entered;            /* Grains, however they ended */
};

G_GNUC_INTERNAL OrchScope *orch_scope_attach (OrchExpansion * expansion,
    gpointer key, guint64 epoch);
/* (nullable): the newest under this key */
G_GNUC_INTERNAL OrchScope *orch_scope_find (OrchExpansion * expansion,
    gpointer key);
/* Each once. */
G_GNUC_INTERNAL void orch_scope_set_barrier (OrchScope * scope,
    OrchCause * cause);
G_GNUC_INTERNAL void orch_scope_set_unwanted (OrchScope * scope,
    OrchCause * cause);

/* After its barrier, if it sets one: who sees the count sees that too. */
static inline void
orch_scope_count_sealed (OrchScope * scope)
{
  __atomic_store_n (&scope->n_sealed, scope->n_sealed + 1, __ATOMIC_RELEASE);
}

static inline guint64
orch_scope_get_n_sealed (const OrchScope * scope)
{
  return __atomic_load_n (&scope->n_sealed, __ATOMIC_ACQUIRE);
}

static inline OrchCause *
orch_scope_get_barrier (const OrchScope * scope)
{
  return __atomic_load_n (&scope->barrier, __ATOMIC_ACQUIRE);
}

static inline OrchCause *
orch_scope_get_unwanted (const OrchScope * scope)
{
  return __atomic_load_n (&scope->unwanted, __ATOMIC_ACQUIRE);
}

G_END_DECLS
