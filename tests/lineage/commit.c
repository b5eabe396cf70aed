/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "world.h"

static void
finish (World * world, OrchBatch * batch)
{
  orch_batch_finish (world->call, batch, &world->sealed);
}

/* D2: the late success of a sibling in flight. */
static void
test_d2_late_success (void)
{
  World *world = world_new (1);
  OrchBatch *first, *second;
  OrchCause *cause = world_cause ("group");
  OrchReport reports[2];

  world_enter_pages (world, "000");
  first = world_reserve (world, 1);
  second = world_reserve (world, 2);
  reports[0] = world_report (world, 2, ORCH_OUTCOME_PRESENT, NULL);
  reports[1] = world_report (world, 1, ORCH_OUTCOME_FAILED, cause);
  reports[1].group = TRUE;
  g_assert_true (orch_call_report (world->call, reports, 2, &world->sealed));
  finish (world, second);
  world_assert_sealed (world, "2S 1F");
  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_PRESENT, FALSE));
  finish (world, first);
  world_assert_sealed (world, "0S");

  g_assert_cmpstr (world_get (world, 0)->grain.cause->path, ==, "0/1");
  g_assert_cmpstr (world_get (world, 0)->grain.cause->call, ==, "call0");
  g_assert_true (world_get (world, 0)->grain.cause ==
      orch_call_get_barrier (orch_call_get_key (world->call),
          world->lists[0]));
  orch_cause_unref (cause);
  world_free (world);
}

/* D3: what was committed before stays. */
static void
test_d3_early_success (void)
{
  World *world = world_new (1);
  OrchBatch *first, *second;

  world_enter_pages (world, "000");
  first = world_reserve (world, 1);
  second = world_reserve (world, 2);
  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_PRESENT, FALSE));
  finish (world, first);
  g_assert_null (orch_call_get_barrier (orch_call_get_key (world->call),
          world->lists[0]));
  g_assert_true (world_commit (world, 1, ORCH_OUTCOME_FAILED, TRUE));
  g_assert_true (world_commit (world, 2, ORCH_OUTCOME_PRESENT, FALSE));
  finish (world, second);
  world_assert_sealed (world, "0P 1F 2S");
  world_free (world);
}

static void
test_d4_dies_under_a_barrier (void)
{
  World *world = world_new (2);
  OrchCause *error = world_cause ("died");
  OrchBatch *first, *second;

  world_enter_pages (world, "0011");
  first = world_reserve (world, 1);
  second = world_reserve (world, 3);
  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_FAILED, TRUE));
  finish (world, first);
  g_assert_true (orch_batch_fail (world->call, second, error,
          &world->sealed));
  world_assert_sealed (world, "0F 1S");
  g_assert_cmpuint (world_get (world, 1)->grain.generation, ==, 0);

  second = world_reserve (world, 3);
  world_assert_batch (second, "23");
  g_assert_cmpuint (world_get (world, 2)->grain.generation, ==, 1);
  g_assert_cmpuint (world_get (world, 3)->grain.generation, ==, 1);
  g_assert_true (world_commit (world, 2, ORCH_OUTCOME_PRESENT, FALSE));
  g_assert_true (world_commit (world, 3, ORCH_OUTCOME_PRESENT, FALSE));
  finish (world, second);
  world_assert_sealed (world, "2P 3P");
  orch_cause_unref (error);
  world_free (world);
}

