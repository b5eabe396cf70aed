/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchreduce
 * @title: orchreduce
 *
 * Gathers children back into their parent: one Item for each parent, as soon
 * as every child's outcome is known, children in order.  Goes up one level.
 *
 * Several values of the same children can be gathered together, so that their
 * lists stay aligned: those that come to a pad `sink_1` leave at `src_1`.  A child
 * that lacks one of its values is missing in every list.  Who is a child is decided
 * by what comes to the pad `members`, if there is one, else by what comes to `sink`.
 * These pads are requested before the element starts.
 *
 * With `output=stack` raw video frames in one plane (RGB, BGRx, GRAY8, ...) or single
 * tensors become one tensor with one dimension more, in the caps of NNStreamer:
 * `other/tensors, format=static, num_tensors=1, dimensions=3:640:480:7, types=uint8`
 * for 7 frames (dimensions from the innermost outwards; an outermost dimension of 1
 * is the one that grows).  Children that differ fail their parent with the cause
 * `orch/unequal`.  A parent without children is an empty buffer with
 * `num_tensors=0`.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchpdfpages ! orchexpand ! orchpdftext ! orchreduce on-failed=placeholder ! orchsink location=out.jsonl
 * ]| keeps documents of which some pages failed, and lists those.
 */

#include "gstorchreduce-private.h"

#include <gst/orch/gstorchplan-private.h>
#include <string.h>

GST_DEBUG_CATEGORY (gst_orch_reduce_debug);
#define GST_CAT_DEFAULT gst_orch_reduce_debug

#define DEFAULT_ON_FAILED ORCH_ON_FAILED_SUPPRESS_PARENT
#define DEFAULT_MAX_FAILED -1.0
#define DEFAULT_OUTPUT GST_ORCH_REDUCE_LIST

enum
{
  PROP_0,
  PROP_ON_FAILED,
  PROP_MAX_FAILED,
  PROP_OUTPUT,
  PROP_ON_LOST,
  PROP_ORDER,
  PROP_STATS,
};

