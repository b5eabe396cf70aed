/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchexpand-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_orch_expand_debug);
#define GST_CAT_DEFAULT gst_orch_expand_debug

#define MIN_WINDOW 32
/* Children taken at once: the order is made here, so not many, and fewer where
 * pushing them takes longer than this. */
#define MAX_TURNS 128
#define QUICK_PUSH_US 1000
#define NEWS_LUMP 64

/* ---- pushing ---- */

/* S9.4: times rise on the pad, whatever parents take turns. */
static GstBuffer *
stamp_time (GstOrchExpandOutput * output, GstBuffer * buffer)
{
  GstClockTime duration = GST_BUFFER_DURATION (buffer);

  if (!GST_CLOCK_TIME_IS_VALID (duration) || duration == 0)
    duration = output->owner->frame_duration;
  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_PTS (buffer) = output->next_time;
  GST_BUFFER_DTS (buffer) = GST_CLOCK_TIME_NONE;
  GST_BUFFER_DURATION (buffer) = duration;
  output->next_time += duration;
  return buffer;
}

/* Ready to be pushed: stamped with its time and its Item. */
static GstBuffer *
finish_value (GstOrchExpandOutput * output, GstOrchExpandChild * child)
{
  GstBuffer *buffer = stamp_time (output, g_steal_pointer (&child->buffer));

  return gst_orch_port_stamp (output->egress.port, buffer,
      g_steal_pointer (&child->entity), child->info);
}

static void
announce_outcome (GstOrchExpandOutput * output, GstOrchExpandChild * child)
{
  g_autofree gchar *path = orch_entity_get_path (child->entity);
  OrchCause *cause = child->cause ? orch_cause_locate (child->cause, path,
      GST_OBJECT_NAME (output->owner)) : NULL;

  gst_orch_egress_announce (&output->egress, child->entity, child->outcome,
      cause, child->info);
  orch_cause_unref (cause);
}

/* With the lock held: nobody takes anything at any src pad. */
static gboolean
all_ended (GstOrchExpand * self)
{
  guint i;

  for (i = 0; i < self->columns->len; i++) {
    GstOrchExpandInput *column = g_ptr_array_index (self->columns, i);

    if (column && !column->output->egress.ended)
      return FALSE;
  }
  return TRUE;
}

static GstFlowReturn
survive_end (GstOrchExpandOutput * output, GstFlowReturn ret)
{
  GstOrchExpand *self = output->owner;

  /* Not everybody needs what comes with the first of aligned lists. */
  if (ret == GST_FLOW_NOT_LINKED && output != self->output)
    ret = GST_FLOW_EOS;
  if (ret != GST_FLOW_EOS)
    return ret;
  gst_orch_lock (&self->lock);
  output->egress.ended = TRUE;
  if (all_ended (self)) {
    self->flow = GST_FLOW_EOS;
    gst_orch_expand_wake_inputs (self);
  }
  g_mutex_unlock (&self->lock);
  return GST_FLOW_OK;
}

static void
send_context (GstOrchExpandOutput * output, GstCaps * caps)
{
  gst_orch_egress_send_caps (&output->egress, caps);
  gst_orch_egress_send_segment (&output->egress, NULL);
}

static GstFlowReturn
push_single (GstOrchExpandOutput * output, GstOrchExpandChild * child)
{
  send_context (output, child->caps);
  return survive_end (output, gst_orch_egress_push (&output->egress,
          finish_value (output, child)));
}

/* The first of n children; those with values of the same caps may go together.
 * Returns how many went. */
static guint
push_some (GstOrchExpandOutput * output, GstOrchExpandChild * children,
    guint n, GstFlowReturn * ret)
{
  GstBufferList *list;
  guint i, run = 1;

  while (run < n && children[run].outcome == ORCH_OUTCOME_PRESENT
      && children[run].caps == children[0].caps)
    run++;
  if (run == 1 || !gst_orch_pad_peer_takes_lists (output->egress.pad)) {
    *ret = push_single (output, &children[0]);
    return 1;
  }
  send_context (output, children[0].caps);
  list = gst_buffer_list_new_sized (run);
  for (i = 0; i < run; i++)
    gst_buffer_list_add (list, finish_value (output, &children[i]));
  *ret = survive_end (output, gst_orch_egress_push_list (&output->egress, list));
  return run;
}

