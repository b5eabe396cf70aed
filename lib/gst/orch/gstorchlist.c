/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchlist-private.h"
#include "lineage/orch-lineage.h"

struct _GstOrchList
{
  gint refs;
  GArray *elements;             /* GstOrchListElement; caps are borrowed from: */
  GPtrArray *caps;              /* each distinct run's caps, so that thousands of
                                 * equal elements do not count references on one
                                 * object that every thread uses */
  GArray *failures;             /* GstOrchListFailure, NULL until there is one */
  GstOrchListCounts counts;
  gboolean has_counts;
};

G_DEFINE_BOXED_TYPE (GstOrchList, gst_orch_list, gst_orch_list_ref,
    gst_orch_list_unref);

static void
element_clear (gpointer data)
{
  GstOrchListElement *element = data;

  if (element->buffer)
    gst_buffer_unref (element->buffer);
  orch_cause_unref (element->cause);
  if (element->info)
    gst_structure_free (element->info);
}

static void
failure_clear (gpointer data)
{
  GstOrchListFailure *failure = data;

  orch_entity_unref (failure->entity);
  orch_cause_unref (failure->cause);
  g_free (failure->fragment);
}

static GArray *
new_failures (void)
{
  GArray *failures = g_array_new (FALSE, FALSE, sizeof (GstOrchListFailure));

  g_array_set_clear_func (failures, failure_clear);
  return failures;
}

/**
 * gst_orch_list_new:
 *
 * Returns: (transfer full): an empty list
 *
 * Since: 0.1
 */
GstOrchList *
gst_orch_list_new (void)
{
  return gst_orch_list_new_sized (0);
}

/**
 * gst_orch_list_new_sized:
 * @n_reserved: elements to reserve room for
 *
 * Returns: (transfer full): an empty list
 *
 * Since: 0.1
 */
GstOrchList *
gst_orch_list_new_sized (guint n_reserved)
{
  GstOrchList *list = g_new0 (GstOrchList, 1);

  list->refs = 1;
  list->elements = g_array_sized_new (FALSE, FALSE,
      sizeof (GstOrchListElement), n_reserved);
  g_array_set_clear_func (list->elements, element_clear);
  list->caps = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_caps_unref);
  return list;
}

/**
 * gst_orch_list_ref:
 * @list: a #GstOrchList
 *
 * Returns: (transfer full): @list
 *
 * Since: 0.1
 */
GstOrchList *
gst_orch_list_ref (GstOrchList * list)
{
  g_atomic_int_inc (&list->refs);
  return list;
}

/**
 * gst_orch_list_unref:
 * @list: (transfer full): a #GstOrchList
 *
 * Since: 0.1
 */
void
gst_orch_list_unref (GstOrchList * list)
{
  if (!g_atomic_int_dec_and_test (&list->refs))
    return;
  g_array_unref (list->elements);
  g_ptr_array_unref (list->caps);
  g_clear_pointer (&list->failures, g_array_unref);
  g_free (list);
}

/* (transfer none): `caps`, kept for as long as the list */
static GstCaps *
keep_caps (GstOrchList * list, GstCaps * caps)
{
  guint n = list->caps->len;

  if (caps && (n == 0 || g_ptr_array_index (list->caps, n - 1) != caps))
    g_ptr_array_add (list->caps, gst_caps_ref (caps));
  return caps;
}

/**
 * gst_orch_list_append:
 * @list: a #GstOrchList
 * @buffer: (transfer full): the value
 * @caps: (transfer none): its caps
 * @info: (transfer full) (nullable): what to say of it; the field "fragment"
 *   (a string such as "page=4") names the child within its parent
 *
 * Since: 0.1
 */
void
gst_orch_list_append (GstOrchList * list, GstBuffer * buffer, GstCaps * caps,
    GstStructure * info)
{
  GstOrchListElement element = { list->elements->len,
    GST_ORCH_OUTCOME_PRESENT, buffer, keep_caps (list, caps), NULL, info
  };

  g_array_append_val (list->elements, element);
}

