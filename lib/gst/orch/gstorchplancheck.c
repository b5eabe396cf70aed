/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchplan-private.h"

#include "gstorchcall-private.h"

/* What is wrong with a plan (semantics S8).  An error is only what certainly
 * cannot work: nothing is said of what is not known yet. */

void
gst_orch_plan_finding_free (gpointer data)
{
  GstOrchPlanFinding *finding = data;

  g_clear_pointer (&finding->element, gst_object_unref);
  g_free (finding->name);
  g_free (finding->message);
  g_free (finding->advice);
  g_free (finding);
}

/* `message` (transfer full), once; `advice` (nullable) */
void
gst_orch_plan_add_finding (GstOrchPlan * plan, gboolean is_error, GstElement * element,
    gchar * message, const gchar * advice)
{
  GstOrchPlanFinding *finding;
  guint i;

  for (i = 0; i < plan->findings->len; i++) {
    finding = g_ptr_array_index (plan->findings, i);
    if (g_str_equal (finding->message, message)) {
      g_free (message);
      return;
    }
  }
  finding = g_new0 (GstOrchPlanFinding, 1);
  finding->is_error = is_error;
  finding->element = gst_object_ref (element);
  finding->name = gst_element_get_name (element);
  finding->message = message;
  finding->advice = g_strdup (advice);
  g_ptr_array_add (plan->findings, finding);
}

static void
add_error (GstOrchPlan * plan, GstOrchPlanNode * node, gchar * message,
    const gchar * advice)
{
  gst_orch_plan_add_finding (plan, TRUE, node->element, message, advice);
}

static GstOrchPlanInput *
get_input (GstOrchPlanNode * node, guint i)
{
  return g_ptr_array_index (node->inputs, i);
}

static GstOrchPlanOutput *
get_from (GstOrchPlanInput * input, guint i)
{
  return g_ptr_array_index (input->from, i);
}

/* ---- Domains ---- */

static void
check_reduce_at_root (GstOrchPlan * plan, GstOrchPlanNode * node)
{
  if (node->kind == GST_ORCH_PLAN_REDUCE && node->domain
      && node->domain->is_root)
    add_error (plan, node, g_strdup_printf ("%s has nothing to gather into.",
            node->name), "What it gets are root units, which have no parent: "
        "put an orchexpand before it.");
}

/* Several ways lead to one pad. */
static void
check_one_domain (GstOrchPlan * plan, GstOrchPlanNode * node)
{
  guint i;

  if (node->kind != GST_ORCH_PLAN_REDUCE && node->kind != GST_ORCH_PLAN_JOIN
      && node->kind != GST_ORCH_PLAN_FILTER)
    return;
  for (i = 0; i < node->inputs->len; i++)
    if (get_input (node, i)->domains_differ)
      add_error (plan, node, g_strdup_printf ("What comes to the pad %s of %s "
              "is of different Domains.", get_input (node, i)->name,
              node->name), "Units of different levels, or of two expansions, "
          "never belong together: give each an element of its own.");
}

/* A source of another kind ahead of a tee: each branch begins to count for
 * itself. */
static gboolean
is_plain (GstOrchPlanDomain * domain)
{
  return domain->is_root && !domain->opener;
}

static void
add_domains_differ (GstOrchPlan * plan, GstOrchPlanInput * deep,
    GstOrchPlanInput * other, const gchar * advice)
{
  add_error (plan, deep->node, g_strdup_printf ("The pads %s and %s of %s get "
          "units of different Domains: those of %s and those of %s.",
          deep->name, other->name, deep->node->name, deep->domain->name,
          other->domain->name), is_plain (deep->domain)
      && is_plain (other->domain) ? "Units are told apart from the first orch "
      "element on: put one that they have in common before the tee, "
      "orchidentity if there is no other." : advice);
}

static gboolean
differ (GstOrchPlanDomain * a, GstOrchPlanDomain * b)
{
  return a && b && a != b && !a->is_merged && !b->is_merged;
}

/* The pads of one element are all of one Domain. */
static void
check_aligned (GstOrchPlan * plan, GstOrchPlanNode * node,
    const gchar * advice)
{
  guint i;

  for (i = 1; i < node->inputs->len; i++)
    if (differ (get_input (node, 0)->domain, get_input (node, i)->domain))
      add_domains_differ (plan, get_input (node, 0), get_input (node, i),
          advice);
}

/* Those of a join are of one Domain and of those above it. */
static void
check_joined (GstOrchPlan * plan, GstOrchPlanNode * node)
{
  GstOrchPlanInput *deepest = NULL;
  guint i;

  for (i = 0; i < node->inputs->len && node->domain && !deepest; i++)
    if (get_input (node, i)->domain == node->domain)
      deepest = get_input (node, i);
  for (i = 0; i < node->inputs->len && deepest; i++)
    if (gst_orch_plan_domain_misses (node->domain, get_input (node,
                i)->domain))
      add_domains_differ (plan, deepest, get_input (node, i), "A join puts "
          "together what is of one unit and of its parents: gather the others "
          "with orchreduce, up to a parent they have in common.");
}

