/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchplan-private.h"

#include "gstorchcall-private.h"
#include "gstorchfunction-private.h"

#include <string.h>

/* What can be said of values before there are any.  NULL stands for nothing:
 * whatever it may be is taken. */

/* These hand on what they are given, and know nothing of their own of caps. */
static const gchar *const transparent[] = {
  "concat", "funnel", "identity", "input-selector", "multiqueue",
  "output-selector", "queue", "queue2", "tee", "valve", NULL
};

void
gst_orch_plan_value_free (gpointer data)
{
  GstOrchPlanValue *value = data;

  gst_caps_unref (value->caps);
  g_free (value);
}

/* `caps` (transfer full) */
static GstOrchPlanValue *
value_new (GstOrchPlan * plan, GstCaps * caps, GstOrchPlanValue * element)
{
  GstOrchPlanValue *value;

  /* No caps at all is what disagreeing inputs of a funnel have in common. */
  if (gst_caps_is_any (caps) || gst_caps_is_empty (caps)) {
    gst_caps_unref (caps);
    return NULL;
  }
  value = g_new0 (GstOrchPlanValue, 1);
  value->caps = caps;
  value->element = element;
  g_ptr_array_add (plan->values, value);
  return value;
}

gboolean
gst_orch_plan_value_is_list (GstOrchPlanValue * value)
{
  return value && gst_caps_get_size (value->caps) == 1
      && gst_structure_has_name (gst_caps_get_structure (value->caps, 0),
      GST_ORCH_LIST_CAPS);
}

/* ---- what goes out ---- */

/* `src` is 0, `src_3` and `aligned_3` are 3. */
static guint
get_number (const gchar * pad)
{
  const gchar *number = strrchr (pad, '_');

  return number ? g_ascii_strtoull (number + 1, NULL, 10) : 0;
}

static GstOrchPlanValue *
get_function_value (GstOrchPlan * plan, GstOrchFunction * function,
    guint number)
{
  const GstOrchFunctionTraits *traits = gst_orch_function_class_get_traits
      (GST_ORCH_FUNCTION_GET_CLASS (function));
  GstOrchPlanValue *element = NULL;

  if (number > gst_orch_function_get_n_further (function))
    return NULL;
  if (number > 0)
    return value_new (plan, gst_caps_ref (gst_orch_function_get_further
            (function, number)->caps), NULL);
  if (traits->element_caps)
    element = value_new (plan, gst_caps_ref (traits->element_caps), NULL);
  return value_new (plan, gst_caps_ref (traits->src_caps), element);
}

static GstOrchPlanValue *
get_call_value (GstOrchPlan * plan, GstOrchPlanOutput * output)
{
  GstOrchFunction *function =
      gst_orch_call_get_function (GST_ORCH_CALL (output->node->element));
  GstOrchPlanValue *value;

  if (!function)
    return NULL;
  value = get_function_value (plan, function, get_number (output->name));
  gst_object_unref (function);
  return value;
}

/* What comes to `sink` leaves at `src`, what comes to `aligned_1` of an expansion
 * or `sink_1` of a reduce at `src_1`.  (nullable): nothing does that alone */
static GstOrchPlanInput *
find_input_of (GstOrchPlanOutput * output)
{
  GstOrchPlanNode *node = output->node;
  guint i, number = get_number (output->name);

  for (i = 0; i < node->inputs->len; i++) {
    GstOrchPlanInput *input = g_ptr_array_index (node->inputs, i);

    /* Parents of all these share `src`. */
    if (node->kind == GST_ORCH_PLAN_EXPAND
        && g_str_has_prefix (input->name, "sink_"))
      return NULL;
    if (!g_str_equal (input->name, "members")
        && !g_str_equal (input->name, "mask")
        && get_number (input->name) == number)
      return input;
  }
  return NULL;
}

