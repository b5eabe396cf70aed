/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchdemux
 * @title: orchdemux
 *
 * The way back for streams: what came to `sink_0` of an orchexpand leaves at `src_0`,
 * with the stream's own stream-start, segment, tags, times and EOS, in order, whatever
 * order the Calls in between have worked in.  orchexpand and orchdemux are a mux and
 * demux pair around Calls that many streams share.
 *
 * A buffer leaves as soon as nothing before it is missing.  What failed or was dropped
 * is a gap.  A stream that its source flushes, as for a seek, has its own pad flushed
 * and no other; a stream whose pad at orchexpand is released has its pad removed.
 * Events that go upstream, seeks among them, go to who feeds the stream.
 *
 * As with any demuxer, a pad that is not emptied holds back the others: put a queue
 * behind each.  Streams that start at different times, with sinks that wait for each
 * other to preroll, want a multiqueue, in which one may grow while another is empty, or
 * sinks with async=false.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 orchexpand name=e ! orchidentity batch-size=8 replicas=2 ! orchdemux name=d videotestsrc num-buffers=30 ! e.sink_0 videotestsrc num-buffers=50 pattern=ball ! e.sink_1 d.src_0 ! queue ! fakesink d.src_1 ! queue ! fakesink
 * ]| has the frames of two streams in the same batches, and parts them again.
 */

#include "gstorchdemux-private.h"

#include <gst/orch/gstorchplan-private.h>
#include <string.h>

GST_DEBUG_CATEGORY (gst_orch_demux_debug);
#define GST_CAT_DEFAULT gst_orch_demux_debug

#define DEFAULT_MAX_BUFFERS 16

enum
{
  PROP_0,
  PROP_MAX_BUFFERS,
  PROP_STATS,
};

static GstStaticPadTemplate sink_template =
GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template =
GST_STATIC_PAD_TEMPLATE ("src_%u", GST_PAD_SRC, GST_PAD_SOMETIMES,
    GST_STATIC_CAPS_ANY);

G_DEFINE_TYPE (GstOrchDemux, gst_orch_demux, GST_TYPE_ELEMENT);
GST_ELEMENT_REGISTER_DEFINE (orchdemux, "orchdemux", GST_RANK_NONE,
    GST_TYPE_ORCH_DEMUX);

/* ---- locks ---- */

/* With the lock held: (transfer container) (nullable) */
static GSList *
take_new (GstOrchDemux * self)
{
  GSList *fresh = NULL;
  GList *l;

  for (l = self->outputs; l; l = l->next) {
    GstOrchDemuxOutput *output = l->data;

    if (!output->is_new)
      continue;
    output->is_new = FALSE;
    fresh = g_slist_prepend (fresh, output);
  }
  return fresh;
}

void
gst_orch_demux_unlock (GstOrchDemux * self)
{
  GPtrArray *over = NULL;
  GSList *fresh = take_new (self);

  if (self->over->len > 0) {
    over = self->over;
    self->over = g_ptr_array_new_with_free_func ((GDestroyNotify)
        orch_expansion_unref);
  }
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&over, g_ptr_array_unref);
  g_slist_free_full (fresh, (GDestroyNotify) gst_orch_demux_output_start);
}

void
gst_orch_demux_wake (GstOrchDemux * self)
{
  gst_orch_subscriber_wake (self->input);
}

/* ---- properties ---- */

static void
gst_orch_demux_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstOrchDemux *self = GST_ORCH_DEMUX (object);

  if (id != PROP_MAX_BUFFERS) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  gst_orch_lock (&self->lock);
  self->max_buffers = g_value_get_uint (value);
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
}

static void
gst_orch_demux_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstOrchDemux *self = GST_ORCH_DEMUX (object);
  guint64 n_lost = gst_orch_subscriber_get_n_lost (self->input);
  guint64 n_duplicates = gst_orch_subscriber_get_n_duplicates (self->input);

  gst_orch_lock (&self->lock);
  switch (id) {
    case PROP_MAX_BUFFERS:
      g_value_set_uint (value, self->max_buffers);
      break;
    case PROP_STATS:
      g_value_take_boxed (value, gst_orch_ledger_make_stats (&self->ledger,
              "orch-demux-stats", n_lost, n_duplicates));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  g_mutex_unlock (&self->lock);
}

