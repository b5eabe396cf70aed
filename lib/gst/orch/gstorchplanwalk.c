/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchplan-private.h"

#include "gstorchcall-private.h"
#include "gstorchfunction-private.h"

/* Reads a pipeline: which elements are ours, and which of their src pads feed
 * which of their sink pads, through whatever stands in between. */

static const gchar *const kinds[] = {
  "source", "call", "expand", "reduce", "filter", "join", "sink", NULL
};

const gchar *
gst_orch_plan_kind_get_nick (GstOrchPlanKind kind)
{
  return kinds[kind];
}

static void
output_free (gpointer data)
{
  GstOrchPlanOutput *output = data;

  g_clear_pointer (&output->pad, gst_object_unref);
  g_free (output->name);
  g_free (output);
}

void
gst_orch_plan_input_free (gpointer data)
{
  GstOrchPlanInput *input = data;

  g_clear_pointer (&input->pad, gst_object_unref);
  g_free (input->name);
  g_ptr_array_unref (input->from);
  g_ptr_array_unref (input->between);
  g_clear_pointer (&input->elements, g_ptr_array_unref);
  g_free (input);
}

void
gst_orch_plan_node_free (gpointer data)
{
  GstOrchPlanNode *node = data;

  g_clear_pointer (&node->element, gst_object_unref);
  g_free (node->name);
  g_free (node->function);
  g_ptr_array_unref (node->inputs);
  g_ptr_array_unref (node->outputs);
  g_free (node);
}

/* ---- which elements are ours ---- */

static gint
find_kind (GstElement * element)
{
  const gchar *nick =
      gst_element_class_get_metadata (GST_ELEMENT_GET_CLASS (element),
      GST_ORCH_METADATA_KIND);
  guint i;

  if (GST_IS_ORCH_CALL (element))
    return GST_ORCH_PLAN_CALL;
  for (i = 0; nick && kinds[i]; i++)
    if (g_str_equal (kinds[i], nick))
      return i;
  return -1;
}

static gchar *
get_function_name (GstElement * element)
{
  GstOrchFunction *function =
      gst_orch_call_get_function (GST_ORCH_CALL (element));
  gchar *name = NULL;

  if (function) {
    name = g_strdup (gst_orch_function_class_get_traits
        (GST_ORCH_FUNCTION_GET_CLASS (function))->name);
    gst_object_unref (function);
  } else if (g_object_class_find_property (G_OBJECT_GET_CLASS (element),
          "function")) {
    g_object_get (element, "function", &name, NULL);
  }
  return name;
}

static void
add_output (GstOrchPlanNode * node, GstPad * pad, GstOrchPort * port)
{
  GstOrchPlanOutput *output = g_new0 (GstOrchPlanOutput, 1);

  output->node = node;
  output->pad = gst_object_ref (pad);
  output->name = gst_pad_get_name (pad);
  output->relation = gst_orch_port_get_relation (port);
  g_ptr_array_add (node->outputs, output);
}

static void
add_input (GPtrArray * inputs, GstOrchPlanNode * node, GstPad * pad)
{
  GstOrchPlanInput *input = g_new0 (GstOrchPlanInput, 1);

  input->node = node;
  input->pad = gst_object_ref (pad);
  input->name = gst_pad_get_name (pad);
  input->from = g_ptr_array_new ();
  input->between = g_ptr_array_new_with_free_func (g_free);
  input->elements = g_ptr_array_new_with_free_func (gst_object_unref);
  input->is_complete = TRUE;
  g_ptr_array_add (inputs, input);
}

static gboolean
add_pad (GstElement * element, GstPad * pad, gpointer data)
{
  GstOrchPort *port = gst_orch_port_of_pad (pad);
  GstOrchSubscriber *subscriber = gst_orch_subscriber_of_pad (pad);

  if (port)
    add_output (data, pad, port);
  if (subscriber)
    add_input (((GstOrchPlanNode *) data)->inputs, data, pad);
  g_clear_pointer (&port, gst_orch_port_unref);
  g_clear_pointer (&subscriber, gst_orch_subscriber_unref);
  return TRUE;
}

/* A pad that is there for another way of use (the `sink` of an expansion of
 * streams) feeds nothing. */
static void
leave_out_unlinked (GstOrchPlanNode * node)
{
  guint i, n_linked = 0;

  for (i = 0; i < node->inputs->len; i++)
    n_linked += gst_pad_is_linked (((GstOrchPlanInput *)
            g_ptr_array_index (node->inputs, i))->pad);
  for (i = node->inputs->len; i > 0 && n_linked > 0; i--)
    if (!gst_pad_is_linked (((GstOrchPlanInput *)
                g_ptr_array_index (node->inputs, i - 1))->pad))
      g_ptr_array_remove_index (node->inputs, i - 1);
}

static gboolean
add_end (GstElement * element, GstPad * pad, gpointer ends)
{
  add_input (ends, NULL, pad);
  return TRUE;
}

/* What has no link yet may get it from this one. */
static gboolean
makes_links (GstElement * element)
{
  GList *l = gst_element_get_pad_template_list (element);

  for (; l; l = l->next)
    if (GST_PAD_TEMPLATE_DIRECTION (l->data) == GST_PAD_SRC
        && GST_PAD_TEMPLATE_PRESENCE (l->data) == GST_PAD_SOMETIMES)
      return TRUE;
  return FALSE;
}

