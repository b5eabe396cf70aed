/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "sim-run.h"

#include <math.h>
#include <stdlib.h>

/* The simulator drives the core, and checks in every run that each Entity has one
 * outcome, that lists are whole and in order and that the accounts close.  Here:
 * that it measures rightly, and what the core achieves on published workloads. */

typedef struct
{
  SimWorkload *workload;
  SimConfig config;
  SimResult result;
} Fixture;

/* The published failure workload: 4 replicas, batch 48, 50 ms a page. */
static Fixture *
fixture_new (SimOrder order)
{
  Fixture *f = g_new0 (Fixture, 1);

  f->workload = sim_workload_new_failure ();
  sim_workload_set_order (f->workload, order, 1);
  sim_config_init (&f->config);
  f->config.calls[0].max_ready = 128;
  return f;
}

static void
fixture_free (Fixture * f)
{
  sim_workload_free (f->workload);
  g_free (f);
}

static void
poison (Fixture * f, SimFailure failure, SimPoison which)
{
  f->config.failure = failure;
  sim_workload_set_poison (f->workload, 99, which, 1);
}

static void
set_interleave (Fixture * f, OrchInterleaveMode mode, guint window)
{
  f->config.interleave = mode;
  f->config.window = window;
}

/* Runs, and checks what no schedule can escape. */
static void
run (Fixture * f)
{
  guint i;

  sim_run (&f->config, f->workload, &f->result);
  for (i = 0; i < f->result.n_calls; i++) {
    const SimCallStats *stats = &f->result.calls[i];

    g_assert_cmpfloat (sim_result_get_utilisation (&f->result, &f->config, i),
        <=, 1.0);
    g_assert_cmpfloat (sim_result_get_fill (&f->result, &f->config, i), <=,
        1.0);
    g_assert_cmpuint (stats->n_started, <=, stats->n_in_batches);
    g_assert_cmpuint (stats->n_in_batches, <=, stats->n_entered);
    g_assert_cmpuint (stats->n_entered, <=, f->result.n_children);
  }
  if (f->config.failure == SIM_FAILURE_NONE)
    g_assert_cmpint (f->result.makespan, >=, sim_config_get_bound (&f->config,
            f->workload));
  g_assert_cmpint (f->result.completion.p50, <=, f->result.completion.p90);
  g_assert_cmpint (f->result.completion.p90, <=, f->result.completion.p99);
  g_assert_cmpint (f->result.completion.p99, <=, f->result.makespan);
  g_assert_cmpint (f->result.open_to_done.mean, <=,
      f->result.completion.mean);
}

static gdouble
run_prevented (Fixture * f)
{
  run (f);
  return sim_result_get_prevented (&f->result, f->config.n_calls - 1);
}

static gint64
run_makespan (Fixture * f)
{
  run (f);
  return f->result.makespan;
}

static void
assert_between (gdouble value, gdouble min, gdouble max)
{
  g_assert_cmpfloat (value, >=, min);
  g_assert_cmpfloat (value, <=, max);
}

/* ---- workloads ---- */

static void
test_published_counts (void)
{
  SimWorkload *corpus = sim_workload_new_corpus ();
  SimWorkload *failure = sim_workload_new_failure ();
  guint64 n_large = 0;
  guint i;

  g_assert_cmpuint (corpus->n, ==, 3689);
  g_assert_cmpuint (corpus->n_children, ==, 174722);
  g_assert_cmpuint (corpus->parents[0].n_children, ==, 1);
  g_assert_cmpuint (corpus->parents[1844].n_children, ==, 24);
  g_assert_cmpuint (corpus->parents[3319].n_children, ==, 125);
  g_assert_cmpuint (corpus->parents[3688].n_children, ==, 427);
  for (i = 0; i < corpus->n; i++)
    g_assert_cmpuint (corpus->parents[i].rank, ==, i);

  g_assert_cmpuint (failure->n, ==, 1885);
  g_assert_cmpuint (failure->n_children, ==, 45485);
  for (i = 1885 - 99; i < 1885; i++)
    n_large += failure->parents[i].n_children;
  assert_between ((gdouble) n_large / failure->n_children, 0.5185, 0.5195);
  sim_workload_free (corpus);
  sim_workload_free (failure);
}

