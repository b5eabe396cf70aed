/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchworker-private.h"

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
  GstOrchHeard heard;

  while ((heard = gst_orch_worker_listen (worker, &message,
              GST_ORCH_WORKER_TICK)) == GST_ORCH_HEARD_NOTHING) {
    gst_orch_worker_check_usage (worker);
    if (call_is_stopping (worker->replica->call))
      gst_orch_worker_kill (worker, GST_ORCH_KILLED_STOP);
  }
  if (heard == GST_ORCH_HEARD_MESSAGE) {
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
  else if (gst_orch_worker_is_gone (error))
    start = START_AGAIN;
  if (start == START_READY)
    return START_READY;
  cause = gst_orch_worker_bury (worker, *error ? GST_ORCH_WORKER_QUIT_PATIENCE :
      GST_ORCH_WORKER_STOP_PATIENCE, &is_lost);
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
    g_usleep (MIN (end - now, GST_ORCH_WORKER_TICK * G_TIME_SPAN_MILLISECOND));
  }
  return FALSE;
}

gboolean
gst_orch_worker_start (GstOrchWorker * worker, GError ** error)
{
  GstOrchCall *call = worker->replica->call;
  guint n_starts = 0, n_lost = 0;

  while (back_off (worker)) {
    Start start = try_start (worker, error);

    if (start == START_READY)
      return TRUE;
    if (call_is_stopping (call))
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
