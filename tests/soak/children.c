/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Conformance case G5: memory follows the open parents, not the corpus.  What the
 * Functions for tests make passes through expand, Call and reduce.
 *
 * FIRST is above what the queues between may hold.  A Call that works in no time holds
 * more as the run goes on, unless it is told how much.  REST is below what a leak comes
 * to: less than 4 bytes for each parent in the full size (-m slow), in the quick one
 * 15, or less than 2 for each child where there are many. */

#include "script.h"
#include "soak.h"

#define FIRST 4000000
#define REST 1500000
#define CHILDREN 25
#define FEW_CHILDREN 5
#define LISTS 400000

/* Lists of `n_children` through the rest of a pipeline; in the quick size one in
 * `share`. */
static void
check_flat (guint n_children, guint share, const gchar * chain)
{
  guint n_lists = LISTS / (SOAK_IS_INSTRUMENTED ? 100 :
      g_test_slow () ? 1 : share);
  Soak *soak = soak_new (n_lists, "fakesrc num-buffers=%u ! orchcall "
      "function=test-list function::n=%u ! orchexpand ! %s ! fakesink name=out",
      n_lists, n_children, chain);

  soak_run (soak);
  g_assert_true (soak_is_flat (soak, FIRST, REST));
  soak_free (soak);
}

static void
test_children (void)
{
  check_flat (CHILDREN, 10, "orchidentity batch-size=64 replicas=2 max-buffers=1024 ! "
      "orchreduce");
}

static void
test_empty_lists (void)
{
  check_flat (0, 4, "orchidentity ! orchreduce");
}

static gboolean
fail_all (GstOrchBatch * batch, guint replica, gpointer data, GError ** error)
{
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++)
    gst_orch_batch_fail_record (batch, i,
        gst_orch_cause_new_literal ("test", "soak", "told to fail"));
  return TRUE;
}

/* No buffer reaches the reduce: all it hears is news. */
static void
test_failures (void)
{
  script_set (0, (Script) {.run = fail_all});
  check_flat (FEW_CHILDREN, 4, "orchcall function=script batch-size=64 "
      "replicas=2 ! orchreduce on-failed=skip");
}

static gboolean
end_in_three_ways (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    GstOrchEntity *entity = gst_orch_batch_get_entity (batch, i);

    switch (gst_orch_entity_get_ordinal (entity) % 3) {
      case 0:
        gst_orch_batch_fail_record (batch, i,
            gst_orch_cause_new_literal ("test", "soak", "told to fail"));
        break;
      case 1:
        gst_orch_batch_drop (batch, i);
        break;
      default:
        gst_orch_batch_present (batch, i, gst_buffer_new (), NULL);
        break;
    }
  }
  return TRUE;
}

static void
test_outcomes (void)
{
  script_set (0, (Script) {.run = end_in_three_ways});
  check_flat (FEW_CHILDREN, 4, "orchcall function=script batch-size=64 "
      "replicas=2 max-buffers=1024 ! orchreduce on-failed=placeholder");
}

int
main (int argc, char **argv)
{
  soak_init (&argc, &argv);
  script_init ();
  g_test_add_func ("/soak/children", test_children);
  g_test_add_func ("/soak/empty-lists", test_empty_lists);
  g_test_add_func ("/soak/failures", test_failures);
  g_test_add_func ("/soak/outcomes", test_outcomes);
  return g_test_run ();
}
