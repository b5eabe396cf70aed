/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "random-run.h"

/* Replicas: what Functions, workers that get lost and late reports do. */

#define MAX_GHOSTS 64

static Work *
get_work (Attempt * attempt, guint i)
{
  return attempt->works[i];
}

static gboolean
is_open (Attempt * attempt, guint i)
{
  return attempt->batch->grains[i] != NULL;
}

void
attempt_free (gpointer data)
{
  Attempt *attempt = data;

  g_free (attempt->works);
  g_free (attempt->generations);
  g_free (attempt);
}

static Fate
get_fate (Run * run, Work * work)
{
  return program_get_fate (run->program, work->node, work->unit->hash);
}

/* Would the Function return an error if it worked on this one now? */
static gboolean
brings_error (Run * run, Work * work)
{
  Fate fate = get_fate (run, work);

  return fate == FATE_UNTYPED
      || (fate == FATE_UNTYPED_ONCE && work->n_failed == 0);
}

static gboolean
is_covered (Run * run, Work * work)
{
  return orch_call_get_cover (orch_call_get_key (run->nodes[work->node].call),
      &work->grain) != NULL;
}

/* ---- what a Call has sealed ---- */

/* Gathers that wait for this Call learn when it may matter. */
static void
wake_gathers (Run * run, guint node, Family * family)
{
  gpointer key = orch_call_get_key (run->nodes[node].call);
  guint i;

  if (!run->program->nodes[node].can_group_fail || !family->parent)
    return;
  if (!orch_call_get_barrier (key, family->expansion)
      && !orch_call_is_parent_sealed (key, family->expansion))
    return;
  for (i = 0; i < run->program->n_nodes; i++)
    if (run->nodes[i].guards & (1u << node))
      run_post (run, (News) {
          NEWS_GUARD, i, 0, NULL, family});
}

static Value *
make_value (Run * run, Work * work)
{
  const Node *info = &run->program->nodes[work->node];
  Value *values[MAX_INPUTS];
  guint i;

  for (i = 0; i < info->n_inputs; i++)
    values[i] = get_station (run, work->unit, info->inputs[i])->value;
  return program_make_value (run->program, work->node, work->unit->hash,
      values);
}

void
run_collect (Run * run, guint node)
{
  OrchGrain *grain;

  while ((grain = orch_grain_list_pop (&run->sealed))) {
    Work *work = (Work *) grain;

    run->nodes[node].n_sealed[grain->outcome]++;
    if (grain->outcome == ORCH_OUTCOME_UNRESOLVED) {
      work->is_forgotten = TRUE;
      continue;
    }
    run_publish (run, node, work->unit, grain->outcome,
        grain->outcome == ORCH_OUTCOME_PRESENT ? make_value (run, work) : NULL,
        grain->cause);
    wake_gathers (run, node, work->unit->family);
  }
}

/* ---- dispatching ---- */

gboolean
run_can_reserve (Run * run, guint node)
{
  const NodeState *state = &run->nodes[node];

  return state->call && state->n_running < state->n_replicas
      && orch_call_get_n_ready (state->call) > 0;
}

void
run_reserve (Run * run, guint node)
{
  NodeState *state = &run->nodes[node];
  OrchBatch *batch;
  Attempt *attempt;
  guint i;

  if (draw (run, 8) == 0) {
    orch_call_get_deadline (state->call, draw (run, 100), state->batch_size,
        draw (run, 2), &run->sealed);
    run_collect (run, node);
  }
  batch = orch_call_reserve (state->call,
      orch_call_get_batch_limit (state->call, state->batch_size,
          state->n_replicas, draw (run, 8) == 0), &run->sealed);
  run_collect (run, node);
  if (!batch)
    return;
  attempt = g_new0 (Attempt, 1);
  *attempt = (Attempt) {
    .node = node,
    .batch = batch,
    .epoch = run->epoch,
    .n = batch->n,
    .works = g_new (Work *, batch->n),
    .generations = g_new (guint, batch->n),
    .is_slow = draw (run, 3) == 0,
  };
  for (i = 0; i < batch->n; i++) {
    attempt->works[i] = (Work *) batch->grains[i];
    attempt->generations[i] = batch->grains[i]->generation;
  }
  state->n_running++;
  g_ptr_array_add (run->attempts, attempt);
}

