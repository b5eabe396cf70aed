/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-grain.h"

#include <string.h>

void
orch_grain_init (OrchGrain * grain, OrchEntity * entity)
{
  memset (grain, 0, sizeof (OrchGrain));
  grain->entity = entity;
}

void
orch_grain_clear (OrchGrain * grain)
{
  if (grain->cause)
    orch_cause_unref (grain->cause);
  grain->cause = NULL;
  orch_entity_unref (grain->entity);
  grain->entity = NULL;
}
