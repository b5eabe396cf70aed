/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchcall-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_orch_call_debug);
#define GST_CAT_DEFAULT gst_orch_call_debug

/* Credits go back in lumps of so many small outputs: each return may wake the
 * streaming thread. */
#define CREDIT_LUMP 32
#define CREDIT_LUMP_BYTES (64 * 1024)
#define NEWS_LUMP 64
/* Most buffers in one list. */
#define MAX_LIST 64

/* ---- what goes before a buffer ---- */

void
gst_orch_call_forget_sent (GstOrchCall * self)
{
  gst_orch_egress_forget (&self->output);
  g_clear_pointer (&self->sent_tags, g_ptr_array_unref);
}

/* What upstream calls the stream passes on, as soon as it is there; `force`:
 * with an id of our own if there is none yet. */
static void
send_stream_start (GstOrchCall * self, gboolean force)
{
  GstEvent *event = NULL;

  gst_orch_lock (&self->lock);
  if (!self->flushing)
    event = g_steal_pointer (&self->stream_start);
  g_mutex_unlock (&self->lock);
  if (event || force)
    gst_orch_egress_send_stream_start (&self->output, event);
}

static void
send_tags (GstOrchCall * self, GPtrArray * tags)
{
  guint i;

  if (tags == self->sent_tags)
    return;
  for (i = 0; tags && i < tags->len; i++) {
    GstEvent *event = g_ptr_array_index (tags, i);

    if (!self->sent_tags || !g_ptr_array_find (self->sent_tags, event, NULL))
      gst_pad_push_event (self->srcpad, gst_event_ref (event));
  }
  g_clear_pointer (&self->sent_tags, g_ptr_array_unref);
  self->sent_tags = tags ? g_ptr_array_ref (tags) : NULL;
}

/* ---- pushing ---- */

static void
push_events (GstOrchCall * self, GstOrchGrain * grain)
{
  GstEvent **event;

  for (event = grain->events; event && *event; event++)
    gst_pad_push_event (self->srcpad, *event);
  g_clear_pointer (&grain->events, g_free);
}

static GstCaps *
get_caps (GstOrchGrain * grain)
{
  if (grain->output_caps || !grain->context)
    return grain->output_caps;
  return grain->context->caps;
}

static void
send_context (GstOrchCall * self, GstOrchGrain * grain)
{
  gst_orch_egress_send_caps (&self->output, get_caps (grain));
  gst_orch_egress_send_segment (&self->output,
      grain->context ? grain->context->segment : NULL);
  send_tags (self, grain->context ? grain->context->tags : NULL);
}

static GstBuffer *
finish_value (GstOrchCall * self, GstOrchGrain * grain)
{
  return gst_orch_port_stamp (self->output.port, g_steal_pointer (&grain->output),
      grain->core.entity, grain->info);
}

static gboolean
is_present (GstOrchGrain * grain)
{
  return grain->core.outcome == ORCH_OUTCOME_PRESENT;
}

/* May `next` go in one list with `grain` before it? */
static gboolean
goes_along (GstOrchGrain * grain, GstOrchGrain * next)
{
  return next && is_present (next) && next->output_caps == grain->output_caps
      && next->context == grain->context && !grain->events;
}

static GstFlowReturn
push_absent (GstOrchCall * self, GstOrchGrain * grain)
{
  if (is_present (grain)) {
    gst_clear_buffer (&grain->output);
    gst_orch_egress_drop_ended (&self->output, grain->core.entity,
        grain->info);
  } else {
    gst_orch_egress_send_outcome (&self->output, grain->core.entity,
        grain->core.outcome, grain->core.cause);
  }
  push_events (self, grain);
  return GST_FLOW_OK;
}

/* The first Grain of `list`, and those behind it that may go along; they are
 * moved to `pushed`. */
static GstFlowReturn
push_some (GstOrchCall * self, OrchGrainList * list, OrchGrainList * pushed)
{
  GstOrchGrain *grain = (GstOrchGrain *) orch_grain_list_pop (list);
  GstBufferList *buffers;
  GstFlowReturn ret;

  orch_grain_list_append (pushed, &grain->core);
  if (!is_present (grain) || self->output.ended)
    return push_absent (self, grain);
  send_context (self, grain);
  if (!goes_along (grain, (GstOrchGrain *) list->head)
      || !gst_orch_pad_peer_takes_lists (self->srcpad)) {
    ret = gst_pad_push (self->srcpad, finish_value (self, grain));
    push_events (self, grain);
    return ret;
  }
  buffers = gst_buffer_list_new_sized (list->n + 1);
  gst_buffer_list_add (buffers, finish_value (self, grain));
  while (pushed->n < MAX_LIST
      && goes_along (grain, (GstOrchGrain *) list->head)) {
    grain = (GstOrchGrain *) orch_grain_list_pop (list);
    orch_grain_list_append (pushed, &grain->core);
    gst_buffer_list_add (buffers, finish_value (self, grain));
  }
  ret = gst_pad_push_list (self->srcpad, buffers);
  push_events (self, grain);
  return ret;
}

