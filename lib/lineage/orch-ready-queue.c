/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-call-private.h"

static OrchGrainList *
first_list (OrchReadyQueue * queue)
{
  return queue->head ? &queue->head->ahead : &queue->fresh;
}

/* ---- the links of batching=siblings ---- */

static void
link_sibling (OrchGrain * grain, OrchGrain * prev, guint64 segment)
{
  OrchScope *scope = grain->ready.scope;

  grain->ready.prev = prev;
  grain->ready.next_sibling = NULL;
  grain->ready.segment = segment;
  if (scope->last_ready)
    scope->last_ready->ready.next_sibling = grain;
  else
    scope->first_ready = grain;
  scope->last_ready = grain;
  scope->n_ready++;
}

/* Grains leave oldest first, so it is always the first of its siblings. */
static void
unlink_sibling (OrchGrain * grain)
{
  OrchScope *scope = grain->ready.scope;

  scope->n_ready--;
  scope->first_ready = grain->ready.next_sibling;
  if (!scope->first_ready)
    scope->last_ready = NULL;
}

static void
link_list (OrchGrainList * list, OrchCall * call, guint64 segment)
{
  OrchGrain *grain, *prev = NULL;

  for (grain = list->head; grain; prev = grain, grain = grain->next) {
    grain->ready.scope = orch_call_get_scope (call, grain->entity->expansion);
    link_sibling (grain, prev, segment);
  }
}

void
orch_ready_queue_link_siblings (OrchReadyQueue * queue, OrchCall * call)
{
  OrchBatch *batch;

  queue->siblings = TRUE;
  for (batch = queue->head; batch; batch = batch->next)
    link_list (&batch->ahead, call, queue->segment++);
  link_list (&queue->fresh, call, queue->segment);
}

static void
unlink_list (OrchGrainList * list)
{
  OrchGrain *grain;

  for (grain = list->head; grain; grain = grain->next) {
    OrchScope *scope = grain->ready.scope;

    scope->first_ready = scope->last_ready = NULL;
    scope->n_ready = 0;
  }
}

void
orch_ready_queue_unlink_siblings (OrchReadyQueue * queue)
{
  OrchBatch *batch;

  queue->siblings = FALSE;
  for (batch = queue->head; batch; batch = batch->next)
    unlink_list (&batch->ahead);
  unlink_list (&queue->fresh);
}

/* ---- Grains ---- */

void
orch_ready_queue_push (OrchReadyQueue * queue, OrchGrain * grain)
{
  if (queue->siblings)
    link_sibling (grain, queue->fresh.tail, queue->segment);
  orch_grain_list_append (&queue->fresh, grain);
  queue->n++;
}

OrchGrain *
orch_ready_queue_pop (OrchReadyQueue * queue)
{
  OrchGrain *grain = orch_grain_list_pop (first_list (queue));

  if (!grain)
    return NULL;
  queue->n--;
  queue->n_visits++;
  if (queue->siblings) {
    unlink_sibling (grain);
    if (first_list (queue)->head)
      first_list (queue)->head->ready.prev = NULL;
  }
  return grain;
}

void
orch_ready_queue_push_front (OrchReadyQueue * queue, OrchGrainList * grains)
{
  OrchGrainList *list = first_list (queue);

  g_return_if_fail (!queue->siblings);

  if (!grains->head)
    return;
  grains->tail->next = list->head;
  list->head = grains->head;
  if (!list->tail)
    list->tail = grains->tail;
  list->n += grains->n;
  queue->n += grains->n;
}

OrchGrain *
orch_ready_queue_pop_sibling (OrchReadyQueue * queue, OrchScope * scope,
    guint64 segment)
{
  OrchGrainList *list = first_list (queue);
  OrchGrain *grain = scope->first_ready;

  if (!grain)
    return NULL;
  queue->n_visits++;
  if (grain->ready.segment != segment)
    return NULL;

  if (grain->ready.prev)
    grain->ready.prev->next = grain->next;
  else
    list->head = grain->next;
  if (grain->next)
    grain->next->ready.prev = grain->ready.prev;
  else
    list->tail = grain->ready.prev;
  list->n--;
  queue->n--;
  unlink_sibling (grain);
  grain->next = NULL;
  return grain;
}

/* ---- recovery batches ---- */

void
orch_ready_queue_push_batch (OrchReadyQueue * queue, OrchBatch * batch,
    gboolean in_front)
{
  OrchGrainList none = { NULL, NULL, 0 };

  batch->ahead = none;
  batch->next = NULL;
  if (in_front) {
    batch->next = queue->head;
    queue->head = batch;
    if (!queue->tail)
      queue->tail = batch;
  } else {
    batch->ahead = queue->fresh;
    queue->fresh = none;
    queue->segment++;
    if (queue->tail)
      queue->tail->next = batch;
    else
      queue->head = batch;
    queue->tail = batch;
  }
  queue->n += batch->n;
}

OrchBatch *
orch_ready_queue_pop_batch (OrchReadyQueue * queue)
{
  OrchBatch *batch = queue->head;

  if (!batch || batch->ahead.n > 0)
    return NULL;
  queue->head = batch->next;
  if (!queue->head)
    queue->tail = NULL;
  batch->next = NULL;
  queue->n -= batch->n;
  return batch;
}