/* Each order has every parent once; orders by chance depend on the seed, and not
 * on the order before. */
static void
test_orders (void)
{
  SimWorkload *a = sim_workload_new_failure ();
  SimWorkload *b = sim_workload_new_failure ();
  SimOrder order;
  guint i, n_same = 0;

  sim_workload_set_order (a, SIM_ORDER_LARGEST_FIRST, 1);
  for (order = SIM_ORDER_PUBLISHED; order <= SIM_ORDER_LARGEST_LAST; order++) {
    gboolean *seen = g_new0 (gboolean, a->n);

    sim_workload_set_order (a, order, 5);
    sim_workload_set_order (b, order, 5);
    for (i = 0; i < a->n; i++) {
      g_assert_false (seen[a->parents[i].rank]);
      seen[a->parents[i].rank] = TRUE;
      g_assert_cmpuint (a->parents[i].rank, ==, b->parents[i].rank);
    }
    g_free (seen);
  }
  g_assert_cmpuint (a->parents[0].rank, ==, 0);
  sim_workload_set_order (a, SIM_ORDER_SHUFFLED, 5);
  sim_workload_set_order (b, SIM_ORDER_SHUFFLED, 6);
  for (i = 0; i < a->n; i++)
    n_same += a->parents[i].rank == b->parents[i].rank;
  g_assert_cmpuint (n_same, <, 20);

  /* the 99 largest are among the first 99 + 11 % of the others */
  sim_workload_set_order (a, SIM_ORDER_PUBLISHED, 5);
  for (i = 0; i < a->n; i++)
    if (a->parents[i].rank >= 1885 - 99)
      g_assert_cmpuint (i, <, 99 + 196);
  sim_workload_free (a);
  sim_workload_free (b);
}

static void
test_poison (void)
{
  SimWorkload *workload = sim_workload_new_failure ();
  gdouble position = 0;
  guint i, n = 0, seed;

  for (seed = 0; seed < 20; seed++) {
    sim_workload_set_order (workload, SIM_ORDER_SHUFFLED, seed);
    sim_workload_set_poison (workload, 99, SIM_POISON_RANDOM, seed);
    for (i = 0; i < workload->n; i++) {
      const SimParent *parent = &workload->parents[i];

      g_assert_cmpint (parent->is_poisoned, ==, parent->rank >= 1885 - 99);
      if (!parent->is_poisoned)
        continue;
      g_assert_cmpuint (parent->poison, <, parent->n_children);
      position += (parent->poison + 0.5) / parent->n_children;
      n++;
    }
  }
  assert_between (position / n, 0.48, 0.52);
  sim_workload_free (workload);
}

/* What a Grain costs does not depend on the order of its parents, and is on
 * average what was asked for. */
static void
test_costs (void)
{
  Fixture *f = fixture_new (SIM_ORDER_LARGEST_LAST);
  SimWorkload *other = sim_workload_new_failure ();
  gdouble sum = 0, squares = 0;
  guint i, child;

  f->config.calls[0].sigma = 0.8;
  sim_workload_set_order (other, SIM_ORDER_LARGEST_FIRST, 1);
  for (i = 0; i < other->n; i++) {
    const SimParent *parent = &f->workload->parents[i];

    for (child = 0; child < parent->n_children; child++) {
      gint64 cost = sim_config_get_cost (&f->config, 0, parent, child);
      gdouble z = log ((gdouble) cost / (50 * SIM_MS));

      g_assert_cmpint (cost, ==, sim_config_get_cost (&f->config, 0,
              &other->parents[other->n - 1 - i], child));
      sum += cost;
      squares += (z + 0.32) * (z + 0.32);
    }
  }
  assert_between (sum / f->workload->n_children / (50 * SIM_MS), 0.98, 1.02);
  assert_between (sqrt (squares / f->workload->n_children), 0.78, 0.82);
  sim_workload_free (other);
  fixture_free (f);
}

