/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchactivity-private.h"

#define QUERY_NAME "orch-activity"

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

GstOrchActivity *
gst_orch_activity_get (GstQuery * query)
{
  GstOrchActivity *activity = NULL;
  const GstStructure *structure;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CUSTOM)
    return NULL;
  structure = gst_query_get_structure (query);
  if (structure && gst_structure_has_name (structure, QUERY_NAME))
    gst_structure_get (structure, "activity", G_TYPE_POINTER, &activity, NULL);
  return activity;
}
