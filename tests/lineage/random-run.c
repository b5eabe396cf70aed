/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "random-run.h"

/* The whole of a run: from the documents to the accounts. */

enum
{
  STEP_NEWS,
  STEP_TURN,
  STEP_RESERVE,
  STEP_ATTEMPT,
  N_STEPS
};

/* Far more than any run needs. */
#define MAX_EVENTS 1000000

void
run_complain (Run * run, const gchar * format, ...)
{
  va_list args;

  if (run->problem)
    return;
  va_start (args, format);
  run->problem = g_strdup_vprintf (format, args);
  va_end (args);
}

/* ---- the schedule ---- */

void
schedule_draw (Schedule * schedule, guint32 seed)
{
  GRand *rand = g_rand_new_with_seed (mix (seed, 1));

  *schedule = (Schedule) {
    .seed = seed,
    .max_batch = g_rand_int_range (rand, 0, 4) ? 4 : 40,
    .max_replicas = g_rand_int_range (rand, 1, 5),
    .early = g_rand_boolean (rand),
    .siblings = g_rand_boolean (rand),
    .retries = g_rand_boolean (rand),
    .prune = g_rand_boolean (rand),
    .duplicates = g_rand_boolean (rand),
    .losses = g_rand_boolean (rand),
    .stale = g_rand_boolean (rand),
    .flush = g_rand_int_range (rand, 0, 5) == 0,
    .windows = g_rand_boolean (rand),
  };
  g_rand_free (rand);
}

void
schedule_print (const Schedule * schedule)
{
  g_printerr ("schedule %u: batches of at most %u, %u replicas%s%s%s%s%s%s%s%s%s\n",
      schedule->seed, schedule->max_batch, schedule->max_replicas,
      schedule->early ? ", early reports" : "",
      schedule->siblings ? ", siblings" : "",
      schedule->retries ? ", retries" : "",
      schedule->prune ? ", pruning" : "",
      schedule->duplicates ? ", news that comes twice" : "",
      schedule->losses ? ", lost workers" : "",
      schedule->stale ? ", stale reports" : "",
      schedule->flush ? ", flushes" : "", schedule->windows ? ", windows" : "");
}

/* ---- Entities ---- */

static void
station_clear (Station * station)
{
  value_unref (station->value);
  orch_cause_unref (station->cause);
  orch_gather_free (station->gather);
}

Unit *
unit_new (Run * run, Family * family, OrchEntity * entity)
{
  guint n = run->program->domains[family->domain].n_slots;
  Unit *unit = g_malloc0 (sizeof (Unit) + n * sizeof (Station));

  unit->entity = entity;
  unit->family = family;
  unit->hash = path_hash (family->parent ? family->parent->hash : 0,
      entity->ordinal);
  g_ptr_array_add (run->units, unit);
  g_ptr_array_add (family->units, unit);
  return unit;
}

Family *
family_new (Run * run, guint domain, Unit * parent)
{
  Family *family = g_new0 (Family, 1);

  family->domain = domain;
  family->parent = parent;
  family->units = g_ptr_array_new ();
  family->expansion = parent ? orch_expansion_new (run->domains[domain],
      parent->entity) : orch_expansion_ref (run->root_expansion);
  if (parent)
    parent->families[domain] = family;
  g_ptr_array_add (run->families, family);
  return family;
}

static void
unit_free (Run * run, Unit * unit)
{
  guint i, n = run->program->domains[unit->family->domain].n_slots;

  for (i = 0; i < n; i++)
    station_clear (&unit->stations[i]);
  orch_entity_unref (unit->entity);
  g_free (unit);
}

static void
family_free (Family * family)
{
  orch_expansion_unref (family->expansion);
  g_ptr_array_unref (family->units);
  value_unref (family->list);
  g_free (family);
}

/* ---- news ---- */

void
run_post (Run * run, News news)
{
  g_array_append_val (run->news, news);
  if (run->schedule->duplicates && draw (run, 12) == 0)
    g_array_append_val (run->news, news);
}

