/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "sim-call.h"

G_BEGIN_DECLS

/* Of times in nanoseconds, by nearest rank. */
typedef struct
{
  gint64 p50;
  gint64 p90;
  gint64 p99;
  gint64 mean;
} SimSpread;

typedef struct
{
  guint n_parents;
  guint64 n_children;
  guint n_present;              /* parents, as the next two */
  guint n_suppressed;
  guint peak_open;              /* at once: a child was given, no outcome yet */
  guint64 n_doomed;             /* children of poisoned parents, but the poison */
  guint64 n_behind;             /* of these behind the poison */
  gint64 makespan;              /* until the last parent and the last batch are done */
  SimSpread completion;         /* of a parent, since the start */
  SimSpread open_to_done;       /* of a parent, since its first child was given */
  guint n_calls;
  SimCallStats calls[SIM_MAX_CALLS];
} SimResult;

/* Lets a workload pass through.  Whatever would be an error of the engine (an
 * Entity without outcome, a list out of order, accounts that do not close) ends
 * the program. */
void sim_run (const SimConfig * config, const SimWorkload * workload,
    SimResult * result);

/* Shares of what a Call might have done for parents that fail and did not do:
 * of all their children, and of those behind the poison; 0 with no poison. */
gdouble sim_result_get_prevented (const SimResult * result, guint call);
gdouble sim_result_get_prevented_behind (const SimResult * result, guint call);
/* Of the time of all replicas. */
gdouble sim_result_get_utilisation (const SimResult * result,
    const SimConfig * config, guint call);
gdouble sim_result_get_fill (const SimResult * result,
    const SimConfig * config, guint call);

G_END_DECLS
