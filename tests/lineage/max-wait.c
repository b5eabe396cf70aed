/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "world.h"

/* Group F: a Call with one replica waits for its batch to fill, on a clock that
 * the test moves. */

#define BATCH_SIZE 8
#define MAX_WAIT 2000
#define START 1000000

typedef struct
{
  World *world;
  guint batch_size;
  gint64 max_wait;
  gboolean closed;
} Waiter;

static Waiter *
waiter_new (guint n_parents)
{
  Waiter *waiter = g_new0 (Waiter, 1);

  waiter->world = world_new (n_parents);
  waiter->world->now = START;
  waiter->batch_size = BATCH_SIZE;
  waiter->max_wait = MAX_WAIT;
  return waiter;
}

static void
waiter_free (Waiter * waiter)
{
  world_free (waiter->world);
  g_free (waiter);
}

static gint64
get_deadline (Waiter * waiter)
{
  return orch_call_get_deadline (waiter->world->call, waiter->max_wait,
      waiter->batch_size, waiter->closed, &waiter->world->sealed);
}

/* What a free replica does now: (nullable) a batch, if it is time. */
static OrchBatch *
take_turn (Waiter * waiter)
{
  if (get_deadline (waiter) > waiter->world->now)
    return NULL;
  return world_reserve (waiter->world, waiter->batch_size);
}

static void
finish (Waiter * waiter, OrchBatch * batch)
{
  World *world = waiter->world;
  guint i;

  for (i = 0; i < batch->n; i++)
    g_assert_true (world_commit (world, ((TestGrain *) batch->grains[i])->id,
            ORCH_OUTCOME_PRESENT, FALSE));
  orch_batch_finish (world->call, batch, &world->sealed);
}

static void
fail (Waiter * waiter, OrchBatch * batch)
{
  OrchCause *error = world_cause ("error");

  g_assert_true (orch_batch_fail (waiter->world->call, batch, error,
          &waiter->world->sealed));
  orch_cause_unref (error);
}

/* At this time after the start a free replica takes these Grains, "" none. */
static void
assert_turn (Waiter * waiter, gint64 time, const gchar * ids)
{
  OrchBatch *batch;

  waiter->world->now = START + time;
  batch = take_turn (waiter);
  world_assert_batch (batch, ids);
  if (batch)
    finish (waiter, batch);
}

static void
enter (Waiter * waiter, gint64 time, const gchar * parents)
{
  waiter->world->now = START + time;
  world_enter_pages (waiter->world, parents);
}

static void
test_3_ready (void)
{
  Waiter *waiter = waiter_new (1);

  g_assert_cmpint (get_deadline (waiter), ==, ORCH_TIME_NEVER);
  enter (waiter, 0, "000");
  g_assert_cmpint (get_deadline (waiter), ==, START + MAX_WAIT);
  assert_turn (waiter, 1900, "");
  assert_turn (waiter, 1999, "");
  assert_turn (waiter, 2000, "012");
  g_assert_cmpint (get_deadline (waiter), ==, ORCH_TIME_NEVER);
  waiter_free (waiter);
}

static void
test_4_and_4 (void)
{
  Waiter *waiter = waiter_new (1);

  enter (waiter, 0, "0000");
  assert_turn (waiter, 0, "");
  enter (waiter, 1500, "000");
  assert_turn (waiter, 1500, "");
  enter (waiter, 1500, "0");
  g_assert_cmpint (get_deadline (waiter), ==, ORCH_TIME_NOW);
  assert_turn (waiter, 1500, "01234567");
  waiter_free (waiter);
}

/* EOS, a budget that is used up, or nobody who could add more. */
static void
test_closed (void)
{
  Waiter *waiter = waiter_new (1);

  enter (waiter, 0, "000");
  assert_turn (waiter, 100, "");
  waiter->closed = TRUE;
  assert_turn (waiter, 100, "012");
  g_assert_cmpint (get_deadline (waiter), ==, ORCH_TIME_NEVER);

  /* what comes after all does not wait either, until it is open again */
  enter (waiter, 200, "0");
  assert_turn (waiter, 200, "3");
  enter (waiter, 300, "0");
  waiter->closed = FALSE;
  assert_turn (waiter, 300, "");
  assert_turn (waiter, 2300, "4");
  waiter_free (waiter);
}

