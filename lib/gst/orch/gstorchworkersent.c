/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchbatch-private.h"
#include "gstorchworker-private.h"

#include <string.h>
#include <unistd.h>

/* The next batch is in the worker's inbox before the worker asks for it.  It has not
 * begun as long as it is there, where it can be taken out from this side as well: so
 * nobody need ask the worker how far it is, or believe it. */

static GstOrchControl *
get_control (GstOrchWorker * worker, GstOrchSent * sent)
{
  return &worker->process.control[sent - worker->sent];
}

GstOrchSent *
gst_orch_worker_add_sent (GstOrchWorker * worker, GstOrchBatch * batch)
{
  GstOrchSent *sent = &worker->sent[worker->sent[0].batch ? 1 : 0];
  GstOrchControl *control = get_control (worker, sent);

  sent->batch = batch;
  sent->is_ahead = sent->is_unread = FALSE;
  sent->n_warnings = sent->warned = 0;
  sent->arena = -1;
  sent->is_let_go = FALSE;
  gst_orch_mention_init (&sent->mention);
  g_atomic_int_set (&control->cancelled, FALSE);
  memset (control->unwanted, 0, MIN (gst_orch_batch_get_size (batch),
          GST_ORCH_CONTROL_SLOTS));
  return sent;
}

void
gst_orch_worker_end_sent (GstOrchWorker * worker, GstOrchSent * sent)
{
  sent->batch = NULL;
  gst_orch_mention_clear (&sent->mention);
  /* Who closes it last frees the memory, which takes its time: the worker is to go on
   * meanwhile. */
  if (sent->arena >= 0)
    close (sent->arena);
  if (sent->is_let_go)
    gst_orch_arena_trim (&worker->arenas[sent - worker->sent]);
  else
    gst_orch_arena_clear (&worker->arenas[sent - worker->sent]);
}

GstOrchSent *
gst_orch_worker_find_sent (GstOrchWorker * worker, GstOrchBatch * batch)
{
  guint i;

  for (i = 0; batch && i < G_N_ELEMENTS (worker->sent); i++)
    if (worker->sent[i].batch == batch)
      return &worker->sent[i];
  return NULL;
}

/* ---- what is wanted of them ---- */

static void
tell_wanted (GstOrchControl * control, GstOrchBatch * batch)
{
  guint i, n = MIN (gst_orch_batch_get_size (batch), GST_ORCH_CONTROL_SLOTS);

  if (gst_orch_batch_is_cancelled (batch)) {
    g_atomic_int_set (&control->cancelled, TRUE);
    return;
  }
  for (i = 0; i < n; i++)
    if (!control->unwanted[i] && !gst_orch_batch_is_wanted (batch, i))
      control->unwanted[i] = TRUE;
}

void
gst_orch_worker_tell_wanted (GstOrchWorker * worker, GstOrchSent * current)
{
  GstOrchSent *ahead =
      gst_orch_worker_find_sent (worker, worker->replica->ahead);

  worker->heard_failure = FALSE;
  /* First of what comes next: the worker may go on to that when it hears of what it
   * is at. */
  if (ahead)
    tell_wanted (get_control (worker, ahead), ahead->batch);
  tell_wanted (get_control (worker, current), current->batch);
}

/* ---- ahead ---- */

static void
give_back (GstOrchWorker * worker, GstOrchSent * sent)
{
  GstOrchBatch *batch = sent->batch;

  worker->replica->ahead = NULL;
  gst_orch_worker_end_sent (worker, sent);
  gst_orch_batch_return (batch);
  gst_orch_batch_free (batch);
}

void
gst_orch_worker_send_ahead (GstOrchWorker * worker)
{
  GstOrchReplica *replica = worker->replica;
  GstOrchSent *sent;

  if (replica->ahead || worker->ahead_refused
      || !gst_orch_worker_has_properties (worker))
    return;
  replica->ahead = gst_orch_replica_reserve_ahead (replica);
  if (!replica->ahead)
    return;
  sent = gst_orch_worker_add_sent (worker, replica->ahead);
  sent->is_ahead = TRUE;
  if (gst_orch_worker_send_batch (worker, sent, NULL))
    return;
  worker->ahead_refused = TRUE;
  give_back (worker, sent);
}

/* TRUE: the worker will not see it. */
static gboolean
take_back (GstOrchWorker * worker, GstOrchSent * sent)
{
  GstOrchMessage message;
  GstOrchSay type;
  guint32 tag;

  /* Another one may still be before it. */
  if (!gst_orch_link_peek (&worker->inbox_end, &type, &tag)
      || type != GST_ORCH_SAY_BATCH || &worker->sent[tag] != sent)
    return FALSE;
  if (gst_orch_link_receive (&worker->inbox_end, FALSE, &message, NULL)
      != GST_ORCH_LINK_MESSAGE)
    return FALSE;
  gst_orch_message_clear (&message);
  gst_orch_sources_take_back (&worker->sources, &sent->mention);
  sent->is_let_go = TRUE;
  return TRUE;
}

void
gst_orch_worker_review_ahead (GstOrchWorker * worker)
{
  GstOrchReplica *replica = worker->replica;
  GstOrchSent *sent = gst_orch_worker_find_sent (worker, replica->ahead);

  if (!sent || (gst_orch_worker_has_properties (worker)
          && !gst_orch_batch_is_cancelled (sent->batch)
          && !gst_orch_replica_has_idle_peer (replica)))
    return;
  if (take_back (worker, sent))
    give_back (worker, sent);
}

void
gst_orch_worker_note_unread (GstOrchWorker * worker)
{
  GstOrchMessage message;

  while (gst_orch_link_receive (&worker->inbox_end, FALSE, &message, NULL)
      == GST_ORCH_LINK_MESSAGE) {
    if (message.type == GST_ORCH_SAY_BATCH)
      worker->sent[message.tag].is_unread = worker->sent[message.tag].is_ahead;
    gst_orch_message_clear (&message);
  }
}
