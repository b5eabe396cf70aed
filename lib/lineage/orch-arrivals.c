/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-arrivals.h"
#include "orch-expansion-private.h"
#include "orch-ordinal-set.h"

/* Interleaved parents take turns: enough slots for a window of them. */
#define N_RECENT 64

typedef struct _Pending Pending;

/* What has arrived of one Expansion; attached to it. */
typedef struct
{
  Pending *pending;             /* NULL once it is complete */
  OrchOrdinalSet seen;
  guint64 n_seen;
  guint64 n_forgiven;           /* these need not come: a flush forgot them */
} Arrived;

/* An Expansion that is not complete. */
struct _Pending
{
  Pending *next;
  Pending *previous;
  OrchExpansion *expansion;     /* owned */
  Arrived *arrived;
};

struct _OrchArrivals
{
  gpointer key;
  Pending *head;                /* oldest first */
  Pending *tail;
  struct
  {
    guint64 serial;
    Arrived *arrived;
  } recent[N_RECENT];
};

OrchArrivals *
orch_arrivals_new (void)
{
  OrchArrivals *arrivals = g_new0 (OrchArrivals, 1);

  arrivals->key = orch_expansion_new_key ();
  return arrivals;
}

static void
link_last (OrchArrivals * arrivals, Pending * pending)
{
  pending->next = NULL;
  pending->previous = arrivals->tail;
  if (arrivals->tail)
    arrivals->tail->next = pending;
  else
    arrivals->head = pending;
  arrivals->tail = pending;
}

static void
unlink_pending (OrchArrivals * arrivals, Pending * pending)
{
  if (pending->previous)
    pending->previous->next = pending->next;
  else
    arrivals->head = pending->next;
  if (pending->next)
    pending->next->previous = pending->previous;
  else
    arrivals->tail = pending->previous;
}

/* (transfer full) */
static OrchExpansion *
take_expansion (OrchArrivals * arrivals, Pending * pending)
{
  OrchExpansion *expansion = pending->expansion;

  unlink_pending (arrivals, pending);
  pending->arrived->pending = NULL;
  g_slice_free (Pending, pending);
  return expansion;
}

void
orch_arrivals_free (OrchArrivals * arrivals)
{
  if (!arrivals)
    return;
  while (arrivals->head)
    orch_expansion_unref (take_expansion (arrivals, arrivals->head));
  g_free (arrivals);
}

static void
arrived_free (gpointer data)
{
  Arrived *arrived = data;

  orch_ordinal_set_clear (&arrived->seen);
  g_slice_free (Arrived, arrived);
}

static Arrived *
begin (OrchArrivals * arrivals, OrchExpansion * expansion)
{
  Arrived *arrived = g_slice_new0 (Arrived);
  Pending *pending = g_slice_new (Pending);

  orch_ordinal_set_init (&arrived->seen);
  orch_expansion_attach (expansion, arrivals->key, arrived, arrived_free);
  pending->expansion = orch_expansion_ref (expansion);
  pending->arrived = arrived;
  arrived->pending = pending;
  link_last (arrivals, pending);
  return arrived;
}

static Arrived *
get_arrived (OrchArrivals * arrivals, OrchExpansion * expansion)
{
  guint slot = expansion->serial % N_RECENT;
  Arrived *arrived;

  if (arrivals->recent[slot].serial == expansion->serial)
    return arrivals->recent[slot].arrived;
  arrived = orch_expansion_get_attached (expansion, arrivals->key);
  if (!arrived)
    arrived = begin (arrivals, expansion);
  arrivals->recent[slot].serial = expansion->serial;
  arrivals->recent[slot].arrived = arrived;
  return arrived;
}

static gboolean
is_complete (const Pending * pending)
{
  return orch_expansion_get_state (pending->expansion) != ORCH_EXPANSION_OPEN
      && pending->arrived->n_seen ==
      orch_expansion_get_n_children (pending->expansion);
}

/* What the last arrival made complete goes at once: its parent must not be held
 * until another comes.  Others become complete when they close; each arrival
 * looks at one of them, so that the list stays as short as what is open. */
static OrchExpansion *
collect_one (OrchArrivals * arrivals, const Arrived * last)
{
  Pending *pending = last->pending;

  if (pending && is_complete (pending))
    return take_expansion (arrivals, pending);
  pending = arrivals->head;
  if (!pending)
    return NULL;
  if (is_complete (pending))
    return take_expansion (arrivals, pending);
  unlink_pending (arrivals, pending);
  link_last (arrivals, pending);
  return NULL;
}

OrchArrivals *
orch_arrivals_new_epoch (const OrchArrivals * arrivals)
{
  OrchArrivals *next = orch_arrivals_new ();
  const Pending *pending;

  for (pending = arrivals->head; pending; pending = pending->next)
    if (orch_expansion_get_state (pending->expansion) == ORCH_EXPANSION_OPEN)
      begin (next, pending->expansion)->n_forgiven =
          orch_expansion_get_n_children (pending->expansion);
  return next;
}

gboolean
orch_arrivals_add (OrchArrivals * arrivals, OrchEntity * entity,
    OrchExpansion ** complete)
{
  Arrived *arrived = get_arrived (arrivals, entity->expansion);
  gboolean is_new = orch_ordinal_set_add (&arrived->seen, entity->ordinal);

  if (is_new)
    arrived->n_seen++;
  *complete = collect_one (arrivals, arrived);
  return is_new;
}

void
orch_arrivals_announce (OrchArrivals * arrivals, OrchExpansion * expansion)
{
  if (orch_expansion_get_n_children (expansion) > 0)
    get_arrived (arrivals, expansion);
}

void
orch_arrivals_foreach_missing (OrchArrivals * arrivals, OrchArrivalsFunc func,
    gpointer user_data)
{
  Pending *pending;

  for (pending = arrivals->head; pending; pending = pending->next) {
    OrchExpansion *expansion = pending->expansion;
    guint64 n = orch_expansion_get_n_children (expansion);
    guint64 i = orch_ordinal_set_next_missing (&pending->arrived->seen,
        pending->arrived->n_forgiven);

    for (; i < n; i = orch_ordinal_set_next_missing (&pending->arrived->seen,
            i + 1)) {
      OrchEntity *entity;

      if (orch_expansion_is_skipped (expansion, i))
        continue;
      entity = orch_entity_new (expansion, i);
      func (entity, user_data);
      orch_entity_unref (entity);
    }
  }
}
