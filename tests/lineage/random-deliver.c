/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "random-run.h"

/* What nodes make of what they hear; the part of the elements. */

/* The Item of `node` for `unit` is what `input` was. */
void
run_publish_input (Run * run, guint node, Unit * unit, guint input)
{
  guint source = run->program->nodes[node].inputs[input];
  Station *from = get_station (run, unit, source);

  run_publish (run, node, unit, from->outcome,
      from->value ? value_ref (from->value) : NULL, from->cause);
}

/* ---- CALL and JOIN (S2) ---- */

static void
enter (Run * run, guint node, Unit * unit, OrchOutcome input, OrchCause * cause)
{
  NodeState *state = &run->nodes[node];
  Work *work = g_new0 (Work, 1);

  work->node = node;
  work->unit = unit;
  orch_grain_init (&work->grain, orch_entity_ref (unit->entity));
  orch_grain_set_entered (&work->grain, run->n_events);
  g_ptr_array_add (run->works, work);
  get_station (run, unit, node)->entered = TRUE;
  state->n_entered++;
  orch_call_enter (state->call, &work->grain, input, cause, &run->sealed);
  run_collect (run, node);
}

static void
decide_join (Run * run, guint node, Unit * unit, OrchOutcome outcome,
    OrchCause * cause)
{
  const Node *info = &run->program->nodes[node];
  Value *values[MAX_INPUTS], *value = NULL;
  guint i;

  for (i = 0; i < info->n_inputs; i++)
    values[i] = get_station (run, unit, info->inputs[i])->value;
  if (outcome == ORCH_OUTCOME_PRESENT)
    value = program_join (run->program, node, values);
  run_publish (run, node, unit, outcome, value, cause);
}

static void
look_at_inputs (Run * run, guint node, Unit * unit)
{
  const Node *info = &run->program->nodes[node];
  Station *station = get_station (run, unit, node);
  OrchOutcome outcome = ORCH_OUTCOME_PRESENT;
  OrchCause *cause = NULL;
  guint deciding;

  if (station->entered || station->outcome != ORCH_OUTCOME_UNRESOLVED)
    return;
  switch (orch_rule_call (station->inputs, info->n_inputs, &deciding)) {
    case ORCH_DECISION_WAIT:
      return;
    case ORCH_DECISION_READY:
      break;
    case ORCH_DECISION_DROP:
      outcome = ORCH_OUTCOME_DROPPED;
      break;
    case ORCH_DECISION_SUPPRESS:
      outcome = ORCH_OUTCOME_SUPPRESSED;
      cause = station->inputs[deciding].cause;
      break;
  }
  if (info->kind == NODE_CALL)
    enter (run, node, unit, outcome, cause);
  else
    decide_join (run, node, unit, outcome, cause);
}

/* ---- FILTER (S3.4) ---- */

static void
filter (Run * run, guint node, Unit * unit)
{
  const Node *info = &run->program->nodes[node];
  Station *station = get_station (run, unit, node);
  Station *mask = get_station (run, unit, info->inputs[1]);
  OrchMask value = ORCH_MASK_TRUE;
  gboolean from_mask;
  OrchOutcome outcome;

  if (station->outcome != ORCH_OUTCOME_UNRESOLVED)
    return;
  if (station->inputs[1].outcome == ORCH_OUTCOME_PRESENT)
    value = program_get_mask (run->program, node, unit->hash, mask->value);
  outcome = orch_rule_filter (station->inputs[0].outcome,
      station->inputs[1].outcome, value, &from_mask);
  if (outcome == ORCH_OUTCOME_UNRESOLVED)
    return;
  if (from_mask || outcome == station->inputs[0].outcome)
    run_publish_input (run, node, unit, from_mask ? 1 : 0);
  else
    run_publish (run, node, unit, outcome, NULL, run->error);
}

/* ---- BROADCAST (S3.5) ---- */

static Unit *
find_above (Unit * unit, guint domain)
{
  while (unit->family->domain != domain)
    unit = unit->family->parent;
  return unit;
}

static void
give_broadcast (Run * run, guint node, Unit * unit, Unit * above)
{
  Station *from = get_station (run, above,
      run->program->nodes[node].inputs[0]);

  run_publish (run, node, unit, orch_rule_broadcast (from->outcome),
      from->value ? value_ref (from->value) : NULL, from->cause);
}

/* Either is first: the Item from above, or who is to see it.  `above` keeps a
 * mark of its own, as it may have no station of this node. */
static void
broadcast (Run * run, guint node, Unit * unit, guint input)
{
  guint domain = run->program->nodes[run->program->nodes[node].inputs[0]].domain;
  GPtrArray *waiting = run->nodes[node].waiting;
  guint i;

  if (input == 1) {
    Unit *above = find_above (unit, domain);

    if (above->seen_by & (1u << node))
      give_broadcast (run, node, unit, above);
    else
      g_ptr_array_add (waiting, unit);
    return;
  }
  unit->seen_by |= 1u << node;
  for (i = 0; i < waiting->len;) {
    Unit *below = g_ptr_array_index (waiting, i);

    if (find_above (below, domain) == unit) {
      g_ptr_array_remove_index_fast (waiting, i);
      give_broadcast (run, node, below, unit);
    } else {
      i++;
    }
  }
}

/* ---- delivery ---- */

static gboolean
is_first_arrival (Run * run, const News * news)
{
  OrchExpansion *complete;
  guint64 bit = G_GUINT64_CONSTANT (1) << (2 * news->node + news->input);
  gboolean is_new = orch_arrivals_add (run->nodes[news->node].arrivals
      [news->input], news->unit->entity, &complete);

  orch_expansion_unref (complete);
  if (is_new == !!(news->unit->arrived & bit))
    run_complain (run, "n%u takes an arrival for %s", news->node,
        is_new ? "new" : "repeated");
  news->unit->arrived |= bit;
  return is_new;
}

static void
note_input (Run * run, const News * news)
{
  const Node *info = &run->program->nodes[news->node];
  OrchInput *input =
      &get_station (run, news->unit, news->node)->inputs[news->input];
  Station *from = get_station (run, news->unit, info->inputs[news->input]);

  *input = (OrchInput) {
  from->outcome, info->optional[news->input], from->cause};
}

static void
deliver_item (Run * run, const News * news)
{
  const Node *info = &run->program->nodes[news->node];
  guint i;

  if (!is_first_arrival (run, news))
    return;
  switch (info->kind) {
    case NODE_CALL:
    case NODE_JOIN:
      for (i = 0; i < info->n_inputs; i++)
        get_station (run, news->unit, news->node)->inputs[i].optional =
            info->optional[i];
      note_input (run, news);
      look_at_inputs (run, news->node, news->unit);
      break;
    case NODE_FILTER:
      note_input (run, news);
      filter (run, news->node, news->unit);
      break;
    case NODE_BROADCAST:
      broadcast (run, news->node, news->unit, news->input);
      break;
    case NODE_EXPAND:
      run_expand (run, news->node, news->unit);
      break;
    default:
      run_gather (run, news->node, news->unit, news->input);
      break;
  }
}

void
run_deliver (Run * run, News * news)
{
  switch (news->kind) {
    case NEWS_ITEM:
      deliver_item (run, news);
      break;
    case NEWS_STREAM:
      run_stream (run, news->node, news->family);
      break;
    case NEWS_EXPANSION:
      run_close_gather (run, news->node, news->family);
      break;
    case NEWS_GUARD:
      run_look_at_gather (run, news->node, news->family);
      break;
  }
}