static void
test_d5_generations (void)
{
  World *world = world_new (1);
  OrchCause *error = world_cause ("died");
  OrchReport old, new;
  OrchBatch *batch;

  world_enter_pages (world, "0");
  batch = world_reserve (world, 1);
  old = world_report (world, 0, ORCH_OUTCOME_PRESENT, NULL);
  g_assert_true (orch_batch_fail (world->call, batch, error,
          &world->sealed));
  g_assert_false (orch_call_report (world->call, &old, 1, &world->sealed));
  batch = world_reserve (world, 1);
  g_assert_false (orch_call_report (world->call, &old, 1, &world->sealed));
  new = world_report (world, 0, ORCH_OUTCOME_PRESENT, NULL);
  g_assert_cmpuint (new.generation, ==, 1);
  g_assert_true (orch_call_report (world->call, &new, 1, &world->sealed));
  g_assert_cmpuint (orch_call_get_n_refused (world->call), ==, 2);
  finish (world, batch);
  world_assert_sealed (world, "0P");
  orch_cause_unref (error);
  world_free (world);
}

/* A flush with a Grain ready and one in flight; the same Entity comes again. */
static void
test_d5_epochs (void)
{
  World *world = world_new (1);
  OrchGrainList forgotten = { NULL, NULL, 0 };
  OrchReport old, new;
  OrchBatch *before, *after;
  OrchEntity *page;

  world_enter_pages (world, "00");
  page = world_get (world, 0)->grain.entity;
  before = world_reserve (world, 1);
  old = world_report (world, 0, ORCH_OUTCOME_PRESENT, NULL);

  orch_call_new_epoch (world->call, &forgotten);
  g_assert_cmpuint (forgotten.n, ==, 1);
  g_assert_true (forgotten.head == &world_get (world, 1)->grain);
  g_assert_cmpint (forgotten.head->outcome, ==, ORCH_OUTCOME_UNRESOLVED);
  g_assert_cmpuint (orch_call_get_epoch (world->call), ==, 1);
  world_enter_entity (world, page, ORCH_OUTCOME_PRESENT, NULL);
  after = world_reserve (world, 1);

  g_assert_false (orch_call_report (world->call, &old, 1, &world->sealed));
  old.grain = &world_get (world, 2)->grain;
  g_assert_cmpuint (old.generation, ==, old.grain->generation);
  g_assert_false (orch_call_report (world->call, &old, 1, &world->sealed));
  g_assert_cmpuint (orch_call_get_n_refused (world->call), ==, 2);
  orch_batch_abandon (world->call, before, &forgotten);
  g_assert_cmpuint (forgotten.n, ==, 2);
  new = world_report (world, 2, ORCH_OUTCOME_PRESENT, NULL);
  g_assert_true (orch_call_report (world->call, &new, 1, &world->sealed));
  finish (world, after);
  world_assert_sealed (world, "2P");
  world_free (world);
}

/* However a batch of an earlier epoch ends, its Grains come back without an
 * outcome, and its barriers are of the past. */
static void
test_d5_old_batches (void)
{
  World *world = world_new (1);
  OrchCause *error = world_cause ("died");
  gpointer key = orch_call_get_key (world->call);
  OrchBatch *batches[4];
  guint i;

  world_enter_pages (world, "0000000");
  for (i = 0; i < 3; i++)
    batches[i] = world_reserve (world, 1);
  orch_batch_fail (world->call, world_reserve (world, 2), error,
      &world->sealed);
  g_assert_true (world_commit (world, 2, ORCH_OUTCOME_FAILED, TRUE));
  g_assert_nonnull (orch_call_get_barrier (key, world->lists[0]));
  world_assert_sealed (world, "2F");

  orch_call_new_epoch (world->call, &world->sealed);
  world_assert_sealed (world, "5U 6U 3U 4U");
  finish (world, batches[0]);
  g_assert_true (orch_batch_fail (world->call, batches[1], error,
          &world->sealed));
  orch_batch_abandon (world->call, batches[2], &world->sealed);
  world_assert_sealed (world, "0U 1U");
  g_assert_cmpuint (orch_call_get_n_in_flight (world->call), ==, 0);

  world_enter_pages (world, "0");
  world_assert_sealed (world, "");
  g_assert_null (orch_call_get_barrier (key, world->lists[0]));
  g_assert_cmpuint (orch_call_get_n_ready (world->call), ==, 1);
  orch_cause_unref (error);
  world_free (world);
}

