/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* What the simulator says against elements whose Functions really sleep.  Both
 * check each outcome and each list by themselves; here, that what was done agrees.
 * How long it took is left to the benchmarks. */

#include "real-run.h"
#include "sim-run.h"
#include "sleeper.h"

#include <gst/gst.h>
#include <math.h>

/* Threads come to their batches in another order than events. */
#define TOLERANCE 0.15
/* What is prevented depends on how far the others are when one child fails. */
#define TOLERANCE_PREVENTED 0.25

typedef struct
{
  SimWorkload *workload;
  SimConfig config;
  SimResult simulated;
  SimResult real;
} Fixture;

/* 40 parents of 0 to 60 children, and mostly few. */
static Fixture *
fixture_new (void)
{
  Fixture *f = g_new0 (Fixture, 1);
  SimWorkload *workload = g_new0 (SimWorkload, 1);
  guint i;

  workload->n = 40;
  workload->parents = g_new0 (SimParent, workload->n);
  for (i = 0; i < workload->n; i++) {
    workload->parents[i].rank = i;
    workload->parents[i].n_children = i * i / 26;
    workload->n_children += workload->parents[i].n_children;
  }
  sim_workload_set_order (workload, SIM_ORDER_SHUFFLED, 3);
  f->workload = workload;
  sim_config_init (&f->config);
  f->config.window = 8;
  f->config.calls[0] = (SimCallConfig) {
    .replicas = 3,.batch_size = 8,.item_cost = SIM_MS
  };
  return f;
}

static void
fixture_free (Fixture * f)
{
  sim_workload_free (f->workload);
  g_free (f);
}

static void
run (Fixture * f)
{
  guint i;

  sim_run (&f->config, f->workload, &f->simulated);
  real_run (&f->config, f->workload, &f->real);
  g_assert_cmpuint (f->real.n_present, ==, f->simulated.n_present);
  g_assert_cmpuint (f->real.n_suppressed, ==, f->simulated.n_suppressed);
  g_assert_cmpint (f->real.makespan, >=, f->config.failure ? 0 :
      sim_config_get_bound (&f->config, f->workload));
  for (i = 0; i < f->config.n_calls; i++) {
    g_test_message ("call %u: batches %" G_GUINT64_FORMAT " simulated, %"
        G_GUINT64_FORMAT " real; prevented %.2f and %.2f", i,
        f->simulated.calls[i].n_batches, f->real.calls[i].n_batches,
        sim_result_get_prevented (&f->simulated, i),
        sim_result_get_prevented (&f->real, i));
    g_assert_cmpuint (f->real.calls[i].n_started, <=,
        f->real.calls[i].n_in_batches);
    g_assert_cmpuint (f->real.calls[i].n_in_batches, <=,
        f->real.calls[i].n_entered);
  }
}

static void
assert_near (gdouble real, gdouble simulated, gdouble tolerance)
{
  g_assert_cmpfloat (fabs (real - simulated), <=, tolerance);
}

static void
assert_same_batches (Fixture * f)
{
  guint64 simulated = f->simulated.calls[0].n_batches;

  /* each replica has a last one */
  assert_near (f->real.calls[0].n_batches, simulated,
      simulated * TOLERANCE + f->config.calls[0].replicas);
}

/* ---- clean runs ---- */

static void
assert_clean (Fixture * f)
{
  g_assert_cmpuint (f->real.n_present, ==, f->workload->n);
  g_assert_cmpuint (f->real.calls[0].n_started, ==, f->workload->n_children);
  g_assert_cmpuint (f->real.calls[0].n_outcomes[ORCH_OUTCOME_PRESENT], ==,
      f->workload->n_children);
}

static void
test_mixed (gconstpointer mode)
{
  Fixture *f = fixture_new ();

  f->config.interleave = GPOINTER_TO_INT (mode);
  run (f);
  assert_clean (f);
  assert_same_batches (f);
  fixture_free (f);
}