/* ---- news of parents ---- */

static void
end_absent_parent (GstOrchExpandOutput * output, const GstOrchNews * news)
{
  GstOrchExpand *self = output->owner;
  OrchExpansion *expansion;

  if (self->columns->len > 1) {
    gst_orch_expand_enter (self, output->input, news->entity, news->info, NULL,
        news->outcome, news->cause);
    return;
  }
  gst_orch_lock (&self->lock);
  expansion = gst_orch_expand_end_absent (self, news->entity, news->info,
      orch_expansion_state_from_outcome (news->outcome), news->cause);
  g_mutex_unlock (&self->lock);
  gst_pad_push_event (output->egress.pad,
      gst_orch_event_new_expansion (expansion));
  orch_expansion_unref (expansion);
}

static gboolean
hear_input (GstOrchExpandOutput * output, GstOrchSubscriber * subscriber)
{
  GstOrchNews news;
  gboolean any = FALSE;
  guint i;

  for (i = 0; i < NEWS_LUMP && gst_orch_subscriber_pop (subscriber, &news);
      i++) {
    any = TRUE;
    gst_orch_egress_send_stream_start (&output->egress, NULL);
    if (news.type == GST_ORCH_NEWS_EXPANSION)
      gst_orch_port_post_expansion (output->egress.port, news.expansion);
    else
      end_absent_parent (output, &news);
    gst_orch_news_clear (&news);
  }
  return any;
}

/* The task of an aligned pad hears that pad, the main one all the others. */
static gboolean
hears (GstOrchExpandOutput * output, GstOrchExpandInput * input)
{
  return input == output->input || (output->input == output->owner->main
      && !input->output);
}

GPtrArray *
gst_orch_expand_copy_subscribers (GstOrchExpand * self,
    GstOrchExpandOutput * output)
{
  GPtrArray *subscribers = g_ptr_array_new_with_free_func ((GDestroyNotify)
      gst_orch_subscriber_unref);
  GList *l;

  gst_orch_lock (&self->lock);
  for (l = self->inputs; l; l = l->next)
    if (!output || hears (output, l->data))
      g_ptr_array_add (subscribers, gst_orch_subscriber_ref (
              ((GstOrchExpandInput *) l->data)->subscriber));
  g_mutex_unlock (&self->lock);
  return subscribers;
}

static gboolean
hear_news (GstOrchExpandOutput * output)
{
  GPtrArray *subscribers =
      gst_orch_expand_copy_subscribers (output->owner, output);
  gboolean any = FALSE;
  guint i;

  for (i = 0; i < subscribers->len; i++)
    any |= hear_input (output, g_ptr_array_index (subscribers, i));
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
  in_flight = gst_orch_port_ask_in_flight (self->output->egress.port);
  gst_orch_lock (&self->lock);
  self->open_lists = MAX (MIN_WINDOW, in_flight / 3);
  orch_interleave_set_window (self->lanes, self->open_lists);
  gst_orch_expand_wake_inputs (self);
  g_mutex_unlock (&self->lock);
}

/* ---- the task ---- */

static void
stop_with (GstOrchExpandOutput * output, GstFlowReturn ret)
{
  GstOrchExpand *self = output->owner;
  gboolean flushing;

  gst_orch_lock (&self->lock);
  flushing = self->flushing || output->flushing;
  if (!output->flushing)
    self->flow = ret;
  gst_orch_expand_wake_inputs (self);
  g_mutex_unlock (&self->lock);
  gst_orch_egress_end (&output->egress, flushing ? GST_FLOW_FLUSHING : ret);
}

/* With the lock held: every pad that has or will have data is at EOS, and has been
 * heard to the end. */
