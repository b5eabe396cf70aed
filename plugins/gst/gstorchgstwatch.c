/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchgstwatch.h"

/* How long what nobody wants may still run. */
#define INTERVAL (20 * G_TIME_SPAN_MILLISECOND)

struct _GstOrchGstWatch
{
  GstOrchGstWatchIsWanted is_wanted;
  GstOrchGstWatchInterrupt interrupt;
  gpointer target;
  GThread *thread;

  GMutex lock;
  GCond changed;
  gpointer work;                /* (nullable) */
  gboolean sleeps;              /* the thread, until there is work */
  gboolean interrupting;
  gboolean quit;
};

/* With the lock held, which is given up meanwhile. */
static void
interrupt (GstOrchGstWatch * self)
{
  /* Once is enough. */
  self->work = NULL;
  self->interrupting = TRUE;
  g_mutex_unlock (&self->lock);
  self->interrupt (self->target);
  g_mutex_lock (&self->lock);
  self->interrupting = FALSE;
  g_cond_broadcast (&self->changed);
}

static void
wait_for_work (GstOrchGstWatch * self)
{
  self->sleeps = TRUE;
  g_cond_wait (&self->changed, &self->lock);
  self->sleeps = FALSE;
}

static gpointer
watch_main (gpointer data)
{
  GstOrchGstWatch *self = data;

  g_mutex_lock (&self->lock);
  while (!self->quit) {
    if (!self->work)
      wait_for_work (self);
    else if (!self->is_wanted (self->work))
      interrupt (self);
    else
      g_cond_wait_until (&self->changed, &self->lock,
          g_get_monotonic_time () + INTERVAL);
  }
  g_mutex_unlock (&self->lock);
  return NULL;
}

GstOrchGstWatch *
gst_orch_gst_watch_new (GstOrchGstWatchIsWanted is_wanted,
    GstOrchGstWatchInterrupt interrupt, gpointer target)
{
  GstOrchGstWatch *self = g_new0 (GstOrchGstWatch, 1);

  self->is_wanted = is_wanted;
  self->interrupt = interrupt;
  self->target = target;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->thread = g_thread_new ("gst:watch", watch_main, self);
  return self;
}

void
gst_orch_gst_watch_free (GstOrchGstWatch * self)
{
  g_mutex_lock (&self->lock);
  self->quit = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  g_thread_join (self->thread);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}

void
gst_orch_gst_watch_begin (GstOrchGstWatch * self, gpointer work)
{
  g_mutex_lock (&self->lock);
  self->work = work;
  /* It need not be woken for each of many quick ones. */
  if (self->sleeps)
    g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

void
gst_orch_gst_watch_end (GstOrchGstWatch * self)
{
  g_mutex_lock (&self->lock);
  self->work = NULL;
  while (self->interrupting)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
}
