/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchexpand-private.h"

#include <string.h>

GST_DEBUG_CATEGORY_EXTERN (gst_orch_expand_debug);
#define GST_CAT_DEFAULT gst_orch_expand_debug

static GstOrchExpandInput *
get_input (GstPad * pad)
{
  return gst_pad_get_element_private (pad);
}

/* ---- lists ---- */

/* With the lock held: has every Port room? */
static gboolean
has_listeners_room (GstOrchExpand * self)
{
  guint i;

  for (i = 0; i < self->columns->len; i++) {
    GstOrchExpandInput *column = g_ptr_array_index (self->columns, i);

    if (column && !gst_orch_port_has_room (column->output->egress.port))
      return FALSE;
  }
  return TRUE;
}

/* With the lock held: empty lists need no place in the window, but whoever
 * listens must have heard of those before. */
static gboolean
must_wait (GstOrchExpand * self)
{
  if (orch_interleave_is_full (self->lanes)
      || self->unwanted.length > self->open_lists)
    return TRUE;
  self->waits_for_listeners = !has_listeners_room (self);
  return self->waits_for_listeners;
}

/* With the lock held. */
static GstFlowReturn
wait_for_window (GstOrchExpand * self, GstOrchExpandInput * input)
{
  while (!input->flushing && !self->flushing && self->flow == GST_FLOW_OK
      && must_wait (self))
    g_cond_wait (&input->room, &self->lock);
  return input->flushing || self->flushing ? GST_FLOW_FLUSHING : self->flow;
}

GstFlowReturn
gst_orch_expand_open_lists (GstOrchExpand * self, GstOrchExpandInput * input,
    OrchEntity * entity, GstOrchInfo * info, GstOrchList ** lists, guint n)
{
  GstFlowReturn ret = input ? wait_for_window (self, input) : GST_FLOW_OK;
  guint n_children = gst_orch_list_get_size (lists[0]);
  OrchExpansion *expansion;

  if (ret != GST_FLOW_OK)
    return ret;
  expansion = gst_orch_expand_open_with (self, entity, info, n_children);
  if (n_children > 0)
    gst_orch_expand_add_lists (self, expansion, lists, n);
  orch_expansion_unref (expansion);
  return GST_FLOW_OK;
}

static GstFlowReturn
open_value (GstOrchExpand * self, GstOrchExpandInput * input,
    GstOrchTaken * taken, GstOrchList * list, OrchCause * cause)
{
  GstFlowReturn ret = GST_FLOW_OK;

  if (self->columns->len > 1)
    return gst_orch_expand_enter (self, input, taken->entity, taken->info, list,
        list ? ORCH_OUTCOME_PRESENT : ORCH_OUTCOME_FAILED, cause);
  gst_orch_lock (&self->lock);
  if (list)
    ret = gst_orch_expand_open_lists (self, input, taken->entity, taken->info,
        &list, 1);
  else
    orch_expansion_unref (gst_orch_expand_end_absent (self, taken->entity,
            taken->info, ORCH_EXPANSION_FAILED, cause));
  g_mutex_unlock (&self->lock);
  return ret;
}

/* (transfer full) */
static OrchCause *
cause_of_no_list (GstOrchExpandInput * input, OrchEntity * entity)
{
  g_autofree gchar *path = orch_entity_get_path (entity);
  g_autofree gchar *message = input == input->owner->main
      ? g_strdup ("only a list can be expanded")
      : g_strdup_printf ("only a list can be expanded, and what comes to %s is none",
      GST_OBJECT_NAME (input->pad));

  return orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_NOT_A_LIST, message, path,
      GST_OBJECT_NAME (input->owner));
}

/* The inputs of a joined Item are no children. */
static gboolean
is_joined (GstOrchExpandInput * input)
{
  return input->caps
      && gst_structure_has_name (gst_caps_get_structure (input->caps, 0),
      GST_ORCH_ITEMS_CAPS);
}

