/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchreduce-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_orch_reduce_debug);
#define GST_CAT_DEFAULT gst_orch_reduce_debug

static GstFlowReturn
push_result (GstOrchReduceSrc * src, GstOrchReduceResult * result)
{
  GstBuffer *buffer = g_steal_pointer (&result->buffer);

  gst_orch_egress_send_caps (&src->egress, result->caps);
  gst_orch_egress_send_segment (&src->egress, NULL);
  GST_BUFFER_PTS (buffer) = src->next_time;
  GST_BUFFER_DURATION (buffer) = GST_SECOND;
  src->next_time += GST_SECOND;
  buffer = gst_orch_port_stamp (src->egress.port, buffer,
      g_steal_pointer (&result->parent), result->info);
  return gst_orch_egress_push (&src->egress, buffer);
}

/* With the lock held: nobody takes anything at any src pad. */
static gboolean
all_ended (GstOrchReduce * self)
{
  guint i;

  for (i = 0; i < self->inputs->len; i++) {
    GstOrchReduceInput *input = g_ptr_array_index (self->inputs, i);

    if (input->src && !gst_orch_reduce_is_gone (input) && !input->src->egress.ended)
      return FALSE;
  }
  return TRUE;
}

static void
note_end (GstOrchReduceSrc * src)
{
  GstOrchReduce *self = src->owner;

  gst_orch_lock (&self->lock);
  src->egress.ended = TRUE;
  if (all_ended (self))
    self->flow = GST_FLOW_EOS;
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
}

/* The parent itself fails when its children do not fit together. */
static void
fail (GstOrchReduceSrc * src, GstOrchReduceResult * result, OrchCause * cause)
{
  GstOrchReduce *self = src->owner;
  g_autofree gchar *path = orch_entity_get_path (result->parent);

  result->outcome = ORCH_OUTCOME_FAILED;
  result->cause = orch_cause_locate (cause, path, GST_OBJECT_NAME (self));
  orch_cause_unref (cause);
  if (src != self->src)
    return;
  gst_orch_lock (&self->lock);
  self->ledger.outcomes[ORCH_OUTCOME_PRESENT]--;
  self->ledger.outcomes[ORCH_OUTCOME_FAILED]++;
  g_mutex_unlock (&self->lock);
}

/* (transfer full): of what no child has made.  The same whichever parents came
 * before: what upstream always makes, or text, which a record holds, unless
 * downstream takes one kind only and that is another. */
static GstCaps *
caps_of_nothing (GstOrchReduceSrc * src)
{
  GstCaps *above = gst_pad_peer_query_caps (src->input->pad, NULL);
  GstCaps *below = gst_pad_peer_query_caps (src->egress.pad, NULL);
  GstCaps *caps = gst_caps_new_simple ("text/x-raw", "format", G_TYPE_STRING,
      "utf8", NULL);

  if (gst_caps_is_fixed (above))
    gst_caps_replace (&caps, above);
  else if (gst_caps_is_fixed (below) && !gst_caps_can_intersect (below, caps))
    gst_caps_replace (&caps, below);
  gst_caps_unref (above);
  gst_caps_unref (below);
  return caps;
}

/* Here, where no lock is held: it may take long. */
static void
make_value (GstOrchReduceSrc * src, GstOrchReduceResult * result)
{
  OrchCause *cause = NULL;

  switch (src->owner->mode) {
    case GST_ORCH_REDUCE_CONCAT:
      result->buffer = gst_orch_reduce_concat (result->list, &result->caps,
          &cause);
      if (result->buffer && !result->caps)
        result->caps = caps_of_nothing (src);
      break;
    case GST_ORCH_REDUCE_STACK:
      result->buffer = gst_orch_reduce_stack (result->list, &result->caps,
          &cause);
      break;
    default:
      result->buffer =
          gst_orch_list_buffer_new (g_steal_pointer (&result->list));
      result->caps = gst_caps_new_empty_simple (GST_ORCH_LIST_CAPS);
  }
  if (cause)
    fail (src, result, cause);
  else if (result->list)
    gst_orch_buffer_set_gathered (result->buffer,
        g_steal_pointer (&result->list));
}

