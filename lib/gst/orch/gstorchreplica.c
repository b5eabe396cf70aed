/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchovertime-private.h"
#include "gstorchbatch-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_orch_call_debug);
#define GST_CAT_DEFAULT gst_orch_call_debug

/* A batch that took less than this is quick: waiting LINGER_US for the next to
 * fill costs less than switching threads for every few units. */
#define QUICK_RUN_US 200
#define LINGER_US 200

static gboolean
replica_setup (GstOrchReplica * self)
{
  GstOrchFunctionClass *klass = GST_ORCH_FUNCTION_GET_CLASS (self->function);
  GstObject *call = GST_OBJECT (self->call);
  g_autofree gchar *code = NULL;
  GError *error = NULL;
  gboolean ok;

  if (!klass->setup)
    return TRUE;
  code = g_strdup_printf ("setup-%u", self->index);
  gst_element_post_message (GST_ELEMENT (call),
      gst_message_new_progress (call, GST_PROGRESS_TYPE_START, code,
          "Setting up a replica"));
  ok = klass->setup (self->function, &self->data, &error);
  if (ok) {
    gst_element_post_message (GST_ELEMENT (call),
        gst_message_new_progress (call, GST_PROGRESS_TYPE_COMPLETE, code,
            "Replica ready"));
    return TRUE;
  }
  gst_element_post_message (GST_ELEMENT (call),
      gst_message_new_progress (call, GST_PROGRESS_TYPE_ERROR, code,
          error ? error->message : "Setup failed"));
  GST_ELEMENT_ERROR (call, LIBRARY, INIT,
      ("%s could not set up its Function: %s", GST_OBJECT_NAME (call),
          error ? error->message : "no reason was given"), (NULL));
  g_clear_error (&error);
  return FALSE;
}

/* Why the batch did not wait, or not longer. */
static void
count_batch (GstOrchCall * call, OrchBatch * batch, gint64 deadline)
{
  GstOrchCallStats *stats = &call->stats;

  stats->batches++;
  if (batch->recovery)
    stats->recovery++;
  else if (batch->n >= call->batch_size)
    stats->full++;
  else if (deadline != ORCH_TIME_NOW)
    stats->deadline++;
  else if (call->chain_waits)
    stats->budget++;
  else
    stats->drained++;
  stats->fill[MIN (7, (batch->n * 8 - 1) / call->batch_size)]++;
}

/* Quick Functions would empty the queue faster than it fills, and each of their
 * small batches would cost a switch between threads.  So a replica that comes
 * from a quick batch waits a moment for the next to fill. */
static gboolean
linger (GstOrchReplica * self)
{
  GstOrchCall *call = self->call;

  if (self->linger_until == 0 || call->eos || call->batch_size == 1
      || call->max_wait > 0
      || orch_call_has_recovery (call->core)
      || orch_call_get_n_ready (call->core) >= call->batch_size)
    return FALSE;
  call->n_lingering++;
  if (!gst_orch_time_wait_until (call->time, &call->work, &call->lock,
          self->linger_until))
    self->linger_until = 0;
  call->n_lingering--;
  return TRUE;
}

static void
settle_covered (GstOrchCall * call, OrchGrainList * sealed)
{
  if (sealed->n == 0)
    return;
  gst_orch_call_settle (call, sealed);
  gst_orch_subscriber_wake (call->input);
}

/* With the lock held.  TRUE when a batch may be taken; else it has waited, for
 * work or for the batch to fill (S9.3), to look again. */
static gboolean
wait_for_batch (GstOrchCall * call, gint64 * deadline)
{
  OrchGrainList sealed = { NULL, };

  *deadline = ORCH_TIME_NEVER;
  if (gst_orch_call_may_dispatch (call)) {
    *deadline = orch_call_get_deadline (call->core,
        call->max_wait / GST_USECOND, call->batch_size,
        call->eos || call->chain_waits || call->hurried, &sealed);
    settle_covered (call, &sealed);
  }
  if (*deadline == ORCH_TIME_NEVER) {
    call->n_idle++;
    g_cond_wait (&call->work, &call->lock);
    call->n_idle--;
    return FALSE;
  }
  if (*deadline == ORCH_TIME_NOW || *deadline <= gst_orch_time_now (call->time))
    return TRUE;
  call->n_lingering++;
  gst_orch_time_wait_until (call->time, &call->work, &call->lock, *deadline);
  call->n_lingering--;
  return FALSE;
}

/* With the lock held; NULL when the replica is to end. */
static OrchBatch *
next_batch (GstOrchReplica * self)
{
  GstOrchCall *call = self->call;
  OrchGrainList sealed = { NULL, };
  OrchBatch *batch = NULL;
  gint64 deadline = ORCH_TIME_NOW;

  while (!batch && !call->stopping && !self->abandoned) {
    if (linger (self) || !wait_for_batch (call, &deadline))
      continue;
    batch = orch_call_reserve (call->core,
        orch_call_get_batch_limit (call->core, call->batch_size,
            call->n_threads, call->eos), &sealed);
    settle_covered (call, &sealed);
  }
  if (!batch)
    return NULL;
  count_batch (call, batch, deadline);
  self->timeout = call->attempt_timeout
      ? MAX (1, call->attempt_timeout / GST_USECOND) : 0;
  /* What one signal began, the next replica goes on with. */
  if (gst_orch_call_may_dispatch (call))
    gst_orch_call_wake_replicas (call, 1);
  return batch;
}

