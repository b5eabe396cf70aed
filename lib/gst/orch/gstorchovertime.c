/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchovertime-private.h"
#include "gstorchbatch-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_orch_call_debug);
#define GST_CAT_DEFAULT gst_orch_call_debug

/* Threads that hang cost memory and, if they are busy, processors; so many are
 * no accident of a few documents any more. */
#define MAX_HUNG 16
#define MAX_HUNG_PER_REPLICA 4
/* So many are told of one by one. */
#define MAX_TOLD 10

/* What is to be said of an overrun once the lock is free. */
typedef struct
{
  gchar *path;                  /* of the first Grain */
  guint n;                      /* Grains */
  OrchCause *cause;
  OrchGrainList forgotten;
  gboolean gives_up;            /* recovery=abort */
  guint n_hung;                 /* too many threads hang; else 0 */
  guint64 nth;                  /* of the run */
} Overrun;

static OrchCause *
make_cause (GstOrchReplica * replica)
{
  g_autofree gchar *message = g_strdup_printf ("the Function did not end "
      "within %.3f s (attempt-timeout)", replica->timeout / 1e6);

  return orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_TIMEOUT, message, NULL,
      GST_OBJECT_NAME (replica->call));
}

/* With the lock held: somebody else is to take batches. */
static void
replace (GstOrchReplica * replica, Overrun * overrun)
{
  GstOrchCall *call = replica->call;
  gboolean too_many =
      call->n_hung > MAX (MAX_HUNG, MAX_HUNG_PER_REPLICA * call->n_threads);

  if (too_many)
    overrun->n_hung = call->n_hung;
  g_ptr_array_index (call->replicas, replica->index) =
      too_many || call->stopping ? NULL :
      gst_orch_replica_start (call, replica->function, replica->index);
  gst_orch_replica_note_end (call);
}

/* With the lock held. */
static void
leave_alone (GstOrchReplica * replica, Overrun * overrun)
{
  GstOrchCall *call = replica->call;

  overrun->nth = ++call->stats.timeouts;
  overrun->cause = make_cause (replica);
  overrun->path = gst_orch_batch_describe (replica->batch, &overrun->n);
  overrun->gives_up = !gst_orch_batch_abandon (replica->batch, overrun->cause,
      &overrun->forgotten);
  replica->batch = NULL;
  replica->abandoned = TRUE;
  gst_object_ref (call);        /* the thread's, until it ends */
  g_thread_unref (g_steal_pointer (&replica->thread));
  call->n_hung++;
  replace (replica, overrun);
}

gboolean
gst_orch_overtime_is_told (GstOrchCall * call, guint64 nth)
{
  if (nth == MAX_TOLD + 1)
    GST_ELEMENT_WARNING (call, LIBRARY, FAILED,
        ("%s overran its attempt-timeout %u times: further times are only counted.",
            GST_OBJECT_NAME (call), MAX_TOLD),
        ("See \"timeouts\" in its stats. What fails for it says so in its "
            "cause."));
  return nth <= MAX_TOLD;
}

static void
post_abandoned (GstOrchCall * call, Overrun * overrun)
{
  GST_ELEMENT_WARNING (call, LIBRARY, FAILED,
      ("%s left a thread alone at %s: %s.", GST_OBJECT_NAME (call),
          overrun->path, overrun->cause->message),
      ("The attempt at %u unit(s) counts as failed, and recovery decides what "
          "becomes of them. The thread goes on until its Function returns. If "
          "the Function is only slow, raise attempt-timeout.", overrun->n));
}

static void
post_overrun (GstOrchCall * call, Overrun * overrun)
{
  if (gst_orch_overtime_is_told (call, overrun->nth))
    post_abandoned (call, overrun);
  if (overrun->gives_up)
    gst_orch_call_end_pipeline (call, overrun->cause->message);
  if (overrun->n_hung)
    GST_ELEMENT_ERROR (call, LIBRARY, FAILED,
        ("%s has %u threads that hang in its Function, the last at %s.",
            GST_OBJECT_NAME (call), overrun->n_hung, overrun->path),
        ("No more are started. If the Function is only slow, raise "
            "attempt-timeout; if it hangs, leave out the documents that the "
            "warnings before this error name."));
}

/* With the lock held, which is given up meanwhile. */
static void
handle_overrun (GstOrchReplica * replica)
{
  GstOrchCall *call = replica->call;
  Overrun overrun = { NULL, };

  leave_alone (replica, &overrun);
  g_mutex_unlock (&call->lock);
  gst_orch_grain_list_free (&overrun.forgotten);
  gst_orch_subscriber_wake (call->input);
  post_overrun (call, &overrun);
  orch_cause_unref (overrun.cause);
  g_free (overrun.path);
  gst_orch_lock (&call->lock);
}

/* With the lock held (nullable).  `next` (out): when to look again */
static GstOrchReplica *
find_overrun (GstOrchCall * call, gint64 * next)
{
  gint64 now = gst_orch_time_now (call->time);
  guint i;

  *next = ORCH_TIME_NEVER;
  for (i = 0; i < call->replicas->len; i++) {
    GstOrchReplica *replica = g_ptr_array_index (call->replicas, i);

    if (!replica || !replica->batch
        || !gst_orch_batch_is_running (replica->batch))
      continue;
    if (replica->give_up_at <= now)
      return replica;
    *next = MIN (*next, replica->give_up_at);
  }
  return NULL;
}

static gpointer
watch_main (gpointer data)
{
  GstOrchCall *call = data;
  GstOrchReplica *replica;

  gst_orch_lock (&call->lock);
  while (!call->watch_ends) {
    replica = find_overrun (call, &call->watch_until);
    if (replica)
      handle_overrun (replica);
    else
      gst_orch_time_wait_until (call->time, &call->watch_work, &call->lock,
          call->watch_until);
  }
  g_mutex_unlock (&call->lock);
  return NULL;
}

void
gst_orch_overtime_begin (GstOrchReplica * self, GstOrchBatch * batch)
{
  GstOrchCall *call = self->call;
  gint64 now = gst_orch_time_now (call->time);

  gst_orch_lock (&call->lock);
  self->batch = batch;
  self->give_up_at = self->timeout < ORCH_TIME_NEVER - now
      ? now + self->timeout : ORCH_TIME_NEVER;
  if (!call->watch) {
    g_autofree gchar *name = g_strdup_printf ("%.8s:watch",
        GST_OBJECT_NAME (call));

    call->watch_ends = FALSE;
    call->watch = g_thread_new (name, watch_main, call);
  } else if (self->give_up_at < call->watch_until) {
    g_cond_signal (&call->watch_work);
  }
  g_mutex_unlock (&call->lock);
}

void
gst_orch_overtime_end (GstOrchReplica * self)
{
  gst_orch_lock (&self->call->lock);
  self->batch = NULL;
  g_mutex_unlock (&self->call->lock);
}

void
gst_orch_overtime_stop (GstOrchCall * call)
{
  GThread *watch;

  gst_orch_lock (&call->lock);
  watch = g_steal_pointer (&call->watch);
  call->watch_ends = TRUE;
  g_cond_signal (&call->watch_work);
  g_mutex_unlock (&call->lock);
  if (watch)
    g_thread_join (watch);
}
