/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "world.h"

/* Cases C at the level of the core: a Call is driven by hand, attempt by
 * attempt. */

typedef gboolean (*Fails) (World * world, OrchBatch * batch, guint attempt);

static OrchCause *error;

/* Commits everything present, or fails the attempt. */
static void
end_attempt (World * world, OrchBatch * batch, gboolean fails)
{
  guint i;

  if (fails) {
    g_assert_true (orch_batch_fail (world->call, batch, error,
            &world->sealed));
    return;
  }
  for (i = 0; i < batch->n; i++)
    if (batch->grains[i])
      g_assert_true (world_commit (world,
              ((TestGrain *) batch->grains[i])->id, ORCH_OUTCOME_PRESENT,
              FALSE));
  orch_batch_finish (world->call, batch, &world->sealed);
}

static gchar *
run (World * world, guint max, Fails fails)
{
  GString *log = g_string_new (NULL);
  OrchBatch *batch;
  guint i, attempt;

  for (attempt = 0; (batch = world_reserve (world, max)); attempt++) {
    g_string_append (log, attempt ? ",(" : "(");
    for (i = 0; i < batch->n; i++)
      g_string_append_printf (log, "%u",
          ((TestGrain *) batch->grains[i])->id);
    g_string_append_c (log, ')');
    end_attempt (world, batch, fails (world, batch, attempt));
  }
  return g_string_free (log, FALSE);
}

static gboolean
first_attempt_fails (World * world, OrchBatch * batch, guint attempt)
{
  return attempt == 0;
}

static gboolean
grain_2_fails (World * world, OrchBatch * batch, guint attempt)
{
  guint i;

  for (i = 0; i < batch->n; i++)
    if (((TestGrain *) batch->grains[i])->id == 2)
      return TRUE;
  return FALSE;
}

static gboolean
all_fail (World * world, OrchBatch * batch, guint attempt)
{
  return TRUE;
}

static void
assert_log (World * world, guint max, Fails fails, const gchar * expected)
{
  gchar *log = run (world, max, fails);

  g_assert_cmpstr (log, ==, expected);
  g_assert_cmpuint (orch_call_get_n_in_flight (world->call), ==, 0);
  g_free (log);
}

static void
assert_generations (World * world, const gchar * expected)
{
  guint i;

  for (i = 0; i < world->grains->len; i++)
    g_assert_cmpint (world_get (world, i)->grain.generation, ==,
        expected[i] - '0');
}

/* Only Grain 2 failed, with the error that its attempt returned. */
static void
assert_only_2_failed (World * world)
{
  guint i;

  for (i = 0; i < world->grains->len; i++) {
    OrchGrain *grain = &world_get (world, i)->grain;

    g_assert_cmpint (grain->outcome, ==,
        i == 2 ? ORCH_OUTCOME_FAILED : ORCH_OUTCOME_PRESENT);
    if (i == 2) {
      g_assert_cmpstr (grain->cause->code, ==, error->code);
      g_assert_cmpstr (grain->cause->path, ==, "0/2");
      g_assert_cmpstr (grain->cause->call, ==, "call0");
    } else {
      g_assert_null (grain->cause);
    }
  }
}

static void
test_c1_retry_batch (void)
{
  World *world = world_new (1);

  orch_call_set_recovery (world->call, ORCH_RECOVERY_RETRY_BATCH, 1);
  world_enter_pages (world, "00000");
  assert_log (world, 4, first_attempt_fails, "(0123),(0123),(4)");
  world_assert_sealed (world, "0P 1P 2P 3P 4P");
  assert_generations (world, "11110");
  world_free (world);
}

static void
test_c2_retry_tail (void)
{
  World *world = world_new (1);

  orch_call_set_recovery (world->call, ORCH_RECOVERY_RETRY_TAIL, 1);
  world_enter_pages (world, "00000");
  assert_log (world, 4, first_attempt_fails, "(0123),(4),(0123)");
  assert_generations (world, "11110");
  world_free (world);
}