static GstFlowReturn
chain_value (GstOrchExpand * self, GstOrchExpandInput * input,
    GstBuffer * buffer)
{
  GstOrchList *list =
      is_joined (input) ? NULL : gst_orch_buffer_get_list (buffer);
  GstFlowReturn ret = GST_FLOW_OK;
  OrchCause *cause = NULL;
  GstOrchTaken taken;

  if (!gst_orch_subscriber_take_one (input->subscriber, buffer, &taken, &ret))
    return ret;
  if (list)
    gst_orch_list_ref (list);
  else
    cause = cause_of_no_list (input, taken.entity);
  /* Before the list is opened: its elements can be moved out if nobody else
   * has it. */
  gst_buffer_unref (buffer);
  ret = open_value (self, input, &taken, list, cause);
  g_clear_pointer (&list, gst_orch_list_unref);
  orch_cause_unref (cause);
  orch_entity_unref (taken.entity);
  gst_orch_info_unref (taken.info);
  gst_orch_subscriber_wake (self->main->subscriber);
  return ret;
}

/* ---- streams ---- */

static GstClockTime
get_time (GstOrchExpandInput * input, GstBuffer * buffer)
{
  GstClockTime time = GST_BUFFER_PTS (buffer);
  guint64 stream_time;

  if (!GST_CLOCK_TIME_IS_VALID (time)
      || input->segment.format != GST_FORMAT_TIME)
    return time;
  /* What is ahead of the segment, for decoders, has a time as well. */
  return gst_segment_to_stream_time_full (&input->segment, GST_FORMAT_TIME,
      time, &stream_time) == 1 ? stream_time : GST_CLOCK_TIME_NONE;
}

static GstOrchInfo *
info_of_stream_buffer (GstBuffer * buffer, GstClockTime time)
{
  GstStructure *info = gst_structure_new ("info",
      "time", G_TYPE_UINT64, time, NULL);

  if (GST_BUFFER_DURATION_IS_VALID (buffer))
    gst_structure_set (info, "duration", G_TYPE_UINT64,
        GST_BUFFER_DURATION (buffer), NULL);
  return gst_orch_info_new (info);
}

static GstOrchExpandChild *
child_of_stream_buffer (GstOrchExpandInput * input, GstBuffer * buffer,
    GstClockTime time)
{
  GstOrchExpandChild *child = g_slice_new0 (GstOrchExpandChild);

  child->outcome = ORCH_OUTCOME_PRESENT;
  child->buffer = buffer;
  child->caps = input->caps ? gst_caps_ref (input->caps) : NULL;
  child->owns_caps = child->caps != NULL;
  if (GST_CLOCK_TIME_IS_VALID (time))
    child->info = info_of_stream_buffer (buffer, time);
  return child;
}

/* With the lock held: what comes behind the EOS that is out would wait for ever. */
static GstFlowReturn
wait_for_room (GstOrchExpand * self, GstOrchExpandInput * input)
{
  while (!input->flushing && self->flow == GST_FLOW_OK && input->stream
      && g_queue_get_length (&input->stream->buffers) >= self->max_buffers)
    g_cond_wait (&input->room, &self->lock);
  if (input->flushing)
    return GST_FLOW_FLUSHING;
  return self->ended ? GST_FLOW_EOS : self->flow;
}

/* With the lock held. */
static void
note_place (GstOrchExpandInput * input)
{
  GstOrchExpandParent *stream = input->stream;

  if (stream->groups && input->in_group)
    gst_orch_stream_advance (stream->origin, input->place, input->n_in_group);
  else
    gst_orch_stream_advance (stream->origin, ++input->place, 0);
}

