/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchzip-private.h"

static GstOrchZipInput *
get_input (GstPad * pad)
{
  return gst_pad_get_element_private (pad);
}

void
gst_orch_zip_arrival_free (gpointer data)
{
  GstOrchZipArrival *arrival = data;

  gst_clear_event (&arrival->event);
  orch_entity_unref (arrival->entity);
  gst_orch_zip_value_clear (&arrival->value);
  g_slice_free (GstOrchZipArrival, arrival);
}

/* ---- buffers ---- */

/* With the lock held. */
static GstFlowReturn
get_flow (GstOrchZipPrivate * priv, GstOrchZipInput * input)
{
  return input->flushing || input->in_flush ? GST_FLOW_FLUSHING : priv->flow;
}

/* With the lock held: never for a partner, only for what is done to leave. */
static GstFlowReturn
wait_for_room (GstOrchZipPrivate * priv, GstOrchZipInput * input)
{
  while (priv->begun && !priv->flushing && !input->eos
      && priv->arrived.length >= GST_ORCH_ZIP_MAX_ARRIVED
      && get_flow (priv, input) == GST_FLOW_OK)
    g_cond_wait (&priv->room, &priv->lock);
  return get_flow (priv, input);
}

/* `buffer` and what `taken` holds are taken over. */
static GstOrchZipArrival *
arrival_new (GstOrchZipInput * input, GstBuffer * buffer, GstOrchTaken * taken)
{
  GstOrchZipArrival *arrival = g_slice_new0 (GstOrchZipArrival);

  arrival->input = input;
  arrival->entity = taken->entity;
  arrival->value.outcome = ORCH_OUTCOME_PRESENT;
  arrival->value.info = taken->info;
  arrival->value.buffer = gst_orch_buffer_keep_entity (buffer);
  if (input->caps)
    arrival->value.caps = gst_caps_ref (input->caps);
  if (input->segment)
    arrival->value.segment = gst_event_ref (input->segment);
  return arrival;
}

/* Arrivals that have been taken: whoever waits for them must hear of them, unless
 * all is forgotten. */
static GstFlowReturn
queue_arrived (GstOrchZipInput * input, GQueue * arrived)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (input->owner);
  GstOrchZipArrival *arrival;
  gboolean was_empty = FALSE;
  GstFlowReturn ret;

  gst_orch_lock (&priv->lock);
  input->started = TRUE;
  ret = wait_for_room (priv, input);
  if (ret != GST_FLOW_FLUSHING) {
    was_empty = priv->arrived.length == 0;
    while ((arrival = g_queue_pop_head (arrived)))
      g_queue_push_tail (&priv->arrived, arrival);
  }
  g_mutex_unlock (&priv->lock);
  g_queue_clear_full (arrived, gst_orch_zip_arrival_free);
  if (was_empty)
    gst_orch_subscriber_wake (priv->alarm);
  return ret;
}

static GstFlowReturn
gst_orch_zip_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstOrchZipInput *input = get_input (pad);
  GQueue arrived = G_QUEUE_INIT;
  GstOrchTaken taken;
  GstFlowReturn ret;

  if (!gst_orch_subscriber_take_one (input->subscriber, buffer, &taken, &ret))
    return ret;
  g_queue_push_tail (&arrived, arrival_new (input, buffer, &taken));
  return queue_arrived (input, &arrived);
}

static GstFlowReturn
gst_orch_zip_chain_list (GstPad * pad, GstObject * parent,
    GstBufferList * list)
{
  GstOrchZipInput *input = get_input (pad);
  guint i, n = gst_buffer_list_length (list);
  g_autofree GstBuffer **buffers = g_new (GstBuffer *, n);
  g_autofree GstOrchTaken *taken = g_new (GstOrchTaken, n);
  GQueue arrived = G_QUEUE_INIT;
  gboolean no_lineage = FALSE;
  GstFlowReturn ret;

  gst_orch_buffer_list_take (list, buffers);
  gst_orch_subscriber_take (input->subscriber, buffers, n, taken);
  for (i = 0; i < n; i++) {
    if (taken[i].arrival == GST_ORCH_ARRIVAL_NEW) {
      g_queue_push_tail (&arrived, arrival_new (input, buffers[i], &taken[i]));
    } else {
      gst_buffer_unref (buffers[i]);
      no_lineage |= taken[i].arrival == GST_ORCH_ARRIVAL_NO_LINEAGE;
    }
  }
  ret = queue_arrived (input, &arrived);
  if (!no_lineage)
    return ret;
  gst_orch_subscriber_post_no_lineage (input->subscriber);
  return GST_FLOW_ERROR;
}

/* ---- events ---- */

static void
set_sticky (GstOrchZipPrivate * priv, GstOrchZipInput * input,
    GstEvent * event)
{
  GstCaps *caps;

  gst_orch_lock (&priv->lock);
  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    gst_caps_replace (&input->caps, caps);
  } else {
    gst_event_replace (&input->segment, event);
  }
  g_mutex_unlock (&priv->lock);
}

static void
note_start (GstOrchZipPrivate * priv, GstOrchZipInput * input, gboolean eos)
{
  gst_orch_subscriber_update (input->subscriber);
  gst_orch_lock (&priv->lock);
  input->started = TRUE;
  input->eos = eos;
  input->resolved &= eos;
  g_mutex_unlock (&priv->lock);
  gst_orch_subscriber_wake (priv->alarm);
}

