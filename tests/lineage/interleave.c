/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "lineage/orch-lineage.h"

static gpointer
name (guint id)
{
  return GUINT_TO_POINTER (id + 1);
}

/* Whose turn it is, or -1. */
static gint
next (OrchInterleave * interleave)
{
  gpointer user_data;
  gboolean is_last;

  if (!orch_interleave_next (interleave, &user_data, &is_last))
    return -1;
  return GPOINTER_TO_INT (user_data) - 1;
}

/* The next n turns, as digits. */
static void
assert_turns (OrchInterleave * interleave, const gchar * expected)
{
  GString *turns = g_string_new (NULL);
  guint i;

  for (i = 0; expected[i]; i++)
    g_string_append_printf (turns, "%d", next (interleave));
  g_assert_cmpstr (turns->str, ==, expected);
  g_string_free (turns, TRUE);
}

static void
test_b8_two_lists (void)
{
  OrchInterleave *interleave =
      orch_interleave_new (ORCH_INTERLEAVE_FAIR, 2, 0);

  orch_interleave_add_list (interleave, name (0), 6);
  orch_interleave_add_list (interleave, name (1), 2);
  g_assert_true (orch_interleave_is_full (interleave));
  assert_turns (interleave, "01010000");
  g_assert_false (orch_interleave_has_next (interleave));
  g_assert_cmpint (next (interleave), ==, -1);

  /* the turn goes on where it stopped, whoever takes how many */
  orch_interleave_add_list (interleave, name (0), 3);
  orch_interleave_add_list (interleave, name (1), 3);
  assert_turns (interleave, "010");
  assert_turns (interleave, "101");
  g_assert_null (orch_interleave_add_list (interleave, name (2), 0));
  g_assert_cmpuint (orch_interleave_get_n_lists (interleave), ==, 0);
  orch_interleave_free (interleave);
  orch_interleave_free (NULL);
}

/* Between two children of an open parent every other gives at most one. */
static void
assert_fair (const guint * turns, guint n_turns, guint n_parents)
{
  guint *given = g_new0 (guint, n_parents);
  guint *last = g_new0 (guint, n_parents);
  guint i, j;

  for (i = 0; i < n_turns; i++) {
    guint parent = turns[i];

    if (last[parent] > 0) {
      for (j = last[parent]; j < i; j++) {
        g_assert_cmpuint (given[turns[j]], ==, 0);
        given[turns[j]]++;
      }
      for (j = last[parent]; j < i; j++)
        given[turns[j]] = 0;
    }
    last[parent] = i + 1;
  }
  g_free (given);
  g_free (last);
}

#define N_MANY 1004
#define N_TURNS (1 + 3 * 100 + 1000 * 5)

static void
test_b8_many_lists (void)
{
  OrchInterleave *interleave =
      orch_interleave_new (ORCH_INTERLEAVE_FAIR, 4, 0);
  guint *turns = g_new (guint, N_TURNS);
  guint i, n_started = 0;

  for (i = 0; i < N_MANY; i++)
    orch_interleave_add_list (interleave, name (i),
        i == 0 ? 1 : i < 4 ? 100 : 5);
  g_assert_cmpuint (orch_interleave_get_n_lists (interleave), ==, N_MANY);
  for (i = 0; i < N_TURNS; i++) {
    turns[i] = next (interleave);
    g_assert_cmpuint (turns[i], <=, n_started);
    n_started += turns[i] == n_started;
  }
  g_assert_cmpint (next (interleave), ==, -1);
  g_assert_cmpuint (n_started, ==, N_MANY);
  assert_fair (turns, N_TURNS, N_MANY);
  g_free (turns);
  orch_interleave_free (interleave);
}

static void
test_b8_doomed (gconstpointer mode)
{
  OrchInterleave *interleave =
      orch_interleave_new (GPOINTER_TO_INT (mode), 2, 0);
  OrchLane *open, *waiting;

  open = orch_interleave_add_list (interleave, name (0), 10);
  orch_interleave_add_list (interleave, name (1), 10);
  waiting = orch_interleave_add_list (interleave, name (2), 10);
  orch_interleave_add_list (interleave, name (3), 10);
  assert_turns (interleave, "0");
  orch_lane_remove (waiting);
  g_assert_cmpuint (orch_interleave_get_n_lists (interleave), ==, 3);
  orch_lane_remove (open);
  g_assert_cmpuint (orch_interleave_get_n_lists (interleave), ==, 2);
  if (GPOINTER_TO_INT (mode) == ORCH_INTERLEAVE_NONE)
    assert_turns (interleave, "11111111113333333333");
  else if (GPOINTER_TO_INT (mode) == ORCH_INTERLEAVE_FAIR)
    assert_turns (interleave, "13131313131313131313");
  else
    assert_turns (interleave, "13111111111333333333");
  orch_interleave_free (interleave);
}

