/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchjoin
 * @title: orchjoin
 *
 * Puts together what several branches say of the same unit, whenever it comes:
 * one `sink_%u` pad for each branch.  A branch of a level further up (a document
 * next to its pages) goes to every unit below.
 *
 * The result is a joined Item, `application/x-orch-items`, whose inputs a
 * Function reads with gst_orch_batch_get_input(), in the order of the pads'
 * numbers, or by the pads' labels.  With `output=first` it is the first input
 * that is there.
 *
 * A unit that is dropped in one branch is dropped, unless that pad is
 * `optional`: then it is missing from the joined Item.  One that failed in any
 * branch is suppressed.
 *
 * What another element has lost on the way to an optional pad is missing, too, and
 * the joined Item lists it as such; with `output=first` the info field
 * `lost-inputs` names the inputs that come first and were lost.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 orchjoin name=j output=first sink_0::optional=true sink_1::optional=true ! orchreduce ! orchsink location=out.jsonl orchsrc location=docs ! orchpdfpages ! orchexpand ! tee name=t ! queue ! orchpdftext ! orchfilter predicate="value != ''" ! j.sink_0 t. ! queue ! orchpdfrender ! orchtesseract ! j.sink_1
 * ]| takes the text layer of a page or, where there is none, what is recognized.
 */

#include "gstorchjoin.h"
#include "gstorchjoinpad.h"

#include <gst/orch/gstorchlist-private.h>
#include <gst/orch/gstorchplan-private.h>

#include "lineage/orch-rules.h"

#include <string.h>

GST_DEBUG_CATEGORY_STATIC (gst_orch_join_debug);
#define GST_CAT_DEFAULT gst_orch_join_debug

typedef enum
{
  GST_ORCH_JOIN_ITEMS,
  GST_ORCH_JOIN_FIRST,
} GstOrchJoinOutput;

#define DEFAULT_OUTPUT GST_ORCH_JOIN_ITEMS
/* With output=first, of the info */
#define LOST_FIELD "lost-inputs"

enum
{
  PROP_0,
  PROP_OUTPUT,
  PROP_LABEL_FIELD,
};

typedef struct
{
  const gchar *label;
  gboolean optional;
} JoinInput;

struct _GstOrchJoin
{
  GstOrchZip zip;

  guint next_pad;               /* number of the next sink_%u */
  /* Object lock. */
  GstOrchJoinOutput output;
  gchar *label_field;

  /* Src task only: of this run. */
  GArray *inputs;               /* JoinInput, as in a row */
  GstOrchJoinOutput mode;
  gchar *field;
  GstCaps *items_caps;
};

static GstStaticPadTemplate sink_template =
GST_STATIC_PAD_TEMPLATE ("sink_%u", GST_PAD_SINK, GST_PAD_REQUEST,
    GST_STATIC_CAPS_ANY);

static void gst_orch_join_child_proxy_init (gpointer iface, gpointer data);

G_DEFINE_FINAL_TYPE_WITH_CODE (GstOrchJoin, gst_orch_join, GST_TYPE_ORCH_ZIP,
    G_IMPLEMENT_INTERFACE (GST_TYPE_CHILD_PROXY,
        gst_orch_join_child_proxy_init));
GST_ELEMENT_REGISTER_DEFINE (orchjoin, "orchjoin", GST_RANK_NONE,
    GST_TYPE_ORCH_JOIN);

static GType
output_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {GST_ORCH_JOIN_ITEMS, "A joined Item of all inputs", "items"},
    {GST_ORCH_JOIN_FIRST, "The first input that is there, as it is", "first"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchJoinOutput", values));
  return type;
}

/* ---- what a row comes to ---- */

