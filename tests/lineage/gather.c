/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "lineage/orch-lineage.h"

#include <string.h>

/* The gather against an oracle: what semantics S3.6 says of the facts known at a
 * moment, found by looking at all of them. */

#define U ORCH_OUTCOME_UNRESOLVED
#define P ORCH_OUTCOME_PRESENT
#define D ORCH_OUTCOME_DROPPED
#define F ORCH_OUTCOME_FAILED
#define S ORCH_OUTCOME_SUPPRESSED

#define MAX_CHILDREN 6

typedef struct
{
  OrchExpansionState expansion;
  guint n;                      /* children, once it is closed */
  OrchOutcome member[MAX_CHILDREN];
  OrchOutcome value[MAX_CHILDREN];
  gboolean barrier;
  OrchOnFailed mode;
  gboolean separate;
  guint64 max_failed;
  gdouble max_share;
} Facts;

typedef struct
{
  OrchOutcome outcome;
  const gchar *code;            /* of the cause */
} Expected;

static const gchar *const member_codes[MAX_CHILDREN] = {
  "m0", "m1", "m2", "m3", "m4", "m5"
};

static const gchar *const value_codes[MAX_CHILDREN] = {
  "v0", "v1", "v2", "v3", "v4", "v5"
};

static OrchOutcome
member_of (const Facts * facts, guint i)
{
  return facts->separate ? facts->member[i] : facts->value[i];
}

static const gchar *
member_code (const Facts * facts, guint i)
{
  return facts->separate ? member_codes[i] : value_codes[i];
}

static guint
count_failed (const Facts * facts)
{
  guint i, n = 0;

  for (i = 0; i < MAX_CHILDREN; i++) {
    OrchOutcome member = member_of (facts, i), value = facts->value[i];

    if (member == F || member == S)
      n++;
    else if (member == P && value != P && value != U)
      n++;
  }
  return n;
}

static Expected
scan_values (const Facts * facts)
{
  guint i;

  for (i = 0; i < facts->n; i++) {
    if (member_of (facts, i) != P)
      continue;
    if (facts->value[i] == U)
      return (Expected) { U, NULL };
    if (facts->value[i] != P && facts->mode == ORCH_ON_FAILED_SUPPRESS_PARENT)
      return (Expected) { S, facts->value[i] == D ? ORCH_CODE_VALUE_DROPPED :
          value_codes[i] };
  }
  return (Expected) { P, NULL };
}

static Expected
scan (const Facts * facts)
{
  gboolean closed = facts->expansion != ORCH_EXPANSION_OPEN;
  guint i, n_failed = count_failed (facts);

  if (facts->expansion == ORCH_EXPANSION_DROPPED)
    return (Expected) { D, "expansion" };
  if (facts->expansion == ORCH_EXPANSION_FAILED && facts->n == 0)
    return (Expected) { S, "expansion" };
  if (facts->barrier)
    return (Expected) { S, "barrier" };
  if (facts->mode == ORCH_ON_FAILED_SUPPRESS_PARENT) {
    for (i = 0; i < MAX_CHILDREN; i++)
      if (member_of (facts, i) == F || member_of (facts, i) == S)
        return (Expected) { S, member_code (facts, i) };
    if (facts->expansion == ORCH_EXPANSION_FAILED)
      return (Expected) { S, "expansion" };
  }
  if (n_failed > facts->max_failed
      || (closed && facts->max_share < 1 &&
          n_failed > facts->max_share * facts->n))
    return (Expected) { S, ORCH_CODE_MAX_FAILED };
  if (!closed)
    return (Expected) { U, NULL };
  for (i = 0; i < facts->n; i++)
    if (member_of (facts, i) == U)
      return (Expected) { U, NULL };
  return scan_values (facts);
}

/* ---- a gather beside the facts that it was given ---- */

static guint n_values;

static gpointer
value_new (guint ordinal)
{
  guint *value = g_new (guint, 1);

  *value = ordinal;
  n_values++;
  return value;
}

static void
value_free (gpointer value)
{
  n_values--;
  g_free (value);
}

typedef struct
{
  OrchGather *gather;
  Facts facts;
  Expected expected;
} Pair;

