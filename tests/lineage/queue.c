/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "world.h"
#include "orch-call-private.h"

static void
finish (World * world, OrchBatch * batch)
{
  guint i;

  for (i = 0; i < batch->n; i++)
    g_assert_true (world_commit (world,
            ((TestGrain *) batch->grains[i])->id, ORCH_OUTCOME_PRESENT, FALSE));
  orch_batch_finish (world->call, batch, &world->sealed);
}

static void
fail (World * world, OrchBatch * batch)
{
  OrchCause *cause = world_cause ("error");

  g_assert_true (orch_batch_fail (world->call, batch, cause, &world->sealed));
  orch_cause_unref (cause);
}

/* Reserves, compares and finishes. */
static void
take (World * world, guint max, const gchar * ids)
{
  OrchBatch *batch = world_reserve (world, max);

  world_assert_batch (batch, ids);
  finish (world, batch);
}

static void
test_b1_own_queue (void)
{
  World *busy = world_new (1), *world = world_new (1);
  OrchBatch *batch;
  guint i;

  for (i = 0; i < 2000; i++)
    world_enter (busy, 0);
  for (i = 0; i < 8; i++)
    world_enter (world, 0);
  batch = world_reserve (world, 4);
  world_assert_batch (batch, "0123");
  g_assert_cmpuint (orch_call_get_n_ready (world->call), ==, 4);
  g_assert_cmpuint (orch_call_get_n_in_flight (world->call), ==, 4);
  g_assert_cmpuint (world->call->queue.n_visits, ==, 4);
  g_assert_cmpuint (busy->call->queue.n_visits, ==, 0);
  finish (world, batch);
  take (world, 100, "4567");
  g_assert_null (world_reserve (world, 4));
  world_free (busy);
  world_free (world);
}

static void
test_b2_mixed (void)
{
  World *world = world_new (2);

  world_enter_pages (world, "0101");
  take (world, 3, "012");
  take (world, 3, "3");
  world_free (world);
}

static void
test_b2p_siblings (void)
{
  World *world = world_new (2);

  orch_call_set_batching (world->call, ORCH_BATCHING_SIBLINGS);
  world_enter_pages (world, "0101");
  take (world, 3, "02");
  take (world, 3, "13");
  world_free (world);
}

/* Whatever stands between two siblings is not looked at. */
static void
test_b2p_visits (void)
{
  World *world = world_new (3);
  guint i;

  orch_call_set_batching (world->call, ORCH_BATCHING_SIBLINGS);
  world_enter_pages (world, "2");
  for (i = 0; i < 1000; i++)
    world_enter_pages (world, "01");
  world_enter_pages (world, "2");
  take (world, 8, "02001");
  g_assert_cmpuint (world->call->queue.n_visits, <=, 3);
  take (world, 3, "135");
  g_assert_cmpuint (world->call->queue.n_visits, <=, 6);
  take (world, 3, "246");
  world_free (world);
}

/* Batching may change while Grains are ready; recovery batches stay where they
 * are, and siblings behind one are not pulled in front of it. */
static void
test_b2p_changes (void)
{
  World *world = world_new (2);

  world_enter_pages (world, "0101");
  fail (world, world_reserve (world, 1));
  world_enter_pages (world, "011");
  orch_call_set_batching (world->call, ORCH_BATCHING_SIBLINGS);
  take (world, 3, "13");
  take (world, 3, "2");
  take (world, 3, "0");
  world_enter_pages (world, "0");
  take (world, 3, "47");
  orch_call_set_batching (world->call, ORCH_BATCHING_MIXED);
  world_enter_pages (world, "0");
  take (world, 3, "568");
  world_free (world);
}

/* A barrier on the parent of some ready Grains, by a Grain in flight. */
static void
test_b3_barrier (void)
{
  World *world = world_new (2);
  OrchBatch *batch;

  world_enter_pages (world, "0");
  batch = world_reserve (world, 1);
  world_enter_pages (world, "0010");
  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_FAILED, TRUE));
  orch_batch_finish (world->call, batch, &world->sealed);
  world_assert_sealed (world, "0F");

  batch = world_reserve (world, 4);
  world_assert_batch (batch, "3");
  world_assert_sealed (world, "1S 2S 4S");
  g_assert_cmpstr (world_get (world, 4)->grain.cause->code, ==, "group");
  g_assert_cmpstr (world_get (world, 4)->grain.cause->path, ==, "0/0");
  finish (world, batch);
  world_assert_sealed (world, "3P");

  /* one that comes later is sealed before it is queued */
  world_enter_pages (world, "0");
  world_assert_sealed (world, "5S");
  g_assert_cmpuint (orch_call_get_n_ready (world->call), ==, 0);
  world_free (world);
}

