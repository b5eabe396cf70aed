/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-grain.h"

#include <string.h>

gboolean
orch_grain_step (OrchGrain * grain, OrchGrainEvent event)
{
  static const struct
  {
    guint8 from;
    guint8 to;
  } steps[] = {
    [ORCH_GRAIN_EVENT_READY] = {ORCH_GRAIN_WAITING, ORCH_GRAIN_READY},
    [ORCH_GRAIN_EVENT_TERMINAL] = {ORCH_GRAIN_WAITING, ORCH_GRAIN_SEALED},
    [ORCH_GRAIN_EVENT_RESERVE] = {ORCH_GRAIN_READY, ORCH_GRAIN_IN_FLIGHT},
    [ORCH_GRAIN_EVENT_SUPPRESS] = {ORCH_GRAIN_READY, ORCH_GRAIN_SEALED},
    [ORCH_GRAIN_EVENT_RETRY] = {ORCH_GRAIN_IN_FLIGHT, ORCH_GRAIN_READY},
    [ORCH_GRAIN_EVENT_REPORT] = {ORCH_GRAIN_IN_FLIGHT, ORCH_GRAIN_SEALED},
  };

  if (event >= G_N_ELEMENTS (steps) || grain->phase != steps[event].from)
    return FALSE;
  grain->phase = steps[event].to;
  return TRUE;
}

void
orch_grain_init (OrchGrain * grain, OrchEntity * entity)
{
  memset (grain, 0, sizeof (OrchGrain));
  grain->entity = orch_entity_ref (entity);
}

void
orch_grain_clear (OrchGrain * grain)
{
  orch_cause_unref (grain->cause);
  grain->cause = NULL;
  orch_entity_unref (grain->entity);
  grain->entity = NULL;
}