/* ---- clean runs ---- */

static void
test_clean (void)
{
  OrchInterleaveMode mode;
  SimOrder order;

  for (order = SIM_ORDER_GIVEN; order <= SIM_ORDER_LARGEST_LAST; order++) {
    for (mode = ORCH_INTERLEAVE_FAIR; mode <= ORCH_INTERLEAVE_NONE; mode++) {
      Fixture *f = fixture_new (order);
      gint64 ideal = sim_config_get_ideal (&f->config, f->workload);

      g_assert_cmpint (ideal, ==, 45485 * 50 * SIM_MS / 4);
      set_interleave (f, mode, 0);
      g_assert_cmpint (run_makespan (f), <=, ideal * 1.005);
      g_assert_cmpuint (f->result.n_present, ==, 1885);
      g_assert_cmpuint (f->result.calls[0].n_started, ==, 45485);
      g_assert_cmpuint (f->result.calls[0].n_outcomes[ORCH_OUTCOME_PRESENT],
          ==, 45485);
      g_assert_cmpfloat (sim_result_get_fill (&f->result, &f->config, 0), >,
          0.95);
      fixture_free (f);
    }
  }
}

/* Short documents do not wait for long ones. */
static void
test_shortest (gconstpointer order)
{
  Fixture *f = fixture_new (GPOINTER_TO_INT (order));
  SimResult source;

  set_interleave (f, ORCH_INTERLEAVE_NONE, 0);
  run (f);
  source = f->result;
  set_interleave (f, ORCH_INTERLEAVE_SHORTEST, 256);
  run (f);
  g_assert_cmpint (f->result.completion.mean, <=, source.completion.mean * 0.5);
  assert_between ((gdouble) f->result.makespan / source.makespan, 0.999,
      1.001);
  fixture_free (f);
}

/* Log-normal costs, batches of 16, the whole corpus. */
static void
test_strong_scaling (void)
{
  SimOrder order;
  guint replicas;

  for (order = SIM_ORDER_PUBLISHED; order <= SIM_ORDER_LARGEST_LAST; order++) {
    for (replicas = 4; replicas <= 64; replicas *= 4) {
      Fixture *f = fixture_new (order);

      sim_workload_free (f->workload);
      f->workload = sim_workload_new_corpus ();
      sim_workload_set_order (f->workload, order, 1);
      f->config.calls[0] = (SimCallConfig) {
        .replicas = replicas,.batch_size = 16,.item_cost = SIM_MS,.sigma = 0.8
      };
      g_assert_cmpint (run_makespan (f) * 0.995, <=,
          sim_config_get_bound (&f->config, f->workload));
      fixture_free (f);
    }
  }
}

/* ---- failures ---- */

/* Early reports, pruning and a fair order, one at a time. */
static void
test_failure_source_order (void)
{
  Fixture *f = fixture_new (SIM_ORDER_PUBLISHED);
  gdouble reported_late, reported_early, pruned;

  poison (f, SIM_FAILURE_GROUP, SIM_POISON_FIRST);
  set_interleave (f, ORCH_INTERLEAVE_NONE, 0);
  f->config.early = f->config.prune = FALSE;
  reported_late = run_prevented (f);
  assert_between (reported_late, 0.26, 0.29);
  f->config.early = TRUE;
  reported_early = run_prevented (f);
  assert_between (reported_early, 0.55, 0.65);
  f->config.prune = TRUE;
  pruned = run_prevented (f);
  g_assert_cmpfloat (pruned, >=, reported_early);
  g_assert_cmpuint (f->result.n_suppressed, ==, 99);
  g_assert_cmpuint (f->result.n_present, ==, 1786);
  fixture_free (f);
}

static void
test_failure_sorted (gconstpointer order)
{
  Fixture *f = fixture_new (GPOINTER_TO_INT (order));

  poison (f, SIM_FAILURE_GROUP, SIM_POISON_FIRST);
  set_interleave (f, ORCH_INTERLEAVE_NONE, 0);
  f->config.early = f->config.prune = FALSE;
  assert_between (run_prevented (f), 0.20, 0.23);
  fixture_free (f);
}

