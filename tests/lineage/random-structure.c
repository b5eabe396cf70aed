/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "random-run.h"

/* Opening parents and gathering them again. */

/* ---- EXPAND ---- */

static void
post_closed (Run * run, Family * family)
{
  guint i;

  for (i = 0; i < run->program->n_nodes; i++) {
    const Node *info = &run->program->nodes[i];

    if (info->kind == NODE_REDUCE
        && run->program->nodes[info->inputs[0]].domain == family->domain)
      run_post (run, (News) {
          NEWS_EXPANSION, i, 0, NULL, family});
  }
}

static void
open_list (Run * run, guint node, Family * family)
{
  orch_expansion_succeed_with (family->expansion, family->n);
  if (!run_is_unwanted (run, node, family))
    family->lane = orch_interleave_add_list (run->nodes[node].interleave,
        family, family->n);
  post_closed (run, family);
}

static void
open_stream (Run * run, guint node, Family * family)
{
  guint breaks = program_get_break (run->program, node, family->parent->hash);

  family->breaks = breaks != G_MAXUINT;
  family->n = MIN (family->n, breaks);
  family->lane = orch_interleave_add_stream (run->nodes[node].interleave,
      family);
  run_post (run, (News) {
      NEWS_STREAM, node, 0, NULL, family});
}

void
run_expand (Run * run, guint node, Unit * unit)
{
  const Node *info = &run->program->nodes[node];
  Station *from = get_station (run, unit, info->inputs[0]);
  Family *family = family_new (run, info->domain, unit);

  if (from->outcome != ORCH_OUTCOME_PRESENT) {
    orch_expansion_publish (family->expansion,
        orch_expansion_state_from_outcome (from->outcome), from->cause);
    post_closed (run, family);
    return;
  }
  family->list = value_ref (from->value);
  family->n = value_get_n (family->list);
  if (info->is_stream)
    open_stream (run, node, family);
  else
    open_list (run, node, family);
}

static void
close_stream (Run * run, Family * family)
{
  orch_expansion_publish (family->expansion, family->breaks ?
      ORCH_EXPANSION_FAILED : ORCH_EXPANSION_SUCCEEDED,
      family->breaks ? run->error : NULL);
  post_closed (run, family);
}

void
run_stream (Run * run, guint node, Family * family)
{
  if (!family->lane || family->is_closed)
    return;
  if (family->n_fed < family->n) {
    family->n_fed++;
    orch_lane_feed (family->lane, 1);
    run_post (run, (News) {
        NEWS_STREAM, node, 0, NULL, family});
    return;
  }
  family->is_closed = TRUE;
  if (orch_lane_close (family->lane)) {
    family->lane = NULL;
    close_stream (run, family);
  }
}

gboolean
run_can_take_turn (Run * run, guint node)
{
  return node < run->program->n_nodes && run->nodes[node].interleave
      && orch_interleave_has_next (run->nodes[node].interleave);
}

/* The next child of whoever's turn it is. */
void
run_take_turn (Run * run, guint node)
{
  const Element *element;
  gpointer lane_data;
  gboolean is_last;
  Family *family;
  Unit *unit;

  orch_interleave_next (run->nodes[node].interleave, &lane_data, &is_last);
  family = lane_data;
  if (is_last)
    family->lane = NULL;
  element = value_get (family->list, family->units->len);
  unit = unit_new (run, family, orch_expansion_next_child (family->expansion));
  run_publish (run, node, unit, element->outcome,
      element->value ? value_ref (element->value) : NULL,
      element->outcome == ORCH_OUTCOME_FAILED ? run->error : NULL);
  if (is_last && run->program->nodes[node].is_stream)
    close_stream (run, family);
}

/* ---- REDUCE (S3.6, S5.2a) ---- */

/* (nullable): while it is open and wanted */
static OrchGather *
get_gather (Run * run, guint node, Family * family)
{
  const Node *info = &run->program->nodes[node];
  Station *station = get_station (run, family->parent, node);

  if (station->outcome != ORCH_OUTCOME_UNRESOLVED)
    return NULL;
  if (run_is_unwanted (run, node, family)) {
    g_clear_pointer (&station->gather, orch_gather_free);
    run_publish (run, node, family->parent, ORCH_OUTCOME_SUPPRESSED, NULL,
        run->error);
    return NULL;
  }
  if (!station->gather) {
    station->gather = orch_gather_new (info->mode, info->n_inputs == 2,
        value_unref);
    orch_gather_set_max_failed (station->gather,
        info->max_failed < 0 ? G_MAXUINT64 : (guint64) info->max_failed,
        info->max_share);
    if (run->nodes[node].guards)
      orch_gather_hold (station->gather);
  }
  return station->gather;
}

