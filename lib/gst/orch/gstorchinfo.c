/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchinfo-private.h"

struct _GstOrchInfo
{
  gint refs;
  GstStructure *structure;
};

GstOrchInfo *
gst_orch_info_new (GstStructure * structure)
{
  GstOrchInfo *info;

  if (!structure)
    return NULL;
  info = g_new (GstOrchInfo, 1);
  info->refs = 1;
  info->structure = structure;
  return info;
}

GstOrchInfo *
gst_orch_info_ref (GstOrchInfo * info)
{
  if (info)
    g_atomic_int_inc (&info->refs);
  return info;
}

void
gst_orch_info_unref (GstOrchInfo * info)
{
  if (!info || !g_atomic_int_dec_and_test (&info->refs))
    return;
  gst_structure_free (info->structure);
  g_free (info);
}

const GstStructure *
gst_orch_info_get (GstOrchInfo * info)
{
  return info ? info->structure : NULL;
}

static gboolean
set_field (GQuark field, const GValue * value, gpointer structure)
{
  gst_structure_id_set_value (structure, field, value);
  return TRUE;
}

GstOrchInfo *
gst_orch_info_merge (GstOrchInfo * info, GstStructure * more)
{
  GstStructure *merged;

  if (!more)
    return gst_orch_info_ref (info);
  if (!info)
    return gst_orch_info_new (more);
  merged = gst_structure_copy (info->structure);
  gst_structure_foreach (more, set_field, merged);
  gst_structure_free (more);
  return gst_orch_info_new (merged);
}
