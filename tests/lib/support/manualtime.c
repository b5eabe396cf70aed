/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "manualtime.h"
#include "patience.h"

#include <gst/orch/gstorchcall-private.h>

typedef struct
{
  GCond *cond;
  GMutex *mutex;
  gint64 end;
  gboolean woken;               /* by a change; it has not looked yet */
} Waiter;

struct _ManualTime
{
  GstOrchTime time;
  GMutex lock;                  /* inside the mutex of a waiter */
  GCond changed;                /* somebody waits */
  GList *waiters;
  gint64 now;
};

static gint64
manual_now (GstOrchTime * time)
{
  ManualTime *self = (ManualTime *) time;
  gint64 now;

  g_mutex_lock (&self->lock);
  now = self->now;
  g_mutex_unlock (&self->lock);
  return now;
}

static gboolean
begin_to_wait (ManualTime * self, Waiter * waiter)
{
  gboolean in_time;

  g_mutex_lock (&self->lock);
  in_time = self->now < waiter->end;
  if (in_time) {
    self->waiters = g_list_prepend (self->waiters, waiter);
    g_cond_broadcast (&self->changed);
  }
  g_mutex_unlock (&self->lock);
  return in_time;
}

static gboolean
manual_wait_until (GstOrchTime * time, GCond * cond, GMutex * mutex, gint64 end)
{
  ManualTime *self = (ManualTime *) time;
  Waiter waiter = { cond, mutex, end, FALSE };
  gboolean in_time;

  if (!begin_to_wait (self, &waiter))
    return FALSE;
  g_cond_wait (cond, mutex);
  g_mutex_lock (&self->lock);
  self->waiters = g_list_remove (self->waiters, &waiter);
  in_time = self->now < end;
  g_mutex_unlock (&self->lock);
  return in_time;
}

ManualTime *
manual_time_new (void)
{
  ManualTime *self = g_new0 (ManualTime, 1);

  self->time.now = manual_now;
  self->time.wait_until = manual_wait_until;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  return self;
}

void
manual_time_free (ManualTime * self)
{
  g_assert_null (self->waiters);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}

void
manual_time_rule (ManualTime * self, GstElement * call)
{
  gst_orch_call_set_time (GST_ORCH_CALL (call), &self->time);
}

/* A waiter holds its mutex until it sleeps, so none is missed. */
void
manual_time_set (ManualTime * self, gint64 now)
{
  GArray *waiters = g_array_new (FALSE, FALSE, sizeof (Waiter));
  GList *l;
  guint i;

  g_mutex_lock (&self->lock);
  g_assert_cmpint (now, >=, self->now);
  self->now = now;
  for (l = self->waiters; l; l = l->next) {
    g_array_append_vals (waiters, l->data, 1);
    ((Waiter *) l->data)->woken = TRUE;
  }
  g_mutex_unlock (&self->lock);
  for (i = 0; i < waiters->len; i++) {
    Waiter *waiter = &g_array_index (waiters, Waiter, i);

    g_mutex_lock (waiter->mutex);
    g_cond_broadcast (waiter->cond);
    g_mutex_unlock (waiter->mutex);
  }
  g_array_unref (waiters);
}

static gboolean
is_awaited (ManualTime * self, gint64 end)
{
  GList *l;

  for (l = self->waiters; l; l = l->next) {
    Waiter *waiter = l->data;

    if (waiter->end == end && !waiter->woken)
      return TRUE;
  }
  return FALSE;
}

void
manual_time_await (ManualTime * self, gint64 end)
{
  gint64 deadline = patience_deadline ();

  g_mutex_lock (&self->lock);
  while (!is_awaited (self, end))
    if (!g_cond_wait_until (&self->changed, &self->lock, deadline))
      g_error ("nobody waited for %" G_GINT64_FORMAT " us", end);
  g_mutex_unlock (&self->lock);
}