/* With the lock held; `buffer` (transfer full). */
static void
enter_stream (GstOrchExpand * self, GstOrchExpandInput * input,
    GstBuffer * buffer)
{
  GstClockTime time = get_time (input, buffer);
  GstOrchExpandChild *child = child_of_stream_buffer (input, buffer, time);

  if (!input->stream)
    gst_orch_expand_open_stream (self, input);
  if (input->stream->groups)
    gst_orch_expand_enter_group (self, input, child, time);
  g_queue_push_tail (&input->stream->buffers, child);
  note_place (input);
  orch_lane_feed (input->stream->lane, 1);
  self->ledger.entered++;
}

static GstFlowReturn
chain_stream (GstOrchExpand * self, GstOrchExpandInput * input,
    GstBuffer * buffer)
{
  GstFlowReturn ret;

  gst_orch_lock (&self->lock);
  ret = wait_for_room (self, input);
  if (ret == GST_FLOW_OK)
    enter_stream (self, input, buffer);
  g_mutex_unlock (&self->lock);
  if (ret != GST_FLOW_OK)
    gst_buffer_unref (buffer);
  gst_orch_subscriber_wake (self->main->subscriber);
  return ret;
}

static gboolean
is_stream (GstOrchExpandInput * input, GstBuffer * buffer)
{
  return !gst_orch_buffer_get_list (buffer)
      && !gst_orch_subscriber_has_ports (input->subscriber);
}

/* The parents of one expansion are of one Domain. */
static gboolean
is_of_one_kind (GstOrchExpand * self, gboolean stream)
{
  GstOrchExpandKind kind = stream ? GST_ORCH_EXPAND_STREAMS
      : GST_ORCH_EXPAND_VALUES;
  gboolean is_first, result;

  gst_orch_lock (&self->lock);
  is_first = self->kind == GST_ORCH_EXPAND_UNKNOWN;
  if (is_first)
    self->kind = kind;
  result = self->kind == kind;
  g_mutex_unlock (&self->lock);
  if (is_first && !stream && self->group_by != GST_ORCH_GROUP_BY_NONE)
    GST_ELEMENT_WARNING (self, STREAM, WRONG_TYPE,
        ("%s gets lists, which group-by does not cut.",
            GST_OBJECT_NAME (self)),
        ("A list is one parent.  Take group-by away, or feed it streams."));
  if (!result)
    GST_ELEMENT_ERROR (self, STREAM, WRONG_TYPE,
        ("%s gets lists and streams together.", GST_OBJECT_NAME (self)),
        ("Their parents are of different Domains: use one orchexpand for the "
            "lists and another one for the streams."));
  return result;
}

static GstFlowReturn
gst_orch_expand_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstOrchExpand *self = GST_ORCH_EXPAND (parent);
  GstOrchExpandInput *input = get_input (pad);
  gboolean stream = is_stream (input, buffer);

  if (!is_of_one_kind (self, stream)
      || !gst_orch_expand_check_column (self, input)) {
    gst_buffer_unref (buffer);
    return GST_FLOW_ERROR;
  }
  if (stream)
    return chain_stream (self, input, buffer);
  return chain_value (self, input, buffer);
}

/* ---- events ---- */

static void
start (GstOrchExpand * self, GstOrchExpandInput * input, GstEvent * event)
{
  const gchar *id;

  gst_event_parse_stream_start (event, &id);
  gst_orch_subscriber_update (input->subscriber);
  gst_orch_lock (&self->lock);
  g_free (input->stream_id);
  input->stream_id = g_strdup (id);
  input->started = TRUE;
  input->eos = FALSE;
  input->resolved = FALSE;
  input->quiet = FALSE;
  input->is_of_one_call = FALSE;
  gst_orch_expand_wake_outputs (self);
  g_mutex_unlock (&self->lock);
}

/* With the lock held: what is forgotten has no end, though it may have been on its way
 * when the flush began. */
