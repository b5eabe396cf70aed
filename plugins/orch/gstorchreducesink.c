/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchreduce-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_orch_reduce_debug);
#define GST_CAT_DEFAULT gst_orch_reduce_debug

/* S5.2a: what fails the group mostly shows as a failing member, before the rest is
 * known. */
static OrchCause *
find_barrier (GstOrchReduce * self, OrchEntity * entity, OrchOutcome outcome)
{
  if (!orch_outcome_is_failing (outcome))
    return NULL;
  return gst_orch_subscriber_find_barrier (self->input, entity->expansion);
}

static void
post_no_parent (GstOrchReduce * self)
{
  GST_ELEMENT_ERROR (self, STREAM, FAILED,
      ("%s has nothing to gather into.", GST_OBJECT_NAME (self)),
      ("What it gets are root units, which have no parent: put an orchexpand "
          "before it."));
}

/* With the lock held; `value` (transfer full): it is returned, to be freed
 * without lock, if the gather does not want it. */
static GstOrchReduceValue *
enter (GstOrchReduce * self, OrchEntity * entity, OrchOutcome outcome,
    OrchCause * cause, OrchCause * barrier, GstOrchReduceValue * value,
    GPtrArray ** garbage)
{
  GstOrchReduceGather *gather;

  gather = self->flushing ? NULL :
      gst_orch_reduce_get_gather (self, entity->expansion);
  if (!gather)
    return value;
  if (barrier)
    orch_gather_barrier (gather->gather, barrier);
  orch_gather_value (gather->gather, entity->ordinal, outcome, cause, value);
  if (orch_gather_get_outcome (gather->gather) != ORCH_OUTCOME_UNRESOLVED
      || orch_gather_is_complete (gather->gather)) {
    if (!*garbage)
      *garbage = gst_orch_reduce_garbage_new ();
    gst_orch_reduce_check (self, gather, *garbage);
  }
  return NULL;
}

/* No lock held.  Wakes the task when a parent is done. */
static void
dispose (GstOrchReduce * self, GPtrArray * garbage)
{
  if (!garbage)
    return;
  gst_orch_reduce_dispose (self, garbage);
  gst_orch_subscriber_wake (self->input);
}

gboolean
gst_orch_reduce_enter_outcome (GstOrchReduce * self, GstOrchNews * news)
{
  GstOrchReduceValue *value;
  GPtrArray *garbage = NULL;
  OrchCause *barrier;

  if (!orch_entity_get_parent (news->entity)) {
    post_no_parent (self);
    return FALSE;
  }
  barrier = find_barrier (self, news->entity, news->outcome);
  value = gst_orch_reduce_value_new (NULL, NULL,
      g_steal_pointer (&news->info));
  gst_orch_lock (&self->lock);
  value = enter (self, news->entity, news->outcome, news->cause, barrier,
      value, &garbage);
  g_mutex_unlock (&self->lock);
  gst_orch_reduce_value_free (value);
  dispose (self, garbage);
  return TRUE;
}

void
gst_orch_reduce_enter_expansion (GstOrchReduce * self,
    OrchExpansion * expansion)
{
  GPtrArray *garbage = gst_orch_reduce_garbage_new ();
  GstOrchReduceGather *gather;

  gst_orch_lock (&self->lock);
  gather = self->flushing ? NULL :
      gst_orch_reduce_get_gather (self, expansion);
  if (gather) {
    gst_orch_reduce_read_expansion (gather, expansion);
    gst_orch_reduce_check (self, gather, garbage);
  }
  g_mutex_unlock (&self->lock);
  gst_orch_reduce_dispose (self, garbage);
}

/* With the lock held: it never waits for a child that is missing, only for what
 * is done to leave. */
static void
wait_for_room (GstOrchReduce * self)
{
  while (self->finished.length >= GST_ORCH_REDUCE_MAX_FINISHED
      && !self->flushing && self->flow == GST_FLOW_OK)
    g_cond_wait (&self->room, &self->lock);
}

/* Buffers that arrived, each taken over.  An error is posted when one of them
 * cannot be gathered. */
static GstFlowReturn
enter_buffers (GstOrchReduce * self, GstBuffer ** buffers,
    GstOrchTaken * taken, guint n)
{
  g_autofree GstOrchReduceValue **values = g_new (GstOrchReduceValue *, n);
  GPtrArray *garbage = NULL;
  gboolean no_lineage = FALSE, no_parent = FALSE;
  GstFlowReturn flow;
  guint i;

  for (i = 0; i < n; i++) {
    values[i] = NULL;
    if (taken[i].arrival == GST_ORCH_ARRIVAL_NEW) {
      values[i] = gst_orch_reduce_value_new (gst_orch_buffer_keep_entity
          (buffers[i]), self->caps, taken[i].info);
      no_parent |= !orch_entity_get_parent (taken[i].entity);
    } else {
      gst_buffer_unref (buffers[i]);
      no_lineage |= taken[i].arrival == GST_ORCH_ARRIVAL_NO_LINEAGE;
    }
  }
  gst_orch_lock (&self->lock);
  wait_for_room (self);
  for (i = 0; i < n; i++)
    if (values[i] && orch_entity_get_parent (taken[i].entity))
      values[i] = enter (self, taken[i].entity, ORCH_OUTCOME_PRESENT, NULL,
          NULL, values[i], &garbage);
  flow = self->flushing ? GST_FLOW_FLUSHING : self->flow;
  g_mutex_unlock (&self->lock);
  for (i = 0; i < n; i++) {
    gst_orch_reduce_value_free (values[i]);
    orch_entity_unref (taken[i].entity);
  }
  dispose (self, garbage);
  if (no_lineage)
    gst_orch_subscriber_post_no_lineage (self->input);
  if (no_parent)
    post_no_parent (self);
  return no_lineage || no_parent ? GST_FLOW_ERROR : flow;
}

