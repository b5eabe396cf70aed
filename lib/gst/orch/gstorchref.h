/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchprelude.h>

G_BEGIN_DECLS

/**
 * GST_ORCH_REF_CAPS_NAME:
 *
 * Media type of references: application/x-orch-ref with a field `media-type`
 * that names the type of the source ("application/pdf").
 *
 * Since: 0.1
 */
#define GST_ORCH_REF_CAPS_NAME "application/x-orch-ref"

typedef struct _GstOrchRefMeta GstOrchRefMeta;

/**
 * GstOrchRefMeta:
 * @meta: parent
 * @source: the buffer that holds the whole
 * @locator: which part of it: for a page, `page` (gint, 0-based)
 *
 * A reference to a part of another buffer (a page, a clip).  The buffer that
 * carries it has no memory of its own, so that queues count it as nothing.
 *
 * Since: 0.1
 */
struct _GstOrchRefMeta
{
  GstMeta meta;

  GstBuffer *source;
  GstStructure *locator;
};

GST_ORCH_API GType gst_orch_ref_meta_api_get_type (void);
#define GST_ORCH_REF_META_API_TYPE (gst_orch_ref_meta_api_get_type ())
GST_ORCH_API const GstMetaInfo *gst_orch_ref_meta_get_info (void);
#define GST_ORCH_REF_META_INFO (gst_orch_ref_meta_get_info ())

GST_ORCH_API GstOrchRefMeta *gst_buffer_get_orch_ref_meta (GstBuffer * buffer);
GST_ORCH_API GstBuffer *gst_orch_ref_buffer_new (GstBuffer * source,
    GstStructure * locator);

/* ---- the source of a document ---- */

GST_ORCH_API gboolean gst_orch_buffer_get_fd (GstBuffer * buffer, gint * fd,
    guint64 * size);
GST_ORCH_API GBytes *gst_orch_buffer_read_all (GstBuffer * buffer,
    guint64 max_size, GError ** error);
GST_ORCH_API GBytes *gst_orch_buffer_get_bytes (GstBuffer * buffer,
    GError ** error);

G_END_DECLS