static OrchDecision
get_decision (GstOrchJoin * self, GstOrchZipRow * row, guint * deciding)
{
  OrchInput few[8];
  g_autofree OrchInput *many =
      row->n > G_N_ELEMENTS (few) ? g_new (OrchInput, row->n) : NULL;
  OrchInput *inputs = many ? many : few;
  guint i;

  for (i = 0; i < row->n; i++) {
    inputs[i].outcome = row->values[i].outcome;
    inputs[i].optional = g_array_index (self->inputs, JoinInput, i).optional;
    inputs[i].cause = row->values[i].cause;
  }
  return orch_rule_call (inputs, row->n, deciding);
}

/* (transfer none) (nullable): what is said of the unit itself, not of one that it
 * is part of. */
static GstOrchInfo *
find_info (GstOrchJoin * self, GstOrchZipRow * row)
{
  guint i;

  for (i = 0; i < row->n; i++)
    if (row->values[i].info
        && gst_orch_zip_is_own_domain (GST_ORCH_ZIP (self), i))
      return row->values[i].info;
  return NULL;
}

/* (nullable) */
static const gchar *
get_fragment (GstOrchInfo * info)
{
  const GstStructure *fields = gst_orch_info_get (info);

  return fields ? gst_structure_get_string (fields, "fragment") : NULL;
}

/* An input that may be missing is listed where it got lost (S5.6): nobody has left
 * it out on purpose.  What got lost ahead of a tee is one loss. */
static void
list_lost (GstOrchJoin * self, GstOrchZipRow * row, GstOrchList * list)
{
  OrchCause *last = NULL;
  guint i;

  for (i = 0; i < row->n; i++) {
    OrchCause *cause = row->values[i].cause;

    if (!orch_cause_is_lost (cause) || orch_cause_equal (last, cause))
      continue;
    gst_orch_list_add_failure (list, row->entity,
        (GstOrchOutcome) row->values[i].outcome, cause,
        get_fragment (find_info (self, row)));
    last = cause;
  }
}

static void
append_input (GstOrchList * list, guint index, const JoinInput * input,
    const GstOrchZipValue * value)
{
  const GstStructure *info = gst_orch_info_get (value->info);
  GstOrchListElement element = { index, (GstOrchOutcome) value->outcome,
    value->buffer, value->caps, value->cause, (GstStructure *) info,
    input->label
  };

  gst_orch_list_append_element (list, &element);
  if (value->buffer)
    gst_orch_list_inherit_failures (list,
        gst_orch_buffer_get_gathered (value->buffer));
}

static void
set_times (GstOrchJoin * self, GstOrchZipRow * row, GstBuffer * buffer)
{
  guint i;

  for (i = 0; i < row->n; i++) {
    GstBuffer *from = row->values[i].buffer;

    if (!from || !gst_orch_zip_is_own_domain (GST_ORCH_ZIP (self), i))
      continue;
    gst_buffer_copy_into (buffer, from, GST_BUFFER_COPY_TIMESTAMPS, 0, 0);
    return;
  }
}

static void
make_items (GstOrchJoin * self, GstOrchZipRow * row, GstOrchZipValue * result)
{
  GstOrchList *list = gst_orch_list_new_sized (row->n);
  guint i;

  list_lost (self, row, list);
  for (i = 0; i < row->n; i++)
    append_input (list, i, &g_array_index (self->inputs, JoinInput, i),
        &row->values[i]);
  result->outcome = ORCH_OUTCOME_PRESENT;
  result->buffer = gst_orch_list_buffer_new (list);
  set_times (self, row, result->buffer);
  result->caps = gst_caps_ref (self->items_caps);
  result->info = gst_orch_info_ref (find_info (self, row));
}

static void
end_without_value (GstOrchJoin * self, GstOrchZipRow * row,
    OrchOutcome outcome, OrchCause * cause, GstOrchZipValue * result)
{
  result->outcome = outcome;
  result->cause = cause ? orch_cause_ref (cause) : NULL;
  result->info = gst_orch_info_ref (find_info (self, row));
}