void
gst_orch_call_end_pipeline (GstOrchCall * call, const gchar * reason)
{
  GST_ELEMENT_ERROR (call, LIBRARY, FAILED,
      ("%s gave up: %s", GST_OBJECT_NAME (call), reason),
      ("recovery=abort ends the pipeline at the first failed attempt."));
  gst_orch_lock (&call->lock);
  call->n_giving_up--;
  g_mutex_unlock (&call->lock);
  gst_orch_subscriber_wake (call->input);
}

static void
run_batch (GstOrchReplica * self, OrchBatch * core)
{
  GstOrchCall *call = self->call;
  gint64 begin = gst_orch_time_now (call->time), end;
  GstOrchFunctionClass *klass = GST_ORCH_FUNCTION_GET_CLASS (self->function);
  GstOrchBatch *batch = gst_orch_batch_new (call, self->function, core,
      self->timeout > 0);
  GError *error = NULL;

  if (self->timeout)
    gst_orch_overtime_begin (self, batch);
  if (klass->run (self->function, self->data, batch, &error))
    gst_orch_batch_finish (batch);
  else if (!gst_orch_batch_fail (batch, error))
    gst_orch_call_end_pipeline (call,
        error ? error->message : "its Function failed");
  g_clear_error (&error);
  if (self->timeout)
    gst_orch_overtime_end (self);
  gst_orch_batch_free (batch);
  end = gst_orch_time_now (call->time);
  self->linger_until = end - begin < QUICK_RUN_US ? end + LINGER_US : 0;
}

void
gst_orch_replica_note_end (GstOrchCall * call)
{
  call->n_running--;
  g_cond_signal (&call->ended);
}

/* The thread is about to end.  If it was left alone, nobody joins it. */
static void
replica_end (GstOrchReplica * self)
{
  GstOrchCall *call = self->call;
  gboolean abandoned;

  gst_orch_lock (&call->lock);
  abandoned = self->abandoned;
  if (abandoned)
    call->n_hung--;
  else
    gst_orch_replica_note_end (call);
  g_mutex_unlock (&call->lock);
  if (!abandoned)
    return;
  gst_object_unref (self->function);
  g_free (self);
  gst_object_unref (call);
}

static gpointer
replica_main (gpointer data)
{
  GstOrchReplica *self = data;
  GstOrchCall *call = self->call;
  OrchBatch *batch;

  if (replica_setup (self)) {
    gst_orch_lock (&call->lock);
    while ((batch = next_batch (self))) {
      g_mutex_unlock (&call->lock);
      run_batch (self, batch);
      gst_orch_lock (&call->lock);
    }
    g_mutex_unlock (&call->lock);
    if (GST_ORCH_FUNCTION_GET_CLASS (self->function)->teardown)
      GST_ORCH_FUNCTION_GET_CLASS (self->function)->teardown (self->function,
          self->data);
  }
  replica_end (self);
  return NULL;
}

GstOrchReplica *
gst_orch_replica_start (GstOrchCall * call, GstOrchFunction * function,
    guint index)
{
  GstOrchReplica *self = g_new0 (GstOrchReplica, 1);
  g_autofree gchar *name = g_strdup_printf ("%.10s:%u",
      GST_OBJECT_NAME (call), index);

  self->call = call;
  self->index = index;
  self->function = gst_object_ref (function);
  call->n_running++;
  self->thread = g_thread_new (name, replica_main, self);
  return self;
}

static void
replica_free (gpointer data)
{
  GstOrchReplica *self = data;

  if (!self)
    return;
  g_thread_join (self->thread);
  gst_object_unref (self->function);
  g_free (self);
}

gboolean
gst_orch_call_start_replicas (GstOrchCall * self)
{
  GstOrchFunction *function = gst_orch_call_get_function (self);
  guint i, n = self->n_replicas ? self->n_replicas : g_get_num_processors ();

  if (!function) {
    g_autofree gchar *reason = gst_orch_call_explain_missing (self, NULL);

    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("%s", reason), (NULL));
    return FALSE;
  }
  self->replicas = g_ptr_array_new_with_free_func (replica_free);
  gst_orch_lock (&self->lock);
  self->n_threads = n;
  for (i = 0; i < n; i++)
    g_ptr_array_add (self->replicas, gst_orch_replica_start (self, function,
            i));
  g_mutex_unlock (&self->lock);
  gst_object_unref (function);
  return TRUE;
}

void
gst_orch_call_stop_replicas (GstOrchCall * self)
{
  gst_orch_lock (&self->lock);
  self->stopping = TRUE;
  g_cond_broadcast (&self->work);
  /* Those that overrun now are not waited for. */
  while (self->n_running > 0)
    g_cond_wait (&self->ended, &self->lock);
  g_mutex_unlock (&self->lock);
  gst_orch_overtime_stop (self);
  g_clear_pointer (&self->replicas, g_ptr_array_unref);
}
