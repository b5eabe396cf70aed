/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-lane-heap.h"

static gboolean
goes_before (const OrchLane * a, const OrchLane * b)
{
  return a->key != b->key ? a->key < b->key : a->seq < b->seq;
}

static void
put (OrchLaneHeap * heap, guint index, OrchLane * lane)
{
  heap->lanes[index] = lane;
  lane->heap_index = index;
}

static void
sift_up (OrchLaneHeap * heap, OrchLane * lane)
{
  guint index = lane->heap_index;

  while (index > 0) {
    guint parent = (index - 1) / 2;

    if (!goes_before (lane, heap->lanes[parent]))
      break;
    put (heap, index, heap->lanes[parent]);
    index = parent;
  }
  put (heap, index, lane);
}

static void
sift_down (OrchLaneHeap * heap, OrchLane * lane)
{
  guint index = lane->heap_index;

  for (;;) {
    guint child = 2 * index + 1;

    if (child >= heap->n)
      break;
    if (child + 1 < heap->n
        && goes_before (heap->lanes[child + 1], heap->lanes[child]))
      child++;
    if (!goes_before (heap->lanes[child], lane))
      break;
    put (heap, index, heap->lanes[child]);
    index = child;
  }
  put (heap, index, lane);
}

void
orch_lane_heap_clear (OrchLaneHeap * heap)
{
  g_free (heap->lanes);
  heap->lanes = NULL;
  heap->n = heap->n_allocated = 0;
}

void
orch_lane_heap_add (OrchLaneHeap * heap, OrchLane * lane)
{
  if (heap->n == heap->n_allocated) {
    heap->n_allocated = MAX (16, 2 * heap->n_allocated);
    heap->lanes = g_renew (OrchLane *, heap->lanes, heap->n_allocated);
  }
  put (heap, heap->n++, lane);
  sift_up (heap, lane);
}

void
orch_lane_heap_remove (OrchLaneHeap * heap, OrchLane * lane)
{
  OrchLane *last = heap->lanes[--heap->n];

  if (last == lane)
    return;
  put (heap, lane->heap_index, last);
  orch_lane_heap_update (heap, last);
}

void
orch_lane_heap_update (OrchLaneHeap * heap, OrchLane * lane)
{
  sift_up (heap, lane);
  sift_down (heap, lane);
}