static void
test_failure_fair (gconstpointer failure)
{
  static const SimOrder orders[] = { SIM_ORDER_PUBLISHED, SIM_ORDER_SHUFFLED };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (orders); i++) {
    Fixture *f = fixture_new (orders[i]);
    gint64 clean = run_makespan (f);

    poison (f, GPOINTER_TO_INT (failure), SIM_POISON_FIRST);
    set_interleave (f, ORCH_INTERLEAVE_FAIR, 32);
    g_assert_cmpfloat (run_prevented (f), >=, 0.98);
    g_assert_cmpint (f->result.makespan, <=, clean * 0.5);
    g_assert_cmpuint (f->result.calls[0].n_outcomes[ORCH_OUTCOME_FAILED], ==,
        99);

    /* the elements' own bounds, and the window they would take */
    f->config.window = f->config.calls[0].max_ready = 0;
    g_assert_cmpfloat (run_prevented (f), >=, 0.98);
    g_assert_cmpint (f->result.makespan, <=, clean * 0.5);
    fixture_free (f);
  }
}

/* A doomed list that stays in the window keeps others out. */
static void
test_failure_unpruned (void)
{
  Fixture *f = fixture_new (SIM_ORDER_PUBLISHED);
  gdouble pruned;

  poison (f, SIM_FAILURE_GROUP, SIM_POISON_FIRST);
  set_interleave (f, ORCH_INTERLEAVE_FAIR, 32);
  pruned = run_prevented (f);
  f->config.prune = FALSE;
  g_assert_cmpfloat (run_prevented (f), <, pruned - 0.01);

  /* a record failure says nothing to the siblings by itself */
  f->config.failure = SIM_FAILURE_RECORD;
  g_assert_cmpfloat (run_prevented (f), ==, 0);
  g_assert_cmpuint (f->result.calls[0].n_started, ==, 45485);
  fixture_free (f);
}

static void
test_failure_random_child (void)
{
  Fixture *f = fixture_new (SIM_ORDER_PUBLISHED);

  poison (f, SIM_FAILURE_GROUP, SIM_POISON_RANDOM);
  set_interleave (f, ORCH_INTERLEAVE_FAIR, 32);
  g_assert_cmpfloat (run_prevented (f), <, 0.7);
  g_assert_cmpfloat (sim_result_get_prevented_behind (&f->result, 0), >=,
      0.85);
  fixture_free (f);
}

/* The more a window holds, the sooner the first children come. */
static void
test_failure_windows (void)
{
  Fixture *f = fixture_new (SIM_ORDER_SHUFFLED);
  gdouble last = 0;
  guint window;

  poison (f, SIM_FAILURE_GROUP, SIM_POISON_FIRST);
  for (window = 16; window <= 64; window *= 2) {
    gdouble prevented;

    set_interleave (f, ORCH_INTERLEAVE_FAIR, window);
    prevented = run_prevented (f);
    g_assert_cmpfloat (prevented, >, last);
    last = prevented;
  }
  set_interleave (f, ORCH_INTERLEAVE_SHORTEST, 256);
  g_assert_cmpfloat (run_prevented (f), >, 0.995);
  fixture_free (f);
}

/* A Function that asks leaves out what is in its batch already. */
static void
test_failure_ask (void)
{
  Fixture *f = fixture_new (SIM_ORDER_PUBLISHED);
  gdouble prevented;

  poison (f, SIM_FAILURE_RECORD, SIM_POISON_FIRST);
  prevented = run_prevented (f);
  f->config.ask = TRUE;
  g_assert_cmpfloat (run_prevented (f), >, prevented);
  g_assert_cmpuint (f->result.calls[0].n_started, <,
      f->result.calls[0].n_in_batches);
  fixture_free (f);
}

/* ---- more than one Call, batches, bounds ---- */

static void
add_upstream (Fixture * f, guint replicas, guint batch_size, gint64 item_cost)
{
  f->config.calls[1] = f->config.calls[0];
  f->config.calls[0] = (SimCallConfig) {
    .replicas = replicas,.batch_size = batch_size,.item_cost = item_cost
  };
  f->config.n_calls = 2;
}