/* S5.2a: a barrier ends it; it may be present once none can come any more. */
static void
look_at_guards (Run * run, guint node, Family * family, OrchGather * gather)
{
  gboolean all_sealed = TRUE;
  guint i;

  for (i = 0; i < run->program->n_nodes; i++) {
    OrchCause *barrier;
    gpointer key;

    if (!(run->nodes[node].guards & (1u << i)))
      continue;
    key = orch_call_get_key (run->nodes[i].call);
    all_sealed &= orch_call_is_parent_sealed (key, family->expansion);
    barrier = orch_call_get_barrier (key, family->expansion);
    if (barrier)
      orch_gather_barrier (gather, barrier);
  }
  if (all_sealed)
    orch_gather_release (gather);
}

static void
add_failure (Value * list, OrchEntity * parent, gint64 ordinal)
{
  gchar *path = orch_entity_get_path (parent);

  if (ordinal >= 0) {
    gchar *child = g_strdup_printf ("%s/%" G_GINT64_FORMAT, path, ordinal);

    value_add_failure (list, child);
    g_free (child);
  } else {
    value_add_failure (list, path);
  }
  g_free (path);
}

static Value *
make_list (Run * run, guint node, Family * family, OrchGather * gather)
{
  const Node *info = &run->program->nodes[node];
  Value *list = value_new_list (info->uid);
  guint64 i, n = orch_gather_get_n_children (gather);
  OrchGatherChild child;

  if (orch_gather_get_expansion (gather, NULL, NULL) == ORCH_EXPANSION_FAILED)
    add_failure (list, family->parent->entity, -1);
  for (i = 0; i < n; i++) {
    orch_gather_get_child (gather, i, &child);
    if (orch_outcome_is_failing (child.outcome)) {
      add_failure (list, family->parent->entity, i);
      if (info->mode == ORCH_ON_FAILED_PLACEHOLDER)
        value_add (list, ORCH_OUTCOME_FAILED, NULL);
    } else if (child.outcome == ORCH_OUTCOME_PRESENT) {
      value_take_failures (list, child.value);
      value_add (list, ORCH_OUTCOME_PRESENT,
          orch_gather_steal_value (gather, i));
    }
  }
  return list;
}

void
run_look_at_gather (Run * run, guint node, Family * family)
{
  OrchGather *gather = get_gather (run, node, family);
  Value *value = NULL;
  OrchOutcome outcome;

  if (!gather)
    return;
  look_at_guards (run, node, family, gather);
  outcome = orch_gather_get_outcome (gather);
  if (outcome == ORCH_OUTCOME_UNRESOLVED)
    return;
  get_station (run, family->parent, node)->gather = NULL;
  if (outcome == ORCH_OUTCOME_PRESENT)
    value = make_list (run, node, family, gather);
  run_publish (run, node, family->parent, outcome, value,
      orch_gather_get_cause (gather));
  orch_gather_free (gather);
  if (outcome == ORCH_OUTCOME_SUPPRESSED && run->schedule->prune)
    run_unwant (run, node, family);
}

void
run_close_gather (Run * run, guint node, Family * family)
{
  OrchGather *gather = get_gather (run, node, family);

  if (gather)
    orch_gather_expansion (gather,
        orch_expansion_get_state (family->expansion),
        orch_expansion_get_n_children (family->expansion),
        orch_expansion_get_cause (family->expansion));
  run_look_at_gather (run, node, family);
}

void
run_gather (Run * run, guint node, Unit * unit, guint input)
{
  OrchGather *gather = get_gather (run, node, unit->family);
  Station *from = get_station (run, unit,
      run->program->nodes[node].inputs[input]);

  if (!gather)
    return;
  if (input == 1)
    orch_gather_member (gather, unit->entity->ordinal, from->outcome,
        from->cause);
  else
    orch_gather_value (gather, unit->entity->ordinal, from->outcome,
        from->cause, from->value ? value_ref (from->value) : NULL);
  run_look_at_gather (run, node, unit->family);
}
