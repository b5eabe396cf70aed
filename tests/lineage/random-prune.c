/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "random-run.h"

/* What nobody wants any more (S5.5), handed upstream as long as nobody else wants
 * it. */

gboolean
run_is_unwanted (Run * run, guint node, Family * family)
{
  while (family && !(family->unwanted & (1u << node)))
    family = family->parent ? family->parent->family : NULL;
  return family != NULL;
}

static gboolean
is_within (Family * family, Family * outer)
{
  while (family && family != outer)
    family = family->parent ? family->parent->family : NULL;
  return family != NULL;
}

/* The lists leave the window; a stream ends. */
static void
remove_lanes (Run * run, guint node, Family * outer)
{
  guint i;

  for (i = 0; i < run->families->len; i++) {
    Family *family = g_ptr_array_index (run->families, i);

    if (family->domain != run->program->nodes[node].domain || !family->lane
        || !is_within (family, outer))
      continue;
    orch_lane_remove (family->lane);
    family->lane = NULL;
    orch_expansion_publish (family->expansion, ORCH_EXPANSION_FAILED,
        run->error);
  }
}

static void
end_gathers (Run * run, guint node, Family * outer)
{
  guint below = run->program->nodes[run->program->nodes[node].inputs[0]].domain;
  guint i;

  for (i = 0; i < run->families->len; i++) {
    Family *family = g_ptr_array_index (run->families, i);

    if (family->domain == below && is_within (family, outer)
        && get_station (run, family->parent, node)->gather)
      run_look_at_gather (run, node, family);
  }
}

static gboolean
does_nobody_want (Run * run, guint node, Family * family)
{
  guint32 consumers = run->program->nodes[node].consumers;
  guint i;

  for (i = 0; i < run->program->n_nodes; i++)
    if (consumers & (1u << i) && !run_is_unwanted (run, i, family))
      return FALSE;
  return consumers != 0;
}

static void
unwant_output (Run * run, guint node, Family * family)
{
  const Node *info = &run->program->nodes[node];

  if (!program_is_above (run->program, family->domain, info->domain)
      || run_is_unwanted (run, node, family)
      || !does_nobody_want (run, node, family))
    return;
  if (info->kind == NODE_CALL)
    orch_call_unwant (run->nodes[node].call, family->expansion, run->error);
  run_unwant (run, node, family);
}

void
run_unwant (Run * run, guint node, Family * family)
{
  const Node *info = &run->program->nodes[node];
  guint i;

  family->unwanted |= 1u << node;
  if (info->kind == NODE_EXPAND)
    remove_lanes (run, node, family);
  else if (info->kind == NODE_REDUCE)
    end_gathers (run, node, family);
  for (i = 0; i < info->n_inputs; i++)
    unwant_output (run, info->inputs[i], family);
}