static void
test_upstream (void)
{
  Fixture *f = fixture_new (SIM_ORDER_PUBLISHED);

  /* pages are rendered a little faster than they are read */
  add_upstream (f, 2, 1, 24 * SIM_MS);
  g_assert_cmpint (run_makespan (f), <=, sim_config_get_ideal (&f->config,
          f->workload) * 1.01);
  poison (f, SIM_FAILURE_RECORD, SIM_POISON_FIRST);
  g_assert_cmpfloat (run_prevented (f), >=, 0.97);
  g_assert_cmpfloat (sim_result_get_prevented (&f->result, 0), >=, 0.95);
  f->config.prune = FALSE;
  run (f);
  g_assert_cmpfloat (sim_result_get_prevented (&f->result, 0), ==, 0);
  fixture_free (f);
}

/* F, in a pipeline: what comes slowly makes full batches when it may wait, and
 * nothing is late by more than that. */
static void
test_max_wait (void)
{
  Fixture *f = fixture_new (SIM_ORDER_PUBLISHED);
  gint64 makespan;

  add_upstream (f, 1, 1, 10 * SIM_MS);
  f->config.calls[1] = (SimCallConfig) {
    .replicas = 1,.batch_size = 8,.batch_cost = SIM_MS,.item_cost = SIM_MS
  };
  makespan = run_makespan (f);
  g_assert_cmpuint (f->result.calls[1].n_batches, ==, 45485);
  f->config.calls[1].max_wait = 200 * SIM_MS;
  g_assert_cmpint (run_makespan (f), <=, makespan + 200 * SIM_MS);
  g_assert_cmpuint (f->result.calls[1].n_batches, ==, (45485 + 7) / 8);

  /* three come within a wait that is too short for eight */
  f->config.calls[1].max_wait = 25 * SIM_MS;
  run (f);
  g_assert_cmpuint (f->result.calls[1].n_batches, ==, (45485 + 2) / 3);
  fixture_free (f);
}

/* Batches of siblings cannot be full where parents are small. */
static void
test_siblings (void)
{
  Fixture *f = fixture_new (SIM_ORDER_SHUFFLED);
  gint64 mixed;

  f->config.calls[0].batch_cost = 200 * SIM_MS;
  mixed = run_makespan (f);
  f->config.calls[0].batching = ORCH_BATCHING_SIBLINGS;
  g_assert_cmpint (run_makespan (f), >, mixed * 1.2);
  g_assert_cmpfloat (sim_result_get_fill (&f->result, &f->config, 0), <, 0.5);
  fixture_free (f);
}

static void
test_max_open (void)
{
  Fixture *f = fixture_new (SIM_ORDER_SHUFFLED);

  run (f);
  g_assert_cmpuint (f->result.peak_open, >, 40);
  f->config.max_open = 40;
  run (f);
  g_assert_cmpuint (f->result.peak_open, <=, 40);
  g_assert_cmpuint (f->result.n_present, ==, 1885);
  fixture_free (f);
}

/* ---- anything ---- */

static SimWorkload *
draw_workload (GRand * rand)
{
  SimWorkload *workload = g_new0 (SimWorkload, 1);
  guint i;

  workload->n = g_rand_int_range (rand, 0, 40);
  workload->parents = g_new0 (SimParent, workload->n);
  for (i = 0; i < workload->n; i++) {
    workload->parents[i].rank = i;
    workload->parents[i].n_children = g_rand_int_range (rand, 0, 6)
        ? g_rand_int_range (rand, 0, 8) : g_rand_int_range (rand, 0, 60);
    workload->n_children += workload->parents[i].n_children;
  }
  return workload;
}

