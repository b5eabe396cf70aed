/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchreduce-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_orch_reduce_debug);
#define GST_CAT_DEFAULT gst_orch_reduce_debug

static GstFlowReturn
push_result (GstOrchReduce * self, GstOrchReduceResult * result)
{
  GstBuffer *buffer = g_steal_pointer (&result->buffer);

  gst_orch_egress_send_caps (&self->output, result->caps);
  gst_orch_egress_send_segment (&self->output, NULL);
  GST_BUFFER_PTS (buffer) = self->next_time;
  GST_BUFFER_DURATION (buffer) = GST_SECOND;
  self->next_time += GST_SECOND;
  buffer = gst_orch_port_stamp (self->output.port, buffer, result->parent,
      result->info);
  return gst_pad_push (self->srcpad, buffer);
}

static GstFlowReturn
emit (GstOrchReduce * self, GstOrchReduceResult * result)
{
  GstFlowReturn ret;

  gst_orch_egress_send_stream_start (&self->output, NULL);
  if (result->outcome != ORCH_OUTCOME_PRESENT) {
    gst_orch_egress_announce (&self->output, result->parent, result->outcome,
        result->cause, result->info);
    return GST_FLOW_OK;
  }
  if (self->output.ended) {
    gst_orch_egress_drop_ended (&self->output, result->parent, result->info);
    return GST_FLOW_OK;
  }
  ret = push_result (self, result);
  if (ret != GST_FLOW_EOS)
    return ret;
  self->output.ended = TRUE;
  gst_orch_lock (&self->lock);
  self->flow = GST_FLOW_EOS;
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
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
    gst_orch_port_post_expansion (self->output.port, news->expansion);
}

static gboolean
has_room (GstOrchReduce * self)
{
  gboolean result;

  gst_orch_lock (&self->lock);
  result = self->finished.length < GST_ORCH_REDUCE_MAX_FINISHED;
  g_mutex_unlock (&self->lock);
  return result && gst_orch_port_has_room (self->output.port);
}

/* A Call above has sealed some of what parents wait for, though no child of theirs
 * says so. */
static void
look_at_held (GstOrchReduce * self)
{
  GPtrArray *garbage = NULL;

  gst_orch_lock (&self->lock);
  if (self->any_held) {
    garbage = gst_orch_reduce_garbage_new ();
    gst_orch_reduce_check_held (self, garbage);
  }
  g_mutex_unlock (&self->lock);
  if (garbage)
    gst_orch_reduce_dispose (self, garbage);
}

static gboolean
hear_news (GstOrchReduce * self)
{
  OrchDomain *domain = NULL;
  GstOrchNews news;
  gboolean any = FALSE;

  while (has_room (self) && gst_orch_subscriber_pop (self->input, &news)) {
    if (!any) {
      domain = gst_orch_subscriber_get_domain (self->input);
      gst_orch_egress_send_stream_start (&self->output, NULL);
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
  flushing = self->flushing;
  self->flow = ret;
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
  gst_orch_egress_end (&self->output, flushing ? GST_FLOW_FLUSHING : ret);
}

static void
wait_for_more (GstOrchReduce * self)
{
  gboolean any;

  gst_orch_lock (&self->lock);
  any = self->finished.length > 0;
  g_mutex_unlock (&self->lock);
  if (!any || !gst_orch_port_has_room (self->output.port))
    gst_orch_subscriber_wait (self->input);
}

/* The end of the pad, in two steps: what has not arrived is lost; and a stream
 * that ended here but not above (an element on the way said so) ends as failed,
 * which may leave more of it missing.  TRUE when that made news. */
static gboolean
resolve_missing (GstOrchReduce * self)
{
  GPtrArray *garbage = gst_orch_reduce_garbage_new ();
  gboolean ask;

  gst_orch_lock (&self->lock);
  ask = self->eos && (!self->resolved || self->open) && !self->cut_off;
  if (ask && self->resolved) {
    gst_orch_reduce_cut_off (self, garbage);
    self->cut_off = TRUE;
  }
  if (ask)
    self->resolved = TRUE;
  g_mutex_unlock (&self->lock);
  gst_orch_reduce_dispose (self, garbage);
  if (ask)
    gst_orch_subscriber_resolve_missing (self->input);
  return ask;
}

static void
idle (GstOrchReduce * self)
{
  gboolean done;
  guint64 n_open;

  if (!gst_orch_port_has_room (self->output.port)) {
    gst_orch_subscriber_wait (self->input);
    return;
  }
  if (resolve_missing (self))
    return;
  gst_orch_lock (&self->lock);
  if (self->eos)
    gst_orch_reduce_rows_drain (self->rows, &self->finished);
  done = self->eos && self->finished.length == 0;
  g_mutex_unlock (&self->lock);
  if (!done) {
    wait_for_more (self);
    return;
  }
  n_open = gst_orch_ledger_post (&self->ledger, &self->lock,
      GST_ELEMENT (self), TRUE);
  if (n_open > 0)
    GST_ELEMENT_ERROR (self, STREAM, FAILED,
        ("%s has parents that never came to an outcome.",
            GST_OBJECT_NAME (self)),
        ("%" G_GUINT64_FORMAT " gathers are open at the end of the stream.",
            n_open));
  gst_orch_egress_end (&self->output, GST_FLOW_OK);
}

/* (transfer full) (nullable): one at a time, so that the bound of what waits
 * holds. */
static GstOrchReduceResult *
take_result (GstOrchReduce * self)
{
  GstOrchReduceResult *result = NULL;

  gst_orch_lock (&self->lock);
  gst_orch_port_begin (self->output.port);
  if (!self->flushing) {
    result = g_queue_pop_head (&self->finished);
    if (self->finished.length == GST_ORCH_REDUCE_MAX_FINISHED / 2)
      g_cond_broadcast (&self->room);
  }
  g_mutex_unlock (&self->lock);
  return result;
}

static gboolean
is_flushing (GstOrchReduce * self)
{
  gboolean result;

  gst_orch_lock (&self->lock);
  result = self->flushing;
  g_mutex_unlock (&self->lock);
  return result;
}

static void
src_loop (gpointer pad)
{
  GstOrchReduce *self = GST_ORCH_REDUCE (GST_PAD_PARENT (pad));
  GstFlowReturn ret = GST_FLOW_OK;
  GstOrchReduceResult *result;
  gboolean any;

  if (is_flushing (self)) {
    gst_pad_pause_task (self->srcpad);
    return;
  }
  any = hear_news (self);
  look_at_held (self);
  while (ret == GST_FLOW_OK && gst_orch_port_has_room (self->output.port)
      && (result = take_result (self))) {
    any = TRUE;
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
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
  if (active) {
    gst_orch_egress_start (&self->output);
    self->next_time = 0;
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

  if (gst_orch_port_query (self->output.port, query))
    return FALSE;
  return gst_pad_query_default (pad, parent, query);
}
