/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "sim-result.h"
#include "sim-events.h"

G_BEGIN_DECLS

/* One Call in virtual time: the OrchCall, its budget and its replicas. */
typedef struct _SimCall SimCall;

/* One parent on its way, owned by the run; the data of its Expansion. */
typedef struct
{
  const SimParent *parent;
  OrchExpansion *children;      /* until it is done */
  OrchGather *gather;           /* until it is done */
  OrchLane *lane;               /* while it has children to give */
  SimTimes *times;
} SimDocument;

/* What leaves a Call: PRESENT only while the taker has room.  The rest comes by
 * itself. */
typedef struct
{
  gboolean (*has_room) (gpointer taker);
  void (*take) (gpointer taker, OrchEntity * entity, OrchOutcome outcome,
      OrchCause * cause);
  gpointer taker;
} SimOutput;

SimCall *sim_call_new (const SimConfig * config, guint index,
    SimEvents * events, const SimOutput * output);
void sim_call_free (SimCall * call);

/* As a SimOutput's has_room and take. */
gboolean sim_call_has_room (gpointer call);
void sim_call_enter (gpointer call, OrchEntity * entity, OrchOutcome outcome,
    OrchCause * cause);
void sim_call_unwant (SimCall * call, OrchExpansion * children,
    OrchCause * cause);

/* Each TRUE if it did something: hands on what is finished; lets one free replica
 * begin a batch.  `eos`: nothing more will enter; `stalled`: nothing can until
 * something leaves. */
gboolean sim_call_push (SimCall * call);
gboolean sim_call_dispatch (SimCall * call, gboolean eos, gboolean stalled);
/* Nothing is in it. */
gboolean sim_call_is_empty (SimCall * call);
const SimCallStats *sim_call_get_stats (SimCall * call);

G_END_DECLS
