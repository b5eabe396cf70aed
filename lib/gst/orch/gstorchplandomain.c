/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchplan-private.h"

/* Which Domain each Port is of.  NULL stands for one that is not known yet:
 * nothing is concluded from it. */

enum
{
  NOT_BEGUN,
  BEGUN,
  DONE,
};

static void resolve_node (GstOrchPlan * plan, GstOrchPlanNode * node,
    GPtrArray * order);

void
gst_orch_plan_domain_free (gpointer data)
{
  GstOrchPlanDomain *domain = data;

  g_free (domain->name);
  g_free (domain);
}

static GstOrchPlanDomain *
domain_new (GstOrchPlan * plan, const gchar * name, GstOrchPlanNode * opener,
    GstOrchPlanDomain * parent)
{
  GstOrchPlanDomain *domain = g_new0 (GstOrchPlanDomain, 1);

  domain->name = g_strdup (name);
  domain->opener = opener;
  domain->parent = parent;
  g_ptr_array_add (plan->domains, domain);
  return domain;
}

static GstOrchPlanDomain *
root_new (GstOrchPlan * plan, const gchar * name, GstOrchPlanNode * opener)
{
  GstOrchPlanDomain *domain = domain_new (plan, name, opener, NULL);

  domain->is_root = TRUE;
  return domain;
}

gboolean
gst_orch_plan_domain_reaches (GstOrchPlanDomain * domain,
    GstOrchPlanDomain * above)
{
  while (domain && domain != above)
    domain = domain->parent;
  return domain != NULL;
}

gboolean
gst_orch_plan_domain_misses (GstOrchPlanDomain * domain,
    GstOrchPlanDomain * above)
{
  GstOrchPlanDomain *top;

  if (!domain || !above || gst_orch_plan_domain_reaches (domain, above))
    return FALSE;
  for (top = domain; top->parent; top = top->parent);
  /* `above` may be one of what stands above `domain`, or have a part in it. */
  return top->is_root && !top->is_merged && !above->is_merged;
}

/* ---- what comes in ---- */

/* Root units of several sources may go the same way. */
static GstOrchPlanDomain *
merge (GstOrchPlan * plan, GstOrchPlanInput * input, GstOrchPlanDomain * one,
    GstOrchPlanDomain * other)
{
  GstOrchPlanDomain *merged = one;

  if (one != other && !one->is_merged) {
    merged = root_new (plan, input->node->name, NULL);
    merged->is_merged = TRUE;
  }
  return merged;
}

/* Units that a source of another kind makes.  The streams of an expansion are
 * of one Domain. */
static GstOrchPlanDomain *
get_plain_root (GstOrchPlan * plan, GstOrchPlanInput * input)
{
  GstOrchPlanInput *first = g_ptr_array_index (input->node->inputs, 0);

  if (input->node->kind == GST_ORCH_PLAN_EXPAND && first->domain)
    return first->domain;
  return root_new (plan, g_ptr_array_index (input->between, 0), NULL);
}

static void
resolve_input (GstOrchPlan * plan, GstOrchPlanInput * input, GPtrArray * order)
{
  GstOrchPlanDomain *domain = NULL;
  gboolean is_unknown = FALSE;
  guint i;

  for (i = 0; i < input->from->len; i++) {
    GstOrchPlanOutput *output = g_ptr_array_index (input->from, i);

    resolve_node (plan, output->node, order);
    if (!output->domain || input->domains_differ)
      is_unknown = TRUE;
    else if (!domain)
      domain = output->domain;
    else if (domain->is_root && output->domain->is_root)
      domain = merge (plan, input, domain, output->domain);
    else if (domain != output->domain)
      is_unknown = input->domains_differ = TRUE;
  }
  if (input->from->len == 0 && input->has_plain && input->is_complete)
    domain = get_plain_root (plan, input);
  input->domain = is_unknown ? NULL : domain;
  input->value = gst_orch_plan_input_get_value (plan, input);
}

/* Of several inputs, that of the deepest: the others are at hand for each of
 * its Entities. */