static GstOrchPlanValue *
get_expand_value (GstOrchPlanInput * input)
{
  if (gst_orch_plan_value_is_list (input->value))
    return input->value->element;
  return input->from->len ? NULL : input->value;
}

/* (nullable): the nick of the property "output", if that is not its default */
static const gchar *
get_other_output (GstElement * element)
{
  GParamSpec *pspec =
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), "output");
  gint output;

  if (!pspec)
    return NULL;
  g_object_get (element, "output", &output, NULL);
  if (output == G_PARAM_SPEC_ENUM (pspec)->default_value)
    return NULL;
  return g_enum_get_value (G_PARAM_SPEC_ENUM (pspec)->enum_class,
      output)->value_nick;
}

/* A reduce makes lists and a join joined Items, unless told otherwise. */
static GstOrchPlanValue *
get_made_value (GstOrchPlan * plan, GstOrchPlanNode * node, const gchar * caps,
    GstOrchPlanValue * element)
{
  const gchar *other = get_other_output (node->element);

  if (!other)
    return value_new (plan, gst_caps_new_empty_simple (caps), element);
  if (g_str_equal (other, "stack"))
    return value_new (plan, gst_caps_new_empty_simple ("other/tensors"), NULL);
  return NULL;
}

GstOrchPlanValue *
gst_orch_plan_output_get_value (GstOrchPlan * plan, GstOrchPlanOutput * output)
{
  GstOrchPlanNode *node = output->node;
  GstOrchPlanInput *input = find_input_of (output);

  switch (node->kind) {
    case GST_ORCH_PLAN_SOURCE:
      return value_new (plan, gst_pad_query_caps (output->pad, NULL), NULL);
    case GST_ORCH_PLAN_CALL:
      return get_call_value (plan, output);
    case GST_ORCH_PLAN_EXPAND:
      return input ? get_expand_value (input) : NULL;
    case GST_ORCH_PLAN_REDUCE:
      return input ? get_made_value (plan, node, GST_ORCH_LIST_CAPS,
          input->value) : NULL;
    case GST_ORCH_PLAN_JOIN:
      return get_made_value (plan, node, GST_ORCH_ITEMS_CAPS, NULL);
    case GST_ORCH_PLAN_FILTER:
      return input ? input->value : NULL;
    default:
      return NULL;
  }
}

/* ---- what comes in ---- */

static gboolean
is_transparent (GstElement * element)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  return factory && g_strv_contains (transparent, GST_OBJECT_NAME (factory));
}

/* Nothing in between changes what the Ports say. */
static gboolean
is_direct (GstOrchPlanInput * input)
{
  guint i;

  for (i = 0; i < input->elements->len; i++)
    if (!is_transparent (g_ptr_array_index (input->elements, i)))
      return FALSE;
  return input->from->len > 0 && !input->has_plain;
}

static GstOrchPlanValue *
get_common_value (GstOrchPlanInput * input)
{
  GstOrchPlanOutput *first = g_ptr_array_index (input->from, 0);
  guint i;

  for (i = 1; i < input->from->len; i++) {
    GstOrchPlanOutput *output = g_ptr_array_index (input->from, i);

    if (!first->value || !output->value
        || !gst_caps_is_equal (first->value->caps, output->value->caps)
        || first->value->element != output->value->element)
      return NULL;
  }
  return first->value;
}

/* One stream of many, of which each may be of another kind: there is no need to
 * ask hundreds. */
static gboolean
is_one_of_streams (GstOrchPlanInput * input)
{
  return input->node->kind == GST_ORCH_PLAN_EXPAND && input->from->len == 0
      && g_str_has_prefix (input->name, "sink_");
}

GstOrchPlanValue *
gst_orch_plan_input_get_value (GstOrchPlan * plan, GstOrchPlanInput * input)
{
  if (is_direct (input))
    return get_common_value (input);
  if (!input->is_complete || is_one_of_streams (input))
    return NULL;
  return value_new (plan, gst_pad_peer_query_caps (input->pad, NULL), NULL);
}
