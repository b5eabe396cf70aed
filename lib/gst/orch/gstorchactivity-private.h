/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchprelude.h>

G_BEGIN_DECLS

/* A custom downstream query: does anything move below?  A source that holds
 * documents back asks it before it takes the silence for a stall.  Every element
 * that works adds to it and lets it go on to the others. */
typedef struct
{
  guint64 done;                 /* units of whatever kind; only ever more */
  gboolean busy;                /* a Function is at work on some */
} GstOrchActivity;

GST_ORCH_API GstOrchActivity gst_orch_activity_ask (GstPad * srcpad);
/* (transfer none) (nullable): what to add to; NULL for any other query */
GST_ORCH_API GstOrchActivity *gst_orch_activity_get (GstQuery * query);

G_END_DECLS
