/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchzip-private.h"

/* ---- values ---- */

void
gst_orch_zip_value_clear (GstOrchZipValue * value)
{
  g_clear_pointer (&value->cause, orch_cause_unref);
  g_clear_pointer (&value->info, gst_orch_info_unref);
  gst_clear_buffer (&value->buffer);
  gst_clear_caps (&value->caps);
  gst_clear_event (&value->segment);
}

void
gst_orch_zip_value_copy (GstOrchZipValue * copy, const GstOrchZipValue * value)
{
  *copy = *value;
  if (copy->cause)
    orch_cause_ref (copy->cause);
  gst_orch_info_ref (copy->info);
  if (copy->buffer)
    gst_buffer_ref (copy->buffer);
  if (copy->caps)
    gst_caps_ref (copy->caps);
  if (copy->segment)
    gst_event_ref (copy->segment);
}

/* ---- rows ---- */

static GstOrchZipRow *
row_new (OrchEntity * entity, guint n)
{
  GstOrchZipRow *row = g_malloc0 (sizeof (GstOrchZipRow)
      + n * sizeof (GstOrchZipValue));

  row->entity = orch_entity_ref (entity);
  row->n = n;
  row->values = (GstOrchZipValue *) (row + 1);
  row->refs = 1;
  row->n_open = n;
  return row;
}

GstOrchZipRow *
gst_orch_zip_row_ref (GstOrchZipRow * row)
{
  row->refs++;
  return row;
}

static void
clear_values (GstOrchZipRow * row)
{
  guint i;

  for (i = 0; i < row->n; i++)
    gst_orch_zip_value_clear (&row->values[i]);
}

void
gst_orch_zip_row_unref (gpointer data)
{
  GstOrchZipRow *row = data;

  if (--row->refs > 0)
    return;
  clear_values (row);
  orch_entity_unref (row->entity);
  g_free (row);
}

/* An Expansion that a key holds is alive: its address is it. */
static guint
hash_entity (gconstpointer key)
{
  const OrchEntity *entity = key;

  return g_direct_hash (entity->expansion) * 31 + (guint) entity->ordinal;
}

static gboolean
is_same_entity (gconstpointer a, gconstpointer b)
{
  const OrchEntity *x = a, *y = b;

  return x->expansion == y->expansion && x->ordinal == y->ordinal;
}

GHashTable *
gst_orch_zip_entity_table_new (GDestroyNotify free_value)
{
  return g_hash_table_new_full (hash_entity, is_same_entity, NULL, free_value);
}

/* ---- deciding ---- */

static void
leave (GstOrchZip * self, GstOrchZipRow * row)
{
  GstOrchZipValue result = { ORCH_OUTCOME_UNRESOLVED, };

  GST_ORCH_ZIP_GET_CLASS (self)->decide (self, row, &result);
  if (result.outcome != ORCH_OUTCOME_UNRESOLVED) {
    row->left = TRUE;
    gst_orch_zip_emit (self, row->entity, &result);
    clear_values (row);
  }
  gst_orch_zip_value_clear (&result);
}

/* Decides a row and lets it leave.  It stays until every pad has spoken, else
 * what comes late would open it again. */
static void
check (GstOrchZip * self, GstOrchZipRow * row)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);

  gst_orch_zip_row_ref (row);
  if (!row->left)
    leave (self, row);
  if (row->n_open == 0)
    g_hash_table_remove (priv->rows, row->entity);
  gst_orch_zip_row_unref (row);
}

/* First publication wins (S1.3). */
static void
set_value (GstOrchZipRow * row, guint index, GstOrchZipValue * value)
{
  GstOrchZipValue *place = &row->values[index];

  if (place->outcome != ORCH_OUTCOME_UNRESOLVED) {
    gst_orch_zip_value_clear (value);
    return;
  }
  row->n_open--;
  if (row->left)
    gst_orch_zip_value_clear (value);
  *place = *value;
}

