/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-entity.h"

G_BEGIN_DECLS

/* The propagation rules, as pure functions of facts. */

typedef struct
{
  OrchOutcome outcome;
  gboolean optional;
  OrchCause *cause;             /* (nullable) */
} OrchInput;

/* Is the outcome of each of them known? */
ORCH_API gboolean orch_inputs_are_resolved (const OrchInput * inputs, guint n);

typedef enum
{
  ORCH_DECISION_WAIT,
  ORCH_DECISION_READY,
  ORCH_DECISION_DROP,
  ORCH_DECISION_SUPPRESS,
} OrchDecision;

/* S2.1 - S2.4.  `deciding` (out) (nullable): index of the input that decided
 * a DROP or SUPPRESS. */
ORCH_API OrchDecision orch_rule_call (const OrchInput * inputs, guint n,
    guint * deciding);

typedef enum
{
  ORCH_MASK_FALSE,
  ORCH_MASK_TRUE,
  ORCH_MASK_NOT_A_BOOLEAN,
} OrchMask;

/* S3.4.  `value` counts only when `mask` is present.  `from_mask` (out): the
 * outcome and its cause are the mask's, not the source's. */
ORCH_API OrchOutcome orch_rule_filter (OrchOutcome source, OrchOutcome mask,
    OrchMask value, gboolean * from_mask);

/* S3.5 */
ORCH_API OrchOutcome orch_rule_broadcast (OrchOutcome source);

G_END_DECLS
