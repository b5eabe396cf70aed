/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchexpand-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_orch_expand_debug);
#define GST_CAT_DEFAULT gst_orch_expand_debug

#define MIN_WINDOW 32
/* Children taken at once: the order is made here, so not many, and fewer where
 * pushing them takes longer than this. */
#define MAX_TURNS 64
#define QUICK_PUSH_US 1000
#define NEWS_LUMP 64

/* ---- pushing ---- */

/* S9.4: times rise on the pad, whatever parents take turns. */
static GstBuffer *
stamp_time (GstOrchExpand * self, GstBuffer * buffer)
{
  GstClockTime duration = GST_BUFFER_DURATION (buffer);

  if (!GST_CLOCK_TIME_IS_VALID (duration) || duration == 0)
    duration = self->frame_duration;
  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_PTS (buffer) = self->next_time;
  GST_BUFFER_DTS (buffer) = GST_CLOCK_TIME_NONE;
  GST_BUFFER_DURATION (buffer) = duration;
  self->next_time += duration;
  return buffer;
}

/* Ready to be pushed: stamped with its time and its Item. */
static GstBuffer *
finish_value (GstOrchExpand * self, GstOrchExpandChild * child)
{
  GstBuffer *buffer = stamp_time (self, g_steal_pointer (&child->buffer));

  return gst_orch_port_stamp (self->output.port, buffer, child->entity,
      child->info);
}

static void
announce_outcome (GstOrchExpand * self, GstOrchExpandChild * child)
{
  g_autofree gchar *path = orch_entity_get_path (child->entity);
  OrchCause *cause = child->cause ? orch_cause_locate (child->cause, path,
      GST_OBJECT_NAME (self)) : NULL;

  gst_orch_egress_announce (&self->output, child->entity, child->outcome,
      cause, child->info);
  orch_cause_unref (cause);
}

static void
note_end (GstOrchExpand * self)
{
  self->output.ended = TRUE;
  gst_orch_lock (&self->lock);
  self->flow = GST_FLOW_EOS;
  gst_orch_expand_wake_inputs (self);
  g_mutex_unlock (&self->lock);
}

static GstFlowReturn
survive_end (GstOrchExpand * self, GstFlowReturn ret)
{
  if (ret != GST_FLOW_EOS)
    return ret;
  note_end (self);
  return GST_FLOW_OK;
}

static void
send_context (GstOrchExpand * self, GstCaps * caps)
{
  gst_orch_egress_send_caps (&self->output, caps);
  gst_orch_egress_send_segment (&self->output, NULL);
}

static GstFlowReturn
push_single (GstOrchExpand * self, GstOrchExpandChild * child)
{
  send_context (self, child->caps);
  return survive_end (self, gst_pad_push (self->srcpad,
          finish_value (self, child)));
}

/* The first of n children; those with values of the same caps may go together.
 * Returns how many went. */
static guint
push_some (GstOrchExpand * self, GstOrchExpandChild * children, guint n,
    GstFlowReturn * ret)
{
  GstBufferList *list;
  guint i, run = 1;

  while (run < n && children[run].outcome == ORCH_OUTCOME_PRESENT
      && children[run].caps == children[0].caps)
    run++;
  if (run == 1 || !gst_orch_pad_peer_takes_lists (self->srcpad)) {
    *ret = push_single (self, &children[0]);
    return 1;
  }
  send_context (self, children[0].caps);
  list = gst_buffer_list_new_sized (run);
  for (i = 0; i < run; i++)
    gst_buffer_list_add (list, finish_value (self, &children[i]));
  *ret = survive_end (self, gst_pad_push_list (self->srcpad, list));
  return run;
}

/* ---- news of parents ---- */