/* What a fact may be: the Expansion, the barrier, or one of a child. */
typedef enum
{ EXPANSION, BARRIER, MEMBER, VALUE } Kind;

typedef struct
{
  Kind kind;
  guint ordinal;
  guint outcome;                /* or the OrchExpansionState */
} Fact;

static gboolean
publish (OrchGather * gather, const Fact * fact, guint n, const gchar * code)
{
  OrchCause *cause = orch_cause_new ("test", code, "made by the test", NULL,
      NULL);
  gpointer value;
  gboolean news = FALSE;

  switch (fact->kind) {
    case EXPANSION:
      news = orch_gather_expansion (gather, fact->outcome, n, cause);
      break;
    case BARRIER:
      news = orch_gather_barrier (gather, cause);
      break;
    case MEMBER:
      news = orch_gather_member (gather, fact->ordinal, fact->outcome,
          fact->outcome == P ? NULL : cause);
      break;
    case VALUE:
      value = fact->outcome == P ? value_new (fact->ordinal) : NULL;
      news = orch_gather_value (gather, fact->ordinal, fact->outcome,
          fact->outcome == P ? NULL : cause, value);
      break;
  }
  orch_cause_unref (cause);
  return news;
}

static void
note (Facts * facts, const Fact * fact, guint n)
{
  switch (fact->kind) {
    case EXPANSION:
      facts->expansion = fact->outcome;
      facts->n = n;
      break;
    case BARRIER:
      facts->barrier = TRUE;
      break;
    case MEMBER:
      facts->member[fact->ordinal] = fact->outcome;
      break;
    case VALUE:
      facts->value[fact->ordinal] = fact->outcome;
      break;
  }
}

static void
assert_children (Pair * pair)
{
  OrchGatherChild child;
  guint i, n_survivors = 0;

  g_assert_cmpuint (orch_gather_get_n_children (pair->gather), ==,
      pair->facts.n);
  for (i = 0; i < pair->facts.n; i++) {
    OrchOutcome member = member_of (&pair->facts, i);
    OrchOutcome value = pair->facts.value[i];

    orch_gather_get_child (pair->gather, i, &child);
    g_assert_cmpuint (child.ordinal, ==, i);
    if (member != P) {
      g_assert_cmpint (child.outcome, ==, member);
      g_assert_cmpstr (child.cause->code, ==, member_code (&pair->facts, i));
    } else if (value != P) {
      g_assert_cmpint (child.outcome, ==, value == D ? F : value);
      g_assert_cmpstr (child.cause->code, ==,
          value == D ? ORCH_CODE_VALUE_DROPPED : value_codes[i]);
    } else {
      g_assert_cmpint (child.outcome, ==, P);
      g_assert_cmpuint (*(guint *) child.value, ==, i);
      g_assert_null (child.cause);
      n_survivors++;
      continue;
    }
    g_assert_null (child.value);
  }
  g_assert_cmpuint (n_values, ==, n_survivors);
}

static void
assert_as_expected (Pair * pair)
{
  OrchCause *cause = orch_gather_get_cause (pair->gather);
  guint64 n;

  g_assert_cmpint (orch_gather_get_outcome (pair->gather), ==,
      pair->expected.outcome);
  g_assert_cmpstr (cause ? cause->code : NULL, ==, pair->expected.code);
  g_assert_cmpint (orch_gather_get_expansion (pair->gather, &n, &cause), ==,
      pair->facts.expansion);
  if (pair->facts.expansion != ORCH_EXPANSION_OPEN)
    g_assert_cmpuint (n, ==, pair->facts.n);
  if (pair->expected.outcome == P)
    assert_children (pair);
  else if (pair->expected.outcome != U)
    g_assert_cmpuint (n_values, ==, 0);
}

