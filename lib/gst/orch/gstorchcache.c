/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include <gst/orch/gstorchcache.h>

#include "gstorchtoken-private.h"

typedef struct
{
  GstOrchToken *token;
  gpointer value;
} Entry;

struct _GstOrchCache
{
  gatomicrefcount refs;
  GDestroyNotify free_value;
  GQueue entries;               /* of Entry, the last used one first */
};

G_DEFINE_BOXED_TYPE (GstOrchCache, gst_orch_cache, gst_orch_cache_ref,
    gst_orch_cache_unref);

/* ---- entries ---- */

static void
entry_free (GstOrchCache * cache, Entry * entry)
{
  gst_orch_token_unref (entry->token);
  cache->free_value (entry->value);
  g_free (entry);
}

static void
close_gone (GstOrchCache * cache)
{
  GList *link = cache->entries.head;

  while (link) {
    GList *next = link->next;
    Entry *entry = link->data;

    if (gst_orch_token_is_gone (entry->token)) {
      g_queue_delete_link (&cache->entries, link);
      entry_free (cache, entry);
    }
    link = next;
  }
}

/**
 * gst_orch_cache_new: (skip)
 * @free_value: closes a value
 *
 * Returns: (transfer full): an empty cache
 *
 * Since: 0.1
 */
GstOrchCache *
gst_orch_cache_new (GDestroyNotify free_value)
{
  GstOrchCache *cache;

  g_return_val_if_fail (free_value != NULL, NULL);

  cache = g_new0 (GstOrchCache, 1);
  g_atomic_ref_count_init (&cache->refs);
  cache->free_value = free_value;
  g_queue_init (&cache->entries);
  return cache;
}

/**
 * gst_orch_cache_ref:
 * @cache: a #GstOrchCache
 *
 * Returns: (transfer full): @cache
 *
 * Since: 0.1
 */
GstOrchCache *
gst_orch_cache_ref (GstOrchCache * cache)
{
  g_atomic_ref_count_inc (&cache->refs);
  return cache;
}

/**
 * gst_orch_cache_unref:
 * @cache: (transfer full): a #GstOrchCache, whose values are closed with its
 *   last reference
 *
 * Since: 0.1
 */
void
gst_orch_cache_unref (GstOrchCache * cache)
{
  if (!g_atomic_ref_count_dec (&cache->refs))
    return;
  gst_orch_cache_shrink (cache, 0);
  g_free (cache);
}

/**
 * gst_orch_cache_lookup: (skip)
 * @cache: a #GstOrchCache
 * @buffer: a document
 *
 * Closes what belongs to buffers that are gone, and looks for the value of
 * @buffer, which becomes the last used one.
 *
 * Returns: (transfer none) (nullable): the value of @buffer, good until the next
 *   call
 *
 * Since: 0.1
 */
gpointer
gst_orch_cache_lookup (GstOrchCache * cache, GstBuffer * buffer)
{
  GstOrchToken *token = gst_orch_token_ref_for (buffer);
  gpointer value = NULL;
  GList *link;

  close_gone (cache);
  for (link = cache->entries.head; link && !value; link = link->next) {
    Entry *entry = link->data;

    if (entry->token == token) {
      g_queue_unlink (&cache->entries, link);
      g_queue_push_head_link (&cache->entries, link);
      value = entry->value;
    }
  }
  gst_orch_token_unref (token);
  return value;
}

/**
 * gst_orch_cache_insert: (skip)
 * @cache: a #GstOrchCache
 * @buffer: a document that has no value there
 * @value: (transfer full): its value
 *
 * Since: 0.1
 */
void
gst_orch_cache_insert (GstOrchCache * cache, GstBuffer * buffer, gpointer value)
{
  Entry *entry = g_new (Entry, 1);

  entry->token = gst_orch_token_ref_for (buffer);
  entry->value = value;
  g_queue_push_head (&cache->entries, entry);
}

/**
 * gst_orch_cache_shrink:
 * @cache: a #GstOrchCache
 * @n: how many values may stay
 *
 * Closes the least recently used values.
 *
 * Since: 0.1
 */
void
gst_orch_cache_shrink (GstOrchCache * cache, guint n)
{
  while (cache->entries.length > n)
    entry_free (cache, g_queue_pop_tail (&cache->entries));
}

/**
 * gst_orch_cache_get_size:
 * @cache: a #GstOrchCache
 *
 * Returns: how many values it has
 *
 * Since: 0.1
 */
guint
gst_orch_cache_get_size (GstOrchCache * cache)
{
  return cache->entries.length;
}