static GstStaticPadTemplate sink_template =
GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate members_template =
GST_STATIC_PAD_TEMPLATE ("members", GST_PAD_SINK, GST_PAD_REQUEST,
    GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate aligned_template =
GST_STATIC_PAD_TEMPLATE ("sink_%u", GST_PAD_SINK, GST_PAD_REQUEST,
    GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate further_template =
GST_STATIC_PAD_TEMPLATE ("src_%u", GST_PAD_SRC, GST_PAD_SOMETIMES,
    GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template =
GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS_ANY);

G_DEFINE_TYPE (GstOrchReduce, gst_orch_reduce, GST_TYPE_ELEMENT);
GST_ELEMENT_REGISTER_DEFINE (orchreduce, "orchreduce", GST_RANK_NONE,
    GST_TYPE_ORCH_REDUCE);

static GType
on_failed_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {ORCH_ON_FAILED_SUPPRESS_PARENT,
        "One failed child suppresses the parent", "suppress-parent"},
    {ORCH_ON_FAILED_SKIP, "Failed children are left out, and listed", "skip"},
    {ORCH_ON_FAILED_PLACEHOLDER,
        "Failed children keep their place without a value, and are listed",
        "placeholder"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchOnFailed", values));
  return type;
}

static GType
output_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {GST_ORCH_REDUCE_LIST, "A list of the children's values", "list"},
    {GST_ORCH_REDUCE_CONCAT, "One buffer: the children's bytes in order",
        "concat"},
    {GST_ORCH_REDUCE_STACK,
        "One tensor: the children's frames or tensors, which are equal",
        "stack"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchReduceOutput", values));
  return type;
}

/* ---- properties ---- */

static void
set_on_lost (GstOrchReduce * self, GstOrchOnLost on_lost)
{
  guint i;

  self->on_lost = on_lost;
  for (i = 0; i < self->inputs->len; i++)
    gst_orch_subscriber_set_on_lost (((GstOrchReduceInput *)
            g_ptr_array_index (self->inputs, i))->subscriber, on_lost);
}

static void
gst_orch_reduce_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchReduce *self = GST_ORCH_REDUCE (object);

  gst_orch_lock (&self->lock);
  switch (id) {
    case PROP_ON_FAILED:
      self->on_failed = g_value_get_enum (value);
      break;
    case PROP_MAX_FAILED:
      self->max_failed = g_value_get_double (value);
      break;
    case PROP_OUTPUT:
      self->mode = g_value_get_enum (value);
      break;
    case PROP_ON_LOST:
      set_on_lost (self, g_value_get_enum (value));
      break;
    case PROP_ORDER:
      self->order = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  g_mutex_unlock (&self->lock);
}

static GstStructure *
make_stats (GstOrchReduce * self)
{
  guint64 n_lost = 0, n_duplicates = 0;
  guint i;

  for (i = 0; i < self->inputs->len; i++) {
    GstOrchReduceInput *input = g_ptr_array_index (self->inputs, i);

    n_lost += gst_orch_subscriber_get_n_lost (input->subscriber);
    n_duplicates += gst_orch_subscriber_get_n_duplicates (input->subscriber);
  }
  return gst_orch_ledger_make_stats (&self->ledger, "orch-reduce-stats", n_lost,
      n_duplicates);
}

static void
gst_orch_reduce_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstOrchReduce *self = GST_ORCH_REDUCE (object);

  gst_orch_lock (&self->lock);
  switch (id) {
    case PROP_ON_FAILED:
      g_value_set_enum (value, self->on_failed);
      break;
    case PROP_MAX_FAILED:
      g_value_set_double (value, self->max_failed);
      break;
    case PROP_OUTPUT:
      g_value_set_enum (value, self->mode);
      break;
    case PROP_ON_LOST:
      g_value_set_enum (value, self->on_lost);
      break;
    case PROP_ORDER:
      g_value_set_enum (value, self->order);
      break;
    case PROP_STATS:
      g_value_take_boxed (value, make_stats (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  g_mutex_unlock (&self->lock);
}

static void
install_properties (GObjectClass * klass)
{
  const GParamFlags ready = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_MUTABLE_READY;

  g_object_class_install_property (klass, PROP_ON_FAILED,
      g_param_spec_enum ("on-failed", "On failed",
          "What becomes of a parent with failed children",
          on_failed_get_type (), DEFAULT_ON_FAILED, ready));
  g_object_class_install_property (klass, PROP_MAX_FAILED,
      g_param_spec_double ("max-failed", "Max failed",
          "Failed children above which a parent is suppressed in every mode: "
          "a share below 1, a count from 1 on (-1 = no limit)",
          -1, G_MAXDOUBLE, DEFAULT_MAX_FAILED, ready));
  g_object_class_install_property (klass, PROP_OUTPUT,
      g_param_spec_enum ("output", "Output", "What a parent's value is",
          output_get_type (), DEFAULT_OUTPUT, ready));
  g_object_class_install_property (klass, PROP_ON_LOST,
      g_param_spec_enum ("on-lost", "On lost",
          "What a child counts as that an element upstream has thrown away",
          GST_TYPE_ORCH_ON_LOST, GST_ORCH_ON_LOST_DROP,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, PROP_ORDER,
      g_param_spec_enum ("order", "Order",
          "In which order parents leave: each when it is done, or siblings in "
          "the order they have", GST_TYPE_ORCH_ORDER,
          GST_ORCH_ORDER_COMPLETION, ready));
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Counts of parents by outcome, of gathers open now, and of children "
          "lost or doubled on the way", GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  gst_type_mark_as_plugin_api (on_failed_get_type (), 0);
  gst_type_mark_as_plugin_api (output_get_type (), 0);
}

/* ---- states ---- */

static void
prepare (GstOrchReduce * self)
{
  guint i;

  gst_orch_lock (&self->lock);
  memset (&self->ledger, 0, sizeof self->ledger);
  self->running = TRUE;
  self->flushing = FALSE;
  self->cut_off = FALSE;
  self->flow = GST_FLOW_OK;
  for (i = 0; i < self->inputs->len; i++) {
    GstOrchReduceInput *input = g_ptr_array_index (self->inputs, i);

    input->started = input->flushing = FALSE;
    input->eos = input->resolved = input->quiet = FALSE;
  }
  g_mutex_unlock (&self->lock);
}

static void
clean_up (GstOrchReduce * self)
{
  guint i;

  gst_orch_ledger_post (&self->ledger, &self->lock, GST_ELEMENT (self), FALSE);
  gst_orch_reduce_forget_released (self);
  for (i = 0; i < self->inputs->len; i++) {
    GstOrchReduceInput *input = g_ptr_array_index (self->inputs, i);

    if (input->src)
      gst_orch_port_stop (input->src->egress.port);
  }
  gst_orch_reduce_drop_all (self);
  for (i = 0; i < self->inputs->len; i++) {
    GstOrchReduceInput *input = g_ptr_array_index (self->inputs, i);

    gst_orch_subscriber_reset (input->subscriber);
    gst_clear_caps (&input->caps);
  }
}

static GstStateChangeReturn
gst_orch_reduce_change_state (GstElement * element, GstStateChange transition)
{
  GstOrchReduce *self = GST_ORCH_REDUCE (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    if (!gst_orch_plan_check (element))
      return GST_STATE_CHANGE_FAILURE;
    prepare (self);
  }
  ret = GST_ELEMENT_CLASS (gst_orch_reduce_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY
      || (transition == GST_STATE_CHANGE_READY_TO_PAUSED
          && ret == GST_STATE_CHANGE_FAILURE))
    clean_up (self);
  return ret;
}

/* ---- the type ---- */

static void
gst_orch_reduce_finalize (GObject * object)
{
  GstOrchReduce *self = GST_ORCH_REDUCE (object);

  g_ptr_array_set_free_func (self->inputs, gst_orch_reduce_input_free);
  g_ptr_array_unref (self->inputs);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->room);
  G_OBJECT_CLASS (gst_orch_reduce_parent_class)->finalize (object);
}

static void
gst_orch_reduce_class_init (GstOrchReduceClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_orch_reduce_debug, "orchreduce", 0,
      "Gathers children into parents");
  object_class->set_property = gst_orch_reduce_set_property;
  object_class->get_property = gst_orch_reduce_get_property;
  object_class->finalize = gst_orch_reduce_finalize;
  install_properties (object_class);
  element_class->change_state = gst_orch_reduce_change_state;
  element_class->request_new_pad = gst_orch_reduce_request_new_pad;
  element_class->release_pad = gst_orch_reduce_release_pad;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &aligned_template);
  gst_element_class_add_static_pad_template (element_class, &members_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_add_static_pad_template (element_class, &further_template);
  gst_element_class_set_static_metadata (element_class, "Reduction",
      "Generic/Orch",
      "Gathers children into their parent, in order, when the last is done",
      "The gst-orch authors");
  gst_element_class_add_static_metadata (element_class,
      GST_ORCH_METADATA_KIND, "reduce");
}

static void
gst_orch_reduce_init (GstOrchReduce * self)
{
  GstPad *sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  GstPad *srcpad = gst_pad_new_from_static_template (&src_template, "src");

  g_mutex_init (&self->lock);
  g_cond_init (&self->room);
  self->max_failed = DEFAULT_MAX_FAILED;
  self->key = orch_expansion_new_key ();
  self->inputs = g_ptr_array_new ();
  self->input = gst_orch_reduce_input_new (self, sinkpad);
  self->src = gst_orch_reduce_src_new (self, srcpad, self->input);
  self->input->src = self->src;
  g_ptr_array_add (self->inputs, self->input);
  gst_element_add_pad (GST_ELEMENT (self), sinkpad);
  gst_element_add_pad (GST_ELEMENT (self), srcpad);
}