/**
 * gst_orch_list_append_failed:
 * @list: a #GstOrchList
 * @cause: (transfer full): why
 * @info: (transfer full) (nullable): what to say of it
 *
 * A child that exists, but whose Item failed (semantics S3.1).
 *
 * Since: 0.1
 */
void
gst_orch_list_append_failed (GstOrchList * list, GstOrchCause * cause,
    GstStructure * info)
{
  GstOrchListElement element = { list->elements->len,
    GST_ORCH_OUTCOME_FAILED, NULL, NULL, cause, info
  };

  g_array_append_val (list->elements, element);
}

/**
 * gst_orch_list_append_dropped:
 * @list: a #GstOrchList
 * @cause: (transfer full) (nullable): why
 *
 * A child that exists, but whose Item is dropped (semantics S3.1).
 *
 * Since: 0.1
 */
void
gst_orch_list_append_dropped (GstOrchList * list, GstOrchCause * cause)
{
  GstOrchListElement element = { list->elements->len,
    GST_ORCH_OUTCOME_DROPPED, NULL, NULL, cause, NULL
  };

  g_array_append_val (list->elements, element);
}

/**
 * gst_orch_list_append_element:
 * @list: a #GstOrchList
 * @element: (transfer none): an element; its parts are shared or copied
 *
 * Since: 0.1
 */
void
gst_orch_list_append_element (GstOrchList * list,
    const GstOrchListElement * element)
{
  GstOrchListElement copy = *element;

  if (copy.buffer)
    gst_buffer_ref (copy.buffer);
  keep_caps (list, copy.caps);
  if (copy.cause)
    orch_cause_ref (copy.cause);
  if (copy.info)
    copy.info = gst_structure_copy (copy.info);
  g_array_append_val (list->elements, copy);
}

/**
 * gst_orch_list_get_size:
 * @list: a #GstOrchList
 *
 * Returns: the number of elements
 *
 * Since: 0.1
 */
guint
gst_orch_list_get_size (GstOrchList * list)
{
  return list->elements->len;
}

/**
 * gst_orch_list_get:
 * @list: a #GstOrchList
 * @index: 0 .. size - 1
 *
 * Returns: (transfer none): the element
 *
 * Since: 0.1
 */
const GstOrchListElement *
gst_orch_list_get (GstOrchList * list, guint index)
{
  g_return_val_if_fail (index < list->elements->len, NULL);
  return &g_array_index (list->elements, GstOrchListElement, index);
}

gboolean
gst_orch_list_take_element (GstOrchList * list, guint index,
    GstOrchListElement * element)
{
  GstOrchListElement *own =
      &g_array_index (list->elements, GstOrchListElement, index);

  *element = *own;
  /* Nobody else can come to hold a list that we alone hold. */
  if (g_atomic_int_get (&list->refs) == 1) {
    own->buffer = NULL;
    own->cause = NULL;
    own->info = NULL;
    return TRUE;
  }
  if (element->buffer)
    gst_buffer_ref (element->buffer);
  if (element->cause)
    orch_cause_ref (element->cause);
  if (element->info)
    element->info = gst_structure_copy (element->info);
  return FALSE;
}

void
gst_orch_list_append_take (GstOrchList * list,
    const GstOrchListElement * element)
{
  keep_caps (list, element->caps);
  g_array_append_vals (list->elements, element, 1);
}

/**
 * gst_orch_list_set_counts:
 * @list: a #GstOrchList
 * @counts: (transfer none): what became of the members
 *
 * Since: 0.1
 */
void
gst_orch_list_set_counts (GstOrchList * list, const GstOrchListCounts * counts)
{
  list->counts = *counts;
  list->has_counts = TRUE;
}

/**
 * gst_orch_list_get_counts:
 * @list: a #GstOrchList
 *
 * Returns: (transfer none) (nullable): what became of the members of a list
 *   that a reduce made; %NULL for other lists
 *
 * Since: 0.1
 */
