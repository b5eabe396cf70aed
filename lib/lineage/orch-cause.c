/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-cause.h"
#include "orch-refs.h"

OrchCause *
orch_cause_new (const gchar * domain, const gchar * code,
    const gchar * message, const gchar * path, const gchar * call)
{
  OrchCause *cause = g_slice_new (OrchCause);

  cause->refs = 1;
  cause->domain = g_intern_string (domain);
  cause->code = g_intern_string (code);
  cause->message = g_strdup (message);
  cause->path = g_strdup (path);
  cause->call = g_intern_string (call);
  return cause;
}

OrchCause *
orch_cause_ref (OrchCause * cause)
{
  orch_refs_take (&cause->refs);
  return cause;
}

void
orch_cause_unref (OrchCause * cause)
{
  if (!cause || !orch_refs_drop (&cause->refs))
    return;
  g_free (cause->message);
  g_free (cause->path);
  g_slice_free (OrchCause, cause);
}

OrchCause *
orch_cause_locate (OrchCause * cause, const gchar * path, const gchar * call)
{
  if ((cause->path || !path) && (cause->call || !call))
    return orch_cause_ref (cause);
  return orch_cause_new (cause->domain, cause->code, cause->message,
      cause->path ? cause->path : path, cause->call ? cause->call : call);
}

gboolean
orch_cause_is_lost (const OrchCause * cause)
{
  return cause && g_str_equal (cause->domain, ORCH_CAUSE_DOMAIN)
      && (g_str_equal (cause->code, ORCH_CODE_LOST)
      || g_str_equal (cause->code, ORCH_CODE_ENDED));
}

gboolean
orch_cause_equal (const OrchCause * a, const OrchCause * b)
{
  if (a == b || !a || !b)
    return a == b;
  return a->domain == b->domain && a->code == b->code && a->call == b->call
      && g_strcmp0 (a->message, b->message) == 0
      && g_strcmp0 (a->path, b->path) == 0;
}
