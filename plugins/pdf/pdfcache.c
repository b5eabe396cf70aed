/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdfcache.h"

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
  PdfDocument *document;
} Entry;

struct _PdfCache
{
  GQueue entries;               /* of Entry, the last used one first */
};

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
  GQuark quark = g_quark_from_static_string ("gst-orch-pdf-token");
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
entry_free (Entry * entry)
{
  token_unref (entry->token);
  pdf_document_free (entry->document);
  g_free (entry);
}

PdfCache *
pdf_cache_new (void)
{
  PdfCache *cache = g_new0 (PdfCache, 1);

  g_queue_init (&cache->entries);
  return cache;
}

void
pdf_cache_free (PdfCache * cache)
{
  g_queue_clear_full (&cache->entries, (GDestroyNotify) entry_free);
  g_free (cache);
}

guint
pdf_cache_get_n_open (PdfCache * cache)
{
  return cache->entries.length;
}

static void
close_gone (PdfCache * cache)
{
  GList *link = cache->entries.head;

  while (link) {
    GList *next = link->next;
    Entry *entry = link->data;

    if (g_atomic_int_get (&entry->token->is_gone)) {
      g_queue_delete_link (&cache->entries, link);
      entry_free (entry);
    }
    link = next;
  }
}

static void
close_all_but (PdfCache * cache, guint n)
{
  while (cache->entries.length > n)
    entry_free (g_queue_pop_tail (&cache->entries));
}

static PdfDocument *
find (PdfCache * cache, Token * token)
{
  GList *link;

  for (link = cache->entries.head; link; link = link->next) {
    Entry *entry = link->data;

    if (entry->token == token) {
      g_queue_unlink (&cache->entries, link);
      g_queue_push_head_link (&cache->entries, link);
      return entry->document;
    }
  }
  return NULL;
}

static PdfDocument *
try_open (GstBuffer * buffer, const gchar * password, GError ** error)
{
  g_autoptr (PdfSource) source = pdf_source_from_buffer (buffer, error);
  g_autoptr (PdfDocument) document = NULL;

  if (!source)
    return NULL;
  document = pdf_document_new (source, password);
  if (!pdf_document_get_poppler (document, error))
    return NULL;
  return g_steal_pointer (&document);
}

/* The process may be out of file descriptors, and the cache holds some. */
static PdfDocument *
open_document (PdfCache * cache, GstBuffer * buffer, const gchar * password,
    GError ** error)
{
  g_autoptr (GError) reason = NULL;
  PdfDocument *document = try_open (buffer, password, &reason);

  if (document)
    return document;
  if (cache->entries.length == 0
      || !g_error_matches (reason, PDF_ERROR, PDF_ERROR_IO)) {
    g_propagate_error (error, g_steal_pointer (&reason));
    return NULL;
  }
  close_all_but (cache, 0);
  return try_open (buffer, password, error);
}

PdfDocument *
pdf_cache_get (PdfCache * cache, GstBuffer * buffer, const gchar * password,
    guint max_open, GError ** error)
{
  Token *token = token_ref_for (buffer);
  PdfDocument *document;
  Entry *entry;

  close_gone (cache);
  document = find (cache, token);
  if (document) {
    token_unref (token);
    return document;
  }
  close_all_but (cache, MAX (max_open, 1) - 1);
  document = open_document (cache, buffer, password, error);
  if (!document) {
    token_unref (token);
    return NULL;
  }
  entry = g_new (Entry, 1);
  entry->token = token;
  entry->document = document;
  g_queue_push_head (&cache->entries, entry);
  return document;
}
