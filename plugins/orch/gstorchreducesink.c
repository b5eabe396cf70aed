/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchreduce-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_orch_reduce_debug);
#define GST_CAT_DEFAULT gst_orch_reduce_debug

static GstOrchReduceInput *
get_input (GstPad * pad)
{
  return gst_pad_get_element_private (pad);
}

/* S5.2a: what fails the group mostly shows as a failing member, before the rest is
 * known. */
static OrchCause *
find_barrier (GstOrchReduceInput * input, OrchEntity * entity,
    OrchOutcome outcome)
{
  if (!orch_outcome_is_failing (outcome))
    return NULL;
  return gst_orch_subscriber_find_barrier (input->subscriber,
      entity->expansion);
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
enter (GstOrchReduceInput * input, OrchEntity * entity, OrchOutcome outcome,
    OrchCause * cause, OrchCause * barrier, GstOrchReduceValue * value,
    GPtrArray ** garbage)
{
  GstOrchReduce *self = input->owner;
  GstOrchReduceGather *gather;

  gather = self->flushing ? NULL :
      gst_orch_reduce_get_gather (self, entity->expansion);
  if (!gather)
    return value;
  if (barrier)
    orch_gather_barrier (gather->gather, barrier);
  if (self->inputs->len > 1)
    gst_orch_reduce_enter_row (input, gather, entity->ordinal, outcome, cause,
        value);
  else
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
  gst_orch_reduce_wake (self);
}

/* FALSE, with an error posted, for what cannot be gathered here. */
static gboolean
is_child (GstOrchReduce * self, OrchEntity * entity)
{
  if (orch_entity_get_parent (entity))
    return self->inputs->len == 1
        || gst_orch_reduce_check_domain (self, entity);
  post_no_parent (self);
  return FALSE;
}

/* The same where one pad's children come in lists of many. */
static inline gboolean
is_plainly_child (GstOrchReduce * self, OrchEntity * entity)
{
  return self->inputs->len == 1 && orch_entity_get_parent (entity);
}

gboolean
gst_orch_reduce_enter_outcome (GstOrchReduceInput * input, GstOrchNews * news)
{
  GstOrchReduce *self = input->owner;
  GstOrchReduceValue *value;
  GPtrArray *garbage = NULL;
  OrchCause *barrier;

  if (!is_child (self, news->entity))
    return FALSE;
  barrier = find_barrier (input, news->entity, news->outcome);
  value = gst_orch_reduce_value_new (NULL, NULL,
      g_steal_pointer (&news->info));
  gst_orch_lock (&self->lock);
  value = enter (input, news->entity, news->outcome, news->cause, barrier,
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

/* With the lock held. */
static gboolean
has_room (GstOrchReduce * self)
{
  guint i;

  for (i = 0; i < self->inputs->len; i++) {
    GstOrchReduceInput *input = g_ptr_array_index (self->inputs, i);

    if (input->src && !gst_orch_reduce_is_gone (input)
        && input->src->finished.length >= GST_ORCH_REDUCE_MAX_FINISHED)
      return FALSE;
  }
  return TRUE;
}

/* With the lock held: it never waits for a child that is missing, only for what
 * is done to leave. */
static void
wait_for_room (GstOrchReduceInput * input)
{
  GstOrchReduce *self = input->owner;

  while (!has_room (self) && !self->flushing && !gst_orch_reduce_is_gone (input)
      && self->flow == GST_FLOW_OK)
    g_cond_wait (&self->room, &self->lock);
}

/* (transfer full): of a buffer (transfer full); that of a member is not needed. */
static GstOrchReduceValue *
value_of_buffer (GstOrchReduceInput * input, GstBuffer * buffer,
    GstOrchInfo * info)
{
  if (input->src)
    return gst_orch_reduce_value_new (gst_orch_buffer_keep_entity (buffer),
        input->caps, info);
  gst_buffer_unref (buffer);
  return gst_orch_reduce_value_new (NULL, NULL, info);
}

/* Buffers that arrived, each taken over.  An error is posted when one of them
 * cannot be gathered. */
static GstFlowReturn
enter_buffers (GstOrchReduceInput * input, GstBuffer ** buffers,
    GstOrchTaken * taken, guint n)
{
  GstOrchReduce *self = input->owner;
  g_autofree GstOrchReduceValue **values = g_new0 (GstOrchReduceValue *, n);
  GPtrArray *garbage = NULL;
  gboolean no_lineage = FALSE, wrong = FALSE;
  GstFlowReturn flow;
  guint i;

  for (i = 0; i < n; i++) {
    if (taken[i].arrival != GST_ORCH_ARRIVAL_NEW) {
      gst_buffer_unref (buffers[i]);
      no_lineage |= taken[i].arrival == GST_ORCH_ARRIVAL_NO_LINEAGE;
      continue;
    }
    values[i] = value_of_buffer (input, buffers[i], taken[i].info);
    if (!is_plainly_child (self, taken[i].entity))
      wrong = wrong || !is_child (self, taken[i].entity);
  }
  gst_orch_lock (&self->lock);
  wait_for_room (input);
  for (i = 0; i < n && !wrong; i++)
    if (values[i])
      values[i] = enter (input, taken[i].entity, ORCH_OUTCOME_PRESENT, NULL,
          NULL, values[i], &garbage);
  flow = self->flushing || gst_orch_reduce_is_gone (input) ? GST_FLOW_FLUSHING : self->flow;
  g_mutex_unlock (&self->lock);
  for (i = 0; i < n; i++) {
    gst_orch_reduce_value_free (values[i]);
    orch_entity_unref (taken[i].entity);
  }
  dispose (self, garbage);
  if (no_lineage)
    gst_orch_subscriber_post_no_lineage (input->subscriber);
  return no_lineage || wrong ? GST_FLOW_ERROR : flow;
}

static GstFlowReturn
gst_orch_reduce_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstOrchReduceInput *input = get_input (pad);
  GstOrchTaken taken;

  gst_orch_subscriber_take (input->subscriber, &buffer, 1, &taken);
  return enter_buffers (input, &buffer, &taken, 1);
}

static GstFlowReturn
gst_orch_reduce_chain_list (GstPad * pad, GstObject * parent,
    GstBufferList * list)
{
  GstOrchReduceInput *input = get_input (pad);
  guint n = gst_buffer_list_length (list);
  g_autofree GstBuffer **buffers = g_new (GstBuffer *, n);
  g_autofree GstOrchTaken *taken = g_new (GstOrchTaken, n);

  gst_orch_buffer_list_take (list, buffers);
  gst_orch_subscriber_take (input->subscriber, buffers, n, taken);
  return enter_buffers (input, buffers, taken, n);
}

/* ---- events ---- */

/* With the lock held: what is taken out is freed without it. */
static void
forget_all (GstOrchReduce * self, GPtrArray * garbage, GQueue * finished,
    GPtrArray * rows)
{
  guint i;

  gst_orch_reduce_forget (self, garbage);
  for (i = 0; i < self->inputs->len; i++) {
    GstOrchReduceInput *input = g_ptr_array_index (self->inputs, i);
    GHashTable *table;

    if (!input->src)
      continue;
    gst_orch_reduce_src_steal (input->src, finished, &table);
    g_ptr_array_add (rows, table);
  }
}

void
gst_orch_reduce_drop_all (GstOrchReduce * self)
{
  GPtrArray *garbage = gst_orch_reduce_garbage_new ();
  GPtrArray *rows = g_ptr_array_new_with_free_func ((GDestroyNotify)
      g_hash_table_unref);
  GQueue finished = G_QUEUE_INIT;

  gst_orch_lock (&self->lock);
  forget_all (self, garbage, &finished, rows);
  g_mutex_unlock (&self->lock);
  g_ptr_array_unref (garbage);
  g_queue_clear_full (&finished, gst_orch_reduce_result_free);
  g_ptr_array_unref (rows);
}

/* With the lock held. */
static void
begin_epoch (GstOrchReduce * self)
{
  guint i;

  self->flushing = TRUE;
  for (i = 0; i < self->inputs->len; i++) {
    GstOrchReduceInput *input = g_ptr_array_index (self->inputs, i);

    if (input->src && !gst_orch_reduce_is_gone (input))
      gst_orch_port_new_epoch (input->src->egress.port);
  }
  g_cond_broadcast (&self->room);
}

/* A flush of one pad is a flush of everything; each pad passes it on to its own. */
static gboolean
flush_start (GstOrchReduceInput * input, GstEvent * event)
{
  GstOrchReduce *self = input->owner;

  gst_orch_lock (&self->lock);
  input->flushing = TRUE;
  begin_epoch (self);
  g_mutex_unlock (&self->lock);
  if (input->src)
    gst_pad_push_event (input->src->egress.pad, event);
  else
    gst_event_unref (event);
  gst_orch_reduce_drop_all (self);
  gst_orch_reduce_wake (self);
  if (input->src)
    gst_pad_pause_task (input->src->egress.pad);
  return TRUE;
}

/* With the lock held: the last of the pads that were flushed together lets all go
 * on. */
static gboolean
ends_flush (GstOrchReduce * self)
{
  guint i;

  for (i = 0; i < self->inputs->len; i++) {
    GstOrchReduceInput *input = g_ptr_array_index (self->inputs, i);

    if (input->flushing && !gst_orch_reduce_is_gone (input))
      return FALSE;
  }
  self->flushing = FALSE;
  self->cut_off = FALSE;
  self->flow = GST_FLOW_OK;
  return TRUE;
}

static gboolean
flush_stop (GstOrchReduceInput * input, GstEvent * event)
{
  GstOrchReduce *self = input->owner;
  gboolean go_on;
  guint i;

  if (input->src)
    gst_pad_push_event (input->src->egress.pad, event);
  else
    gst_event_unref (event);
  gst_orch_subscriber_flush (input->subscriber);
  gst_orch_lock (&self->lock);
  input->flushing = input->eos = input->resolved = input->quiet = FALSE;
  if (input->src) {
    gst_orch_egress_forget (&input->src->egress);
    input->src->next_time = 0;
  }
  go_on = ends_flush (self);
  g_mutex_unlock (&self->lock);
  for (i = 0; go_on && i < self->inputs->len; i++) {
    input = g_ptr_array_index (self->inputs, i);
    if (input->src && !gst_orch_reduce_is_gone (input))
      gst_orch_reduce_start_task (input->src);
  }
  return TRUE;
}

static void
set_caps (GstOrchReduceInput * input, GstEvent * event)
{
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  gst_caps_replace (&input->caps, caps);
}

static void
note_stream (GstOrchReduceInput * input, gboolean ends)
{
  GstOrchReduce *self = input->owner;

  gst_orch_subscriber_update (input->subscriber);
  gst_orch_lock (&self->lock);
  input->started = TRUE;
  input->eos = ends;
  g_mutex_unlock (&self->lock);
  gst_orch_subscriber_wake (input->subscriber);
}

/* Children's stream-start, caps, segment and tags are not the parents'. */
static gboolean
gst_orch_reduce_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstOrchReduceInput *input = get_input (pad);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      return flush_start (input, event);
    case GST_EVENT_FLUSH_STOP:
      return flush_stop (input, event);
    case GST_EVENT_STREAM_START:
      note_stream (input, FALSE);
      break;
    case GST_EVENT_CAPS:
      set_caps (input, event);
      break;
    case GST_EVENT_EOS:
      note_stream (input, TRUE);
      break;
    default:
      break;
  }
  gst_event_unref (event);
  return TRUE;
}

