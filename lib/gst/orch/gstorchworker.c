/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchbatch-private.h"
#include "gstorchovertime-private.h"
#include "gstorchworker-private.h"

static gboolean
is_alive (GstOrchWorker * worker)
{
  return worker->process.pid > 0;
}

static gboolean
worker_start (GstOrchReplica * self, GError ** error)
{
  if (!self->worker) {
    self->worker = g_new0 (GstOrchWorker, 1);
    self->worker->replica = self;
  }
  return gst_orch_worker_start (self->worker, error);
}

/* ---- running ---- */

/* While it was idle: nothing was lost. */
static gboolean
died_meanwhile (GstOrchWorker * worker)
{
  GstOrchMessage message;
  GstOrchHeard heard;
  gboolean is_lost;

  gst_orch_process_read_errors (&worker->process);
  heard = gst_orch_worker_listen (worker, &message, 0);
  if (heard == GST_ORCH_HEARD_NOTHING)
    return FALSE;
  if (heard == GST_ORCH_HEARD_MESSAGE) {
    gst_orch_message_clear (&message);
    gst_orch_worker_kill (worker, GST_ORCH_KILLED_PROTOCOL);
  }
  gst_orch_cause_unref (gst_orch_worker_bury (worker,
          GST_ORCH_WORKER_STOP_PATIENCE, &is_lost));
  worker->n_deaths++;
  return TRUE;
}

static gboolean
worker_prepare (GstOrchReplica * self, GError ** error)
{
  if (is_alive (self->worker) && !died_meanwhile (self->worker))
    return TRUE;
  return worker_start (self, error);
}

/* A batch that is under way. */
typedef struct
{
  GstOrchSent *sent;
  gint64 next_tick;
  gint64 give_up_at;            /* attempt-timeout; 0: none */
  gint64 stopping_since;        /* 0: the Call goes on */
} Course;

static void
check_time (GstOrchWorker * worker, Course * course, gint64 now)
{
  GstOrchCall *call = worker->replica->call;

  if (course->give_up_at && now >= course->give_up_at)
    gst_orch_worker_kill (worker, GST_ORCH_KILLED_TIME);
  if (!g_atomic_int_get (&call->cancelled))
    return;
  if (!course->stopping_since)
    course->stopping_since = now;
  else if (now - course->stopping_since
      >= GST_ORCH_WORKER_STOP_PATIENCE * G_TIME_SPAN_MILLISECOND)
    gst_orch_worker_kill (worker, GST_ORCH_KILLED_STOP);
}

static void
tick (GstOrchWorker * worker, Course * course)
{
  gint64 now = g_get_monotonic_time ();

  check_time (worker, course, now);
  if (now < course->next_tick)
    return;
  course->next_tick = now + GST_ORCH_WORKER_TICK * G_TIME_SPAN_MILLISECOND;
  gst_orch_worker_check_usage (worker);
  gst_orch_worker_tell_wanted (worker, course->sent);
  gst_orch_worker_review_ahead (worker);
}

static gint
get_patience (Course * course)
{
  gint64 now = g_get_monotonic_time ();

  if (!course->give_up_at)
    return GST_ORCH_WORKER_TICK;
  return CLAMP ((course->give_up_at - now) / G_TIME_SPAN_MILLISECOND + 1, 0,
      GST_ORCH_WORKER_TICK);
}

static void
course_begin (Course * course, GstOrchWorker * worker, GstOrchSent * sent)
{
  gint64 timeout = worker->replica->timeout;
  gint64 now = g_get_monotonic_time ();

  *course = (Course) {
    sent, now + GST_ORCH_WORKER_TICK * G_TIME_SPAN_MILLISECOND,
  };
  if (timeout && timeout < G_MAXINT64 - now)
    course->give_up_at = now + timeout;
  worker->ahead_refused = FALSE;
}

static GstOrchWorkerState
follow (GstOrchWorker * worker, GstOrchSent * sent, GError ** error)
{
  GstOrchWorkerState state = GST_ORCH_WORKER_RUNS;
  GstOrchMessage message;
  Course course;

  course_begin (&course, worker, sent);
  while (state == GST_ORCH_WORKER_RUNS) {
    GstOrchHeard heard;

    gst_orch_worker_send_ahead (worker);
    heard = gst_orch_worker_listen (worker, &message, get_patience (&course));
    if (heard == GST_ORCH_HEARD_MESSAGE) {
      state = gst_orch_worker_hear (worker, sent, &message, error);
      gst_orch_message_clear (&message);
    } else if (heard == GST_ORCH_HEARD_END) {
      return GST_ORCH_WORKER_DIED;
    }
    /* Before it begins with what its failure may have made superfluous. */
    if (worker->heard_failure)
      gst_orch_worker_tell_wanted (worker, sent);
    tick (worker, &course);
  }
  if (state == GST_ORCH_WORKER_DIED) {
    g_clear_error (&worker->problem);
    worker->problem = g_steal_pointer (error);
    gst_orch_worker_kill (worker, GST_ORCH_KILLED_PROTOCOL);
  }
  return state;
}

static GstOrchWorkerState
send_and_follow (GstOrchWorker * worker, GstOrchSent * sent, GError ** error)
{
  if (gst_orch_worker_send_properties (worker, error)
      && gst_orch_worker_send_batch (worker, sent, error))
    return follow (worker, sent, error);
  return gst_orch_worker_is_gone (error) ? GST_ORCH_WORKER_DIED :
      GST_ORCH_WORKER_FAILED;
}

