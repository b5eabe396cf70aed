/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-call-private.h"

/* What is not to run: group barriers (semantics S5.2) and parents that nobody
 * wants any more (S5.5). */

OrchCause *
orch_call_look_up_cover (OrchCall * call, OrchExpansion * expansion)
{
  OrchScope *scope = orch_call_find_scope (call, expansion);
  OrchCause *cover = scope ? orch_scope_get_barrier (scope) : NULL;

  if (!call->has_unwanted)
    return cover;
  for (; !cover && expansion; expansion = orch_expansion_get_above (expansion)) {
    scope = orch_call_find_scope (call, expansion);
    cover = scope ? orch_scope_get_unwanted (scope) : NULL;
  }
  return cover;
}

void
orch_call_unwant (OrchCall * call, OrchExpansion * expansion,
    OrchCause * cause)
{
  OrchScope *scope;

  g_return_if_fail (cause);

  scope = orch_call_get_scope (call, expansion);
  if (orch_scope_get_unwanted (scope))
    return;
  orch_scope_set_unwanted (scope, cause);
  call->has_unwanted = TRUE;
  call->has_covered = TRUE;
}

/* ---- for any thread ---- */

OrchCause *
orch_call_get_barrier (gpointer key, OrchExpansion * expansion)
{
  OrchScope *scope = orch_scope_find (expansion, key);

  return scope ? orch_scope_get_barrier (scope) : NULL;
}

gboolean
orch_call_is_parent_sealed (gpointer key, OrchExpansion * expansion)
{
  OrchScope *scope;

  if (orch_expansion_get_state (expansion) == ORCH_EXPANSION_OPEN)
    return FALSE;
  if (orch_expansion_get_n_children (expansion) == 0)
    return TRUE;
  scope = orch_scope_find (expansion, key);
  return scope && orch_scope_get_n_sealed (scope) ==
      orch_expansion_get_n_children (expansion);
}

static OrchScope *
find_in_epoch (OrchExpansion * expansion, gpointer key, guint64 epoch)
{
  OrchScope *scope = orch_scope_find (expansion, key);

  return scope && scope->epoch == epoch ? scope : NULL;
}

OrchCause *
orch_call_get_cover (gpointer key, const OrchGrain * grain)
{
  OrchExpansion *expansion = grain->entity->expansion;
  OrchScope *scope = find_in_epoch (expansion, key, grain->epoch);
  OrchCause *cover = scope ? orch_scope_get_barrier (scope) : NULL;

  for (; !cover && expansion; expansion = orch_expansion_get_above (expansion)) {
    scope = find_in_epoch (expansion, key, grain->epoch);
    cover = scope ? orch_scope_get_unwanted (scope) : NULL;
  }
  return cover;
}
