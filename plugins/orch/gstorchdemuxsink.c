/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchdemux-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_orch_demux_debug);
#define GST_CAT_DEFAULT gst_orch_demux_debug

/* ---- buffers ---- */

/* With the lock held: a pad that nobody empties holds back all, as with any
 * demuxer. */
static void
wait_for_room (GstOrchDemux * self, OrchExpansion * expansion)
{
  GstOrchDemuxOutput *output;

  while (!self->flushing && self->flow == GST_FLOW_OK
      && (output = gst_orch_demux_find_output (self, expansion))
      && !output->ended && output->n_buffers >= self->max_buffers)
    g_cond_wait (&self->room, &self->lock);
}

static void
post_refusal (GstOrchDemux * self)
{
  GST_ELEMENT_ERROR (self, STREAM, WRONG_TYPE,
      ("%s gets units that are of no stream.", GST_OBJECT_NAME (self)),
      ("It takes streams apart that an orchexpand has put together. Children of "
          "documents are gathered by orchreduce."));
}

/* What came last is of no stream: said once, and before the streaming thread returns
 * an error, which upstream would post without saying why. */
static void
check_refusal (GstOrchDemux * self)
{
  gboolean due;

  g_mutex_lock (&self->adding);
  gst_orch_lock (&self->lock);
  due = self->refused && !self->refusal_posted;
  self->refusal_posted |= due;
  g_mutex_unlock (&self->lock);
  if (due)
    post_refusal (self);
  g_mutex_unlock (&self->adding);
}

/* What is known of one child; no lock held. */
static GstFlowReturn
enter (GstOrchDemux * self, OrchEntity * entity, GstOrchDemuxUnit * unit,
    gboolean may_wait)
{
  gboolean refused, taken = FALSE;
  GstFlowReturn ret;

  gst_orch_lock (&self->lock);
  if (may_wait)
    wait_for_room (self, entity->expansion);
  ret = self->flushing ? GST_FLOW_FLUSHING : self->flow;
  if (ret == GST_FLOW_OK)
    taken = gst_orch_demux_enter (self, entity, unit);
  refused = self->refused;
  gst_orch_demux_unlock (self);
  if (!taken)
    gst_orch_demux_unit_free (unit);
  if (refused)
    check_refusal (self);
  return refused ? GST_FLOW_ERROR : ret;
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstOrchDemux *self = GST_ORCH_DEMUX (parent);
  GstOrchTaken taken;
  GstFlowReturn ret;

  if (!gst_orch_subscriber_take_one (self->input, buffer, &taken, &ret))
    return ret;
  ret = enter (self, taken.entity,
      gst_orch_demux_unit_new (ORCH_OUTCOME_PRESENT, buffer, self->caps,
          taken.info), TRUE);
  orch_entity_unref (taken.entity);
  return ret;
}

/* ---- events ---- */

static void
flush_outputs (GstOrchDemux * self, GstEvent * event,
    void (*flush) (GstOrchDemuxOutput *, GstEvent *))
{
  GList *outputs, *l;

  /* Pads go only in the task, which is paused, and in state changes. */
  gst_orch_lock (&self->lock);
  outputs = g_list_copy (self->outputs);
  g_mutex_unlock (&self->lock);
  for (l = outputs; l; l = l->next)
    flush (l->data, gst_event_ref (event));
  g_list_free (outputs);
  gst_event_unref (event);
}

/* With the lock held. */
static void
forget_all (GstOrchDemux * self, GPtrArray * units, GPtrArray * items)
{
  GList *l;

  for (l = self->outputs; l; l = l->next) {
    GstOrchDemuxOutput *output = l->data;

    while (output->streams.length > 0)
      gst_orch_demux_forget_stream (output, units);
    gst_orch_demux_output_empty (output, items);
  }
}

void
gst_orch_demux_drop_all (GstOrchDemux * self)
{
  GPtrArray *units = g_ptr_array_new_with_free_func (gst_orch_demux_unit_free);
  GPtrArray *items = g_ptr_array_new_with_free_func ((GDestroyNotify)
      gst_mini_object_unref);

  gst_orch_lock (&self->lock);
  forget_all (self, units, items);
  gst_orch_demux_unlock (self);
  g_ptr_array_unref (units);
  g_ptr_array_unref (items);
}

static void
pause_task (GstOrchDemux * self)
{
  gst_task_pause (self->task);
  gst_orch_subscriber_wake (self->input);
  g_rec_mutex_lock (&self->task_lock);
  g_rec_mutex_unlock (&self->task_lock);
}