static void
test_new_arrivals (void)
{
  Waiter *waiter = waiter_new (1);

  enter (waiter, 0, "0");
  enter (waiter, 1000, "0");
  enter (waiter, 1900, "0");
  g_assert_cmpint (get_deadline (waiter), ==, START + 2000);
  assert_turn (waiter, 1999, "");
  assert_turn (waiter, 2000, "012");

  /* the next oldest counts from its own entry */
  enter (waiter, 2500, "0");
  enter (waiter, 4000, "0");
  assert_turn (waiter, 4499, "");
  assert_turn (waiter, 4500, "34");
  waiter_free (waiter);
}

static void
test_max_wait_0 (void)
{
  Waiter *waiter = waiter_new (1);

  waiter->max_wait = 0;
  enter (waiter, 0, "0");
  g_assert_cmpint (get_deadline (waiter), ==, ORCH_TIME_NOW);
  assert_turn (waiter, 0, "0");

  /* a Grain without a time is overdue once waiting is switched on */
  waiter->world->now = 0;
  world_enter_pages (waiter->world, "0");
  waiter->max_wait = MAX_WAIT;
  assert_turn (waiter, 0, "1");
  waiter_free (waiter);
}

/* A wait beyond the end of time lasts until the batch is full or closed. */
static void
test_max_wait_for_ever (void)
{
  Waiter *waiter = waiter_new (1);

  waiter->max_wait = G_MAXINT64;
  enter (waiter, 0, "000");
  g_assert_cmpint (get_deadline (waiter), ==, ORCH_TIME_NEVER);
  waiter->max_wait = G_MAXINT64 - START;
  g_assert_cmpint (get_deadline (waiter), ==, G_MAXINT64);
  waiter->max_wait--;
  g_assert_cmpint (get_deadline (waiter), ==, G_MAXINT64 - 1);
  enter (waiter, 5000, "00000");
  assert_turn (waiter, 5000, "01234567");
  waiter_free (waiter);
}

/* The batch is full and expired in the same turn: it is a full one. */
static void
test_full_and_expired (void)
{
  Waiter *waiter = waiter_new (1);

  enter (waiter, 0, "0000");
  enter (waiter, 2000, "00000");
  assert_turn (waiter, 2000, "01234567");
  assert_turn (waiter, 2000, "");
  assert_turn (waiter, 4000, "8");
  waiter_free (waiter);
}

static void
test_burst (gconstpointer closes)
{
  Waiter *waiter = waiter_new (1);
  OrchBatch *batch;
  guint i;

  waiter->batch_size = 16;
  for (i = 0; i < 1000; i++)
    enter (waiter, 0, "0");
  for (i = 0; i < 62; i++) {
    batch = take_turn (waiter);
    g_assert_cmpuint (batch->n, ==, 16);
    g_assert_cmpuint (((TestGrain *) batch->grains[0])->id, ==, 16 * i);
    finish (waiter, batch);
  }
  g_assert_null (take_turn (waiter));
  if (closes)
    waiter->closed = TRUE;
  else
    waiter->world->now = START + MAX_WAIT;
  batch = take_turn (waiter);
  g_assert_cmpuint (batch->n, ==, 8);
  finish (waiter, batch);
  g_assert_cmpuint (waiter->world->sealed.n, ==, 1000);
  waiter_free (waiter);
}

/* S5.3: a recovery batch does not wait, and what is ahead of it cannot get
 * fuller. */
static void
test_recovery (void)
{
  Waiter *waiter = waiter_new (1);
  OrchBatch *batch;

  enter (waiter, 0, "00");
  waiter->world->now = START + 2000;
  fail (waiter, take_turn (waiter));
  g_assert_cmpint (get_deadline (waiter), ==, ORCH_TIME_NOW);
  enter (waiter, 2000, "0");
  assert_turn (waiter, 2000, "01");
  assert_turn (waiter, 2000, "");

  waiter->world->now = START + 4000;
  batch = take_turn (waiter);
  world_assert_batch (batch, "2");
  enter (waiter, 4000, "0");
  assert_turn (waiter, 4000, "");
  fail (waiter, batch);
  assert_turn (waiter, 4000, "3");
  assert_turn (waiter, 4000, "2");
  world_assert_sealed (waiter->world, "0P 1P 3P 2P");
  waiter_free (waiter);
}

/* A group failure of Grain `id`, which is in flight alone. */
static void
set_barrier (Waiter * waiter, OrchBatch * batch, guint id)
{
  g_assert_true (world_commit (waiter->world, id, ORCH_OUTCOME_FAILED, TRUE));
  orch_batch_finish (waiter->world->call, batch, &waiter->world->sealed);
}

static OrchBatch *
start_poison (Waiter * waiter, gint64 time)
{
  OrchBatch *poison;

  enter (waiter, time, "0");
  waiter->closed = TRUE;
  poison = take_turn (waiter);
  waiter->closed = FALSE;
  return poison;
}