static void
test_d7_missing (void)
{
  World *world = world_new (1);
  OrchBatch *batch;
  OrchCause *cause;

  world_enter_pages (world, "000");
  batch = world_reserve (world, 3);
  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_PRESENT, FALSE));
  g_assert_true (world_commit (world, 2, ORCH_OUTCOME_DROPPED, FALSE));
  finish (world, batch);
  world_assert_sealed (world, "0P 2D 1F");
  cause = world_get (world, 1)->grain.cause;
  g_assert_cmpstr (cause->domain, ==, ORCH_CAUSE_DOMAIN);
  g_assert_cmpstr (cause->code, ==, ORCH_CODE_CONTRACT);
  g_assert_cmpstr (cause->path, ==, "0/1");
  g_assert_cmpstr (cause->call, ==, "call0");
  world_free (world);
}

static void
test_d7_doubled (void)
{
  World *world = world_new (1);
  OrchReport reports[2];
  OrchBatch *batch;

  world_enter_pages (world, "000");
  batch = world_reserve (world, 2);
  reports[0] = world_report (world, 0, ORCH_OUTCOME_PRESENT, NULL);
  g_assert_true (orch_call_report (world->call, reports, 1, &world->sealed));
  reports[0].outcome = ORCH_OUTCOME_DROPPED;
  g_assert_false (orch_call_report (world->call, reports, 1, &world->sealed));

  /* twice in one set, and one outside of any batch: nothing of it holds */
  reports[0] = reports[1] =
      world_report (world, 1, ORCH_OUTCOME_PRESENT, NULL);
  g_assert_false (orch_call_report (world->call, reports, 2, &world->sealed));
  reports[1] = world_report (world, 2, ORCH_OUTCOME_PRESENT, NULL);
  g_assert_false (orch_call_report (world->call, reports, 2, &world->sealed));
  g_assert_cmpuint (orch_call_get_n_refused (world->call), ==, 5);
  world_assert_sealed (world, "0P");
  g_assert_true (orch_call_report (world->call, reports, 1, &world->sealed));
  world_assert_sealed (world, "1P");
  finish (world, batch);
  world_assert_sealed (world, "");
  world_free (world);
}

/* Each of these is no outcome that a Function can give, or of another Call. */
static void
test_s4_1_refused (void)
{
  World *world = world_new (1), *other = world_new (1);
  OrchBatch *batch, *others;
  OrchReport report;

  world_enter_pages (world, "0");
  world_enter_pages (other, "0");
  batch = world_reserve (world, 1);
  others = world_reserve (other, 1);

  report = world_report (world, 0, ORCH_OUTCOME_UNRESOLVED, NULL);
  g_assert_false (orch_call_report (world->call, &report, 1, &world->sealed));
  report.outcome = ORCH_OUTCOME_SUPPRESSED;
  g_assert_false (orch_call_report (world->call, &report, 1, &world->sealed));
  report.outcome = ORCH_OUTCOME_PRESENT;
  report.group = TRUE;
  g_assert_false (orch_call_report (world->call, &report, 1, &world->sealed));
  report.outcome = ORCH_OUTCOME_FAILED;
  g_assert_false (orch_call_report (world->call, &report, 1, &world->sealed));
  report = world_report (other, 0, ORCH_OUTCOME_PRESENT, NULL);
  g_assert_false (orch_call_report (world->call, &report, 1, &world->sealed));
  g_assert_cmpuint (orch_call_get_n_refused (world->call), ==, 5);
  world_assert_sealed (world, "");

  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_PRESENT, FALSE));
  g_assert_true (world_commit (other, 0, ORCH_OUTCOME_PRESENT, FALSE));
  finish (world, batch);
  finish (other, others);
  world_free (other);
  world_free (world);
}

