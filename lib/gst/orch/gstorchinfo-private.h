/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchprelude.h>

G_BEGIN_DECLS

/* What Functions said of an Item, shared by every Item further down that adds
 * nothing.  Immutable and refcounted; NULL is the empty info.
 *
 * Reserved field: "fragment" (string), how one child is named within its
 * parent ("page=4"); it goes into record ids, not into a record's info. */
typedef struct _GstOrchInfo GstOrchInfo;

/* @structure: (transfer full) (nullable) */
GST_ORCH_API GstOrchInfo *gst_orch_info_new (GstStructure * structure);
GST_ORCH_API GstOrchInfo *gst_orch_info_ref (GstOrchInfo * info);
GST_ORCH_API void gst_orch_info_unref (GstOrchInfo * info);
/* (transfer none) (nullable) */
GST_ORCH_API const GstStructure *gst_orch_info_get (GstOrchInfo * info);
/* (transfer full): `info` with the fields of `more` (transfer full) (nullable)
 * on top. */
GST_ORCH_API GstOrchInfo *gst_orch_info_merge (GstOrchInfo * info,
    GstStructure * more);

G_END_DECLS
