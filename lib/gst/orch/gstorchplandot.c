/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchplan-private.h"

/* A plan for Graphviz: a box for each Domain, in that of its parents. */

static gchar *
escape (const gchar * name)
{
  return g_strescape (name, NULL);
}

static gboolean
has_finding (GstOrchPlan * plan, GstOrchPlanNode * node, gboolean is_error)
{
  guint i;

  for (i = 0; i < plan->findings->len; i++) {
    GstOrchPlanFinding *finding = g_ptr_array_index (plan->findings, i);

    if (finding->is_error == is_error
        && g_str_equal (finding->name, node->name))
      return TRUE;
  }
  return FALSE;
}

static void
print_node (GString * text, GstOrchPlan * plan, GstOrchPlanNode * node)
{
  g_autofree gchar *name = escape (node->name);
  g_autofree gchar *function = escape (node->function ? node->function : "");
  const gchar *color = has_finding (plan, node, TRUE) ? ", color=red"
      : has_finding (plan, node, FALSE) ? ", color=orange" : "";

  g_string_append_printf (text, "\"%s\" [label=\"%s%s%s\"%s%s];\n", name, name,
      *function ? "\\n" : "", function,
      node->kind == GST_ORCH_PLAN_CALL ? ", style=filled" : "", color);
}

/* A gather closes its Domain from outside, as an expansion opens it. */
static gboolean
stands_in (GstOrchPlanNode * node, GstOrchPlanDomain * domain)
{
  if (node->kind == GST_ORCH_PLAN_REDUCE && node->domain)
    return node->domain->parent == domain;
  return node->domain == domain;
}

static void
print_nodes (GString * text, GstOrchPlan * plan, GstOrchPlanDomain * domain)
{
  guint i;

  for (i = 0; i < plan->nodes->len; i++)
    if (stands_in (g_ptr_array_index (plan->nodes, i), domain))
      print_node (text, plan, g_ptr_array_index (plan->nodes, i));
}

static void
print_domain (GString * text, GstOrchPlan * plan, GstOrchPlanDomain * domain)
{
  g_autofree gchar *name = escape (domain->name);
  guint i;

  g_string_append_printf (text, "subgraph \"cluster_%s\" {\nlabel=\"%s of %s\";"
      "\n", name, domain->is_root ? "units" : "children", name);
  print_nodes (text, plan, domain);
  for (i = 0; i < plan->domains->len; i++) {
    GstOrchPlanDomain *child = g_ptr_array_index (plan->domains, i);

    if (child->parent == domain)
      print_domain (text, plan, child);
  }
  g_string_append (text, "}\n");
}

static void
print_links (GString * text, GstOrchPlanNode * node, GstOrchPlanInput * input)
{
  g_autofree gchar *to = escape (node->name);
  GString *label = g_string_new (NULL);
  guint i;

  for (i = 0; i < input->between->len; i++)
    g_string_append_printf (label, "%s%s", i ? "\\n" : "",
        (const gchar *) g_ptr_array_index (input->between, i));
  for (i = 0; i < input->from->len; i++) {
    g_autofree gchar *from = escape (((GstOrchPlanOutput *)
            g_ptr_array_index (input->from, i))->node->name);

    g_string_append_printf (text, "\"%s\" -> \"%s\" [label=\"%s\"];\n", from,
        to, label->str);
  }
  g_string_free (label, TRUE);
}

/**
 * gst_orch_plan_to_dot:
 * @plan: a plan
 *
 * Returns: (transfer full): the plan as a graph for `dot` of Graphviz
 *
 * Since: 0.1
 */
gchar *
gst_orch_plan_to_dot (GstOrchPlan * plan)
{
  GString *text = g_string_new ("digraph plan {\nrankdir=LR;\n"
      "node [shape=box, fontname=\"sans-serif\", fillcolor=\"#e8f0fe\"];\n"
      "edge [fontname=\"sans-serif\", fontsize=10];\n"
      "graph [fontname=\"sans-serif\", color=gray];\n");
  guint n, i;

  print_nodes (text, plan, NULL);
  for (i = 0; i < plan->domains->len; i++) {
    GstOrchPlanDomain *domain = g_ptr_array_index (plan->domains, i);

    if (!domain->parent)
      print_domain (text, plan, domain);
  }
  for (n = 0; n < plan->nodes->len; n++) {
    GstOrchPlanNode *node = g_ptr_array_index (plan->nodes, n);

    for (i = 0; i < node->inputs->len; i++)
      print_links (text, node, g_ptr_array_index (node->inputs, i));
  }
  g_string_append (text, "}\n");
  return g_string_free (text, FALSE);
}
