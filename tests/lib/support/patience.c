/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "patience.h"

/* Much more than anything takes, since the machine may be busy. */
#define SECONDS 45

gint64
patience_deadline (void)
{
  /* What Check itself reads: valgrind and the sanitizers need more time. */
  const gchar *multiplier = g_getenv ("CK_TIMEOUT_MULTIPLIER");
  guint factor = multiplier ? g_ascii_strtoull (multiplier, NULL, 10) : 1;

  return g_get_monotonic_time () + SECONDS * G_USEC_PER_SEC * MAX (factor, 1);
}
