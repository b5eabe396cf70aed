/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchexpand-private.h"

#include <stdio.h>

GST_DEBUG_CATEGORY_EXTERN (gst_orch_expand_debug);
#define GST_CAT_DEFAULT gst_orch_expand_debug

/* Aligned lists (S3.2): outputs of one Call that come in on several pads share one
 * Expansion.  What the pads say of a parent is put together in its row. */

/* ---- rows ---- */

static guint
hash_entity (gconstpointer key)
{
  const OrchEntity *entity = key;

  return g_direct_hash (entity->expansion) ^ (guint) entity->ordinal;
}

static gboolean
equal_entities (gconstpointer a, gconstpointer b)
{
  return orch_entity_equal (a, b);
}

static void
row_free (gpointer data)
{
  GstOrchExpandRow *row = data;
  guint i;

  for (i = 0; i < row->n; i++) {
    orch_cause_unref (row->inputs[i].cause);
    g_clear_pointer (&row->lists[i], gst_orch_list_unref);
  }
  g_free (row->inputs);
  g_free (row->lists);
  gst_orch_info_unref (row->info);
  orch_entity_unref (row->entity);
  g_free (row);
}

GHashTable *
gst_orch_expand_rows_new (void)
{
  return g_hash_table_new_full (hash_entity, equal_entities, NULL, row_free);
}

/* A pad that is not there any more is missing from now on, and nothing is said of
 * it. */
static void
miss_column (GstOrchExpandRow * row, guint column)
{
  if (column >= row->n || row->inputs[column].outcome)
    return;
  row->inputs[column].outcome = ORCH_OUTCOME_DROPPED;
  row->inputs[column].optional = TRUE;
}

static GstOrchExpandRow *
get_row (GstOrchExpand * self, OrchEntity * entity, GstOrchInfo * info)
{
  GstOrchExpandRow *row = g_hash_table_lookup (self->rows, entity);
  guint i;

  if (row)
    return row;
  row = g_new0 (GstOrchExpandRow, 1);
  row->entity = orch_entity_ref (entity);
  row->info = gst_orch_info_ref (info);
  row->n = self->columns->len;
  row->inputs = g_new0 (OrchInput, row->n);
  row->lists = g_new0 (GstOrchList *, row->n);
  for (i = 0; i < row->n; i++)
    if (!g_ptr_array_index (self->columns, i))
      miss_column (row, i);
  g_hash_table_insert (self->rows, row->entity, row);
  return row;
}

/* (transfer full) (nullable): why the lists cannot be opened together */
static OrchCause *
compare_lengths (GstOrchExpand * self, GstOrchExpandRow * row)
{
  guint i, n, first = gst_orch_list_get_size (row->lists[0]);
  g_autofree gchar *path = NULL;
  g_autofree gchar *message = NULL;

  for (i = 1; i < row->n; i++) {
    n = row->lists[i] ? gst_orch_list_get_size (row->lists[i]) : first;
    if (n == first)
      continue;
    path = orch_entity_get_path (row->entity);
    message = g_strdup_printf ("lists of %u and %u elements cannot be opened "
        "together", first, n);
    return orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_CARDINALITY, message,
        path, GST_OBJECT_NAME (self));
  }
  return NULL;
}

static void
end_row (GstOrchExpand * self, GstOrchExpandRow * row,
    OrchExpansionState state, OrchCause * cause)
{
  row->ended = TRUE;
  orch_expansion_unref (gst_orch_expand_end_absent (self, row->entity,
          row->info, state, cause));
}

static GstFlowReturn
open_row (GstOrchExpand * self, GstOrchExpandInput * input,
    GstOrchExpandRow * row)
{
  OrchCause *cause = compare_lengths (self, row);

  if (cause) {
    end_row (self, row, ORCH_EXPANSION_FAILED, cause);
    orch_cause_unref (cause);
    return GST_FLOW_OK;
  }
  return gst_orch_expand_open_lists (self, input, row->entity, row->info,
      row->lists, row->n);
}

/* With the lock held.  `input` (nullable): which pad may wait for the window, if a
 * row that is in the table no more is to be opened. */
