/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchbatch-private.h"
#include "gstorchovertime-private.h"
#include "gstorchworker-private.h"

#include <gio/gio.h>
#include <poll.h>
#include <string.h>

GST_DEBUG_CATEGORY_EXTERN (gst_orch_call_debug);
#define GST_CAT_DEFAULT gst_orch_call_debug

/* How often what changes by itself is looked at, in ms: what is still wanted, how
 * much memory is used, whether the Call goes down. */
#define TICK 20
/* How long a worker may take to end when the Call goes down, in ms. */
#define STOP_PATIENCE 500
#define QUIT_PATIENCE 1000
/* Attempts to start one that ends by itself, and one that is killed. */
#define MAX_STARTS 3
#define MAX_LOST_STARTS 10
/* Waits between deaths that follow each other, in ms. */
#define FIRST_WAIT 25
#define LONGEST_WAIT 5000

static gboolean
call_is_stopping (GstOrchCall * call)
{
  gboolean stopping;

  gst_orch_lock (&call->lock);
  stopping = call->stopping;
  g_mutex_unlock (&call->lock);
  return stopping;
}

static gboolean
is_alive (GstOrchWorker * worker)
{
  return worker->process.pid > 0;
}

static void
kill_for (GstOrchWorker * worker, GstOrchKilled reason)
{
  if (worker->killed == GST_ORCH_KILLED_NOT)
    worker->killed = reason;
  gst_orch_process_kill (&worker->process);
}

/* (transfer full): why; it is gone then. */
static GstOrchCause *
bury (GstOrchWorker * worker, gint patience, gboolean * is_lost)
{
  gint status = gst_orch_process_reap (&worker->process, patience);
  GstOrchCause *cause =
      gst_orch_worker_explain_end (worker, status, is_lost);
  guint i;

  GST_INFO_OBJECT (worker->replica->call, "a worker ended: %s",
      gst_orch_cause_get_message (cause));
  gst_orch_worker_note_unread (worker);
  gst_orch_link_clear (&worker->link);
  gst_orch_link_clear (&worker->inbox);
  gst_orch_link_clear (&worker->inbox_end);
  gst_orch_caps_cache_clear (&worker->caps);
  gst_orch_sources_clear (&worker->sources);
  for (i = 0; i < G_N_ELEMENTS (worker->arenas); i++)
    gst_orch_arena_clear (&worker->arenas[i]);
  g_clear_error (&worker->problem);
  worker->killed = GST_ORCH_KILLED_NOT;
  return cause;
}

/* A worker that is gone tells more by its end than by the error of a socket. */
static gboolean
is_gone (GError ** error)
{
  if (!g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE)
      && !g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED))
    return FALSE;
  g_clear_error (error);
  return TRUE;
}

/* ---- hearing ---- */

typedef enum
{
  HEARD_MESSAGE,
  HEARD_NOTHING,
  HEARD_END,
} Heard;

static Heard
receive (GstOrchWorker * worker, GstOrchMessage * message)
{
  switch (gst_orch_link_receive (&worker->link, FALSE, message,
          worker->problem ? NULL : &worker->problem)) {
    case GST_ORCH_LINK_MESSAGE:
      return HEARD_MESSAGE;
    case GST_ORCH_LINK_NOTHING:
      return HEARD_NOTHING;
    case GST_ORCH_LINK_BAD:
      kill_for (worker, GST_ORCH_KILLED_PROTOCOL);
      return HEARD_END;
    default:
      return HEARD_END;
  }
}

/* Its socket does not say that it ended while a process that it has started holds
 * that, too.  What it said before comes first. */
static Heard
receive_last (GstOrchWorker * worker, GstOrchMessage * message)
{
  Heard heard;

  if (!gst_orch_process_has_ended (&worker->process))
    return HEARD_NOTHING;
  heard = receive (worker, message);
  return heard == HEARD_NOTHING ? HEARD_END : heard;
}

/* Waits for a message, no longer than `patience` ms. */
static Heard
hear (GstOrchWorker * worker, GstOrchMessage * message, gint patience)
{
  struct pollfd fds[2] = { {worker->link.fd, POLLIN, 0},
  {worker->process.errors, POLLIN, 0}
  };
  Heard heard = receive (worker, message);

  if (heard != HEARD_NOTHING)
    return heard;
  poll (fds, 2, patience);
  if (fds[1].revents)
    gst_orch_process_read_errors (&worker->process);
  return fds[0].revents ? receive (worker, message) :
      receive_last (worker, message);
}

