/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-entity.h"

G_BEGIN_DECLS

/**
 * OrchGrainPhase: where a Grain stands (semantics S4).
 */
typedef enum
{
  ORCH_GRAIN_WAITING,
  ORCH_GRAIN_READY,
  ORCH_GRAIN_IN_FLIGHT,
  ORCH_GRAIN_SEALED,
} OrchGrainPhase;

typedef enum
{
  ORCH_GRAIN_EVENT_READY,       /* its inputs are there */
  ORCH_GRAIN_EVENT_TERMINAL,    /* its inputs end it without running */
  ORCH_GRAIN_EVENT_RESERVE,     /* taken into a batch */
  ORCH_GRAIN_EVENT_SUPPRESS,    /* ended before it was dispatched */
  ORCH_GRAIN_EVENT_RETRY,       /* its attempt failed, or was not made */
  ORCH_GRAIN_EVENT_REPORT,      /* its outcome is known */
} OrchGrainEvent;

typedef struct _OrchGrain OrchGrain;
typedef struct _OrchScope OrchScope;
typedef struct _OrchBatch OrchBatch;

/**
 * OrchGrain: one Call applied to one Entity; the unit of scheduling, retry and
 * commit.  Embedded in the owner's own record and linked intrusively: while
 * ready in the Call's queue, once sealed in the list handed back.
 */
struct _OrchGrain
{
  /*< private >*/
  OrchGrain *next;              /* ready queue, or an OrchGrainList */
  OrchEntity *entity;           /* owned */
  OrchCause *cause;             /* owned, once sealed without a value */
  union
  {
    struct                      /* while ready */
    {
      gint64 entered;           /* time of the owner's clock, or 0 */
      /* batching=siblings only */
      OrchScope *scope;         /* of the Call, on the Entity's Expansion */
      OrchGrain *prev;
      OrchGrain *next_sibling;
      guint64 segment;          /* Grains of one segment have no recovery batch between them */
    } ready;
    struct                      /* while in flight */
    {
      OrchBatch *batch;
      guint slot;               /* in batch->grains */
      guint set;                /* last report set that named it */
    } flight;
  };
  guint64 epoch;
  guint generation;             /* S4.1: grows by one with each retry */
  guint8 phase;                 /* OrchGrainPhase */
  guint8 outcome;               /* OrchOutcome, once sealed */
  guint8 n_lost;                /* workers that were lost with it (S5.4) */
};

/* One legal step; FALSE and no change for any of the 18 others. */
static inline gboolean
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

/* Takes over `entity`. */
ORCH_API void orch_grain_init (OrchGrain * grain, OrchEntity * entity);
/* When it entered, on the clock and in the unit of the owner.  Before
 * orch_call_enter(), and only where a batch may wait to be filled. */
static inline void
orch_grain_set_entered (OrchGrain * grain, gint64 time)
{
  grain->ready.entered = time;
}

/* Drops what it owns.  Not while it is queued or in flight. */
ORCH_API void orch_grain_clear (OrchGrain * grain);

/* A singly linked FIFO of Grains. */
typedef struct
{
  OrchGrain *head;
  OrchGrain *tail;
  guint n;
} OrchGrainList;

static inline void
orch_grain_list_append (OrchGrainList * list, OrchGrain * grain)
{
  grain->next = NULL;
  if (list->tail)
    list->tail->next = grain;
  else
    list->head = grain;
  list->tail = grain;
  list->n++;
}

static inline OrchGrain *
orch_grain_list_pop (OrchGrainList * list)
{
  OrchGrain *grain = list->head;

  if (grain) {
    list->head = grain->next;
    if (!list->head)
      list->tail = NULL;
    grain->next = NULL;
    list->n--;
  }
  return grain;
}

G_END_DECLS
