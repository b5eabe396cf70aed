/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchactivity-private.h"
#include "gstorchcall-private.h"
#include "gstorchfunction-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_orch_call_debug);
#define GST_CAT_DEFAULT gst_orch_call_debug

/* ---- buffers: enqueue only ---- */

static gboolean
has_room (GstOrchCall * self, gsize bytes)
{
  /* One Item always fits into an empty budget, whatever its size. */
  return self->used_buffers == 0
      || (self->used_buffers < gst_orch_call_get_max_buffers (self)
      && self->used_bytes + bytes <= self->max_bytes);
}

/* With the lock held; GST_FLOW_OK when there is credit.  `any_sealed`: some that
 * came with the same list have ended at once, and hold theirs until they leave. */
static GstFlowReturn
wait_for_room (GstOrchCall * self, gsize bytes, gboolean any_sealed)
{
  while (!self->flushing && self->flow == GST_FLOW_OK && !self->eos
      && !has_room (self, bytes)) {
    /* What came with the same list is on offer before we sleep, and nobody
     * waits for more of it. */
    self->chain_waits = TRUE;
    gst_orch_call_wake_replicas (self, 1);
    if (any_sealed)
      gst_orch_subscriber_wake (self->input);
    g_cond_wait (&self->space, &self->lock);
    self->chain_waits = FALSE;
  }
  if (self->flushing)
    return GST_FLOW_FLUSHING;
  if (self->eos)
    return GST_FLOW_EOS;
  return self->flow;
}

static void
append_entered (GstOrchCall * self, GstOrchGrain * grain)
{
  if (self->entered_tail)
    self->entered_tail->next_entered = grain;
  else
    self->entered_head = grain;
  self->entered_tail = grain;
}

/* With the lock held.  TRUE when that ended it at once. */
static gboolean
enter (GstOrchCall * self, GstOrchGrain * grain, OrchOutcome input,
    OrchCause * cause)
{
  OrchGrainList sealed = { NULL, };
  gboolean is_sealed;

  self->stats.ledger.entered++;
  self->used_buffers++;
  self->used_bytes += grain->bytes;
  self->last_entered = grain;
  if (self->order == GST_ORCH_ORDER_INPUT)
    append_entered (self, grain);
  self->hurried = FALSE;
  if (self->max_wait > 0)
    orch_grain_set_entered (&grain->core, gst_orch_time_now (self->time));
  orch_call_enter (self->core, &grain->core, input, cause, &sealed);
  is_sealed = sealed.n > 0;
  if (is_sealed)
    gst_orch_call_settle (self, &sealed);
  return is_sealed;
}

/* Takes over the n Grains, whatever it returns. */
static GstFlowReturn
enter_all (GstOrchCall * self, GstOrchGrain ** grains, guint n)
{
  GstFlowReturn ret = GST_FLOW_OK;
  gboolean any_sealed = FALSE;
  guint i;

  gst_orch_lock (&self->lock);
  for (i = 0; i < n; i++) {
    ret = wait_for_room (self, grains[i]->bytes, any_sealed);
    if (ret != GST_FLOW_OK)
      break;
    any_sealed |= enter (self, grains[i], ORCH_OUTCOME_PRESENT, NULL);
  }
  gst_orch_call_offer (self);
  g_mutex_unlock (&self->lock);
  for (; i < n; i++)
    gst_orch_grain_free (grains[i]);
  if (any_sealed)
    gst_orch_subscriber_wake (self->input);
  return ret;
}

GstFlowReturn
gst_orch_call_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstOrchCall *self = GST_ORCH_CALL (parent);
  GstOrchGrain *grain;
  GstOrchTaken taken;
  GstFlowReturn ret;

  if (!gst_orch_subscriber_take_one (self->input, buffer, &taken, &ret))
    return ret;
  gst_orch_context_ref_n (self->context, 1);
  grain = gst_orch_grain_new (taken.entity, buffer, self->context, taken.info);
  return enter_all (self, &grain, 1);
}

