/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchovertime-private.h"
#include "gstorchbatch-private.h"
#include "gstorchworker-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_orch_call_debug);
#define GST_CAT_DEFAULT gst_orch_call_debug

/* A batch that took less than this is quick: waiting LINGER_US for the next to
 * fill costs less than switching threads for every few units. */
#define QUICK_RUN_US 200
#define LINGER_US 200

/* ---- in its own thread ---- */

static gboolean
thread_start (GstOrchReplica * self, GError ** error)
{
  GstOrchFunctionClass *klass = GST_ORCH_FUNCTION_GET_CLASS (self->function);

  self->is_set_up = !klass->setup
      || klass->setup (self->function, &self->data, error);
  if (!self->is_set_up && !*error)
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "no reason was given");
  return self->is_set_up;
}

static void
thread_run (GstOrchReplica * self, GstOrchBatch * batch)
{
  GstOrchFunctionClass *klass = GST_ORCH_FUNCTION_GET_CLASS (self->function);
  GError *error = NULL;

  if (self->timeout)
    gst_orch_overtime_begin (self, batch);
  if (klass->run (self->function, self->data, batch, &error))
    gst_orch_batch_finish (batch);
  else if (!gst_orch_batch_fail (batch, error))
    gst_orch_call_end_pipeline (self->call,
        error ? error->message : "its Function failed");
  g_clear_error (&error);
  if (self->timeout)
    gst_orch_overtime_end (self);
}

static void
thread_stop (GstOrchReplica * self)
{
  GstOrchFunctionClass *klass = GST_ORCH_FUNCTION_GET_CLASS (self->function);

  if (self->is_set_up && klass->teardown)
    klass->teardown (self->function, self->data);
}

static const GstOrchReplicaKind thread_kind = {
  thread_start, NULL, thread_run, thread_stop
};

static gboolean
is_thread (GstOrchReplica * self)
{
  return self->kind == &thread_kind;
}

/* ---- starting ---- */

static void
post_progress (GstOrchReplica * self, GstProgressType type, const gchar * text)
{
  GstObject *call = GST_OBJECT (self->call);
  g_autofree gchar *code = g_strdup_printf ("setup-%u", self->index);

  gst_element_post_message (GST_ELEMENT (call),
      gst_message_new_progress (call, type, code, text));
}

/* `error` (transfer full) (nullable): none when the Call goes down */
static void
post_not_set_up (GstOrchReplica * self, GError * error)
{
  if (!error)
    return;
  GST_ELEMENT_ERROR (self->call, LIBRARY, INIT,
      ("%s could not set up its Function: %s", GST_OBJECT_NAME (self->call),
          error->message), (NULL));
  g_error_free (error);
}

static gboolean
replica_setup (GstOrchReplica * self)
{
  gboolean is_work = !is_thread (self)
      || GST_ORCH_FUNCTION_GET_CLASS (self->function)->setup;
  GError *error = NULL;
  gboolean ok;

  if (is_work)
    post_progress (self, GST_PROGRESS_TYPE_START, "Setting up a replica");
  ok = self->kind->start (self, &error);
  if (is_work)
    post_progress (self, ok ? GST_PROGRESS_TYPE_COMPLETE : error ?
        GST_PROGRESS_TYPE_ERROR : GST_PROGRESS_TYPE_CANCELED,
        ok ? "Replica ready" : error ? error->message : "The pipeline stops");
  if (!ok)
    post_not_set_up (self, error);
  return ok;
}

static gboolean
replica_prepare (GstOrchReplica * self)
{
  GError *error = NULL;

  if (self->ahead || !self->kind->prepare || self->kind->prepare (self, &error))
    return TRUE;
  post_not_set_up (self, error);
  return FALSE;
}

/* ---- taking batches ---- */

/* Why the batch did not wait, or not longer. */
static void
count_batch (GstOrchCall * call, OrchBatch * batch, gint64 deadline)
{
  GstOrchCallStats *stats = &call->stats;

  stats->batches++;
  if (call->sizes->len < batch->n)
    g_array_set_size (call->sizes, batch->n);
  g_array_index (call->sizes, guint64, batch->n - 1)++;
  if (batch->recovery) {
    stats->recovery++;
    stats->repeated += batch->n;
  } else if (batch->n >= call->batch_size) {
    stats->full++;
  } else if (deadline != ORCH_TIME_NOW) {
    stats->deadline++;
  } else if (call->chain_waits) {
    stats->budget++;
  } else {
    stats->drained++;
  }
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

/* With the lock held. */
static void
begin_batch (GstOrchReplica * self, OrchBatch * batch, gint64 deadline)
{
  GstOrchCall *call = self->call;

  count_batch (call, batch, deadline);
  self->timeout = call->attempt_timeout
      ? MAX (1, call->attempt_timeout / GST_USECOND) : 0;
  self->max_memory = call->max_memory;
}

/* With the lock held; NULL when the replica is to end. */
static OrchBatch *
reserve_next (GstOrchReplica * self)
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
  begin_batch (self, batch, deadline);
  /* What one signal began, the next replica goes on with. */
  if (gst_orch_call_may_dispatch (call))
    gst_orch_call_wake_replicas (call, 1);
  return batch;
}

