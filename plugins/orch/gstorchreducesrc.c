/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchreduce-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_orch_reduce_debug);
#define GST_CAT_DEFAULT gst_orch_reduce_debug

static void
send_stream_start (GstOrchReduce * self)
{
  g_autofree gchar *id = NULL;

  if (self->sent_stream_start)
    return;
  id = gst_pad_create_stream_id (self->srcpad, GST_ELEMENT (self), "parents");
  gst_pad_push_event (self->srcpad, gst_event_new_stream_start (id));
  self->sent_stream_start = TRUE;
  gst_orch_port_announce (self->output);
}

static void
send_caps_and_segment (GstOrchReduce * self, GstCaps * caps)
{
  GstSegment segment;

  if (caps && (!self->sent_caps || !gst_caps_is_equal (caps,
              self->sent_caps))) {
    gst_pad_push_event (self->srcpad, gst_event_new_caps (caps));
    gst_caps_replace (&self->sent_caps, caps);
  }
  if (self->sent_segment)
    return;
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (self->srcpad, gst_event_new_segment (&segment));
  self->sent_segment = TRUE;
  self->next_time = 0;
}

static GstFlowReturn
push_result (GstOrchReduce * self, GstOrchReduceResult * result)
{
  GstBuffer *buffer = g_steal_pointer (&result->buffer);

  send_caps_and_segment (self, result->caps);
  GST_BUFFER_PTS (buffer) = self->next_time;
  GST_BUFFER_DURATION (buffer) = GST_SECOND;
  self->next_time += GST_SECOND;
  buffer = gst_orch_port_stamp (self->output, buffer, result->parent,
      result->info);
  return gst_pad_push (self->srcpad, buffer);
}

static void
announce (GstOrchReduce * self, GstOrchReduceResult * result,
    OrchOutcome outcome, OrchCause * cause)
{
  gst_orch_port_post_outcome (self->output, result->parent, outcome, cause,
      result->info);
  gst_pad_push_event (self->srcpad, gst_orch_event_new_outcome (result->parent,
          outcome, cause));
}

static void
announce_ended (GstOrchReduce * self, GstOrchReduceResult * result)
{
  g_autofree gchar *path = orch_entity_get_path (result->parent);
  g_autofree gchar *message = g_strdup_printf ("downstream of %s ended",
      GST_OBJECT_NAME (self));
  OrchCause *cause = orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_ENDED,
      message, path, GST_OBJECT_NAME (self));

  announce (self, result, ORCH_OUTCOME_DROPPED, cause);
  orch_cause_unref (cause);
}

static GstFlowReturn
emit (GstOrchReduce * self, GstOrchReduceResult * result)
{
  GstFlowReturn ret;

  send_stream_start (self);
  if (result->outcome != ORCH_OUTCOME_PRESENT) {
    announce (self, result, result->outcome, result->cause);
    return GST_FLOW_OK;
  }
  if (self->ended) {
    announce_ended (self, result);
    return GST_FLOW_OK;
  }
  ret = push_result (self, result);
  if (ret != GST_FLOW_EOS)
    return ret;
  self->ended = TRUE;
  self->flow = GST_FLOW_EOS;
  return GST_FLOW_OK;
}

/* ---- news ---- */

/* An Expansion of a Domain further up only passes by. */
static gboolean
is_mine (OrchDomain * domain, OrchExpansion * expansion)
{
  return domain && orch_expansion_get_domain (expansion) == domain;
}

static void
hear (GstOrchReduce * self, GstOrchNews * news, OrchDomain * domain)
{
  if (news->type == GST_ORCH_NEWS_OUTCOME)
    gst_orch_reduce_enter_outcome (self, news);
  else if (is_mine (domain, news->expansion))
    gst_orch_reduce_enter_expansion (self, news->expansion);
  else
    gst_orch_port_post_expansion (self->output, news->expansion);
}

static gboolean
hear_news (GstOrchReduce * self)
{
  OrchDomain *domain = NULL;
  GstOrchNews news;
  gboolean any = FALSE;

  while (gst_orch_subscriber_pop (self->input, &news)) {
    if (!any) {
      domain = gst_orch_subscriber_get_domain (self->input);
      send_stream_start (self);
    }
    any = TRUE;
    hear (self, &news, domain);
    gst_orch_news_clear (&news);
  }
  orch_domain_unref (domain);
  return any;
}