GQueue
gst_orch_zip_take_arrived (GstOrchZipPrivate * priv, GstOrchZipInput * input)
{
  GQueue taken = G_QUEUE_INIT;
  guint n = priv->arrived.length;

  while (n-- > 0) {
    GstOrchZipArrival *arrival = g_queue_pop_head (&priv->arrived);

    g_queue_push_tail (arrival->input == input ? &taken : &priv->arrived,
        arrival);
  }
  return taken;
}

/* A flush of one pad is a flush of everything: its rows have lost a part.  What is
 * above a tee flushes all pads, so the output is in one flush as long as any of
 * them is. */
static gboolean
flush_start (GstOrchZip * self, GstOrchZipInput * input, GstEvent * event)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  gboolean is_first = FALSE;
  GQueue gone;

  gst_orch_lock (&priv->lock);
  if (!input->in_flush)
    is_first = priv->n_in_flush++ == 0;
  input->in_flush = TRUE;
  if (is_first) {
    priv->flushing = TRUE;
    gst_orch_port_new_epoch (priv->output.port);
  }
  gone = gst_orch_zip_take_arrived (priv, input);
  g_cond_broadcast (&priv->room);
  g_mutex_unlock (&priv->lock);
  g_queue_clear_full (&gone, gst_orch_zip_arrival_free);
  if (!is_first) {
    gst_event_unref (event);
    return TRUE;
  }
  gst_pad_push_event (priv->srcpad, event);
  gst_orch_subscriber_wake (priv->alarm);
  gst_pad_pause_task (priv->srcpad);
  gst_orch_zip_forget (self);
  return TRUE;
}

static gboolean
flush_stop (GstOrchZip * self, GstOrchZipInput * input, GstEvent * event)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  gboolean is_last;

  gst_orch_subscriber_flush (input->subscriber);
  gst_orch_lock (&priv->lock);
  is_last = input->in_flush && priv->n_in_flush == 1;
  g_mutex_unlock (&priv->lock);
  if (is_last)
    gst_pad_push_event (priv->srcpad, gst_event_ref (event));
  gst_event_unref (event);
  gst_orch_lock (&priv->lock);
  if (input->in_flush)
    priv->n_in_flush--;
  input->in_flush = FALSE;
  input->eos = FALSE;
  input->resolved = FALSE;
  gst_clear_event (&input->segment);
  if (is_last) {
    priv->flushing = FALSE;
    priv->flow = GST_FLOW_OK;
    gst_orch_egress_forget (&priv->output);
  }
  g_mutex_unlock (&priv->lock);
  if (is_last)
    gst_orch_zip_start_task (self);
  return TRUE;
}

/* Keeps its place between what comes at this pad. */
static void
queue_event (GstOrchZipInput * input, GstEvent * event)
{
  GstOrchZipArrival *arrival = g_slice_new0 (GstOrchZipArrival);
  GQueue arrived = G_QUEUE_INIT;

  arrival->input = input;
  arrival->event = gst_event_ref (event);
  g_queue_push_tail (&arrived, arrival);
  queue_arrived (input, &arrived);
}

static gboolean
gst_orch_zip_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstOrchZip *self = GST_ORCH_ZIP (parent);
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  GstOrchZipInput *input = get_input (pad);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      return flush_start (self, input, event);
    case GST_EVENT_FLUSH_STOP:
      return flush_stop (self, input, event);
    case GST_EVENT_STREAM_START:
      note_start (priv, input, FALSE);
      break;
    case GST_EVENT_CAPS:
    case GST_EVENT_SEGMENT:
      set_sticky (priv, input, event);
      break;
    case GST_EVENT_EOS:
      note_start (priv, input, TRUE);
      break;
    default:
      if (GST_EVENT_IS_SERIALIZED (event) && !gst_orch_event_is_ours (event))
        queue_event (input, event);
      break;
  }
  gst_event_unref (event);
  return TRUE;
}

static gboolean
gst_orch_zip_sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (gst_orch_subscriber_query (get_input (pad)->subscriber, query))
    return FALSE;
  return gst_pad_query_default (pad, parent, query);
}

static gboolean
gst_orch_zip_sink_activate_mode (GstPad * pad, GstObject * parent,
    GstPadMode mode, gboolean active)
{
  GstOrchZipInput *input = get_input (pad);
  GstOrchZipPrivate *priv;

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  /* A pad is activated before the element has it. */
  priv = gst_orch_zip_get_private (input->owner);
  gst_orch_lock (&priv->lock);
  input->flushing = !active;
  g_cond_broadcast (&priv->room);
  g_mutex_unlock (&priv->lock);
  return TRUE;
}

void
gst_orch_zip_input_init (GstOrchZipInput * input)
{
  GstPad *pad = input->pad;

  input->subscriber = gst_orch_subscriber_new (pad);
  gst_orch_subscriber_set_leader (input->subscriber,
      gst_orch_zip_get_private (input->owner)->alarm);
  gst_orch_zip_ancestors_init (input);
  gst_pad_set_element_private (pad, input);
  gst_pad_set_chain_function (pad, gst_orch_zip_chain);
  gst_pad_set_chain_list_function (pad, gst_orch_zip_chain_list);
  gst_orch_pad_set_takes_lists (pad);
  gst_pad_set_event_function (pad, gst_orch_zip_sink_event);
  gst_pad_set_query_function (pad, gst_orch_zip_sink_query);
  gst_pad_set_activatemode_function (pad, gst_orch_zip_sink_activate_mode);
}