void
run_publish (Run * run, guint node, Unit * unit, OrchOutcome outcome,
    Value * value, OrchCause * cause)
{
  Station *station = get_station (run, unit, node);
  guint32 consumers = run->program->nodes[node].consumers;
  guint i, j;

  if (!orch_outcome_can_publish (station->outcome, outcome)
      || station->outcome == outcome)
    run_complain (run, "n%u is published twice for one Entity", node);
  if (orch_outcome_is_failing (outcome) && !cause)
    run_complain (run, "n%u has failed without a cause", node);
  value_unref (station->value);
  station->outcome = outcome;
  station->value = value;
  station->cause = cause ? orch_cause_ref (cause) : NULL;
  for (i = 0; i < run->program->n_nodes; i++)
    for (j = 0; consumers & (1u << i) && j < run->program->nodes[i].n_inputs;
        j++)
      if (run->program->nodes[i].inputs[j] == node)
        run_post (run, (News) {
            NEWS_ITEM, i, j, unit, NULL});
}

/* In order, the newest first, or any. */
static News
take_news (Run * run)
{
  guint style = run->order < 3 ? run->order : (guint) draw (run, 3);
  guint i = style == 0 ? 0 : style == 1 ? run->news->len - 1 :
      (guint) draw (run, run->news->len);
  News news = g_array_index (run->news, News, i);

  if (style == 0)
    g_array_remove_index (run->news, i);
  else
    g_array_remove_index_fast (run->news, i);
  return news;
}

/* ---- beginning ---- */

static void
start_documents (Run * run)
{
  Family *family = family_new (run, ROOT_DOMAIN, NULL);
  guint i;

  for (i = 0; i < run->program->n_roots; i++)
    run->roots[i] = unit_new (run, family,
        orch_entity_ref (run->root_entities[i]));
  for (i = 0; i < run->program->n_roots; i++) {
    Value *none = NULL;

    run_publish (run, 0, run->roots[i], ORCH_OUTCOME_PRESENT,
        program_make_value (run->program, 0, run->roots[i]->hash, &none), NULL);
  }
}

static void
init_call (Run * run, guint node)
{
  const Schedule *schedule = run->schedule;
  NodeState *state = &run->nodes[node];
  gchar *name = g_strdup_printf ("n%u", node);

  state->call = orch_call_new (name);
  orch_call_set_can_group_fail (state->call,
      run->program->nodes[node].can_group_fail);
  if (schedule->siblings && draw (run, 2))
    orch_call_set_batching (state->call, ORCH_BATCHING_SIBLINGS);
  if (schedule->retries)
    orch_call_set_recovery (state->call, draw (run, ORCH_RECOVERY_ABORT),
        draw (run, 3));
  state->batch_size = schedule->fixed_batch ? (guint) schedule->fixed_batch :
      1 + (guint) draw (run, schedule->max_batch);
  state->n_replicas = schedule->fixed_replicas ?
      (guint) schedule->fixed_replicas :
      1 + (guint) draw (run, schedule->max_replicas);
  g_free (name);
}

static void
init_interleave (Run * run, guint node)
{
  OrchInterleaveMode mode = ORCH_INTERLEAVE_NONE;
  guint window = 0, max_skips = 0;

  if (run->schedule->windows) {
    mode = draw (run, 3);
    window = draw (run, 4);
    max_skips = draw (run, 20);
  }
  run->nodes[node].interleave = orch_interleave_new (mode, window, max_skips);
}

static void
init_node (Run * run, guint node)
{
  const Node *info = &run->program->nodes[node];
  NodeState *state = &run->nodes[node];
  guint i;

  for (i = 0; i < info->n_inputs; i++)
    state->arrivals[i] = orch_arrivals_new ();
  if (info->kind == NODE_CALL)
    init_call (run, node);
  else if (info->kind == NODE_EXPAND)
    init_interleave (run, node);
  else if (info->kind == NODE_BROADCAST)
    state->waiting = g_ptr_array_new ();
  else if (info->kind == NODE_REDUCE)
    state->guards = program_get_guards (run->program, node);
}

static void
init_domains (Run * run)
{
  guint i;

  for (i = 0; i < run->program->n_domains; i++)
    run->domains[i] = orch_domain_new (NULL,
        i ? run->domains[run->program->domains[i].parent] : NULL);
  run->root_expansion = orch_expansion_new (run->domains[ROOT_DOMAIN], NULL);
  run->root_entities = g_new (OrchEntity *, run->program->n_roots);
  run->roots = g_new (Unit *, run->program->n_roots);
  for (i = 0; i < run->program->n_roots; i++)
    run->root_entities[i] = orch_expansion_next_child (run->root_expansion);
  orch_expansion_publish (run->root_expansion, ORCH_EXPANSION_SUCCEEDED, NULL);
}

