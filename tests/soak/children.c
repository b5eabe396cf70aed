/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Conformance case G5: memory follows the open parents, not the corpus.  What the
 * Functions for tests make passes through expand, Call and reduce.
 *
 * The bound is what the queues between may hold, and far below what a leak comes
 * to: 8 MB are 21 bytes for each parent of the full size (-m slow), of which
 * malloc() gives no less than 32; in the quick size they are 8 bytes a child. */

#include "soak.h"

#define BOUND 8000000
#define CHILDREN 25
#define LISTS 400000
#define QUICK_LISTS (SOAK_IS_INSTRUMENTED ? 4000 : 40000)

static void
check (Soak * soak)
{
  soak_run (soak);
  g_assert_true (soak_is_flat (soak, BOUND, BOUND));
  soak_free (soak);
}

static void
test_children (void)
{
  guint n_lists = g_test_slow () ? LISTS : QUICK_LISTS;

  check (soak_new (n_lists, "fakesrc num-buffers=%u ! orchcall "
          "function=test-list function::n=%u ! orchexpand ! orchidentity "
          "batch-size=64 replicas=2 ! orchreduce ! fakesink name=out "
          "sync=false", n_lists, CHILDREN));
}

/* No buffer reaches the reduce: all it hears is news. */
static void
test_failures (void)
{
  check (soak_new (QUICK_LISTS, "fakesrc num-buffers=%u ! orchcall "
          "function=test-list function::n=5 ! orchexpand ! orchcall "
          "function=test-work function::record=* batch-size=64 replicas=2 ! "
          "orchreduce on-failed=skip ! fakesink name=out sync=false",
          QUICK_LISTS));
}

static void
test_empty_lists (void)
{
  check (soak_new (QUICK_LISTS, "fakesrc num-buffers=%u ! orchcall "
          "function=test-list function::n=0 ! orchexpand ! orchidentity "
          "! orchreduce ! fakesink name=out sync=false", QUICK_LISTS));
}

int
main (int argc, char **argv)
{
  soak_init (&argc, &argv);
  g_test_add_func ("/soak/children", test_children);
  g_test_add_func ("/soak/failures", test_failures);
  g_test_add_func ("/soak/empty-lists", test_empty_lists);
  return g_test_run ();
}