static GstFlowReturn
settle_row (GstOrchExpand * self, GstOrchExpandInput * input,
    GstOrchExpandRow * row)
{
  guint deciding;

  if (row->ended)
    return GST_FLOW_OK;
  switch (orch_rule_call (row->inputs, row->n, &deciding)) {
    case ORCH_DECISION_READY:
      return open_row (self, input, row);
    case ORCH_DECISION_DROP:
      end_row (self, row, ORCH_EXPANSION_DROPPED,
          row->inputs[deciding].cause);
      break;
    case ORCH_DECISION_SUPPRESS:
      end_row (self, row, ORCH_EXPANSION_FAILED, row->inputs[deciding].cause);
      break;
    default:
      break;
  }
  return GST_FLOW_OK;
}

static void
fill (GstOrchExpandRow * row, guint column, GstOrchList * list,
    OrchOutcome outcome, OrchCause * cause)
{
  OrchInput *input;

  if (column >= row->n || row->inputs[column].outcome)
    return;
  input = &row->inputs[column];
  input->outcome = outcome;
  input->cause = cause ? orch_cause_ref (cause) : NULL;
  row->lists[column] = list ? gst_orch_list_ref (list) : NULL;
}

GstFlowReturn
gst_orch_expand_enter (GstOrchExpand * self, GstOrchExpandInput * input,
    OrchEntity * entity, GstOrchInfo * info, GstOrchList * list,
    OrchOutcome outcome, OrchCause * cause)
{
  GstFlowReturn ret = GST_FLOW_FLUSHING;
  GstOrchExpandRow *row, *complete = NULL;

  gst_orch_lock (&self->lock);
  if (!self->flushing && !input->flushing) {
    row = get_row (self, entity, info);
    fill (row, input->column, list, outcome, cause);
    if (orch_inputs_are_resolved (row->inputs, row->n)) {
      complete = row;
      g_hash_table_steal (self->rows, row->entity);
    }
    ret = settle_row (self, input, row);
  }
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&complete, row_free);
  gst_orch_subscriber_wake (self->main->subscriber);
  return ret;
}

GHashTable *
gst_orch_expand_end_rows (GstOrchExpand * self)
{
  GHashTable *rows = self->rows;
  GHashTableIter iter;
  gpointer row;
  guint i;

  if (g_hash_table_size (rows) == 0)
    return NULL;
  self->rows = gst_orch_expand_rows_new ();
  g_hash_table_iter_init (&iter, rows);
  while (g_hash_table_iter_next (&iter, NULL, &row)) {
    for (i = 0; i < self->columns->len; i++)
      fill (row, i, NULL, ORCH_OUTCOME_DROPPED, NULL);
    settle_row (self, NULL, row);
  }
  return rows;
}

/* ---- the pads ---- */

static void
post_not_aligned (GstOrchExpand * self, GstOrchExpandInput * input)
{
  GST_ELEMENT_ERROR (self, STREAM, FAILED,
      ("%s cannot open what comes to its pad %s together with its other lists.",
          GST_OBJECT_NAME (self), GST_OBJECT_NAME (input->pad)),
      ("Aligned lists are outputs of one Call: link its pad src to sink, and its "
          "pads src_1, src_2 ... to aligned_1, aligned_2 ...; lists of "
          "different Calls need an orchexpand each."));
}

gboolean
gst_orch_expand_check_column (GstOrchExpand * self, GstOrchExpandInput * input)
{
  gboolean ok = TRUE;
  guint i;

  gst_orch_lock (&self->lock);
  if (self->columns->len > 1 && !input->is_of_one_call) {
    ok = input->output && gst_orch_subscriber_has_ports (input->subscriber);
    for (i = 0; ok && i < self->columns->len; i++) {
      GstOrchExpandInput *other = g_ptr_array_index (self->columns, i);

      if (other && gst_orch_subscriber_has_ports (other->subscriber))
        ok = gst_orch_subscriber_shares_producer (input->subscriber,
            other->subscriber);
    }
    input->is_of_one_call = ok;
  }
  g_mutex_unlock (&self->lock);
  if (!ok)
    post_not_aligned (self, input);
  return ok;
}

/* With the lock held: the number of a pad by that name, or the next one; 0 when it
 * cannot be had. */
