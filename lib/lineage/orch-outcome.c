/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-outcome.h"

const gchar *
orch_outcome_get_name (OrchOutcome outcome)
{
  static const gchar *const names[] = {
    "unresolved", "present", "dropped", "failed", "suppressed"
  };

  g_return_val_if_fail (outcome < G_N_ELEMENTS (names), NULL);

  return names[outcome];
}