/* ---- the task ---- */

static void
stop_with (GstOrchReduce * self, GstFlowReturn ret)
{
  gboolean flushing;

  gst_orch_lock (&self->lock);
  flushing = self->flushing || ret == GST_FLOW_FLUSHING;
  self->flow = ret;
  g_mutex_unlock (&self->lock);
  gst_pad_pause_task (self->srcpad);
  if (!flushing) {
    GST_ELEMENT_FLOW_ERROR (self, ret);
    gst_pad_push_event (self->srcpad, gst_event_new_eos ());
  }
}

static void
wait_for_more (GstOrchReduce * self)
{
  gboolean any;

  gst_orch_lock (&self->lock);
  any = self->finished.length > 0;
  g_mutex_unlock (&self->lock);
  if (!any)
    gst_orch_subscriber_wait (self->input);
}

static void
idle (GstOrchReduce * self)
{
  gboolean ask, done, balanced;

  gst_orch_lock (&self->lock);
  ask = self->eos && !self->resolved;
  if (ask)
    self->resolved = TRUE;
  else if (self->eos)
    gst_orch_reduce_rows_drain (self->rows, &self->finished);
  done = self->eos && !ask && self->finished.length == 0;
  balanced = self->n_open == 0;
  g_mutex_unlock (&self->lock);
  if (ask) {
    gst_orch_subscriber_resolve_missing (self->input);
    return;
  }
  if (!done) {
    wait_for_more (self);
    return;
  }
  if (!balanced)
    GST_ELEMENT_ERROR (self, STREAM, FAILED,
        ("%s has parents that never came to an outcome.",
            GST_OBJECT_NAME (self)),
        ("%" G_GUINT64_FORMAT " gathers are open at the end of the stream.",
            self->n_open));
  send_stream_start (self);
  gst_pad_pause_task (self->srcpad);
  gst_pad_push_event (self->srcpad, gst_event_new_eos ());
}

static void
src_loop (gpointer pad)
{
  GstOrchReduce *self = GST_ORCH_REDUCE (GST_PAD_PARENT (pad));
  GstFlowReturn ret = GST_FLOW_OK;
  GstOrchReduceResult *result;
  GQueue finished = G_QUEUE_INIT;
  gboolean any, flushing;

  any = hear_news (self);
  gst_orch_lock (&self->lock);
  flushing = self->flushing;
  gst_orch_port_begin (self->output);
  if (!flushing) {
    finished = self->finished;
    g_queue_init (&self->finished);
  }
  g_mutex_unlock (&self->lock);
  if (flushing) {
    gst_pad_pause_task (self->srcpad);
    return;
  }
  any |= finished.length > 0;
  while ((result = g_queue_pop_head (&finished))) {
    if (ret == GST_FLOW_OK)
      ret = emit (self, result);
    gst_orch_reduce_result_free (result);
  }
  if (ret != GST_FLOW_OK)
    stop_with (self, ret);
  else if (!any)
    idle (self);
}

void
gst_orch_reduce_start_task (GstOrchReduce * self)
{
  gst_pad_start_task (self->srcpad, src_loop, self->srcpad, NULL);
}

gboolean
gst_orch_reduce_src_activate_mode (GstPad * pad, GstObject * parent,
    GstPadMode mode, gboolean active)
{
  GstOrchReduce *self = GST_ORCH_REDUCE (parent);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  gst_orch_lock (&self->lock);
  self->flushing = !active;
  g_mutex_unlock (&self->lock);
  if (active) {
    self->sent_stream_start = FALSE;
    self->sent_segment = FALSE;
    self->ended = FALSE;
    gst_orch_reduce_start_task (self);
    return TRUE;
  }
  gst_orch_subscriber_wake (self->input);
  return gst_pad_stop_task (pad);
}

gboolean
gst_orch_reduce_src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstOrchReduce *self = GST_ORCH_REDUCE (parent);

  if (gst_orch_port_query (self->output, query))
    return FALSE;
  return gst_pad_query_default (pad, parent, query);
}
