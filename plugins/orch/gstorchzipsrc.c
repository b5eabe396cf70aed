/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchzip-private.h"

#include <string.h>

#define NEWS_LUMP 64

/* ---- pushing ---- */

static void
note_end (GstOrchZipPrivate * priv)
{
  priv->output.ended = TRUE;
  gst_orch_lock (&priv->lock);
  priv->flow = GST_FLOW_EOS;
  g_cond_broadcast (&priv->room);
  g_mutex_unlock (&priv->lock);
}

static void
push_value (GstOrchZipPrivate * priv, OrchEntity * entity,
    GstOrchZipValue * value)
{
  GstFlowReturn ret;

  gst_orch_egress_send_caps (&priv->output, value->caps);
  gst_orch_egress_send_segment (&priv->output, value->segment);
  ret = gst_orch_egress_push (&priv->output,
      gst_orch_port_stamp (priv->output.port, g_steal_pointer (&value->buffer),
          orch_entity_ref (entity), value->info));
  if (ret == GST_FLOW_EOS)
    note_end (priv);
  else if (ret != GST_FLOW_OK)
    priv->pushed = ret;
}

void
gst_orch_zip_emit (GstOrchZip * self, OrchEntity * entity,
    GstOrchZipValue * result)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);

  if (priv->pushed != GST_FLOW_OK)
    return;
  gst_orch_lock (&priv->lock);
  priv->ledger.outcomes[result->outcome]++;
  g_mutex_unlock (&priv->lock);
  if (result->outcome != ORCH_OUTCOME_PRESENT)
    gst_orch_egress_announce (&priv->output, entity, result->outcome,
        result->cause, result->info);
  else if (priv->output.ended)
    gst_orch_egress_drop_ended (&priv->output, entity, result->info);
  else
    push_value (priv, entity, result);
}

/* ---- Domains ---- */

static void
post_domains (GstOrchZip * self, GstOrchZipInput * a, GstOrchZipInput * b)
{
  gboolean broadcasts = GST_ORCH_ZIP_GET_CLASS (self)->broadcasts;

  GST_ELEMENT_ERROR (self, STREAM, FAILED,
      ("%s cannot put together what its pads bring: %s is of the Domain \"%s\", "
          "%s of \"%s\".", GST_OBJECT_NAME (self), GST_OBJECT_NAME (a->pad),
          orch_domain_get_name (a->domain), GST_OBJECT_NAME (b->pad),
          orch_domain_get_name (b->domain)),
      ("They must go back to the same orchexpand%s; units without one that come "
          "from two sources are never the same.",
          broadcasts ? ", or one of them to what the other was expanded from"
          : ""));
  gst_orch_zip_get_private (self)->pushed = GST_FLOW_ERROR;
}

/* (nullable): one whose Domain does not go with that of `input` */
static GstOrchZipInput *
find_misfit (GstOrchZip * self, GstOrchZipInput * input)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  gboolean broadcasts = GST_ORCH_ZIP_GET_CLASS (self)->broadcasts;
  guint i;

  for (i = 0; i < priv->row_inputs->len; i++) {
    GstOrchZipInput *other = g_ptr_array_index (priv->row_inputs, i);

    if (other->domain && other->domain != input->domain && !(broadcasts
            && orch_domain_is_ancestor (other->domain, input->domain)))
      return other;
  }
  return NULL;
}

gboolean
gst_orch_zip_read_domains (GstOrchZip * self)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  GstOrchZipInput *deepest = NULL, *misfit;
  guint i;

  for (i = 0; i < priv->row_inputs->len; i++) {
    GstOrchZipInput *input = g_ptr_array_index (priv->row_inputs, i);

    if (!g_atomic_int_get (&input->released)) {
      orch_domain_unref (input->domain);
      input->domain = gst_orch_subscriber_get_domain (input->subscriber);
    }
    if (input->domain && (!deepest || orch_domain_get_depth (input->domain) >
            orch_domain_get_depth (deepest->domain)))
      deepest = input;
  }
  if (!deepest)
    return TRUE;
  priv->domain = deepest->domain;
  misfit = find_misfit (self, deepest);
  if (misfit)
    post_domains (self, misfit, deepest);
  return misfit == NULL;
}

/* ---- beginning ---- */

