/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchprelude.h>

G_BEGIN_DECLS

/* What a Call tells the time by, in microseconds: the system's monotonic clock,
 * never a pipeline's (there is none while it prerolls).  A test puts a clock of
 * its own in that place, which stands still until it is told to go on. */
typedef struct _GstOrchTime GstOrchTime;
struct _GstOrchTime
{
  gint64 (*now) (GstOrchTime * time);
  /* As g_cond_wait_until(); `end` may be G_MAXINT64, for ever. */
  gboolean (*wait_until) (GstOrchTime * time, GCond * cond, GMutex * mutex,
      gint64 end);
};

/* (transfer none) */
G_GNUC_INTERNAL GstOrchTime *gst_orch_time_get_system (void);

static inline gint64
gst_orch_time_now (GstOrchTime * time)
{
  return time->now (time);
}

static inline gboolean
gst_orch_time_wait_until (GstOrchTime * time, GCond * cond, GMutex * mutex,
    gint64 end)
{
  return time->wait_until (time, cond, mutex, end);
}

G_END_DECLS
