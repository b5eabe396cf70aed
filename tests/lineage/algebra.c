/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "lineage/orch-lineage.h"

#define U ORCH_OUTCOME_UNRESOLVED
#define P ORCH_OUTCOME_PRESENT
#define D ORCH_OUTCOME_DROPPED
#define F ORCH_OUTCOME_FAILED
#define S ORCH_OUTCOME_SUPPRESSED

static void
test_a1_grain_phases (void)
{
  static const gint legal[4][6] = {
    /* ready, terminal, reserve, suppress, retry, report */
    {ORCH_GRAIN_READY, ORCH_GRAIN_SEALED, -1, -1, -1, -1},
    {-1, -1, ORCH_GRAIN_IN_FLIGHT, ORCH_GRAIN_SEALED, -1, -1},
    {-1, -1, -1, -1, ORCH_GRAIN_READY, ORCH_GRAIN_SEALED},
    {-1, -1, -1, -1, -1, -1},
  };
  guint phase, event, n_refused = 0;

  for (phase = ORCH_GRAIN_WAITING; phase <= ORCH_GRAIN_SEALED; phase++) {
    for (event = ORCH_GRAIN_EVENT_READY; event <= ORCH_GRAIN_EVENT_REPORT;
        event++) {
      OrchGrain grain = { .phase = phase };
      gboolean stepped = orch_grain_step (&grain, event);

      g_assert_cmpint (stepped, ==, legal[phase][event] >= 0);
      g_assert_cmpint (grain.phase, ==,
          stepped ? legal[phase][event] : (gint) phase);
      n_refused += !stepped;
    }
  }
  g_assert_cmpuint (n_refused, ==, 18);
}

static void
test_a2_publication (void)
{
  OrchOutcome current, next;

  for (current = U; current <= S; current++) {
    g_assert_false (orch_outcome_can_publish (current, U));
    for (next = P; next <= S; next++)
      g_assert_cmpint (orch_outcome_can_publish (current, next), ==,
          current == U || current == next);
  }
}

static OrchExpansion *
new_expansion (void)
{
  OrchDomain *domain = orch_domain_new ("documents", NULL);
  OrchExpansion *expansion = orch_expansion_new (domain, NULL);

  orch_domain_unref (domain);
  return expansion;
}

static void
test_a3_expansion_publication (void)
{
  OrchExpansionState first, second;

  for (first = ORCH_EXPANSION_SUCCEEDED; first <= ORCH_EXPANSION_FAILED;
      first++) {
    for (second = ORCH_EXPANSION_OPEN; second <= ORCH_EXPANSION_FAILED;
        second++) {
      OrchExpansion *expansion = new_expansion ();
      OrchCause *cause = orch_cause_new ("test", "first", "m", NULL, NULL);
      OrchCause *other = orch_cause_new ("test", "second", "m", NULL, NULL);

      g_assert_false (orch_expansion_publish (expansion, ORCH_EXPANSION_OPEN,
              cause));
      g_assert_true (orch_expansion_publish (expansion, first, cause));
      g_assert_cmpint (orch_expansion_publish (expansion, second, other), ==,
          first == second);
      g_assert_cmpint (orch_expansion_get_state (expansion), ==, first);
      g_assert_true (orch_expansion_get_cause (expansion) == cause);
      orch_expansion_unref (expansion);
      orch_cause_unref (cause);
      orch_cause_unref (other);
    }
  }
}

static void
test_a3_lists (void)
{
  OrchExpansion *expansion = new_expansion ();
  OrchEntity *child;

  g_assert_true (orch_expansion_succeed_with (expansion, 2));
  g_assert_true (orch_expansion_succeed_with (expansion, 2));
  g_assert_false (orch_expansion_succeed_with (expansion, 3));
  g_assert_true (orch_expansion_publish (expansion, ORCH_EXPANSION_SUCCEEDED,
          NULL));
  g_assert_false (orch_expansion_publish (expansion, ORCH_EXPANSION_FAILED,
          NULL));
  g_assert_cmpuint (orch_expansion_get_n_children (expansion), ==, 2);
  orch_expansion_unref (expansion);

  /* what has published a child never ends dropped, or with fewer */
  expansion = new_expansion ();
  child = orch_expansion_next_child (expansion);
  g_assert_cmpuint (orch_expansion_get_n_children (expansion), ==, 1);
  g_assert_false (orch_expansion_publish (expansion, ORCH_EXPANSION_DROPPED,
          NULL));
  g_assert_false (orch_expansion_succeed_with (expansion, 0));
  g_assert_true (orch_expansion_publish (expansion, ORCH_EXPANSION_FAILED,
          NULL));
  g_assert_null (orch_expansion_next_child (expansion));
  orch_entity_unref (child);
  orch_expansion_unref (expansion);
}

