/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:gstorchplan
 * @title: GstOrchPlan
 * @short_description: what a pipeline is going to do
 *
 * A plan is read from the elements of a pipeline and their links, in any state.
 * Nothing is started, and no data need flow.
 */

#include "gstorchplan-private.h"

G_DEFINE_BOXED_TYPE (GstOrchPlan, gst_orch_plan, gst_orch_plan_ref,
    gst_orch_plan_unref);

static gint
compare_findings (gconstpointer a, gconstpointer b)
{
  const GstOrchPlanFinding *const *x = a, *const *y = b;

  return (*y)->is_error - (*x)->is_error;
}

GstOrchPlan *
gst_orch_plan_make (GstElement * pipeline)
{
  GstOrchPlan *plan = g_new0 (GstOrchPlan, 1);

  plan->refs = 1;
  plan->name = gst_element_get_name (pipeline);
  plan->is_complete = TRUE;
  plan->nodes = g_ptr_array_new_with_free_func (gst_orch_plan_node_free);
  plan->ends = g_ptr_array_new_with_free_func (gst_orch_plan_input_free);
  plan->domains = g_ptr_array_new_with_free_func (gst_orch_plan_domain_free);
  plan->values = g_ptr_array_new_with_free_func (gst_orch_plan_value_free);
  plan->findings = g_ptr_array_new_with_free_func (gst_orch_plan_finding_free);
  if (GST_IS_BIN (pipeline)) {
    gst_orch_plan_walk (plan, GST_BIN (pipeline));
    gst_orch_plan_resolve (plan);
    gst_orch_plan_check_nodes (plan);
    /* Stable for so few. */
    g_ptr_array_sort (plan->findings, compare_findings);
  }
  return plan;
}

static void
settle_node (GstOrchPlanNode * node)
{
  guint i;

  gst_clear_object (&node->element);
  for (i = 0; i < node->inputs->len; i++) {
    GstOrchPlanInput *input = g_ptr_array_index (node->inputs, i);

    gst_clear_object (&input->pad);
    g_clear_pointer (&input->elements, g_ptr_array_unref);
  }
  for (i = 0; i < node->outputs->len; i++)
    gst_clear_object (&((GstOrchPlanOutput *) g_ptr_array_index
            (node->outputs, i))->pad);
}

void
gst_orch_plan_settle (GstOrchPlan * plan)
{
  guint i;

  for (i = 0; i < plan->nodes->len; i++)
    settle_node (g_ptr_array_index (plan->nodes, i));
  g_ptr_array_set_size (plan->ends, 0);
  for (i = 0; i < plan->findings->len; i++)
    gst_clear_object (&((GstOrchPlanFinding *)
            g_ptr_array_index (plan->findings, i))->element);
}

/**
 * gst_orch_plan_new:
 * @pipeline: (transfer none): a pipeline, in any state
 *
 * Reads the links that there are now.  The plan keeps no element.
 *
 * Returns: (transfer full): the plan of @pipeline
 *
 * Since: 0.1
 */
GstOrchPlan *
gst_orch_plan_new (GstElement * pipeline)
{
  GstOrchPlan *plan = gst_orch_plan_make (pipeline);

  gst_orch_plan_settle (plan);
  return plan;
}

/**
 * gst_orch_plan_ref:
 * @plan: a plan
 *
 * Returns: (transfer full): @plan
 *
 * Since: 0.1
 */
GstOrchPlan *
gst_orch_plan_ref (GstOrchPlan * plan)
{
  g_atomic_int_inc (&plan->refs);
  return plan;
}

/**
 * gst_orch_plan_unref:
 * @plan: (transfer full): a plan
 *
 * Since: 0.1
 */
void
gst_orch_plan_unref (GstOrchPlan * plan)
{
  if (!g_atomic_int_dec_and_test (&plan->refs))
    return;
  g_free (plan->name);
  g_ptr_array_unref (plan->nodes);
  g_ptr_array_unref (plan->ends);
  g_ptr_array_unref (plan->domains);
  g_ptr_array_unref (plan->values);
  g_ptr_array_unref (plan->findings);
  g_free (plan);
}

/**
 * gst_orch_plan_is_complete:
 * @plan: a plan
 *
 * Returns: whether everything above the orch elements was linked.  What pads
 *   that come later will bring is not in @plan, and not judged.
 *
 * Since: 0.1
 */
gboolean
gst_orch_plan_is_complete (GstOrchPlan * plan)
{
  return plan->is_complete;
}

static guint
count (GstOrchPlan * plan, gboolean errors)
{
  guint i, n = 0;

  for (i = 0; i < plan->findings->len; i++)
    n += ((GstOrchPlanFinding *) g_ptr_array_index (plan->findings,
            i))->is_error == errors;
  return n;
}

/**
 * gst_orch_plan_get_n_errors:
 * @plan: a plan
 *
 * Returns: how many reasons there are why the pipeline cannot work
 *
 * Since: 0.1
 */
guint
gst_orch_plan_get_n_errors (GstOrchPlan * plan)
{
  return count (plan, TRUE);
}

/**
 * gst_orch_plan_get_n_warnings:
 * @plan: a plan
 *
 * Returns: how many things may not do what was meant
 *
 * Since: 0.1
 */
guint
gst_orch_plan_get_n_warnings (GstOrchPlan * plan)
{
  return count (plan, FALSE);
}