void
gst_orch_zip_settle (GstOrchZip * self, GstOrchZipRow * row, guint index,
    GstOrchZipValue * value)
{
  set_value (row, index, value);
  check (self, row);
}

/* ---- opening ---- */

/* Without an own Item on a pad that has ended there will be none. */
static void
expect (GstOrchZip * self, GstOrchZipInput * input, GstOrchZipRow * row,
    guint index)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);

  if (input->domain && input->domain != priv->domain)
    gst_orch_zip_look_up (self, input, row, index);
  else if (input->drained)
    gst_orch_subscriber_miss (input->subscriber, row->entity);
}

static void
count_entered (GstOrchZipPrivate * priv)
{
  gst_orch_lock (&priv->lock);
  priv->ledger.entered++;
  g_mutex_unlock (&priv->lock);
}

static GstOrchZipRow *
open_row (GstOrchZip * self, OrchEntity * entity, guint first)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  GstOrchZipRow *row = row_new (entity, priv->row_inputs->len);
  guint i;

  count_entered (priv);
  g_hash_table_insert (priv->rows, row->entity, row);
  for (i = 0; i < row->n; i++)
    if (i != first)
      expect (self, g_ptr_array_index (priv->row_inputs, i), row, i);
  return row;
}

/* With one pad there is nothing to wait for. */
static void
pass_alone (GstOrchZip * self, OrchEntity * entity, GstOrchZipValue * value)
{
  GstOrchZipRow row = { entity, 1, value, };
  GstOrchZipValue result = { ORCH_OUTCOME_UNRESOLVED, };

  count_entered (gst_orch_zip_get_private (self));
  GST_ORCH_ZIP_GET_CLASS (self)->decide (self, &row, &result);
  gst_orch_zip_value_clear (value);
  gst_orch_zip_emit (self, entity, &result);
  gst_orch_zip_value_clear (&result);
}

static gboolean
find_index (GstOrchZip * self, GstOrchZipInput * input, guint * index)
{
  return g_ptr_array_find (gst_orch_zip_get_private (self)->row_inputs, input,
      index);
}

void
gst_orch_zip_enter (GstOrchZip * self, GstOrchZipInput * input,
    OrchEntity * entity, GstOrchZipValue * value)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  GstOrchZipRow *row;
  guint index;

  /* A Domain may only be known by its first Entity. */
  if (priv->pushed != GST_FLOW_OK
      || (orch_entity_get_domain (entity) != input->domain
          && !gst_orch_zip_read_domains (self))) {
    gst_orch_zip_value_clear (value);
    return;
  }
  if (!find_index (self, input, &index)) {
    gst_orch_zip_value_clear (value);
  } else if (priv->row_inputs->len == 1) {
    pass_alone (self, entity, value);
  } else if (orch_entity_get_domain (entity) != priv->domain) {
    gst_orch_zip_enter_ancestor (self, input, entity, value);
  } else {
    row = g_hash_table_lookup (priv->rows, entity);
    if (!row)
      row = open_row (self, entity, index);
    gst_orch_zip_settle (self, row, index, value);
  }
}

/* ---- the end of a pad ---- */

void
gst_orch_zip_drain (GstOrchZip * self, GstOrchZipInput * input)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  GHashTableIter iter;
  gpointer row;
  guint index;

  input->drained = TRUE;
  if (!find_index (self, input, &index))
    return;
  if (input->domain && input->domain != priv->domain) {
    gst_orch_zip_drain_ancestors (self, input);
    return;
  }
  g_hash_table_iter_init (&iter, priv->rows);
  while (g_hash_table_iter_next (&iter, NULL, &row))
    if (((GstOrchZipRow *) row)->values[index].outcome ==
        ORCH_OUTCOME_UNRESOLVED)
      gst_orch_subscriber_miss (input->subscriber,
          ((GstOrchZipRow *) row)->entity);
}
