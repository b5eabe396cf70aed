/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchactivity-private.h"

#define QUERY_NAME "orch-activity"
#define HURRY_NAME "orch-hurry"

GstOrchActivity
gst_orch_activity_ask (GstPad * srcpad)
{
  GstOrchActivity activity = { 0, FALSE };
  GstQuery *query = gst_query_new_custom (GST_QUERY_CUSTOM,
      gst_structure_new (QUERY_NAME, "activity", G_TYPE_POINTER, &activity,
          NULL));

  gst_pad_peer_query (srcpad, query);
  gst_query_unref (query);
  return activity;
}

static gboolean
is_called (GstQuery * query, const gchar * name)
{
  const GstStructure *structure;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CUSTOM)
    return FALSE;
  structure = gst_query_get_structure (query);
  return structure && gst_structure_has_name (structure, name);
}

GstOrchActivity *
gst_orch_activity_get (GstQuery * query)
{
  GstOrchActivity *activity = NULL;

  if (is_called (query, QUERY_NAME))
    gst_structure_get (gst_query_get_structure (query), "activity",
        G_TYPE_POINTER, &activity, NULL);
  return activity;
}

void
gst_orch_activity_hurry (GstPad * srcpad)
{
  GstQuery *query = gst_query_new_custom (GST_QUERY_CUSTOM,
      gst_structure_new_empty (HURRY_NAME));

  gst_pad_peer_query (srcpad, query);
  gst_query_unref (query);
}

gboolean
gst_orch_activity_is_hurry (GstQuery * query)
{
  return is_called (query, HURRY_NAME);
}