static void
test_c3_bisect (void)
{
  World *world = world_new (1);

  world_enter_pages (world, "00000");
  assert_log (world, 4, grain_2_fails,
      "(0123),(4),(0123),(01),(23),(2),(3)");
  assert_only_2_failed (world);
  assert_generations (world, "22330");
  world_free (world);
}

static void
test_c3_one (void)
{
  World *world = world_new (1);

  world_enter_pages (world, "00");
  assert_log (world, 1, all_fail, "(0),(1),(0),(1)");
  world_assert_sealed (world, "0F 1F");
  world_free (world);
}

static void
test_c3_odd (void)
{
  World *world = world_new (1);

  world_enter_pages (world, "00000");
  assert_log (world, 5, grain_2_fails,
      "(01234),(01234),(012),(34),(01),(2)");
  assert_only_2_failed (world);
  world_free (world);
}

/* Two attempts are in flight: [poison] and a batch of its siblings. */
static OrchBatch *
start_beside_poison (World * world, const gchar * parents, OrchBatch ** poison)
{
  world_enter_pages (world, "0");
  *poison = world_reserve (world, 1);
  world_enter_pages (world, parents);
  return world_reserve (world, 4);
}

static void
set_barrier (World * world, OrchBatch * poison)
{
  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_FAILED, TRUE));
  orch_batch_finish (world->call, poison, &world->sealed);
}

/* With the policy abort nothing is tried again, and the owner is told. */
static void
test_c4_abort (void)
{
  World *world = world_new (2);
  OrchBatch *poison, *batch;

  orch_call_set_recovery (world->call, ORCH_RECOVERY_ABORT, 1);
  batch = start_beside_poison (world, "0111", &poison);
  set_barrier (world, poison);
  world_assert_sealed (world, "0F");
  g_assert_false (orch_batch_fail (world->call, batch, error,
          &world->sealed));
  world_assert_sealed (world, "1S 2F 3F 4F");
  g_assert_null (world_reserve (world, 4));
  world_free (world);
}

/* The retries are used up, and then nothing is split. */
static void
test_c4_after_retries (gconstpointer recovery)
{
  World *world = world_new (1);
  guint attempt;

  orch_call_set_recovery (world->call, GPOINTER_TO_INT (recovery), 2);
  orch_call_set_abort_after_retries (world->call, TRUE);
  world_enter_pages (world, "00");
  for (attempt = 0; attempt < 3; attempt++) {
    OrchBatch *batch = world_reserve (world, 2);

    g_assert_nonnull (batch);
    world_assert_sealed (world, "");
    g_assert_cmpint (orch_batch_fail (world->call, batch, error,
            &world->sealed), ==, attempt < 2);
  }
  world_assert_sealed (world, "0F 1F");
  g_assert_null (world_reserve (world, 2));
  world_free (world);
}

/* It is about retries: bisecting goes on to the end. */
static void
test_c4_bisect_does_not_abort (void)
{
  World *world = world_new (1);

  orch_call_set_abort_after_retries (world->call, TRUE);
  world_enter_pages (world, "00000");
  assert_log (world, 5, grain_2_fails,
      "(01234),(01234),(012),(34),(01),(2)");
  assert_only_2_failed (world);
  world_free (world);
}

static void
test_c5_all_covered (gconstpointer recovery)
{
  World *world = world_new (1);
  OrchBatch *poison, *batch;

  orch_call_set_recovery (world->call, GPOINTER_TO_INT (recovery), 1);
  batch = start_beside_poison (world, "0000", &poison);
  set_barrier (world, poison);
  g_assert_true (orch_batch_fail (world->call, batch, error,
          &world->sealed));
  world_assert_sealed (world, "0F 1S 2S 3S 4S");
  g_assert_null (world_reserve (world, 4));
  assert_generations (world, "00000");
  world_free (world);
}