static void
draw_call (GRand * rand, SimCallConfig * call)
{
  *call = (SimCallConfig) {
    .replicas = g_rand_int_range (rand, 1, 6),
    .batch_size = g_rand_int_range (rand, 1, 12),
    .max_wait = g_rand_int_range (rand, 0, 3) * 7 * SIM_MS,
    .max_buffers = g_rand_int_range (rand, 0, 3) * 5,
    .max_ready = g_rand_int_range (rand, 0, 3) * 4,
    .batch_cost = g_rand_int_range (rand, 0, 3) * 5 * SIM_MS,
    .item_cost = g_rand_int_range (rand, 0, 4) * 5 * SIM_MS,
    .sigma = g_rand_int_range (rand, 0, 2) * 0.8,
    .batching = g_rand_int_range (rand, 0, 2),
  };
}

static void
draw_config (GRand * rand, SimConfig * config)
{
  guint i;

  sim_config_init (config);
  config->interleave = g_rand_int_range (rand, 0, 3);
  config->window = g_rand_int_range (rand, 0, 6);
  config->max_open = g_rand_int_range (rand, 0, 2) * g_rand_int_range (rand, 1,
      6);
  config->n_calls = g_rand_int_range (rand, 1, 4);
  for (i = 0; i < config->n_calls; i++)
    draw_call (rand, &config->calls[i]);
  config->failure = g_rand_int_range (rand, 0, 3);
  config->early = g_rand_boolean (rand);
  config->prune = g_rand_boolean (rand);
  config->ask = g_rand_boolean (rand);
  config->seed = g_rand_int (rand);
}

/* Any small pipeline comes to its end, with all that is checked on the way. */
static void
test_random (void)
{
  GRand *rand = g_rand_new_with_seed (g_test_rand_int ());
  guint round;

  for (round = 0; round < 3000; round++) {
    Fixture *f = g_new0 (Fixture, 1);
    guint n = g_rand_int_range (rand, 0, 6);

    f->workload = draw_workload (rand);
    draw_config (rand, &f->config);
    sim_workload_set_order (f->workload, g_rand_int_range (rand, 0, 5), round);
    if (f->config.failure != SIM_FAILURE_NONE)
      sim_workload_set_poison (f->workload, n, g_rand_int_range (rand, 0, 2),
          round);
    run (f);
    g_assert_cmpuint (f->result.n_present + f->result.n_suppressed, ==,
        f->workload->n);
    fixture_free (f);
  }
  g_rand_free (rand);
}

static void
add_with (const gchar * path, GTestDataFunc func, gint value)
{
  g_test_add_data_func (path, GINT_TO_POINTER (value), func);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/published-counts", test_published_counts);
  g_test_add_func ("/sim/orders", test_orders);
  g_test_add_func ("/sim/poison", test_poison);
  g_test_add_func ("/sim/costs", test_costs);
  g_test_add_func ("/sim/clean", test_clean);
  add_with ("/sim/shortest/published", test_shortest, SIM_ORDER_PUBLISHED);
  add_with ("/sim/shortest/shuffled", test_shortest, SIM_ORDER_SHUFFLED);
  g_test_add_func ("/sim/strong-scaling", test_strong_scaling);
  g_test_add_func ("/sim/failure/source-order", test_failure_source_order);
  add_with ("/sim/failure/largest-first", test_failure_sorted,
      SIM_ORDER_LARGEST_FIRST);
  add_with ("/sim/failure/largest-last", test_failure_sorted,
      SIM_ORDER_LARGEST_LAST);
  add_with ("/sim/failure/fair/group", test_failure_fair, SIM_FAILURE_GROUP);
  add_with ("/sim/failure/fair/record", test_failure_fair, SIM_FAILURE_RECORD);
  g_test_add_func ("/sim/failure/unpruned", test_failure_unpruned);
  g_test_add_func ("/sim/failure/random-child", test_failure_random_child);
  g_test_add_func ("/sim/failure/windows", test_failure_windows);
  g_test_add_func ("/sim/failure/ask", test_failure_ask);
  g_test_add_func ("/sim/upstream", test_upstream);
  g_test_add_func ("/sim/max-wait", test_max_wait);
  g_test_add_func ("/sim/siblings", test_siblings);
  g_test_add_func ("/sim/max-open", test_max_open);
  g_test_add_func ("/sim/random", test_random);
  return g_test_run ();
}
