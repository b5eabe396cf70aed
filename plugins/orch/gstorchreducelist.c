/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchreduce-private.h"

#include <gst/orch/gstorchref.h>

/* From a gather that is present to its list: elements in ordinal order, every
 * member that is not delivered listed in path order (S3.6). */

static void
count (GstOrchListCounts * counts, const OrchGatherChild * child)
{
  counts->total++;
  if (child->outcome == ORCH_OUTCOME_PRESENT)
    counts->present++;
  else if (orch_cause_is_lost (child->cause))
    counts->lost++;
  else if (child->outcome == ORCH_OUTCOME_DROPPED)
    counts->dropped++;
  else if (child->outcome == ORCH_OUTCOME_FAILED)
    counts->failed++;
  else
    counts->suppressed++;
}

/* (transfer none) (nullable) */
static const gchar *
get_fragment (GstOrchInfo * info)
{
  const GstStructure *structure = gst_orch_info_get (info);

  return structure ? gst_structure_get_string (structure, "fragment") : NULL;
}

static GstStructure *
copy_info (GstOrchReduceValue * value)
{
  const GstStructure *info = value ? gst_orch_info_get (value->info) : NULL;

  return info ? gst_structure_copy (info) : NULL;
}

static GstOrchReduceValue *
get_value (const OrchGatherChild * child, guint column)
{
  GstOrchReduceValue *value = child->value;

  while (value && column-- > 0)
    value = value->next;
  return value;
}

/* The buffer moves out; the rest goes with the gather. */
static void
append_present (GstOrchList * list, const OrchGatherChild * child,
    guint column)
{
  GstOrchReduceValue *value = get_value (child, column);
  GstOrchListElement element = { child->ordinal, GST_ORCH_OUTCOME_PRESENT,
    g_steal_pointer (&value->buffer), value->caps, NULL, copy_info (value)
  };

  gst_orch_list_inherit_failures (list, value->gathered);
  gst_orch_list_append_take (list, &element);
}

static void
append_absent (GstOrchList * list, OrchExpansion * expansion,
    const OrchGatherChild * child, OrchOnFailed mode)
{
  GstOrchListElement element = { child->ordinal,
    (GstOrchOutcome) child->outcome, NULL, NULL, child->cause, NULL
  };
  GstOrchReduceValue *value = child->value;
  OrchEntity *entity;

  if (!orch_outcome_is_failing (child->outcome)
      && !orch_cause_is_lost (child->cause))
    return;
  entity = orch_entity_new (expansion, child->ordinal);
  gst_orch_list_add_failure (list, entity, (GstOrchOutcome) child->outcome,
      child->cause, get_fragment (value ? value->info : NULL));
  orch_entity_unref (entity);
  if (mode != ORCH_ON_FAILED_PLACEHOLDER
      || !orch_outcome_is_failing (child->outcome))
    return;
  if (element.cause)
    orch_cause_ref (element.cause);
  element.info = copy_info (value);
  gst_orch_list_append_take (list, &element);
}

/* It failed after some children were published: listed under the parent's own
 * path, which comes before its children's. */
static void
add_failed_expansion (GstOrchList * list, OrchGather * gather,
    OrchExpansion * expansion)
{
  OrchCause *cause;
  guint64 n;

  if (orch_gather_get_expansion (gather, &n, &cause) == ORCH_EXPANSION_FAILED)
    gst_orch_list_add_failure (list, orch_expansion_get_parent (expansion),
        GST_ORCH_OUTCOME_FAILED, cause,
        get_fragment (orch_expansion_get_data (expansion)));
}

GstOrchList *
gst_orch_reduce_make_list (OrchGather * gather, OrchExpansion * expansion,
    OrchOnFailed mode, guint column)
{
  guint64 i, n = orch_gather_get_n_children (gather);
  GstOrchList *list = gst_orch_list_new_sized (n);
  GstOrchListCounts counts = { 0, };
  OrchGatherChild child;

  add_failed_expansion (list, gather, expansion);
  for (i = 0; i < n; i++) {
    orch_gather_get_child (gather, i, &child);
    count (&counts, &child);
    if (child.outcome == ORCH_OUTCOME_PRESENT)
      append_present (list, &child, column);
    else
      append_absent (list, expansion, &child, mode);
  }
  gst_orch_list_set_counts (list, &counts);
  return list;
}

/* Without a copy, as far as a buffer holds so many memories. */
static GstBuffer *
join_shared (GPtrArray * buffers)
{
  GstBuffer *joined = gst_buffer_new ();
  guint i;

  for (i = 0; i < buffers->len; i++)
    gst_buffer_copy_into (joined, g_ptr_array_index (buffers, i),
        GST_BUFFER_COPY_MEMORY, 0, -1);
  return joined;
}

static GstBuffer *
join_copied (GPtrArray * buffers, gsize size)
{
  GstBuffer *joined = gst_buffer_new_allocate (NULL, size, NULL);
  GstMapInfo map;
  gsize at = 0;
  guint i;

  gst_buffer_map (joined, &map, GST_MAP_WRITE);
  for (i = 0; i < buffers->len; i++)
    at += gst_buffer_extract (g_ptr_array_index (buffers, i), 0,
        map.data + at, size - at);
  gst_buffer_unmap (joined, &map);
  return joined;
}

GstBuffer *
gst_orch_reduce_join (GPtrArray * buffers)
{
  guint i, n = 0;
  gsize size = 0;

  for (i = 0; i < buffers->len; i++) {
    n += gst_buffer_n_memory (g_ptr_array_index (buffers, i));
    size += gst_buffer_get_size (g_ptr_array_index (buffers, i));
  }
  return n <= gst_buffer_get_max_memory () ? join_shared (buffers)
      : join_copied (buffers, size);
}

/* (transfer full) (nullable): why it cannot be put behind others */
static OrchCause *
cause_of_no_bytes (const GstOrchListElement * element)
{
  g_autofree gchar *caps = NULL;
  g_autofree gchar *message = NULL;

  if (!gst_orch_buffer_get_list (element->buffer)
      && !gst_buffer_get_orch_ref_meta (element->buffer))
    return NULL;
  caps = element->caps ? gst_caps_to_string (element->caps)
      : g_strdup ("of an unknown kind");
  message = g_strdup_printf ("child %" G_GUINT64_FORMAT " is %s, which has no "
      "bytes that output=concat could put together", element->ordinal, caps);
  return orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_NO_BYTES, message, NULL,
      NULL);
}

GstBuffer *
gst_orch_reduce_concat (GstOrchList * list, GstCaps ** caps,
    OrchCause ** cause)
{
  GPtrArray *buffers = g_ptr_array_new ();
  guint i, n = gst_orch_list_get_size (list);
  GstBuffer *buffer = NULL;

  for (i = 0; i < n && !*cause; i++) {
    const GstOrchListElement *element = gst_orch_list_get (list, i);

    if (!element->buffer)
      continue;
    *cause = cause_of_no_bytes (element);
    if (!*caps && element->caps)
      *caps = gst_caps_ref (element->caps);
    g_ptr_array_add (buffers, element->buffer);
  }
  if (!*cause)
    buffer = gst_orch_reduce_join (buffers);
  g_ptr_array_unref (buffers);
  return buffer;
}