static void
test_c6_one_wanted (void)
{
  World *world = world_new (2);
  OrchBatch *poison, *batch;

  batch = start_beside_poison (world, "0001", &poison);
  end_attempt (world, batch, TRUE);
  batch = world_reserve (world, 4);
  world_assert_batch (batch, "1234");
  set_barrier (world, poison);
  end_attempt (world, batch, TRUE);
  world_assert_sealed (world, "0F 1S 2S 3S");

  /* it was not alone: once more, and only that attempt can fail it */
  batch = world_reserve (world, 4);
  world_assert_batch (batch, "4");
  g_assert_cmpuint (world_get (world, 4)->grain.generation, ==, 2);
  end_attempt (world, batch, TRUE);
  world_assert_sealed (world, "4F");
  g_assert_null (world_reserve (world, 4));
  world_free (world);
}

/* The first failure of a batch of which one is still wanted: again as a whole,
 * which is alone now. */
static void
test_c6_one_wanted_at_once (void)
{
  World *world = world_new (2);
  OrchBatch *poison, *batch;

  batch = start_beside_poison (world, "0001", &poison);
  set_barrier (world, poison);
  end_attempt (world, batch, TRUE);
  world_assert_sealed (world, "0F 1S 2S 3S");
  assert_log (world, 4, all_fail, "(4)");
  world_assert_sealed (world, "4F");
  world_free (world);
}

/* What was committed early is done; who is left was not alone. */
static void
test_c6_early_commits (void)
{
  World *world = world_new (1);
  OrchBatch *batch;

  world_enter_pages (world, "0000");
  end_attempt (world, world_reserve (world, 4), TRUE);
  batch = world_reserve (world, 4);
  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_PRESENT, FALSE));
  g_assert_true (world_commit (world, 1, ORCH_OUTCOME_DROPPED, FALSE));
  g_assert_true (world_commit (world, 3, ORCH_OUTCOME_FAILED, FALSE));
  world_assert_batch (batch, "--2-");
  end_attempt (world, batch, TRUE);
  world_assert_sealed (world, "0P 1D 3F");
  assert_log (world, 4, all_fail, "(2)");
  world_assert_sealed (world, "2F");
  world_free (world);
}

static void
test_c7_budget (gconstpointer recovery)
{
  World *world = world_new (1);

  orch_call_set_recovery (world->call, GPOINTER_TO_INT (recovery), 1);
  world_enter_pages (world, "0000");
  assert_log (world, 4, grain_2_fails, "(0123),(0123),(01),(23),(2),(3)");
  assert_only_2_failed (world);
  world_free (world);
}

/* A larger budget is used up first, a smaller one leaves what bisect does. */
static void
test_c7_other_budgets (void)
{
  World *world = world_new (1);

  orch_call_set_recovery (world->call, ORCH_RECOVERY_RETRY_BATCH, 3);
  world_enter_pages (world, "00");
  assert_log (world, 2, all_fail, "(01),(01),(01),(01),(0),(1)");
  world_free (world);

  world = world_new (1);
  orch_call_set_recovery (world->call, ORCH_RECOVERY_RETRY_BATCH, 0);
  world_enter_pages (world, "000");
  assert_log (world, 2, grain_2_fails, "(01),(2),(2)");
  world_assert_sealed (world, "0P 1P 2F");
  world_enter_pages (world, "000");
  assert_log (world, 2, first_attempt_fails, "(34),(5),(34)");
  world_free (world);
}

/* The worker of the next batch is lost. */
static void
lose (World * world, const gchar * ids)
{
  OrchBatch *batch = world_reserve (world, 4);

  world_assert_batch (batch, ids);
  g_assert_true (orch_batch_lost (world->call, batch, error, &world->sealed));
}

/* Killed from outside: replayed before fresh work, and no attempt. */
static void
test_c8_killed_twice (gconstpointer recovery)
{
  World *world = world_new (1);

  orch_call_set_recovery (world->call, GPOINTER_TO_INT (recovery), 1);
  world_enter_pages (world, "0");
  lose (world, "0");
  world_enter_pages (world, "0");
  lose (world, "0");
  assert_log (world, 4, first_attempt_fails,
      GPOINTER_TO_INT (recovery) == ORCH_RECOVERY_RETRY_BATCH ?
      "(0),(0),(1)" : "(0),(1),(0)");
  assert_generations (world, "30");
  world_free (world);
}

