/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-scope.h"

static void
orch_scope_free (gpointer data)
{
  OrchScope *scope = data;

  orch_cause_unref (scope->barrier);
  orch_cause_unref (scope->unwanted);
  g_slice_free (OrchScope, scope);
}

OrchScope *
orch_scope_attach (OrchExpansion * expansion, gpointer key, guint64 epoch)
{
  OrchScope *scope = g_slice_new0 (OrchScope);

  scope->epoch = epoch;
  orch_expansion_attach (expansion, key, scope, orch_scope_free);
  return scope;
}

OrchScope *
orch_scope_find (OrchExpansion * expansion, gpointer key)
{
  return orch_expansion_get_attached (expansion, key);
}

void
orch_scope_set_barrier (OrchScope * scope, OrchCause * cause)
{
  __atomic_store_n (&scope->barrier, orch_cause_ref (cause), __ATOMIC_RELEASE);
}

void
orch_scope_set_unwanted (OrchScope * scope, OrchCause * cause)
{
  __atomic_store_n (&scope->unwanted, orch_cause_ref (cause),
      __ATOMIC_RELEASE);
}