/* ---- reports ---- */

static OrchReport
make_report (Run * run, Work * work, guint generation, guint64 epoch)
{
  OrchReport report = { &work->grain, generation, epoch,
    ORCH_OUTCOME_PRESENT, FALSE, NULL
  };

  switch (get_fate (run, work)) {
    case FATE_DROP:
      report.outcome = ORCH_OUTCOME_DROPPED;
      break;
    case FATE_GROUP:
      report.group = TRUE;
      /* fall through */
    case FATE_RECORD:
      report.outcome = ORCH_OUTCOME_FAILED;
      report.cause = run->error;
      break;
    default:
      break;
  }
  return report;
}

static void
send (Run * run, guint node, OrchReport * reports, guint n)
{
  guint i;

  for (i = n; i > 1; i--) {
    guint j = draw (run, i);
    OrchReport swapped = reports[i - 1];

    reports[i - 1] = reports[j];
    reports[j] = swapped;
  }
  if (!orch_call_report (run->nodes[node].call, reports, n, &run->sealed))
    run_complain (run, "n%u refuses a good report", node);
  run_collect (run, node);
}

/* Some of what can be reported by now, or all. */
static void
report (Run * run, Attempt * attempt, gboolean all, gboolean leave_covered)
{
  OrchReport *reports = g_new (OrchReport, attempt->n);
  guint i, n = 0;

  attempt->has_begun = TRUE;
  for (i = 0; i < attempt->n; i++) {
    Work *work = get_work (attempt, i);

    if (!is_open (attempt, i) || brings_error (run, work)
        || get_fate (run, work) == FATE_LEAVE_OUT || (!all && draw (run, 2))
        || (leave_covered && is_covered (run, work)))
      continue;
    reports[n++] = make_report (run, work, attempt->generations[i],
        attempt->epoch);
    if (run->schedule->early && draw (run, 2)) {
      send (run, attempt->node, reports, n);
      n = 0;
    }
  }
  send (run, attempt->node, reports, n);
  g_free (reports);
}

/* ---- reports that must be refused ---- */

static void
send_refused (Run * run, guint node, OrchReport * reports, guint n)
{
  run->nodes[node].n_refused += n;
  if (orch_call_report (run->nodes[node].call, reports, n, &run->sealed))
    run_complain (run, "n%u accepts a report that is %s", node,
        n > 1 ? "doubled" : "stale");
  run_collect (run, node);
}

static void
send_ghost (Run * run)
{
  Ghost *ghost;
  OrchReport report;

  if (run->ghosts->len == 0)
    return;
  ghost = &g_array_index (run->ghosts, Ghost, draw (run, run->ghosts->len));
  if (ghost->work->is_forgotten)
    return;
  report = make_report (run, ghost->work, ghost->generation, ghost->epoch);
  send_refused (run, ghost->work->node, &report, 1);
}

static void
send_doubled (Run * run, Attempt * attempt)
{
  guint i = draw (run, attempt->n);
  OrchReport reports[2];

  if (!is_open (attempt, i))
    return;
  reports[0] = make_report (run, get_work (attempt, i),
      attempt->generations[i], attempt->epoch);
  reports[1] = reports[0];
  send_refused (run, attempt->node, reports, 2);
}

static void
remember (Run * run, Attempt * attempt)
{
  guint i = draw (run, attempt->n);
  Ghost ghost = { get_work (attempt, i), attempt->generations[i],
    attempt->epoch
  };

  if (run->ghosts->len < MAX_GHOSTS)
    g_array_append_val (run->ghosts, ghost);
  else
    g_array_index (run->ghosts, Ghost, draw (run, MAX_GHOSTS)) = ghost;
}

/* ---- the end of an attempt ---- */