/* What the others say of the unit may have come before the failure, or not (S6). */
static void
end_with_failure (GstOrchJoin * self, GstOrchZipRow * row, guint by,
    GstOrchZipValue * result)
{
  GstOrchZipValue *failed = &row->values[by];

  end_without_value (self, row, ORCH_OUTCOME_SUPPRESSED, failed->cause, result);
  if (!gst_orch_zip_is_own_domain (GST_ORCH_ZIP (self), by))
    return;
  gst_orch_info_unref (result->info);
  result->info = gst_orch_info_ref (failed->info);
}

static void
note_label (GstOrchJoin * self, guint index, GstOrchZipValue * result)
{
  GstOrchInfo *info = result->info;

  if (!self->field)
    return;
  result->info = gst_orch_info_merge (info, gst_structure_new ("info",
          self->field, G_TYPE_STRING,
          g_array_index (self->inputs, JoinInput, index).label, NULL));
  gst_orch_info_unref (info);
}

/* A value of any kind lists nothing; its info names the inputs before the one that
 * was taken that got lost. */
static void
note_lost (GstOrchJoin * self, GstOrchZipRow * row, guint taken,
    GstOrchZipValue * result)
{
  GstOrchInfo *info = result->info;
  GString *lost = NULL;
  guint i;

  for (i = 0; i < taken; i++) {
    if (!orch_cause_is_lost (row->values[i].cause))
      continue;
    if (lost)
      g_string_append (lost, ", ");
    else
      lost = g_string_new (NULL);
    g_string_append (lost, g_array_index (self->inputs, JoinInput, i).label);
  }
  if (!lost)
    return;
  result->info = gst_orch_info_merge (info, gst_structure_new ("info",
          LOST_FIELD, G_TYPE_STRING, lost->str, NULL));
  gst_orch_info_unref (info);
  g_string_free (lost, TRUE);
}

/* (transfer none) (nullable): of the first input that got lost */
static OrchCause *
find_lost (GstOrchZipRow * row)
{
  guint i;

  for (i = 0; i < row->n; i++)
    if (orch_cause_is_lost (row->values[i].cause))
      return row->values[i].cause;
  return NULL;
}

static void
take_first (GstOrchJoin * self, GstOrchZipRow * row, GstOrchZipValue * result)
{
  guint i;

  for (i = 0; i < row->n; i++)
    if (row->values[i].outcome == ORCH_OUTCOME_PRESENT)
      break;
  if (i == row->n) {
    end_without_value (self, row, ORCH_OUTCOME_DROPPED, find_lost (row), result);
    return;
  }
  gst_orch_zip_value_copy (result, &row->values[i]);
  if (!gst_orch_zip_is_own_domain (GST_ORCH_ZIP (self), i)) {
    gst_orch_info_unref (result->info);
    result->info = gst_orch_info_ref (find_info (self, row));
  }
  note_label (self, i, result);
  note_lost (self, row, i, result);
}

static void
gst_orch_join_decide (GstOrchZip * zip, GstOrchZipRow * row,
    GstOrchZipValue * result)
{
  GstOrchJoin *self = GST_ORCH_JOIN (zip);
  guint by = 0;

  switch (get_decision (self, row, &by)) {
    case ORCH_DECISION_SUPPRESS:
      end_with_failure (self, row, by, result);
      break;
    case ORCH_DECISION_DROP:
      end_without_value (self, row, ORCH_OUTCOME_DROPPED,
          row->values[by].cause, result);
      break;
    case ORCH_DECISION_READY:
      if (self->mode == GST_ORCH_JOIN_FIRST)
        take_first (self, row, result);
      else
        make_items (self, row, result);
      break;
    default:
      break;
  }
}

/* ---- beginning ---- */

typedef struct
{
  GHashTable *seen;
  const gchar *twice;           /* (nullable) */
} Labels;

static gboolean
read_label (GstElement * element, GstPad * pad, gpointer data)
{
  const gchar *label = gst_orch_join_pad_get_label (GST_ORCH_JOIN_PAD (pad));
  Labels *labels = data;

  if (gst_pad_is_linked (pad)
      && !g_hash_table_add (labels->seen, (gpointer) label))
    labels->twice = label;
  return TRUE;
}