/* Publishes one fact twice, the second time as something else if it can be. */
static void
step (Pair * pair, const Fact * fact, guint n)
{
  static const gchar *const codes[] = { "expansion", "barrier" };
  gboolean open = pair->expected.outcome == U;
  const gchar *code = fact->kind == MEMBER ? member_codes[fact->ordinal]
      : fact->kind == VALUE ? value_codes[fact->ordinal] : codes[fact->kind];
  Fact other = *fact;

  g_assert_cmpint (publish (pair->gather, fact, n, code), ==, open);
  if (open) {
    note (&pair->facts, fact, n);
    pair->expected = scan (&pair->facts);
  }
  assert_as_expected (pair);

  if (fact->kind == BARRIER)
    return;
  g_assert_false (publish (pair->gather, fact, n, "again"));
  other.outcome = fact->outcome == P ? D : P;
  g_assert_false (publish (pair->gather, &other, n, "other"));
  assert_as_expected (pair);
}

static Pair
pair_new (OrchOnFailed mode, gboolean separate)
{
  Pair pair = { orch_gather_new (mode, separate, value_free) };

  pair.facts.mode = mode;
  pair.facts.separate = separate;
  pair.facts.max_failed = G_MAXUINT64;
  pair.facts.max_share = 1;
  return pair;
}

static void
pair_free (Pair * pair)
{
  orch_gather_free (pair->gather);
  g_assert_cmpuint (n_values, ==, 0);
}

static void
run (OrchOnFailed mode, gboolean separate, const Fact * facts,
    guint n_facts, guint n_children)
{
  Pair pair = pair_new (mode, separate);
  guint i;

  assert_as_expected (&pair);
  for (i = 0; i < n_facts; i++)
    step (&pair, &facts[i], n_children);
  pair_free (&pair);
}

/* Every order of the facts from `from` on. */
static void
run_all_orders (OrchOnFailed mode, gboolean separate, Fact * facts, guint from,
    guint n_facts, guint n_children)
{
  guint i;

  if (from >= n_facts) {
    run (mode, separate, facts, n_facts, n_children);
    return;
  }
  for (i = from; i < n_facts; i++) {
    Fact first = facts[from];

    facts[from] = facts[i];
    facts[i] = first;
    run_all_orders (mode, separate, facts, from + 1, n_facts, n_children);
    facts[i] = facts[from];
    facts[from] = first;
  }
}

static guint
add_fact (Fact * facts, guint n, Kind kind, guint ordinal, guint outcome)
{
  /* unresolved, or open: nothing to publish */
  if (outcome != 0)
    facts[n++] = (Fact) {
    kind, ordinal, outcome};
  return n;
}

/* ---- the cases ---- */

static void
run_a7 (OrchExpansionState expansion, OrchOutcome member, OrchOutcome value,
    guint n_children)
{
  Fact facts[3];
  guint mode, n;

  for (mode = 0; mode < 3; mode++) {
    n = add_fact (facts, 0, EXPANSION, 0, expansion);
    n = add_fact (facts, n, MEMBER, 0, member);
    n = add_fact (facts, n, VALUE, 0, value);
    run_all_orders (mode, TRUE, facts, 0, n, n_children);
  }
}

static void
test_a7_one_child (void)
{
  guint member, value;

  for (member = U; member <= S; member++) {
    for (value = U; value <= S; value++) {
      run_a7 (ORCH_EXPANSION_OPEN, member, value, 1);
      run_a7 (ORCH_EXPANSION_SUCCEEDED, member, value, 1);
      run_a7 (ORCH_EXPANSION_DROPPED, member, value, 0);
      run_a7 (ORCH_EXPANSION_FAILED, member, value, 1);
    }
  }
  run_a7 (ORCH_EXPANSION_SUCCEEDED, U, U, 0);
  run_a7 (ORCH_EXPANSION_FAILED, U, U, 0);
}

/* A member that was dropped, whatever its value. */
static void
test_a7_dropped_member (void)
{
  guint value, mode;

  for (mode = 0; mode < 3; mode++) {
    for (value = U; value <= S; value++) {
      OrchGather *gather = orch_gather_new (mode, TRUE, value_free);

      orch_gather_expansion (gather, ORCH_EXPANSION_SUCCEEDED, 1, NULL);
      if (value != U)
        orch_gather_value (gather, 0, value, NULL,
            value == P ? value_new (0) : NULL);
      orch_gather_member (gather, 0, D, NULL);
      g_assert_cmpint (orch_gather_get_outcome (gather), ==, P);
      g_assert_cmpuint (n_values, ==, 0);
      orch_gather_free (gather);
    }
  }
}