static void
test_siblings (void)
{
  Fixture *f = fixture_new ();

  f->config.calls[0].batching = ORCH_BATCHING_SIBLINGS;
  f->config.calls[0].batch_cost = 2 * SIM_MS;
  run (f);
  assert_clean (f);
  assert_same_batches (f);
  fixture_free (f);
}

/* Nothing can come in another order; but what the first children of a parent find
 * idle may begin before the others have come. */
static void
test_one_at_a_time (void)
{
  Fixture *f = fixture_new ();

  f->config.calls[0].replicas = 1;
  f->config.calls[0].max_buffers = 1000;
  f->config.max_open = 1;
  run (f);
  assert_clean (f);
  g_assert_cmpuint (f->real.calls[0].n_batches, >=,
      f->simulated.calls[0].n_batches);
  g_assert_cmpuint (f->real.calls[0].n_batches, <=,
      f->simulated.calls[0].n_batches + f->workload->n);
  g_assert_cmpuint (f->real.peak_open, ==, 1);
  fixture_free (f);
}

/* ---- failures ---- */

static void
poison (Fixture * f, SimFailure failure, SimPoison which)
{
  f->config.failure = failure;
  sim_workload_set_poison (f->workload, 6, which, 3);
}

static void
assert_same_prevented (Fixture * f)
{
  guint i;

  for (i = 0; i < f->config.n_calls; i++)
    assert_near (sim_result_get_prevented (&f->real, i),
        sim_result_get_prevented (&f->simulated, i), TOLERANCE_PREVENTED);
}

static void
test_failures (gconstpointer failure)
{
  SimPoison which;

  for (which = SIM_POISON_FIRST; which <= SIM_POISON_RANDOM; which++) {
    Fixture *f = fixture_new ();

    poison (f, GPOINTER_TO_INT (failure), which);
    run (f);
    g_assert_cmpuint (f->real.n_suppressed, ==, 6);
    g_assert_cmpuint (f->real.calls[0].n_outcomes[ORCH_OUTCOME_FAILED], ==, 6);
    assert_same_prevented (f);
    fixture_free (f);
  }
}

/* What is reported late prevents less, in both. */
static void
test_failures_late (void)
{
  Fixture *f = fixture_new ();

  poison (f, SIM_FAILURE_GROUP, SIM_POISON_FIRST);
  f->config.interleave = ORCH_INTERLEAVE_NONE;
  f->config.early = FALSE;
  run (f);
  assert_same_prevented (f);
  fixture_free (f);
}

static void
test_failures_upstream (void)
{
  Fixture *f = fixture_new ();

  poison (f, SIM_FAILURE_RECORD, SIM_POISON_FIRST);
  /* clearly slower than what follows */
  f->config.calls[1] = f->config.calls[0];
  f->config.calls[0] = (SimCallConfig) {
    .replicas = 2,.batch_size = 1,.item_cost = 2 * SIM_MS
  };
  f->config.n_calls = 2;
  run (f);
  g_assert_cmpfloat (sim_result_get_prevented (&f->simulated, 0), >, 0.4);
  assert_same_prevented (f);
  fixture_free (f);
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
  gst_init (&argc, &argv);
  sleeper_init ();
  add_with ("/sim-real/mixed/fair", test_mixed, ORCH_INTERLEAVE_FAIR);
  add_with ("/sim-real/mixed/shortest", test_mixed, ORCH_INTERLEAVE_SHORTEST);
  add_with ("/sim-real/mixed/none", test_mixed, ORCH_INTERLEAVE_NONE);
  g_test_add_func ("/sim-real/siblings", test_siblings);
  g_test_add_func ("/sim-real/one-at-a-time", test_one_at_a_time);
  add_with ("/sim-real/failures/group", test_failures, SIM_FAILURE_GROUP);
  add_with ("/sim-real/failures/record", test_failures, SIM_FAILURE_RECORD);
  g_test_add_func ("/sim-real/failures/late", test_failures_late);
  g_test_add_func ("/sim-real/failures/upstream", test_failures_upstream);
  return g_test_run ();
}