static void
add_element (const GValue * value, gpointer data)
{
  GstElement *element = g_value_get_object (value);
  GstOrchPlan *plan = data;
  gint kind = find_kind (element);
  GstOrchPlanNode *node;

  if (kind < 0) {
    plan->makes_links |= makes_links (element);
    if (element->numsrcpads == 0 && !GST_IS_BIN (element))
      gst_element_foreach_sink_pad (element, add_end, plan->ends);
    return;
  }
  node = g_new0 (GstOrchPlanNode, 1);
  node->element = gst_object_ref (element);
  node->kind = kind;
  node->name = gst_element_get_name (element);
  if (kind == GST_ORCH_PLAN_CALL)
    node->function = get_function_name (element);
  node->inputs = g_ptr_array_new_with_free_func (gst_orch_plan_input_free);
  node->outputs = g_ptr_array_new_with_free_func (output_free);
  gst_element_foreach_pad (element, add_pad, node);
  leave_out_unlinked (node);
  /* A bin gives its newest element first. */
  g_ptr_array_insert (plan->nodes, 0, node);
}

/* ---- what feeds whom ---- */

typedef struct
{
  GstOrchPlanInput *input;
  GHashTable *outputs;          /* GstOrchPlanOutput, by pad */
  GHashTable *seen;             /* src pads of other elements */
} Walk;

static void walk_up (Walk * walk, GstPad * sinkpad);

static void
walk_linked (const GValue * value, gpointer walk)
{
  walk_up (walk, g_value_get_object (value));
}

/* It has no sink pad, and cannot get one. */
static gboolean
is_source (GstElement * element)
{
  GList *l = gst_element_get_pad_template_list (element);

  for (; l; l = l->next)
    if (GST_PAD_TEMPLATE_DIRECTION (l->data) == GST_PAD_SINK)
      return FALSE;
  return element->numsinkpads == 0;
}

static void
pass_element (Walk * walk, GstElement * element, GstPad * srcpad)
{
  GstIterator *linked;

  if (!g_ptr_array_find (walk->input->elements, element, NULL)) {
    g_ptr_array_add (walk->input->elements, gst_object_ref (element));
    /* In the order of the data. */
    g_ptr_array_insert (walk->input->between, 0,
        gst_element_get_name (element));
  }
  if (is_source (element)) {
    walk->input->has_plain = TRUE;
    return;
  }
  linked = gst_pad_iterate_internal_links (srcpad);
  if (!linked) {
    walk->input->is_complete = FALSE;
    return;
  }
  while (gst_iterator_foreach (linked, walk_linked, walk)
      == GST_ITERATOR_RESYNC)
    gst_iterator_resync (linked);
  gst_iterator_free (linked);
}

static void
walk_up (Walk * walk, GstPad * sinkpad)
{
  GstPad *srcpad = gst_orch_pad_get_feeder (sinkpad);
  GstOrchPlanOutput *output;
  GstElement *element;

  if (!srcpad) {
    walk->input->is_complete = FALSE;
    return;
  }
  output = g_hash_table_lookup (walk->outputs, srcpad);
  element = gst_pad_get_parent_element (srcpad);
  if (output) {
    if (!g_ptr_array_find (walk->input->from, output, NULL))
      g_ptr_array_add (walk->input->from, output);
  } else if (element && g_hash_table_add (walk->seen, srcpad)) {
    pass_element (walk, element, srcpad);
  }
  g_clear_pointer (&element, gst_object_unref);
  gst_object_unref (srcpad);
}

/* Its link leads out of the bins it is in. */
static gboolean
is_consumed (GstPad * srcpad)
{
  GstPad *pad = gst_pad_get_peer (srcpad);

  while (pad && GST_IS_PROXY_PAD (pad)) {
    GstProxyPad *other = gst_proxy_pad_get_internal (GST_PROXY_PAD (pad));
    GstPad *next = other ? gst_pad_get_peer (GST_PAD (other)) : NULL;

    g_clear_pointer (&other, gst_object_unref);
    gst_object_unref (pad);
    pad = next;
  }
  if (!pad)
    return FALSE;
  gst_object_unref (pad);
  return TRUE;
}

static GHashTable *
index_outputs (GstOrchPlan * plan)
{
  GHashTable *outputs = g_hash_table_new (NULL, NULL);
  guint n, i;

  for (n = 0; n < plan->nodes->len; n++) {
    GstOrchPlanNode *node = g_ptr_array_index (plan->nodes, n);

    for (i = 0; i < node->outputs->len; i++) {
      GstOrchPlanOutput *output = g_ptr_array_index (node->outputs, i);

      output->is_consumed = is_consumed (output->pad);
      g_hash_table_insert (outputs, output->pad, output);
    }
  }
  return outputs;
}

static void
connect (GstOrchPlanInput * input, GHashTable * outputs)
{
  Walk walk = { input, outputs, g_hash_table_new (NULL, NULL) };

  walk_up (&walk, input->pad);
  g_hash_table_unref (walk.seen);
}

void
gst_orch_plan_walk (GstOrchPlan * plan, GstBin * bin)
{
  GstIterator *elements = gst_bin_iterate_recurse (bin);
  GHashTable *outputs;
  guint n, i;

  while (gst_iterator_foreach (elements, add_element, plan)
      == GST_ITERATOR_RESYNC) {
    gst_iterator_resync (elements);
    g_ptr_array_set_size (plan->nodes, 0);
    g_ptr_array_set_size (plan->ends, 0);
  }
  gst_iterator_free (elements);
  outputs = index_outputs (plan);
  for (n = 0; n < plan->nodes->len; n++) {
    GstOrchPlanNode *node = g_ptr_array_index (plan->nodes, n);

    for (i = 0; i < node->inputs->len; i++) {
      GstOrchPlanInput *input = g_ptr_array_index (node->inputs, i);

      connect (input, outputs);
      plan->is_complete &= input->is_complete;
    }
  }
  for (i = 0; i < plan->ends->len; i++)
    connect (g_ptr_array_index (plan->ends, i), outputs);
  g_hash_table_unref (outputs);
}
