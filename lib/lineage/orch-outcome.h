/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-macros.h"

G_BEGIN_DECLS

/**
 * OrchOutcome:
 * @ORCH_OUTCOME_UNRESOLVED: nothing published yet
 * @ORCH_OUTCOME_PRESENT: there is a value
 * @ORCH_OUTCOME_DROPPED: filtered out, dropped by a Function, or lost
 * @ORCH_OUTCOME_FAILED: the direct producer failed
 * @ORCH_OUTCOME_SUPPRESSED: not produced because of something else's failure
 *
 * The terminal fact of an Item or a Grain (semantics S1.1, S1.2).
 */
typedef enum
{
  ORCH_OUTCOME_UNRESOLVED,
  ORCH_OUTCOME_PRESENT,
  ORCH_OUTCOME_DROPPED,
  ORCH_OUTCOME_FAILED,
  ORCH_OUTCOME_SUPPRESSED,
} OrchOutcome;

/* "present", "dropped", ... */
ORCH_API const gchar *orch_outcome_get_name (OrchOutcome outcome);

/* failed or suppressed */
static inline gboolean
orch_outcome_is_failing (OrchOutcome outcome)
{
  return outcome >= ORCH_OUTCOME_FAILED;
}

/* S1.3: may `next` be published where `current` stands?  TRUE for the first
 * publication and for an identical repeat. */
static inline gboolean
orch_outcome_can_publish (OrchOutcome current, OrchOutcome next)
{
  return next != ORCH_OUTCOME_UNRESOLVED
      && (current == ORCH_OUTCOME_UNRESOLVED || current == next);
}

G_END_DECLS