/* Covered Grains do not count towards a batch. */
static void
test_b3_full_batch (gconstpointer batching)
{
  World *world = world_new (3);
  OrchBatch *batch;

  orch_call_set_batching (world->call, GPOINTER_TO_INT (batching));
  world_enter_pages (world, "0");
  batch = world_reserve (world, 1);
  world_enter_pages (world, "0010111");
  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_FAILED, TRUE));
  orch_batch_finish (world->call, batch, &world->sealed);
  take (world, 3, "356");
  world_assert_sealed (world, "0F 1S 2S 4S 3P 5P 6P");
  take (world, 3, "7");
  world_free (world);
}

static void
test_b4_failed_batch (void)
{
  World *world = world_new (2);
  OrchBatch *poison, *batch;
  guint i;

  world_enter_pages (world, "00101");
  poison = world_reserve (world, 1);
  batch = world_reserve (world, 4);
  world_assert_batch (batch, "1234");
  fail (world, batch);
  g_assert_true (orch_call_has_recovery (world->call));
  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_FAILED, TRUE));
  orch_batch_finish (world->call, poison, &world->sealed);
  world_assert_sealed (world, "0F");

  batch = world_reserve (world, 4);
  world_assert_batch (batch, "24");
  world_assert_sealed (world, "1S 3S");
  for (i = 1; i < 5; i++)
    g_assert_cmpuint (world_get (world, i)->grain.generation, ==, 1);
  g_assert_false (orch_call_has_recovery (world->call));
  finish (world, batch);
  world_assert_sealed (world, "2P 4P");
  world_free (world);
}

static void
test_b5_retry_batch (void)
{
  World *world = world_new (1);
  OrchBatch *batch;

  orch_call_set_recovery (world->call, ORCH_RECOVERY_RETRY_BATCH, 1);
  world_enter_pages (world, "0000");
  fail (world, world_reserve (world, 2));
  g_assert_cmpuint (orch_call_get_n_ready (world->call), ==, 4);
  batch = world_reserve (world, 4);
  world_assert_batch (batch, "01");
  g_assert_true (batch->recovery);
  g_assert_cmpuint (world_get (world, 0)->grain.generation, ==, 1);
  g_assert_cmpuint (world_get (world, 1)->grain.generation, ==, 1);
  finish (world, batch);
  take (world, 4, "23");
  world_free (world);
}

static void
test_b6_retry_tail (void)
{
  World *world = world_new (1);

  orch_call_set_recovery (world->call, ORCH_RECOVERY_RETRY_TAIL, 1);
  world_enter_pages (world, "0000");
  fail (world, world_reserve (world, 2));
  world_enter_pages (world, "0");
  take (world, 4, "23");
  take (world, 4, "01");
  take (world, 4, "4");
  world_free (world);
}

static void
test_b7_bisect (void)
{
  World *world = world_new (1);

  world_enter_pages (world, "0000");
  fail (world, world_reserve (world, 4));
  fail (world, world_reserve (world, 4));
  world_enter_pages (world, "0");
  take (world, 4, "01");
  take (world, 4, "23");
  take (world, 4, "4");
  world_free (world);
}

/* Grains that are covered leave nothing between two recovery batches. */
static void
test_recovery_after_covered (void)
{
  World *world = world_new (2);
  OrchBatch *poison, *first, *second;

  world_enter_pages (world, "011");
  poison = world_reserve (world, 1);
  first = world_reserve (world, 1);
  second = world_reserve (world, 1);
  fail (world, first);
  world_enter_pages (world, "00");
  fail (world, second);
  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_FAILED, TRUE));
  orch_batch_finish (world->call, poison, &world->sealed);
  take (world, 4, "1");
  take (world, 4, "2");
  world_assert_sealed (world, "0F 1P 3S 4S 2P");
  g_assert_null (world_reserve (world, 4));
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lineage/B1/own-queue", test_b1_own_queue);
  g_test_add_func ("/lineage/B2/mixed", test_b2_mixed);
  g_test_add_func ("/lineage/B2p/siblings", test_b2p_siblings);
  g_test_add_func ("/lineage/B2p/visits", test_b2p_visits);
  g_test_add_func ("/lineage/B2p/changes", test_b2p_changes);
  g_test_add_func ("/lineage/B3/barrier", test_b3_barrier);
  g_test_add_data_func ("/lineage/B3/full-batch/mixed",
      GINT_TO_POINTER (ORCH_BATCHING_MIXED), test_b3_full_batch);
  g_test_add_data_func ("/lineage/B3/full-batch/siblings",
      GINT_TO_POINTER (ORCH_BATCHING_SIBLINGS), test_b3_full_batch);
  g_test_add_func ("/lineage/B4/failed-batch", test_b4_failed_batch);
  g_test_add_func ("/lineage/B5/retry-batch", test_b5_retry_batch);
  g_test_add_func ("/lineage/B6/retry-tail", test_b6_retry_tail);
  g_test_add_func ("/lineage/B7/bisect", test_b7_bisect);
  g_test_add_func ("/lineage/B3/recovery-after-covered",
      test_recovery_after_covered);
  return g_test_run ();
}
