/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-expansion-private.h"

struct _OrchAttachment
{
  OrchAttachment *next;
  gpointer key;
  gpointer data;
  GDestroyNotify destroy;
};

/* How many Entities of a list are made at once. */
#define CHUNK_SIZE 64

struct _OrchEntityChunk
{
  OrchEntityChunk *next;
  guint n_used;
  guint n;
  OrchEntity entities[];
};

OrchExpansion *
orch_expansion_new (OrchDomain * domain, OrchEntity * parent)
{
  static guint64 last_serial;
  OrchExpansion *expansion = g_slice_new0 (OrchExpansion);

  expansion->refs = 1;
  expansion->serial = __atomic_add_fetch (&last_serial, 1, __ATOMIC_RELAXED);
  expansion->domain = orch_domain_ref (domain);
  expansion->parent = parent ? orch_entity_ref (parent) : NULL;
  return expansion;
}

OrchExpansion *
orch_expansion_ref (OrchExpansion * expansion)
{
  orch_refs_take (&expansion->refs);
  return expansion;
}

static void
free_attachments (OrchAttachment * attachment)
{
  while (attachment) {
    OrchAttachment *next = attachment->next;

    if (attachment->destroy)
      attachment->destroy (attachment->data);
    g_slice_free (OrchAttachment, attachment);
    attachment = next;
  }
}

static void
free_chunks (OrchEntityChunk * chunk)
{
  while (chunk) {
    OrchEntityChunk *next = chunk->next;

    g_free (chunk);
    chunk = next;
  }
}

OrchEntity *
orch_expansion_finalize (OrchExpansion * expansion)
{
  OrchEntity *parent = expansion->parent;

  free_attachments (expansion->attached);
  free_chunks (expansion->chunks);
  if (expansion->entity_freed_destroy)
    expansion->entity_freed_destroy (expansion->entity_freed_data);
  if (expansion->data_destroy)
    expansion->data_destroy (expansion->data);
  if (expansion->skipped) {
    orch_ordinal_set_clear (expansion->skipped);
    g_free (expansion->skipped);
  }
  orch_cause_unref (expansion->cause);
  orch_domain_unref (expansion->domain);
  g_slice_free (OrchExpansion, expansion);
  return parent;
}

void
orch_expansion_unref (OrchExpansion * expansion)
{
  if (expansion && orch_refs_drop (&expansion->refs))
    orch_entity_unref (orch_expansion_finalize (expansion));
}

void
orch_expansion_set_entity_freed (OrchExpansion * expansion,
    OrchEntityFreed func, gpointer user_data, GDestroyNotify destroy)
{
  g_return_if_fail (!expansion->entity_freed);
  g_return_if_fail (expansion->n_handed_out == 0);

  expansion->entity_freed = func;
  expansion->entity_freed_data = user_data;
  expansion->entity_freed_destroy = destroy;
}

void
orch_expansion_set_data (OrchExpansion * expansion, gpointer data,
    GDestroyNotify destroy)
{
  g_return_if_fail (!expansion->data);

  expansion->data = data;
  expansion->data_destroy = destroy;
}

gpointer
orch_expansion_get_data (const OrchExpansion * expansion)
{
  return expansion->data;
}

OrchDomain *
orch_expansion_get_domain (const OrchExpansion * expansion)
{
  return expansion->domain;
}

OrchEntity *
orch_expansion_get_parent (const OrchExpansion * expansion)
{
  return expansion->parent;
}

OrchExpansion *
orch_expansion_get_above (const OrchExpansion * expansion)
{
  return expansion->parent ? expansion->parent->expansion : NULL;
}

/* ---- publishing: one owner writes, any thread reads ---- */

static void
set_n_children (OrchExpansion * expansion, guint64 n)
{
  __atomic_store_n (&expansion->n_children, n, __ATOMIC_RELAXED);
}

static void
set_state (OrchExpansion * expansion, OrchExpansionState state)
{
  __atomic_store_n (&expansion->state, state, __ATOMIC_RELEASE);
}

/* A list may be open for long but not without end, so its Entities share their
 * memory until it goes. */
static OrchEntity *
new_in_chunk (OrchExpansion * expansion)
{
  OrchEntityChunk *chunk = expansion->chunks;
  OrchEntity *entity;

  if (!chunk || chunk->n_used == chunk->n) {
    guint n = MIN (CHUNK_SIZE, expansion->n_children - expansion->n_handed_out);

    chunk = g_malloc (sizeof (OrchEntityChunk) + n * sizeof (OrchEntity));
    chunk->n = n;
    chunk->n_used = 0;
    chunk->next = expansion->chunks;
    expansion->chunks = chunk;
  }
  entity = &chunk->entities[chunk->n_used++];
  orch_entity_init (entity, expansion, expansion->n_handed_out++, TRUE);
  return entity;
}