static void
test_b8_window_changes (void)
{
  OrchInterleave *interleave =
      orch_interleave_new (ORCH_INTERLEAVE_FAIR, 1, 0);
  guint i;

  for (i = 0; i < 4; i++)
    orch_interleave_add_list (interleave, name (i), 3);
  assert_turns (interleave, "0");
  orch_interleave_set_window (interleave, 3);
  assert_turns (interleave, "012");
  /* what is open stays open; the next waits until there is room */
  orch_interleave_set_window (interleave, 1);
  assert_turns (interleave, "01212333");
  orch_interleave_set_window (interleave, 0);
  g_assert_false (orch_interleave_is_full (interleave));
  orch_interleave_free (interleave);
}

static void
test_b9_shortest (void)
{
  OrchInterleave *interleave =
      orch_interleave_new (ORCH_INTERLEAVE_SHORTEST, 256, 0);

  orch_interleave_add_list (interleave, name (0), 6);
  orch_interleave_add_list (interleave, name (1), 3);
  orch_interleave_add_list (interleave, name (2), 4);
  /* first children first, then the fewest left, then a new one's first */
  assert_turns (interleave, "01211");
  orch_interleave_add_list (interleave, name (3), 2);
  orch_interleave_add_list (interleave, name (4), 9);
  assert_turns (interleave, "343222");
  assert_turns (interleave, "00000");
  assert_turns (interleave, "44444444");
  orch_interleave_free (interleave);
}

#define WINDOW 256

/* A long list beside an endless supply of short ones. */
static void
test_b9_ageing (gconstpointer max_skips)
{
  guint skips = GPOINTER_TO_UINT (max_skips);
  OrchInterleave *interleave =
      orch_interleave_new (ORCH_INTERLEAVE_SHORTEST, WINDOW, skips);
  GHashTable *waiting = g_hash_table_new (NULL, NULL);
  guint i, n = 0, n_long = 0, longest = 0;

  orch_interleave_add_list (interleave, name (n), 200);
  g_hash_table_insert (waiting, name (n), GUINT_TO_POINTER (0));
  for (i = 0; i < 50000; i++) {
    gpointer parent;
    gboolean is_last;
    guint waited;

    while (!orch_interleave_is_full (interleave)) {
      n++;
      orch_interleave_add_list (interleave, name (n), 1 + n % 7);
      g_hash_table_insert (waiting, name (n), GUINT_TO_POINTER (i));
    }
    g_assert_true (orch_interleave_next (interleave, &parent, &is_last));
    waited = i - GPOINTER_TO_UINT (g_hash_table_lookup (waiting, parent));
    longest = MAX (longest, waited);
    n_long += parent == name (0);
    if (is_last)
      g_hash_table_remove (waiting, parent);
    else
      g_hash_table_insert (waiting, parent, GUINT_TO_POINTER (i + 1));
  }
  if (skips == 0)
    skips = 32 * WINDOW;
  g_assert_cmpuint (longest, <=, skips);
  g_assert_cmpuint (n_long, >=, 50000 / (skips + 1));
  /* it is the short ones' game all the same */
  g_assert_cmpuint (n_long, <=, 1 + 50000 / (skips - WINDOW));
  g_hash_table_unref (waiting);
  orch_interleave_free (interleave);
}

/* 100 stream parents of one buffer each, one after the other. */
static void
test_b10_streams (gconstpointer mode)
{
  OrchInterleave *interleave =
      orch_interleave_new (GPOINTER_TO_INT (mode), 4, 0);
  OrchLane *lanes[100];
  guint i;

  for (i = 0; i < 100; i++)
    lanes[i] = orch_interleave_add_stream (interleave, name (i));
  g_assert_false (orch_interleave_has_next (interleave));
  g_assert_false (orch_interleave_is_full (interleave));
  for (i = 0; i < 100; i++) {
    orch_lane_feed (lanes[i], 1);
    if (i % 2) {
      g_assert_false (orch_lane_close (lanes[i]));
      g_assert_cmpint (next (interleave), ==, i);
    } else {
      g_assert_cmpint (next (interleave), ==, i);
      g_assert_true (orch_lane_close (lanes[i]));
    }
    g_assert_cmpint (next (interleave), ==, -1);
  }
  orch_interleave_free (interleave);
}