/* Covered Grains neither fill a batch (S5.2) nor hurry one. */
static void
test_covered (gconstpointer batching)
{
  Waiter *waiter = waiter_new (2);
  OrchBatch *poison;

  orch_call_set_batching (waiter->world->call, GPOINTER_TO_INT (batching));
  poison = start_poison (waiter, 0);
  enter (waiter, 0, "00000");
  enter (waiter, 500, "111");
  enter (waiter, 600, "00");
  set_barrier (waiter, poison, 0);
  g_assert_cmpint (get_deadline (waiter), ==, START + 2500);
  g_assert_cmpint (waiter->world->sealed.n, >=, 6);
  assert_turn (waiter, 2499, "");
  assert_turn (waiter, 2500, "678");
  g_assert_cmpint (get_deadline (waiter), ==, ORCH_TIME_NEVER);
  waiter_free (waiter);
}

static void
test_covered_all (gconstpointer batching)
{
  Waiter *waiter = waiter_new (1);
  OrchBatch *poison;

  orch_call_set_batching (waiter->world->call, GPOINTER_TO_INT (batching));
  poison = start_poison (waiter, 0);
  enter (waiter, 0, "000");
  set_barrier (waiter, poison, 0);
  g_assert_cmpint (get_deadline (waiter), ==, ORCH_TIME_NEVER);
  world_assert_sealed (waiter->world, "0F 1S 2S 3S");
  g_assert_cmpuint (orch_call_get_n_ready (waiter->world->call), ==, 0);
  waiter_free (waiter);
}

/* Full all the same: what is not covered is enough, and stays in order. */
static void
test_covered_full (void)
{
  Waiter *waiter = waiter_new (2);
  OrchBatch *poison = start_poison (waiter, 0);

  waiter->batch_size = 3;
  enter (waiter, 0, "0101010111");
  set_barrier (waiter, poison, 0);
  g_assert_cmpint (get_deadline (waiter), ==, ORCH_TIME_NOW);
  world_assert_sealed (waiter->world, "0F 1S 3S 5S");
  assert_turn (waiter, 0, "246");
  assert_turn (waiter, 0, "8910");
  world_assert_sealed (waiter->world, "2P 4P 6P 7S 8P 9P 10P");
  waiter_free (waiter);
}

/* With siblings it is the oldest Grain's parent whose batch must be full. */
static void
test_siblings (void)
{
  Waiter *waiter = waiter_new (2);

  orch_call_set_batching (waiter->world->call, ORCH_BATCHING_SIBLINGS);
  waiter->batch_size = 3;
  enter (waiter, 0, "011");
  enter (waiter, 100, "0111");
  assert_turn (waiter, 100, "");
  g_assert_cmpint (get_deadline (waiter), ==, START + 2000);
  enter (waiter, 200, "0");
  assert_turn (waiter, 200, "037");
  assert_turn (waiter, 200, "124");
  assert_turn (waiter, 200, "");
  assert_turn (waiter, 2099, "");
  assert_turn (waiter, 2100, "56");
  waiter_free (waiter);
}

/* A parent all of whose children have entered cannot fill a batch further. */
static void
test_siblings_complete (void)
{
  Waiter *waiter = waiter_new (2);
  OrchEntity *page;

  orch_call_set_batching (waiter->world->call, ORCH_BATCHING_SIBLINGS);
  orch_expansion_succeed_with (waiter->world->lists[0], 3);
  enter (waiter, 0, "00");
  enter (waiter, 0, "1");
  assert_turn (waiter, 0, "");
  page = orch_expansion_next_child (waiter->world->lists[0]);
  world_enter_entity (waiter->world, page, ORCH_OUTCOME_DROPPED, NULL);
  orch_entity_unref (page);
  assert_turn (waiter, 100, "01");
  assert_turn (waiter, 100, "");
  orch_expansion_publish (waiter->world->lists[1], ORCH_EXPANSION_SUCCEEDED,
      NULL);
  assert_turn (waiter, 200, "2");
  waiter_free (waiter);
}

/* Any history of arrivals, barriers and a replica that comes and goes: a batch is
 * taken at the very moment the rule says, found by looking at every Grain. */