/* With the lock held.  Whoever is linked will start: Ports begin their stream
 * before they have anything to say. */
static gboolean
have_all_started (GstOrchZipPrivate * priv)
{
  guint i;

  g_ptr_array_set_size (priv->row_inputs, 0);
  for (i = 0; i < priv->inputs->len; i++) {
    GstOrchZipInput *input = g_ptr_array_index (priv->inputs, i);

    if (g_atomic_int_get (&input->released)
        || (!input->started && !gst_pad_is_linked (input->pad)))
      continue;
    if (!input->started)
      return FALSE;
    g_ptr_array_add (priv->row_inputs, input);
  }
  return priv->row_inputs->len > 0;
}

static void
begin (GstOrchZip * self)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);

  if (!gst_orch_zip_read_domains (self))
    return;
  gst_orch_egress_send_stream_start (&priv->output, NULL);
  if (!GST_ORCH_ZIP_GET_CLASS (self)->begin (self))
    priv->pushed = GST_FLOW_ERROR;
}

/* TRUE once it has begun. */
static gboolean
try_to_begin (GstOrchZip * self)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  gboolean begun, begins;

  gst_orch_lock (&priv->lock);
  begun = priv->begun;
  begins = !begun && !priv->flushing && have_all_started (priv);
  priv->begun |= begins;
  g_mutex_unlock (&priv->lock);
  if (begins)
    begin (self);
  return begun || begins;
}

/* ---- what comes in ---- */

static void
hear (GstOrchZip * self, GstOrchZipInput * input, GstOrchNews * news)
{
  GstOrchZipValue value = { news->outcome, };

  if (news->type == GST_ORCH_NEWS_EXPANSION) {
    gst_orch_zip_pass_expansion (self, news->expansion);
    return;
  }
  value.cause = g_steal_pointer (&news->cause);
  value.info = g_steal_pointer (&news->info);
  gst_orch_zip_enter (self, input, news->entity, &value);
}

static gboolean
hear_news (GstOrchZip * self)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  gboolean any = FALSE;
  GstOrchNews news;
  guint i, n;

  for (i = 0; i < priv->row_inputs->len; i++) {
    GstOrchZipInput *input = g_ptr_array_index (priv->row_inputs, i);

    for (n = 0; n < NEWS_LUMP
        && gst_orch_subscriber_pop (input->subscriber, &news); n++) {
      any = TRUE;
      hear (self, input, &news);
      gst_orch_news_clear (&news);
    }
  }
  return any;
}

/* With the lock held. */
static GQueue
take_arrived (GstOrchZipPrivate * priv)
{
  GQueue arrived = priv->arrived;

  gst_orch_port_begin (priv->output.port);
  g_queue_init (&priv->arrived);
  g_cond_broadcast (&priv->room);
  return arrived;
}

/* Those of the first pad are the result's. */
static void
pass_event (GstOrchZipPrivate * priv, GstOrchZipArrival * arrival)
{
  if (priv->pushed == GST_FLOW_OK && !priv->output.ended
      && g_ptr_array_index (priv->row_inputs, 0) == arrival->input)
    gst_pad_push_event (priv->srcpad, g_steal_pointer (&arrival->event));
}

static gboolean
enter_arrived (GstOrchZip * self, GQueue * arrived)
{
  gboolean any = arrived->length > 0;
  GstOrchZipArrival *arrival;

  while ((arrival = g_queue_pop_head (arrived))) {
    if (arrival->event)
      pass_event (gst_orch_zip_get_private (self), arrival);
    else
      gst_orch_zip_enter (self, arrival->input, arrival->entity,
          &arrival->value);
    memset (&arrival->value, 0, sizeof arrival->value);
    gst_orch_zip_arrival_free (arrival);
  }
  return any;
}

/* ---- the end ---- */

static gboolean
has_ended (GstOrchZipInput * input)
{
  return input->eos || g_atomic_int_get (&input->released);
}

/* With the lock held: (nullable): a pad that has ended, with things to be done;
 * `resolve`: it is to be asked what is missing, else, once that was heard, it is
 * drained.  `done`: there is none, nor one that goes on. */
