/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchentity.h>

G_BEGIN_DECLS

/**
 * GstOrchItem:
 *
 * The value of one Port for one Entity while a buffer carries it.  Opaque.
 *
 * Since: 0.1
 */
typedef struct _GstOrchItem GstOrchItem;

typedef struct _GstOrchMeta GstOrchMeta;

/**
 * GstOrchMeta:
 * @meta: parent
 * @entity: the Entity this buffer is a value of
 * @item: (nullable): the Item, while the buffer is under way between elements;
 *   %NULL on what a list keeps
 *
 * The lineage of a buffer.  Its API type has no tags and it is copied by every
 * transform, so that converters, scalers, encoders and queues keep it.
 *
 * Since: 0.1
 */
struct _GstOrchMeta
{
  GstMeta meta;

  GstOrchEntity *entity;
  GstOrchItem *item;
};

GST_ORCH_API GType gst_orch_meta_api_get_type (void);
#define GST_ORCH_META_API_TYPE (gst_orch_meta_api_get_type ())
GST_ORCH_API const GstMetaInfo *gst_orch_meta_get_info (void);
#define GST_ORCH_META_INFO (gst_orch_meta_get_info ())

GST_ORCH_API GstOrchMeta *gst_buffer_get_orch_meta (GstBuffer * buffer);
GST_ORCH_API GstOrchMeta *gst_buffer_add_orch_meta (GstBuffer * buffer,
    GstOrchEntity * entity);
GST_ORCH_API GstOrchEntity *gst_orch_meta_get_entity (GstOrchMeta * meta);
GST_ORCH_API GstOrchEntity *gst_orch_buffer_get_entity (GstBuffer * buffer);
GST_ORCH_API const GstStructure *gst_orch_buffer_get_info (GstBuffer * buffer);

G_END_DECLS
