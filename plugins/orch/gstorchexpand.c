/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchexpand
 * @title: orchexpand
 *
 * Opens parents into ordered children.  A list (`application/x-orch-list`)
 * gives its elements; any other stream is a parent itself and its buffers are
 * the children: request one `sink_%u` pad for each stream, and they share what
 * follows.
 *
 * A stream that has no end, or a long one, can be cut into groups by `group-by`: it
 * is then the parent of its groups, and they are the parents of its buffers.  One
 * orchreduce behind it gathers each group as soon as the group is over, a second one
 * the groups of each stream.  Lists are not cut.
 *
 * Lists that are outputs of one Call can be opened together: the first comes to
 * `sink`, the others to `aligned_%u` pads, which are requested before the element
 * starts.  The n-th elements of a parent's lists are then values of one child; those
 * of `aligned_1` leave at `src_1`.  Lists of different lengths fail their parent.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchpdfpages ! orchexpand ! orchpdftext ! orchreduce ! orchsink location=out.jsonl
 * ]| opens each document into its pages.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! orchexpand group-by=count group-count=25 ! orchidentity ! orchreduce ! fakesink
 * ]| gathers a stream's frames into four lists of 25.
 */

#include "gstorchexpand-private.h"

#include <gst/orch/gstorchplan-private.h>
#include <string.h>

GST_DEBUG_CATEGORY (gst_orch_expand_debug);
#define GST_CAT_DEFAULT gst_orch_expand_debug

#define DEFAULT_INTERLEAVE ORCH_INTERLEAVE_FAIR
#define DEFAULT_WINDOW 0
#define DEFAULT_MAX_BUFFERS 8
#define DEFAULT_FRAME_DURATION GST_SECOND
#define DEFAULT_GROUP_BY GST_ORCH_GROUP_BY_NONE
#define DEFAULT_GROUP_DURATION (10 * GST_SECOND)
#define DEFAULT_GROUP_COUNT 100
#define DEFAULT_GROUP_EVENT "orch-group"
/* Until the Calls below have been asked. */
#define FIRST_WINDOW 32

enum
{
  PROP_0,
  PROP_INTERLEAVE,
  PROP_WINDOW,
  PROP_MAX_BUFFERS,
  PROP_FRAME_DURATION,
  PROP_GROUP_BY,
  PROP_GROUP_DURATION,
  PROP_GROUP_COUNT,
  PROP_GROUP_EVENT,
  PROP_STATS,
};

