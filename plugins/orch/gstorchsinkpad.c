/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchsink-private.h"

#include <gst/orch/gstorchactivity-private.h>

/* Results between the streaming thread and the task.  Few: one may be a large
 * document. */
#define MAX_QUEUED 16

static void
result_free (gpointer data)
{
  gst_orch_result_clear (data);
  g_slice_free (GstOrchResult, data);
}

void
gst_orch_sink_clear_queue (GstOrchSink * self)
{
  GQueue old;

  g_mutex_lock (&self->lock);
  old = self->queue;
  g_queue_init (&self->queue);
  g_mutex_unlock (&self->lock);
  g_queue_clear_full (&old, result_free);
}

/* ---- buffers ---- */

static GstFlowReturn
enqueue (GstOrchSink * self, GstOrchResult * result)
{
  GstFlowReturn flow;

  g_mutex_lock (&self->lock);
  while (self->flow == GST_FLOW_OK && !self->flushing
      && self->queue.length >= MAX_QUEUED)
    g_cond_wait (&self->space, &self->lock);
  flow = self->flushing ? GST_FLOW_FLUSHING : self->flow;
  if (flow == GST_FLOW_OK)
    g_queue_push_tail (&self->queue, result);
  g_mutex_unlock (&self->lock);
  if (flow == GST_FLOW_OK)
    gst_orch_subscriber_wake (self->input);
  else
    result_free (result);
  return flow;
}

static gboolean
can_write (GstOrchSink * self)
{
  GstOrchValueKind kind = gst_orch_value_get_kind (self->caps);

  return kind != GST_ORCH_VALUE_OTHER && (kind != GST_ORCH_VALUE_MEDIA
      || gst_orch_sink_takes_media (self));
}

static void
refuse_kind (GstOrchSink * self)
{
  g_autofree gchar *explanation = gst_orch_value_explain (self->caps);

  GST_ELEMENT_ERROR (self, STREAM, WRONG_TYPE, ("%s", explanation), (NULL));
  gst_orch_sink_end (self);
}

GstFlowReturn
gst_orch_sink_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstOrchSink *self = GST_ORCH_SINK (parent);
  GstOrchResult *result;
  GstOrchTaken taken;
  GstFlowReturn ret;

  if (!self->caps)
    refuse_kind (self);
  if (!can_write (self)) {
    gst_buffer_unref (buffer);
    return GST_FLOW_FLUSHING;
  }
  if (!gst_orch_subscriber_take_one (self->input, buffer, &taken, &ret))
    return ret;
  result = g_slice_new0 (GstOrchResult);
  result->entity = taken.entity;
  result->outcome = ORCH_OUTCOME_PRESENT;
  result->info = taken.info;
  result->buffer = buffer;
  result->caps = gst_caps_ref (self->caps);
  return enqueue (self, result);
}

/* ---- events ---- */

/* Refused with an error of our own, which says more than not-negotiated. */
static void
handle_caps (GstOrchSink * self, GstEvent * event)
{
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  gst_caps_replace (&self->caps, caps);
  if (!can_write (self))
    refuse_kind (self);
}

static void
handle_stream_start (GstOrchSink * self, GstEvent * event)
{
  GstMessage *message = gst_message_new_stream_start (GST_OBJECT (self));
  guint group;

  gst_message_set_seqnum (message, gst_event_get_seqnum (event));
  if (gst_event_parse_group_id (event, &group))
    gst_message_set_group_id (message, group);
  gst_element_post_message (GST_ELEMENT (self), message);
  gst_orch_subscriber_update (self->input);
}

static void
handle_eos (GstOrchSink * self, GstEvent * event)
{
  gst_orch_subscriber_update (self->input);
  gst_orch_subscriber_resolve_missing (self->input);
  g_mutex_lock (&self->lock);
  self->eos = TRUE;
  self->eos_seqnum = gst_event_get_seqnum (event);
  g_mutex_unlock (&self->lock);
  gst_orch_subscriber_wake (self->input);
}

static void
set_flushing (GstOrchSink * self, gboolean flushing)
{
  g_mutex_lock (&self->lock);
  self->flushing = flushing;
  if (flushing)
    g_cond_broadcast (&self->space);
  g_mutex_unlock (&self->lock);
}

/* What has not come need not come any more (semantics S9.2). */
static void
handle_flush_stop (GstOrchSink * self)
{
  guint i;

  gst_orch_subscriber_flush (self->input);
  gst_orch_sink_clear_queue (self);
  g_mutex_lock (&self->lock);
  for (i = 0; i < self->runs->len; i++)
    gst_orch_sink_run_forget (g_ptr_array_index (self->runs, i));
  self->eos = self->done = self->eos_posted = FALSE;
  g_mutex_unlock (&self->lock);
  set_flushing (self, FALSE);
}

gboolean
gst_orch_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstOrchSink *self = GST_ORCH_SINK (parent);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      handle_stream_start (self, event);
      break;
    case GST_EVENT_CAPS:
      handle_caps (self, event);
      break;
    case GST_EVENT_EOS:
      handle_eos (self, event);
      break;
    case GST_EVENT_FLUSH_START:
      set_flushing (self, TRUE);
      break;
    case GST_EVENT_FLUSH_STOP:
      handle_flush_stop (self);
      break;
    default:
      break;
  }
  gst_event_unref (event);
  return TRUE;
}

/* ---- queries ---- */

static void
join_run (GstOrchSink * self, GstOrchRoots * roots, GstQuery * query)
{
  const gchar *file = self->resuming
      ? gst_orch_output_get_record_file (self->output) : NULL;

  g_mutex_lock (&self->lock);
  gst_orch_sink_get_run (self, roots, NULL);
  g_mutex_unlock (&self->lock);
  if (!file)
    return;
  GST_OBJECT_LOCK (self);
  gst_orch_roots_query_add_resume (query, file, self->retry_failed);
  GST_OBJECT_UNLOCK (self);
}

static void
add_activity (GstOrchSink * self, GstQuery * query)
{
  GstOrchActivity *activity = gst_orch_activity_get (query);

  if (!activity)
    return;
  g_mutex_lock (&self->lock);
  if (self->summary)
    activity->done += gst_orch_summary_get_n_records (self->summary);
  g_mutex_unlock (&self->lock);
}

/* Ours go on, to what else is below a tee. */
gboolean
gst_orch_sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstOrchSink *self = GST_ORCH_SINK (parent);
  GstOrchRoots *roots = gst_orch_roots_query_parse (query);

  if (gst_orch_subscriber_query (self->input, query))
    return FALSE;
  if (roots && self->output)
    join_run (self, roots, query);
  add_activity (self, query);
  return gst_pad_query_default (pad, parent, query);
}

gboolean
gst_orch_sink_activate_mode (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstOrchSink *self = GST_ORCH_SINK (parent);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  set_flushing (self, !active);
  return TRUE;
}
