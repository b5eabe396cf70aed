/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-arrivals.h"
#include "orch-expansion-private.h"
#include "orch-ordinal-set.h"

/* Interleaved parents take turns: enough slots for a window of them. */
#define N_RECENT 64

/* What has arrived of one Expansion; attached to it. */
typedef struct
{
  OrchOrdinalSet seen;
  guint64 n_seen;
  guint64 n_forgiven;           /* these need not come: a flush forgot them */
} Arrived;

/* An Expansion that is not complete. */
typedef struct _Pending Pending;
struct _Pending
{
  Pending *next;
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

static Pending *
pop_pending (OrchArrivals * arrivals)
{
  Pending *pending = arrivals->head;

  arrivals->head = pending->next;
  if (!arrivals->head)
    arrivals->tail = NULL;
  return pending;
}

void
orch_arrivals_free (OrchArrivals * arrivals)
{
  if (!arrivals)
    return;
  while (arrivals->head) {
    Pending *pending = pop_pending (arrivals);

    orch_expansion_unref (pending->expansion);
    g_slice_free (Pending, pending);
  }
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
  pending->next = NULL;
  pending->expansion = orch_expansion_ref (expansion);
  pending->arrived = arrived;
  if (arrivals->tail)
    arrivals->tail->next = pending;
  else
    arrivals->head = pending;
  arrivals->tail = pending;
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

/* Takes a complete Expansion off the front.  Each arrival looks at one, and an
 * incomplete one goes behind the others, so that the list stays as short as
 * what is open. */
static OrchExpansion *
collect_one (OrchArrivals * arrivals)
{
  Pending *pending = arrivals->head;
  OrchExpansion *expansion;

  if (!pending)
    return NULL;
  if (!is_complete (pending)) {
    if (pending->next) {
      arrivals->head = pending->next;
      pending->next = NULL;
      arrivals->tail->next = pending;
      arrivals->tail = pending;
    }
    return NULL;
  }
  pop_pending (arrivals);
  expansion = pending->expansion;
  g_slice_free (Pending, pending);
  return expansion;
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
  *complete = collect_one (arrivals);
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
