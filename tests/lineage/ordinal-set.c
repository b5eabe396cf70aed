/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "lineage/orch-lineage.h"

#include <string.h>

#define N 5000

/* Against one byte for each ordinal. */
typedef struct
{
  OrchOrdinalSet set;
  guint8 seen[N];
} Pair;

static void
add (Pair * pair, guint ordinal)
{
  g_assert_cmpint (orch_ordinal_set_contains (&pair->set, ordinal), ==,
      pair->seen[ordinal]);
  g_assert_cmpint (orch_ordinal_set_add (&pair->set, ordinal), ==,
      !pair->seen[ordinal]);
  pair->seen[ordinal] = TRUE;
  g_assert_true (orch_ordinal_set_contains (&pair->set, ordinal));
  g_assert_false (orch_ordinal_set_add (&pair->set, ordinal));
}

static void
assert_equal (Pair * pair)
{
  guint64 next = N;
  guint i;

  g_assert_cmpuint (orch_ordinal_set_next_missing (&pair->set, N), ==, N);
  for (i = N; i-- > 0;) {
    if (!pair->seen[i])
      next = i;
    g_assert_cmpint (orch_ordinal_set_contains (&pair->set, i), ==,
        pair->seen[i]);
    g_assert_cmpuint (orch_ordinal_set_next_missing (&pair->set, i), ==, next);
  }
}

static Pair *
pair_new (void)
{
  Pair *pair = g_new0 (Pair, 1);

  orch_ordinal_set_init (&pair->set);
  return pair;
}

static void
pair_free (Pair * pair)
{
  orch_ordinal_set_clear (&pair->set);
  g_free (pair);
}

static void
test_ascending (void)
{
  Pair *pair = pair_new ();
  guint i;

  for (i = 0; i < N - 100; i++)
    add (pair, i);
  /* order needs no memory */
  g_assert_cmpuint (pair->set.n_allocated, ==, 0);
  assert_equal (pair);
  pair_free (pair);
}

static void
test_descending (void)
{
  Pair *pair = pair_new ();
  guint i;

  for (i = N; i-- > 1;)
    add (pair, i);
  assert_equal (pair);
  add (pair, 0);
  assert_equal (pair);
  g_assert_cmpuint (orch_ordinal_set_next_missing (&pair->set, 0), ==, N);
  g_assert_cmpuint (pair->set.n_words, <=, 1);
  pair_free (pair);
}

/* Memory is that of the disorder, however far the ordinals go. */
static void
test_endless (void)
{
  OrchOrdinalSet set;
  guint64 i;

  orch_ordinal_set_init (&set);
  for (i = 0; i < 2000000; i++) {
    guint64 ordinal = i ^ 0x155;

    g_assert_true (orch_ordinal_set_add (&set, ordinal));
  }
  g_assert_cmpuint (set.n_allocated, <, 64);
  g_assert_cmpuint (set.base, >, 1999000);
  orch_ordinal_set_clear (&set);
  g_assert_false (orch_ordinal_set_contains (&set, 0));
  orch_ordinal_set_clear (&set);
}

static void
test_random (void)
{
  GRand *rand = g_rand_new_with_seed (g_test_rand_int ());
  guint round, i;

  for (round = 0; round < 100; round++) {
    guint disorder = 1 << g_rand_int_range (rand, 0, 12);
    Pair *pair = pair_new ();

    for (i = 0; i + disorder < N; i++) {
      /* now and then one is left out, or comes late */
      if (g_rand_int_range (rand, 0, 100))
        add (pair, i);
      add (pair, i + g_rand_int_range (rand, 0, disorder));
    }
    assert_equal (pair);
    for (i = 0; i < N; i++)
      add (pair, i);
    g_assert_cmpuint (orch_ordinal_set_next_missing (&pair->set, 0), ==, N);
    pair_free (pair);
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lineage/ordinal-set/ascending", test_ascending);
  g_test_add_func ("/lineage/ordinal-set/descending", test_descending);
  g_test_add_func ("/lineage/ordinal-set/endless", test_endless);
  g_test_add_func ("/lineage/ordinal-set/random", test_random);
  return g_test_run ();
}
