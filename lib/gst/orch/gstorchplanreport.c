/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchplan-private.h"

/* Before data flows, and again when there is more to know.  The first element
 * of a pipeline to leave READY reads the plan, and notes on every sink pad that
 * it is known; the pads forget it on the way down. */

/* The last plan of a pipeline hangs on it, so that nothing is said twice. */
G_LOCK_DEFINE_STATIC (last_plan);

static GQuark
plan_quark (void)
{
  return g_quark_from_static_string ("gst-orch-plan");
}

static GstElement *
get_topmost (GstElement * element)
{
  GstObject *object = gst_object_ref (GST_OBJECT (element)), *parent;

  while ((parent = gst_object_get_parent (object))) {
    gst_object_unref (object);
    object = parent;
  }
  return GST_ELEMENT (object);
}

/* ---- what is known ---- */

typedef struct
{
  gint n_ports;
  gboolean any_known;
  gboolean any_unknown;
} Notes;

static gboolean
note_pad (GstElement * element, GstPad * pad, gpointer notes)
{
  GstOrchSubscriber *subscriber = gst_orch_subscriber_of_pad (pad);

  if (subscriber)
    gst_orch_subscriber_set_n_planned (subscriber, ((Notes *) notes)->n_ports);
  g_clear_pointer (&subscriber, gst_orch_subscriber_unref);
  return TRUE;
}

static gboolean
read_pad (GstElement * element, GstPad * pad, gpointer data)
{
  GstOrchSubscriber *subscriber = gst_orch_subscriber_of_pad (pad);
  Notes *notes = data;

  if (subscriber && gst_orch_subscriber_get_n_planned (subscriber)
      == GST_ORCH_NOT_PLANNED)
    notes->any_unknown = TRUE;
  else if (subscriber)
    notes->any_known = TRUE;
  g_clear_pointer (&subscriber, gst_orch_subscriber_unref);
  return TRUE;
}

/* While a link is missing somewhere, every stream that starts may be what was
 * missing. */
static void
note_pads (GstOrchPlan * plan)
{
  Notes notes = { plan->is_complete ? 0 : GST_ORCH_PLANNED_IN_PART, };
  guint n, i;

  for (n = 0; n < plan->nodes->len; n++) {
    GstOrchPlanNode *node = g_ptr_array_index (plan->nodes, n);

    gst_element_foreach_sink_pad (node->element, note_pad, &notes);
    for (i = 0; i < node->inputs->len && plan->is_complete; i++) {
      GstOrchPlanInput *input = g_ptr_array_index (node->inputs, i);
      Notes of_pad = { input->from->len, };

      note_pad (node->element, input->pad, &of_pad);
    }
  }
}

static gboolean
is_any_known (GstOrchPlan * plan)
{
  Notes notes = { 0, };
  guint n;

  for (n = 0; n < plan->nodes->len; n++)
    gst_element_foreach_sink_pad (((GstOrchPlanNode *)
            g_ptr_array_index (plan->nodes, n))->element, read_pad, &notes);
  return notes.any_known;
}

/* ---- saying it ---- */

static gboolean
says (GstOrchPlan * plan, GstOrchPlanFinding * finding)
{
  guint i;

  for (i = 0; plan && i < plan->findings->len; i++)
    if (g_str_equal (((GstOrchPlanFinding *) g_ptr_array_index
                (plan->findings, i))->message, finding->message))
      return TRUE;
  return FALSE;
}

static void
post (GstOrchPlanFinding * finding)
{
  const gchar *advice = finding->advice ? finding->advice : "";

  if (finding->is_error)
    GST_ELEMENT_ERROR (finding->element, LIBRARY, SETTINGS,
        ("%s", finding->message), ("%s", advice));
  else
    GST_ELEMENT_WARNING (finding->element, LIBRARY, SETTINGS,
        ("%s", finding->message), ("%s", advice));
}

static GstOrchPlan *
replace_last (GstElement * topmost, GstOrchPlan * plan)
{
  GstOrchPlan *last;

  G_LOCK (last_plan);
  last = g_object_steal_qdata (G_OBJECT (topmost), plan_quark ());
  g_object_set_qdata_full (G_OBJECT (topmost), plan_quark (),
      gst_orch_plan_ref (plan), (GDestroyNotify) gst_orch_plan_unref);
  G_UNLOCK (last_plan);
  return last;
}

/* While the pipeline runs only what is new; at a start everything. */
static void
report (GstOrchPlan * plan, GstElement * topmost, gboolean late)
{
  gboolean running = is_any_known (plan);
  GstOrchPlan *last = replace_last (topmost, plan);
  guint i;

  for (i = 0; i < plan->findings->len; i++) {
    GstOrchPlanFinding *finding = g_ptr_array_index (plan->findings, i);

    if (!running || (finding->is_error && !late) || !says (last, finding))
      post (finding);
  }
  g_clear_pointer (&last, gst_orch_plan_unref);
}

static gboolean
check (GstElement * element, gboolean late)
{
  GstElement *topmost = get_topmost (element);
  GstOrchPlan *plan = gst_orch_plan_make (topmost);
  gboolean ok = gst_orch_plan_get_n_errors (plan) == 0;

  report (plan, topmost, late);
  if (ok)
    note_pads (plan);
  gst_orch_plan_settle (plan);
  gst_orch_plan_unref (plan);
  gst_object_unref (topmost);
  return ok;
}

gboolean
gst_orch_plan_check (GstElement * element)
{
  Notes notes = { 0, };

  gst_element_foreach_sink_pad (element, read_pad, &notes);
  return !notes.any_unknown || check (element, FALSE);
}

void
gst_orch_plan_check_again (GstPad * sinkpad)
{
  GstElement *element = gst_pad_get_parent_element (sinkpad);

  if (!element)
    return;
  check (element, TRUE);
  gst_object_unref (element);
}
