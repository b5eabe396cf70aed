/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-interleave.h"

G_BEGIN_DECLS

struct _OrchLane
{
  OrchInterleave *interleave;
  gpointer user_data;
  GList link;                   /* in the queue of its state */
  GList fresh_link;
  guint64 n_left;               /* children it can give now */
  guint64 since;                /* children given by all when it began to wait */
  guint64 key;                  /* the heap's order, smallest first; */
  guint64 seq;                  /* among equals the oldest lane */
  guint heap_index;
  gboolean is_list;
  gboolean is_waiting;          /* for the window */
  gboolean is_fresh;            /* in the fresh queue */
  gboolean is_closed;
  gboolean has_given;
};

/* A binary heap whose lanes know their place. */
typedef struct
{
  OrchLane **lanes;
  guint n;
  guint n_allocated;
} OrchLaneHeap;

G_GNUC_INTERNAL void orch_lane_heap_clear (OrchLaneHeap * heap);
G_GNUC_INTERNAL void orch_lane_heap_add (OrchLaneHeap * heap, OrchLane * lane);
G_GNUC_INTERNAL void orch_lane_heap_remove (OrchLaneHeap * heap,
    OrchLane * lane);
/* The key of `lane` has changed. */
G_GNUC_INTERNAL void orch_lane_heap_update (OrchLaneHeap * heap,
    OrchLane * lane);

G_END_DECLS