OrchEntity *
orch_expansion_next_child (OrchExpansion * expansion)
{
  if (expansion->state == ORCH_EXPANSION_OPEN
      && expansion->n_handed_out == expansion->n_children)
    set_n_children (expansion, expansion->n_children + 1);
  if (expansion->n_handed_out == expansion->n_children)
    return NULL;
  if (expansion->state != ORCH_EXPANSION_OPEN)
    return new_in_chunk (expansion);
  return orch_entity_new (expansion, expansion->n_handed_out++);
}

void
orch_expansion_skip_child (OrchExpansion * expansion)
{
  g_return_if_fail (expansion->state == ORCH_EXPANSION_OPEN);

  g_bit_lock (&expansion->skipped_lock, 0);
  if (!expansion->skipped) {
    expansion->skipped = g_new (OrchOrdinalSet, 1);
    orch_ordinal_set_init (expansion->skipped);
  }
  orch_ordinal_set_add (expansion->skipped, expansion->n_handed_out++);
  g_bit_unlock (&expansion->skipped_lock, 0);
  set_n_children (expansion, expansion->n_handed_out);
}

gboolean
orch_expansion_is_skipped (OrchExpansion * expansion, guint64 ordinal)
{
  gboolean result;

  g_bit_lock (&expansion->skipped_lock, 0);
  result = expansion->skipped
      && orch_ordinal_set_contains (expansion->skipped, ordinal);
  g_bit_unlock (&expansion->skipped_lock, 0);
  return result;
}

gboolean
orch_expansion_succeed_with (OrchExpansion * expansion, guint64 n_children)
{
  if (expansion->state != ORCH_EXPANSION_OPEN)
    return expansion->state == ORCH_EXPANSION_SUCCEEDED
        && expansion->n_children == n_children;
  if (n_children < expansion->n_children)
    return FALSE;

  set_n_children (expansion, n_children);
  set_state (expansion, ORCH_EXPANSION_SUCCEEDED);
  return TRUE;
}

gboolean
orch_expansion_publish (OrchExpansion * expansion, OrchExpansionState state,
    OrchCause * cause)
{
  if (state == ORCH_EXPANSION_OPEN)
    return FALSE;
  if (expansion->state != ORCH_EXPANSION_OPEN)
    return expansion->state == (gint) state;
  if (state == ORCH_EXPANSION_DROPPED && expansion->n_children > 0)
    return FALSE;

  expansion->cause = cause ? orch_cause_ref (cause) : NULL;
  set_state (expansion, state);
  return TRUE;
}

OrchExpansionState
orch_expansion_get_state (const OrchExpansion * expansion)
{
  return __atomic_load_n (&expansion->state, __ATOMIC_ACQUIRE);
}

guint64
orch_expansion_get_n_children (const OrchExpansion * expansion)
{
  return __atomic_load_n (&expansion->n_children, __ATOMIC_RELAXED);
}

OrchCause *
orch_expansion_get_cause (const OrchExpansion * expansion)
{
  if (orch_expansion_get_state (expansion) == ORCH_EXPANSION_OPEN)
    return NULL;
  return expansion->cause;
}

OrchExpansionState
orch_expansion_state_from_outcome (OrchOutcome outcome)
{
  switch (outcome) {
    case ORCH_OUTCOME_UNRESOLVED:
      return ORCH_EXPANSION_OPEN;
    case ORCH_OUTCOME_PRESENT:
      return ORCH_EXPANSION_SUCCEEDED;
    case ORCH_OUTCOME_DROPPED:
      return ORCH_EXPANSION_DROPPED;
    default:
      return ORCH_EXPANSION_FAILED;
  }
}

/* ---- what consumers attach ---- */

gpointer
orch_expansion_new_key (void)
{
  static gsize last_key;

  /* odd, as no address of an object is */
  return (gpointer) (__atomic_add_fetch (&last_key, 2, __ATOMIC_RELAXED) + 1);
}

void
orch_expansion_attach (OrchExpansion * expansion, gpointer key, gpointer data,
    GDestroyNotify destroy)
{
  OrchAttachment *attachment = g_slice_new (OrchAttachment);

  attachment->key = key;
  attachment->data = data;
  attachment->destroy = destroy;
  attachment->next = __atomic_load_n (&expansion->attached, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n (&expansion->attached,
          &attachment->next, attachment, TRUE, __ATOMIC_RELEASE,
          __ATOMIC_RELAXED));
}

gpointer
orch_expansion_get_attached (OrchExpansion * expansion, gpointer key)
{
  OrchAttachment *attachment;

  attachment = __atomic_load_n (&expansion->attached, __ATOMIC_ACQUIRE);
  while (attachment && attachment->key != key)
    attachment = attachment->next;
  return attachment ? attachment->data : NULL;
}