static GstOrchPlanDomain *
get_deepest (GstOrchPlanNode * node)
{
  GstOrchPlanDomain *deepest = NULL;
  guint i;

  for (i = 0; i < node->inputs->len; i++) {
    GstOrchPlanInput *input = g_ptr_array_index (node->inputs, i);

    if (!input->domain)
      return NULL;
    if (!deepest || gst_orch_plan_domain_reaches (input->domain, deepest))
      deepest = input->domain;
  }
  return deepest;
}

/* ---- what goes out ---- */

/* Several lists, or streams, of which each has children of its own. */
static gboolean
has_many_parents (GstOrchPlanNode * node)
{
  guint i, n_ports = 0;

  for (i = 0; i < node->inputs->len; i++)
    n_ports +=
        ((GstOrchPlanInput *) g_ptr_array_index (node->inputs, i))->from->len;
  return n_ports > 0 || node->inputs->len > 1;
}

static gboolean
gets_streams (GstOrchPlanNode * node)
{
  guint i;

  for (i = 0; i < node->inputs->len; i++)
    if (((GstOrchPlanInput *) g_ptr_array_index (node->inputs, i))->from->len)
      return FALSE;
  return TRUE;
}

/* The groups of streams stand between them and their buffers. */
static GstOrchPlanDomain *
open_groups (GstOrchPlan * plan, GstOrchPlanNode * node)
{
  g_autofree gchar *name = g_strconcat (node->name, "-group", NULL);

  return domain_new (plan, name, node, node->domain);
}

static GstOrchPlanDomain *
open_child (GstOrchPlan * plan, GstOrchPlanNode * node, gboolean in_groups)
{
  GstOrchPlanDomain *above = in_groups && gets_streams (node)
      ? open_groups (plan, node) : node->domain;
  GstOrchPlanDomain *child = domain_new (plan, node->name, node, above);

  child->mixes = has_many_parents (node)
      || (node->domain && node->domain->mixes);
  return child;
}

static void
resolve_outputs (GstOrchPlan * plan, GstOrchPlanNode * node)
{
  GstOrchPlanDomain *opened = NULL;
  guint i;

  for (i = 0; i < node->outputs->len; i++) {
    GstOrchPlanOutput *output = g_ptr_array_index (node->outputs, i);

    if (!opened && node->kind == GST_ORCH_PLAN_SOURCE)
      opened = node->domain = root_new (plan, node->name, node);
    if (!opened && (output->relation == GST_ORCH_DOMAIN_CHILD
            || output->relation == GST_ORCH_DOMAIN_GRANDCHILD))
      opened = open_child (plan, node,
          output->relation == GST_ORCH_DOMAIN_GRANDCHILD);
    if (opened)
      output->domain = opened;
    else if (output->relation == GST_ORCH_DOMAIN_PARENT)
      output->domain = node->domain ? node->domain->parent : NULL;
    else
      output->domain = node->domain;
    output->value = gst_orch_plan_output_get_value (plan, output);
  }
}

static void
resolve_node (GstOrchPlan * plan, GstOrchPlanNode * node, GPtrArray * order)
{
  guint i;

  /* In a circle of elements nothing is known. */
  if (node->progress != NOT_BEGUN)
    return;
  node->progress = BEGUN;
  for (i = 0; i < node->inputs->len; i++)
    resolve_input (plan, g_ptr_array_index (node->inputs, i), order);
  node->domain = get_deepest (node);
  resolve_outputs (plan, node);
  node->progress = DONE;
  g_ptr_array_add (order, node);
}

void
gst_orch_plan_resolve (GstOrchPlan * plan)
{
  GPtrArray *order =
      g_ptr_array_new_with_free_func (gst_orch_plan_node_free);
  guint i;

  for (i = 0; i < plan->nodes->len; i++)
    resolve_node (plan, g_ptr_array_index (plan->nodes, i), order);
  g_ptr_array_set_free_func (plan->nodes, NULL);
  g_ptr_array_unref (plan->nodes);
  plan->nodes = order;
}