static void
run_init (Run * run, const Program * program, const Schedule * schedule)
{
  guint i;

  *run = (Run) {
    .program = program,
    .schedule = schedule,
    .rand = g_rand_new_with_seed (schedule->seed),
    .news = g_array_new (FALSE, FALSE, sizeof (News)),
    .attempts = g_ptr_array_new_with_free_func (attempt_free),
    .ghosts = g_array_new (FALSE, FALSE, sizeof (Ghost)),
    .works = g_ptr_array_new (),
    .units = g_ptr_array_new (),
    .families = g_ptr_array_new (),
    .error = orch_cause_new ("test", "error", "made by the test", NULL, NULL),
  };
  run->order = draw (run, 4);
  for (i = 0; i < N_STEPS; i++)
    run->weights[i] = 1 + (draw (run, 2) ? draw (run, 20) : 0);
  run->n_flushes = schedule->flush ? 1 + draw (run, 2) : 0;
  init_domains (run);
  for (i = 0; i < program->n_nodes; i++)
    init_node (run, i);
}

/* ---- one step ---- */

/* S9.2: what was queued, in flight or open is forgotten, and all comes again. */
static void
flush (Run * run)
{
  guint i, j;

  run->n_flushes--;
  run->epoch++;
  g_array_set_size (run->news, 0);
  for (i = 0; i < run->units->len; i++) {
    Unit *unit = g_ptr_array_index (run->units, i);

    for (j = 0; j < run->program->domains[unit->family->domain].n_slots; j++)
      g_clear_pointer (&unit->stations[j].gather, orch_gather_free);
  }
  for (i = 0; i < run->families->len; i++)
    ((Family *) g_ptr_array_index (run->families, i))->lane = NULL;
  for (i = 0; i < run->program->n_nodes; i++) {
    NodeState *state = &run->nodes[i];

    for (j = 0; j < run->program->nodes[i].n_inputs; j++) {
      OrchArrivals *old = state->arrivals[j];

      state->arrivals[j] = orch_arrivals_new_epoch (old);
      orch_arrivals_free (old);
    }
    if (state->call) {
      orch_call_new_epoch (state->call, &run->sealed);
      run_collect (run, i);
    }
    if (state->interleave) {
      orch_interleave_free (state->interleave);
      init_interleave (run, i);
    }
    if (state->waiting)
      g_ptr_array_set_size (state->waiting, 0);
  }
  start_documents (run);
}

typedef gboolean (*CanDo) (Run * run, guint node);

/* Some node that can, or n_nodes. */
static guint
find_node (Run * run, CanDo can_do)
{
  guint i, n = run->program->n_nodes, first = draw (run, n);

  for (i = 0; i < n; i++)
    if (can_do (run, (first + i) % n))
      return (first + i) % n;
  return n;
}

static guint
pick_step (Run * run, const guint * weights)
{
  guint i, total = 0, drawn;

  for (i = 0; i < N_STEPS; i++)
    total += weights[i];
  if (total == 0)
    return N_STEPS;
  drawn = draw (run, total);
  for (i = 0; drawn >= weights[i]; i++)
    drawn -= weights[i];
  return i;
}