static void
set_flushing (GstOrchDemux * self, gboolean flushing)
{
  gst_orch_lock (&self->lock);
  self->flushing = flushing;
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
}

static void
flush_start (GstOrchDemux * self, GstEvent * event)
{
  set_flushing (self, TRUE);
  pause_task (self);
  flush_outputs (self, event, gst_orch_demux_output_flush_start);
}

static void
flush_stop (GstOrchDemux * self, GstEvent * event)
{
  gst_orch_subscriber_flush (self->input);
  gst_orch_demux_drop_all (self);
  gst_orch_lock (&self->lock);
  self->flow = GST_FLOW_OK;
  self->eos = self->resolved = self->done = FALSE;
  self->refused = self->refusal_posted = self->told_no_more = FALSE;
  gst_orch_demux_expect_new (self);
  g_mutex_unlock (&self->lock);
  flush_outputs (self, event, gst_orch_demux_output_flush_stop);
  set_flushing (self, FALSE);
  gst_task_start (self->task);
}

static void
note_stream (GstOrchDemux * self, gboolean ends)
{
  gst_orch_subscriber_update (self->input);
  gst_orch_lock (&self->lock);
  self->eos = ends;
  self->resolved = self->done = FALSE;
  g_mutex_unlock (&self->lock);
  gst_orch_subscriber_wake (self->input);
}

/* Stream-start, segment and tags that come here are those of all streams
 * together. */
static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstOrchDemux *self = GST_ORCH_DEMUX (parent);
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      flush_start (self, event);
      return TRUE;
    case GST_EVENT_FLUSH_STOP:
      flush_stop (self, event);
      return TRUE;
    case GST_EVENT_STREAM_START:
      note_stream (self, FALSE);
      break;
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      gst_caps_replace (&self->caps, caps);
      break;
    case GST_EVENT_EOS:
      note_stream (self, TRUE);
      break;
    default:
      break;
  }
  gst_event_unref (event);
  return TRUE;
}

/* Caps are of one stream, and behind this the streams are apart again. */
static gboolean
sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstOrchDemux *self = GST_ORCH_DEMUX (parent);

  if (gst_orch_subscriber_query (self->input, query))
    return FALSE;
  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_CUSTOM:
    case GST_QUERY_ALLOCATION:
      return FALSE;
    case GST_QUERY_CAPS:
      gst_orch_pad_answer_caps (query, gst_caps_new_any ());
      return TRUE;
    case GST_QUERY_ACCEPT_CAPS:
      gst_query_set_accept_caps_result (query, TRUE);
      return TRUE;
    default:
      return gst_pad_query_default (pad, parent, query);
  }
}

static gboolean
sink_activate_mode (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  set_flushing (GST_ORCH_DEMUX (parent), !active);
  return TRUE;
}

void
gst_orch_demux_init_sink (GstOrchDemux * self, GstPad * pad)
{
  self->sinkpad = pad;
  self->input = gst_orch_subscriber_new (pad);
  gst_pad_set_chain_function (pad, chain);
  gst_pad_set_event_function (pad, sink_event);
  gst_pad_set_query_function (pad, sink_query);
  gst_pad_set_activatemode_function (pad, sink_activate_mode);
}

/* ---- the task: what no buffer brings ---- */

static gboolean
hear_news (GstOrchDemux * self)
{
  GstOrchNews news;
  gboolean any = FALSE;

  while (gst_orch_subscriber_pop (self->input, &news)) {
    any = TRUE;
    if (news.type == GST_ORCH_NEWS_OUTCOME) {
      enter (self, news.entity, gst_orch_demux_unit_new (news.outcome, NULL,
              NULL, g_steal_pointer (&news.info)), FALSE);
    } else {
      gst_orch_lock (&self->lock);
      gst_orch_demux_enter_expansion (self, news.expansion);
      gst_orch_demux_unlock (self);
      check_refusal (self);
    }
    gst_orch_news_clear (&news);
  }
  return any;
}

/* The source of one stream has sought: its pad is flushed, the others are not. */
static void
flush_output (GstOrchDemux * self, GstOrchDemuxOutput * output)
{
  GPtrArray *units = g_ptr_array_new_with_free_func (gst_orch_demux_unit_free);
  GPtrArray *items = g_ptr_array_new_with_free_func ((GDestroyNotify)
      gst_mini_object_unref);

  gst_orch_demux_output_flush_start (output, gst_event_new_flush_start ());
  gst_orch_lock (&self->lock);
  gst_orch_demux_output_empty (output, items);
  gst_orch_demux_forget_flushed (output, units);
  gst_orch_demux_unlock (self);
  gst_orch_demux_output_flush_stop (output, gst_event_new_flush_stop (TRUE));
  g_ptr_array_unref (units);
  g_ptr_array_unref (items);
}