static void
check_usage (GstOrchWorker * worker)
{
  GstOrchReplica *replica = worker->replica;
  GstOrchUsage *usage = &worker->process.usage;

  if (replica->max_memory
      && gst_orch_usage_get_memory (usage) > replica->max_memory)
    kill_for (worker, GST_ORCH_KILLED_MEMORY);
  if (replica->call->confine
      && gst_orch_usage_count_threads (usage) > GST_ORCH_WORKER_MAX_THREADS)
    kill_for (worker, GST_ORCH_KILLED_THREADS);
}

/* ---- starting ---- */

/* What is missing of its confinement is the same for all: said once. */
static void
report_confinement (GstOrchWorker * worker, GstOrchMessage * message)
{
  GstOrchCall *call = worker->replica->call;
  GstOrchReader reader = { message->data, message->size, };
  const gchar *missing = gst_orch_reader_get_string (&reader);
  gboolean first;

  if (!missing)
    return;
  gst_orch_lock (&call->lock);
  first = !call->confinement_reported;
  call->confinement_reported = TRUE;
  g_mutex_unlock (&call->lock);
  if (first)
    GST_ELEMENT_WARNING (call, LIBRARY, SETTINGS,
        ("%s cannot confine its workers as it should: %s.",
            GST_OBJECT_NAME (call), missing),
        ("What a hostile document makes of a worker can reach further then."));
}

typedef enum
{
  START_READY,
  START_AGAIN,                  /* may be it was an accident */
  START_LOST,                   /* it was killed from outside */
  START_NEVER,
} Start;

static Start
hear_first (GstOrchWorker * worker, GstOrchMessage * message, GError ** error)
{
  GstOrchReader reader = { message->data, message->size, };
  const gchar *text;

  if (message->type == GST_ORCH_SAY_READY) {
    report_confinement (worker, message);
    return START_READY;
  }
  text = message->type == GST_ORCH_SAY_NOT_READY ?
      gst_orch_reader_get_string (&reader) : NULL;
  g_set_error_literal (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
      text ? text : "its worker does not say what is wrong");
  return START_NEVER;
}

static Start
await_ready (GstOrchWorker * worker, GError ** error)
{
  GstOrchMessage message;
  Start start = START_AGAIN;
  Heard heard;

  while ((heard = hear (worker, &message, TICK)) == HEARD_NOTHING) {
    check_usage (worker);
    if (call_is_stopping (worker->replica->call))
      kill_for (worker, GST_ORCH_KILLED_STOP);
  }
  if (heard == HEARD_MESSAGE) {
    start = hear_first (worker, &message, error);
    gst_orch_message_clear (&message);
  }
  return start;
}

static void
set_up (GstOrchWorker * worker)
{
  gst_orch_link_init (&worker->link, worker->process.socket);
  gst_orch_link_init (&worker->inbox, worker->process.inbox);
  gst_orch_link_init (&worker->inbox_end, worker->process.inbox_end);
  gst_orch_caps_cache_init (&worker->caps);
  gst_orch_sources_init (&worker->sources);
  /* It could change them under the next batch. */
  worker->reuses_arenas = !worker->replica->call->confine
      && GST_ORCH_FUNCTION_GET_CLASS (worker->replica->function)->get_worker;
}

/* Its Function's own program, or that of Functions in C. */
static gboolean
start_process (GstOrchWorker * worker, GError ** error)
{
  GstOrchFunction *function = worker->replica->function;
  GstOrchFunctionClass *klass = GST_ORCH_FUNCTION_GET_CLASS (function);
  g_auto (GStrv) command = NULL;

  if (klass->get_worker) {
    command = klass->get_worker (function, error);
    if (!command)
      return FALSE;
  }
  return gst_orch_process_start (&worker->process, command,
      GST_OBJECT_NAME (worker->replica->call), error);
}

static Start
try_start (GstOrchWorker * worker, GError ** error)
{
  GstOrchCause *cause;
  gboolean is_lost;
  Start start = START_NEVER;

  if (!start_process (worker, error))
    return START_NEVER;
  set_up (worker);
  if (gst_orch_worker_send_setup (worker, error))
    start = await_ready (worker, error);
  else if (is_gone (error))
    start = START_AGAIN;
  if (start == START_READY)
    return START_READY;
  cause = bury (worker, *error ? QUIT_PATIENCE : STOP_PATIENCE, &is_lost);
  if (!*error)
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "%s, before it was ready", gst_orch_cause_get_message (cause));
  gst_orch_cause_unref (cause);
  return start == START_AGAIN && is_lost ? START_LOST : start;
}