static guint
find_number (GstOrchExpand * self, const gchar * name)
{
  guint number;

  /* What is open has its columns already. */
  if (self->lanes)
    return 0;
  if (name)
    return sscanf (name, "aligned_%u", &number) == 1 ? number : 0;
  for (number = 1;; number++) {
    g_autofree gchar *free_name = g_strdup_printf ("aligned_%u", number);
    GstPad *taken =
        gst_element_get_static_pad (GST_ELEMENT (self), free_name);

    if (!taken)
      return number;
    gst_object_unref (taken);
  }
}

static void
add_column (GstOrchExpand * self, GstOrchExpandInput * input, GstPad * srcpad)
{
  input->output = gst_orch_expand_output_new (self, srcpad, input);
  gst_orch_port_set_twin (input->output->egress.port,
      self->output->egress.port);
  gst_orch_lock (&self->lock);
  self->inputs = g_list_append (self->inputs, input);
  input->column = self->columns->len;
  g_ptr_array_add (self->columns, input);
  self->n_columns++;
  g_mutex_unlock (&self->lock);
}

GstPad *
gst_orch_expand_request_aligned (GstOrchExpand * self, GstPadTemplate * templ,
    const gchar * name)
{
  GstElement *element = GST_ELEMENT (self);
  g_autofree gchar *sink_name = NULL;
  g_autofree gchar *src_name = NULL;
  GstPad *pad, *srcpad;
  guint number;

  gst_orch_lock (&self->lock);
  number = find_number (self, name);
  g_mutex_unlock (&self->lock);
  if (number == 0) {
    GST_WARNING_OBJECT (self, "no pad %s: aligned pads are numbered from 1, "
        "and are requested before the element starts", name ? name : "");
    return NULL;
  }
  sink_name = g_strdup_printf ("aligned_%u", number);
  src_name = g_strdup_printf ("src_%u", number);
  pad = gst_pad_new_from_template (templ, sink_name);
  srcpad = gst_pad_new_from_template (gst_element_get_pad_template (element,
          "src_%u"), src_name);
  add_column (self, gst_orch_expand_input_new (self, pad, FALSE), srcpad);
  gst_element_add_pad (element, srcpad);
  gst_element_add_pad (element, pad);
  return pad;
}

/* With the lock held: parents that waited for this column only go on without. */
static void
miss_everywhere (GstOrchExpand * self, guint column, GPtrArray * complete)
{
  GHashTableIter iter;
  gpointer value;
  guint i;

  g_hash_table_iter_init (&iter, self->rows);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    GstOrchExpandRow *row = value;

    miss_column (row, column);
    if (orch_inputs_are_resolved (row->inputs, row->n)) {
      g_hash_table_iter_steal (&iter);
      g_ptr_array_add (complete, row);
    }
  }
  for (i = 0; i < complete->len; i++)
    settle_row (self, NULL, g_ptr_array_index (complete, i));
}

void
gst_orch_expand_release_aligned (GstOrchExpand * self,
    GstOrchExpandInput * input)
{
  GPtrArray *complete = g_ptr_array_new_with_free_func (row_free);
  GstPad *srcpad = input->output->egress.pad;
  GQueue children = G_QUEUE_INIT;

  gst_orch_lock (&self->lock);
  self->inputs = g_list_remove (self->inputs, input);
  g_ptr_array_index (self->columns, input->column) = NULL;
  self->n_columns--;
  input->flushing = input->output->flushing = TRUE;
  gst_orch_expand_output_steal (input->output, &children);
  miss_everywhere (self, input->column, complete);
  g_cond_broadcast (&input->room);
  gst_orch_expand_wake_outputs (self);
  g_mutex_unlock (&self->lock);
  g_queue_clear_full (&children, gst_orch_expand_child_free);
  g_ptr_array_unref (complete);
  gst_pad_set_active (srcpad, FALSE);
  gst_orch_port_stop (input->output->egress.port);
  gst_orch_subscriber_reset (input->subscriber);
  gst_element_remove_pad (GST_ELEMENT (self), srcpad);
}

/* With the lock held: between runs, pads that were released leave no gap. */
void
gst_orch_expand_renumber_columns (GstOrchExpand * self)
{
  guint i;

  while (g_ptr_array_remove (self->columns, NULL));
  for (i = 0; i < self->columns->len; i++)
    ((GstOrchExpandInput *) g_ptr_array_index (self->columns, i))->column = i;
}
