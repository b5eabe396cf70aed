/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchdemux-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_orch_demux_debug);
#define GST_CAT_DEFAULT gst_orch_demux_debug

/* ---- its task ---- */

/* (transfer full) (nullable): NULL when the pad goes down. */
static gpointer
take (GstOrchDemuxOutput * output, gboolean * drop)
{
  GstOrchDemux *self = output->owner;
  gpointer item = NULL;

  gst_orch_lock (&self->lock);
  while (!output->flushing && output->queue.length == 0)
    g_cond_wait (&output->wake, &self->lock);
  if (!output->flushing)
    item = g_queue_pop_head (&output->queue);
  *drop = output->ended;
  if (item && GST_IS_BUFFER (item)) {
    output->n_buffers--;
    g_cond_broadcast (&self->room);
  }
  g_mutex_unlock (&self->lock);
  return item;
}

/* Nobody takes what is still to come of a stream: it need not be made (S5.5). */
static void
unwant (GstOrchDemux * self, OrchExpansion * expansion)
{
  g_autofree gchar *path =
      orch_entity_get_path (orch_expansion_get_parent (expansion));
  g_autofree gchar *message = g_strdup_printf ("downstream of %s ended",
      GST_OBJECT_NAME (self));
  OrchCause *cause = orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_ENDED,
      message, path, GST_OBJECT_NAME (self));

  gst_orch_subscriber_unwant (self->input, expansion, cause);
  orch_cause_unref (cause);
  orch_expansion_unref (expansion);
}

/* (transfer full) (nullable): that of the stream which has its turn */
static OrchExpansion *
note_end (GstOrchDemuxOutput * output, GstFlowReturn ret)
{
  GstOrchDemux *self = output->owner;
  GstOrchDemuxStream *stream;
  OrchExpansion *expansion = NULL;

  gst_orch_lock (&self->lock);
  output->ended = TRUE;
  if (ret < GST_FLOW_EOS && ret != GST_FLOW_NOT_LINKED)
    self->flow = ret;
  stream = g_queue_peek_head (&output->streams);
  if (stream)
    expansion = orch_expansion_ref (stream->node->expansion);
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
  return expansion;
}

/* One that has come to its end takes nothing more, the others go on; not everybody
 * needs each of the streams. */
static void
note_flow (GstOrchDemuxOutput * output, GstFlowReturn ret)
{
  OrchExpansion *expansion;

  if (ret == GST_FLOW_OK || ret == GST_FLOW_FLUSHING)
    return;
  expansion = note_end (output, ret);
  if (expansion)
    unwant (output->owner, expansion);
  if (ret < GST_FLOW_EOS)
    GST_ELEMENT_FLOW_ERROR (output->owner, ret);
}

/* It is worth a pad: what was flushed as a whole, and is gone, is not. */
static gboolean
has_content (GstOrchDemuxOutput * output, gpointer item)
{
  GstEvent *start;
  gboolean has_begun;

  if (GST_IS_BUFFER (item) || GST_EVENT_TYPE (item) != GST_EVENT_EOS)
    return GST_IS_BUFFER (item);
  start = gst_pad_get_sticky_event (output->pad, GST_EVENT_STREAM_START, 0);
  has_begun = start != NULL;
  gst_clear_event (&start);
  return has_begun;
}

/* With its caps, if it has any: who waits for the pad can see what it brings. */
static void
show_pad (GstOrchDemuxOutput * output, gpointer item)
{
  if (output->is_added || !has_content (output, item))
    return;
  output->is_added = TRUE;
  g_mutex_lock (&output->owner->adding);
  gst_element_add_pad (GST_ELEMENT (output->owner), output->pad);
  g_mutex_unlock (&output->owner->adding);
}

static void
note_finished (GstOrchDemuxOutput * output)
{
  GstOrchDemux *self = output->owner;

  gst_orch_lock (&self->lock);
  output->is_finished = output->queue.length == 0;
  g_mutex_unlock (&self->lock);
  gst_orch_subscriber_wake (self->input);
}