const GstOrchListCounts *
gst_orch_list_get_counts (GstOrchList * list)
{
  return list->has_counts ? &list->counts : NULL;
}

/**
 * gst_orch_list_add_failure:
 * @list: a #GstOrchList
 * @entity: (transfer none): what failed
 * @outcome: how
 * @cause: (transfer none) (nullable): why
 * @fragment: (nullable): how it is named within its parent, the field "fragment"
 *   of its info
 *
 * Since: 0.1
 */
void
gst_orch_list_add_failure (GstOrchList * list, GstOrchEntity * entity,
    GstOrchOutcome outcome, GstOrchCause * cause, const gchar * fragment)
{
  GstOrchListFailure failure = { orch_entity_ref (entity), outcome,
    cause ? orch_cause_ref (cause) : NULL, g_strdup (fragment)
  };

  if (!list->failures)
    list->failures = new_failures ();
  g_array_append_val (list->failures, failure);
}

/**
 * gst_orch_list_get_n_failures:
 * @list: a #GstOrchList
 *
 * Returns: the number of failures listed, those below its elements included
 *
 * Since: 0.1
 */
guint
gst_orch_list_get_n_failures (GstOrchList * list)
{
  return list->failures ? list->failures->len : 0;
}

/**
 * gst_orch_list_get_failure:
 * @list: a #GstOrchList
 * @index: 0 .. n - 1, in path order
 *
 * Returns: (transfer none): a failure
 *
 * Since: 0.1
 */
const GstOrchListFailure *
gst_orch_list_get_failure (GstOrchList * list, guint index)
{
  g_return_val_if_fail (index < gst_orch_list_get_n_failures (list), NULL);
  return &g_array_index (list->failures, GstOrchListFailure, index);
}

static gint
compare_failures (gconstpointer a, gconstpointer b)
{
  return orch_entity_compare (((const GstOrchListFailure *) a)->entity,
      ((const GstOrchListFailure *) b)->entity);
}

/* Is it among those of its Entity, which stand last? */
static gboolean
is_listed (GArray * failures, const GstOrchListFailure * failure)
{
  guint i;

  for (i = failures->len; i > 0; i--) {
    const GstOrchListFailure *other =
        &g_array_index (failures, GstOrchListFailure, i - 1);

    if (compare_failures (other, failure) != 0)
      return FALSE;
    if (orch_cause_equal (other->cause, failure->cause))
      return TRUE;
  }
  return FALSE;
}

/* Those of several values of the same children, which may say the same. */
static void
merge_failures (GstOrchList * list)
{
  GArray *all = list->failures;
  guint i;

  list->failures = new_failures ();
  g_array_sort (all, compare_failures);
  for (i = 0; i < all->len; i++) {
    GstOrchListFailure *failure = &g_array_index (all, GstOrchListFailure, i);

    if (is_listed (list->failures, failure))
      failure_clear (failure);
    else
      g_array_append_vals (list->failures, failure, 1);
  }
  g_array_set_clear_func (all, NULL);
  g_array_unref (all);
}

/* FALSE: the one with that number comes before the one ahead of it. */
static gboolean
is_in_order (GstOrchList * list, guint i)
{
  return i == 0 || i >= gst_orch_list_get_n_failures (list)
      || compare_failures (gst_orch_list_get_failure (list, i - 1),
      gst_orch_list_get_failure (list, i)) < 0;
}

void
gst_orch_list_inherit_failures (GstOrchList * list, GstOrchList * part)
{
  guint n_own = gst_orch_list_get_n_failures (list);
  guint i, n = part ? gst_orch_list_get_n_failures (part) : 0;

  for (i = 0; i < n; i++) {
    const GstOrchListFailure *failure = gst_orch_list_get_failure (part, i);

    gst_orch_list_add_failure (list, failure->entity, failure->outcome,
        failure->cause, failure->fragment);
  }
  if (!is_in_order (list, n_own))
    merge_failures (list);
}