static GstStaticPadTemplate sink_template =
GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate request_template =
GST_STATIC_PAD_TEMPLATE ("sink_%u", GST_PAD_SINK, GST_PAD_REQUEST,
    GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate aligned_template =
GST_STATIC_PAD_TEMPLATE ("aligned_%u", GST_PAD_SINK, GST_PAD_REQUEST,
    GST_STATIC_CAPS (GST_ORCH_LIST_CAPS));
static GstStaticPadTemplate further_template =
GST_STATIC_PAD_TEMPLATE ("src_%u", GST_PAD_SRC, GST_PAD_SOMETIMES,
    GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template =
GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS_ANY);

G_DEFINE_TYPE (GstOrchExpand, gst_orch_expand, GST_TYPE_ELEMENT);
GST_ELEMENT_REGISTER_DEFINE (orchexpand, "orchexpand", GST_RANK_NONE,
    GST_TYPE_ORCH_EXPAND);

static GType
interleave_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {ORCH_INTERLEAVE_FAIR, "One child of each open parent in turn", "fair"},
    {ORCH_INTERLEAVE_SHORTEST,
        "First children first, then the parent with the fewest left",
        "shortest"},
    {ORCH_INTERLEAVE_NONE, "One parent after the other", "none"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchInterleave", values));
  return type;
}

/* ---- properties ---- */

/* The plan has to know before data flow that there is one Domain more. */
static void
set_group_by (GstOrchExpand * self, GstOrchGroupBy group_by)
{
  self->group_by = group_by;
  gst_orch_port_set_relation (self->output->egress.port,
      group_by == GST_ORCH_GROUP_BY_NONE ? GST_ORCH_DOMAIN_CHILD
      : GST_ORCH_DOMAIN_GRANDCHILD);
}

static void
gst_orch_expand_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchExpand *self = GST_ORCH_EXPAND (object);

  gst_orch_lock (&self->lock);
  switch (id) {
    case PROP_INTERLEAVE:
      self->interleave = g_value_get_enum (value);
      break;
    case PROP_WINDOW:
      self->window = g_value_get_uint (value);
      break;
    case PROP_MAX_BUFFERS:
      self->max_buffers = g_value_get_uint (value);
      gst_orch_expand_wake_inputs (self);
      break;
    case PROP_FRAME_DURATION:
      self->frame_duration = g_value_get_uint64 (value);
      break;
    case PROP_GROUP_BY:
      set_group_by (self, g_value_get_enum (value));
      break;
    case PROP_GROUP_DURATION:
      self->group_duration = g_value_get_uint64 (value);
      break;
    case PROP_GROUP_COUNT:
      self->group_count = g_value_get_uint64 (value);
      break;
    case PROP_GROUP_EVENT:
      g_free (self->group_event);
      self->group_event = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  g_mutex_unlock (&self->lock);
}

static GstStructure *
make_stats (GstOrchExpand * self)
{
  return gst_structure_new ("orch-expand-stats",
      "parents", G_TYPE_UINT64, self->n_parents,
      "children", G_TYPE_UINT64, self->n_children,
      "listed", G_TYPE_UINT64, self->n_listed,
      "pruned", G_TYPE_UINT64, self->n_pruned,
      "open-lists", G_TYPE_UINT, self->unwanted.length +
      (self->lanes ? orch_interleave_get_n_lists (self->lanes) : 0), NULL);
}

static void
gst_orch_expand_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstOrchExpand *self = GST_ORCH_EXPAND (object);

  gst_orch_lock (&self->lock);
  switch (id) {
    case PROP_INTERLEAVE:
      g_value_set_enum (value, self->interleave);
      break;
    case PROP_WINDOW:
      g_value_set_uint (value, self->window);
      break;
    case PROP_MAX_BUFFERS:
      g_value_set_uint (value, self->max_buffers);
      break;
    case PROP_FRAME_DURATION:
      g_value_set_uint64 (value, self->frame_duration);
      break;
    case PROP_GROUP_BY:
      g_value_set_enum (value, self->group_by);
      break;
    case PROP_GROUP_DURATION:
      g_value_set_uint64 (value, self->group_duration);
      break;
    case PROP_GROUP_COUNT:
      g_value_set_uint64 (value, self->group_count);
      break;
    case PROP_GROUP_EVENT:
      g_value_set_string (value, self->group_event);
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
install_group_properties (GObjectClass * klass, GParamFlags ready)
{
  g_object_class_install_property (klass, PROP_GROUP_BY,
      g_param_spec_enum ("group-by", "Group by",
          "Where streams are cut into groups, which are then the parents of their "
          "buffers", gst_orch_group_by_get_type (), DEFAULT_GROUP_BY, ready));
  g_object_class_install_property (klass, PROP_GROUP_DURATION,
      g_param_spec_uint64 ("group-duration", "Group duration",
          "Stream time of each group with group-by=duration, in nanoseconds",
          1, G_MAXINT64, DEFAULT_GROUP_DURATION, ready));
  g_object_class_install_property (klass, PROP_GROUP_COUNT,
      g_param_spec_uint64 ("group-count", "Group count",
          "Buffers of each group with group-by=count", 1, G_MAXUINT64,
          DEFAULT_GROUP_COUNT, ready));
  g_object_class_install_property (klass, PROP_GROUP_EVENT,
      g_param_spec_string ("group-event", "Group event",
          "Name of the custom downstream event that ends a group with "
          "group-by=event; its fields are info of the next one",
          DEFAULT_GROUP_EVENT, ready));
  gst_type_mark_as_plugin_api (gst_orch_group_by_get_type (), 0);
}

static void
install_properties (GObjectClass * klass)
{
  const GParamFlags ready = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_MUTABLE_READY;

  g_object_class_install_property (klass, PROP_INTERLEAVE,
      g_param_spec_enum ("interleave", "Interleave",
          "In which order open parents give their children",
          interleave_get_type (), DEFAULT_INTERLEAVE, ready));
  g_object_class_install_property (klass, PROP_WINDOW,
      g_param_spec_uint ("window", "Window",
          "Most lists open at once (0 = a third of what the Calls below have "
          "in flight, at least 32)", 0, 1 << 20, DEFAULT_WINDOW, ready));
  g_object_class_install_property (klass, PROP_MAX_BUFFERS,
      g_param_spec_uint ("max-buffers", "Max buffers",
          "Most buffers held for each stream", 1, G_MAXUINT,
          DEFAULT_MAX_BUFFERS, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, PROP_FRAME_DURATION,
      g_param_spec_uint64 ("frame-duration", "Frame duration",
          "Time from one child to the next on the pad where the child has no "
          "duration of its own, in nanoseconds", 1, G_MAXINT64,
          DEFAULT_FRAME_DURATION, ready));
  install_group_properties (klass, ready);
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Counts of parents opened, of children given, of those that lists have "
          "named and of those whose value nobody wanted any more, and lists open "
          "now",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  gst_type_mark_as_plugin_api (interleave_get_type (), 0);
}

/* ---- pads ---- */

/* The next number whose name nobody has asked for by itself. */
static gchar *
make_pad_name (GstOrchExpand * self)
{
  while (TRUE) {
    g_autofree gchar *name = NULL;
    GstPad *taken;

    gst_orch_lock (&self->lock);
    name = g_strdup_printf ("sink_%u", self->next_pad++);
    g_mutex_unlock (&self->lock);
    taken = gst_element_get_static_pad (GST_ELEMENT (self), name);
    if (!taken)
      return g_steal_pointer (&name);
    gst_object_unref (taken);
  }
}

static GstPad *
gst_orch_expand_request_new_pad (GstElement * element,
    GstPadTemplate * templ, const gchar * name, const GstCaps * caps)
{
  GstOrchExpand *self = GST_ORCH_EXPAND (element);
  g_autofree gchar *made = NULL;
  GstOrchExpandInput *input;
  GstPad *pad;

  if (g_str_equal (GST_PAD_TEMPLATE_NAME_TEMPLATE (templ), "aligned_%u"))
    return gst_orch_expand_request_aligned (self, templ, name);
  made = name ? g_strdup (name) : make_pad_name (self);
  pad = gst_pad_new_from_template (templ, made);
  input = gst_orch_expand_input_new (self, pad, TRUE);
  gst_orch_lock (&self->lock);
  self->inputs = g_list_append (self->inputs, input);
  if (self->lanes)
    gst_orch_expand_reserve_stream (self, input);
  g_mutex_unlock (&self->lock);
  gst_pad_set_active (pad, GST_STATE (self) >= GST_STATE_PAUSED
      || GST_STATE_PENDING (self) >= GST_STATE_PAUSED);
  gst_element_add_pad (element, pad);
  return pad;
}

static void
gst_orch_expand_release_pad (GstElement * element, GstPad * pad)
{
  GstOrchExpand *self = GST_ORCH_EXPAND (element);
  GstOrchExpandInput *input = gst_pad_get_element_private (pad);

  if (input->output)
    gst_orch_expand_release_aligned (self, input);
  else
    gst_orch_expand_input_release (self, input);
  /* Waits for the chain function, which the release has woken. */
  gst_pad_set_active (pad, FALSE);
  gst_element_remove_pad (element, pad);
  gst_orch_expand_input_free (input);
}

/* ---- states ---- */

static void
prepare (GstOrchExpand * self)
{
  GList *l;

  gst_orch_lock (&self->lock);
  self->open_lists = self->window ? self->window : FIRST_WINDOW;
  self->lanes = orch_interleave_new (self->interleave, self->open_lists, 0);
  self->flushing = self->ended = FALSE;
  self->flow = GST_FLOW_OK;
  memset (&self->ledger, 0, sizeof self->ledger);
  self->n_parents = self->n_children = self->n_listed = self->n_pruned = 0;
  self->knows_window = FALSE;
  self->kind = GST_ORCH_EXPAND_UNKNOWN;
  for (l = self->inputs; l; l = l->next) {
    GstOrchExpandInput *input = l->data;

    input->started = input->eos = input->resolved = input->quiet = FALSE;
    input->is_of_one_call = input->flushes_all = FALSE;
    if (input->is_request)
      gst_orch_expand_reserve_stream (self, input);
    gst_segment_init (&input->segment, GST_FORMAT_TIME);
    gst_clear_structure (&input->mark);
  }
  g_mutex_unlock (&self->lock);
}

static void
clean_up (GstOrchExpand * self)
{
  GQueue children = G_QUEUE_INIT;
  GList *parents = NULL, *l;
  GHashTable *rows;

  gst_orch_ledger_post (&self->ledger, &self->lock, GST_ELEMENT (self), FALSE);
  for (l = self->inputs; l; l = l->next)
    if (((GstOrchExpandInput *) l->data)->output)
      gst_orch_port_stop (((GstOrchExpandInput *)
              l->data)->output->egress.port);
  gst_orch_lock (&self->lock);
  rows = gst_orch_expand_forget (self, &parents, &children);
  g_clear_pointer (&self->lanes, orch_interleave_free);
  gst_orch_expand_renumber_columns (self);
  g_mutex_unlock (&self->lock);
  g_queue_clear_full (&children, gst_orch_expand_child_free);
  g_list_free_full (parents, gst_orch_expand_parent_free);
  g_hash_table_unref (rows);
  for (l = self->inputs; l; l = l->next) {
    GstOrchExpandInput *input = l->data;

    gst_orch_subscriber_reset (input->subscriber);
    g_clear_pointer (&input->reserved, orch_entity_unref);
  }
  gst_orch_port_set_domain (self->output->egress.port, NULL);
  g_clear_pointer (&self->domain, orch_domain_unref);
  g_clear_pointer (&self->streams, orch_expansion_unref);
  gst_clear_caps (&self->shared_caps);
}

static GstStateChangeReturn
gst_orch_expand_change_state (GstElement * element, GstStateChange transition)
{
  GstOrchExpand *self = GST_ORCH_EXPAND (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    if (!gst_orch_plan_check (element))
      return GST_STATE_CHANGE_FAILURE;
    prepare (self);
  }
  ret = GST_ELEMENT_CLASS (gst_orch_expand_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY
      || (transition == GST_STATE_CHANGE_READY_TO_PAUSED
          && ret == GST_STATE_CHANGE_FAILURE))
    clean_up (self);
  return ret;
}

/* ---- the type ---- */

static void
gst_orch_expand_finalize (GObject * object)
{
  GstOrchExpand *self = GST_ORCH_EXPAND (object);

  g_list_free_full (self->inputs, (GDestroyNotify) gst_orch_expand_input_free);
  g_ptr_array_unref (self->columns);
  g_hash_table_unref (self->rows);
  orch_domain_unref (self->group_domain);
  orch_domain_unref (self->stream_domain);
  g_free (self->group_event);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (gst_orch_expand_parent_class)->finalize (object);
}

static void
gst_orch_expand_class_init (GstOrchExpandClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_orch_expand_debug, "orchexpand", 0,
      "Opens parents into children");
  object_class->set_property = gst_orch_expand_set_property;
  object_class->get_property = gst_orch_expand_get_property;
  object_class->finalize = gst_orch_expand_finalize;
  install_properties (object_class);
  element_class->change_state = gst_orch_expand_change_state;
  element_class->request_new_pad = gst_orch_expand_request_new_pad;
  element_class->release_pad = gst_orch_expand_release_pad;
  /* The request template first: it is what linking takes when `sink` is. */
  gst_element_class_add_static_pad_template (element_class, &request_template);
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &aligned_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_add_static_pad_template (element_class, &further_template);
  gst_element_class_set_static_metadata (element_class, "Expansion",
      "Generic/Orch", "Opens lists and streams into ordered children",
      "The gst-orch authors");
  gst_element_class_add_static_metadata (element_class,
      GST_ORCH_METADATA_KIND, "expand");
}

static void
gst_orch_expand_init (GstOrchExpand * self)
{
  GstPad *sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  GstPad *srcpad = gst_pad_new_from_static_template (&src_template, "src");

  g_mutex_init (&self->lock);
  self->interleave = DEFAULT_INTERLEAVE;
  self->max_buffers = DEFAULT_MAX_BUFFERS;
  self->frame_duration = DEFAULT_FRAME_DURATION;
  self->group_by = DEFAULT_GROUP_BY;
  self->group_duration = DEFAULT_GROUP_DURATION;
  self->group_count = DEFAULT_GROUP_COUNT;
  self->group_event = g_strdup (DEFAULT_GROUP_EVENT);
  self->unwanted_key = orch_expansion_new_key ();
  self->main = gst_orch_expand_input_new (self, sinkpad, FALSE);
  self->inputs = g_list_append (NULL, self->main);
  self->output = gst_orch_expand_output_new (self, srcpad, self->main);
  self->main->output = self->output;
  self->columns = g_ptr_array_new ();
  g_ptr_array_add (self->columns, self->main);
  self->n_columns = 1;
  self->rows = gst_orch_expand_rows_new ();
  gst_element_add_pad (GST_ELEMENT (self), sinkpad);
  gst_element_add_pad (GST_ELEMENT (self), srcpad);
}
