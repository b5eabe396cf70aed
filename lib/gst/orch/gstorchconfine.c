/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchconfine-private.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

/* What one file in memory may come to. */
#define MAX_FILE (16 * 1024ull * 1024 * 1024)

static void
set_limit (gint which, rlim_t value)
{
  struct rlimit limit;

  if (getrlimit (which, &limit) < 0)
    return;
  limit.rlim_max = MIN (limit.rlim_max, value);
  limit.rlim_cur = MIN (limit.rlim_cur, limit.rlim_max);
  setrlimit (which, &limit);
}

/* `why` (transfer full) */
static void
add (GString * missing, gchar * why)
{
  if (missing->len)
    g_string_append (missing, "; ");
  g_string_append (missing, why);
  g_free (why);
}

gchar *
gst_orch_confine (void)
{
  GString *missing = g_string_new (NULL);
  gchar *why = NULL;

  set_limit (RLIMIT_CORE, 0);
  set_limit (RLIMIT_FSIZE, MAX_FILE);
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
    add (missing, g_strdup_printf ("new privileges cannot be ruled out (%s)",
            g_strerror (errno)));
  if (!gst_orch_confine_files (&why))
    add (missing, g_steal_pointer (&why));
  if (!gst_orch_confine_calls (&why)) {
    add (missing, g_steal_pointer (&why));
    /* The filter would know threads from processes; this counts both. */
    set_limit (RLIMIT_NPROC, 64);
  }
  return g_string_free (missing, missing->len == 0);
}
