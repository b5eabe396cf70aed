/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchreduce-private.h"

/* order=input: results wait until every parent before them, among the children
 * of the same Expansion, has left.  With the element's lock held. */

typedef struct
{
  guint64 next;                 /* ordinal that may leave */
  GHashTable *waiting;          /* ordinal -> GstOrchReduceResult */
} Row;

static void
row_free (gpointer data)
{
  Row *row = data;

  g_hash_table_unref (row->waiting);
  g_free (row);
}

GHashTable *
gst_orch_reduce_rows_new (void)
{
  return g_hash_table_new_full (NULL, NULL,
      (GDestroyNotify) orch_expansion_unref, row_free);
}

static Row *
get_row (GHashTable * rows, OrchExpansion * expansion)
{
  Row *row = g_hash_table_lookup (rows, expansion);

  if (!row) {
    row = g_new0 (Row, 1);
    row->waiting = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL,
        gst_orch_reduce_result_free);
    g_hash_table_insert (rows, orch_expansion_ref (expansion), row);
  }
  return row;
}

static GstOrchReduceResult *
take (Row * row, guint64 ordinal)
{
  gpointer key, result = NULL;

  /* The key is part of the result. */
  g_hash_table_steal_extended (row->waiting, &ordinal, &key, &result);
  return result;
}

static void
release_ready (Row * row, OrchExpansion * expansion, GQueue * finished)
{
  guint64 n = orch_expansion_get_n_children (expansion);

  for (; row->next < n; row->next++) {
    GstOrchReduceResult *result = take (row, row->next);

    if (result)
      g_queue_push_tail (finished, result);
    else if (!orch_expansion_is_skipped (expansion, row->next))
      return;
  }
}

void
gst_orch_reduce_rows_add (GHashTable * rows, GstOrchReduceResult * result,
    GQueue * finished)
{
  OrchExpansion *expansion = result->parent->expansion;
  Row *row = get_row (rows, expansion);

  g_hash_table_insert (row->waiting, &result->parent->ordinal, result);
  release_ready (row, expansion, finished);
}

/* The parents of one row are all gone: it need not be remembered. */
void
gst_orch_reduce_rows_collect (GHashTable * rows, GPtrArray * garbage)
{
  GHashTableIter iter;
  gpointer expansion, row;

  g_hash_table_iter_init (&iter, rows);
  while (g_hash_table_iter_next (&iter, &expansion, &row))
    if (orch_expansion_get_state (expansion) != ORCH_EXPANSION_OPEN
        && ((Row *) row)->next == orch_expansion_get_n_children (expansion)) {
      gst_orch_reduce_garbage_add_expansion (garbage,
          orch_expansion_ref (expansion));
      g_hash_table_iter_remove (&iter);
    }
}

static gint
compare_results (gconstpointer a, gconstpointer b)
{
  const GstOrchReduceResult *x = *(const GstOrchReduceResult * const *) a;
  const GstOrchReduceResult *y = *(const GstOrchReduceResult * const *) b;

  return orch_entity_compare (x->parent, y->parent);
}

/* At the end of the stream nothing more can come before what waits. */
void
gst_orch_reduce_rows_drain (GHashTable * rows, GQueue * finished)
{
  GPtrArray *left = g_ptr_array_new ();
  GHashTableIter iter, inner;
  gpointer row, result;
  guint i;

  g_hash_table_iter_init (&iter, rows);
  while (g_hash_table_iter_next (&iter, NULL, &row)) {
    g_hash_table_iter_init (&inner, ((Row *) row)->waiting);
    while (g_hash_table_iter_next (&inner, NULL, &result))
      g_ptr_array_add (left, result);
    g_hash_table_steal_all (((Row *) row)->waiting);
  }
  g_ptr_array_sort (left, compare_results);
  for (i = 0; i < left->len; i++)
    g_queue_push_tail (finished, g_ptr_array_index (left, i));
  g_ptr_array_unref (left);
}
