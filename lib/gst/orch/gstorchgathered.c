/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchlist-private.h"

/* What a gather has counted and listed, on a buffer that is no list: the text or
 * the tensor that was made of one (S3.6). */

typedef struct
{
  GstMeta meta;

  GstOrchList *list;
} GstOrchGatheredMeta;

static GType
get_api_type (void)
{
  static GType type = 0;
  /* No tags: whatever is done to the value, what it lacks stays true. */
  static const gchar *tags[] = { NULL };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        gst_meta_api_type_register ("GstOrchGatheredMetaAPI", tags));
  return type;
}

static gboolean
gathered_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  ((GstOrchGatheredMeta *) meta)->list = NULL;
  return TRUE;
}

static void
gathered_free (GstMeta * meta, GstBuffer * buffer)
{
  g_clear_pointer (&((GstOrchGatheredMeta *) meta)->list, gst_orch_list_unref);
}

static void add_gathered (GstBuffer * buffer, GstOrchList * list);

static gboolean
gathered_transform (GstBuffer * transbuf, GstMeta * meta, GstBuffer * buffer,
    GQuark type, gpointer data)
{
  GstOrchGatheredMeta *self = (GstOrchGatheredMeta *) meta;

  if (self->list && !gst_buffer_get_meta (transbuf, get_api_type ()))
    add_gathered (transbuf, gst_orch_list_ref (self->list));
  return TRUE;
}

static const GstMetaInfo *
get_info (void)
{
  static const GstMetaInfo *info = NULL;

  if (g_once_init_enter ((GstMetaInfo **) & info)) {
    const GstMetaInfo *registered = gst_meta_register (get_api_type (),
        "GstOrchGatheredMeta", sizeof (GstOrchGatheredMeta), gathered_init,
        gathered_free, gathered_transform);

    g_once_init_leave ((GstMetaInfo **) & info, (GstMetaInfo *) registered);
  }
  return info;
}

static void
add_gathered (GstBuffer * buffer, GstOrchList * list)
{
  GstOrchGatheredMeta *self = (GstOrchGatheredMeta *) gst_buffer_add_meta
      (buffer, get_info (), NULL);

  self->list = list;
}

void
gst_orch_buffer_set_gathered (GstBuffer * buffer, GstOrchList * list)
{
  gst_orch_list_clear_elements (list);
  add_gathered (buffer, list);
}

GstOrchList *
gst_orch_meta_get_gathered (GstMeta * meta)
{
  return meta->info->api == get_api_type () ?
      ((GstOrchGatheredMeta *) meta)->list : NULL;
}

/**
 * gst_orch_buffer_get_gathered:
 * @buffer: a #GstBuffer
 *
 * What an orchreduce tells of the members it has made @buffer of: the list that
 * @buffer carries, or, where it made one value of them (`output=concat`,
 * `output=stack`), a list without elements.  Its counts and failures are what it
 * is for.
 *
 * Returns: (transfer none) (nullable): the list
 *
 * Since: 0.1
 */
GstOrchList *
gst_orch_buffer_get_gathered (GstBuffer * buffer)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta (buffer, &state))) {
    if (meta->info->api == GST_ORCH_LIST_META_API_TYPE)
      return ((GstOrchListMeta *) meta)->list;
    if (gst_orch_meta_get_gathered (meta))
      return gst_orch_meta_get_gathered (meta);
  }
  return NULL;
}

/* ---- from an input to what is made of it ---- */

static gboolean
tells_something (GstOrchList * list)
{
  return list && (gst_orch_list_get_counts (list)
      || gst_orch_list_get_n_failures (list) > 0);
}

/* What was made of joined Items that tell of failures is one value. */
static GstBuffer *
inherit_all (GstBuffer * buffer, GstBuffer * input)
{
  static const GstOrchListCounts one = { 1, 1, };
  GstOrchList *gathered = gst_orch_buffer_get_gathered (input);
  const GstOrchListCounts *counts = gst_orch_list_get_counts (gathered);
  GstOrchList *list = gst_orch_list_new ();

  gst_orch_list_set_counts (list, counts ? counts : &one);
  gst_orch_list_inherit_failures (list, gathered);
  buffer = gst_buffer_make_writable (buffer);
  add_gathered (buffer, list);
  return buffer;
}

/* Its Function may have kept the list that it gave. */
static GstBuffer *
inherit_failures (GstBuffer * buffer, GstBuffer * input)
{
  GstOrchList *list = gst_orch_list_copy (gst_orch_buffer_get_list (buffer));
  GstOrchListMeta *meta;

  gst_orch_list_inherit_failures (list, gst_orch_buffer_get_gathered (input));
  buffer = gst_buffer_make_writable (buffer);
  meta = gst_buffer_get_orch_list_meta (buffer);
  gst_orch_list_unref (meta->list);
  meta->list = list;
  return buffer;
}

GstBuffer *
gst_orch_buffer_inherit_gathered (GstBuffer * buffer, GstBuffer * input)
{
  GstOrchList *above = gst_orch_buffer_get_gathered (input);

  if (!tells_something (above)
      || tells_something (gst_orch_buffer_get_gathered (buffer)))
    return buffer;
  if (!gst_orch_buffer_get_list (buffer))
    return inherit_all (buffer, input);
  return gst_orch_list_get_n_failures (above) > 0 ?
      inherit_failures (buffer, input) : buffer;
}