static void
test_a8_two_children (void)
{
  OrchGather *gather =
      orch_gather_new (ORCH_ON_FAILED_SUPPRESS_PARENT, TRUE, value_free);
  OrchCause *cause = orch_cause_new ("test", "m1", "m", "0/1", "call");
  OrchGatherChild child;
  gpointer value = value_new (1);

  orch_gather_expansion (gather, ORCH_EXPANSION_SUCCEEDED, 2, NULL);
  g_assert_true (orch_gather_value (gather, 0, F, cause, NULL));
  g_assert_true (orch_gather_value (gather, 1, P, NULL, value));
  g_assert_true (orch_gather_has_value (gather, 0));
  g_assert_false (orch_gather_has_value (gather, 2));
  g_assert_true (orch_gather_member (gather, 0, D, NULL));
  g_assert_true (orch_gather_member (gather, 1, P, NULL));
  g_assert_cmpint (orch_gather_get_outcome (gather), ==, P);
  orch_gather_get_child (gather, 0, &child);
  g_assert_cmpint (child.outcome, ==, D);
  g_assert_null (child.cause);
  g_assert_true (orch_gather_steal_value (gather, 1) == value);
  g_assert_null (orch_gather_steal_value (gather, 1));
  g_assert_null (orch_gather_steal_value (gather, 9));
  value_free (value);
  orch_gather_free (gather);

  gather = orch_gather_new (ORCH_ON_FAILED_SUPPRESS_PARENT, TRUE, value_free);
  orch_gather_expansion (gather, ORCH_EXPANSION_SUCCEEDED, 2, NULL);
  g_assert_true (orch_gather_member (gather, 1, F, cause));
  g_assert_cmpint (orch_gather_get_outcome (gather), ==, S);
  g_assert_true (orch_gather_get_cause (gather) == cause);
  orch_gather_free (gather);
  orch_gather_free (NULL);
  orch_cause_unref (cause);
}

/* All 625 combinations, the Expansion first or last, every order, three modes;
 * and the same with values that are their own members. */
static void
test_a9_exhaustive (void)
{
  const Fact succeeded = { EXPANSION, 0, ORCH_EXPANSION_SUCCEEDED };
  guint mode, all, n_combinations = 0;
  Fact facts[5];

  for (mode = 0; mode < 3; mode++) {
    for (all = 0; all < 625; all++) {
      guint n = 1;

      facts[0] = succeeded;
      n = add_fact (facts, n, MEMBER, 0, all % 5);
      n = add_fact (facts, n, MEMBER, 1, all / 5 % 5);
      n = add_fact (facts, n, VALUE, 0, all / 25 % 5);
      n = add_fact (facts, n, VALUE, 1, all / 125);
      n_combinations++;

      /* first, then last: permuted are the others */
      run_all_orders (mode, TRUE, facts, 1, n, 2);
      memmove (facts, facts + 1, (n - 1) * sizeof (Fact));
      run_all_orders (mode, TRUE, facts, 0, n - 1, 2);
      facts[n - 1] = succeeded;
      run_all_orders (mode, TRUE, facts, 0, n, 2);
    }
    for (all = 0; all < 25; all++) {
      guint n = add_fact (facts, 0, VALUE, 0, all % 5);

      n = add_fact (facts, n, VALUE, 1, all / 5);
      facts[n++] = succeeded;
      run_all_orders (mode, FALSE, facts, 0, n, 2);
    }
  }
  g_assert_cmpuint (n_combinations, ==, 3 * 625);
}

