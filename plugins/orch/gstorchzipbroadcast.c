/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchzip-private.h"

/* A pad whose Domain is an ancestor of the rows' Domain: each of its Items is seen
 * by every descendant (S3.5), whichever comes first.
 *
 * What it says of an Entity hangs on the Expansion below that Entity, and is freed
 * with it.  Until both are known it is in the table of its pad. */

typedef struct
{
  gint refs;                    /* atomic: Expansions are freed anywhere */
  OrchEntity *entity;
  gboolean known;
  gboolean attached;
  GstOrchZipValue value;
  GPtrArray *rows;              /* GstOrchZipRow that wait for it */
} Ancestor;

static void
ancestor_unref (gpointer data)
{
  Ancestor *ancestor = data;

  if (!g_atomic_int_dec_and_test (&ancestor->refs))
    return;
  orch_entity_unref (ancestor->entity);
  gst_orch_zip_value_clear (&ancestor->value);
  g_ptr_array_unref (ancestor->rows);
  g_free (ancestor);
}

static Ancestor *
ancestor_new (OrchEntity * entity)
{
  Ancestor *ancestor = g_new0 (Ancestor, 1);

  ancestor->refs = 1;
  ancestor->entity = orch_entity_ref (entity);
  ancestor->rows = g_ptr_array_new_with_free_func (gst_orch_zip_row_unref);
  return ancestor;
}

/* Rows that wait lead back to it. */
static void
free_table (gpointer data)
{
  GHashTable *table = data;
  GHashTableIter iter;
  gpointer ancestor;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, NULL, &ancestor))
    g_ptr_array_set_size (((Ancestor *) ancestor)->rows, 0);
  g_hash_table_unref (table);
}

void
gst_orch_zip_ancestors_init (GstOrchZipInput * input)
{
  g_clear_pointer (&input->ancestors, free_table);
  input->ancestors = gst_orch_zip_entity_table_new (ancestor_unref);
  input->key = orch_expansion_new_key ();
}

void
gst_orch_zip_ancestors_clear (GstOrchZipInput * input)
{
  g_clear_pointer (&input->ancestors, free_table);
}

static Ancestor *
get_ancestor (GstOrchZipInput * input, OrchEntity * entity)
{
  Ancestor *ancestor = g_hash_table_lookup (input->ancestors, entity);

  if (ancestor)
    return ancestor;
  ancestor = ancestor_new (entity);
  g_hash_table_insert (input->ancestors, ancestor->entity, ancestor);
  if (input->drained)
    gst_orch_subscriber_miss (input->subscriber, entity);
  return ancestor;
}

/* Once it is known and hangs on its Expansion, that alone keeps it. */
static void
forget_if_settled (GstOrchZipInput * input, Ancestor * ancestor)
{
  if (ancestor->known && ancestor->attached)
    g_hash_table_remove (input->ancestors, ancestor->entity);
}

/* That of the parent of `expansion`, which is of the pad's Domain. */
static Ancestor *
get_parent_of (GstOrchZipInput * input, OrchExpansion * expansion)
{
  Ancestor *ancestor = orch_expansion_get_attached (expansion, input->key);

  if (ancestor)
    return ancestor;
  ancestor = get_ancestor (input, orch_expansion_get_parent (expansion));
  g_atomic_int_inc (&ancestor->refs);
  orch_expansion_attach (expansion, input->key, ancestor, ancestor_unref);
  ancestor->attached = TRUE;
  forget_if_settled (input, ancestor);
  return ancestor;
}

static void
settle_row (GstOrchZip * self, GstOrchZipRow * row, guint index,
    Ancestor * ancestor)
{
  GstOrchZipValue value;

  gst_orch_zip_value_copy (&value, &ancestor->value);
  value.outcome = orch_rule_broadcast (value.outcome);
  gst_orch_zip_settle (self, row, index, &value);
}

void
gst_orch_zip_look_up (GstOrchZip * self, GstOrchZipInput * input,
    GstOrchZipRow * row, guint index)
{
  guint depth = orch_domain_get_depth (input->domain) + 1;
  OrchEntity *entity = row->entity;
  Ancestor *ancestor;

  while (orch_domain_get_depth (orch_entity_get_domain (entity)) > depth)
    entity = orch_entity_get_parent (entity);
  ancestor = get_parent_of (input, entity->expansion);
  if (ancestor->known)
    settle_row (self, row, index, ancestor);
  else
    g_ptr_array_add (ancestor->rows, gst_orch_zip_row_ref (row));
}

void
gst_orch_zip_enter_ancestor (GstOrchZip * self, GstOrchZipInput * input,
    OrchEntity * entity, GstOrchZipValue * value)
{
  Ancestor *ancestor = get_ancestor (input, entity);
  guint i, index;

  g_atomic_int_inc (&ancestor->refs);
  ancestor->known = TRUE;
  ancestor->value = *value;
  g_ptr_array_find (gst_orch_zip_get_private (self)->row_inputs, input, &index);
  for (i = 0; i < ancestor->rows->len; i++)
    settle_row (self, g_ptr_array_index (ancestor->rows, i), index, ancestor);
  g_ptr_array_set_size (ancestor->rows, 0);
  forget_if_settled (input, ancestor);
  ancestor_unref (ancestor);
}

void
gst_orch_zip_drain_ancestors (GstOrchZip * self, GstOrchZipInput * input)
{
  GHashTableIter iter;
  gpointer entity, ancestor;

  g_hash_table_iter_init (&iter, input->ancestors);
  while (g_hash_table_iter_next (&iter, &entity, &ancestor))
    if (!((Ancestor *) ancestor)->known)
      gst_orch_subscriber_miss (input->subscriber, entity);
}

/* ---- Expansions ---- */

/* What was said of its parent need not be remembered otherwise. */
static void
hang_on (GstOrchZip * self, OrchExpansion * expansion)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  OrchEntity *parent = orch_expansion_get_parent (expansion);
  guint i;

  for (i = 0; parent && i < priv->row_inputs->len; i++) {
    GstOrchZipInput *input = g_ptr_array_index (priv->row_inputs, i);

    if (input->domain != priv->domain
        && input->domain == orch_entity_get_domain (parent))
      get_parent_of (input, expansion);
  }
}

/* Each pad may bring it. */
void
gst_orch_zip_pass_expansion (GstOrchZip * self, OrchExpansion * expansion)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);

  if (orch_expansion_get_attached (expansion, priv->key))
    return;
  orch_expansion_attach (expansion, priv->key, self, NULL);
  gst_orch_port_post_expansion (priv->output.port, expansion);
  gst_pad_push_event (priv->srcpad, gst_orch_event_new_expansion (expansion));
  hang_on (self, expansion);
}