/* FALSE: the Call goes down. */
static gboolean
back_off (GstOrchWorker * worker)
{
  guint n = worker->n_deaths;
  guint wait = n < 2 ? 0 : n > 10 ? LONGEST_WAIT :
      MIN (LONGEST_WAIT, FIRST_WAIT << (n - 2));
  gint64 end = g_get_monotonic_time () + wait * G_TIME_SPAN_MILLISECOND;

  while (!call_is_stopping (worker->replica->call)) {
    gint64 now = g_get_monotonic_time ();

    if (now >= end)
      return TRUE;
    g_usleep (MIN (end - now, TICK * G_TIME_SPAN_MILLISECOND));
  }
  return FALSE;
}

static gboolean
worker_start (GstOrchReplica * self, GError ** error)
{
  GstOrchWorker *worker = self->worker;
  guint n_starts = 0, n_lost = 0;

  if (!worker) {
    worker = self->worker = g_new0 (GstOrchWorker, 1);
    worker->replica = self;
  }
  while (back_off (worker)) {
    Start start = try_start (worker, error);

    if (start == START_READY)
      return TRUE;
    if (call_is_stopping (self->call))
      break;
    n_starts += start == START_AGAIN;
    n_lost += start == START_LOST;
    if (start == START_NEVER || n_starts == MAX_STARTS
        || n_lost == MAX_LOST_STARTS)
      return FALSE;
    g_clear_error (error);
    worker->n_deaths++;
  }
  /* Nobody waits for it any more. */
  g_clear_error (error);
  return FALSE;
}

/* ---- running ---- */

/* While it was idle: nothing was lost. */
static gboolean
died_meanwhile (GstOrchWorker * worker)
{
  GstOrchMessage message;
  Heard heard;
  gboolean is_lost;

  gst_orch_process_read_errors (&worker->process);
  heard = receive (worker, &message);
  if (heard == HEARD_NOTHING)
    heard = receive_last (worker, &message);
  if (heard == HEARD_NOTHING)
    return FALSE;
  if (heard == HEARD_MESSAGE) {
    gst_orch_message_clear (&message);
    kill_for (worker, GST_ORCH_KILLED_PROTOCOL);
  }
  gst_orch_cause_unref (bury (worker, STOP_PATIENCE, &is_lost));
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
    kill_for (worker, GST_ORCH_KILLED_TIME);
  if (!g_atomic_int_get (&call->cancelled))
    return;
  if (!course->stopping_since)
    course->stopping_since = now;
  else if (now - course->stopping_since
      >= STOP_PATIENCE * G_TIME_SPAN_MILLISECOND)
    kill_for (worker, GST_ORCH_KILLED_STOP);
}

static void
tick (GstOrchWorker * worker, Course * course)
{
  gint64 now = g_get_monotonic_time ();

  check_time (worker, course, now);
  if (now < course->next_tick)
    return;
  course->next_tick = now + TICK * G_TIME_SPAN_MILLISECOND;
  check_usage (worker);
  gst_orch_worker_tell_wanted (worker, course->sent);
  gst_orch_worker_review_ahead (worker);
}

static gint
get_patience (Course * course)
{
  gint64 now = g_get_monotonic_time ();

  if (!course->give_up_at)
    return TICK;
  return CLAMP ((course->give_up_at - now) / G_TIME_SPAN_MILLISECOND + 1, 0,
      TICK);
}

static void
course_begin (Course * course, GstOrchWorker * worker, GstOrchSent * sent)
{
  gint64 timeout = worker->replica->timeout;
  gint64 now = g_get_monotonic_time ();

  *course = (Course) { sent, now + TICK * G_TIME_SPAN_MILLISECOND, };
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
    Heard heard;

    gst_orch_worker_send_ahead (worker);
    heard = hear (worker, &message, get_patience (&course));
    if (heard == HEARD_MESSAGE) {
      state = gst_orch_worker_hear (worker, sent, &message, error);
      gst_orch_message_clear (&message);
    } else if (heard == HEARD_END) {
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
    kill_for (worker, GST_ORCH_KILLED_PROTOCOL);
  }
  return state;
}

static GstOrchWorkerState
send_and_follow (GstOrchWorker * worker, GstOrchSent * sent, GError ** error)
{
  if (gst_orch_worker_send_properties (worker, error)
      && gst_orch_worker_send_batch (worker, sent, error))
    return follow (worker, sent, error);
  return is_gone (error) ? GST_ORCH_WORKER_DIED : GST_ORCH_WORKER_FAILED;
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
  GstOrchCause *cause = bury (worker, STOP_PATIENCE, &is_lost);
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
    gst_orch_cause_unref (bury (worker, QUIT_PATIENCE, &is_lost));
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