static GstOrchExpandParent *
end_input (GstOrchExpand * self, GstOrchExpandInput * input)
{
  gboolean is_empty_stream;

  if (input->flushing)
    return NULL;
  /* A stream without a buffer is a parent without children. */
  is_empty_stream = input->is_request && !input->stream && !input->eos
      && !gst_orch_subscriber_has_ports (input->subscriber);
  if (is_empty_stream)
    gst_orch_expand_open_stream (self, input);
  input->started = TRUE;
  input->eos = TRUE;
  gst_clear_structure (&input->mark);
  return gst_orch_expand_end_stream (self, input, ORCH_EXPANSION_SUCCEEDED,
      NULL, NULL);
}

static void
end (GstOrchExpand * self, GstOrchExpandInput * input)
{
  GstOrchExpandParent *done;

  gst_orch_subscriber_update (input->subscriber);
  gst_orch_lock (&self->lock);
  done = end_input (self, input);
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&done, gst_orch_expand_parent_free);
  gst_orch_subscriber_wake (input->subscriber);
}

static void
set_caps (GstOrchExpand * self, GstOrchExpandInput * input, GstEvent * event)
{
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  gst_orch_lock (&self->lock);
  gst_caps_replace (&input->caps, caps);
  g_mutex_unlock (&self->lock);
}

static void
note_context (GstOrchExpand * self, GstOrchExpandInput * input,
    GstEvent * event)
{
  gst_orch_lock (&self->lock);
  if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
    gst_event_copy_segment (event, &input->segment);
  if (input->stream)
    gst_orch_stream_add (input->stream->origin, event);
  g_mutex_unlock (&self->lock);
}

/* A flush of the only pad, or of one of several whose lists are aligned, is a flush
 * of everything, and so is one after the end, behind which elements take nothing more
 * without; one of several streams ends its own and no other.  What it began as it is at
 * FLUSH_STOP, though pads may have come and gone. */
static gboolean
begin_flush (GstOrchExpand * self, GstOrchExpandInput * input)
{
  gboolean result;

  gst_orch_lock (&self->lock);
  result = self->ended || g_list_length (self->inputs) == self->n_columns;
  input->flushes_all = result;
  self->ended = FALSE;
  g_mutex_unlock (&self->lock);
  return result;
}

/* With the lock held: its end is none. */
static void
take_back_end (GstOrchExpandInput * input)
{
  input->eos = FALSE;
  input->resolved = FALSE;
  input->quiet = FALSE;
  gst_clear_structure (&input->mark);
}

/* With the lock held. */
static void
begin_epoch (GstOrchExpand * self)
{
  guint i;

  self->flushing = TRUE;
  for (i = 0; i < self->columns->len; i++) {
    GstOrchExpandInput *column = g_ptr_array_index (self->columns, i);

    if (column)
      gst_orch_port_new_epoch (column->output->egress.port);
  }
}

/* Where what comes to it leaves: streams leave together. */
static GstOrchExpandOutput *
output_of (GstOrchExpandInput * input)
{
  return input->output ? input->output : input->owner->output;
}

static void
flush_all (GstOrchExpand * self, GstOrchExpandInput * input, GstEvent * event)
{
  GstOrchExpandOutput *output = output_of (input);
  GQueue children = G_QUEUE_INIT;
  GList *parents = NULL;
  GHashTable *rows;

  gst_orch_lock (&self->lock);
  begin_epoch (self);
  g_mutex_unlock (&self->lock);
  gst_pad_push_event (output->egress.pad, event);
  gst_orch_lock (&self->lock);
  input->flushing = TRUE;
  take_back_end (input);
  rows = gst_orch_expand_forget (self, &parents, &children);
  gst_orch_expand_wake_inputs (self);
  gst_orch_expand_wake_outputs (self);
  g_mutex_unlock (&self->lock);
  gst_pad_pause_task (output->egress.pad);
  g_queue_clear_full (&children, gst_orch_expand_child_free);
  g_list_free_full (parents, gst_orch_expand_parent_free);
  g_hash_table_unref (rows);
}

