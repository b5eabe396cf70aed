/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "sim-run.h"
#include "sim-call.h"

typedef struct
{
  const SimConfig *config;
  const SimWorkload *workload;
  SimEvents *events;
  OrchDomain *parents;
  OrchDomain *children;
  OrchExpansion *roots;
  OrchInterleave *lanes;
  OrchArrivals *arrivals;       /* at the gather */
  SimCall *calls[SIM_MAX_CALLS];
  SimDocument *documents;
  SimTimes *times;              /* of the documents */
  guint n_added;                /* documents, as all of the next */
  guint n_open;
  guint n_given;                /* a child was given, no outcome yet */
  guint peak_given;
  guint n_done;
} SimRun;

/* ---- the gather ---- */

static gboolean
gather_has_room (gpointer run)
{
  return TRUE;
}

static void
check_list (const SimDocument * document)
{
  guint64 i;

  for (i = 0; i < document->parent->n_children; i++)
    if (orch_gather_steal_value (document->gather, i) !=
        GSIZE_TO_POINTER (i + 1))
      g_error ("a list is not what its parent was");
}

/* S5.5 */
static void
prune (SimRun * run, SimDocument * document, OrchCause * cause)
{
  guint i;

  if (document->lane)
    orch_lane_remove (document->lane);
  document->lane = NULL;
  for (i = 0; i < run->config->n_calls; i++)
    sim_call_unwant (run->calls[i], document->children, cause);
}

static void
check_document (SimRun * run, SimDocument * document)
{
  OrchOutcome outcome = orch_gather_get_outcome (document->gather);
  gboolean should_fail = document->parent->is_poisoned
      && run->config->failure != SIM_FAILURE_NONE;

  if (outcome == ORCH_OUTCOME_UNRESOLVED)
    return;
  if (outcome != (should_fail ? ORCH_OUTCOME_SUPPRESSED :
          ORCH_OUTCOME_PRESENT))
    g_error ("a parent has an outcome that it should not have");
  if (outcome == ORCH_OUTCOME_PRESENT)
    check_list (document);
  else if (run->config->prune)
    prune (run, document, orch_gather_get_cause (document->gather));
  document->times->done = sim_events_get_time (run->events);
  if (document->times->opened < 0)
    document->times->opened = document->times->done;
  else
    run->n_given--;
  run->n_open--;
  run->n_done++;
  g_clear_pointer (&document->gather, orch_gather_free);
}

static void
gather_take (gpointer data, OrchEntity * entity, OrchOutcome outcome,
    OrchCause * cause)
{
  SimDocument *document = orch_expansion_get_data (entity->expansion);
  SimRun *run = data;
  OrchExpansion *complete;

  if (!orch_arrivals_add (run->arrivals, entity, &complete))
    g_error ("an Entity came out twice");
  orch_expansion_unref (complete);
  if (!document->gather)
    return;
  orch_gather_value (document->gather, entity->ordinal, outcome, cause,
      GSIZE_TO_POINTER (entity->ordinal + 1));
  check_document (run, document);
}

/* ---- the source and the expansion ---- */

static gboolean
can_open (const SimRun * run)
{
  return run->n_added < run->workload->n
      && !orch_interleave_is_full (run->lanes)
      && (run->config->max_open == 0 || run->n_open < run->config->max_open);
}

static void
open_next (SimRun * run)
{
  SimDocument *document = &run->documents[run->n_added];
  OrchEntity *root = orch_expansion_next_child (run->roots);
  guint n;

  document->parent = &run->workload->parents[run->n_added++];
  document->times = &run->times[run->n_added - 1];
  document->times->opened = -1;
  n = document->parent->n_children;
  document->children = orch_expansion_new (run->children, root);
  orch_entity_unref (root);
  orch_expansion_set_data (document->children, document, NULL);
  orch_expansion_succeed_with (document->children, n);
  document->gather =
      orch_gather_new (ORCH_ON_FAILED_SUPPRESS_PARENT, FALSE, NULL);
  document->lane = orch_interleave_add_list (run->lanes, document, n);
  run->n_open++;
  orch_gather_expansion (document->gather, ORCH_EXPANSION_SUCCEEDED, n, NULL);
  check_document (run, document);
}

