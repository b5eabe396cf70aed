/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "world.h"
#include "orch-call-private.h"

/* S5.5: a parent whose gather can no longer be present. */

static void
unwant (World * world, OrchExpansion * expansion, const gchar * code)
{
  OrchCause *cause = world_cause (code);

  orch_call_unwant (world->call, expansion, cause);
  orch_cause_unref (cause);
}

static gboolean
is_covered (World * world, guint id)
{
  return orch_call_get_cover (orch_call_get_key (world->call),
      &world_get (world, id)->grain) != NULL;
}

static void
assert_code (World * world, guint id, const gchar * code)
{
  g_assert_cmpstr (world_get (world, id)->grain.cause->code, ==, code);
}

static void
finish (World * world, OrchBatch * batch)
{
  orch_batch_finish (world->call, batch, &world->sealed);
}

static gboolean
fail (World * world, OrchBatch * batch)
{
  OrchCause *error = world_cause ("error");
  gboolean goes_on = orch_batch_fail (world->call, batch, error,
      &world->sealed);

  orch_cause_unref (error);
  return goes_on;
}

static void
present (World * world, OrchBatch * batch)
{
  guint i;

  for (i = 0; i < batch->n; i++)
    if (batch->grains[i])
      g_assert_true (world_commit (world,
              ((TestGrain *) batch->grains[i])->id, ORCH_OUTCOME_PRESENT,
              FALSE));
  finish (world, batch);
}

/* Ready ones are suppressed before they are dispatched and do not count, whatever
 * comes later at once; the other parent goes on.  The first cause stays. */
static void
test_ready (gconstpointer batching)
{
  World *world = world_new (2);
  OrchBatch *batch;

  orch_call_set_batching (world->call, GPOINTER_TO_INT (batching));
  world_enter_pages (world, "0010111");
  unwant (world, world->lists[0], "first");
  unwant (world, world->lists[0], "second");
  world_assert_sealed (world, "");
  batch = world_reserve (world, 3);
  world_assert_batch (batch, "245");
  world_assert_sealed (world, "0S 1S 3S");
  assert_code (world, 3, "first");

  world_enter_pages (world, "01");
  world_assert_sealed (world, "7S");
  present (world, batch);
  batch = world_reserve (world, 3);
  world_assert_batch (batch, "68");
  present (world, batch);
  g_assert_null (world_reserve (world, 3));
  world_free (world);
}

/* Nothing of the queue is looked at when it is said, and later no more than what
 * stands in front. */
static void
test_no_scan (void)
{
  World *world = world_new (2);
  OrchBatch *batch;
  guint i;

  for (i = 0; i < 1000; i++)
    world_enter_pages (world, "1");
  world_enter_pages (world, "0");
  unwant (world, world->lists[0], "cause");
  g_assert_cmpuint (world->call->queue.n_visits, ==, 0);
  batch = world_reserve (world, 4);
  g_assert_cmpuint (world->call->queue.n_visits, ==, 4);
  present (world, batch);
  world_free (world);
}

/* An input that is not there is not waited for either. */
static void
test_entering (void)
{
  World *world = world_new (1);
  OrchEntity *page = orch_expansion_next_child (world->lists[0]);
  OrchCause *cause = world_cause ("upstream");

  unwant (world, world->lists[0], "cause");
  world_enter_entity (world, page, ORCH_OUTCOME_PRESENT, NULL);
  world_enter_entity (world, page, ORCH_OUTCOME_DROPPED, NULL);
  world_enter_entity (world, page, ORCH_OUTCOME_FAILED, cause);
  world_assert_sealed (world, "0S 1S 2S");
  assert_code (world, 0, "cause");
  orch_entity_unref (page);
  orch_cause_unref (cause);
  world_free (world);
}

/* What is in flight is told so; any result but a failure becomes suppressed, and
 * none at all is none missing. */
static void
test_in_flight (void)
{
  World *world = world_new (2);
  OrchBatch *batch;
  guint i;

  world_enter_pages (world, "0000100");
  batch = world_reserve (world, 7);
  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_PRESENT, FALSE));
  for (i = 1; i < 7; i++)
    g_assert_false (is_covered (world, i));
  unwant (world, world->lists[0], "cause");
  for (i = 1; i < 7; i++)
    g_assert_cmpint (is_covered (world, i), ==, i != 4);
  g_assert_true (world_commit (world, 1, ORCH_OUTCOME_PRESENT, FALSE));
  g_assert_true (world_commit (world, 2, ORCH_OUTCOME_DROPPED, FALSE));
  g_assert_true (world_commit (world, 3, ORCH_OUTCOME_FAILED, FALSE));
  g_assert_true (world_commit (world, 4, ORCH_OUTCOME_PRESENT, FALSE));
  g_assert_true (world_commit (world, 5, ORCH_OUTCOME_FAILED, TRUE));
  finish (world, batch);
  world_assert_sealed (world, "0P 1S 2S 3F 4P 5F 6S");
  assert_code (world, 1, "cause");
  assert_code (world, 3, "record");
  world_free (world);
}

