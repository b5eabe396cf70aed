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

/* A second one, once nothing has moved for a while: nothing more comes before
 * something that is held below has left.  The first Calls on the way that wait for a
 * batch to fill go on with what they have (S10), and keep the query to themselves:
 * what is behind them may still get more. */
GST_ORCH_API void gst_orch_activity_hurry (GstPad * srcpad);
GST_ORCH_API gboolean gst_orch_activity_is_hurry (GstQuery * query);

G_END_DECLS