/* With the lock held: (nullable): one that is to be flushed, or to go. */
static GstOrchDemuxOutput *
find_changed (GstOrchDemux * self, gboolean * goes)
{
  GList *l;

  for (l = self->outputs; l; l = l->next) {
    GstOrchDemuxOutput *output = l->data;

    *goes = output->is_finished && output->streams.length == 0
        && gst_orch_demux_output_is_orphan (output);
    if (*goes || output->n_flushes != output->n_flushes_due)
      return output;
  }
  return NULL;
}

/* Its number is free when its pad is gone. */
static void
remove_output (GstOrchDemux * self, GstOrchDemuxOutput * output)
{
  gst_orch_demux_output_close (output);
  gst_orch_lock (&self->lock);
  self->outputs = g_list_remove (self->outputs, output);
  g_mutex_unlock (&self->lock);
  gst_orch_demux_output_free (output);
}

static void
change_outputs (GstOrchDemux * self)
{
  GstOrchDemuxOutput *output;
  gboolean goes;

  do {
    gst_orch_lock (&self->lock);
    output = find_changed (self, &goes);
    if (output && goes)
      output->is_going = TRUE;
    g_mutex_unlock (&self->lock);
    if (output && goes)
      remove_output (self, output);
    else if (output)
      flush_output (self, output);
  } while (output);
}

/* ---- the end ---- */

/* Every stream has ended, or is cut off with what is above. */
static void
forget_rest (GstOrchDemux * self)
{
  GPtrArray *units = g_ptr_array_new_with_free_func (gst_orch_demux_unit_free);
  GList *l;

  gst_orch_lock (&self->lock);
  for (l = self->outputs; l; l = l->next)
    while (((GstOrchDemuxOutput *) l->data)->streams.length > 0)
      gst_orch_demux_forget_stream (l->data, units);
  self->done = TRUE;
  gst_orch_demux_unlock (self);
  g_ptr_array_unref (units);
}

static void
end_outputs (GstOrchDemux * self)
{
  GList *l;

  gst_orch_lock (&self->lock);
  for (l = self->outputs; l; l = l->next)
    gst_orch_demux_output_end (l->data);
  g_mutex_unlock (&self->lock);
}

static void
finish (GstOrchDemux * self)
{
  gboolean any = self->outputs != NULL;

  forget_rest (self);
  gst_orch_ledger_post (&self->ledger, &self->lock, GST_ELEMENT (self),
      !gst_orch_subscriber_is_broken (self->input));
  end_outputs (self);
  if (!any && !gst_orch_subscriber_is_broken (self->input))
    GST_ELEMENT_ERROR (self, STREAM, FAILED,
        ("%s came to its end without any stream.", GST_OBJECT_NAME (self)),
        ("Nothing is linked to the orchexpand before it."));
}

/* With the lock held: the task of each pad has got to the end, so that all of them have
 * been added. */
static gboolean
are_all_finished (GstOrchDemux * self)
{
  GList *l;

  for (l = self->outputs; l; l = l->next)
    if (!((GstOrchDemuxOutput *) l->data)->is_finished)
      return FALSE;
  return self->outputs != NULL;
}

static void
tell_no_more (GstOrchDemux * self)
{
  gboolean due;

  gst_orch_lock (&self->lock);
  due = self->done && !self->told_no_more && are_all_finished (self);
  self->told_no_more |= due;
  g_mutex_unlock (&self->lock);
  if (!due)
    return;
  g_mutex_lock (&self->adding);
  gst_element_no_more_pads (GST_ELEMENT (self));
  g_mutex_unlock (&self->adding);
}

void
gst_orch_demux_loop (gpointer user_data)
{
  GstOrchDemux *self = user_data;
  gboolean any, eos, resolves;

  /* Seen before the last look, so that nothing can come after it. */
  gst_orch_lock (&self->lock);
  eos = self->eos && !self->done && !self->flushing;
  resolves = eos && !self->resolved;
  g_mutex_unlock (&self->lock);
  any = hear_news (self);
  change_outputs (self);
  tell_no_more (self);
  if (any)
    return;
  if (resolves) {
    gst_orch_lock (&self->lock);
    self->resolved = TRUE;
    g_mutex_unlock (&self->lock);
    gst_orch_subscriber_resolve_missing (self->input);
  } else if (eos) {
    finish (self);
  } else {
    gst_orch_subscriber_wait (self->input);
  }
}
