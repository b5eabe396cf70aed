/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "sim-events.h"

typedef struct
{
  gint64 time;
  guint64 seq;
  SimEventFunc func;
  gpointer data;
} Event;

struct _SimEvents
{
  GArray *heap;                 /* Event, the earliest first */
  guint64 n_added;
  gint64 now;
};

SimEvents *
sim_events_new (void)
{
  SimEvents *events = g_new0 (SimEvents, 1);

  events->heap = g_array_new (FALSE, FALSE, sizeof (Event));
  return events;
}

void
sim_events_free (SimEvents * events)
{
  if (!events)
    return;
  g_array_unref (events->heap);
  g_free (events);
}

static Event *
get (SimEvents * events, guint i)
{
  return &g_array_index (events->heap, Event, i);
}

static gboolean
goes_before (const Event * a, const Event * b)
{
  return a->time != b->time ? a->time < b->time : a->seq < b->seq;
}

void
sim_events_add (SimEvents * events, gint64 time, SimEventFunc func,
    gpointer data)
{
  Event event = { time, events->n_added++, func, data };
  guint i = events->heap->len;

  g_array_append_val (events->heap, event);
  while (i > 0 && goes_before (&event, get (events, (i - 1) / 2))) {
    *get (events, i) = *get (events, (i - 1) / 2);
    i = (i - 1) / 2;
  }
  *get (events, i) = event;
}

static void
sift_down (SimEvents * events, Event event)
{
  guint i = 0, child, n = events->heap->len;

  for (; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && goes_before (get (events, child + 1),
            get (events, child)))
      child++;
    if (!goes_before (get (events, child), &event))
      break;
    *get (events, i) = *get (events, child);
  }
  *get (events, i) = event;
}

gboolean
sim_events_run_next (SimEvents * events)
{
  guint n = events->heap->len;
  Event event, last;

  if (n == 0)
    return FALSE;
  event = *get (events, 0);
  last = *get (events, n - 1);
  g_array_set_size (events->heap, n - 1);
  if (n > 1)
    sift_down (events, last);
  events->now = event.time;
  event.func (event.data);
  return TRUE;
}

gint64
sim_events_get_time (const SimEvents * events)
{
  return events->now;
}