static void
test_c8_dies_twice (void)
{
  World *world = world_new (1);

  world_enter_pages (world, "0");
  assert_log (world, 4, all_fail, "(0),(0)");
  world_assert_sealed (world, "0F");
  world_free (world);
}

/* Grain 0 is the poison; Grain 1 is alone when its worker is killed. */
static void
test_c8_beside_poison (void)
{
  World *world = world_new (1);
  OrchBatch *poison;
  guint i;

  world_enter_pages (world, "00");
  for (i = 0; i < 2; i++)
    end_attempt (world, world_reserve (world, 4), TRUE);
  poison = world_reserve (world, 4);
  world_assert_batch (poison, "0");
  lose (world, "1");
  lose (world, "1");
  end_attempt (world, world_reserve (world, 4), FALSE);
  end_attempt (world, poison, TRUE);
  world_assert_sealed (world, "1P 0F");
  world_free (world);
}

/* Only what has no report is replayed, what is covered is not, and the batch goes
 * on where it was. */
static void
test_c8_part (void)
{
  World *world = world_new (2);
  OrchBatch *poison, *batch;

  batch = start_beside_poison (world, "0111", &poison);
  g_assert_true (world_commit (world, 2, ORCH_OUTCOME_PRESENT, FALSE));
  set_barrier (world, poison);
  g_assert_true (orch_batch_lost (world->call, batch, error, &world->sealed));
  world_assert_sealed (world, "2P 0F 1S");
  assert_log (world, 4, all_fail, "(34),(34),(3),(4)");
  world_free (world);
}

/* The fourth loss of a Grain is a failure of its attempt. */
static void
test_c8_budget (void)
{
  World *world = world_new (1);
  guint i;

  world_enter_pages (world, "00");
  for (i = 0; i < 4; i++)
    lose (world, "01");
  assert_log (world, 4, all_fail, "(01),(0),(1)");
  world_assert_sealed (world, "0F 1F");
  assert_generations (world, "55");

  orch_call_set_recovery (world->call, ORCH_RECOVERY_ABORT, 1);
  world_enter_pages (world, "0");
  for (i = 0; i < 3; i++)
    lose (world, "2");
  g_assert_false (orch_batch_lost (world->call, world_reserve (world, 4),
          error, &world->sealed));
  world_assert_sealed (world, "2F");
  g_assert_true (orch_batch_lost (world->call, NULL, error, &world->sealed));
  world_free (world);
}

/* Before anything else, as it is, and nothing is counted: neither an attempt nor a
 * loss. */
static void
test_returned (gconstpointer recovery)
{
  World *world = world_new (1);
  OrchBatch *batch;
  guint i;

  orch_call_set_recovery (world->call, GPOINTER_TO_INT (recovery), 1);
  world_enter_pages (world, "000");
  for (i = 0; i < 5; i++) {
    batch = world_reserve (world, 2);
    world_assert_batch (batch, "01");
    g_assert_false (batch->recovery);
    orch_batch_return (world->call, batch, &world->sealed);
    g_assert_true (orch_call_has_recovery (world->call));
    g_assert_cmpuint (orch_call_get_n_in_flight (world->call), ==, 0);
    g_assert_cmpuint (orch_call_get_n_ready (world->call), ==, 3);
  }
  assert_generations (world, "000");
  for (i = 0; i < 3; i++)
    lose (world, "01");
  world_assert_sealed (world, "");
  assert_log (world, 4, first_attempt_fails,
      GPOINTER_TO_INT (recovery) == ORCH_RECOVERY_RETRY_BATCH ?
      "(01),(01),(2)" : "(01),(2),(01)");
  assert_generations (world, "440");
  world_free (world);
}