/* It says nothing to other gathers, as a barrier would (S5.2a); where there is
 * one too, that gives the cause. */
static void
test_is_no_barrier (void)
{
  World *world = world_new (1);
  gpointer key = orch_call_get_key (world->call);
  OrchBatch *batch;

  world_enter_pages (world, "00");
  batch = world_reserve (world, 1);
  unwant (world, world->lists[0], "cause");
  g_assert_null (orch_call_get_barrier (key, world->lists[0]));
  g_assert_true (world_commit (world, 0, ORCH_OUTCOME_FAILED, TRUE));
  finish (world, batch);
  g_assert_nonnull (orch_call_get_barrier (key, world->lists[0]));
  g_assert_null (world_reserve (world, 1));
  world_assert_sealed (world, "0F 1S");
  assert_code (world, 1, "group");
  world_free (world);
}

/* S5.3 counts only what is still wanted: an attempt that failed is over for the
 * others, without a retry. */
static void
test_failed_attempt (gconstpointer recovery)
{
  World *world = world_new (2);
  OrchBatch *batch;

  orch_call_set_recovery (world->call, GPOINTER_TO_INT (recovery), 1);
  world_enter_pages (world, "0000");
  batch = world_reserve (world, 4);
  unwant (world, world->lists[0], "cause");
  g_assert_true (fail (world, batch));
  world_assert_sealed (world, "0S 1S 2S 3S");
  g_assert_cmpuint (world_get (world, 0)->grain.generation, ==, 0);
  g_assert_null (world_reserve (world, 4));
  world_free (world);
}

/* As C6: of a batch that failed twice one is still wanted; it was not alone, so
 * it runs once more. */
static void
test_one_wanted (void)
{
  World *world = world_new (2);
  OrchBatch *batch;

  world_enter_pages (world, "0001");
  g_assert_true (fail (world, world_reserve (world, 4)));
  batch = world_reserve (world, 4);
  unwant (world, world->lists[0], "cause");
  g_assert_true (fail (world, batch));
  world_assert_sealed (world, "0S 1S 2S");
  batch = world_reserve (world, 4);
  world_assert_batch (batch, "3");
  g_assert_true (fail (world, batch));
  world_assert_sealed (world, "3F");
  world_free (world);
}

/* As B4: between two attempts. */
static void
test_recovery_batch (void)
{
  World *world = world_new (2);
  OrchBatch *batch;

  world_enter_pages (world, "0101");
  g_assert_true (fail (world, world_reserve (world, 4)));
  unwant (world, world->lists[0], "cause");
  batch = world_reserve (world, 4);
  world_assert_batch (batch, "13");
  world_assert_sealed (world, "0S 2S");
  present (world, batch);
  world_free (world);
}

static void
test_abort (void)
{
  World *world = world_new (2);
  OrchBatch *batch;

  orch_call_set_recovery (world->call, ORCH_RECOVERY_ABORT, 0);
  world_enter_pages (world, "0001");
  batch = world_reserve (world, 3);
  unwant (world, world->lists[0], "cause");
  g_assert_true (fail (world, batch));
  world_assert_sealed (world, "0S 1S 2S");
  g_assert_false (fail (world, world_reserve (world, 3)));
  world_assert_sealed (world, "3F");
  world_free (world);
}

/* The Call works below the children of the parent that is doomed: lines of pages
 * of documents. */
static void
test_below (void)
{
  World *world = world_new (2);
  OrchDomain *lines = orch_domain_new ("lines", world->pages);
  OrchExpansion *lists[3];
  OrchBatch *batch;
  guint i;

  /* two pages of document 0, one of document 1 */
  for (i = 0; i < 3; i++) {
    OrchEntity *page = orch_expansion_next_child (world->lists[i / 2]);

    lists[i] = orch_expansion_new (lines, page);
    orch_entity_unref (page);
  }
  for (i = 0; i < 9; i++) {
    OrchEntity *line = orch_expansion_next_child (lists[i % 3]);

    world_enter_entity (world, line, ORCH_OUTCOME_PRESENT, NULL);
    orch_entity_unref (line);
  }
  batch = world_reserve (world, 3);
  unwant (world, lists[0], "page");
  g_assert_true (is_covered (world, 0));
  g_assert_false (is_covered (world, 1));
  unwant (world, world->lists[0], "document");
  g_assert_true (is_covered (world, 1));
  g_assert_false (is_covered (world, 2));
  present (world, batch);
  batch = world_reserve (world, 8);
  world_assert_batch (batch, "58");
  world_assert_sealed (world, "0S 1S 2P 3S 4S 6S 7S");
  assert_code (world, 3, "page");
  assert_code (world, 4, "document");
  present (world, batch);
  for (i = 0; i < 3; i++)
    orch_expansion_unref (lists[i]);
  orch_domain_unref (lines);
  world_free (world);
}