static gboolean
all_quiet (GstOrchExpand * self)
{
  gboolean any = FALSE;
  GList *l;

  for (l = self->inputs; l; l = l->next) {
    GstOrchExpandInput *input = l->data;

    if (!input->started && !input->is_request
        && !gst_pad_is_linked (input->pad))
      continue;
    if (!input->eos || !input->quiet)
      return FALSE;
    any = TRUE;
  }
  return any;
}

/* TRUE when there was any pad at EOS whose missing Items had not been asked
 * for.  Else what this task hears of pads at EOS it has heard to the end. */
static gboolean
resolve_missing (GstOrchExpandOutput * output)
{
  GstOrchExpand *self = output->owner;
  GPtrArray *subscribers = g_ptr_array_new_with_free_func ((GDestroyNotify)
      gst_orch_subscriber_unref);
  gboolean any;
  GList *l;
  guint i;

  gst_orch_lock (&self->lock);
  for (l = self->inputs; l; l = l->next) {
    GstOrchExpandInput *input = l->data;

    if (!input->eos || !hears (output, input))
      continue;
    if (!input->resolved)
      g_ptr_array_add (subscribers,
          gst_orch_subscriber_ref (input->subscriber));
    else if (!input->quiet && self->n_columns > 1)
      gst_orch_expand_wake_outputs (self);
    input->quiet = input->resolved;
    input->resolved = TRUE;
  }
  g_mutex_unlock (&self->lock);
  any = subscribers->len > 0;
  for (i = 0; i < subscribers->len; i++)
    gst_orch_subscriber_resolve_missing (g_ptr_array_index (subscribers, i));
  g_ptr_array_unref (subscribers);
  return any;
}

static void
close_ledger (GstOrchExpand * self)
{
  if (gst_orch_ledger_post (&self->ledger, &self->lock, GST_ELEMENT (self),
          TRUE) != 0)
    GST_ELEMENT_ERROR (self, STREAM, FAILED,
        ("%s has lost account of the children it opened.",
            GST_OBJECT_NAME (self)),
        ("Not every one of them has left: see its orch-ledger."));
}

static void
idle (GstOrchExpandOutput * output)
{
  GstOrchExpand *self = output->owner;
  GHashTable *rows = NULL;
  gboolean done, is_broken;

  if (resolve_missing (output))
    return;
  gst_orch_lock (&self->lock);
  done = all_quiet (self);
  is_broken = done && gst_orch_port_is_broken (output->egress.port);
  if (done && !is_broken)
    rows = gst_orch_expand_end_rows (self);
  done &= !orch_interleave_has_next (self->lanes)
      && self->unwanted.length == 0 && output->children.length == 0;
  self->ended |= done && output == self->output;
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&rows, g_hash_table_unref);
  if (!done) {
    gst_orch_subscriber_wait (output->input->subscriber);
    return;
  }
  if (output == self->output && !is_broken)
    close_ledger (self);
  gst_orch_egress_end (&output->egress, GST_FLOW_OK);
}

/* With the lock held.  Those that are wanted come first; the others get a turn
 * with them all the same. */
static guint
take_turns (GstOrchExpandOutput * output, GstOrchExpandChild * children,
    GstOrchExpandParent ** done)
{
  GstOrchExpand *self = output->owner;
  guint n_wanted = MIN (output->n_turns, MAX_TURNS -
      MIN (self->unwanted.length, MAX_TURNS / 2));

  output->n_heeded = self->n_unwanted;
  return gst_orch_expand_take (output, children, n_wanted, MAX_TURNS, done);
}

/* While a push waits no news is heard, and what was taken keeps its place. */
static void
adapt_turns (GstOrchExpandOutput * output, gint64 pushing)
{
  if (pushing > QUICK_PUSH_US)
    output->n_turns = MAX (1, output->n_turns / 2);
  else
    output->n_turns = MIN (MAX_TURNS, 2 * output->n_turns);
}

/* Pushing may take long, so that some which were taken with the others may not be
 * wanted any more. */
