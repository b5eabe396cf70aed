/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-interleave.h"
#include "orch-lane-heap.h"

/* What waits longest has a turn in 32, so that ageing costs the same however many
 * wait. */
#define MIN_SKIPS 1024
#define SKIPS_PER_LANE 32

struct _OrchInterleave
{
  OrchInterleaveMode mode;
  guint window;
  guint max_skips;
  guint n_open_lists;
  guint64 n_lanes;              /* ever */
  guint64 n_given;              /* ever */
  GQueue waiting;               /* lists behind the window */
  GQueue ready;                 /* lanes that have a child, longest wait first */
  GQueue idle;                  /* streams that have none */
  GQueue fresh;                 /* SHORTEST: ready ones that never gave a child */
  OrchLaneHeap heap;            /* the other ready ones, but for FAIR */
};

OrchInterleave *
orch_interleave_new (OrchInterleaveMode mode, guint window, guint max_skips)
{
  OrchInterleave *interleave = g_slice_new0 (OrchInterleave);

  interleave->mode = mode;
  interleave->window = window;
  interleave->max_skips = max_skips;
  return interleave;
}

static void
free_lanes (GQueue * queue)
{
  GList *link;

  while ((link = g_queue_pop_head_link (queue)))
    g_slice_free (OrchLane, link->data);
}

void
orch_interleave_free (OrchInterleave * interleave)
{
  if (!interleave)
    return;
  free_lanes (&interleave->waiting);
  free_lanes (&interleave->ready);
  free_lanes (&interleave->idle);
  orch_lane_heap_clear (&interleave->heap);
  g_slice_free (OrchInterleave, interleave);
}

/* ---- ready lanes ---- */

static void
enter_heap (OrchInterleave * interleave, OrchLane * lane)
{
  if (interleave->mode == ORCH_INTERLEAVE_FAIR)
    return;
  if (interleave->mode == ORCH_INTERLEAVE_SHORTEST)
    lane->key = lane->n_left;
  orch_lane_heap_add (&interleave->heap, lane);
}

static void
start_waiting (OrchInterleave * interleave, OrchLane * lane)
{
  lane->since = interleave->n_given;
  g_queue_push_tail_link (&interleave->ready, &lane->link);
}

static void
make_ready (OrchInterleave * interleave, OrchLane * lane)
{
  start_waiting (interleave, lane);
  if (interleave->mode == ORCH_INTERLEAVE_SHORTEST && !lane->has_given) {
    lane->is_fresh = TRUE;
    g_queue_push_tail_link (&interleave->fresh, &lane->fresh_link);
  } else {
    enter_heap (interleave, lane);
  }
}

static void
leave_fresh (OrchInterleave * interleave, OrchLane * lane)
{
  lane->is_fresh = FALSE;
  g_queue_unlink (&interleave->fresh, &lane->fresh_link);
}

static void
make_unready (OrchInterleave * interleave, OrchLane * lane)
{
  g_queue_unlink (&interleave->ready, &lane->link);
  if (lane->is_fresh)
    leave_fresh (interleave, lane);
  else if (interleave->mode != ORCH_INTERLEAVE_FAIR)
    orch_lane_heap_remove (&interleave->heap, lane);
}

/* ---- the window ---- */

static gboolean
is_full (const OrchInterleave * interleave)
{
  return interleave->window > 0
      && interleave->n_open_lists >= interleave->window;
}

static void
open_lists (OrchInterleave * interleave)
{
  while (interleave->waiting.length > 0 && !is_full (interleave)) {
    OrchLane *lane = g_queue_pop_head_link (&interleave->waiting)->data;

    lane->is_waiting = FALSE;
    interleave->n_open_lists++;
    make_ready (interleave, lane);
  }
}

void
orch_interleave_set_window (OrchInterleave * interleave, guint window)
{
  interleave->window = window;
  open_lists (interleave);
}

/* ---- lanes ---- */

static OrchLane *
lane_new (OrchInterleave * interleave, gpointer user_data)
{
  OrchLane *lane = g_slice_new0 (OrchLane);

  lane->interleave = interleave;
  lane->user_data = user_data;
  lane->link.data = lane;
  lane->fresh_link.data = lane;
  lane->seq = interleave->n_lanes++;
  return lane;
}

OrchLane *
orch_interleave_add_list (OrchInterleave * interleave, gpointer user_data,
    guint64 n_children)
{
  OrchLane *lane;

  if (n_children == 0)
    return NULL;
  lane = lane_new (interleave, user_data);
  lane->is_list = TRUE;
  lane->is_waiting = TRUE;
  lane->n_left = n_children;
  g_queue_push_tail_link (&interleave->waiting, &lane->link);
  open_lists (interleave);
  return lane;
}

