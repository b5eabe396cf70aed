/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchtime-private.h"

static gint64
system_now (GstOrchTime * time)
{
  return g_get_monotonic_time ();
}

static gboolean
system_wait_until (GstOrchTime * time, GCond * cond, GMutex * mutex, gint64 end)
{
  if (end < G_MAXINT64)
    return g_cond_wait_until (cond, mutex, end);
  g_cond_wait (cond, mutex);
  return TRUE;
}

GstOrchTime *
gst_orch_time_get_system (void)
{
  static GstOrchTime system = { system_now, system_wait_until };

  return &system;
}