static void
look_again (GstOrchExpandOutput * output, GstOrchExpandChild * children,
    guint n)
{
  GstOrchExpand *self = output->owner;
  guint i;

  gst_orch_lock (&self->lock);
  for (i = 0; i < n && output->n_heeded != self->n_unwanted; i++) {
    OrchCause *cause = gst_orch_expand_find_unwanted (self,
        children[i].entity->expansion);

    if (cause && children[i].outcome == ORCH_OUTCOME_PRESENT) {
      gst_orch_expand_prune (self, &children[i], cause);
      self->ledger.outcomes[ORCH_OUTCOME_PRESENT]--;
      self->ledger.outcomes[ORCH_OUTCOME_SUPPRESSED]++;
    }
  }
  output->n_heeded = self->n_unwanted;
  g_mutex_unlock (&self->lock);
}

static GstFlowReturn
push_children (GstOrchExpandOutput * output, GstOrchExpandChild * children,
    guint n)
{
  GstFlowReturn ret = GST_FLOW_OK;
  guint i = 0;

  if (n > 0)
    gst_orch_egress_send_stream_start (&output->egress, NULL);
  while (i < n && ret == GST_FLOW_OK) {
    look_again (output, &children[i], n - i);
    if (children[i].outcome == ORCH_OUTCOME_PRESENT && !output->egress.ended) {
      i += push_some (output, &children[i], n - i, &ret);
    } else if (children[i].outcome == ORCH_OUTCOME_PRESENT) {
      gst_orch_egress_drop_ended (&output->egress, children[i].entity,
          children[i].info);
      i++;
    } else {
      announce_outcome (output, &children[i++]);
    }
  }
  return ret;
}

static void
clear_all (GstOrchExpandChild * children, guint n, GstOrchExpandParent * done)
{
  GstOrchExpandParent *next;
  guint i;

  for (i = 0; i < n; i++)
    gst_orch_expand_child_clear (&children[i]);
  for (; done; done = next) {
    next = done->next_done;
    gst_orch_expand_parent_free (done);
  }
}

/* With the lock held.  Of lists that are opened side by side it is the first that
 * says what the children's Domain is below of: who stands below asks for it as soon as
 * the stream begins. */
static gboolean
waits_for_first_column (GstOrchExpandOutput * output)
{
  GstOrchExpand *self = output->owner;
  GstOrchExpandInput *first = g_ptr_array_index (self->columns, 0);

  return self->columns->len > 1 && first && !first->started
      && gst_pad_is_linked (first->pad)
      && !self->flushing && !output->flushing;
}

/* As soon as there is a stream above: what the streaming threads post is kept
 * until the Port has announced itself.  FALSE: it has waited, to look again. */
static gboolean
begin_stream (GstOrchExpandOutput * output)
{
  GstOrchExpand *self = output->owner;
  gboolean any = FALSE, waits;
  GList *l;

  gst_orch_lock (&self->lock);
  waits = waits_for_first_column (output);
  for (l = self->inputs; l && !any && !self->flushing; l = l->next)
    any = ((GstOrchExpandInput *) l->data)->started;
  g_mutex_unlock (&self->lock);
  if (waits)
    gst_orch_subscriber_wait (output->input->subscriber);
  else if (any)
    gst_orch_egress_send_stream_start (&output->egress, NULL);
  return !waits;
}

/* FALSE: it has waited, to look again.  The streaming threads wait for the same,
 * and cannot be woken from below. */
static gboolean
wait_for_listeners (GstOrchExpandOutput * output)
{
  GstOrchExpand *self = output->owner;
  gboolean has_room = gst_orch_port_has_room (output->egress.port);
  gboolean flushing;

  gst_orch_lock (&self->lock);
  flushing = self->flushing || output->flushing;
  if (has_room && self->waits_for_listeners) {
    self->waits_for_listeners = FALSE;
    gst_orch_expand_wake_inputs (self);
  }
  g_mutex_unlock (&self->lock);
  if (has_room || flushing)
    return TRUE;
  gst_orch_subscriber_wait (output->input->subscriber);
  return FALSE;
}

