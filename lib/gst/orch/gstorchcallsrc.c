/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchcall-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_orch_call_debug);
#define GST_CAT_DEFAULT gst_orch_call_debug

/* Credits go back in lumps of so many small outputs: each return may wake the
 * streaming thread. */
#define CREDIT_LUMP 64
#define CREDIT_LUMP_BYTES (64 * 1024)
#define NEWS_LUMP 64
/* Pushing such a lump takes less than this where nobody makes it wait. */
#define QUICK_PUSH_US 1000
/* Most buffers in one list. */
#define MAX_LIST 128

/* ---- what goes before a buffer ---- */

void
gst_orch_call_forget_sent (GstOrchCallOutput * output)
{
  gst_orch_egress_forget (&output->egress);
  g_clear_pointer (&output->sent_tags, g_ptr_array_unref);
}

/* What upstream calls the stream passes on, as soon as it is there; `force`:
 * with an id of our own if there is none yet. */
static void
send_stream_start (GstOrchCallOutput * output, gboolean force)
{
  GstOrchCall *self = output->call;
  GstEvent *event = NULL;

  gst_orch_lock (&self->lock);
  if (!self->flushing)
    event = g_steal_pointer (&output->stream_start);
  g_mutex_unlock (&self->lock);
  if (event || force)
    gst_orch_egress_send_stream_start (&output->egress, event);
}

static void
send_tags (GstOrchCallOutput * output, GPtrArray * tags)
{
  guint i;

  if (tags == output->sent_tags)
    return;
  for (i = 0; tags && i < tags->len; i++) {
    GstEvent *event = g_ptr_array_index (tags, i);

    if (!output->sent_tags
        || !g_ptr_array_find (output->sent_tags, event, NULL))
      gst_pad_push_event (output->egress.pad, gst_event_ref (event));
  }
  g_clear_pointer (&output->sent_tags, g_ptr_array_unref);
  output->sent_tags = tags ? g_ptr_array_ref (tags) : NULL;
}

/* ---- pushing ---- */