static void
end_absent_parent (GstOrchExpand * self, const GstOrchNews * news)
{
  OrchExpansion *expansion;

  gst_orch_lock (&self->lock);
  expansion = gst_orch_expand_open (self, news->entity, news->info);
  g_mutex_unlock (&self->lock);
  orch_expansion_publish (expansion,
      orch_expansion_state_from_outcome (news->outcome), news->cause);
  gst_orch_port_post_expansion (self->output.port, expansion);
  gst_pad_push_event (self->srcpad, gst_orch_event_new_expansion (expansion));
  orch_expansion_unref (expansion);
}

static gboolean
hear_input (GstOrchExpand * self, GstOrchSubscriber * subscriber)
{
  GstOrchNews news;
  gboolean any = FALSE;
  guint i;

  for (i = 0; i < NEWS_LUMP && gst_orch_subscriber_pop (subscriber, &news);
      i++) {
    any = TRUE;
    gst_orch_egress_send_stream_start (&self->output, NULL);
    if (news.type == GST_ORCH_NEWS_EXPANSION)
      gst_orch_port_post_expansion (self->output.port, news.expansion);
    else
      end_absent_parent (self, &news);
    gst_orch_news_clear (&news);
  }
  return any;
}

GPtrArray *
gst_orch_expand_copy_subscribers (GstOrchExpand * self)
{
  GPtrArray *subscribers = g_ptr_array_new_with_free_func ((GDestroyNotify)
      gst_orch_subscriber_unref);
  GList *l;

  gst_orch_lock (&self->lock);
  for (l = self->inputs; l; l = l->next)
    g_ptr_array_add (subscribers,
        gst_orch_subscriber_ref (((GstOrchExpandInput *) l->data)->subscriber));
  g_mutex_unlock (&self->lock);
  return subscribers;
}

static gboolean
hear_news (GstOrchExpand * self)
{
  GPtrArray *subscribers = gst_orch_expand_copy_subscribers (self);
  gboolean any = FALSE;
  guint i;

  for (i = 0; i < subscribers->len; i++)
    any |= hear_input (self, g_ptr_array_index (subscribers, i));
  g_ptr_array_unref (subscribers);
  return any;
}

/* ---- the window ---- */

/* What may be in flight below decides how many parents must take turns. */
static void
size_window (GstOrchExpand * self)
{
  guint in_flight;

  if (self->knows_window)
    return;
  self->knows_window = TRUE;
  if (self->window)
    return;
  in_flight = gst_orch_port_ask_in_flight (self->output.port);
  gst_orch_lock (&self->lock);
  self->open_lists = MAX (MIN_WINDOW, in_flight / 4);
  orch_interleave_set_window (self->lanes, self->open_lists);
  gst_orch_expand_wake_inputs (self);
  g_mutex_unlock (&self->lock);
}

/* ---- the task ---- */

static void
stop_with (GstOrchExpand * self, GstFlowReturn ret)
{
  gboolean flushing;

  gst_orch_lock (&self->lock);
  flushing = self->flushing;
  self->flow = ret;
  gst_orch_expand_wake_inputs (self);
  g_mutex_unlock (&self->lock);
  gst_orch_egress_end (&self->output, flushing ? GST_FLOW_FLUSHING : ret);
}

/* With the lock held: every pad that has or will have data is at EOS. */
static gboolean
all_eos (GstOrchExpand * self)
{
  gboolean any = FALSE;
  GList *l;

  for (l = self->inputs; l; l = l->next) {
    GstOrchExpandInput *input = l->data;

    if (!input->started && !input->is_request
        && !gst_pad_is_linked (input->pad))
      continue;
    if (!input->eos)
      return FALSE;
    any = TRUE;
  }
  return any;
}

/* TRUE when there was any pad at EOS whose missing Items had not been asked
 * for. */