/* Turns what arrived into Grains; the others of the n buffers are freed. */
static guint
make_grains (GstOrchCall * self, GstBuffer ** buffers, GstOrchTaken * taken,
    guint n, GstOrchGrain ** grains, gboolean * no_lineage)
{
  guint i, n_grains = 0;

  for (i = 0; i < n; i++) {
    if (taken[i].arrival == GST_ORCH_ARRIVAL_NEW) {
      grains[n_grains++] = gst_orch_grain_new (taken[i].entity, buffers[i],
          self->context, taken[i].info);
    } else {
      gst_buffer_unref (buffers[i]);
      *no_lineage |= taken[i].arrival == GST_ORCH_ARRIVAL_NO_LINEAGE;
    }
  }
  gst_orch_context_ref_n (self->context, n_grains);
  return n_grains;
}

GstFlowReturn
gst_orch_call_chain_list (GstPad * pad, GstObject * parent,
    GstBufferList * list)
{
  GstOrchCall *self = GST_ORCH_CALL (parent);
  guint n = gst_buffer_list_length (list);
  g_autofree GstBuffer **buffers = g_new (GstBuffer *, n);
  g_autofree GstOrchTaken *taken = g_new (GstOrchTaken, n);
  g_autofree GstOrchGrain **grains = g_new (GstOrchGrain *, n);
  gboolean no_lineage = FALSE;
  GstFlowReturn ret;

  gst_orch_buffer_list_take (list, buffers);
  gst_orch_subscriber_take (self->input, buffers, n, taken);
  n = make_grains (self, buffers, taken, n, grains, &no_lineage);
  ret = enter_all (self, grains, n);
  if (!no_lineage)
    return ret;
  gst_orch_subscriber_post_no_lineage (self->input);
  return GST_FLOW_ERROR;
}

/* An Item that no buffer brings takes a credit without waiting for one: news
 * must never block. */
void
gst_orch_call_enter_outcome (GstOrchCall * self, const GstOrchNews * news)
{
  GstOrchGrain *grain = gst_orch_grain_new (orch_entity_ref (news->entity),
      NULL, NULL, gst_orch_info_ref (news->info));

  gst_orch_lock (&self->lock);
  enter (self, grain, news->outcome, news->cause);
  g_mutex_unlock (&self->lock);
}

/* ---- events ---- */

/* (transfer full): what its Function accepts */
static GstCaps *
get_accepted_caps (GstOrchCall * self)
{
  GstOrchFunction *function = gst_orch_call_get_function (self);
  GstOrchFunctionClass *klass;
  GstCaps *caps;

  if (!function)
    return gst_pad_get_pad_template_caps (self->sinkpad);
  klass = GST_ORCH_FUNCTION_GET_CLASS (function);
  caps = klass->get_sink_caps ? klass->get_sink_caps (function)
      : gst_caps_ref (gst_orch_function_class_get_traits (klass)->sink_caps);
  gst_object_unref (function);
  return caps;
}

static gchar *
refuse_caps (GstOrchCall * self, GstCaps * caps)
{
  GstCaps *accepted = get_accepted_caps (self);
  gchar *reason = NULL;

  if (!gst_caps_can_intersect (caps, accepted)) {
    g_autofree gchar *got = gst_caps_to_string (caps);
    g_autofree gchar *taken = gst_caps_to_string (accepted);

    reason = g_strdup_printf ("It gets %s, its Function takes %s.", got, taken);
  }
  gst_caps_unref (accepted);
  return reason;
}

gchar *
gst_orch_call_refuse (GstPad * sinkpad, GstCaps * caps)
{
  return refuse_caps (GST_ORCH_CALL (GST_PAD_PARENT (sinkpad)), caps);
}

static gboolean
accept_caps (GstOrchCall * self, GstEvent * event)
{
  g_autofree gchar *reason = NULL;
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  reason = refuse_caps (self, caps);
  if (reason)
    GST_ELEMENT_ERROR (self, CORE, NEGOTIATION,
        ("%s cannot work on what it is given.", GST_OBJECT_NAME (self)),
        ("%s", reason));
  return !reason;
}

/* Behind the last Grain that entered, or behind what is done by now. */
static void
queue_serialized (GstOrchCall * self, GstEvent * event)
{
  gst_orch_lock (&self->lock);
  if (self->flushing)
    gst_event_unref (event);
  else if (self->last_entered)
    gst_orch_grain_attach_event (self->last_entered, event);
  else
    gst_orch_call_distribute_event (self, event);
  g_mutex_unlock (&self->lock);
  gst_orch_subscriber_wake (self->input);
}