static void
test_a10_stream (gconstpointer data)
{
  OrchOnFailed mode = GPOINTER_TO_INT (data);
  gboolean strict = mode == ORCH_ON_FAILED_SUPPRESS_PARENT;
  OrchCause *cause = orch_cause_new ("test", "broken", "m", NULL, NULL);
  OrchGather *gather = orch_gather_new (mode, FALSE, NULL);
  OrchCause *expansion_cause;
  guint64 n;

  /* an open stream with a failed child */
  orch_gather_value (gather, 0, F, cause, NULL);
  g_assert_cmpint (orch_gather_get_outcome (gather), ==, strict ? S : U);
  orch_gather_free (gather);

  /* the stream fails after two present children */
  gather = orch_gather_new (mode, FALSE, NULL);
  orch_gather_value (gather, 0, P, NULL, NULL);
  orch_gather_value (gather, 1, P, NULL, NULL);
  g_assert_cmpuint (orch_gather_get_n_children (gather), ==, 2);
  orch_gather_expansion (gather, ORCH_EXPANSION_FAILED, 2, cause);
  g_assert_cmpint (orch_gather_get_outcome (gather), ==, strict ? S : P);
  g_assert_true (orch_gather_get_cause (gather) == (strict ? cause : NULL));
  g_assert_cmpint (orch_gather_get_expansion (gather, &n, &expansion_cause),
      ==, ORCH_EXPANSION_FAILED);
  g_assert_cmpuint (n, ==, 2);
  g_assert_true (expansion_cause == cause);
  orch_gather_free (gather);

  /* or before the first */
  gather = orch_gather_new (mode, FALSE, NULL);
  orch_gather_expansion (gather, ORCH_EXPANSION_FAILED, 0, cause);
  g_assert_cmpint (orch_gather_get_outcome (gather), ==, S);
  orch_gather_free (gather);
  orch_cause_unref (cause);
}

static void
test_s3_6_value_dropped (void)
{
  OrchGather *gather = orch_gather_new (ORCH_ON_FAILED_SKIP, TRUE, NULL);
  OrchCause *lost = orch_cause_new ("orch", "lost", "lost between a and b",
      "0/0", "a");
  OrchGatherChild child;

  orch_gather_expansion (gather, ORCH_EXPANSION_SUCCEEDED, 1, NULL);
  orch_gather_value (gather, 0, D, lost, NULL);
  orch_gather_member (gather, 0, P, NULL);
  g_assert_cmpint (orch_gather_get_outcome (gather), ==, P);
  orch_gather_get_child (gather, 0, &child);
  g_assert_cmpint (child.outcome, ==, F);
  g_assert_cmpstr (child.cause->code, ==, ORCH_CODE_VALUE_DROPPED);
  g_assert_cmpstr (child.cause->path, ==, "0/0");
  g_assert_cmpstr (child.cause->call, ==, "a");
  g_assert_nonnull (strstr (child.cause->message, "lost between a and b"));
  orch_gather_free (gather);
  orch_cause_unref (lost);
}

static Fact
random_child_fact (GRand * rand, Kind kind, guint ordinal)
{
  static const OrchOutcome often_present[] = { P, P, P, D, F, S };

  return (Fact) {
  kind, ordinal,
        often_present[g_rand_int_range (rand, 0,
              G_N_ELEMENTS (often_present))]};
}

static guint
random_facts (GRand * rand, Fact * facts, guint n_children, gboolean separate)
{
  guint i, n = 0;

  for (i = 0; i < n_children; i++) {
    facts[n++] = random_child_fact (rand, VALUE, i);
    if (separate)
      facts[n++] = random_child_fact (rand, MEMBER, i);
  }
  facts[n++] = (Fact) {
    EXPANSION, 0,
    n_children > 0 || g_rand_boolean (rand) ?
        g_rand_int_range (rand, 0, 4) ? ORCH_EXPANSION_SUCCEEDED :
        ORCH_EXPANSION_FAILED : ORCH_EXPANSION_DROPPED};
  if (g_rand_int_range (rand, 0, 8) == 0)
    facts[n++] = (Fact) {
    BARRIER, 0, 0};
  return n;
}