/* Of several group failures in one set the first in batch order gives the
 * cause, wherever it stands in the set; a later set changes nothing. */
static void
test_s5_2_first_cause (void)
{
  World *world = world_new (2);
  OrchCause *causes[4];
  OrchReport reports[4];
  OrchBatch *batch, *late;
  OrchCause *barrier;
  guint i;

  world_enter_pages (world, "010100");
  batch = world_reserve (world, 5);
  late = world_reserve (world, 1);
  for (i = 0; i < 4; i++) {
    gchar *code = g_strdup_printf ("group%u", i);

    causes[i] = world_cause (code);
    reports[3 - i] = world_report (world, i, ORCH_OUTCOME_FAILED, causes[i]);
    reports[3 - i].group = TRUE;
    g_free (code);
  }
  g_assert_true (orch_call_report (world->call, reports, 4, &world->sealed));
  world_assert_sealed (world, "3F 2F 1F 0F");
  for (i = 0; i < 2; i++) {
    barrier = orch_call_get_barrier (orch_call_get_key (world->call),
        world->lists[i]);
    g_assert_cmpstr (barrier->code, ==, causes[i]->code);
  }
  g_assert_cmpstr (world_get (world, 2)->grain.cause->code, ==, "group2");

  barrier = orch_call_get_barrier (orch_call_get_key (world->call),
      world->lists[0]);
  g_assert_true (world_commit (world, 5, ORCH_OUTCOME_FAILED, TRUE));
  g_assert_true (orch_call_get_barrier (orch_call_get_key (world->call),
          world->lists[0]) == barrier);

  /* one that is not wanted any more may be left without an outcome */
  finish (world, late);
  finish (world, batch);
  world_assert_sealed (world, "5F 4S");
  g_assert_true (world_get (world, 4)->grain.cause == barrier);
  for (i = 0; i < 4; i++)
    orch_cause_unref (causes[i]);
  world_free (world);
}

/* Other parents and other Calls are untouched; a root covers only itself. */
static void
test_s5_2_reach (void)
{
  World *world = world_new (2);
  OrchCall *other = orch_call_new ("other");
  OrchBatch *batch;
  guint i;

  world_enter_pages (world, "01");
  for (i = 0; i < 2; i++)
    world_enter_entity (world, world->parents[i], ORCH_OUTCOME_PRESENT, NULL);
  batch = world_reserve (world, 4);
  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_FAILED, TRUE));
  g_assert_true (world_commit (world, 2, ORCH_OUTCOME_FAILED, TRUE));
  g_assert_true (world_commit (world, 1, ORCH_OUTCOME_PRESENT, FALSE));
  g_assert_true (world_commit (world, 3, ORCH_OUTCOME_PRESENT, FALSE));
  finish (world, batch);
  world_assert_sealed (world, "0F 2F 1P 3P");
  g_assert_nonnull (orch_call_get_barrier (orch_call_get_key (world->call),
          world->lists[0]));
  g_assert_null (orch_call_get_barrier (orch_call_get_key (world->call),
          world->lists[1]));
  g_assert_null (orch_call_get_barrier (orch_call_get_key (world->call),
          world->roots));
  g_assert_null (orch_call_get_barrier (orch_call_get_key (other),
          world->lists[0]));
  orch_call_free (other);
  world_free (world);
}