static GstFlowReturn
emit (GstOrchReduceSrc * src, GstOrchReduceResult * result)
{
  GstFlowReturn ret;

  gst_orch_egress_send_stream_start (&src->egress, NULL);
  if (result->outcome == ORCH_OUTCOME_PRESENT && !src->egress.ended)
    make_value (src, result);
  if (result->outcome != ORCH_OUTCOME_PRESENT) {
    gst_orch_egress_announce (&src->egress, result->parent, result->outcome,
        result->cause, result->info);
    return GST_FLOW_OK;
  }
  if (src->egress.ended) {
    gst_orch_egress_drop_ended (&src->egress, result->parent, result->info);
    return GST_FLOW_OK;
  }
  ret = push_result (src, result);
  /* Not everybody needs each of the lists. */
  if (ret == GST_FLOW_NOT_LINKED && src != src->owner->src)
    ret = GST_FLOW_EOS;
  if (ret != GST_FLOW_EOS)
    return ret;
  note_end (src);
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
hear (GstOrchReduceInput * input, GstOrchNews * news, OrchDomain * domain)
{
  if (news->type == GST_ORCH_NEWS_OUTCOME)
    gst_orch_reduce_enter_outcome (input, news);
  else if (is_mine (domain, news->expansion))
    gst_orch_reduce_enter_expansion (input->owner, news->expansion);
  else if (input->src)
    gst_orch_port_post_expansion (input->src->egress.port, news->expansion);
}

static gboolean
has_room (GstOrchReduceSrc * src)
{
  gboolean result;

  gst_orch_lock (&src->owner->lock);
  result = src->finished.length < GST_ORCH_REDUCE_MAX_FINISHED;
  g_mutex_unlock (&src->owner->lock);
  return result && gst_orch_port_has_room (src->egress.port);
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
  if (!garbage)
    return;
  gst_orch_reduce_dispose (self, garbage);
  if (self->inputs->len > 1)
    gst_orch_reduce_wake (self);
}

static gboolean
hear_input (GstOrchReduceSrc * src, GstOrchReduceInput * input)
{
  OrchDomain *domain = NULL;
  GstOrchNews news;
  gboolean any = FALSE;

  while (has_room (src) && gst_orch_subscriber_pop (input->subscriber, &news)) {
    if (!any) {
      domain = gst_orch_subscriber_get_domain (input->subscriber);
      gst_orch_egress_send_stream_start (&src->egress, NULL);
    }
    any = TRUE;
    hear (input, &news, domain);
    gst_orch_news_clear (&news);
  }
  orch_domain_unref (domain);
  return any;
}

/* The task of a pad of values hears that pad, the main one the members as well. */
static gboolean
hears (GstOrchReduceSrc * src, GstOrchReduceInput * input)
{
  return !gst_orch_reduce_is_gone (input) && (input == src->input
      || (!input->src && src == src->owner->src));
}

static gboolean
hear_news (GstOrchReduceSrc * src)
{
  GPtrArray *inputs = src->owner->inputs;
  gboolean any = FALSE;
  guint i;

  for (i = 0; i < inputs->len; i++)
    if (hears (src, g_ptr_array_index (inputs, i)))
      any |= hear_input (src, g_ptr_array_index (inputs, i));
  return any;
}

/* ---- the task ---- */

static void
stop_with (GstOrchReduceSrc * src, GstFlowReturn ret)
{
  GstOrchReduce *self = src->owner;
  gboolean flushing;

  gst_orch_lock (&self->lock);
  flushing = self->flushing || src->flushing;
  if (!src->flushing)
    self->flow = ret;
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
  gst_orch_egress_end (&src->egress, flushing ? GST_FLOW_FLUSHING : ret);
}

static void
wait_for_more (GstOrchReduceSrc * src)
{
  gboolean any;

  gst_orch_lock (&src->owner->lock);
  any = src->finished.length > 0;
  g_mutex_unlock (&src->owner->lock);
  if (!any || !gst_orch_port_has_room (src->egress.port))
    gst_orch_subscriber_wait (src->input->subscriber);
}

/* With the lock held: every pad that has or will have data is at EOS, and has been
 * heard to the end. */
static gboolean
all_quiet (GstOrchReduce * self)
{
  gboolean any = FALSE;
  guint i;

  for (i = 0; i < self->inputs->len; i++) {
    GstOrchReduceInput *input = g_ptr_array_index (self->inputs, i);

    if (gst_orch_reduce_is_gone (input) || (!input->started && !gst_pad_is_linked (input->pad)))
      continue;
    if (!input->eos || !input->quiet)
      return FALSE;
    any = TRUE;
  }
  return any;
}

/* With the lock held: what closing them leaves missing is asked for once more. */
static void
cut_off (GstOrchReduce * self, GPtrArray * garbage)
{
  guint i;

  gst_orch_reduce_cut_off (self, garbage);
  self->cut_off = TRUE;
  for (i = 0; i < self->inputs->len; i++) {
    GstOrchReduceInput *input = g_ptr_array_index (self->inputs, i);

    input->resolved = input->quiet = FALSE;
  }
}

/* The end of the pads, in two steps: what has not arrived is lost; and a stream
 * that ended here but not above (an element on the way said so) ends as failed,
 * which may leave more of it missing.  TRUE when that made news. */
static gboolean
resolve_missing (GstOrchReduceSrc * src)
{
  GstOrchReduce *self = src->owner;
  GPtrArray *garbage = gst_orch_reduce_garbage_new ();
  GPtrArray *asked = g_ptr_array_new ();
  gboolean any, tell = FALSE, is_cut_off = FALSE;
  guint i;

  gst_orch_lock (&self->lock);
  for (i = 0; i < self->inputs->len; i++) {
    GstOrchReduceInput *input = g_ptr_array_index (self->inputs, i);

    if (!input->eos || !hears (src, input))
      continue;
    if (!input->resolved)
      g_ptr_array_add (asked, input->subscriber);
    tell |= input->resolved && !input->quiet;
    input->quiet = input->resolved;
    input->resolved = TRUE;
  }
  if (asked->len == 0 && self->open && !self->cut_off && all_quiet (self)
      && !gst_orch_port_is_broken (src->egress.port)) {
    cut_off (self, garbage);
    is_cut_off = TRUE;
  }
  g_mutex_unlock (&self->lock);
  gst_orch_reduce_dispose (self, garbage);
  for (i = 0; i < asked->len; i++)
    gst_orch_subscriber_resolve_missing (g_ptr_array_index (asked, i));
  any = asked->len > 0 || is_cut_off;
  g_ptr_array_unref (asked);
  /* The other tasks wait for all pads to fall silent. */
  if ((tell || is_cut_off) && self->inputs->len > 1)
    gst_orch_reduce_wake (self);
  return any;
}

static void
close_ledger (GstOrchReduce * self)
{
  guint64 n_open = gst_orch_ledger_post (&self->ledger, &self->lock,
      GST_ELEMENT (self), TRUE);

  if (n_open > 0)
    GST_ELEMENT_ERROR (self, STREAM, FAILED,
        ("%s has parents that never came to an outcome.",
            GST_OBJECT_NAME (self)),
        ("%" G_GUINT64_FORMAT " gathers are open at the end of the stream.",
            n_open));
}

static void
idle (GstOrchReduceSrc * src)
{
  GstOrchReduce *self = src->owner;
  gboolean done, is_broken;

  if (!gst_orch_port_has_room (src->egress.port)) {
    gst_orch_subscriber_wait (src->input->subscriber);
    return;
  }
  if (resolve_missing (src))
    return;
  gst_orch_lock (&self->lock);
  done = all_quiet (self);
  is_broken = done && gst_orch_port_is_broken (src->egress.port);
  done &= !self->open || self->cut_off || is_broken;
  if (done)
    gst_orch_reduce_rows_drain (src->rows, &src->finished);
  done &= src->finished.length == 0;
  g_mutex_unlock (&self->lock);
  if (!done) {
    wait_for_more (src);
    return;
  }
  if (src == self->src && !is_broken)
    close_ledger (self);
  gst_orch_egress_end (&src->egress, GST_FLOW_OK);
}

/* (transfer full) (nullable): one at a time, so that the bound of what waits
 * holds. */
static GstOrchReduceResult *
take_result (GstOrchReduceSrc * src)
{
  GstOrchReduce *self = src->owner;
  GstOrchReduceResult *result = NULL;

  gst_orch_lock (&self->lock);
  gst_orch_port_begin (src->egress.port);
  if (!self->flushing && !src->flushing) {
    result = g_queue_pop_head (&src->finished);
    if (src->finished.length == GST_ORCH_REDUCE_MAX_FINISHED / 2)
      g_cond_broadcast (&self->room);
  }
  g_mutex_unlock (&self->lock);
  return result;
}

static gboolean
is_flushing (GstOrchReduceSrc * src)
{
  gboolean result;

  gst_orch_lock (&src->owner->lock);
  result = src->owner->flushing || src->flushing;
  g_mutex_unlock (&src->owner->lock);
  return result;
}

static void
src_loop (gpointer data)
{
  GstOrchReduceSrc *src = data;
  GstFlowReturn ret = GST_FLOW_OK;
  GstOrchReduceResult *result;
  gboolean any;

  if (is_flushing (src)) {
    gst_pad_pause_task (src->egress.pad);
    return;
  }
  any = hear_news (src);
  if (src == src->owner->src)
    look_at_held (src->owner);
  while (ret == GST_FLOW_OK && gst_orch_port_has_room (src->egress.port)
      && (result = take_result (src))) {
    any = TRUE;
    ret = emit (src, result);
    gst_orch_reduce_result_free (result);
  }
  if (ret != GST_FLOW_OK)
    stop_with (src, ret);
  else if (!any)
    idle (src);
}

void
gst_orch_reduce_start_task (GstOrchReduceSrc * src)
{
  gst_pad_start_task (src->egress.pad, src_loop, src, NULL);
}

/* ---- the pad ---- */

static gboolean
src_activate_mode (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstOrchReduceSrc *src = gst_pad_get_element_private (pad);
  GstOrchReduce *self = src->owner;

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  gst_orch_lock (&self->lock);
  src->flushing = !active;
  if (src == self->src)
    self->flushing = !active;
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
  if (active) {
    gst_orch_egress_start (&src->egress);
    src->next_time = 0;
    gst_orch_reduce_start_task (src);
    return TRUE;
  }
  gst_orch_subscriber_wake (src->input->subscriber);
  return gst_pad_stop_task (pad);
}

static gboolean
src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstOrchReduceSrc *src = gst_pad_get_element_private (pad);

  if (gst_orch_port_query (src->egress.port, query))
    return FALSE;
  return gst_pad_query_default (pad, parent, query);
}