static gchar *
explain_settings (GstElement * element, const gchar ** advice)
{
  /* interned */
  Labels labels = { g_hash_table_new (NULL, NULL), NULL };

  gst_element_foreach_sink_pad (element, read_label, &labels);
  g_hash_table_unref (labels.seen);
  if (!labels.twice)
    return NULL;
  *advice = "Give each pad another one.";
  return g_strdup_printf ("Two pads of %s have the label \"%s\".",
      GST_OBJECT_NAME (element), labels.twice);
}

static gboolean
gst_orch_join_begin (GstOrchZip * zip)
{
  GstOrchJoin *self = GST_ORCH_JOIN (zip);
  g_autofree gchar *message = NULL;
  const gchar *advice = NULL;
  guint i;

  g_array_set_size (self->inputs, 0);
  for (i = 0; i < gst_orch_zip_get_n_inputs (zip); i++) {
    GstOrchJoinPad *pad = GST_ORCH_JOIN_PAD (gst_orch_zip_get_pad (zip, i));
    JoinInput input = { gst_orch_join_pad_get_label (pad),
      gst_orch_join_pad_is_optional (pad)
    };

    g_array_append_val (self->inputs, input);
  }
  GST_OBJECT_LOCK (self);
  self->mode = self->output;
  g_free (self->field);
  self->field = g_strdup (self->label_field);
  GST_OBJECT_UNLOCK (self);
  /* A plan has seen it, unless links were missing. */
  message = explain_settings (GST_ELEMENT (self), &advice);
  if (message)
    GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS, ("%s", message), ("%s",
            advice));
  return message == NULL;
}

/* ---- properties ---- */