static void
end (Run * run, Attempt * attempt)
{
  run_collect (run, attempt->node);
  run->nodes[attempt->node].n_running--;
  remember (run, attempt);
  g_ptr_array_remove_fast (run->attempts, attempt);
}

static void
fail (Run * run, Attempt * attempt)
{
  guint i;

  for (i = 0; i < attempt->n; i++)
    if (is_open (attempt, i))
      get_work (attempt, i)->n_failed++;
  if (!orch_batch_fail (run->nodes[attempt->node].call, attempt->batch,
          run->error, &run->sealed))
    run_complain (run, "n%u aborts", attempt->node);
  end (run, attempt);
}

static void
finish (Run * run, Attempt * attempt)
{
  gboolean leave_covered = draw (run, 2);
  guint i;

  for (i = 0; i < attempt->n; i++)
    if (is_open (attempt, i) && brings_error (run, get_work (attempt, i))
        && !(leave_covered && is_covered (run, get_work (attempt, i)))) {
      fail (run, attempt);
      return;
    }
  report (run, attempt, TRUE, leave_covered);
  orch_batch_finish (run->nodes[attempt->node].call, attempt->batch,
      &run->sealed);
  end (run, attempt);
}

static gboolean
may_lose (Attempt * attempt)
{
  guint i;

  for (i = 0; i < attempt->n; i++)
    if (is_open (attempt, i)
        && get_work (attempt, i)->n_lost == ORCH_GRAIN_MAX_LOST)
      return FALSE;
  return TRUE;
}

static void
lose (Run * run, Attempt * attempt)
{
  guint i;

  for (i = 0; i < attempt->n; i++)
    get_work (attempt, i)->n_lost += is_open (attempt, i);
  if (!orch_batch_lost (run->nodes[attempt->node].call, attempt->batch,
          run->error, &run->sealed))
    run_complain (run, "n%u aborts", attempt->node);
  end (run, attempt);
}

/* It was not begun, so that nothing is heard of it later. */
static void
give_back (Run * run, Attempt * attempt)
{
  orch_batch_return (run->nodes[attempt->node].call, attempt->batch,
      &run->sealed);
  run_collect (run, attempt->node);
  run->nodes[attempt->node].n_running--;
  g_ptr_array_remove_fast (run->attempts, attempt);
}

/* Its epoch is over, which it does not know. */
static void
end_old (Run * run, Attempt * attempt)
{
  OrchCall *call = run->nodes[attempt->node].call;
  guint i = draw (run, attempt->n);

  if (is_open (attempt, i)) {
    OrchReport report = make_report (run, get_work (attempt, i),
        attempt->generations[i], attempt->epoch);

    send_refused (run, attempt->node, &report, 1);
  }
  switch (draw (run, 4)) {
    case 0:
      orch_batch_finish (call, attempt->batch, &run->sealed);
      break;
    case 1:
      orch_batch_fail (call, attempt->batch, run->error, &run->sealed);
      break;
    case 2:
      orch_batch_lost (call, attempt->batch, run->error, &run->sealed);
      break;
    default:
      orch_batch_abandon (call, attempt->batch, &run->sealed);
      break;
  }
  end (run, attempt);
}

/* One step of it. */
void
run_go_on (Run * run, Attempt * attempt)
{
  const Schedule *schedule = run->schedule;
  gint choice = draw (run, 8);

  if (attempt->is_slow && draw (run, 8) > 0)
    return;
  if (schedule->stale && draw (run, 4) == 0) {
    send_ghost (run);
    if (attempt->epoch == run->epoch)
      send_doubled (run, attempt);
  }
  if (attempt->epoch != run->epoch)
    end_old (run, attempt);
  else if (schedule->losses && choice == 5 && !attempt->has_begun)
    give_back (run, attempt);
  else if (schedule->early && choice < 4)
    report (run, attempt, FALSE, FALSE);
  else if (schedule->losses && choice == 4 && may_lose (attempt))
    lose (run, attempt);
  else
    finish (run, attempt);
}
