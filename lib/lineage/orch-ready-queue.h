/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-call.h"

G_BEGIN_DECLS

/* The FIFO of a Call: recovery batches, each with the fresh Grains that became
 * ready before it was queued, then the fresh Grains behind them all. */
typedef struct
{
  OrchBatch *head;
  OrchBatch *tail;
  OrchGrainList fresh;          /* behind the last recovery batch */
  guint n;                      /* Grains, those in recovery batches included */
  gboolean siblings;            /* keep the links that find a parent's next Grain */
  guint64 segment;              /* of `fresh` */
  guint64 n_visits;             /* Grains looked at to hand out others */
} OrchReadyQueue;

/* From now on, and for what is ready, of `call`. */
G_GNUC_INTERNAL void orch_ready_queue_link_siblings (OrchReadyQueue * queue,
    OrchCall * call);
G_GNUC_INTERNAL void orch_ready_queue_unlink_siblings (OrchReadyQueue * queue);
/* With siblings `grain` has its scope already. */
G_GNUC_INTERNAL void orch_ready_queue_push (OrchReadyQueue * queue,
    OrchGrain * grain);
/* The oldest fresh Grain; NULL when a recovery batch is first, or nothing. */
G_GNUC_INTERNAL OrchGrain *orch_ready_queue_pop (OrchReadyQueue * queue);
/* Puts back what was popped, in that order; not with siblings. */
G_GNUC_INTERNAL void orch_ready_queue_push_front (OrchReadyQueue * queue,
    OrchGrainList * grains);
/* The oldest sibling of `scope` that became ready in `segment`. */
G_GNUC_INTERNAL OrchGrain *orch_ready_queue_pop_sibling (OrchReadyQueue *
    queue, OrchScope * scope, guint64 segment);

G_GNUC_INTERNAL void orch_ready_queue_push_batch (OrchReadyQueue * queue,
    OrchBatch * batch, gboolean in_front);
/* NULL when a fresh Grain is first, or nothing. */
G_GNUC_INTERNAL OrchBatch *orch_ready_queue_pop_batch (OrchReadyQueue * queue);

/* How many fresh Grains can be taken before a recovery batch comes. */
static inline guint
orch_ready_queue_get_n_fresh (const OrchReadyQueue * queue)
{
  return queue->head ? queue->head->ahead.n : queue->fresh.n;
}

G_END_DECLS