GstFlowReturn
gst_orch_reduce_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstOrchReduce *self = GST_ORCH_REDUCE (parent);
  GstOrchTaken taken;

  gst_orch_subscriber_take (self->input, &buffer, 1, &taken);
  return enter_buffers (self, &buffer, &taken, 1);
}

GstFlowReturn
gst_orch_reduce_chain_list (GstPad * pad, GstObject * parent,
    GstBufferList * list)
{
  GstOrchReduce *self = GST_ORCH_REDUCE (parent);
  guint n = gst_buffer_list_length (list);
  g_autofree GstBuffer **buffers = g_new (GstBuffer *, n);
  g_autofree GstOrchTaken *taken = g_new (GstOrchTaken, n);

  gst_orch_buffer_list_take (list, buffers);
  gst_orch_subscriber_take (self->input, buffers, n, taken);
  return enter_buffers (self, buffers, taken, n);
}

/* ---- events ---- */

static gboolean
flush_start (GstOrchReduce * self, GstEvent * event)
{
  GPtrArray *garbage = gst_orch_reduce_garbage_new ();
  GHashTable *rows;
  GQueue finished;

  gst_orch_lock (&self->lock);
  self->flushing = TRUE;
  g_cond_broadcast (&self->room);
  gst_orch_port_new_epoch (self->output.port);
  g_mutex_unlock (&self->lock);
  gst_pad_push_event (self->srcpad, event);
  gst_orch_lock (&self->lock);
  gst_orch_reduce_forget (self, garbage);
  rows = self->rows;
  self->rows = gst_orch_reduce_rows_new ();
  finished = self->finished;
  g_queue_init (&self->finished);
  g_mutex_unlock (&self->lock);
  gst_orch_subscriber_wake (self->input);
  gst_pad_pause_task (self->srcpad);
  g_ptr_array_unref (garbage);
  g_queue_clear_full (&finished, gst_orch_reduce_result_free);
  g_hash_table_unref (rows);
  return TRUE;
}

static gboolean
flush_stop (GstOrchReduce * self, GstEvent * event)
{
  gst_pad_push_event (self->srcpad, event);
  gst_orch_subscriber_flush (self->input);
  gst_orch_lock (&self->lock);
  self->flushing = FALSE;
  self->eos = FALSE;
  self->resolved = FALSE;
  self->cut_off = FALSE;
  self->flow = GST_FLOW_OK;
  gst_orch_egress_forget (&self->output);
  self->next_time = 0;
  g_mutex_unlock (&self->lock);
  gst_orch_reduce_start_task (self);
  return TRUE;
}

static void
set_caps (GstOrchReduce * self, GstEvent * event)
{
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  gst_caps_replace (&self->caps, caps);
}

/* Children's stream-start, caps, segment and tags are not the parents'. */
gboolean
gst_orch_reduce_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstOrchReduce *self = GST_ORCH_REDUCE (parent);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      return flush_start (self, event);
    case GST_EVENT_FLUSH_STOP:
      return flush_stop (self, event);
    case GST_EVENT_STREAM_START:
      gst_orch_subscriber_update (self->input);
      gst_orch_subscriber_wake (self->input);
      break;
    case GST_EVENT_CAPS:
      set_caps (self, event);
      break;
    case GST_EVENT_EOS:
      gst_orch_subscriber_update (self->input);
      gst_orch_lock (&self->lock);
      self->eos = TRUE;
      g_mutex_unlock (&self->lock);
      gst_orch_subscriber_wake (self->input);
      break;
    default:
      break;
  }
  gst_event_unref (event);
  return TRUE;
}

gboolean
gst_orch_reduce_sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (gst_orch_subscriber_query (GST_ORCH_REDUCE (parent)->input, query))
    return FALSE;
  return gst_pad_query_default (pad, parent, query);
}

gboolean
gst_orch_reduce_sink_activate_mode (GstPad * pad, GstObject * parent,
    GstPadMode mode, gboolean active)
{
  /* The src pad, which goes down first, wakes what may wait here. */
  return mode == GST_PAD_MODE_PUSH;
}