/* FALSE when nothing is left to do. */
static gboolean
step (Run * run)
{
  guint turn = find_node (run, run_can_take_turn);
  guint reserve = find_node (run, run_can_reserve);
  guint n = run->program->n_nodes;
  guint weights[N_STEPS] = {
    run->news->len ? run->weights[STEP_NEWS] : 0,
    turn < n ? run->weights[STEP_TURN] : 0,
    reserve < n ? run->weights[STEP_RESERVE] : 0,
    run->attempts->len ? run->weights[STEP_ATTEMPT] : 0,
  };
  News news;

  run->n_events++;
  switch (pick_step (run, weights)) {
    case STEP_NEWS:
      news = take_news (run);
      run_deliver (run, &news);
      break;
    case STEP_TURN:
      run_take_turn (run, turn);
      break;
    case STEP_RESERVE:
      run_reserve (run, reserve);
      break;
    case STEP_ATTEMPT:
      run_go_on (run, g_ptr_array_index (run->attempts, draw (run,
                  run->attempts->len)));
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

/* ---- the end ---- */

static void
check_call (Run * run, guint node)
{
  NodeState *state = &run->nodes[node];
  guint64 n = 0;
  guint i;

  for (i = 0; i <= ORCH_OUTCOME_SUPPRESSED; i++)
    n += state->n_sealed[i];
  if (n != state->n_entered || orch_call_get_n_ready (state->call) > 0
      || orch_call_get_n_in_flight (state->call) > 0)
    run_complain (run, "the accounts of n%u do not close: %u entered, %u "
        "ended, %u are ready, %u in flight", node, (guint) state->n_entered,
        (guint) n, orch_call_get_n_ready (state->call),
        orch_call_get_n_in_flight (state->call));
  if (orch_call_get_n_refused (state->call) != state->n_refused)
    run_complain (run, "n%u has refused %u reports, not %u", node,
        (guint) orch_call_get_n_refused (state->call),
        (guint) state->n_refused);
}

static void
find_missing (OrchEntity * entity, gpointer user_data)
{
  *(guint *) user_data += 1;
}

static void
check_arrivals (Run * run, guint node)
{
  guint i, n = 0;

  for (i = 0; i < run->program->nodes[node].n_inputs; i++)
    orch_arrivals_foreach_missing (run->nodes[node].arrivals[i], find_missing,
        &n);
  if (n > 0 && !run->schedule->prune)
    run_complain (run, "n%u still waits for %u Entities", node, n);
}

static void
check_open (Run * run)
{
  guint i, j, n_open = 0;

  for (i = 0; i < run->units->len; i++) {
    Unit *unit = g_ptr_array_index (run->units, i);

    for (j = 0; j < run->program->domains[unit->family->domain].n_slots; j++)
      if (unit->stations[j].gather)
        n_open++;
  }
  if (n_open > 0)
    run_complain (run, "%u gathers are open", n_open);
}

static void
compare (Run * run, const Results * expected, guint node, guint root)
{
  Station *station = get_station (run, run->roots[root], node);
  const Item *item = &expected->items[node][root];
  gchar *is, *should;

  if (station->outcome == item->outcome && (!item->value
          || (station->value && station->value->hash == item->value->hash)))
    return;
  is = item_to_string (station->outcome, station->value);
  should = item_to_string (item->outcome, item->value);
  run_complain (run, "document %u, n%u: %s, not %s", root, node, is, should);
  g_free (is);
  g_free (should);
}

static void
check (Run * run, const Results * expected)
{
  guint i, j;

  for (i = 0; i < run->program->n_nodes; i++)
    for (j = 0; expected->items[i] && j < run->program->n_roots; j++)
      compare (run, expected, i, j);
  check_open (run);
  for (i = 0; i < run->program->n_nodes; i++) {
    check_arrivals (run, i);
    if (run->nodes[i].call)
      check_call (run, i);
  }
}

static void
clear_node (Run * run, guint node)
{
  NodeState *state = &run->nodes[node];
  guint i;

  for (i = 0; i < MAX_INPUTS; i++)
    orch_arrivals_free (state->arrivals[i]);
  if (state->call && !run->problem)
    orch_call_free (state->call);
  orch_interleave_free (state->interleave);
  if (state->waiting)
    g_ptr_array_unref (state->waiting);
}

static void
run_clear (Run * run)
{
  guint i;

  for (i = 0; i < run->program->n_nodes; i++)
    clear_node (run, i);
  for (i = 0; i < run->works->len && !run->problem; i++)
    orch_grain_clear (g_ptr_array_index (run->works, i));
  g_ptr_array_set_free_func (run->works, g_free);
  g_ptr_array_unref (run->works);
  for (i = 0; i < run->units->len; i++)
    unit_free (run, g_ptr_array_index (run->units, i));
  for (i = 0; i < run->families->len; i++)
    family_free (g_ptr_array_index (run->families, i));
  g_ptr_array_unref (run->units);
  g_ptr_array_unref (run->families);
  g_ptr_array_unref (run->attempts);
  g_array_unref (run->news);
  g_array_unref (run->ghosts);
  for (i = 0; i < run->program->n_roots; i++)
    orch_entity_unref (run->root_entities[i]);
  g_free (run->root_entities);
  g_free (run->roots);
  orch_expansion_unref (run->root_expansion);
  for (i = 0; i < run->program->n_domains; i++)
    orch_domain_unref (run->domains[i]);
  orch_cause_unref (run->error);
  g_rand_free (run->rand);
}

gchar *
run_program (const Program * program, const Schedule * schedule,
    const Results * expected)
{
  Run run;

  run_init (&run, program, schedule);
  start_documents (&run);
  while (!run.problem && step (&run)) {
    if (run.n_flushes > 0 && draw (&run, 100) == 0)
      flush (&run);
    if (run.n_events == MAX_EVENTS)
      run_complain (&run, "it does not come to an end");
  }
  if (!run.problem)
    check (&run, expected);
  run_clear (&run);
  return run.problem;
}