/* What is covered does not come again, nor does anything after a flush. */
static void
test_returned_part (void)
{
  World *world = world_new (2);
  OrchBatch *poison, *batch;

  batch = start_beside_poison (world, "0101", &poison);
  set_barrier (world, poison);
  orch_batch_return (world->call, batch, &world->sealed);
  world_assert_sealed (world, "0F 1S 3S");
  batch = world_reserve (world, 4);
  world_assert_batch (batch, "24");
  orch_call_new_epoch (world->call, &world->sealed);
  orch_batch_return (world->call, batch, &world->sealed);
  world_assert_sealed (world, "2U 4U");
  g_assert_cmpuint (orch_call_get_n_ready (world->call), ==, 0);
  orch_batch_return (world->call, NULL, &world->sealed);
  world_free (world);
}

static void
add_with_recovery (const gchar * path, GTestDataFunc func,
    OrchRecovery recovery)
{
  g_test_add_data_func (path, GINT_TO_POINTER (recovery), func);
}

int
main (int argc, char **argv)
{
  gint result;

  g_test_init (&argc, &argv, NULL);
  error = world_cause ("error");
  g_test_add_func ("/lineage/C1/retry-batch", test_c1_retry_batch);
  g_test_add_func ("/lineage/C2/retry-tail", test_c2_retry_tail);
  g_test_add_func ("/lineage/C3/bisect", test_c3_bisect);
  g_test_add_func ("/lineage/C3/one", test_c3_one);
  g_test_add_func ("/lineage/C3/odd", test_c3_odd);
  g_test_add_func ("/lineage/C4/abort", test_c4_abort);
  add_with_recovery ("/lineage/C4/after-retry-batch", test_c4_after_retries,
      ORCH_RECOVERY_RETRY_BATCH);
  add_with_recovery ("/lineage/C4/after-retry-tail", test_c4_after_retries,
      ORCH_RECOVERY_RETRY_TAIL);
  g_test_add_func ("/lineage/C4/bisect-does-not-abort",
      test_c4_bisect_does_not_abort);
  add_with_recovery ("/lineage/C5/bisect", test_c5_all_covered,
      ORCH_RECOVERY_BISECT);
  add_with_recovery ("/lineage/C5/abort", test_c5_all_covered,
      ORCH_RECOVERY_ABORT);
  add_with_recovery ("/lineage/C5/retry-batch", test_c5_all_covered,
      ORCH_RECOVERY_RETRY_BATCH);
  g_test_add_func ("/lineage/C6/one-wanted", test_c6_one_wanted);
  g_test_add_func ("/lineage/C6/one-wanted-at-once",
      test_c6_one_wanted_at_once);
  g_test_add_func ("/lineage/C6/early-commits", test_c6_early_commits);
  add_with_recovery ("/lineage/C7/retry-batch", test_c7_budget,
      ORCH_RECOVERY_RETRY_BATCH);
  add_with_recovery ("/lineage/C7/retry-tail", test_c7_budget,
      ORCH_RECOVERY_RETRY_TAIL);
  g_test_add_func ("/lineage/C7/other-budgets", test_c7_other_budgets);
  add_with_recovery ("/lineage/C8/killed-twice/bisect", test_c8_killed_twice,
      ORCH_RECOVERY_BISECT);
  add_with_recovery ("/lineage/C8/killed-twice/retry-batch",
      test_c8_killed_twice, ORCH_RECOVERY_RETRY_BATCH);
  g_test_add_func ("/lineage/C8/dies-twice", test_c8_dies_twice);
  g_test_add_func ("/lineage/C8/beside-poison", test_c8_beside_poison);
  g_test_add_func ("/lineage/C8/part", test_c8_part);
  g_test_add_func ("/lineage/C8/budget", test_c8_budget);
  add_with_recovery ("/lineage/S5.3/returned/bisect", test_returned,
      ORCH_RECOVERY_BISECT);
  add_with_recovery ("/lineage/S5.3/returned/retry-batch", test_returned,
      ORCH_RECOVERY_RETRY_BATCH);
  g_test_add_func ("/lineage/S5.3/returned/part", test_returned_part);
  result = g_test_run ();
  orch_cause_unref (error);
  return result;
}