static gboolean
push_to_all (GPtrArray * outputs, GstEvent * event)
{
  gboolean ret = FALSE;
  guint i;

  for (i = 0; i < outputs->len; i++) {
    GstOrchCallOutput *output = g_ptr_array_index (outputs, i);

    ret |= gst_pad_push_event (output->egress.pad, gst_event_ref (event));
  }
  gst_event_unref (event);
  return ret;
}

/* With the lock held, so that nothing which dies in the flush counts as lost. */
static void
begin_epoch (GstOrchCall * self)
{
  guint i;

  self->flushing = TRUE;
  for (i = 0; i < self->outputs->len; i++)
    gst_orch_port_new_epoch (((GstOrchCallOutput *)
            g_ptr_array_index (self->outputs, i))->egress.port);
}

static gboolean
flush_start (GstOrchCall * self, GstEvent * event)
{
  GPtrArray *outputs = gst_orch_call_copy_outputs (self);
  OrchGrainList forgotten = { NULL, };
  GList *events;
  gboolean ret;
  guint i;

  gst_orch_lock (&self->lock);
  begin_epoch (self);
  g_mutex_unlock (&self->lock);
  ret = push_to_all (outputs, event);
  gst_orch_lock (&self->lock);
  gst_orch_call_forget (self, &forgotten, &events);
  g_cond_broadcast (&self->space);
  gst_orch_call_wake_outputs (self);
  g_mutex_unlock (&self->lock);
  gst_orch_subscriber_wake (self->input);
  for (i = 0; i < outputs->len; i++)
    gst_pad_pause_task (((GstOrchCallOutput *)
            g_ptr_array_index (outputs, i))->egress.pad);
  gst_orch_grain_list_free (&forgotten);
  g_list_free_full (events, (GDestroyNotify) gst_event_unref);
  g_ptr_array_unref (outputs);
  return ret;
}

static gboolean
flush_stop (GstOrchCall * self, GstEvent * event)
{
  GPtrArray *outputs = gst_orch_call_copy_outputs (self);
  gboolean ret = push_to_all (outputs, event);
  guint i;

  gst_orch_subscriber_flush (self->input);
  for (i = 0; i < outputs->len; i++)
    gst_orch_call_forget_sent (g_ptr_array_index (outputs, i));
  gst_orch_lock (&self->lock);
  self->flushing = FALSE;
  self->eos = FALSE;
  self->resolved = FALSE;
  self->drained = FALSE;
  self->flow = GST_FLOW_OK;
  for (i = 0; i < outputs->len; i++)
    ((GstOrchCallOutput *) g_ptr_array_index (outputs, i))->end = GST_FLOW_OK;
  g_mutex_unlock (&self->lock);
  for (i = 0; i < outputs->len; i++)
    gst_orch_call_start_src_task (g_ptr_array_index (outputs, i));
  g_ptr_array_unref (outputs);
  return ret;
}

/* (transfer full): a further pad has a stream of its own. */
static GstEvent *
make_stream_start (GstOrchCallOutput * output, GstEvent * event)
{
  g_autofree gchar *name = NULL;
  const gchar *id;
  GstEvent *further;
  guint group;

  if (output->index == 0)
    return gst_event_ref (event);
  gst_event_parse_stream_start (event, &id);
  name = g_strdup_printf ("%s/src_%u", id, output->index);
  further = gst_event_new_stream_start (name);
  if (gst_event_parse_group_id (event, &group))
    gst_event_set_group_id (further, group);
  return further;
}

static void
stream_start (GstOrchCall * self, GstEvent * event)
{
  guint i;

  gst_orch_subscriber_update (self->input);
  gst_orch_lock (&self->lock);
  for (i = 0; i < self->outputs->len; i++) {
    GstOrchCallOutput *output = g_ptr_array_index (self->outputs, i);

    gst_clear_event (&output->stream_start);
    output->stream_start = make_stream_start (output, event);
  }
  gst_orch_call_wake_outputs (self);
  g_mutex_unlock (&self->lock);
  gst_orch_subscriber_wake (self->input);
}

static void
end_of_stream (GstOrchCall * self)
{
  gst_orch_subscriber_update (self->input);
  gst_orch_lock (&self->lock);
  self->eos = TRUE;
  gst_orch_call_wake_replicas (self, G_MAXUINT);
  g_mutex_unlock (&self->lock);
  gst_orch_subscriber_wake (self->input);
}