/* A stream that has nothing does not hold up who has, in any mode. */
static void
test_b10_idle_stream (gconstpointer mode)
{
  OrchInterleave *interleave =
      orch_interleave_new (GPOINTER_TO_INT (mode), 1, 0);
  OrchLane *stream = orch_interleave_add_stream (interleave, name (0));

  orch_interleave_add_list (interleave, name (1), 2);
  assert_turns (interleave, "1");
  orch_lane_feed (stream, 2);
  orch_lane_feed (stream, 0);
  if (GPOINTER_TO_INT (mode) == ORCH_INTERLEAVE_FAIR)
    assert_turns (interleave, "100");
  else
    assert_turns (interleave, "001");
  orch_lane_feed (stream, 1);
  orch_lane_remove (stream);
  g_assert_cmpint (next (interleave), ==, -1);
  stream = orch_interleave_add_stream (interleave, name (2));
  orch_lane_remove (stream);
  orch_interleave_free (interleave);
}

/* ---- random, against plain scans ---- */

typedef struct
{
  OrchLane *lane;
  guint id;
  guint64 n_left;
  guint64 since;
  gboolean is_list;
  gboolean is_open;
  gboolean is_closed;
  gboolean has_given;
} Lane;

typedef struct
{
  OrchInterleave *interleave;
  OrchInterleaveMode mode;
  guint window;
  guint max_skips;
  GPtrArray *lanes;             /* Lane, in order of arrival */
  guint n_lanes;
  guint64 clock;
  guint64 longest_wait;
  guint most_ready;
} Pair;

static Lane *
get (Pair * pair, guint i)
{
  return g_ptr_array_index (pair->lanes, i);
}

static guint
count_open (Pair * pair)
{
  guint i, n = 0;

  for (i = 0; i < pair->lanes->len; i++)
    n += get (pair, i)->is_list && get (pair, i)->is_open;
  return n;
}

static void
open_lists (Pair * pair)
{
  guint i;

  for (i = 0; i < pair->lanes->len; i++) {
    Lane *lane = get (pair, i);

    if (lane->is_open || (pair->window && count_open (pair) >= pair->window))
      continue;
    lane->is_open = TRUE;
    lane->since = pair->clock;
  }
}

static gboolean
is_ready (const Lane * lane)
{
  return lane->is_open && lane->n_left > 0;
}

static gboolean
goes_before (Pair * pair, const Lane * a, const Lane * b)
{
  if (pair->mode == ORCH_INTERLEAVE_NONE)
    return a->id < b->id;
  if (a->has_given != b->has_given)
    return !a->has_given;
  if (!a->has_given)
    return a->since != b->since ? a->since < b->since : FALSE;
  if (a->n_left != b->n_left)
    return a->n_left < b->n_left;
  return a->id < b->id;
}

static void
add_lane (Pair * pair, GRand * rand)
{
  Lane *lane = g_new0 (Lane, 1);

  lane->id = pair->n_lanes++;
  g_ptr_array_add (pair->lanes, lane);
  if (g_rand_boolean (rand)) {
    lane->is_list = TRUE;
    lane->n_left = 1 + g_rand_int_range (rand, 0, 10);
    lane->lane = orch_interleave_add_list (pair->interleave, name (lane->id),
        lane->n_left);
    open_lists (pair);
  } else {
    lane->is_open = TRUE;
    lane->lane = orch_interleave_add_stream (pair->interleave,
        name (lane->id));
  }
}

static void
remove_lane (Pair * pair, Lane * lane)
{
  g_ptr_array_remove (pair->lanes, lane);
  open_lists (pair);
}

/* Among lanes that began to wait at one moment the order is that in which they
 * began, which the scans do not know: any of them will do. */
static void
assert_turn (Pair * pair, const Lane * turn)
{
  guint i, n_ready = 0;
  guint64 waited = pair->clock - turn->since;
  guint64 longest = waited;
  gboolean is_first = TRUE;

  for (i = 0; i < pair->lanes->len; i++) {
    const Lane *lane = get (pair, i);

    if (!is_ready (lane))
      continue;
    n_ready++;
    longest = MAX (longest, pair->clock - lane->since);
    is_first &= !goes_before (pair, lane, turn);
  }
  pair->longest_wait = MAX (pair->longest_wait, waited);
  pair->most_ready = MAX (pair->most_ready, n_ready);
  if (pair->mode == ORCH_INTERLEAVE_FAIR
      || (pair->mode == ORCH_INTERLEAVE_SHORTEST
          && longest + n_ready > pair->max_skips))
    g_assert_cmpuint (waited, ==, longest);
  else
    g_assert_true (is_first);
}