static gboolean
resolve_missing (GstOrchExpand * self)
{
  GPtrArray *subscribers = g_ptr_array_new_with_free_func ((GDestroyNotify)
      gst_orch_subscriber_unref);
  gboolean any;
  GList *l;
  guint i;

  gst_orch_lock (&self->lock);
  for (l = self->inputs; l; l = l->next) {
    GstOrchExpandInput *input = l->data;

    if (input->eos && !input->resolved) {
      input->resolved = TRUE;
      g_ptr_array_add (subscribers,
          gst_orch_subscriber_ref (input->subscriber));
    }
  }
  g_mutex_unlock (&self->lock);
  any = subscribers->len > 0;
  for (i = 0; i < subscribers->len; i++)
    gst_orch_subscriber_resolve_missing (g_ptr_array_index (subscribers, i));
  g_ptr_array_unref (subscribers);
  return any;
}

static void
idle (GstOrchExpand * self)
{
  gboolean done;

  if (resolve_missing (self))
    return;
  gst_orch_lock (&self->lock);
  done = all_eos (self) && !orch_interleave_has_next (self->lanes)
      && self->unwanted.length == 0;
  g_mutex_unlock (&self->lock);
  if (!done) {
    gst_orch_subscriber_wait (self->main->subscriber);
    return;
  }
  if (gst_orch_ledger_post (&self->ledger, &self->lock, GST_ELEMENT (self),
          TRUE) != 0)
    GST_ELEMENT_ERROR (self, STREAM, FAILED,
        ("%s has lost account of the children it opened.",
            GST_OBJECT_NAME (self)),
        ("Not every one of them has left: see its orch-ledger."));
  gst_orch_egress_end (&self->output, GST_FLOW_OK);
}

/* With the lock held.  Those that are wanted come first; the others get a turn
 * with them all the same. */
static guint
take_turns (GstOrchExpand * self, GstOrchExpandChild * children,
    GstOrchExpandParent ** done)
{
  guint max = MIN (self->n_turns, MAX_TURNS - MIN (self->unwanted.length,
          MAX_TURNS / 2));
  guint n = 0;

  while (n < max && gst_orch_expand_next_child (self, &children[n], &done[n]))
    n++;
  while (n < MAX_TURNS
      && gst_orch_expand_next_unwanted (self, &children[n], &done[n]))
    n++;
  self->n_heeded = self->n_unwanted;
  return n;
}

/* While a push waits no news is heard, and what was taken keeps its place. */
static void
adapt_turns (GstOrchExpand * self, gint64 pushing)
{
  if (pushing > QUICK_PUSH_US)
    self->n_turns = MAX (1, self->n_turns / 2);
  else
    self->n_turns = MIN (MAX_TURNS, 2 * self->n_turns);
}

/* Pushing may take long, so that some which were taken with the others may not be
 * wanted any more. */
static void
look_again (GstOrchExpand * self, GstOrchExpandChild * children, guint n)
{
  guint i;

  gst_orch_lock (&self->lock);
  for (i = 0; i < n && self->n_heeded != self->n_unwanted; i++) {
    OrchCause *cause = gst_orch_expand_find_unwanted (self,
        children[i].entity->expansion);

    if (cause && children[i].outcome == ORCH_OUTCOME_PRESENT) {
      gst_orch_expand_prune (self, &children[i], cause);
      self->ledger.outcomes[ORCH_OUTCOME_PRESENT]--;
      self->ledger.outcomes[ORCH_OUTCOME_SUPPRESSED]++;
    }
  }
  self->n_heeded = self->n_unwanted;
  g_mutex_unlock (&self->lock);
}

static GstFlowReturn
push_children (GstOrchExpand * self, GstOrchExpandChild * children, guint n)
{
  GstFlowReturn ret = GST_FLOW_OK;
  guint i = 0;

  if (n > 0)
    gst_orch_egress_send_stream_start (&self->output, NULL);
  while (i < n && ret == GST_FLOW_OK) {
    look_again (self, &children[i], n - i);
    if (children[i].outcome == ORCH_OUTCOME_PRESENT && !self->output.ended) {
      i += push_some (self, &children[i], n - i, &ret);
    } else if (children[i].outcome == ORCH_OUTCOME_PRESENT) {
      gst_orch_egress_drop_ended (&self->output, children[i].entity,
          children[i].info);
      i++;
    } else {
      announce_outcome (self, &children[i++]);
    }
  }
  return ret;
}

