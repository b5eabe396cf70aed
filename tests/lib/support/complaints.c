/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "complaints.h"

static gint expected;           /* atomic */
static gint n_complaints;       /* atomic */

static void
complain (const gchar * domain, GLogLevelFlags level, const gchar * message,
    gpointer user_data)
{
  if (!g_atomic_int_get (&expected))
    g_error ("unexpected complaint: %s", message);
  g_atomic_int_inc (&n_complaints);
}

void
complaints_init (void)
{
  g_log_set_handler (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING,
      complain, NULL);
}

void
complaints_expect (void)
{
  g_atomic_int_set (&n_complaints, 0);
  g_atomic_int_set (&expected, TRUE);
}

guint
complaints_take (void)
{
  g_atomic_int_set (&expected, FALSE);
  return g_atomic_int_get (&n_complaints);
}