/* ---- the pad ---- */

static gboolean
gst_orch_reduce_sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (gst_orch_subscriber_query (get_input (pad)->subscriber, query))
    return FALSE;
  return gst_pad_query_default (pad, parent, query);
}

static gboolean
gst_orch_reduce_sink_activate_mode (GstPad * pad, GstObject * parent,
    GstPadMode mode, gboolean active)
{
  /* The src pad, which goes down first, wakes what may wait here. */
  return mode == GST_PAD_MODE_PUSH;
}

/* What no mode but the list can put together. */
static gchar *
refuse (GstPad * sinkpad, GstCaps * caps)
{
  static GstStaticCaps frames =
      GST_STATIC_CAPS ("video/x-raw(ANY); other/tensors");
  static GstStaticCaps lists =
      GST_STATIC_CAPS (GST_ORCH_LIST_CAPS "; " GST_ORCH_ITEMS_CAPS);
  GstOrchReduce *self = GST_ORCH_REDUCE (GST_PAD_PARENT (sinkpad));
  gboolean stacks, concats;
  GstCaps *known;
  gchar *reason = NULL;

  gst_orch_lock (&self->lock);
  stacks = self->mode == GST_ORCH_REDUCE_STACK;
  concats = self->mode == GST_ORCH_REDUCE_CONCAT;
  g_mutex_unlock (&self->lock);
  known = gst_static_caps_get (stacks ? &frames : &lists);
  if ((stacks && !gst_caps_can_intersect (caps, known))
      || (concats && gst_caps_is_subset (caps, known)))
    reason = g_strdup_printf ("With output=%s it takes %s, not %s: leave output "
        "at list, or put a Call in between.", stacks ? "stack" : "concat",
        stacks ? "raw pictures or tensors" : "bytes",
        gst_structure_get_name (gst_caps_get_structure (caps, 0)));
  gst_caps_unref (known);
  return reason;
}