/* S2, restated for two inputs. */
static OrchDecision
expect_call (const OrchInput * in)
{
  if (in[0].outcome == F || in[0].outcome == S || in[1].outcome == F
      || in[1].outcome == S)
    return ORCH_DECISION_SUPPRESS;
  if (in[0].outcome == U || in[1].outcome == U)
    return ORCH_DECISION_WAIT;
  if ((in[0].outcome == D && !in[0].optional) || (in[1].outcome == D
          && !in[1].optional))
    return ORCH_DECISION_DROP;
  return ORCH_DECISION_READY;
}

static void
test_a4_call_inputs (void)
{
  guint a, b, optional;

  for (a = U; a <= S; a++) {
    for (b = U; b <= S; b++) {
      for (optional = 0; optional < 4; optional++) {
        OrchInput in[2] = { {a, optional & 1, NULL}, {b, optional & 2, NULL} };
        OrchInput swapped[2] = { in[1], in[0] };
        OrchDecision decision;
        guint deciding = 2;

        decision = orch_rule_call (in, 2, &deciding);
        g_assert_cmpint (decision, ==, expect_call (in));
        g_assert_cmpint (orch_rule_call (swapped, 2, NULL), ==, decision);
        if (decision == ORCH_DECISION_SUPPRESS)
          g_assert_true (orch_outcome_is_failing (in[deciding].outcome));
        else if (decision == ORCH_DECISION_DROP)
          g_assert_true (in[deciding].outcome == D && !in[deciding].optional);
        else
          g_assert_cmpuint (deciding, ==, 2);
      }
    }
  }
  g_assert_cmpint (orch_rule_call (NULL, 0, NULL), ==, ORCH_DECISION_READY);
}

static void
test_a5_filter (void)
{
  guint source, mask, value;

  for (source = U; source <= S; source++) {
    for (mask = U; mask <= S; mask++) {
      for (value = ORCH_MASK_FALSE; value <= ORCH_MASK_NOT_A_BOOLEAN; value++) {
        static const OrchOutcome of_value[] = { D, P, F };
        gboolean from_mask;
        OrchOutcome outcome;

        outcome = orch_rule_filter (source, mask, value, &from_mask);
        if (source != P)
          g_assert_cmpint (outcome, ==, source);
        else if (mask != P)
          g_assert_cmpint (outcome, ==, mask);
        else
          g_assert_cmpint (outcome, ==, of_value[value]);
        g_assert_cmpint (from_mask, ==, source == P && mask != P);
      }
    }
  }
}

static void
test_a6_broadcast (void)
{
  OrchOutcome outcome;

  for (outcome = U; outcome <= S; outcome++)
    g_assert_cmpint (orch_rule_broadcast (outcome), ==, outcome);

  g_assert_cmpint (orch_expansion_state_from_outcome (U), ==,
      ORCH_EXPANSION_OPEN);
  g_assert_cmpint (orch_expansion_state_from_outcome (P), ==,
      ORCH_EXPANSION_SUCCEEDED);
  g_assert_cmpint (orch_expansion_state_from_outcome (D), ==,
      ORCH_EXPANSION_DROPPED);
  g_assert_cmpint (orch_expansion_state_from_outcome (F), ==,
      ORCH_EXPANSION_FAILED);
  g_assert_cmpint (orch_expansion_state_from_outcome (S), ==,
      ORCH_EXPANSION_FAILED);
}

static void
test_outcome_names (void)
{
  g_assert_cmpstr (orch_outcome_get_name (U), ==, "unresolved");
  g_assert_cmpstr (orch_outcome_get_name (P), ==, "present");
  g_assert_cmpstr (orch_outcome_get_name (D), ==, "dropped");
  g_assert_cmpstr (orch_outcome_get_name (F), ==, "failed");
  g_assert_cmpstr (orch_outcome_get_name (S), ==, "suppressed");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lineage/A1/grain-phases", test_a1_grain_phases);
  g_test_add_func ("/lineage/A2/publication", test_a2_publication);
  g_test_add_func ("/lineage/A3/expansion", test_a3_expansion_publication);
  g_test_add_func ("/lineage/A3/lists", test_a3_lists);
  g_test_add_func ("/lineage/A4/call-inputs", test_a4_call_inputs);
  g_test_add_func ("/lineage/A5/filter", test_a5_filter);
  g_test_add_func ("/lineage/A6/broadcast", test_a6_broadcast);
  g_test_add_func ("/lineage/outcome-names", test_outcome_names);
  return g_test_run ();
}