GstOrchList *
gst_orch_list_copy (GstOrchList * list)
{
  guint i, n = gst_orch_list_get_size (list);
  GstOrchList *copy = gst_orch_list_new_sized (n);

  for (i = 0; i < n; i++)
    gst_orch_list_append_element (copy, gst_orch_list_get (list, i));
  return copy;
}

void
gst_orch_list_clear_elements (GstOrchList * list)
{
  g_array_set_size (list->elements, 0);
  g_ptr_array_set_size (list->caps, 0);
}

/* ---- on buffers ---- */

GType
gst_orch_list_meta_api_get_type (void)
{
  static GType type = 0;
  static const gchar *tags[] = { NULL };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        gst_meta_api_type_register ("GstOrchListMetaAPI", tags));
  return type;
}

static gboolean
gst_orch_list_meta_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  ((GstOrchListMeta *) meta)->list = NULL;
  return TRUE;
}

static void
gst_orch_list_meta_free (GstMeta * meta, GstBuffer * buffer)
{
  g_clear_pointer (&((GstOrchListMeta *) meta)->list, gst_orch_list_unref);
}

void
gst_orch_list_meta_add (GstBuffer * buffer, GstOrchList * list)
{
  GstOrchListMeta *self = (GstOrchListMeta *) gst_buffer_add_meta (buffer,
      GST_ORCH_LIST_META_INFO, NULL);

  self->list = list;
}

static gboolean
gst_orch_list_meta_transform (GstBuffer * transbuf, GstMeta * meta,
    GstBuffer * buffer, GQuark type, gpointer data)
{
  GstOrchListMeta *self = (GstOrchListMeta *) meta;

  if (GST_META_TRANSFORM_IS_COPY (type) && self->list)
    gst_orch_list_meta_add (transbuf, gst_orch_list_ref (self->list));
  return TRUE;
}

const GstMetaInfo *
gst_orch_list_meta_get_info (void)
{
  static const GstMetaInfo *info = NULL;

  if (g_once_init_enter ((GstMetaInfo **) & info)) {
    const GstMetaInfo *registered =
        gst_meta_register (GST_ORCH_LIST_META_API_TYPE, "GstOrchListMeta",
        sizeof (GstOrchListMeta), gst_orch_list_meta_init,
        gst_orch_list_meta_free, gst_orch_list_meta_transform);

    g_once_init_leave ((GstMetaInfo **) & info, (GstMetaInfo *) registered);
  }
  return info;
}

/**
 * gst_buffer_get_orch_list_meta:
 * @buffer: a #GstBuffer
 *
 * Returns: (transfer none) (nullable): the meta that carries a list
 *
 * Since: 0.1
 */
GstOrchListMeta *
gst_buffer_get_orch_list_meta (GstBuffer * buffer)
{
  return (GstOrchListMeta *) gst_buffer_get_meta (buffer,
      GST_ORCH_LIST_META_API_TYPE);
}

/**
 * gst_orch_list_buffer_new:
 * @list: (transfer full): a #GstOrchList, not changed any more
 *
 * Returns: (transfer full): a buffer that carries it, of caps
 *   #GST_ORCH_LIST_CAPS
 *
 * Since: 0.1
 */
GstBuffer *
gst_orch_list_buffer_new (GstOrchList * list)
{
  GstBuffer *buffer = gst_buffer_new ();

  gst_orch_list_meta_add (buffer, list);
  return buffer;
}

/**
 * gst_orch_buffer_get_list:
 * @buffer: a #GstBuffer
 *
 * Returns: (transfer none) (nullable): the list that @buffer carries
 *
 * Since: 0.1
 */
GstOrchList *
gst_orch_buffer_get_list (GstBuffer * buffer)
{
  GstOrchListMeta *meta = gst_buffer_get_orch_list_meta (buffer);

  return meta ? meta->list : NULL;
}
