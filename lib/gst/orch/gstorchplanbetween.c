/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchplan-private.h"

#include <string.h>

/* What stands behind a Port and does not go with lineage.
 * tests/elements/survival.c measures it. */

static const gchar *const strips_lineage[] = {
  "compositor", "gdpdepay", "gdppay", "interlace", "mpegtsmux",
  "rawaudioparse", "rawvideoparse", "tsdemux", "videomixer", "y4mdec",
  "y4menc", NULL
};

static const gchar *const needs_time[] = {
  "audiorate", "imagefreeze", "videorate", NULL
};

static const gchar *
get_factory_name (GstElement * element)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  return factory ? GST_OBJECT_NAME (factory) : "";
}

/* It passes progressive frames on as they are. */
static gboolean
is_active_deinterlacer (GstElement * element)
{
  const gchar *mode = NULL;
  GEnumValue *value;
  gint number;

  if (!g_str_equal (get_factory_name (element), "deinterlace"))
    return FALSE;
  g_object_get (element, "mode", &number, NULL);
  value = g_enum_get_value (g_type_class_peek (g_object_class_find_property
          (G_OBJECT_GET_CLASS (element), "mode")->value_type), number);
  mode = value ? value->value_nick : "";
  return g_str_equal (mode, "interlaced");
}

/* An encoder of pictures takes each for itself. */
static gboolean
keeps_state (GstElement * element)
{
  const gchar *klass = gst_element_get_metadata (element,
      GST_ELEMENT_METADATA_KLASS);

  if (g_strv_contains (needs_time, get_factory_name (element)))
    return TRUE;
  if (!klass || strstr (klass, "Image"))
    return FALSE;
  return strstr (klass, "Encoder") || strstr (klass, "Muxer")
      || strstr (klass, "Parser");
}

/* Children of several parents follow each other on the way to it. */
static gboolean
is_mixed (GstOrchPlanInput * input)
{
  guint i;

  for (i = 0; i < input->from->len; i++) {
    GstOrchPlanOutput *output = g_ptr_array_index (input->from, i);

    if (output->domain && output->domain->mixes)
      return TRUE;
  }
  return FALSE;
}

static void
check_element (GstOrchPlan * plan, GstOrchPlanInput * input,
    GstElement * element)
{
  if (input->node && (g_strv_contains (strips_lineage,
              get_factory_name (element)) || is_active_deinterlacer (element)))
    gst_orch_plan_add_finding (plan, FALSE, element,
        g_strdup_printf ("%s makes new buffers, and %s will not know whose "
            "they are.", GST_OBJECT_NAME (element), input->node->name),
        "It does not keep what other elements have put on a buffer. Put it "
        "before the first or behind the last orch element.");
  else if (is_mixed (input) && keeps_state (element))
    gst_orch_plan_add_finding (plan, FALSE, element,
        g_strdup_printf ("%s gets units of several parents in turn.",
            GST_OBJECT_NAME (element)),
        "It goes by what came before, or by timestamps, and takes them for one "
        "stream. Put it before orchexpand, or behind the gather.");
}

void
gst_orch_plan_check_between (GstOrchPlan * plan, GstOrchPlanInput * input)
{
  guint i;

  for (i = 0; i < input->elements->len && input->from->len > 0; i++)
    check_element (plan, input, g_ptr_array_index (input->elements, i));
}