static gint64
find_deadline (Waiter * waiter, const gboolean * doomed)
{
  gint64 oldest = G_MAXINT64;
  guint i, n = 0;

  for (i = 0; i < waiter->world->grains->len; i++) {
    OrchGrain *grain = &world_get (waiter->world, i)->grain;

    if (grain->phase != ORCH_GRAIN_READY
        || doomed[orch_entity_get_parent (grain->entity)->ordinal])
      continue;
    oldest = MIN (oldest, grain->ready.entered);
    n++;
  }
  if (n == 0)
    return ORCH_TIME_NEVER;
  return n >= waiter->batch_size ? ORCH_TIME_NOW : oldest + waiter->max_wait;
}

static void
run_history (GRand * rand)
{
  Waiter *waiter = waiter_new (4);
  gboolean doomed[4] = { FALSE, };
  OrchBatch *running = NULL;
  guint i;

  waiter->batch_size = g_rand_int_range (rand, 1, 12);
  for (i = 0; i < 300; i++) {
    guint parent = g_rand_int_range (rand, 0, 4);

    waiter->world->now += g_rand_int_range (rand, 0, 400);
    if (!running) {
      g_assert_cmpint (get_deadline (waiter), ==,
          find_deadline (waiter, doomed));
      running = take_turn (waiter);
    } else if (g_rand_int_range (rand, 0, 40) == 0 && running->grains[0]) {
      OrchGrain *grain = running->grains[0];

      doomed[orch_entity_get_parent (grain->entity)->ordinal] = TRUE;
      set_barrier (waiter, g_steal_pointer (&running),
          ((TestGrain *) grain)->id);
    } else if (g_rand_int_range (rand, 0, 4) == 0) {
      finish (waiter, g_steal_pointer (&running));
    }
    if (!doomed[parent] || g_rand_int_range (rand, 0, 10) == 0)
      world_enter (waiter->world, parent);
  }
  if (running)
    finish (waiter, running);
  waiter_free (waiter);
}

static void
test_random (void)
{
  GRand *rand = g_rand_new_with_seed (g_test_rand_int ());
  guint round;

  for (round = 0; round < 300; round++)
    run_history (rand);
  g_rand_free (rand);
}

/* Near the end each replica takes its share. */
static void
test_batch_limit (void)
{
  World *world = world_new (1);

  g_assert_cmpuint (orch_call_get_batch_limit (world->call, 8, 4, TRUE), ==, 1);
  world_enter_pages (world, "00000");
  g_assert_cmpuint (orch_call_get_batch_limit (world->call, 8, 4, FALSE), ==,
      8);
  g_assert_cmpuint (orch_call_get_batch_limit (world->call, 8, 4, TRUE), ==, 2);
  g_assert_cmpuint (orch_call_get_batch_limit (world->call, 8, 5, TRUE), ==, 1);
  g_assert_cmpuint (orch_call_get_batch_limit (world->call, 3, 1, TRUE), ==, 3);
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lineage/F/3-ready", test_3_ready);
  g_test_add_func ("/lineage/F/4-and-4", test_4_and_4);
  g_test_add_func ("/lineage/F/closed", test_closed);
  g_test_add_func ("/lineage/F/new-arrivals", test_new_arrivals);
  g_test_add_func ("/lineage/F/max-wait-0", test_max_wait_0);
  g_test_add_func ("/lineage/F/max-wait-for-ever", test_max_wait_for_ever);
  g_test_add_func ("/lineage/F/full-and-expired", test_full_and_expired);
  g_test_add_data_func ("/lineage/F/burst/deadline", GINT_TO_POINTER (FALSE),
      test_burst);
  g_test_add_data_func ("/lineage/F/burst/closed", GINT_TO_POINTER (TRUE),
      test_burst);
  g_test_add_func ("/lineage/F/recovery", test_recovery);
  g_test_add_data_func ("/lineage/F/covered/mixed",
      GINT_TO_POINTER (ORCH_BATCHING_MIXED), test_covered);
  g_test_add_data_func ("/lineage/F/covered/siblings",
      GINT_TO_POINTER (ORCH_BATCHING_SIBLINGS), test_covered);
  g_test_add_data_func ("/lineage/F/covered-all/mixed",
      GINT_TO_POINTER (ORCH_BATCHING_MIXED), test_covered_all);
  g_test_add_data_func ("/lineage/F/covered-all/siblings",
      GINT_TO_POINTER (ORCH_BATCHING_SIBLINGS), test_covered_all);
  g_test_add_func ("/lineage/F/covered-full", test_covered_full);
  g_test_add_func ("/lineage/F/siblings", test_siblings);
  g_test_add_func ("/lineage/F/siblings-complete", test_siblings_complete);
  g_test_add_func ("/lineage/F/random", test_random);
  g_test_add_func ("/lineage/S10/batch-limit", test_batch_limit);
  return g_test_run ();
}
