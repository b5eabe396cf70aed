/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include <gst/orch/gstorchcache.h>

/* A buffer's address says nothing: another one may be there tomorrow.  So each
 * document buffer gets a token, which all replicas share and which outlives the
 * buffer. */
typedef struct
{
  gatomicrefcount refs;
  gint is_gone;                 /* atomic */
} Token;

typedef struct
{
  Token *token;
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

/* ---- tokens ---- */

static void
token_unref (Token * token)
{
  if (g_atomic_ref_count_dec (&token->refs))
    g_free (token);
}

/* May be called with any lock held, from wherever the buffer dies. */
static void
token_of_gone_buffer (gpointer data)
{
  Token *token = data;

  g_atomic_int_set (&token->is_gone, TRUE);
  token_unref (token);
}

static Token *
token_ref_for (GstBuffer * buffer)
{
  static GMutex lock;
  GQuark quark = g_quark_from_static_string ("gst-orch-cache-token");
  Token *token;

  g_mutex_lock (&lock);
  token = gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (buffer), quark);
  if (!token) {
    token = g_new0 (Token, 1);
    g_atomic_ref_count_init (&token->refs);
    gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (buffer), quark, token,
        token_of_gone_buffer);
  }
  g_atomic_ref_count_inc (&token->refs);
  g_mutex_unlock (&lock);
  return token;
}

/* ---- entries ---- */

static void
entry_free (GstOrchCache * cache, Entry * entry)
{
  token_unref (entry->token);
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

    if (g_atomic_int_get (&entry->token->is_gone)) {
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
  Token *token = token_ref_for (buffer);
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
  token_unref (token);
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

  entry->token = token_ref_for (buffer);
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