/* More children, limits, barriers, the Expansion anywhere. */
static void
test_random (void)
{
  GRand *rand = g_rand_new_with_seed (g_test_rand_int ());
  Fact facts[2 * MAX_CHILDREN + 2];
  guint round, i, n;

  for (round = 0; round < 30000; round++) {
    guint n_children = g_rand_int_range (rand, 0, MAX_CHILDREN + 1);
    Pair pair = pair_new (g_rand_int_range (rand, 0, 3),
        g_rand_boolean (rand));

    if (g_rand_boolean (rand)) {
      pair.facts.max_failed = g_rand_int_range (rand, 0, 4);
      pair.facts.max_share = g_rand_int_range (rand, 0, 5) / 4.0;
      orch_gather_set_max_failed (pair.gather, pair.facts.max_failed,
          pair.facts.max_share);
    }
    n = random_facts (rand, facts, n_children, pair.facts.separate);
    for (i = n - 1; i > 0; i--) {
      guint j = g_rand_int_range (rand, 0, i + 1);
      Fact swapped = facts[i];

      facts[i] = facts[j];
      facts[j] = swapped;
    }
    for (i = 0; i < n; i++)
      step (&pair, &facts[i], n_children);
    pair_free (&pair);
  }
  g_rand_free (rand);
}

/* The cause of a parent that has lost too many says what became of them. */
static void
test_max_failed_cause (void)
{
  static const gchar *const expected[] = {
    "1 member failed, more than max-failed=0 allows; the first, 7/2: late",
    "2 of 4 members failed, more than max-failed=1 allows; the first, 7/0: early",
    "1 of 1 member failed, more than max-failed=0.5 allows; the first, 7/0: early",
  };
  OrchCause *early = orch_cause_new ("test", "m", "early", "7/0", NULL);
  OrchCause *late = orch_cause_new ("test", "m", "late", "7/2", NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (expected); i++) {
    OrchGather *gather =
        orch_gather_new (ORCH_ON_FAILED_SKIP, FALSE, value_free);

    orch_gather_set_max_failed (gather, i < 2 ? i : G_MAXUINT64,
        i < 2 ? 1.0 : 0.5);
    if (i > 0)
      orch_gather_expansion (gather, ORCH_EXPANSION_SUCCEEDED, i == 1 ? 4 : 1,
          NULL);
    if (i < 2)
      orch_gather_value (gather, 2, F, late, NULL);
    if (i > 0)
      orch_gather_value (gather, 0, S, early, NULL);
    g_assert_cmpint (orch_gather_get_outcome (gather), ==, S);
    g_assert_cmpstr (orch_gather_get_cause (gather)->message, ==, expected[i]);
    orch_gather_free (gather);
  }
  orch_cause_unref (early);
  orch_cause_unref (late);
}

/* A close with fewer children than there were facts. */
static void
test_beyond (void)
{
  OrchGather *gather =
      orch_gather_new (ORCH_ON_FAILED_SKIP, TRUE, value_free);
  OrchCause *cause = orch_cause_new ("test", "m", "m", NULL, NULL);

  orch_gather_set_max_failed (gather, 1, 1.0);
  orch_gather_member (gather, 0, P, NULL);
  orch_gather_member (gather, 2, F, cause);
  orch_gather_value (gather, 3, P, NULL, value_new (3));
  orch_gather_expansion (gather, ORCH_EXPANSION_SUCCEEDED, 2, NULL);
  g_assert_cmpuint (n_values, ==, 0);
  g_assert_false (orch_gather_member (gather, 2, P, NULL));
  orch_gather_member (gather, 1, F, cause);
  g_assert_cmpint (orch_gather_get_outcome (gather), ==, U);
  orch_gather_value (gather, 0, P, NULL, value_new (0));
  g_assert_cmpint (orch_gather_get_outcome (gather), ==, P);
  orch_gather_free (gather);
  g_assert_cmpuint (n_values, ==, 0);
  orch_cause_unref (cause);
}

/* Everything is known, but a Call below may still set a barrier. */
static void
test_s5_2a_held (gconstpointer separate)
{
  guint barred;

  for (barred = 0; barred < 2; barred++) {
    OrchGather *gather = orch_gather_new (ORCH_ON_FAILED_SKIP,
        separate != NULL, value_free);
    OrchCause *cause = orch_cause_new ("test", "m", "m", NULL, NULL);

    orch_gather_hold (gather);
    orch_gather_expansion (gather, ORCH_EXPANSION_SUCCEEDED, 2, NULL);
    orch_gather_value (gather, 0, P, NULL, value_new (0));
    orch_gather_value (gather, 1, D, NULL, NULL);
    if (separate) {
      orch_gather_member (gather, 0, P, NULL);
      orch_gather_member (gather, 1, D, NULL);
    }
    g_assert_cmpint (orch_gather_get_outcome (gather), ==, U);
    if (barred)
      orch_gather_barrier (gather, cause);
    orch_gather_release (gather);
    g_assert_cmpint (orch_gather_get_outcome (gather), ==, barred ? S : P);
    orch_gather_release (gather);
    orch_gather_free (gather);
    orch_cause_unref (cause);
  }
  g_assert_cmpuint (n_values, ==, 0);
}