static void
take_turn (Pair * pair)
{
  gboolean is_last, any = FALSE;
  gpointer user_data;
  Lane *lane = NULL;
  guint i;

  for (i = 0; i < pair->lanes->len; i++)
    any |= is_ready (get (pair, i));
  g_assert_cmpint (orch_interleave_has_next (pair->interleave), ==, any);
  g_assert_cmpint (orch_interleave_next (pair->interleave, &user_data,
          &is_last), ==, any);
  if (!any)
    return;

  for (i = 0; i < pair->lanes->len && !lane; i++)
    if (name (get (pair, i)->id) == user_data)
      lane = get (pair, i);
  g_assert_nonnull (lane);
  g_assert_true (is_ready (lane));
  assert_turn (pair, lane);
  lane->n_left--;
  lane->has_given = TRUE;
  lane->since = ++pair->clock;
  g_assert_cmpint (is_last, ==, lane->n_left == 0 && (lane->is_list
          || lane->is_closed));
  if (is_last)
    remove_lane (pair, lane);
}

static void
change_lane (Pair * pair, GRand * rand, Lane * lane)
{
  guint n = g_rand_int_range (rand, 1, 4);

  if (g_rand_int_range (rand, 0, 8) == 0) {
    orch_lane_remove (lane->lane);
    remove_lane (pair, lane);
  } else if (!lane->is_list && !lane->is_closed) {
    if (g_rand_int_range (rand, 0, 4) > 0) {
      if (lane->n_left == 0)
        lane->since = pair->clock;
      lane->n_left += n;
      orch_lane_feed (lane->lane, n);
    } else {
      lane->is_closed = TRUE;
      g_assert_cmpint (orch_lane_close (lane->lane), ==, lane->n_left == 0);
      if (lane->n_left == 0)
        remove_lane (pair, lane);
    }
  }
}

static void
step (Pair * pair, GRand * rand)
{
  gint choice = g_rand_int_range (rand, 0, 100);

  if (choice < 12) {
    add_lane (pair, rand);
  } else if (choice < 35 && pair->lanes->len > 0) {
    change_lane (pair, rand, get (pair, g_rand_int_range (rand, 0,
                pair->lanes->len)));
  } else if (choice < 36) {
    pair->window = g_rand_int_range (rand, 0, 6);
    orch_interleave_set_window (pair->interleave, pair->window);
    open_lists (pair);
  } else {
    take_turn (pair);
  }
  g_assert_cmpint (orch_interleave_is_full (pair->interleave), ==,
      pair->window > 0 && count_open (pair) >= pair->window);
}

static void
test_random (gconstpointer mode)
{
  GRand *rand = g_rand_new_with_seed (g_test_rand_int ());
  guint round, i, n_lists;

  for (round = 0; round < 200; round++) {
    Pair pair = { NULL, GPOINTER_TO_INT (mode), 3, 1 + round % 40 };

    pair.lanes = g_ptr_array_new_with_free_func (g_free);
    pair.interleave =
        orch_interleave_new (pair.mode, pair.window, pair.max_skips);
    for (i = 0; i < 500; i++)
      step (&pair, rand);
    for (i = 0, n_lists = 0; i < pair.lanes->len; i++)
      n_lists += get (&pair, i)->is_list;
    g_assert_cmpuint (orch_interleave_get_n_lists (pair.interleave), ==,
        n_lists);
    if (pair.mode == ORCH_INTERLEAVE_SHORTEST)
      g_assert_cmpuint (pair.longest_wait, <=, MAX (pair.max_skips,
              pair.most_ready));
    /* sometimes with everything open */
    while (round % 2 && orch_interleave_has_next (pair.interleave))
      take_turn (&pair);
    orch_interleave_free (pair.interleave);
    g_ptr_array_unref (pair.lanes);
  }
  g_rand_free (rand);
}

static void
add_modes (const gchar * path, GTestDataFunc func)
{
  static const gchar *const names[] = { "fair", "shortest", "none" };
  guint mode;

  for (mode = 0; mode < G_N_ELEMENTS (names); mode++) {
    gchar *full = g_strconcat (path, "/", names[mode], NULL);

    g_test_add_data_func (full, GUINT_TO_POINTER (mode), func);
    g_free (full);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lineage/B8/two-lists", test_b8_two_lists);
  g_test_add_func ("/lineage/B8/many-lists", test_b8_many_lists);
  add_modes ("/lineage/B8/doomed", test_b8_doomed);
  g_test_add_func ("/lineage/B8/window-changes", test_b8_window_changes);
  g_test_add_func ("/lineage/B9/shortest", test_b9_shortest);
  g_test_add_data_func ("/lineage/B9/ageing", GUINT_TO_POINTER (600),
      test_b9_ageing);
  g_test_add_data_func ("/lineage/B9/ageing-by-lanes", NULL, test_b9_ageing);
  add_modes ("/lineage/B10/streams", test_b10_streams);
  add_modes ("/lineage/B10/idle-stream", test_b10_idle_stream);
  add_modes ("/lineage/interleave/random", test_random);
  return g_test_run ();
}