static void
gst_orch_join_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstOrchJoin *self = GST_ORCH_JOIN (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_OUTPUT:
      self->output = g_value_get_enum (value);
      break;
    case PROP_LABEL_FIELD:
      g_free (self->label_field);
      self->label_field = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_join_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstOrchJoin *self = GST_ORCH_JOIN (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_OUTPUT:
      g_value_set_enum (value, self->output);
      break;
    case PROP_LABEL_FIELD:
      g_value_set_string (value, self->label_field);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  GST_OBJECT_UNLOCK (self);
}

/* ---- pads ---- */

/* FALSE for a name that is no sink_%u. */
static gboolean
parse_number (const gchar * name, guint * number)
{
  guint64 value;

  if (!g_str_has_prefix (name, "sink_") || !g_ascii_string_to_unsigned (name
          + strlen ("sink_"), 10, 0, G_MAXUINT - 1, &value, NULL))
    return FALSE;
  *number = value;
  return TRUE;
}

static GstPad *
gst_orch_join_request_new_pad (GstElement * element, GstPadTemplate * templ,
    const gchar * name, const GstCaps * caps)
{
  GstOrchJoin *self = GST_ORCH_JOIN (element);
  g_autofree gchar *made = NULL;
  guint number;
  GstPad *pad;

  GST_OBJECT_LOCK (self);
  number = self->next_pad;
  if (name && !parse_number (name, &number)) {
    GST_OBJECT_UNLOCK (self);
    return NULL;
  }
  self->next_pad = MAX (self->next_pad, number + 1);
  GST_OBJECT_UNLOCK (self);
  made = g_strdup_printf ("sink_%u", number);
  pad = g_object_new (GST_TYPE_ORCH_JOIN_PAD, "name", made, "direction",
      GST_PAD_SINK, "template", templ, NULL);
  pad = gst_orch_zip_request_input (GST_ORCH_ZIP (self), pad, number);
  if (pad)
    gst_child_proxy_child_added (GST_CHILD_PROXY (self), G_OBJECT (pad), made);
  return pad;
}

static void
gst_orch_join_release_pad (GstElement * element, GstPad * pad)
{
  gst_child_proxy_child_removed (GST_CHILD_PROXY (element), G_OBJECT (pad),
      GST_OBJECT_NAME (pad));
  gst_orch_zip_remove_input (GST_ORCH_ZIP (element), pad);
}

static GObject *
get_child_by_name (GstChildProxy * proxy, const gchar * name)
{
  return (GObject *) gst_element_get_static_pad (GST_ELEMENT (proxy), name);
}

static GObject *
get_child_by_index (GstChildProxy * proxy, guint index)
{
  GObject *pad;

  GST_OBJECT_LOCK (proxy);
  pad = g_list_nth_data (GST_ELEMENT (proxy)->sinkpads, index);
  if (pad)
    g_object_ref (pad);
  GST_OBJECT_UNLOCK (proxy);
  return pad;
}

static guint
get_children_count (GstChildProxy * proxy)
{
  guint n;

  GST_OBJECT_LOCK (proxy);
  n = GST_ELEMENT (proxy)->numsinkpads;
  GST_OBJECT_UNLOCK (proxy);
  return n;
}

static void
gst_orch_join_child_proxy_init (gpointer iface, gpointer data)
{
  GstChildProxyInterface *proxy = iface;

  proxy->get_child_by_name = get_child_by_name;
  proxy->get_child_by_index = get_child_by_index;
  proxy->get_children_count = get_children_count;
}

/* ---- the type ---- */

static void
gst_orch_join_finalize (GObject * object)
{
  GstOrchJoin *self = GST_ORCH_JOIN (object);

  g_array_unref (self->inputs);
  g_free (self->label_field);
  g_free (self->field);
  gst_caps_unref (self->items_caps);
  G_OBJECT_CLASS (gst_orch_join_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass * klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_MUTABLE_READY;

  g_object_class_install_property (klass, PROP_OUTPUT,
      g_param_spec_enum ("output", "Output", "What a unit's value is",
          output_get_type (), DEFAULT_OUTPUT, flags));
  g_object_class_install_property (klass, PROP_LABEL_FIELD,
      g_param_spec_string ("label-field", "Label field",
          "With output=first: the info field that names the input that was "
          "taken, by its pad's label (unset = none)", NULL, flags));
  gst_type_mark_as_plugin_api (output_get_type (), 0);
  gst_type_mark_as_plugin_api (GST_TYPE_ORCH_JOIN_PAD, 0);
}

static void
gst_orch_join_class_init (GstOrchJoinClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstOrchZipClass *zip_class = GST_ORCH_ZIP_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_orch_join_debug, "orchjoin", 0,
      "Puts together what branches say of a unit");
  object_class->set_property = gst_orch_join_set_property;
  object_class->get_property = gst_orch_join_get_property;
  object_class->finalize = gst_orch_join_finalize;
  install_properties (object_class);
  element_class->request_new_pad = gst_orch_join_request_new_pad;
  element_class->release_pad = gst_orch_join_release_pad;
  gst_orch_plan_set_settings_func (G_TYPE_FROM_CLASS (klass),
      explain_settings);
  zip_class->broadcasts = TRUE;
  zip_class->begin = gst_orch_join_begin;
  zip_class->decide = gst_orch_join_decide;
  gst_element_class_add_static_pad_template_with_gtype (element_class,
      &sink_template, GST_TYPE_ORCH_JOIN_PAD);
  gst_element_class_set_static_metadata (element_class, "Join",
      "Generic/Orch", "Puts together what several branches say of a unit",
      "The gst-orch authors");
  gst_element_class_add_static_metadata (element_class,
      GST_ORCH_METADATA_KIND, "join");
}

static void
gst_orch_join_init (GstOrchJoin * self)
{
  self->output = DEFAULT_OUTPUT;
  self->inputs = g_array_new (FALSE, FALSE, sizeof (JoinInput));
  self->items_caps = gst_caps_new_empty_simple (GST_ORCH_ITEMS_CAPS);
}
