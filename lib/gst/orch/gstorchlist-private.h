/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchlist.h>

G_BEGIN_DECLS

/* Gives the caller its own references to the parts of an element: moved out
 * (TRUE) if the caller's is the only reference to the list, else shared.  The
 * caps stay the list's. */
GST_ORCH_API gboolean gst_orch_list_take_element (GstOrchList * list,
    guint index, GstOrchListElement * element);
/* Takes over the parts of `element`, but for the caps. */
GST_ORCH_API void gst_orch_list_append_take (GstOrchList * list,
    const GstOrchListElement * element);
/* Lists what `part` (nullable) lists as failed: its failures travel up, each once. */
GST_ORCH_API void gst_orch_list_inherit_failures (GstOrchList * list,
    GstOrchList * part);

/* (transfer full): the same elements; what it tells of its making does not go along */
G_GNUC_INTERNAL GstOrchList *gst_orch_list_copy (GstOrchList * list);
/* What the list tells of its making stays. */
G_GNUC_INTERNAL void gst_orch_list_clear_elements (GstOrchList * list);
/* What was made of a gathered list, and is none: `list` (transfer full), whose
 * elements are not needed any more. */
GST_ORCH_API void gst_orch_buffer_set_gathered (GstBuffer * buffer,
    GstOrchList * list);

/* (transfer full): `buffer` (transfer full), which was made of `input`, and now tells
 * of the failures that `input` tells of, and of its counts unless it is a list.  If it
 * tells of any already it is left as it is. */
G_GNUC_INTERNAL GstBuffer *gst_orch_buffer_inherit_gathered (GstBuffer *
    buffer, GstBuffer * input);
/* (transfer none) (nullable): what gst_orch_buffer_set_gathered() has added */
G_GNUC_INTERNAL GstOrchList *gst_orch_meta_get_gathered (GstMeta * meta);

/* `list` (transfer full) on a buffer that may carry more. */
G_GNUC_INTERNAL void gst_orch_list_meta_add (GstBuffer * buffer,
    GstOrchList * list);

G_END_DECLS
