/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-entity.h"

G_BEGIN_DECLS

/**
 * OrchInterleave: the order in which open lists and streams give their
 * children.  Not thread safe.
 *
 * A lane is one open parent.  A list has all its children at once; a stream's
 * lane is fed.  At most `window` lists are open: the others wait in arrival
 * order.  Stream lanes are always open: bounding them is their pad's business.
 */
typedef struct _OrchInterleave OrchInterleave;
typedef struct _OrchLane OrchLane;

typedef enum
{
  ORCH_INTERLEAVE_FAIR,         /* one child each in turn */
  ORCH_INTERLEAVE_SHORTEST,     /* first children first, then fewest left; ages */
  ORCH_INTERLEAVE_NONE,         /* the oldest parent that has one */
} OrchInterleaveMode;

/* `window` 0: no limit.  `max_skips`: with SHORTEST no lane that has a child to
 * give waits for more than so many children of others (or for one of each, if
 * that is more); 0: 32 for each lane that has one, at least 1024. */
ORCH_API OrchInterleave *orch_interleave_new (OrchInterleaveMode mode,
    guint window, guint max_skips);
ORCH_API void orch_interleave_free (OrchInterleave * interleave);
ORCH_API void orch_interleave_set_window (OrchInterleave * interleave,
    guint window);

/* A list of n children.  The lane belongs to the interleave and is freed when
 * it has given its last child, or by orch_lane_remove().  (nullable): an empty
 * list has no lane. */
ORCH_API OrchLane *orch_interleave_add_list (OrchInterleave * interleave,
    gpointer user_data, guint64 n_children);
/* A stream that has nothing yet. */
ORCH_API OrchLane *orch_interleave_add_stream (OrchInterleave * interleave,
    gpointer user_data);
/* n more children of a stream are ready. */
ORCH_API void orch_lane_feed (OrchLane * lane, guint64 n);
/* No more will be fed; the lane goes when it has given what it has (at once
 * if that is nothing: TRUE). */
ORCH_API gboolean orch_lane_close (OrchLane * lane);
/* The parent is doomed or flushed: it leaves the window at once. */
ORCH_API void orch_lane_remove (OrchLane * lane);

/* FALSE when nobody has a child to give; else whose turn it is.  `is_last`:
 * the lane has given its last child and is gone. */
ORCH_API gboolean orch_interleave_next (OrchInterleave * interleave,
    gpointer * user_data, gboolean * is_last);
/* Lists that are open or wait for the window. */
ORCH_API guint orch_interleave_get_n_lists (const OrchInterleave * interleave);
/* TRUE when a further list would have to wait for the window. */
ORCH_API gboolean orch_interleave_is_full (const OrchInterleave * interleave);
/* TRUE when orch_interleave_next() would give one. */
ORCH_API gboolean orch_interleave_has_next (const OrchInterleave * interleave);

G_END_DECLS
