/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchentity.h>

G_BEGIN_DECLS

/**
 * GST_ORCH_LIST_CAPS:
 *
 * Caps of buffers that carry a #GstOrchList.
 *
 * Since: 0.1
 */
#define GST_ORCH_LIST_CAPS "application/x-orch-list"

/**
 * GST_ORCH_ITEMS_CAPS:
 *
 * Caps of joined Items: buffers that carry a #GstOrchList of the inputs, which
 * have names.  What is missing is an element without a buffer.
 *
 * Since: 0.1
 */
#define GST_ORCH_ITEMS_CAPS "application/x-orch-items"

/**
 * GstOrchList:
 *
 * The ordered value that an expansion opens and a reduce makes.  Filled by one
 * thread, then immutable and shared.
 *
 * Since: 0.1
 */
typedef struct _GstOrchList GstOrchList;

GST_ORCH_API GType gst_orch_list_get_type (void);
#define GST_TYPE_ORCH_LIST (gst_orch_list_get_type ())

/**
 * GstOrchListElement:
 * @ordinal: the element's ordinal among the children of its Expansion; in a
 *   list that a reduce made, gaps are children that were left out
 * @outcome: present, or why there is no buffer
 * @buffer: (nullable): the value
 * @caps: (nullable): its caps
 * @cause: (nullable): why it is not present
 * @info: (nullable): what Functions said of it
 * @name: (nullable): interned: which input of a joined Item it is
 *
 * One element of a list.
 *
 * Since: 0.1
 */
typedef struct
{
  guint64 ordinal;
  GstOrchOutcome outcome;
  GstBuffer *buffer;
  GstCaps *caps;
  GstOrchCause *cause;
  GstStructure *info;
  const gchar *name;
} GstOrchListElement;

/**
 * GstOrchListFailure:
 * @entity: the Entity that failed
 * @outcome: failed, suppressed, or dropped for a lost one
 * @cause: why
 * @fragment: (nullable): how it is named within its parent: "page=4"
 *
 * A member that a gather lists as not delivered, its own children's included.
 *
 * Since: 0.1
 */
typedef struct
{
  GstOrchEntity *entity;
  GstOrchOutcome outcome;
  GstOrchCause *cause;
  gchar *fragment;
} GstOrchListFailure;

/**
 * GstOrchListCounts:
 * @total: children the Expansion published
 * @present: with a value
 * @dropped: filtered out or dropped by a Function
 * @lost: lost in transit
 * @failed: failed
 * @suppressed: suppressed
 *
 * What became of the members of a gathered list: total is the sum of the
 * others.
 *
 * Since: 0.1
 */
typedef struct
{
  guint64 total;
  guint64 present;
  guint64 dropped;
  guint64 lost;
  guint64 failed;
  guint64 suppressed;
} GstOrchListCounts;

GST_ORCH_API GstOrchList *gst_orch_list_new (void);
GST_ORCH_API GstOrchList *gst_orch_list_new_sized (guint n_reserved);
GST_ORCH_API GstOrchList *gst_orch_list_ref (GstOrchList * list);
GST_ORCH_API void gst_orch_list_unref (GstOrchList * list);

GST_ORCH_API void gst_orch_list_append (GstOrchList * list, GstBuffer * buffer,
    GstCaps * caps, GstStructure * info);
GST_ORCH_API void gst_orch_list_append_failed (GstOrchList * list,
    GstOrchCause * cause, GstStructure * info);
GST_ORCH_API void gst_orch_list_append_dropped (GstOrchList * list,
    GstOrchCause * cause);
GST_ORCH_API void gst_orch_list_append_element (GstOrchList * list,
    const GstOrchListElement * element);

GST_ORCH_API guint gst_orch_list_get_size (GstOrchList * list);
GST_ORCH_API const GstOrchListElement *gst_orch_list_get (GstOrchList * list,
    guint index);

/* What a reduce adds. */
GST_ORCH_API void gst_orch_list_set_counts (GstOrchList * list,
    const GstOrchListCounts * counts);
GST_ORCH_API const GstOrchListCounts *gst_orch_list_get_counts (GstOrchList *
    list);
GST_ORCH_API void gst_orch_list_add_failure (GstOrchList * list,
    GstOrchEntity * entity, GstOrchOutcome outcome, GstOrchCause * cause,
    const gchar * fragment);
GST_ORCH_API guint gst_orch_list_get_n_failures (GstOrchList * list);
GST_ORCH_API const GstOrchListFailure *gst_orch_list_get_failure (GstOrchList *
    list, guint index);

/* ---- on buffers ---- */

typedef struct _GstOrchListMeta GstOrchListMeta;

/**
 * GstOrchListMeta:
 * @meta: parent
 * @list: the list
 *
 * Carries a list on a buffer without memory, of caps #GST_ORCH_LIST_CAPS.
 *
 * Since: 0.1
 */
struct _GstOrchListMeta
{
  GstMeta meta;

  GstOrchList *list;
};

GST_ORCH_API GType gst_orch_list_meta_api_get_type (void);
#define GST_ORCH_LIST_META_API_TYPE (gst_orch_list_meta_api_get_type ())
GST_ORCH_API const GstMetaInfo *gst_orch_list_meta_get_info (void);
#define GST_ORCH_LIST_META_INFO (gst_orch_list_meta_get_info ())

GST_ORCH_API GstOrchListMeta *gst_buffer_get_orch_list_meta (GstBuffer *
    buffer);
GST_ORCH_API GstBuffer *gst_orch_list_buffer_new (GstOrchList * list);
GST_ORCH_API GstOrchList *gst_orch_buffer_get_list (GstBuffer * buffer);
GST_ORCH_API GstOrchList *gst_orch_buffer_get_gathered (GstBuffer * buffer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstOrchList, gst_orch_list_unref)
G_END_DECLS
