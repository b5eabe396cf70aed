/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-rules.h"

gboolean
orch_inputs_are_resolved (const OrchInput * inputs, guint n)
{
  guint i;

  for (i = 0; i < n; i++)
    if (inputs[i].outcome == ORCH_OUTCOME_UNRESOLVED)
      return FALSE;
  return TRUE;
}

OrchDecision
orch_rule_call (const OrchInput * inputs, guint n, guint * deciding)
{
  guint i, dropped = n;
  gboolean open = FALSE;

  for (i = 0; i < n; i++) {
    if (orch_outcome_is_failing (inputs[i].outcome)) {
      if (deciding)
        *deciding = i;
      return ORCH_DECISION_SUPPRESS;
    }
    if (inputs[i].outcome == ORCH_OUTCOME_UNRESOLVED)
      open = TRUE;
    else if (inputs[i].outcome == ORCH_OUTCOME_DROPPED
        && !inputs[i].optional && dropped == n)
      dropped = i;
  }

  if (open)
    return ORCH_DECISION_WAIT;
  if (dropped == n)
    return ORCH_DECISION_READY;
  if (deciding)
    *deciding = dropped;
  return ORCH_DECISION_DROP;
}

OrchOutcome
orch_rule_filter (OrchOutcome source, OrchOutcome mask, OrchMask value,
    gboolean * from_mask)
{
  *from_mask = FALSE;
  if (source != ORCH_OUTCOME_PRESENT)
    return source;
  if (mask != ORCH_OUTCOME_PRESENT) {
    *from_mask = TRUE;
    return mask;
  }
  switch (value) {
    case ORCH_MASK_TRUE:
      return ORCH_OUTCOME_PRESENT;
    case ORCH_MASK_FALSE:
      return ORCH_OUTCOME_DROPPED;
    default:
      return ORCH_OUTCOME_FAILED;
  }
}

OrchOutcome
orch_rule_broadcast (OrchOutcome source)
{
  return source;
}