GstOrchReduceInput *
gst_orch_reduce_input_new (GstOrchReduce * self, GstPad * pad)
{
  GstOrchReduceInput *input = g_new0 (GstOrchReduceInput, 1);

  input->owner = self;
  input->pad = pad;
  input->column = self->inputs->len;
  input->subscriber = gst_orch_subscriber_new (pad);
  if (self->input)
    gst_orch_subscriber_set_leader (input->subscriber,
        self->input->subscriber);
  gst_orch_subscriber_set_on_lost (input->subscriber, self->on_lost);
  if (!g_str_equal (GST_OBJECT_NAME (pad), "members"))
    gst_orch_subscriber_set_refusal (input->subscriber, refuse);
  gst_pad_set_element_private (pad, input);
  gst_pad_set_chain_function (pad, gst_orch_reduce_chain);
  gst_pad_set_chain_list_function (pad, gst_orch_reduce_chain_list);
  gst_orch_pad_set_takes_lists (pad);
  gst_pad_set_event_function (pad, gst_orch_reduce_sink_event);
  gst_pad_set_query_function (pad, gst_orch_reduce_sink_query);
  gst_pad_set_activatemode_function (pad, gst_orch_reduce_sink_activate_mode);
  return input;
}

void
gst_orch_reduce_input_free (gpointer data)
{
  GstOrchReduceInput *input = data;

  gst_orch_reduce_src_free (input->src);
  gst_orch_subscriber_unref (input->subscriber);
  gst_clear_caps (&input->caps);
  g_free (input);
}

void
gst_orch_reduce_wake (GstOrchReduce * self)
{
  guint i;

  for (i = 0; i < self->inputs->len; i++)
    gst_orch_subscriber_wake (((GstOrchReduceInput *)
            g_ptr_array_index (self->inputs, i))->subscriber);
}