static gboolean
sticky_event (GstOrchCall * self, GstEvent * event)
{
  gboolean ok = TRUE;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      stream_start (self, event);
      break;
    case GST_EVENT_CAPS:
      ok = accept_caps (self, event);
      break;
    case GST_EVENT_EOS:
      end_of_stream (self);
      break;
    default:
      break;
  }
  self->context = gst_orch_context_with (self->context, event);
  gst_event_unref (event);
  return ok;
}

gboolean
gst_orch_call_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstOrchCall *self = GST_ORCH_CALL (parent);

  GST_LOG_OBJECT (pad, "%" GST_PTR_FORMAT, event);
  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      return flush_start (self, event);
    case GST_EVENT_FLUSH_STOP:
      return flush_stop (self, event);
    case GST_EVENT_STREAM_START:
    case GST_EVENT_CAPS:
    case GST_EVENT_SEGMENT:
    case GST_EVENT_TAG:
    case GST_EVENT_EOS:
      return sticky_event (self, event);
    default:
      if (gst_orch_event_is_ours (event)) {
        /* The Call says for itself what it has heard. */
        gst_event_unref (event);
        return TRUE;
      }
      if (!GST_EVENT_IS_SERIALIZED (event))
        return gst_pad_event_default (pad, parent, event);
      queue_serialized (self, event);
      return TRUE;
  }
}

/* ---- queries ---- */

/* An expansion above sizes its window by what may be in flight below. */
static void
add_in_flight (GstOrchCall * self, GstQuery * query)
{
  guint *units = gst_orch_port_get_in_flight_query (query);

  if (!units)
    return;
  gst_orch_lock (&self->lock);
  *units = MAX (*units, self->batch_size * MAX (1, self->n_replicas ?
          self->n_replicas : g_get_num_processors ()));
  g_mutex_unlock (&self->lock);
}

static void
add_activity (GstOrchCall * self, GstQuery * query)
{
  GstOrchActivity *activity = gst_orch_activity_get (query);
  guint i;

  if (!activity)
    return;
  gst_orch_lock (&self->lock);
  activity->done += self->stats.ledger.entered;
  for (i = 0; i < G_N_ELEMENTS (self->stats.ledger.outcomes); i++)
    activity->done += self->stats.ledger.outcomes[i];
  activity->busy |= orch_call_get_n_in_flight (self->core) > 0;
  g_mutex_unlock (&self->lock);
}

/* TRUE when there is something that waits for more. */
static gboolean
hurry (GstOrchCall * self)
{
  gboolean waits;

  gst_orch_lock (&self->lock);
  waits = self->max_wait > 0 && orch_call_get_n_ready (self->core) > 0;
  if (waits) {
    self->hurried = TRUE;
    gst_orch_call_wake_replicas (self, G_MAXUINT);
  }
  g_mutex_unlock (&self->lock);
  return waits;
}

gboolean
gst_orch_call_sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstOrchCall *self = GST_ORCH_CALL (parent);

  if (gst_orch_subscriber_query (self->input, query))
    return FALSE;
  add_in_flight (self, query);
  add_activity (self, query);
  if (gst_orch_activity_is_hurry (query) && hurry (self))
    return FALSE;
  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_CAPS:
      gst_orch_pad_answer_caps (query, get_accepted_caps (self));
      return TRUE;
    case GST_QUERY_ACCEPT_CAPS:
      /* The caps event says which element refuses, and why. */
      gst_query_set_accept_caps_result (query, TRUE);
      return TRUE;
    case GST_QUERY_ALLOCATION:
      /* What is proposed downstream is for other buffers than these. */
      return FALSE;
    case GST_QUERY_DRAIN:
      return FALSE;
    default:
      return gst_pad_query_default (pad, parent, query);
  }
}

gboolean
gst_orch_call_sink_activate_mode (GstPad * pad, GstObject * parent,
    GstPadMode mode, gboolean active)
{
  GstOrchCall *self = GST_ORCH_CALL (parent);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  gst_orch_lock (&self->lock);
  self->flushing = !active;
  if (!active)
    g_cond_broadcast (&self->space);
  g_mutex_unlock (&self->lock);
  return TRUE;
}
