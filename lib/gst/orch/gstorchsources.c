/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchsources-private.h"
#include "gstorchtoken-private.h"

/* Documents that a worker keeps at most; its Functions may keep fewer open. */
#define MAX_ENTRIES 256

typedef struct
{
  GstOrchToken *token;
  GList link;                   /* in `order` */
} Entry;

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  gst_orch_token_unref (entry->token);
  g_slice_free (Entry, entry);
}

static GHashTable *
new_held (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
      (GDestroyNotify) gst_buffer_unref);
}

static GArray *
new_ids (void)
{
  return g_array_new (FALSE, FALSE, sizeof (guint64));
}

/* ---- one message ---- */

void
gst_orch_mention_init (GstOrchMention * mention)
{
  mention->held = new_held ();
  mention->told = new_ids ();
  mention->forget = new_ids ();
}

void
gst_orch_mention_clear (GstOrchMention * mention)
{
  g_clear_pointer (&mention->held, g_hash_table_unref);
  g_clear_pointer (&mention->told, g_array_unref);
  g_clear_pointer (&mention->forget, g_array_unref);
}

GstBuffer *
gst_orch_mention_get (GstOrchMention * mention, guint64 id)
{
  GstBuffer *buffer = g_hash_table_lookup (mention->held, &id);

  return buffer ? gst_buffer_ref (buffer) : NULL;
}

/* ---- what the worker has ---- */

void
gst_orch_sources_init (GstOrchSources * sources)
{
  sources->entries = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL,
      entry_free);
  g_queue_init (&sources->order);
  sources->forget = new_ids ();
}

void
gst_orch_sources_clear (GstOrchSources * sources)
{
  g_clear_pointer (&sources->entries, g_hash_table_unref);
  g_queue_init (&sources->order);
  g_clear_pointer (&sources->forget, g_array_unref);
}

static void
forget (GstOrchSources * sources, Entry * entry)
{
  g_array_append_val (sources->forget, entry->token->id);
  g_queue_unlink (&sources->order, &entry->link);
  g_hash_table_remove (sources->entries, &entry->token->id);
}

/* What this batch needs stays, however much that is. */
static void
make_room (GstOrchSources * sources, GstOrchMention * mention)
{
  Entry *last = g_queue_peek_tail (&sources->order);

  if (sources->order.length >= MAX_ENTRIES
      && !g_hash_table_contains (mention->held, &last->token->id))
    forget (sources, last);
}

/* It was to be let go of, and is needed again before that was said. */
static void
remember (GstOrchSources * sources, guint64 id)
{
  guint i;

  for (i = 0; i < sources->forget->len; i++)
    if (g_array_index (sources->forget, guint64, i) == id)
      g_array_remove_index_fast (sources->forget, i--);
}

static Entry *
add_entry (GstOrchSources * sources, GstOrchMention * mention,
    GstOrchToken * token)
{
  Entry *entry = g_slice_new0 (Entry);

  make_room (sources, mention);
  remember (sources, token->id);
  entry->token = token;
  entry->link.data = entry;
  g_hash_table_insert (sources->entries, &token->id, entry);
  g_array_append_val (mention->told, token->id);
  return entry;
}

gboolean
gst_orch_sources_add (GstOrchSources * sources, GstOrchMention * mention,
    GstBuffer * buffer, guint64 * id)
{
  GstOrchToken *token = gst_orch_token_ref_for (buffer);
  Entry *entry = g_hash_table_lookup (sources->entries, &token->id);
  gboolean is_known = entry != NULL;

  *id = token->id;
  if (is_known) {
    g_queue_unlink (&sources->order, &entry->link);
    gst_orch_token_unref (token);
  } else {
    entry = add_entry (sources, mention, token);
  }
  g_queue_push_head_link (&sources->order, &entry->link);
  if (!g_hash_table_contains (mention->held, id)) {
    guint64 *key = g_new (guint64, 1);

    *key = *id;
    g_hash_table_insert (mention->held, key, gst_buffer_ref (buffer));
  }
  return is_known;
}

/* Documents that nobody has any more. */
static void
forget_gone (GstOrchSources * sources)
{
  GList *link, *next;

  for (link = sources->order.head; link; link = next) {
    Entry *entry = link->data;

    next = link->next;
    if (gst_orch_token_is_gone (entry->token))
      forget (sources, entry);
  }
}

void
gst_orch_sources_end (GstOrchSources * sources, GstOrchMention * mention)
{
  GArray *said = mention->forget;

  forget_gone (sources);
  mention->forget = sources->forget;
  sources->forget = said;
  g_array_set_size (said, 0);
}

void
gst_orch_sources_take_back (GstOrchSources * sources, GstOrchMention * mention)
{
  GArray *told = mention->told, *said = mention->forget;
  guint i;

  for (i = 0; i < told->len; i++) {
    Entry *entry = g_hash_table_lookup (sources->entries,
        &g_array_index (told, guint64, i));

    /* It may have it from before. */
    if (entry)
      forget (sources, entry);
  }
  g_array_append_vals (sources->forget, said->data, said->len);
}
