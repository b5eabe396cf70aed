/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchplan-private.h"

/* A plan for people. */

/* ---- Domains ---- */

static guint
get_depth (GstOrchPlanDomain * domain)
{
  guint depth = 0;

  while ((domain = domain->parent))
    depth++;
  return depth;
}

static void
print_gathers (GString * text, GstOrchPlan * plan, GstOrchPlanDomain * domain)
{
  const gchar *separator = ", gathered by ";
  guint i;

  for (i = 0; i < plan->nodes->len; i++) {
    GstOrchPlanNode *node = g_ptr_array_index (plan->nodes, i);

    if (node->kind == GST_ORCH_PLAN_REDUCE && node->domain == domain) {
      g_string_append_printf (text, "%s%s", separator, node->name);
      separator = " and ";
    }
  }
}

static void
print_domain (GString * text, GstOrchPlan * plan, GstOrchPlanDomain * domain)
{
  guint i;

  g_string_append_printf (text, "  %*s%s", 2 * get_depth (domain), "",
      domain->name);
  if (domain->is_root) {
    g_string_append (text, ": root units");
  } else {
    g_string_append_printf (text, ": children that %s opens",
        domain->opener->name);
    print_gathers (text, plan, domain);
  }
  g_string_append_c (text, '\n');
  for (i = 0; i < plan->domains->len; i++) {
    GstOrchPlanDomain *child = g_ptr_array_index (plan->domains, i);

    if (child->parent == domain)
      print_domain (text, plan, child);
  }
}

static void
print_domains (GString * text, GstOrchPlan * plan)
{
  guint i;

  g_string_append (text, "Domains\n");
  for (i = 0; i < plan->domains->len; i++) {
    GstOrchPlanDomain *domain = g_ptr_array_index (plan->domains, i);

    if (!domain->parent)
      print_domain (text, plan, domain);
  }
}

/* ---- elements ---- */

static void
print_names (GString * text, GPtrArray * names)
{
  guint i;

  for (i = 0; i < names->len; i++)
    g_string_append_printf (text, "%s%s", i ? ", " : "",
        (const gchar *) g_ptr_array_index (names, i));
}

static void
print_input (GString * text, GstOrchPlanNode * node, GstOrchPlanInput * input)
{
  guint i;

  g_string_append (text, "      ");
  if (node->inputs->len > 1)
    g_string_append_printf (text, "%s ", input->name);
  g_string_append (text, "from ");
  for (i = 0; i < input->from->len; i++) {
    GstOrchPlanOutput *output = g_ptr_array_index (input->from, i);

    g_string_append_printf (text, "%s%s:%s", i ? ", " : "",
        output->node->name, output->name);
  }
  if (input->from->len > 0 && input->between->len > 0)
    g_string_append (text, " through ");
  print_names (text, input->between);
  if (!input->is_complete)
    g_string_append (text, input->from->len + input->between->len > 0
        ? ", and what is not linked yet" : "what is not linked yet");
  g_string_append_c (text, '\n');
}

static const gchar *
get_domain_name (GstOrchPlanDomain * domain)
{
  return domain ? domain->name : "?";
}

static void
print_node (GString * text, GstOrchPlanNode * node)
{
  GstOrchPlanOutput *output = node->outputs->len
      ? g_ptr_array_index (node->outputs, 0) : NULL;
  guint i;

  g_string_append_printf (text, "  %s: %s", node->name,
      gst_orch_plan_kind_get_nick (node->kind));
  if (node->function)
    g_string_append_printf (text, " of %s", node->function);
  g_string_append_printf (text, ", in %s", get_domain_name (node->domain));
  if (output && output->domain != node->domain)
    g_string_append_printf (text, ", out in %s",
        get_domain_name (output->domain));
  g_string_append_c (text, '\n');
  for (i = 0; i < node->inputs->len; i++)
    print_input (text, node, g_ptr_array_index (node->inputs, i));
}

/* ---- findings ---- */

static void
print_findings (GString * text, GstOrchPlan * plan)
{
  guint i;

  for (i = 0; i < plan->findings->len; i++) {
    GstOrchPlanFinding *finding = g_ptr_array_index (plan->findings, i);

    g_string_append_printf (text, "%s: %s\n",
        finding->is_error ? "error" : "warning", finding->message);
    if (finding->advice)
      g_string_append_printf (text, "  %s\n", finding->advice);
  }
}

/**
 * gst_orch_plan_to_text:
 * @plan: a plan
 *
 * Returns: (transfer full): the plan for people: Domains, elements in the order
 *   of the data, errors and warnings
 *
 * Since: 0.1
 */
gchar *
gst_orch_plan_to_text (GstOrchPlan * plan)
{
  GString *text = g_string_new (NULL);
  guint i;

  print_domains (text, plan);
  g_string_append (text, "Elements\n");
  for (i = 0; i < plan->nodes->len; i++)
    print_node (text, g_ptr_array_index (plan->nodes, i));
  print_findings (text, plan);
  return g_string_free (text, FALSE);
}