static void
check_domains (GstOrchPlan * plan, GstOrchPlanNode * node)
{
  check_reduce_at_root (plan, node);
  check_one_domain (plan, node);
  if (node->kind == GST_ORCH_PLAN_REDUCE)
    check_aligned (plan, node, "Values that are gathered together are "
        "of the same children: take them from below one orchexpand.");
  else if (node->kind == GST_ORCH_PLAN_FILTER)
    check_aligned (plan, node, "A mask says of each unit whether it "
        "stays: make it of the same units, behind the same orchexpand.");
  else if (node->kind == GST_ORCH_PLAN_JOIN)
    check_joined (plan, node);
}

/* Streams and lists that come to `sink_%u` are parents of their own. */
static gboolean
is_aligned (GstOrchPlanInput * input)
{
  return g_str_equal (input->name, "sink")
      || g_str_has_prefix (input->name, "aligned_");
}

/* Lists that are opened side by side are outputs of one Call. */
static void
check_aligned_expand (GstOrchPlan * plan, GstOrchPlanNode * node)
{
  GstOrchPlanNode *source = NULL;
  guint i, f;

  for (i = 0; node->kind == GST_ORCH_PLAN_EXPAND && i < node->inputs->len; i++)
    for (f = 0; f < get_input (node, i)->from->len; f++) {
      GstOrchPlanNode *from = get_from (get_input (node, i), f)->node;

      if (node->inputs->len < 2 || !is_aligned (get_input (node, i)))
        continue;
      if (source && from != source) {
        add_error (plan, node, g_strdup_printf ("%s opens lists of %s and of "
                "%s together.", node->name, source->name, from->name),
            "Lists that share their children are outputs of one Call: use an "
            "orchexpand for each, or have one Call make both.");
        return;
      }
      source = from;
    }
}

/* ---- values ---- */

static void
check_mask (GstOrchPlan * plan, GstOrchPlanNode * node)
{
  guint i;

  for (i = 0; node->kind == GST_ORCH_PLAN_FILTER && i < node->inputs->len; i++)
    if (g_str_equal (get_input (node, i)->name, "mask")
        && gst_orch_plan_value_is_list (get_input (node, i)->value))
      add_error (plan, node, g_strdup_printf ("The mask of %s is a list.",
              node->name), "A mask is one boolean for each unit: put an "
          "orchexpand before it.");
}

static gchar *
refuse (GstOrchPlanInput * input)
{
  GstOrchSubscriber *subscriber = gst_orch_subscriber_of_pad (input->pad);
  GstOrchPlanValue *value = input->value;
  gchar *reason = NULL;

  /* A stream is a parent itself, whatever it is of. */
  if (input->node->kind == GST_ORCH_PLAN_EXPAND && input->from->len == 0)
    value = NULL;
  while (value && !reason) {
    reason = gst_orch_subscriber_refuse (subscriber, value->caps);
    /* Only a sink looks into lists. */
    value = input->node->kind == GST_ORCH_PLAN_SINK ? value->element : NULL;
  }
  gst_orch_subscriber_unref (subscriber);
  return reason;
}

static void
check_values (GstOrchPlan * plan, GstOrchPlanNode * node)
{
  guint i;

  for (i = 0; i < node->inputs->len; i++) {
    g_autofree gchar *reason = refuse (get_input (node, i));

    if (reason)
      add_error (plan, node, g_strdup_printf
          ("%s cannot work on what it is given. %s", node->name, reason),
          node->kind == GST_ORCH_PLAN_CALL
          ? "Put a Call in between that makes of it what is wanted." : NULL);
  }
}

/* ---- settings ---- */

static GQuark
settings_quark (void)
{
  return g_quark_from_static_string ("gst-orch-plan-settings");
}

void
gst_orch_plan_set_settings_func (GType type, GstOrchPlanSettingsFunc func)
{
  g_type_set_qdata (type, settings_quark (), func);
}

static void
check_settings (GstOrchPlan * plan, GstOrchPlanNode * node)
{
  GstOrchPlanSettingsFunc explain =
      g_type_get_qdata (G_OBJECT_TYPE (node->element), settings_quark ());
  const gchar *advice = NULL;
  gchar *message = explain ? explain (node->element, &advice) : NULL;

  if (message)
    add_error (plan, node, message, advice);
}