static void
give_child (SimRun * run, SimDocument * document, gboolean is_last)
{
  OrchEntity *child = orch_expansion_next_child (document->children);

  if (is_last)
    document->lane = NULL;
  if (document->times->opened < 0) {
    document->times->opened = sim_events_get_time (run->events);
    run->n_given++;
    run->peak_given = MAX (run->peak_given, run->n_given);
  }
  sim_call_enter (run->calls[0], child, ORCH_OUTCOME_PRESENT, NULL);
  orch_entity_unref (child);
}

static gboolean
feed (SimRun * run)
{
  gboolean any = FALSE, is_last;
  gpointer document;

  while (TRUE) {
    while (can_open (run))
      open_next (run);
    if (!sim_call_has_room (run->calls[0])
        || !orch_interleave_next (run->lanes, &document, &is_last))
      return any;
    give_child (run, document, is_last);
    any = TRUE;
  }
}

/* ---- the clock ---- */

/* All that can happen at one moment; batches are as full as the source can make
 * them. */
static void
settle_moment (SimRun * run)
{
  gboolean any = TRUE;
  guint i;

  while (any) {
    gboolean eos, stalled;

    any = feed (run);
    eos = run->n_added == run->workload->n
        && orch_interleave_get_n_lists (run->lanes) == 0;
    stalled = !can_open (run) && !orch_interleave_has_next (run->lanes);
    for (i = 0; i < run->config->n_calls; i++) {
      any |= sim_call_push (run->calls[i]);
      any |= sim_call_dispatch (run->calls[i], eos, stalled);
      eos = eos && sim_call_is_empty (run->calls[i]);
      stalled = stalled && sim_call_is_empty (run->calls[i]);
    }
  }
}

/* ---- a run ---- */

static void
run_init (SimRun * run, const SimConfig * config, const SimWorkload * workload)
{
  guint i;

  *run = (SimRun) {
  config, workload, sim_events_new ()};
  run->parents = orch_domain_new ("parents", NULL);
  run->children = orch_domain_new ("children", run->parents);
  run->roots = orch_expansion_new (run->parents, NULL);
  run->lanes = orch_interleave_new (config->interleave,
      sim_config_get_window (config), 0);
  run->arrivals = orch_arrivals_new ();
  run->documents = g_new0 (SimDocument, workload->n);
  run->times = g_new0 (SimTimes, workload->n);
  for (i = config->n_calls; i > 0; i--) {
    SimOutput output = { gather_has_room, gather_take, run };

    if (i < config->n_calls)
      output = (SimOutput) {
      sim_call_has_room, sim_call_enter, run->calls[i]};
    run->calls[i - 1] = sim_call_new (config, i - 1, run->events, &output);
  }
}

static void
run_clear (SimRun * run)
{
  guint i;

  for (i = 0; i < run->config->n_calls; i++)
    sim_call_free (run->calls[i]);
  for (i = 0; i < run->n_added; i++)
    orch_expansion_unref (run->documents[i].children);
  g_free (run->documents);
  g_free (run->times);
  orch_arrivals_free (run->arrivals);
  orch_interleave_free (run->lanes);
  orch_expansion_unref (run->roots);
  orch_domain_unref (run->children);
  orch_domain_unref (run->parents);
  sim_events_free (run->events);
}

static void
check_accounts (SimRun * run)
{
  guint i;

  if (run->n_done != run->workload->n)
    g_error ("%u of %u parents have no outcome", run->workload->n -
        run->n_done, run->workload->n);
  for (i = 0; i < run->config->n_calls; i++) {
    const SimCallStats *stats = sim_call_get_stats (run->calls[i]);
    guint64 ended = stats->n_outcomes[ORCH_OUTCOME_PRESENT]
        + stats->n_outcomes[ORCH_OUTCOME_DROPPED]
        + stats->n_outcomes[ORCH_OUTCOME_FAILED]
        + stats->n_outcomes[ORCH_OUTCOME_SUPPRESSED];

    if (!sim_call_is_empty (run->calls[i]) || ended != stats->n_entered)
      g_error ("the accounts of Call %u do not close", i);
  }
}

/* ---- all of it ---- */

void
sim_run (const SimConfig * config, const SimWorkload * workload,
    SimResult * result)
{
  SimRun run;
  guint i;

  run_init (&run, config, workload);
  settle_moment (&run);
  while (sim_events_run_next (run.events))
    settle_moment (&run);
  check_accounts (&run);
  *result = (SimResult) {
  0};
  for (i = 0; i < config->n_calls; i++)
    result->calls[i] = *sim_call_get_stats (run.calls[i]);
  sim_result_collect (result, config, workload, run.times, run.peak_given);
  run_clear (&run);
}
