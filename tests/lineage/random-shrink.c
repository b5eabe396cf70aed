/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "random-shrink.h"

#include <string.h>

/* Another program is another history, so a smaller one is tried with several
 * seeds before it counts as sound. */
#define N_SEEDS 500
#define N_STEPS 400

gchar *
try_program (const Program * program, const Schedule * schedule)
{
  Results *expected = oracle_run (program);
  gchar *problem = run_program (program, schedule, expected);

  results_free (program, expected);
  return problem;
}

/* Takes the candidate over if it goes wrong too. */
static gboolean
accept (Program * program, Schedule * schedule, const Program * smaller,
    const Schedule * simpler)
{
  Schedule tried = *simpler;
  guint i;

  for (i = 0; i < N_SEEDS; i++) {
    gchar *problem = try_program (smaller, &tried);

    if (problem) {
      *program = *smaller;
      *schedule = tried;
      g_free (problem);
      return TRUE;
    }
    tried.seed++;
  }
  return FALSE;
}

/* ---- fewer nodes ---- */

/* Only what leads to `target`. */
static void
keep_only (Program * program, guint target)
{
  guint i;

  for (i = program->n_nodes - 1; i > 0; i--)
    if (i != target && !program->nodes[i].consumers)
      program_remove (program, i);
}

static gboolean
drop_others (Program * program, Schedule * schedule)
{
  guint i;

  for (i = 1; i < program->n_nodes; i++) {
    Program smaller = *program;

    if (smaller.nodes[i].domain != ROOT_DOMAIN)
      continue;
    keep_only (&smaller, i);
    if (smaller.n_nodes < program->n_nodes
        && accept (program, schedule, &smaller, schedule))
      return TRUE;
  }
  return FALSE;
}

/* Whoever reads `node` reads what comes first into it. */
static gboolean
bypass (Program * program, guint node)
{
  guint i, j, input = program->nodes[node].inputs[0];

  if (program->nodes[node].n_inputs == 0
      || program->nodes[input].domain != program->nodes[node].domain
      || program->nodes[input].level != program->nodes[node].level)
    return FALSE;
  for (i = node + 1; i < program->n_nodes; i++)
    for (j = 0; j < program->nodes[i].n_inputs; j++)
      if (program->nodes[i].inputs[j] == node)
        program->nodes[i].inputs[j] = input;
  program_finish (program);
  return TRUE;
}

static gboolean
drop_node (Program * program, Schedule * schedule)
{
  guint i;

  for (i = program->n_nodes - 1; i > 0; i--) {
    Program smaller = *program;

    if (smaller.nodes[i].consumers && !bypass (&smaller, i))
      continue;
    program_remove (&smaller, i);
    if (accept (program, schedule, &smaller, schedule))
      return TRUE;
  }
  return FALSE;
}

static gboolean
drop_input (Program * program, Schedule * schedule)
{
  guint i;

  for (i = 1; i < program->n_nodes; i++) {
    Program smaller = *program;
    Node *node = &smaller.nodes[i];

    if (node->n_inputs < 2 || node->kind == NODE_FILTER
        || node->kind == NODE_BROADCAST)
      continue;
    node->n_inputs = 1;
    program_finish (&smaller);
    if (accept (program, schedule, &smaller, schedule))
      return TRUE;
  }
  return FALSE;
}

static gboolean
simplify_node (Program * program, Schedule * schedule)
{
  guint i, change;

  for (i = 1; i < program->n_nodes; i++)
    for (change = 0; change < 4; change++) {
      Program smaller = *program;
      Node *node = &smaller.nodes[i];

      if (change == 0)
        node->is_stream = FALSE;
      else if (change == 1)
        node->can_group_fail = FALSE;
      else if (change == 2)
        node->optional[0] = node->optional[1] = FALSE;
      else
        node->max_failed = -1, node->max_share = 1.0;
      if (memcmp (node, &program->nodes[i], sizeof (Node)) != 0
          && accept (program, schedule, &smaller, schedule))
        return TRUE;
    }
  return FALSE;
}

/* ---- less of everything ---- */

static gboolean
lower (Program * program, Schedule * schedule, gsize offset, guint least)
{
  guint value = G_STRUCT_MEMBER (guint, program, offset);
  guint tries[] = { least, value / 2, value - 1 }, i;

  for (i = 0; i < G_N_ELEMENTS (tries) && value > least; i++) {
    Program smaller = *program;

    G_STRUCT_MEMBER (guint, &smaller, offset) = MAX (tries[i], least);
    if (accept (program, schedule, &smaller, schedule))
      return TRUE;
  }
  return FALSE;
}

static gboolean
lower_any (Program * program, Schedule * schedule)
{
  guint i;

  if (lower (program, schedule, G_STRUCT_OFFSET (Program, n_roots), 1)
      || lower (program, schedule, G_STRUCT_OFFSET (Program, max_fanout), 1)
      || lower (program, schedule, G_STRUCT_OFFSET (Program,
              permille_elements), 0)
      || lower (program, schedule, G_STRUCT_OFFSET (Program,
              permille_masks), 0))
    return TRUE;
  for (i = FATE_DROP; i < N_FATES; i++) {
    Program smaller = *program;

    smaller.permille[i] = 0;
    if (program->permille[i]
        && accept (program, schedule, &smaller, schedule))
      return TRUE;
  }
  return FALSE;
}

static gboolean
simplify_schedule (Program * program, Schedule * schedule)
{
  static const gsize options[] = {
    G_STRUCT_OFFSET (Schedule, flush), G_STRUCT_OFFSET (Schedule, losses),
    G_STRUCT_OFFSET (Schedule, stale), G_STRUCT_OFFSET (Schedule, duplicates),
    G_STRUCT_OFFSET (Schedule, windows), G_STRUCT_OFFSET (Schedule, retries),
    G_STRUCT_OFFSET (Schedule, siblings), G_STRUCT_OFFSET (Schedule, prune),
    G_STRUCT_OFFSET (Schedule, early)
  };
  Schedule simpler = *schedule;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (options); i++) {
    simpler = *schedule;
    G_STRUCT_MEMBER (gboolean, &simpler, options[i]) = FALSE;
    if (G_STRUCT_MEMBER (gboolean, schedule, options[i])
        && accept (program, schedule, program, &simpler))
      return TRUE;
  }
  simpler = *schedule;
  simpler.max_replicas--;
  if (simpler.max_replicas > 0
      && accept (program, schedule, program, &simpler))
    return TRUE;
  simpler = *schedule;
  simpler.max_batch /= 2;
  return simpler.max_batch > 0
      && accept (program, schedule, program, &simpler);
}

void
shrink (Program * program, Schedule * schedule)
{
  guint i;

  for (i = 0; i < N_STEPS; i++)
    if (!drop_others (program, schedule) && !drop_node (program, schedule)
        && !lower_any (program, schedule)
        && !simplify_schedule (program, schedule)
        && !drop_input (program, schedule)
        && !simplify_node (program, schedule))
      return;
}