/* S2.0 before S2.1 and S2.3. */
static void
test_s2_inputs (void)
{
  World *world = world_new (1);
  OrchCause *cause = world_cause ("upstream");
  OrchEntity *page = orch_expansion_next_child (world->lists[0]);
  OrchBatch *batch;

  world_enter_entity (world, page, ORCH_OUTCOME_PRESENT, NULL);
  world_enter_entity (world, page, ORCH_OUTCOME_DROPPED, cause);
  world_enter_entity (world, page, ORCH_OUTCOME_FAILED, cause);
  world_enter_entity (world, page, ORCH_OUTCOME_SUPPRESSED, cause);
  world_assert_sealed (world, "1D 2S 3S");
  g_assert_true (world_get (world, 1)->grain.cause == cause);
  g_assert_true (world_get (world, 3)->grain.cause == cause);

  batch = world_reserve (world, 1);
  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_FAILED, TRUE));
  finish (world, batch);
  world_enter_entity (world, page, ORCH_OUTCOME_DROPPED, cause);
  world_enter_entity (world, page, ORCH_OUTCOME_FAILED, cause);
  world_assert_sealed (world, "0F 4S 5S");
  g_assert_cmpstr (world_get (world, 4)->grain.cause->code, ==, "group");
  g_assert_cmpstr (world_get (world, 5)->grain.cause->code, ==, "group");
  orch_entity_unref (page);
  orch_cause_unref (cause);
  world_free (world);
}

/* What becomes of the Grain of the next page of `list`, which lives no longer
 * than this, when its Function reports `outcome`. */
static OrchOutcome
run_one (OrchCall * call, OrchExpansion * list, OrchOutcome outcome)
{
  gboolean fails = outcome == ORCH_OUTCOME_FAILED;
  OrchEntity *page = orch_expansion_next_child (list);
  OrchCause *cause = fails ? world_cause ("group") : NULL;
  OrchGrainList sealed = { NULL, NULL, 0 };
  OrchBatch *batch;
  OrchGrain grain;

  orch_grain_init (&grain, page);
  orch_call_enter (call, &grain, ORCH_OUTCOME_PRESENT, NULL, &sealed);
  batch = orch_call_reserve (call, 1, &sealed);
  if (batch) {
    OrchReport report = { &grain, 0, grain.epoch, outcome, fails, cause };

    g_assert_true (orch_call_report (call, &report, 1, &sealed));
    orch_batch_finish (call, batch, &sealed);
  }
  g_assert_true (sealed.head == &grain);
  outcome = grain.outcome;
  orch_grain_clear (&grain);
  orch_cause_unref (cause);
  return outcome;
}

/* A Call that is made where another one was finds nothing of it. */
static void
test_calls_come_and_go (void)
{
  World *world = world_new (1);
  gpointer keys[100];
  guint i;

  for (i = 0; i < 100; i++) {
    OrchCall *call = orch_call_new ("short");

    keys[i] = orch_call_get_key (call);
    g_assert_null (orch_call_get_barrier (keys[i], world->lists[0]));
    g_assert_cmpint (run_one (call, world->lists[0], ORCH_OUTCOME_PRESENT), ==,
        ORCH_OUTCOME_PRESENT);
    g_assert_cmpint (run_one (call, world->lists[0], ORCH_OUTCOME_FAILED), ==,
        ORCH_OUTCOME_FAILED);
    g_assert_cmpint (run_one (call, world->lists[0], ORCH_OUTCOME_PRESENT), ==,
        ORCH_OUTCOME_SUPPRESSED);
    orch_call_free (call);
  }
  for (i = 0; i < 100; i++)
    g_assert_nonnull (orch_call_get_barrier (keys[i], world->lists[0]));
  orch_call_free (NULL);
  world_free (world);
}

/* More Expansions than a Call remembers, which come and go at the same
 * addresses: every third one gets a barrier. */
static void
test_expansions_come_and_go (void)
{
  World *world = world_new (1);
  gpointer key = orch_call_get_key (world->call);
  guint i;

  for (i = 0; i < 1000; i++) {
    OrchExpansion *list = orch_expansion_new (world->pages, world->parents[0]);
    gboolean fails = i % 3 == 2;

    run_one (world->call, list,
        fails ? ORCH_OUTCOME_FAILED : ORCH_OUTCOME_DROPPED);
    g_assert_cmpint (orch_call_get_barrier (key, list) != NULL, ==, fails);
    g_assert_cmpint (run_one (world->call, list, ORCH_OUTCOME_PRESENT), ==,
        fails ? ORCH_OUTCOME_SUPPRESSED : ORCH_OUTCOME_PRESENT);
    orch_expansion_unref (list);
  }
  world_free (world);
}