static void
clear_all (GstOrchExpandChild * children, GstOrchExpandParent ** done, guint n)
{
  guint i;

  for (i = 0; i < n; i++) {
    gst_orch_expand_child_clear (&children[i]);
    g_clear_pointer (&done[i], gst_orch_expand_parent_free);
  }
}

/* As soon as there is a stream above: what the streaming threads post is kept
 * until the Port has announced itself. */
static void
begin_stream (GstOrchExpand * self)
{
  gboolean any = FALSE;
  GList *l;

  gst_orch_lock (&self->lock);
  for (l = self->inputs; l && !any && !self->flushing; l = l->next)
    any = ((GstOrchExpandInput *) l->data)->started;
  g_mutex_unlock (&self->lock);
  if (any)
    gst_orch_egress_send_stream_start (&self->output, NULL);
}

/* FALSE: it has waited, to look again.  The streaming threads wait for the same,
 * and cannot be woken from below. */
static gboolean
wait_for_listeners (GstOrchExpand * self)
{
  gboolean has_room = gst_orch_port_has_room (self->output.port);
  gboolean flushing;

  gst_orch_lock (&self->lock);
  flushing = self->flushing;
  if (has_room && self->waits_for_listeners) {
    self->waits_for_listeners = FALSE;
    gst_orch_expand_wake_inputs (self);
  }
  g_mutex_unlock (&self->lock);
  if (has_room || flushing)
    return TRUE;
  gst_orch_subscriber_wait (self->main->subscriber);
  return FALSE;
}

static void
src_loop (gpointer pad)
{
  GstOrchExpand *self = GST_ORCH_EXPAND (GST_PAD_PARENT (pad));
  GstOrchExpandChild children[MAX_TURNS];
  GstOrchExpandParent *done[MAX_TURNS];
  gboolean any, flushing;
  GstFlowReturn ret;
  gint64 begin;
  guint n = 0;

  begin_stream (self);
  if (!wait_for_listeners (self))
    return;
  any = hear_news (self);
  gst_orch_lock (&self->lock);
  flushing = self->flushing;
  gst_orch_port_begin (self->output.port);
  if (!flushing)
    n = take_turns (self, children, done);
  g_mutex_unlock (&self->lock);
  if (flushing) {
    gst_pad_pause_task (self->srcpad);
    return;
  }
  if (n > 0)
    size_window (self);
  begin = g_get_monotonic_time ();
  ret = push_children (self, children, n);
  if (n > 0)
    adapt_turns (self, g_get_monotonic_time () - begin);
  clear_all (children, done, n);
  if (ret != GST_FLOW_OK)
    stop_with (self, ret);
  else if (!any && n == 0)
    idle (self);
}

void
gst_orch_expand_start_task (GstOrchExpand * self)
{
  gst_pad_start_task (self->srcpad, src_loop, self->srcpad, NULL);
}

gboolean
gst_orch_expand_src_activate_mode (GstPad * pad, GstObject * parent,
    GstPadMode mode, gboolean active)
{
  GstOrchExpand *self = GST_ORCH_EXPAND (parent);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  gst_orch_lock (&self->lock);
  self->flushing = !active;
  g_mutex_unlock (&self->lock);
  if (active) {
    gst_orch_egress_start (&self->output);
    self->next_time = 0;
    self->n_turns = 1;
    gst_orch_expand_start_task (self);
    return TRUE;
  }
  gst_orch_subscriber_wake (self->main->subscriber);
  return gst_pad_stop_task (pad);
}

gboolean
gst_orch_expand_src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstOrchExpand *self = GST_ORCH_EXPAND (parent);

  if (gst_orch_port_query (self->output.port, query))
    return FALSE;
  return gst_pad_query_default (pad, parent, query);
}