/* With the lock held: what may be pushed now. */
static void
take_pushable (GstOrchCall * self, OrchGrainList * list)
{
  GstOrchGrain *grain;

  if (self->order == GST_ORCH_ORDER_COMPLETION) {
    *list = self->sealed;
    self->sealed.head = self->sealed.tail = NULL;
    self->sealed.n = 0;
  } else {
    while ((grain = self->entered_head)
        && grain->core.phase == ORCH_GRAIN_SEALED) {
      self->entered_head = grain->next_entered;
      grain->next_entered = NULL;
      if (!self->entered_head)
        self->entered_tail = NULL;
      orch_grain_list_append (list, &grain->core);
    }
  }
}

/* A Grain that leaves must not be the one that events attach to. */
static void
forget_last_entered (GstOrchCall * self, OrchGrainList * list)
{
  OrchGrain *grain;

  if (!self->last_entered
      || self->last_entered->core.phase != ORCH_GRAIN_SEALED)
    return;
  for (grain = list->head; grain; grain = grain->next)
    if (grain == &self->last_entered->core) {
      self->last_entered = NULL;
      return;
    }
}

typedef struct
{
  guint buffers;
  guint64 bytes;
} Credit;

/* With the lock held: a quarter of the budget is free, so that the streaming
 * thread is not woken for one buffer at a time. */
static gboolean
has_ample_room (GstOrchCall * self)
{
  guint max = gst_orch_call_get_max_buffers (self);

  return self->used_buffers <= max - MAX (1, max / 4);
}

static void
give_back (GstOrchCall * self, Credit * credit)
{
  gboolean was_held;

  if (credit->buffers == 0)
    return;
  gst_orch_lock (&self->lock);
  was_held = self->unpushed_buffers >= gst_orch_call_get_max_buffers (self)
      || self->unpushed_bytes >= self->max_bytes;
  /* A flush may have emptied the books meanwhile. */
  self->used_buffers -= MIN (credit->buffers, self->used_buffers);
  self->used_bytes -= MIN (credit->bytes, self->used_bytes);
  self->unpushed_buffers -= MIN (credit->buffers, self->unpushed_buffers);
  self->unpushed_bytes -= MIN (credit->bytes, self->unpushed_bytes);
  if (self->chain_waits && has_ample_room (self))
    g_cond_signal (&self->space);
  if (was_held && orch_call_get_n_ready (self->core))
    gst_orch_call_wake_replicas (self, G_MAXUINT);
  g_mutex_unlock (&self->lock);
  credit->buffers = 0;
  credit->bytes = 0;
}

static void
note_end (GstOrchCall * self)
{
  self->output.ended = TRUE;
  gst_orch_lock (&self->lock);
  self->flow = GST_FLOW_EOS;
  g_cond_signal (&self->space);
  g_mutex_unlock (&self->lock);
}

static void
free_pushed (OrchGrainList * pushed, Credit * credit)
{
  OrchGrain *core;

  credit->buffers += pushed->n;
  for (core = pushed->head; core; core = core->next)
    credit->bytes += ((GstOrchGrain *) core)->bytes;
  gst_orch_grain_list_free (pushed);
}

static GstFlowReturn
push_all (GstOrchCall * self, OrchGrainList * list)
{
  GstFlowReturn ret = GST_FLOW_OK;
  OrchGrainList pushed = { NULL, };
  Credit credit = { 0, };

  while (list->n > 0 && ret == GST_FLOW_OK) {
    ret = push_some (self, list, &pushed);
    if (ret == GST_FLOW_EOS) {
      note_end (self);
      ret = GST_FLOW_OK;
    }
    free_pushed (&pushed, &credit);
    if (credit.buffers >= CREDIT_LUMP || credit.bytes >= CREDIT_LUMP_BYTES)
      give_back (self, &credit);
  }
  free_pushed (list, &credit);
  give_back (self, &credit);
  return ret;
}

/* ---- the task ---- */

static void
stop_with (GstOrchCall * self, GstFlowReturn ret)
{
  gboolean flushing;

  gst_orch_lock (&self->lock);
  flushing = self->flushing;
  self->flow = ret;
  g_cond_broadcast (&self->space);
  g_mutex_unlock (&self->lock);
  gst_orch_egress_end (&self->output, flushing ? GST_FLOW_FLUSHING : ret);
}

/* TRUE when there was any.  In lumps: what they lead to must go out, too. */
static gboolean
hear_news (GstOrchCall * self)
{
  GstOrchNews news;
  gboolean any = FALSE;
  guint i;

  for (i = 0; i < NEWS_LUMP && gst_orch_subscriber_pop (self->input, &news);
      i++) {
    any = TRUE;
    if (news.type == GST_ORCH_NEWS_EXPANSION) {
      gst_orch_port_post_expansion (self->output.port, news.expansion);
      gst_pad_push_event (self->srcpad,
          gst_orch_event_new_expansion (news.expansion));
    } else {
      gst_orch_call_enter_outcome (self, &news);
    }
    gst_orch_news_clear (&news);
  }
  return any;
}