static gboolean
flush_start (GstOrchExpand * self, GstOrchExpandInput * input,
    GstEvent * event)
{
  GstOrchExpandParent *flushed;

  if (begin_flush (self, input)) {
    flush_all (self, input, event);
    return TRUE;
  }
  gst_event_unref (event);
  gst_orch_lock (&self->lock);
  input->flushing = TRUE;
  take_back_end (input);
  gst_orch_expand_flush_stream (self, input);
  flushed = gst_orch_expand_end_stream (self, input, ORCH_EXPANSION_FAILED,
      ORCH_CODE_FLUSHED, "its stream was flushed");
  g_cond_broadcast (&input->room);
  g_mutex_unlock (&self->lock);
  gst_orch_subscriber_wake (self->main->subscriber);
  g_clear_pointer (&flushed, gst_orch_expand_parent_free);
  return TRUE;
}

/* With the lock held: the last of the pads that were flushed together lets all go
 * on. */
static gboolean
ends_flush (GstOrchExpand * self)
{
  guint i;

  for (i = 0; i < self->columns->len; i++) {
    GstOrchExpandInput *column = g_ptr_array_index (self->columns, i);

    if (column && column->flushing)
      return FALSE;
  }
  self->flushing = FALSE;
  self->flow = GST_FLOW_OK;
  return TRUE;
}

static void
start_tasks (GstOrchExpand * self)
{
  GPtrArray *outputs = g_ptr_array_new ();
  guint i;

  gst_orch_lock (&self->lock);
  for (i = 0; i < self->columns->len; i++) {
    GstOrchExpandInput *column = g_ptr_array_index (self->columns, i);

    if (column)
      g_ptr_array_add (outputs, column->output);
  }
  g_mutex_unlock (&self->lock);
  for (i = 0; i < outputs->len; i++)
    gst_orch_expand_start_task (g_ptr_array_index (outputs, i));
  g_ptr_array_unref (outputs);
}

static gboolean
flush_stop (GstOrchExpand * self, GstOrchExpandInput * input, GstEvent * event)
{
  gboolean all = input->flushes_all, go_on = FALSE;
  GstOrchExpandOutput *output = output_of (input);

  if (all)
    gst_pad_push_event (output->egress.pad, event);
  else
    gst_event_unref (event);
  gst_orch_subscriber_flush (input->subscriber);
  gst_orch_lock (&self->lock);
  input->flushing = FALSE;
  input->flushes_all = FALSE;
  take_back_end (input);
  gst_segment_init (&input->segment, GST_FORMAT_TIME);
  if (all) {
    gst_orch_egress_forget (&output->egress);
    output->next_time = 0;
    go_on = ends_flush (self);
  }
  g_mutex_unlock (&self->lock);
  if (go_on)
    start_tasks (self);
  return TRUE;
}

static gboolean
gst_orch_expand_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstOrchExpand *self = GST_ORCH_EXPAND (parent);
  GstOrchExpandInput *input = get_input (pad);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      return flush_start (self, input, event);
    case GST_EVENT_FLUSH_STOP:
      return flush_stop (self, input, event);
    case GST_EVENT_STREAM_START:
      start (self, input, event);
      break;
    case GST_EVENT_CAPS:
      set_caps (self, input, event);
      break;
    case GST_EVENT_SEGMENT:
    case GST_EVENT_TAG:
      note_context (self, input, event);
      break;
    case GST_EVENT_EOS:
      end (self, input);
      break;
    case GST_EVENT_CUSTOM_DOWNSTREAM:
    case GST_EVENT_CUSTOM_BOTH:
      gst_orch_lock (&self->lock);
      gst_orch_expand_see_mark (self, input, event);
      g_mutex_unlock (&self->lock);
      gst_orch_subscriber_wake (self->main->subscriber);
      break;
    default:
      break;
  }
  gst_event_unref (event);
  return TRUE;
}