static void
src_loop (gpointer data)
{
  GstOrchExpandOutput *output = data;
  GstOrchExpand *self = output->owner;
  GstOrchExpandChild children[MAX_TURNS];
  GstOrchExpandParent *done = NULL;
  gboolean any, flushing;
  GstFlowReturn ret;
  gint64 begin;
  guint n = 0;

  if (!begin_stream (output) || !wait_for_listeners (output))
    return;
  any = hear_news (output);
  gst_orch_lock (&self->lock);
  flushing = self->flushing || output->flushing;
  gst_orch_port_begin (output->egress.port);
  if (!flushing)
    n = take_turns (output, children, &done);
  g_mutex_unlock (&self->lock);
  if (flushing) {
    gst_pad_pause_task (output->egress.pad);
    return;
  }
  if (n > 0 && output == self->output)
    size_window (self);
  begin = g_get_monotonic_time ();
  ret = push_children (output, children, n);
  if (n > 0)
    adapt_turns (output, g_get_monotonic_time () - begin);
  clear_all (children, n, done);
  if (ret != GST_FLOW_OK)
    stop_with (output, ret);
  else if (!any && n == 0)
    idle (output);
}

void
gst_orch_expand_start_task (GstOrchExpandOutput * output)
{
  gst_pad_start_task (output->egress.pad, src_loop, output, NULL);
}

/* ---- the pad ---- */

static gboolean
src_activate_mode (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstOrchExpandOutput *output = gst_pad_get_element_private (pad);
  GstOrchExpand *self = output->owner;

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  gst_orch_lock (&self->lock);
  output->flushing = !active;
  if (output == self->output)
    self->flushing = !active;
  g_mutex_unlock (&self->lock);
  if (active) {
    gst_orch_egress_start (&output->egress);
    output->next_time = 0;
    output->n_turns = 1;
    /* A pad that is requested is activated before its element has it. */
    if (parent)
      gst_orch_expand_start_task (output);
    return TRUE;
  }
  gst_orch_subscriber_wake (output->input->subscriber);
  return gst_pad_stop_task (pad);
}

static gboolean
src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstOrchExpandOutput *output = gst_pad_get_element_private (pad);

  if (gst_orch_port_query (output->egress.port, query))
    return FALSE;
  return gst_pad_query_default (pad, parent, query);
}

GstOrchExpandOutput *
gst_orch_expand_output_new (GstOrchExpand * self, GstPad * pad,
    GstOrchExpandInput * input)
{
  GstOrchExpandOutput *output = g_new0 (GstOrchExpandOutput, 1);

  output->owner = self;
  output->input = input;
  g_queue_init (&output->children);
  gst_pad_set_element_private (pad, output);
  gst_pad_set_query_function (pad, src_query);
  gst_pad_set_activatemode_function (pad, src_activate_mode);
  gst_orch_egress_init (&output->egress, pad, input->subscriber,
      GST_ORCH_DOMAIN_CHILD);
  gst_orch_port_set_unwanted_func (output->egress.port,
      gst_orch_expand_unwant);
  return output;
}

void
gst_orch_expand_output_free (GstOrchExpandOutput * output)
{
  if (!output)
    return;
  gst_orch_egress_clear (&output->egress);
  g_free (output);
}

void
gst_orch_expand_output_steal (GstOrchExpandOutput * output, GQueue * children)
{
  gpointer child;

  while ((child = g_queue_pop_head (&output->children)))
    g_queue_push_tail (children, child);
}

/* Each wakes its own task, and the main one as well, which leads them. */
void
gst_orch_expand_wake_outputs (GstOrchExpand * self)
{
  guint i;

  for (i = 0; i < self->columns->len; i++) {
    GstOrchExpandInput *column = g_ptr_array_index (self->columns, i);

    if (column)
      gst_orch_subscriber_wake (column->subscriber);
  }
}