static void
set_ended (GstOrchDemuxOutput * output, gboolean ended)
{
  gst_orch_lock (&output->owner->lock);
  output->ended = ended;
  g_mutex_unlock (&output->owner->lock);
}

static void
push (GstOrchDemuxOutput * output, gpointer item, gboolean drop)
{
  GstEventType type;

  if (GST_IS_BUFFER (item)) {
    if (drop)
      gst_buffer_unref (item);
    else
      note_flow (output, gst_pad_push (output->pad, item));
    return;
  }
  type = GST_EVENT_TYPE (item);
  gst_pad_push_event (output->pad, item);
  if (type == GST_EVENT_STREAM_START)
    set_ended (output, FALSE);
  else if (type == GST_EVENT_EOS)
    note_finished (output);
}

static void
src_loop (gpointer data)
{
  GstOrchDemuxOutput *output = data;
  gboolean drop;
  gpointer item = take (output, &drop);

  if (!item) {
    gst_pad_pause_task (output->pad);
    return;
  }
  show_pad (output, item);
  push (output, item, drop);
}

static void
start_task (GstOrchDemuxOutput * output)
{
  gst_pad_start_task (output->pad, src_loop, output, NULL);
}

void
gst_orch_demux_output_start (GstOrchDemuxOutput * output)
{
  gst_pad_set_active (output->pad, TRUE);
  start_task (output);
}

/* ---- flushes ---- */

static void
set_flushing (GstOrchDemuxOutput * output, gboolean flushing)
{
  gst_orch_lock (&output->owner->lock);
  output->flushing = flushing;
  g_cond_broadcast (&output->wake);
  g_cond_broadcast (&output->owner->room);
  g_mutex_unlock (&output->owner->lock);
}

void
gst_orch_demux_output_flush_start (GstOrchDemuxOutput * output,
    GstEvent * event)
{
  set_flushing (output, TRUE);
  gst_pad_push_event (output->pad, event);
  gst_pad_pause_task (output->pad);
}

void
gst_orch_demux_output_flush_stop (GstOrchDemuxOutput * output, GstEvent * event)
{
  gst_pad_push_event (output->pad, event);
  set_ended (output, FALSE);
  set_flushing (output, FALSE);
  start_task (output);
}

/* ---- the pad ---- */

static gboolean
src_activate_mode (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstOrchDemuxOutput *output = gst_pad_get_element_private (pad);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  set_flushing (output, !active);
  return active ? TRUE : gst_pad_stop_task (pad);
}

/* Upstream is who feeds the stream, not what is shared with the others. */
static gboolean
src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstOrchDemuxOutput *output = gst_pad_get_element_private (pad);
  GstPad *origin;
  gboolean result;

  if (GST_EVENT_TYPE (event) == GST_EVENT_QOS
      || GST_EVENT_TYPE (event) == GST_EVENT_LATENCY)
    return gst_orch_pad_src_event (pad, parent, event);
  origin = g_weak_ref_get (&output->origin_pad);
  if (!origin) {
    gst_event_unref (event);
    return FALSE;
  }
  result = gst_pad_push_event (origin, event);
  gst_object_unref (origin);
  return result;
}

/* What our own elements ask each other ends here, as the lineage does. */
static gboolean
src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstOrchDemuxOutput *output = gst_pad_get_element_private (pad);
  GstPad *origin;
  gboolean result = FALSE;

  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_CUSTOM:
      return FALSE;
    case GST_QUERY_POSITION:
    case GST_QUERY_DURATION:
    case GST_QUERY_SEEKING:
    case GST_QUERY_SEGMENT:
    case GST_QUERY_CONVERT:
      origin = g_weak_ref_get (&output->origin_pad);
      if (origin)
        result = gst_pad_peer_query (origin, query);
      gst_clear_object (&origin);
      return result;
    default:
      return gst_pad_query_default (pad, parent, query);
  }
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  const GstOrchDemuxOutput *one = a, *other = b;

  return one->number < other->number ? -1 : one->number > other->number;
}