OrchLane *
orch_interleave_add_stream (OrchInterleave * interleave, gpointer user_data)
{
  OrchLane *lane = lane_new (interleave, user_data);

  g_queue_push_tail_link (&interleave->idle, &lane->link);
  return lane;
}

void
orch_lane_feed (OrchLane * lane, guint64 n)
{
  OrchInterleave *interleave = lane->interleave;

  g_return_if_fail (!lane->is_list && !lane->is_closed);

  if (n == 0)
    return;
  lane->n_left += n;
  if (lane->n_left == n) {
    g_queue_unlink (&interleave->idle, &lane->link);
    make_ready (interleave, lane);
  } else if (interleave->mode == ORCH_INTERLEAVE_SHORTEST && !lane->is_fresh) {
    lane->key = lane->n_left;
    orch_lane_heap_update (&interleave->heap, lane);
  }
}

gboolean
orch_lane_close (OrchLane * lane)
{
  lane->is_closed = TRUE;
  if (lane->n_left > 0)
    return FALSE;
  orch_lane_remove (lane);
  return TRUE;
}

void
orch_lane_remove (OrchLane * lane)
{
  OrchInterleave *interleave = lane->interleave;

  if (lane->is_waiting)
    g_queue_unlink (&interleave->waiting, &lane->link);
  else if (lane->n_left > 0)
    make_unready (interleave, lane);
  else
    g_queue_unlink (&interleave->idle, &lane->link);

  if (lane->is_list && !lane->is_waiting)
    interleave->n_open_lists--;
  g_slice_free (OrchLane, lane);
  open_lists (interleave);
}

/* ---- whose turn it is ---- */

static guint
get_max_skips (const OrchInterleave * interleave)
{
  if (interleave->max_skips)
    return interleave->max_skips;
  return MAX (MIN_SKIPS, SKIPS_PER_LANE * interleave->ready.length);
}

/* Must the lane that has waited longest go now, so that it and every one behind
 * it, each in its turn, stay within max_skips? */
static gboolean
is_overdue (const OrchInterleave * interleave, const OrchLane * oldest)
{
  guint64 waited = interleave->n_given - oldest->since;

  return waited + interleave->ready.length > get_max_skips (interleave);
}

static OrchLane *
pick (const OrchInterleave * interleave)
{
  OrchLane *oldest = g_queue_peek_head ((GQueue *) & interleave->ready);

  if (!oldest || interleave->mode == ORCH_INTERLEAVE_FAIR)
    return oldest;
  if (interleave->mode == ORCH_INTERLEAVE_SHORTEST) {
    if (is_overdue (interleave, oldest))
      return oldest;
    if (interleave->fresh.length > 0)
      return interleave->fresh.head->data;
  }
  return interleave->heap.lanes[0];
}

/* It has given a child and has more. */
static void
wait_again (OrchInterleave * interleave, OrchLane * lane)
{
  g_queue_unlink (&interleave->ready, &lane->link);
  start_waiting (interleave, lane);
  if (lane->is_fresh) {
    leave_fresh (interleave, lane);
    enter_heap (interleave, lane);
  } else if (interleave->mode == ORCH_INTERLEAVE_SHORTEST) {
    lane->key = lane->n_left;
    orch_lane_heap_update (&interleave->heap, lane);
  }
}

gboolean
orch_interleave_next (OrchInterleave * interleave, gpointer * user_data,
    gboolean * is_last)
{
  OrchLane *lane = pick (interleave);

  if (!lane)
    return FALSE;
  *user_data = lane->user_data;
  *is_last = lane->n_left == 1 && (lane->is_list || lane->is_closed);
  interleave->n_given++;
  lane->has_given = TRUE;

  if (*is_last) {
    orch_lane_remove (lane);
  } else if (lane->n_left == 1) {
    make_unready (interleave, lane);
    lane->n_left = 0;
    g_queue_push_tail_link (&interleave->idle, &lane->link);
  } else {
    lane->n_left--;
    wait_again (interleave, lane);
  }
  return TRUE;
}

guint
orch_interleave_get_n_lists (const OrchInterleave * interleave)
{
  return interleave->n_open_lists + interleave->waiting.length;
}

gboolean
orch_interleave_is_full (const OrchInterleave * interleave)
{
  return is_full (interleave);
}

gboolean
orch_interleave_has_next (const OrchInterleave * interleave)
{
  return interleave->ready.length > 0;
}