/* NULL when the replica is to end. */
static GstOrchBatch *
next_batch (GstOrchReplica * self)
{
  GstOrchCall *call = self->call;
  GstOrchBatch *ahead = g_steal_pointer (&self->ahead);
  OrchBatch *batch = NULL;

  gst_orch_lock (&call->lock);
  if (ahead) {
    call->stats.ahead++;
    begin_batch (self, gst_orch_batch_get_core (ahead), ORCH_TIME_NOW);
  } else {
    batch = reserve_next (self);
  }
  g_mutex_unlock (&call->lock);
  if (!batch)
    return ahead;
  return gst_orch_batch_new (call, self->function, batch,
      self->timeout > 0 && is_thread (self));
}

/* ---- the batch after the one that is run ---- */

/* With the lock held. */
static gboolean
has_idle_peer (GstOrchCall * call)
{
  return call->n_idle + call->n_lingering > 0;
}

gboolean
gst_orch_replica_has_idle_peer (GstOrchReplica * self)
{
  GstOrchCall *call = self->call;
  gboolean result;

  gst_orch_lock (&call->lock);
  result = has_idle_peer (call);
  g_mutex_unlock (&call->lock);
  return result;
}

/* With the lock held.  A batch that is not full may get fuller until it is its turn,
 * and what is to be tried again goes to whoever is free first. */
static gboolean
is_full_batch_ready (GstOrchCall * call, OrchGrainList * sealed)
{
  if (call->stopping || has_idle_peer (call)
      || orch_call_has_recovery (call->core)
      || !gst_orch_call_may_dispatch (call)
      || orch_call_get_batch_limit (call->core, call->batch_size,
          call->n_threads, call->eos) < call->batch_size)
    return FALSE;
  return orch_call_get_deadline (call->core, G_MAXINT64, call->batch_size,
      FALSE, sealed) == ORCH_TIME_NOW;
}

GstOrchBatch *
gst_orch_replica_reserve_ahead (GstOrchReplica * self)
{
  GstOrchCall *call = self->call;
  OrchGrainList sealed = { NULL, };
  OrchBatch *batch = NULL;

  gst_orch_lock (&call->lock);
  if (is_full_batch_ready (call, &sealed))
    batch = orch_call_reserve (call->core, call->batch_size, &sealed);
  settle_covered (call, &sealed);
  g_mutex_unlock (&call->lock);
  return batch ? gst_orch_batch_new (call, self->function, batch, FALSE) : NULL;
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

/* One that was left alone is no replica any more: another one took its place. */
static void
note_time (GstOrchReplica * self, gint64 begin, gint64 end)
{
  GstOrchCallStats *stats = &self->call->stats;

  gst_orch_lock (&self->call->lock);
  if (!self->abandoned) {
    if (stats->first_begin == 0 || begin < stats->first_begin)
      stats->first_begin = begin;
    stats->last_end = MAX (stats->last_end, end);
    stats->busy += end - begin;
    self->call->runs_quickly = end - begin < QUICK_RUN_US;
  }
  g_mutex_unlock (&self->call->lock);
}

static void
run_batch (GstOrchReplica * self, GstOrchBatch * batch)
{
  GstOrchCall *call = self->call;
  gint64 begin = gst_orch_time_now (call->time), end;

  self->kind->run (self, batch);
  gst_orch_batch_free (batch);
  end = gst_orch_time_now (call->time);
  note_time (self, begin, end);
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
  GstOrchBatch *batch;

  if (replica_setup (self)) {
    while (replica_prepare (self) && (batch = next_batch (self)))
      run_batch (self, batch);
  }
  self->kind->stop (self);
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

  self->kind = call->workers == GST_ORCH_WORKERS_PROCESS
      || GST_ORCH_FUNCTION_GET_CLASS (function)->get_worker ?
      gst_orch_worker_get_kind () : &thread_kind;
  self->max_memory = call->max_memory;
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