/* A flush: the same parent comes again. */
static void
test_epochs (void)
{
  World *world = world_new (1);
  OrchBatch *before, *after;

  world_enter_pages (world, "0");
  before = world_reserve (world, 1);
  unwant (world, world->lists[0], "cause");
  orch_call_new_epoch (world->call, &world->sealed);
  world_enter_pages (world, "0");
  world_assert_sealed (world, "");
  after = world_reserve (world, 1);
  world_assert_batch (after, "1");
  g_assert_false (is_covered (world, 1));
  g_assert_true (fail (world, before));
  world_assert_sealed (world, "0U");
  present (world, after);
  world_free (world);
}

/* Two flushes with nothing of that parent in between, seen from a Call below. */
static void
test_epochs_below (void)
{
  World *world = world_new (1);
  OrchDomain *lines = orch_domain_new ("lines", world->pages);
  OrchEntity *page = orch_expansion_next_child (world->lists[0]), *line;
  OrchExpansion *list = orch_expansion_new (lines, page);
  guint i;

  for (i = 0; i < 3; i++) {
    line = orch_expansion_next_child (list);
    world_enter_entity (world, line, ORCH_OUTCOME_PRESENT, NULL);
    orch_entity_unref (line);
    present (world, world_reserve (world, 1));
    world_assert_sealed (world, i == 0 ? "0P" : i == 1 ? "1P" : "2P");
    if (i == 0)
      unwant (world, world->lists[0], "cause");
    g_assert_cmpint (is_covered (world, i), ==, i == 0);
    orch_call_new_epoch (world->call, &world->sealed);
    /* another mark, so that ancestors are looked at */
    unwant (world, world->roots, "roots");
    orch_call_new_epoch (world->call, &world->sealed);
  }
  orch_expansion_unref (list);
  orch_entity_unref (page);
  orch_domain_unref (lines);
  world_free (world);
}

/* They neither fill a batch nor hurry one that waits (F). */
static void
test_waiting (void)
{
  World *world = world_new (2);

  world->now = 1000;
  world_enter_pages (world, "000");
  world->now = 1500;
  world_enter_pages (world, "1");
  unwant (world, world->lists[0], "cause");
  g_assert_cmpint (orch_call_get_deadline (world->call, 2000, 4, FALSE,
          &world->sealed), ==, 3500);
  world_assert_sealed (world, "0S 1S 2S");
  unwant (world, world->lists[1], "cause");
  g_assert_cmpint (orch_call_get_deadline (world->call, 2000, 4, FALSE,
          &world->sealed), ==, ORCH_TIME_NEVER);
  world_assert_sealed (world, "3S");
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
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/lineage/S5.5/ready/mixed",
      GINT_TO_POINTER (ORCH_BATCHING_MIXED), test_ready);
  g_test_add_data_func ("/lineage/S5.5/ready/siblings",
      GINT_TO_POINTER (ORCH_BATCHING_SIBLINGS), test_ready);
  g_test_add_func ("/lineage/S5.5/no-scan", test_no_scan);
  g_test_add_func ("/lineage/S5.5/entering", test_entering);
  g_test_add_func ("/lineage/S5.5/in-flight", test_in_flight);
  g_test_add_func ("/lineage/S5.5/is-no-barrier", test_is_no_barrier);
  add_with_recovery ("/lineage/S5.5/failed-attempt/bisect",
      test_failed_attempt, ORCH_RECOVERY_BISECT);
  add_with_recovery ("/lineage/S5.5/failed-attempt/retry-batch",
      test_failed_attempt, ORCH_RECOVERY_RETRY_BATCH);
  add_with_recovery ("/lineage/S5.5/failed-attempt/retry-tail",
      test_failed_attempt, ORCH_RECOVERY_RETRY_TAIL);
  add_with_recovery ("/lineage/S5.5/failed-attempt/abort",
      test_failed_attempt, ORCH_RECOVERY_ABORT);
  g_test_add_func ("/lineage/S5.5/one-wanted", test_one_wanted);
  g_test_add_func ("/lineage/S5.5/recovery-batch", test_recovery_batch);
  g_test_add_func ("/lineage/S5.5/abort", test_abort);
  g_test_add_func ("/lineage/S5.5/below", test_below);
  g_test_add_func ("/lineage/S5.5/epochs", test_epochs);
  g_test_add_func ("/lineage/S5.5/epochs-below", test_epochs_below);
  g_test_add_func ("/lineage/S5.5/waiting", test_waiting);
  return g_test_run ();
}