/* TRUE when EOS went out. */
static gboolean
end_of_stream (GstOrchCall * self)
{
  gboolean ask = FALSE, done, closes;

  gst_orch_lock (&self->lock);
  if (self->eos && !self->resolved)
    ask = self->resolved = TRUE;
  done = self->eos && !ask && self->used_buffers == 0
      && orch_call_get_n_in_flight (self->core) == 0
      && orch_call_get_n_ready (self->core) == 0;
  closes = gst_orch_call_ledger_closes (self);
  g_mutex_unlock (&self->lock);
  if (ask)
    gst_orch_subscriber_resolve_missing (self->input);
  if (!done)
    return FALSE;
  if (!closes)
    GST_ELEMENT_ERROR (self, STREAM, FAILED,
        ("%s has lost account of its Grains.", GST_OBJECT_NAME (self)),
        ("Not every Grain that entered has ended: see its stats."));
  GST_DEBUG_OBJECT (self, "drained, sending EOS");
  gst_orch_egress_end (&self->output, GST_FLOW_OK);
  return TRUE;
}

static void
push_loose_events (GstOrchCall * self, GList * events)
{
  GList *l;

  for (l = events; l; l = l->next)
    gst_pad_push_event (self->srcpad, l->data);
  g_list_free (events);
}

/* FALSE: it has waited, to look again. */
static gboolean
wait_for_listeners (GstOrchCall * self)
{
  gboolean flushing;

  if (gst_orch_port_has_room (self->output.port))
    return TRUE;
  gst_orch_lock (&self->lock);
  flushing = self->flushing;
  g_mutex_unlock (&self->lock);
  if (!flushing)
    gst_orch_subscriber_wait (self->input);
  return flushing;
}

static void
src_loop (gpointer pad)
{
  GstOrchCall *self = (GstOrchCall *) GST_PAD_PARENT (pad);
  OrchGrainList list = { NULL, };
  GList *loose_events = NULL;
  GstFlowReturn ret;
  gboolean any, flushing;
  guint n;

  send_stream_start (self, FALSE);
  if (!wait_for_listeners (self))
    return;
  any = hear_news (self);

  gst_orch_lock (&self->lock);
  flushing = self->flushing;
  if (!flushing) {
    gst_orch_port_begin (self->output.port);
    take_pushable (self, &list);
    forget_last_entered (self, &list);
    /* They had no Grain before them when they came: what is taken with them
     * came later. */
    loose_events = g_steal_pointer (&self->loose_events);
  }
  g_mutex_unlock (&self->lock);
  if (flushing) {
    gst_pad_pause_task (self->srcpad);
    return;
  }

  n = list.n;
  if (n || any || loose_events)
    send_stream_start (self, TRUE);
  push_loose_events (self, loose_events);
  ret = push_all (self, &list);
  if (ret != GST_FLOW_OK) {
    stop_with (self, ret);
    return;
  }
  if (n || any)
    return;
  if (!end_of_stream (self))
    gst_orch_subscriber_wait (self->input);
}

void
gst_orch_call_start_src_task (GstOrchCall * self)
{
  gst_pad_start_task (self->srcpad, src_loop, self->srcpad, NULL);
}

gboolean
gst_orch_call_src_activate_mode (GstPad * pad, GstObject * parent,
    GstPadMode mode, gboolean active)
{
  GstOrchCall *self = GST_ORCH_CALL (parent);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  if (active) {
    gst_orch_egress_start (&self->output);
    gst_orch_call_start_src_task (self);
    return TRUE;
  }
  gst_orch_lock (&self->lock);
  self->flushing = TRUE;
  g_cond_broadcast (&self->space);
  g_mutex_unlock (&self->lock);
  gst_orch_subscriber_wake (self->input);
  return gst_pad_stop_task (pad);
}

/* ---- queries ---- */

/* A unit may wait for its batch to fill. */
static gboolean
query_latency (GstOrchCall * self, GstQuery * query)
{
  GstClockTime min, max, wait;
  gboolean live;

  if (!gst_pad_peer_query (self->sinkpad, query))
    return FALSE;
  gst_query_parse_latency (query, &live, &min, &max);
  gst_orch_lock (&self->lock);
  wait = self->max_wait;
  g_mutex_unlock (&self->lock);
  if (max != GST_CLOCK_TIME_NONE)
    max += wait;
  gst_query_set_latency (query, live, min + wait, max);
  return TRUE;
}

gboolean
gst_orch_call_src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstOrchCall *self = GST_ORCH_CALL (parent);

  if (gst_orch_port_query (self->output.port, query))
    return FALSE;
  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_CAPS:
      gst_orch_pad_answer_caps (query,
          gst_pad_get_pad_template_caps (self->srcpad));
      return TRUE;
    case GST_QUERY_LATENCY:
      return query_latency (self, query);
    default:
      return gst_pad_query_default (pad, parent, query);
  }
}