static gboolean
gst_orch_expand_sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (gst_orch_subscriber_query (get_input (pad)->subscriber, query))
    return FALSE;
  /* What is no list fails its unit, with a cause that says so. */
  if (GST_QUERY_TYPE (query) == GST_QUERY_ACCEPT_CAPS) {
    gst_query_set_accept_caps_result (query, TRUE);
    return TRUE;
  }
  return gst_pad_query_default (pad, parent, query);
}

static gboolean
gst_orch_expand_sink_activate_mode (GstPad * pad, GstObject * parent,
    GstPadMode mode, gboolean active)
{
  GstOrchExpandInput *input = get_input (pad);
  /* A pad is activated before the element has it. */
  GstOrchExpand *self = input->owner;

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  gst_orch_lock (&self->lock);
  input->flushing = !active;
  g_cond_broadcast (&input->room);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

/* ---- pads ---- */

/* Of units; any stream can be a parent. */
static gchar *
refuse (GstPad * sinkpad, GstCaps * caps)
{
  GstCaps *lists = gst_caps_new_empty_simple (GST_ORCH_LIST_CAPS);
  gboolean possible = gst_caps_can_intersect (caps, lists);
  g_autofree gchar *got = gst_caps_to_string (caps);

  gst_caps_unref (lists);
  if (possible)
    return NULL;
  return g_strdup_printf ("It opens lists, not %s: a Call in between has to make "
      "a list of each unit.", got);
}

GstOrchExpandInput *
gst_orch_expand_input_new (GstOrchExpand * self, GstPad * pad,
    gboolean is_request)
{
  GstOrchExpandInput *input = g_new0 (GstOrchExpandInput, 1);

  input->owner = self;
  input->pad = pad;
  input->id = gst_orch_stream_new_id ();
  input->is_request = is_request;
  input->subscriber = gst_orch_subscriber_new (pad);
  gst_orch_subscriber_set_refusal (input->subscriber, refuse);
  if (self->main)
    gst_orch_subscriber_set_leader (input->subscriber,
        self->main->subscriber);
  g_cond_init (&input->room);
  gst_segment_init (&input->segment, GST_FORMAT_TIME);
  gst_pad_set_element_private (pad, input);
  gst_pad_set_chain_function (pad, gst_orch_expand_chain);
  gst_pad_set_event_function (pad, gst_orch_expand_sink_event);
  gst_pad_set_query_function (pad, gst_orch_expand_sink_query);
  gst_pad_set_activatemode_function (pad, gst_orch_expand_sink_activate_mode);
  return input;
}

void
gst_orch_expand_input_free (GstOrchExpandInput * input)
{
  gst_orch_expand_output_free (input->output);
  gst_orch_subscriber_unref (input->subscriber);
  g_clear_pointer (&input->reserved, orch_entity_unref);
  g_cond_clear (&input->room);
  gst_clear_caps (&input->caps);
  gst_clear_structure (&input->mark);
  g_clear_pointer (&input->last, orch_expansion_unref);
  g_free (input->stream_id);
  g_free (input);
}

void
gst_orch_expand_wake_inputs (GstOrchExpand * self)
{
  GList *l;

  for (l = self->inputs; l; l = l->next)
    g_cond_broadcast (&((GstOrchExpandInput *) l->data)->room);
}

void
gst_orch_expand_input_release (GstOrchExpand * self,
    GstOrchExpandInput * input)
{
  GstOrchExpandParent *ended;

  gst_orch_lock (&self->lock);
  self->inputs = g_list_remove (self->inputs, input);
  input->flushing = TRUE;
  ended = gst_orch_expand_end_stream (self, input, ORCH_EXPANSION_FAILED,
      ORCH_CODE_STREAM, "its pad was released before the stream had ended");
  g_cond_broadcast (&input->room);
  g_mutex_unlock (&self->lock);
  gst_orch_subscriber_wake (self->main->subscriber);
  g_clear_pointer (&ended, gst_orch_expand_parent_free);
  gst_orch_subscriber_reset (input->subscriber);
}