static void
push_events (GstOrchCallOutput * output, GstOrchGrain * grain)
{
  GstEvent **event;

  for (event = grain->events; event && *event; event++)
    gst_pad_push_event (output->egress.pad, *event);
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
send_context (GstOrchCallOutput * output, GstOrchGrain * grain)
{
  gst_orch_egress_send_caps (&output->egress, get_caps (grain));
  gst_orch_egress_send_segment (&output->egress,
      grain->context ? grain->context->segment : NULL);
  send_tags (output, grain->context ? grain->context->tags : NULL);
}

static GstBuffer *
finish_value (GstOrchCallOutput * output, GstOrchGrain * grain)
{
  return gst_orch_port_stamp (output->egress.port,
      g_steal_pointer (&grain->output), g_steal_pointer (&grain->core.entity),
      grain->info);
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
push_absent (GstOrchCallOutput * output, GstOrchGrain * grain)
{
  if (is_present (grain)) {
    gst_clear_buffer (&grain->output);
    gst_orch_egress_drop_ended (&output->egress, grain->core.entity,
        grain->info);
  } else {
    gst_orch_egress_send_outcome (&output->egress, grain->core.entity,
        grain->core.outcome, grain->core.cause);
  }
  push_events (output, grain);
  return GST_FLOW_OK;
}

/* The first Grain of `list`, and those behind it that may go along; they are
 * moved to `pushed`. */
static GstFlowReturn
push_some (GstOrchCallOutput * output, OrchGrainList * list,
    OrchGrainList * pushed)
{
  GstOrchGrain *grain = (GstOrchGrain *) orch_grain_list_pop (list);
  GstBufferList *buffers;
  GstFlowReturn ret;

  orch_grain_list_append (pushed, &grain->core);
  if (!is_present (grain) || output->egress.ended)
    return push_absent (output, grain);
  send_context (output, grain);
  if (!goes_along (grain, (GstOrchGrain *) list->head)
      || !gst_orch_pad_peer_takes_lists (output->egress.pad)) {
    ret = gst_orch_egress_push (&output->egress, finish_value (output, grain));
    push_events (output, grain);
    return ret;
  }
  buffers = gst_buffer_list_new_sized (list->n + 1);
  gst_buffer_list_add (buffers, finish_value (output, grain));
  while (pushed->n < MAX_LIST
      && goes_along (grain, (GstOrchGrain *) list->head)) {
    grain = (GstOrchGrain *) orch_grain_list_pop (list);
    orch_grain_list_append (pushed, &grain->core);
    gst_buffer_list_add (buffers, finish_value (output, grain));
  }
  ret = gst_orch_egress_push_list (&output->egress, buffers);
  push_events (output, grain);
  return ret;
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
  if (credit->buffers == 0)
    return;
  gst_orch_lock (&self->lock);
  /* A flush may have emptied the books meanwhile. */
  self->used_buffers -= MIN (credit->buffers, self->used_buffers);
  self->used_bytes -= MIN (credit->bytes, self->used_bytes);
  self->unpushed_buffers -= MIN (credit->buffers, self->unpushed_buffers);
  self->unpushed_bytes -= MIN (credit->bytes, self->unpushed_bytes);
  if (self->chain_waits && has_ample_room (self))
    g_cond_signal (&self->space);
  /* Whether they were held back by what it was cannot be told: the budget moves. */
  if (self->n_idle > 0 && gst_orch_call_may_dispatch (self))
    gst_orch_call_wake_replicas (self, G_MAXUINT);
  g_mutex_unlock (&self->lock);
  credit->buffers = 0;
  credit->bytes = 0;
}

/* What a Grain holds comes back with the last src pad that has pushed it. */
static void
count_pushed (GstOrchGrain * grain, Credit * credit)
{
  gsize bytes = grain->bytes;

  if (grain->credit
      && !gst_orch_credit_drop (g_steal_pointer (&grain->credit), &bytes))
    return;
  credit->buffers++;
  credit->bytes += bytes;
}

static void
free_pushed (OrchGrainList * pushed, Credit * credit)
{
  OrchGrain *core;

  for (core = pushed->head; core; core = core->next)
    count_pushed ((GstOrchGrain *) core, credit);
  gst_orch_grain_list_free (pushed);
}

void
gst_orch_call_release (GstOrchCall * self, OrchGrainList * list)
{
  Credit credit = { 0, };

  free_pushed (list, &credit);
  give_back (self, &credit);
}

/* With the lock held: what the streaming thread is told once no src pad is left:
 * EOS if one of them has ended, else that none is linked. */
static GstFlowReturn
combine_ends (GstOrchCall * self)
{
  GstFlowReturn combined = GST_FLOW_NOT_LINKED;
  guint i;

  for (i = 0; i < self->outputs->len; i++) {
    GstOrchCallOutput *output = g_ptr_array_index (self->outputs, i);

    if (output->end == GST_FLOW_OK)
      return GST_FLOW_OK;
    if (output->end == GST_FLOW_EOS)
      combined = GST_FLOW_EOS;
  }
  return combined;
}

/* S5.7: one pad that nobody listens to any more, or did from the start while
 * others are linked, does not stop the others.  Returns what is left to say. */
static GstFlowReturn
survive_end (GstOrchCallOutput * output, GstFlowReturn ret)
{
  GstOrchCall *self = output->call;

  if (ret != GST_FLOW_EOS && ret != GST_FLOW_NOT_LINKED)
    return ret;
  gst_orch_lock (&self->lock);
  output->end = ret;
  ret = combine_ends (self);
  if (ret == GST_FLOW_EOS) {
    self->flow = GST_FLOW_EOS;
    g_cond_signal (&self->space);
    ret = GST_FLOW_OK;
  }
  g_mutex_unlock (&self->lock);
  output->egress.ended = TRUE;
  return ret;
}

static void
note_pushed (GstOrchCallOutput * output, Credit * credit, gint64 * begin)
{
  gint64 now = gst_orch_time_now (output->call->time);

  g_atomic_int_set (&output->pushes_quickly, now - *begin < QUICK_PUSH_US);
  *begin = now;
  give_back (output->call, credit);
}

static GstFlowReturn
push_all (GstOrchCallOutput * output, OrchGrainList * list)
{
  gint64 begin = gst_orch_time_now (output->call->time);
  GstFlowReturn ret = GST_FLOW_OK;
  OrchGrainList pushed = { NULL, };
  Credit credit = { 0, };

  while (list->n > 0 && ret == GST_FLOW_OK) {
    ret = push_some (output, list, &pushed);
    if (ret != GST_FLOW_OK)
      ret = survive_end (output, ret);
    free_pushed (&pushed, &credit);
    if (list->n == 0 || credit.buffers >= CREDIT_LUMP
        || credit.bytes >= CREDIT_LUMP_BYTES)
      note_pushed (output, &credit, &begin);
  }
  free_pushed (list, &credit);
  give_back (output->call, &credit);
  return ret;
}

/* ---- the task ---- */

static void
stop_with (GstOrchCallOutput * output, GstFlowReturn ret)
{
  GstOrchCall *self = output->call;
  gboolean flushing;

  gst_orch_lock (&self->lock);
  flushing = self->flushing || output->flushing;
  if (!output->flushing)
    self->flow = ret;
  g_cond_broadcast (&self->space);
  g_mutex_unlock (&self->lock);
  gst_orch_egress_end (&output->egress, flushing ? GST_FLOW_FLUSHING : ret);
}

static void
pass_on (GstOrchCall * self, OrchExpansion * expansion)
{
  GPtrArray *outputs = gst_orch_call_copy_outputs (self);
  guint i;

  for (i = 0; i < outputs->len; i++) {
    GstOrchCallOutput *output = g_ptr_array_index (outputs, i);

    gst_orch_port_post_expansion (output->egress.port, expansion);
  }
  g_ptr_array_unref (outputs);
  gst_pad_push_event (self->output->egress.pad,
      gst_orch_event_new_expansion (expansion));
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
    if (news.type == GST_ORCH_NEWS_EXPANSION)
      pass_on (self, news.expansion);
    else
      gst_orch_call_enter_outcome (self, &news);
    gst_orch_news_clear (&news);
  }
  return any;
}

/* TRUE when EOS went out. */
static gboolean
end_of_stream (GstOrchCall * self)
{
  gboolean ask = FALSE, done;

  gst_orch_lock (&self->lock);
  if (self->eos && !self->resolved)
    ask = self->resolved = TRUE;
  /* An EOS before the error would look like a good end. */
  done = self->eos && !ask && self->output->sealed.n == 0
      && self->n_giving_up == 0
      && orch_call_get_n_in_flight (self->core) == 0
      && orch_call_get_n_ready (self->core) == 0;
  if (done) {
    self->drained = TRUE;
    gst_orch_call_wake_outputs (self);
  }
  g_mutex_unlock (&self->lock);
  if (ask)
    gst_orch_subscriber_resolve_missing (self->input);
  if (!done)
    return FALSE;
  if (!gst_orch_port_is_broken (self->output->egress.port)
      && gst_orch_ledger_post (&self->stats.ledger, &self->lock,
          GST_ELEMENT (self), TRUE) != 0)
    GST_ELEMENT_ERROR (self, STREAM, FAILED,
        ("%s has lost account of its Grains.", GST_OBJECT_NAME (self)),
        ("Not every Grain that entered has ended: see its orch-ledger."));
  GST_DEBUG_OBJECT (self, "drained, sending EOS");
  gst_orch_egress_end (&self->output->egress, GST_FLOW_OK);
  return TRUE;
}

static void
push_loose_events (GstOrchCallOutput * output, GList * events)
{
  GList *l;

  for (l = events; l; l = l->next)
    gst_pad_push_event (output->egress.pad, l->data);
  g_list_free (events);
}

/* FALSE: it has waited, to look again. */
static gboolean
wait_for_listeners (GstOrchCallOutput * output)
{
  GstOrchCall *self = output->call;
  gboolean flushing;

  if (gst_orch_port_has_room (output->egress.port))
    return TRUE;
  gst_orch_lock (&self->lock);
  flushing = self->flushing;
  g_mutex_unlock (&self->lock);
  if (!flushing)
    gst_orch_subscriber_wait (self->input);
  return flushing;
}

/* What is heard goes to whoever listens at any pad.  One who does not listen holds
 * up the news, but not what another pad has to push. */
static gboolean
has_room_for_news (GstOrchCall * self)
{
  gboolean result;

  gst_orch_lock (&self->lock);
  result = gst_orch_call_has_listeners_room (self);
  g_mutex_unlock (&self->lock);
  return result;
}

/* With the lock held: what may be pushed now.  FALSE: the pad stops. */
static gboolean
take (GstOrchCallOutput * output, OrchGrainList * list, GList ** loose_events)
{
  if (output->call->flushing || output->flushing)
    return FALSE;
  gst_orch_port_begin (output->egress.port);
  *list = output->sealed;
  output->sealed.head = output->sealed.tail = NULL;
  output->sealed.n = 0;
  /* They had no Grain before them when they came: what is taken with them came
   * later. */
  *loose_events = g_steal_pointer (&output->loose_events);
  return TRUE;
}

static void
src_loop (gpointer data)
{
  GstOrchCallOutput *output = data;
  GstOrchCall *self = output->call;
  OrchGrainList list = { NULL, };
  GList *loose_events = NULL;
  GstFlowReturn ret;
  gboolean any, goes_on, has_room;
  guint n;

  send_stream_start (output, FALSE);
  if (!wait_for_listeners (output))
    return;
  has_room = has_room_for_news (self);
  any = has_room && hear_news (self);

  gst_orch_lock (&self->lock);
  goes_on = take (output, &list, &loose_events);
  g_mutex_unlock (&self->lock);
  if (!goes_on) {
    gst_pad_pause_task (output->egress.pad);
    return;
  }

  n = list.n;
  if (n || any || loose_events)
    send_stream_start (output, TRUE);
  push_loose_events (output, loose_events);
  ret = push_all (output, &list);
  if (ret != GST_FLOW_OK) {
    stop_with (output, ret);
    return;
  }
  if (n || any)
    return;
  if (!has_room || !end_of_stream (self))
    gst_orch_subscriber_wait (self->input);
}

/* With the lock held: there is nothing for a further pad to do. */
static gboolean
is_idle (GstOrchCallOutput * output)
{
  GstOrchCall *self = output->call;

  return !self->flushing && !output->flushing && !self->drained
      && output->sealed.n == 0 && !output->loose_events
      && !output->stream_start;
}

/* Only the first pad's task hears news and decides that the stream has ended. */
static void
further_loop (gpointer data)
{
  GstOrchCallOutput *output = data;
  GstOrchCall *self = output->call;
  OrchGrainList list = { NULL, };
  GList *loose_events = NULL;
  GstFlowReturn ret;
  gboolean goes_on, ends;

  gst_orch_lock (&self->lock);
  while (is_idle (output))
    g_cond_wait (&output->pushable, &self->lock);
  goes_on = take (output, &list, &loose_events);
  ends = self->drained && list.n == 0;
  g_mutex_unlock (&self->lock);
  if (!goes_on) {
    gst_pad_pause_task (output->egress.pad);
    return;
  }

  send_stream_start (output, list.n || loose_events);
  push_loose_events (output, loose_events);
  ret = push_all (output, &list);
  if (ret != GST_FLOW_OK)
    stop_with (output, ret);
  else if (ends)
    gst_orch_egress_end (&output->egress, GST_FLOW_OK);
}

void
gst_orch_call_start_src_task (GstOrchCallOutput * output)
{
  gst_pad_start_task (output->egress.pad,
      output->index ? further_loop : src_loop, output, NULL);
}

gboolean
gst_orch_call_src_activate_mode (GstPad * pad, GstObject * parent,
    GstPadMode mode, gboolean active)
{
  GstOrchCallOutput *output = gst_pad_get_element_private (pad);
  GstOrchCall *self = output->call;

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  gst_orch_lock (&self->lock);
  output->flushing = !active;
  output->end = GST_FLOW_OK;
  if (!active && output->index == 0)
    self->flushing = TRUE;
  g_cond_broadcast (&self->space);
  g_cond_signal (&output->pushable);
  g_mutex_unlock (&self->lock);
  if (active) {
    gst_orch_egress_start (&output->egress);
    /* A requested pad is activated before its element has it. */
    if (parent)
      gst_orch_call_start_src_task (output);
    return TRUE;
  }
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
  GstOrchCallOutput *output = gst_pad_get_element_private (pad);
  GstOrchCall *self = GST_ORCH_CALL (parent);

  if (gst_orch_port_query (output->egress.port, query))
    return FALSE;
  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_CAPS:
      gst_orch_pad_answer_caps (query,
          gst_pad_get_pad_template_caps (pad));
      return TRUE;
    case GST_QUERY_LATENCY:
      return query_latency (self, query);
    default:
      return gst_pad_query_default (pad, parent, query);
  }
}
