/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchmeta.h"
#include "gstorchitem-private.h"

GType
gst_orch_meta_api_get_type (void)
{
  static GType type = 0;
  /* No tags: whatever an element changes (size, format, colour), the lineage
   * stays true. */
  static const gchar *tags[] = { NULL };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        gst_meta_api_type_register ("GstOrchMetaAPI", tags));
  return type;
}

static gboolean
gst_orch_meta_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  GstOrchMeta *self = (GstOrchMeta *) meta;

  self->entity = NULL;
  self->item = NULL;
  return TRUE;
}

/* The Item first: it has no reference to the Entity of its own. */
static void
gst_orch_meta_clear (GstOrchMeta * self)
{
  if (self->item)
    gst_orch_item_uncarry (self->item);
  if (self->entity)
    orch_entity_unref (self->entity);
}

static void
gst_orch_meta_free (GstMeta * meta, GstBuffer * buffer)
{
  gst_orch_meta_clear ((GstOrchMeta *) meta);
}

/* `entity` (transfer full); `item` (transfer full) (nullable): one carriage of it */
static void
gst_orch_meta_set (GstOrchMeta * self, OrchEntity * entity, GstOrchItem * item)
{
  self->entity = entity;
  self->item = item;
}

/* Payloaders and muxers copy the metas of every fragment onto the whole: equal
 * Items merge. */
static gboolean
gst_orch_meta_has_equal (GstBuffer * buffer, const GstOrchMeta * other)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_ORCH_META_API_TYPE))) {
    GstOrchMeta *self = (GstOrchMeta *) meta;

    if (self->item == other->item && self->entity == other->entity)
      return TRUE;
  }
  return FALSE;
}

static gboolean
gst_orch_meta_transform (GstBuffer * transbuf, GstMeta * meta,
    GstBuffer * buffer, GQuark type, gpointer data)
{
  GstOrchMeta *self = (GstOrchMeta *) meta;
  GstOrchMeta *copy;

  if (!self->entity || gst_orch_meta_has_equal (transbuf, self))
    return TRUE;
  copy = (GstOrchMeta *) gst_buffer_add_meta (transbuf, GST_ORCH_META_INFO,
      NULL);
  if (self->item)
    gst_orch_item_carry (self->item);
  gst_orch_meta_set (copy, orch_entity_ref (self->entity), self->item);
  return TRUE;
}

const GstMetaInfo *
gst_orch_meta_get_info (void)
{
  static const GstMetaInfo *info = NULL;

  if (g_once_init_enter ((GstMetaInfo **) & info)) {
    const GstMetaInfo *registered =
        gst_meta_register (GST_ORCH_META_API_TYPE, "GstOrchMeta",
        sizeof (GstOrchMeta), gst_orch_meta_init, gst_orch_meta_free,
        gst_orch_meta_transform);

    g_once_init_leave ((GstMetaInfo **) & info, (GstMetaInfo *) registered);
  }
  return info;
}

/**
 * gst_buffer_get_orch_meta:
 * @buffer: a #GstBuffer
 *
 * Returns: (transfer none) (nullable): the lineage of @buffer; the first one,
 *   if a parser or an adapter has merged several
 *
 * Since: 0.1
 */
GstOrchMeta *
gst_buffer_get_orch_meta (GstBuffer * buffer)
{
  return (GstOrchMeta *) gst_buffer_get_meta (buffer, GST_ORCH_META_API_TYPE);
}

/**
 * gst_buffer_add_orch_meta:
 * @buffer: (transfer none): a writable #GstBuffer
 * @entity: (transfer none): what it is a value of
 *
 * Tags a buffer with its Entity.  Only buffers that elements push carry an Item
 * as well.
 *
 * Returns: (transfer none): the meta
 *
 * Since: 0.1
 */
GstOrchMeta *
gst_buffer_add_orch_meta (GstBuffer * buffer, GstOrchEntity * entity)
{
  GstOrchMeta *self = (GstOrchMeta *) gst_buffer_add_meta (buffer,
      GST_ORCH_META_INFO, NULL);

  gst_orch_meta_set (self, orch_entity_ref (entity), NULL);
  return self;
}

/**
 * gst_orch_meta_get_entity:
 * @meta: a #GstOrchMeta
 *
 * Returns: (transfer none): what the buffer is a value of
 *
 * Since: 0.1
 */
GstOrchEntity *
gst_orch_meta_get_entity (GstOrchMeta * meta)
{
  return meta->entity;
}

/**
 * gst_orch_buffer_get_entity:
 * @buffer: a #GstBuffer
 *
 * Returns: (transfer none) (nullable): what the buffer is a value of
 *
 * Since: 0.1
 */
GstOrchEntity *
gst_orch_buffer_get_entity (GstBuffer * buffer)
{
  GstOrchMeta *meta = gst_buffer_get_orch_meta (buffer);

  return meta ? meta->entity : NULL;
}

/**
 * gst_orch_buffer_get_info:
 * @buffer: a #GstBuffer
 *
 * Returns: (transfer none) (nullable): what Functions said of the Item that
 *   @buffer carries
 *
 * Since: 0.1
 */
const GstStructure *
gst_orch_buffer_get_info (GstBuffer * buffer)
{
  GstOrchMeta *meta = gst_buffer_get_orch_meta (buffer);

  return meta && meta->item ? gst_orch_info_get (meta->item->info) : NULL;
}

GstBuffer *
gst_orch_port_stamp (GstOrchPort * port, GstBuffer * buffer,
    OrchEntity * entity, GstOrchInfo * info)
{
  GstOrchItem *item = gst_orch_item_new (port, entity, info);
  GstOrchMeta *self, old = { 0, };

  buffer = gst_buffer_make_writable (buffer);
  self = gst_buffer_get_orch_meta (buffer);
  if (self)
    old = *self;
  else
    self = (GstOrchMeta *) gst_buffer_add_meta (buffer, GST_ORCH_META_INFO,
        NULL);
  gst_orch_meta_set (self, entity, item);
  gst_orch_meta_clear (&old);
  return buffer;
}

GstBuffer *
gst_orch_buffer_keep_entity (GstBuffer * buffer)
{
  GstOrchMeta *self = gst_buffer_get_orch_meta (buffer);
  GstOrchItem *item;

  if (!self || !self->item)
    return buffer;
  if (!gst_buffer_is_writable (buffer)) {
    buffer = gst_buffer_make_writable (buffer);
    self = gst_buffer_get_orch_meta (buffer);
  }
  item = self->item;
  self->item = NULL;
  gst_orch_item_uncarry (item);
  return buffer;
}