static void
post_death (GstOrchCall * call, const gchar * path, guint n,
    GstOrchCause * cause)
{
  GST_ELEMENT_WARNING (call, LIBRARY, FAILED,
      ("%s lost a worker at %s: %s.", GST_OBJECT_NAME (call), path,
          gst_orch_cause_get_message (cause)),
      ("%u unit(s) were in work there, and recovery decides what becomes of "
          "them. Another worker takes its place.", n));
}

static void
count_death (GstOrchCall * call, GstOrchKilled killed, gboolean is_lost)
{
  call->stats.timeouts += killed == GST_ORCH_KILLED_TIME;
  call->stats.workers_lost += is_lost && killed == GST_ORCH_KILLED_NOT;
  call->stats.workers_died += !is_lost;
}

/* `cause` (transfer full) */
static void
end_attempt (GstOrchCall * call, GstOrchBatch * batch, GstOrchCause * cause,
    gboolean is_lost)
{
  if (!gst_orch_batch_end_attempt (batch, cause, is_lost))
    gst_orch_call_end_pipeline (call, gst_orch_cause_get_message (cause));
  gst_orch_cause_unref (cause);
}

/* The batch that was to come next. */
static void
end_ahead (GstOrchWorker * worker, GstOrchCause * cause)
{
  GstOrchBatch *batch = g_steal_pointer (&worker->replica->ahead);
  GstOrchSent *sent = gst_orch_worker_find_sent (worker, batch);

  if (!sent)
    return;
  /* It has no business with it yet: better to count that than to go on for ever. */
  if (sent->is_unread)
    gst_orch_batch_return (batch);
  else
    end_attempt (worker->replica->call, batch, gst_orch_cause_ref (cause), TRUE);
  gst_orch_worker_end_sent (worker, sent);
  gst_orch_batch_free (batch);
}

/* Its Grains go to the recovery; who takes its place comes later, so that they do
 * not wait for that. */
static void
end_with_worker (GstOrchWorker * worker, GstOrchSent * sent)
{
  GstOrchBatch *batch = sent->batch;
  GstOrchCall *call = worker->replica->call;
  GstOrchKilled killed = worker->killed;
  gboolean is_lost;
  GstOrchCause *cause = gst_orch_worker_bury (worker,
      GST_ORCH_WORKER_STOP_PATIENCE, &is_lost);
  g_autofree gchar *path = NULL;
  guint64 n_timeouts;
  guint n;

  worker->n_deaths++;
  end_ahead (worker, cause);
  if (sent->is_unread) {
    gst_orch_batch_return (batch);
    gst_orch_cause_unref (cause);
    return;
  }
  gst_orch_lock (&call->lock);
  count_death (call, killed, is_lost);
  n_timeouts = call->stats.timeouts;
  path = gst_orch_batch_describe (batch, &n);
  g_mutex_unlock (&call->lock);
  /* Between its last outcome and its last word nothing is lost. */
  if (killed != GST_ORCH_KILLED_STOP && n > 0
      && (killed != GST_ORCH_KILLED_TIME
          || gst_orch_overtime_is_told (call, n_timeouts)))
    post_death (call, path, n, cause);
  end_attempt (call, batch, cause, is_lost);
}

static void
worker_run (GstOrchReplica * self, GstOrchBatch * batch)
{
  GstOrchWorker *worker = self->worker;
  GstOrchSent *sent = gst_orch_worker_find_sent (worker, batch);
  GError *error = NULL;
  GstOrchWorkerState state = GST_ORCH_WORKER_FAILED;

  if (sent)
    state = follow (worker, sent, &error);
  else if (worker_prepare (self, &error))
    state = send_and_follow (worker,
        (sent = gst_orch_worker_add_sent (worker, batch)), &error);
  else if (!error)
    state = GST_ORCH_WORKER_RUNS;

  if (state == GST_ORCH_WORKER_DONE) {
    worker->n_deaths = 0;
    gst_orch_batch_finish (batch);
  } else if (state == GST_ORCH_WORKER_DIED) {
    end_with_worker (worker, sent);
  } else if (state == GST_ORCH_WORKER_RUNS) {
    end_attempt (self->call, batch,
        gst_orch_cause_new_literal (ORCH_CAUSE_DOMAIN, ORCH_CODE_WORKER_LOST,
            "the pipeline was stopped"), TRUE);
  } else if (!gst_orch_batch_fail (batch, error)) {
    gst_orch_call_end_pipeline (self->call,
        error ? error->message : "its Function failed");
  }
  if (sent)
    gst_orch_worker_end_sent (worker, sent);
  g_clear_error (&error);
}

/* ---- ending ---- */

static void
worker_stop (GstOrchReplica * self)
{
  GstOrchWorker *worker = self->worker;
  gboolean is_lost;

  if (!worker)
    return;
  if (is_alive (worker)) {
    gst_orch_link_send (&worker->inbox, GST_ORCH_SAY_QUIT, 0, NULL, NULL, 0,
        NULL);
    worker->killed = GST_ORCH_KILLED_STOP;
    gst_orch_cause_unref (gst_orch_worker_bury (worker,
            GST_ORCH_WORKER_QUIT_PATIENCE, &is_lost));
  }
  gst_orch_process_clear (&worker->process);
  g_free (worker);
  self->worker = NULL;
}

const GstOrchReplicaKind *
gst_orch_worker_get_kind (void)
{
  static const GstOrchReplicaKind kind = {
    worker_start, worker_prepare, worker_run, worker_stop
  };

  return &kind;
}