/* ---- states ---- */

static void
prepare (GstOrchDemux * self)
{
  gst_orch_lock (&self->lock);
  self->flow = GST_FLOW_OK;
  self->eos = self->resolved = self->done = FALSE;
  self->refused = self->refusal_posted = self->told_no_more = FALSE;
  gst_orch_demux_expect_new (self);
  memset (&self->ledger, 0, sizeof self->ledger);
  g_mutex_unlock (&self->lock);
  gst_task_start (self->task);
}

static void
stop_task (GstOrchDemux * self)
{
  gst_task_stop (self->task);
  gst_orch_subscriber_wake (self->input);
  gst_task_join (self->task);
}

static void
clean_up (GstOrchDemux * self)
{
  GList *outputs;

  gst_orch_ledger_post (&self->ledger, &self->lock, GST_ELEMENT (self), FALSE);
  gst_orch_demux_drop_all (self);
  gst_orch_lock (&self->lock);
  outputs = g_steal_pointer (&self->outputs);
  g_mutex_unlock (&self->lock);
  g_list_free_full (outputs, (GDestroyNotify) gst_orch_demux_output_free);
  gst_orch_subscriber_reset (self->input);
  gst_clear_caps (&self->caps);
}

static GstStateChangeReturn
gst_orch_demux_change_state (GstElement * element, GstStateChange transition)
{
  GstOrchDemux *self = GST_ORCH_DEMUX (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    if (!gst_orch_plan_check (element))
      return GST_STATE_CHANGE_FAILURE;
    prepare (self);
  }
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    stop_task (self);
  ret = GST_ELEMENT_CLASS (gst_orch_demux_parent_class)->change_state (element,
      transition);
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED
      && ret == GST_STATE_CHANGE_FAILURE)
    stop_task (self);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY
      || (transition == GST_STATE_CHANGE_READY_TO_PAUSED
          && ret == GST_STATE_CHANGE_FAILURE))
    clean_up (self);
  return ret;
}

/* ---- the type ---- */

static void
gst_orch_demux_finalize (GObject * object)
{
  GstOrchDemux *self = GST_ORCH_DEMUX (object);

  gst_object_unref (self->task);
  g_rec_mutex_clear (&self->task_lock);
  gst_orch_subscriber_unref (self->input);
  g_ptr_array_unref (self->over);
  g_cond_clear (&self->room);
  g_mutex_clear (&self->adding);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (gst_orch_demux_parent_class)->finalize (object);
}

static void
gst_orch_demux_class_init (GstOrchDemuxClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_orch_demux_debug, "orchdemux", 0,
      "Takes streams apart again");
  object_class->set_property = gst_orch_demux_set_property;
  object_class->get_property = gst_orch_demux_get_property;
  object_class->finalize = gst_orch_demux_finalize;
  g_object_class_install_property (object_class, PROP_MAX_BUFFERS,
      g_param_spec_uint ("max-buffers", "Max buffers",
          "Most buffers that wait at each pad to be pushed", 1, G_MAXUINT,
          DEFAULT_MAX_BUFFERS, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Counts of children by their outcome, of those that were lost on the "
          "way and of those that came twice", GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  element_class->change_state = gst_orch_demux_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Demultiplexer",
      "Generic/Orch", "Gives each stream that an orchexpand has put together its "
      "own pad again", "The gst-orch authors");
  gst_element_class_add_static_metadata (element_class,
      GST_ORCH_METADATA_KIND, "sink");
}

static void
gst_orch_demux_init (GstOrchDemux * self)
{
  GstPad *pad = gst_pad_new_from_static_template (&sink_template, "sink");

  g_mutex_init (&self->lock);
  g_mutex_init (&self->adding);
  g_cond_init (&self->room);
  g_rec_mutex_init (&self->task_lock);
  self->max_buffers = DEFAULT_MAX_BUFFERS;
  self->key = orch_expansion_new_key ();
  self->over = g_ptr_array_new_with_free_func ((GDestroyNotify)
      orch_expansion_unref);
  gst_orch_demux_init_sink (self, pad);
  self->task = gst_task_new (gst_orch_demux_loop, self, NULL);
  gst_task_set_lock (self->task, &self->task_lock);
  gst_element_add_pad (GST_ELEMENT (self), pad);
}