/* What is released before all is known waits for the rest. */
static void
test_s5_2a_released_early (void)
{
  OrchGather *gather = orch_gather_new (ORCH_ON_FAILED_SKIP, FALSE, NULL);

  orch_gather_hold (gather);
  orch_gather_release (gather);
  orch_gather_expansion (gather, ORCH_EXPANSION_SUCCEEDED, 1, NULL);
  g_assert_cmpint (orch_gather_get_outcome (gather), ==, U);
  orch_gather_value (gather, 0, P, NULL, NULL);
  g_assert_cmpint (orch_gather_get_outcome (gather), ==, P);
  orch_gather_free (gather);
}

static guint64
count_reads (guint n, gboolean descending, gboolean separate)
{
  OrchGather *gather =
      orch_gather_new (ORCH_ON_FAILED_SUPPRESS_PARENT, separate, NULL);
  guint64 n_reads;
  guint i;

  orch_gather_expansion (gather, ORCH_EXPANSION_SUCCEEDED, n, NULL);
  for (i = 0; i < n; i++) {
    guint ordinal = descending ? n - 1 - i : i;

    orch_gather_value (gather, ordinal, P, NULL, NULL);
    if (separate)
      orch_gather_member (gather, ordinal, P, NULL);
  }
  g_assert_cmpint (orch_gather_get_outcome (gather), ==, P);
  n_reads = orch_gather_get_n_reads (gather);
  orch_gather_free (gather);
  return n_reads;
}

static void
test_g1_linear (void)
{
  guint descending, separate;

  for (descending = 0; descending < 2; descending++) {
    for (separate = 0; separate < 2; separate++) {
      guint64 n_reads = count_reads (32, descending, separate);

      g_assert_cmpuint (n_reads, >=, 32);
      g_assert_cmpuint (n_reads, <=, 3 * 32);
      g_assert_cmpuint (count_reads (64, descending, separate), ==,
          2 * n_reads);
      g_assert_cmpuint (count_reads (128, descending, separate), ==,
          4 * n_reads);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lineage/A7/one-child", test_a7_one_child);
  g_test_add_func ("/lineage/A7/dropped-member", test_a7_dropped_member);
  g_test_add_func ("/lineage/A8/two-children", test_a8_two_children);
  g_test_add_func ("/lineage/A9/exhaustive", test_a9_exhaustive);
  g_test_add_data_func ("/lineage/A10/suppress-parent",
      GINT_TO_POINTER (ORCH_ON_FAILED_SUPPRESS_PARENT), test_a10_stream);
  g_test_add_data_func ("/lineage/A10/skip",
      GINT_TO_POINTER (ORCH_ON_FAILED_SKIP), test_a10_stream);
  g_test_add_data_func ("/lineage/A10/placeholder",
      GINT_TO_POINTER (ORCH_ON_FAILED_PLACEHOLDER), test_a10_stream);
  g_test_add_func ("/lineage/S3.6/value-dropped", test_s3_6_value_dropped);
  g_test_add_func ("/lineage/S3.6/random", test_random);
  g_test_add_func ("/lineage/S3.6/beyond", test_beyond);
  g_test_add_func ("/lineage/S3.6/max-failed-cause", test_max_failed_cause);
  g_test_add_data_func ("/lineage/S5.2a/held", NULL, test_s5_2a_held);
  g_test_add_data_func ("/lineage/S5.2a/held-separate",
      GINT_TO_POINTER (TRUE), test_s5_2a_held);
  g_test_add_func ("/lineage/S5.2a/released-early", test_s5_2a_released_early);
  g_test_add_func ("/lineage/G1/linear", test_g1_linear);
  return g_test_run ();
}
