/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "sim-result.h"

void
sim_call_stats_count_started (SimCallStats * stats, const SimParent * parent,
    guint64 child)
{
  stats->n_started++;
  if (!parent->is_poisoned || child == parent->poison)
    return;
  stats->n_started_doomed++;
  if (child > parent->poison)
    stats->n_started_behind++;
}

/* ---- parents ---- */

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

static void
get_spread (GArray * times, SimSpread * spread)
{
  guint i, n = times->len;
  gdouble sum = 0;

  *spread = (SimSpread) {
  0};
  if (n == 0)
    return;
  g_array_sort (times, compare_times);
  for (i = 0; i < n; i++)
    sum += g_array_index (times, gint64, i);
  spread->p50 = g_array_index (times, gint64, (n * 50 - 1) / 100);
  spread->p90 = g_array_index (times, gint64, (n * 90 - 1) / 100);
  spread->p99 = g_array_index (times, gint64, (n * 99 - 1) / 100);
  spread->mean = sum / n;
}

static void
count_poisoned (SimResult * result, const SimParent * parent)
{
  result->n_suppressed++;
  result->n_doomed += parent->n_children - 1;
  result->n_behind += parent->n_children - 1 - parent->poison;
}

static void
add_times (SimResult * result, const SimTimes * times)
{
  GArray *completion = g_array_new (FALSE, FALSE, sizeof (gint64));
  GArray *open_to_done = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint i;

  for (i = 0; i < result->n_parents; i++) {
    gint64 open = times[i].done - times[i].opened;

    g_array_append_val (completion, times[i].done);
    g_array_append_val (open_to_done, open);
    result->makespan = MAX (result->makespan, times[i].done);
  }
  get_spread (completion, &result->completion);
  get_spread (open_to_done, &result->open_to_done);
  g_array_unref (completion);
  g_array_unref (open_to_done);
}

void
sim_result_collect (SimResult * result, const SimConfig * config,
    const SimWorkload * workload, const SimTimes * times, guint peak_open)
{
  guint i;

  result->n_parents = workload->n;
  result->n_children = workload->n_children;
  result->peak_open = peak_open;
  result->n_calls = config->n_calls;
  for (i = 0; i < workload->n; i++)
    if (config->failure != SIM_FAILURE_NONE
        && workload->parents[i].is_poisoned)
      count_poisoned (result, &workload->parents[i]);
  result->n_present = result->n_parents - result->n_suppressed;
  add_times (result, times);
  for (i = 0; i < config->n_calls; i++)
    result->makespan = MAX (result->makespan, result->calls[i].last);
}

/* ---- figures ---- */

gdouble
sim_result_get_prevented (const SimResult * result, guint call)
{
  if (result->n_doomed == 0)
    return 0;
  return 1 - (gdouble) result->calls[call].n_started_doomed / result->n_doomed;
}

gdouble
sim_result_get_prevented_behind (const SimResult * result, guint call)
{
  if (result->n_behind == 0)
    return 0;
  return 1 - (gdouble) result->calls[call].n_started_behind / result->n_behind;
}

gdouble
sim_result_get_utilisation (const SimResult * result, const SimConfig * config,
    guint call)
{
  if (result->makespan == 0)
    return 0;
  return (gdouble) result->calls[call].busy / result->makespan
      / config->calls[call].replicas;
}

gdouble
sim_result_get_fill (const SimResult * result, const SimConfig * config,
    guint call)
{
  const SimCallStats *stats = &result->calls[call];

  if (stats->n_batches == 0)
    return 0;
  return (gdouble) stats->n_in_batches / stats->n_batches
      / config->calls[call].batch_size;
}