/* Every way of ending a Grain counts, so that a gather knows when no barrier can
 * come any more. */
static void
test_s5_2a_parent_sealed (void)
{
  World *world = world_new (1);
  gpointer key = orch_call_get_key (world->call);
  OrchExpansion *list = world->lists[0];
  OrchBatch *batch;

  orch_call_set_can_group_fail (world->call, TRUE);
  world_enter_pages (world, "000");
  batch = world_reserve (world, 2);
  orch_expansion_publish (list, ORCH_EXPANSION_SUCCEEDED, NULL);
  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_PRESENT, FALSE));
  g_assert_true (world_commit (world, 1, ORCH_OUTCOME_FAILED, TRUE));
  g_assert_false (orch_call_is_parent_sealed (key, list));
  orch_batch_finish (world->call, batch, &world->sealed);
  g_assert_null (world_reserve (world, 2));
  world_assert_sealed (world, "0P 1F 2S");
  g_assert_true (orch_call_is_parent_sealed (key, list));
  g_assert_nonnull (orch_call_get_barrier (key, list));
  world_free (world);
}

/* D9: page 0 fails the group while one input of page 1 is open; the other comes
 * dropped. */
static void
test_d9_dropped_after_barrier (void)
{
  World *world = world_new (1);
  OrchInput inputs[] = { {ORCH_OUTCOME_PRESENT}, {ORCH_OUTCOME_UNRESOLVED} };
  OrchEntity *page;
  OrchBatch *batch;

  world_enter_pages (world, "0");
  batch = world_reserve (world, 2);
  g_assert_cmpint (orch_rule_call (inputs, 2, NULL), ==, ORCH_DECISION_WAIT);
  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_FAILED, TRUE));
  orch_batch_finish (world->call, batch, &world->sealed);

  inputs[1].outcome = ORCH_OUTCOME_DROPPED;
  g_assert_cmpint (orch_rule_call (inputs, 2, NULL), ==, ORCH_DECISION_DROP);
  page = orch_expansion_next_child (world->lists[0]);
  world_enter_entity (world, page, ORCH_OUTCOME_DROPPED, NULL);
  orch_entity_unref (page);
  world_assert_sealed (world, "0F 1S");
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lineage/D2/late-success", test_d2_late_success);
  g_test_add_func ("/lineage/D3/early-success", test_d3_early_success);
  g_test_add_func ("/lineage/D4/dies-under-a-barrier",
      test_d4_dies_under_a_barrier);
  g_test_add_func ("/lineage/D5/generations", test_d5_generations);
  g_test_add_func ("/lineage/D5/epochs", test_d5_epochs);
  g_test_add_func ("/lineage/D5/old-batches", test_d5_old_batches);
  g_test_add_func ("/lineage/D7/missing", test_d7_missing);
  g_test_add_func ("/lineage/D7/doubled", test_d7_doubled);
  g_test_add_func ("/lineage/S4.1/refused", test_s4_1_refused);
  g_test_add_func ("/lineage/S5.2/first-cause", test_s5_2_first_cause);
  g_test_add_func ("/lineage/S5.2/reach", test_s5_2_reach);
  g_test_add_func ("/lineage/S5.2a/parent-sealed", test_s5_2a_parent_sealed);
  g_test_add_func ("/lineage/D9/dropped-after-barrier",
      test_d9_dropped_after_barrier);
  g_test_add_func ("/lineage/S2/inputs", test_s2_inputs);
  g_test_add_func ("/lineage/call/come-and-go", test_calls_come_and_go);
  g_test_add_func ("/lineage/call/expansions-come-and-go",
      test_expansions_come_and_go);
  return g_test_run ();
}
