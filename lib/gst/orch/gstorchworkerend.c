/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchworker-private.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

/* (transfer full): `message`, and what the worker wrote before it ended */
static GstOrchCause *
make_cause (GstOrchWorker * worker, const gchar * code, const gchar * message)
{
  g_autofree gchar *lines =
      gst_orch_process_get_last_lines (&worker->process);

  if (!lines)
    return gst_orch_cause_new_literal (ORCH_CAUSE_DOMAIN, code, message);
  return gst_orch_cause_new (ORCH_CAUSE_DOMAIN, code, "%s; it wrote: %s",
      message, lines);
}

static GstOrchCause *
explain_kill (GstOrchWorker * worker)
{
  g_autofree gchar *message = NULL;

  switch (worker->killed) {
    case GST_ORCH_KILLED_TIME:
      message = g_strdup_printf ("the Function did not end within %.3f s "
          "(attempt-timeout), and its worker was killed",
          worker->replica->timeout / 1e6);
      return make_cause (worker, ORCH_CODE_TIMEOUT, message);
    case GST_ORCH_KILLED_MEMORY:
      message = g_strdup_printf ("its worker used more than %" G_GUINT64_FORMAT
          " bytes of memory (max-memory), and was killed", worker->replica->max_memory);
      return make_cause (worker, ORCH_CODE_MEMORY, message);
    case GST_ORCH_KILLED_THREADS:
      message = g_strdup_printf ("its worker started more than %u threads, and "
          "was killed", GST_ORCH_WORKER_MAX_THREADS);
      return make_cause (worker, ORCH_CODE_CRASHED, message);
    case GST_ORCH_KILLED_PROTOCOL:
      message = g_strdup_printf ("what its worker said makes no sense (%s), and "
          "it was killed", worker->problem ? worker->problem->message :
          "no reason was given");
      return make_cause (worker, ORCH_CODE_CRASHED, message);
    default:
      return make_cause (worker, ORCH_CODE_WORKER_LOST,
          "its worker was stopped with the pipeline");
  }
}

static GstOrchCause *
explain_signal (GstOrchWorker * worker, gint signal_number)
{
  g_autofree gchar *message = g_strdup_printf ("its worker was ended by signal "
      "%d (%s)", signal_number, strsignal (signal_number));

  return make_cause (worker, ORCH_CODE_CRASHED, message);
}

GstOrchCause *
gst_orch_worker_explain_end (GstOrchWorker * worker, gint status,
    gboolean * is_lost)
{
  g_autofree gchar *message = NULL;

  *is_lost = FALSE;
  if (worker->killed != GST_ORCH_KILLED_NOT) {
    *is_lost = worker->killed == GST_ORCH_KILLED_STOP;
    return explain_kill (worker);
  }
  if (worker->process.overdue)
    return make_cause (worker, ORCH_CODE_CRASHED,
        "its worker closed its connection without ending, and was killed");
  if (status == -1)
    return make_cause (worker, ORCH_CODE_CRASHED, "its worker ended, and "
        "somebody else has taken note of how (waitpid)");
  if (WIFSIGNALED (status) && (WTERMSIG (status) == SIGKILL
          || WTERMSIG (status) == SIGTERM)) {
    *is_lost = TRUE;
    message = g_strdup_printf ("its worker was killed from outside (signal %d), "
        "time and again", WTERMSIG (status));
    return make_cause (worker, ORCH_CODE_WORKER_LOST, message);
  }
  if (WIFSIGNALED (status))
    return explain_signal (worker, WTERMSIG (status));
  message = g_strdup_printf ("its worker ended by itself, with status %d",
      WEXITSTATUS (status));
  return make_cause (worker, ORCH_CODE_CRASHED, message);
}