/* Whose pads are of use only beside that one. */
static const gchar *
why_sink_is_needed (GstOrchPlanNode * node)
{
  switch (node->kind) {
    case GST_ORCH_PLAN_FILTER:
      return "Its mask says which units pass: link to sink what they come from.";
    case GST_ORCH_PLAN_EXPAND:
      return "Lists that are opened together are outputs of one Call: link its pad "
          "src to sink.";
    case GST_ORCH_PLAN_REDUCE:
      return "Its other pads are for further values of the same children, or say "
          "who they are: link to sink what is to be gathered.";
    default:
      return NULL;
  }
}

static gboolean
is_main_or_stream (GstOrchPlanNode * node, GstOrchPlanInput * input)
{
  return g_str_equal (input->name, "sink")
      || (node->kind == GST_ORCH_PLAN_EXPAND && !is_aligned (input));
}

/* A filter with nothing but its mask, and the like. */
static void
check_main_pad (GstOrchPlan * plan, GstOrchPlanNode * node)
{
  const gchar *why = why_sink_is_needed (node);
  guint i;

  if (!why || node->inputs->len == 0 || plan->makes_links)
    return;
  for (i = 0; i < node->inputs->len; i++)
    if (is_main_or_stream (node, get_input (node, i)))
      return;
  add_error (plan, node, g_strdup_printf ("Nothing comes to the pad sink of "
          "%s.", node->name), why);
}

/* ---- Calls ---- */

static void
check_properties (GstOrchPlan * plan, GstOrchPlanNode * node,
    GstOrchFunction * function)
{
  GstOrchFunctionClass *klass = GST_ORCH_FUNCTION_GET_CLASS (function);
  g_autoptr (GError) error = NULL;

  if (klass->check && !klass->check (function, &error))
    add_error (plan, node, g_strdup_printf ("%s is not set up right: %s",
            node->name, error ? error->message : "its Function refuses its "
            "properties."), "gst-inspect-1.0 says what its properties may be.");
}

static void
check_function (GstOrchPlan * plan, GstOrchPlanNode * node)
{
  GstOrchFunction *function =
      gst_orch_call_get_function (GST_ORCH_CALL (node->element));

  if (function) {
    check_properties (plan, node, function);
    gst_object_unref (function);
  } else {
    add_error (plan, node,
        gst_orch_call_explain_missing (GST_ORCH_CALL (node->element),
            node->function), "A plugin that brings it has to be on "
        "GST_PLUGIN_PATH.");
  }
}

static void
check_budget (GstOrchPlan * plan, GstOrchPlanNode * node)
{
  GstOrchCall *call = GST_ORCH_CALL (node->element);
  guint batch_size, max_buffers;

  gst_orch_lock (&call->lock);
  batch_size = call->batch_size;
  max_buffers = call->max_buffers;
  g_mutex_unlock (&call->lock);
  if (max_buffers > 0 && batch_size > max_buffers)
    add_error (plan, node, g_strdup_printf ("A batch of %s can never be full: "
            "batch-size is %u, max-buffers %u.", node->name, batch_size,
            max_buffers), "Make max-buffers at least as large, or leave it "
        "at 0.");
}

/* ---- warnings ---- */

static void
check_consumers (GstOrchPlan * plan, GstOrchPlanNode * node)
{
  guint i;

  for (i = 0; i < node->outputs->len; i++) {
    GstOrchPlanOutput *output = g_ptr_array_index (node->outputs, i);

    if (!output->is_consumed)
      gst_orch_plan_add_finding (plan, FALSE, node->element,
          g_strdup_printf ("Nobody consumes the pad %s of %s.", output->name,
              node->name), "It is not linked: link it, or to fakesink.");
  }
}

/* ---- all ---- */

static void
check_node (GstOrchPlan * plan, GstOrchPlanNode * node)
{
  if (node->kind == GST_ORCH_PLAN_CALL) {
    check_function (plan, node);
    check_budget (plan, node);
  }
  check_settings (plan, node);
  check_main_pad (plan, node);
  check_domains (plan, node);
  check_aligned_expand (plan, node);
  check_mask (plan, node);
  check_values (plan, node);
}

void
gst_orch_plan_check_nodes (GstOrchPlan * plan)
{
  guint n, i;

  for (n = 0; n < plan->nodes->len; n++)
    check_node (plan, g_ptr_array_index (plan->nodes, n));
  for (n = 0; n < plan->nodes->len; n++) {
    GstOrchPlanNode *node = g_ptr_array_index (plan->nodes, n);

    check_consumers (plan, node);
    for (i = 0; i < node->inputs->len; i++)
      gst_orch_plan_check_between (plan, get_input (node, i));
  }
  for (i = 0; i < plan->ends->len; i++)
    gst_orch_plan_check_between (plan, g_ptr_array_index (plan->ends, i));
}
