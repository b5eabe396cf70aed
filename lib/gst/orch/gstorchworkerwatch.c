/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchworker-private.h"

#include <gio/gio.h>
#include <poll.h>

GST_DEBUG_CATEGORY_EXTERN (gst_orch_call_debug);
#define GST_CAT_DEFAULT gst_orch_call_debug

/* ---- what it says ---- */

static GstOrchHeard
receive (GstOrchWorker * worker, GstOrchMessage * message)
{
  switch (gst_orch_link_receive (&worker->link, FALSE, message,
          worker->problem ? NULL : &worker->problem)) {
    case GST_ORCH_LINK_MESSAGE:
      return GST_ORCH_HEARD_MESSAGE;
    case GST_ORCH_LINK_NOTHING:
      return GST_ORCH_HEARD_NOTHING;
    case GST_ORCH_LINK_BAD:
      gst_orch_worker_kill (worker, GST_ORCH_KILLED_PROTOCOL);
      return GST_ORCH_HEARD_END;
    default:
      return GST_ORCH_HEARD_END;
  }
}

/* Its socket does not say that it ended while a process that it has started holds
 * that, too.  What it said before comes first. */
static GstOrchHeard
receive_last (GstOrchWorker * worker, GstOrchMessage * message)
{
  GstOrchHeard heard;

  if (!gst_orch_process_has_ended (&worker->process))
    return GST_ORCH_HEARD_NOTHING;
  heard = receive (worker, message);
  return heard == GST_ORCH_HEARD_NOTHING ? GST_ORCH_HEARD_END : heard;
}

GstOrchHeard
gst_orch_worker_listen (GstOrchWorker * worker, GstOrchMessage * message,
    gint patience)
{
  struct pollfd fds[2] = { {worker->link.fd, POLLIN, 0},
  {worker->process.errors, POLLIN, 0}
  };
  GstOrchHeard heard = receive (worker, message);

  if (heard != GST_ORCH_HEARD_NOTHING)
    return heard;
  poll (fds, 2, patience);
  if (fds[1].revents)
    gst_orch_process_read_errors (&worker->process);
  return fds[0].revents ? receive (worker, message) :
      receive_last (worker, message);
}

/* ---- what it uses, and its end ---- */

void
gst_orch_worker_kill (GstOrchWorker * worker, GstOrchKilled reason)
{
  if (worker->killed == GST_ORCH_KILLED_NOT)
    worker->killed = reason;
  gst_orch_process_kill (&worker->process);
}

void
gst_orch_worker_check_usage (GstOrchWorker * worker)
{
  GstOrchReplica *replica = worker->replica;
  GstOrchUsage *usage = &worker->process.usage;

  if (replica->max_memory
      && gst_orch_usage_get_memory (usage) > replica->max_memory)
    gst_orch_worker_kill (worker, GST_ORCH_KILLED_MEMORY);
  if (replica->call->confine
      && gst_orch_usage_count_threads (usage) > GST_ORCH_WORKER_MAX_THREADS)
    gst_orch_worker_kill (worker, GST_ORCH_KILLED_THREADS);
}

GstOrchCause *
gst_orch_worker_bury (GstOrchWorker * worker, gint patience, gboolean * is_lost)
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

gboolean
gst_orch_worker_is_gone (GError ** error)
{
  if (!g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE)
      && !g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED))
    return FALSE;
  g_clear_error (error);
  return TRUE;
}