GstOrchReduceSrc *
gst_orch_reduce_src_new (GstOrchReduce * self, GstPad * pad,
    GstOrchReduceInput * input)
{
  GstOrchReduceSrc *src = g_new0 (GstOrchReduceSrc, 1);

  src->owner = self;
  src->input = input;
  g_queue_init (&src->finished);
  src->rows = gst_orch_reduce_rows_new ();
  gst_pad_set_element_private (pad, src);
  gst_pad_set_query_function (pad, src_query);
  gst_pad_set_activatemode_function (pad, src_activate_mode);
  gst_orch_egress_init (&src->egress, pad, input->subscriber,
      GST_ORCH_DOMAIN_PARENT);
  gst_orch_port_set_unwanted_func (src->egress.port, gst_orch_reduce_unwant);
  return src;
}

void
gst_orch_reduce_src_free (GstOrchReduceSrc * src)
{
  if (!src)
    return;
  gst_orch_egress_clear (&src->egress);
  g_queue_clear_full (&src->finished, gst_orch_reduce_result_free);
  g_hash_table_unref (src->rows);
  g_free (src);
}

void
gst_orch_reduce_src_steal (GstOrchReduceSrc * src, GQueue * finished,
    GHashTable ** rows)
{
  gpointer result;

  while ((result = g_queue_pop_head (&src->finished)))
    g_queue_push_tail (finished, result);
  *rows = src->rows;
  src->rows = gst_orch_reduce_rows_new ();
}