/* The wish of who comes first is met. */
static guint64
find_number (GstOrchDemux * self, guint64 wished)
{
  guint64 number = wished;
  GList *l;

  for (l = self->outputs; l; l = l->next)
    if (((GstOrchDemuxOutput *) l->data)->number == number)
      number++;
  return number;
}

static GstPad *
make_pad (GstOrchDemux * self, guint64 number)
{
  g_autofree gchar *name = g_strdup_printf ("src_%" G_GUINT64_FORMAT, number);
  GstPad *pad = gst_pad_new_from_template (gst_element_get_pad_template
      (GST_ELEMENT (self), "src_%u"), name);

  gst_pad_set_event_function (pad, src_event);
  gst_pad_set_query_function (pad, src_query);
  gst_pad_set_activatemode_function (pad, src_activate_mode);
  return gst_object_ref_sink (pad);
}

static gboolean
is_gone (GstOrchStream * origin)
{
  GstPad *pad = gst_orch_stream_ref_pad (origin);
  gboolean result = pad == NULL;

  gst_clear_object (&pad);
  return result;
}

static GstOrchDemuxOutput *
output_new (GstOrchDemux * self, GstOrchStream * origin, guint64 wished)
{
  GstOrchDemuxOutput *output = g_new0 (GstOrchDemuxOutput, 1);
  GstPad *origin_pad = gst_orch_stream_ref_pad (origin);

  output->owner = self;
  output->id = gst_orch_stream_get_id (origin);
  output->number = find_number (self, wished);
  /* Who comes late to a pad that is gone already is not kept waiting. */
  output->last_over = is_gone (origin) ? gst_orch_stream_get_before (origin)
      : self->last_before;
  output->n_flushes = output->n_flushes_due =
      gst_orch_stream_get_n_flushes_before (origin);
  output->pad = make_pad (self, output->number);
  output->is_new = output->flushing = TRUE;
  g_queue_init (&output->streams);
  g_queue_init (&output->queue);
  g_cond_init (&output->wake);
  g_weak_ref_init (&output->origin_pad, origin_pad);
  gst_clear_object (&origin_pad);
  gst_pad_set_element_private (output->pad, output);
  return output;
}

gboolean
gst_orch_demux_output_is_orphan (GstOrchDemuxOutput * output)
{
  GstPad *origin_pad = g_weak_ref_get (&output->origin_pad);
  gboolean result = output->was_released || !origin_pad;

  gst_clear_object (&origin_pad);
  return result;
}

GstOrchDemuxOutput *
gst_orch_demux_get_output (GstOrchDemux * self, GstOrchStream * origin,
    guint64 number)
{
  GstOrchDemuxOutput *output;
  GList *l;

  for (l = self->outputs; l; l = l->next) {
    output = l->data;
    if (output->id == gst_orch_stream_get_id (origin) && !output->is_going)
      return output;
  }
  /* Who was the last there is of no use to anybody. */
  if (gst_orch_stream_is_flushed (origin) && is_gone (origin))
    return NULL;
  output = output_new (self, origin, number);
  self->outputs = g_list_insert_sorted (self->outputs, output,
      compare_numbers);
  return output;
}

void
gst_orch_demux_output_close (GstOrchDemuxOutput * output)
{
  gst_pad_set_active (output->pad, FALSE);
  if (output->is_added)
    gst_element_remove_pad (GST_ELEMENT (output->owner), output->pad);
  output->is_added = FALSE;
}

void
gst_orch_demux_output_free (GstOrchDemuxOutput * output)
{
  GPtrArray *garbage = g_ptr_array_new_with_free_func ((GDestroyNotify)
      gst_mini_object_unref);

  gst_orch_demux_output_close (output);
  gst_orch_lock (&output->owner->lock);
  gst_orch_demux_output_empty (output, garbage);
  g_mutex_unlock (&output->owner->lock);
  g_ptr_array_unref (garbage);
  gst_object_unref (output->pad);
  g_weak_ref_clear (&output->origin_pad);
  g_cond_clear (&output->wake);
  g_free (output);
}
