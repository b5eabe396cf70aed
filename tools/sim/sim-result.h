/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "sim-config.h"

G_BEGIN_DECLS

/* What a run of a workload came to, simulated or real.  Times are in nanoseconds. */

/* When a parent was on its way. */
typedef struct
{
  gint64 opened;                /* -1 before its first child was given */
  gint64 done;
} SimTimes;

typedef struct
{
  guint64 n_entered;
  guint64 n_outcomes[5];        /* by OrchOutcome */
  guint64 n_batches;
  guint64 n_full;
  guint64 n_in_batches;
  guint64 n_started;
  guint64 n_started_doomed;     /* of poisoned parents, but for the poison */
  guint64 n_started_behind;     /* of these behind the poison */
  gint64 busy;                  /* time of all replicas */
  gint64 last;                  /* when a batch ended */
} SimCallStats;

/* Of times, by nearest rank. */
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

/* A child of `parent` begins. */
void sim_call_stats_count_started (SimCallStats * stats,
    const SimParent * parent, guint64 child);

/* All but `result->calls`, which are there: from the times of all parents. */
void sim_result_collect (SimResult * result, const SimConfig * config,
    const SimWorkload * workload, const SimTimes * times, guint peak_open);

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