static GstOrchZipInput *
find_ended (GstOrchZipPrivate * priv, gboolean * resolve, gboolean * done)
{
  guint i;

  *done = TRUE;
  for (i = 0; i < priv->row_inputs->len; i++) {
    GstOrchZipInput *input = g_ptr_array_index (priv->row_inputs, i);

    if (!has_ended (input)) {
      input->drained = FALSE;
      *done = FALSE;
    } else if (!input->drained) {
      *done = FALSE;
      *resolve = !input->resolved;
      input->resolved = TRUE;
      return input;
    }
  }
  return NULL;
}

static void
end (GstOrchZip * self)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  guint64 n_open = 0;

  if (!gst_orch_port_is_broken (priv->output.port))
    n_open = gst_orch_ledger_post (&priv->ledger, &priv->lock,
        GST_ELEMENT (self), TRUE);
  if (n_open > 0)
    GST_ELEMENT_ERROR (self, STREAM, FAILED,
        ("%s has units that never came to an outcome.",
            GST_OBJECT_NAME (self)),
        ("%" G_GUINT64_FORMAT " are open at the end of the stream.", n_open));
  gst_orch_egress_end (&priv->output, GST_FLOW_OK);
}

/* Nothing was to be done. */
static void
idle (GstOrchZip * self)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  gboolean resolve = FALSE, done = FALSE;
  GstOrchZipInput *ended = NULL;

  gst_orch_lock (&priv->lock);
  if (priv->arrived.length == 0)
    ended = find_ended (priv, &resolve, &done);
  g_mutex_unlock (&priv->lock);
  if (ended && resolve)
    gst_orch_subscriber_resolve_missing (ended->subscriber);
  else if (ended)
    gst_orch_zip_drain (self, ended);
  else if (done)
    end (self);
  else
    gst_orch_subscriber_wait (priv->alarm);
}

/* ---- the task ---- */

static void
stop_with (GstOrchZipPrivate * priv, GstFlowReturn ret)
{
  gboolean flushing;

  gst_orch_lock (&priv->lock);
  flushing = priv->flushing;
  priv->flow = ret;
  g_cond_broadcast (&priv->room);
  g_mutex_unlock (&priv->lock);
  gst_orch_egress_end (&priv->output, flushing ? GST_FLOW_FLUSHING : ret);
}

static void
src_loop (gpointer pad)
{
  GstOrchZip *self = GST_ORCH_ZIP (GST_PAD_PARENT (pad));
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  gboolean begun = try_to_begin (self);
  gboolean has_room = gst_orch_port_has_room (priv->output.port);
  GQueue arrived = G_QUEUE_INIT;
  gboolean any, flushing;

  gst_orch_lock (&priv->lock);
  flushing = priv->flushing;
  if (!flushing && begun && has_room)
    arrived = take_arrived (priv);
  g_mutex_unlock (&priv->lock);
  if (flushing) {
    gst_pad_pause_task (priv->srcpad);
    return;
  }
  if (priv->pushed == GST_FLOW_OK && (!begun || !has_room)) {
    gst_orch_subscriber_wait (priv->alarm);
    return;
  }
  any = enter_arrived (self, &arrived);
  any |= hear_news (self);
  if (priv->pushed != GST_FLOW_OK)
    stop_with (priv, priv->pushed);
  else if (!any)
    idle (self);
}

void
gst_orch_zip_start_task (GstOrchZip * self)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);

  priv->pushed = GST_FLOW_OK;
  gst_pad_start_task (priv->srcpad, src_loop, priv->srcpad, NULL);
}

gboolean
gst_orch_zip_src_activate_mode (GstPad * pad, GstObject * parent,
    GstPadMode mode, gboolean active)
{
  GstOrchZip *self = GST_ORCH_ZIP (parent);
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  gst_orch_lock (&priv->lock);
  priv->flushing = !active;
  g_cond_broadcast (&priv->room);
  g_mutex_unlock (&priv->lock);
  if (active) {
    gst_orch_egress_start (&priv->output);
    gst_orch_zip_start_task (self);
    return TRUE;
  }
  gst_orch_subscriber_wake (priv->alarm);
  return gst_pad_stop_task (pad);
}

gboolean
gst_orch_zip_src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (GST_ORCH_ZIP (parent));

  if (gst_orch_port_query (priv->output.port, query))
    return FALSE;
  return gst_pad_query_default (pad, parent, query);
}
