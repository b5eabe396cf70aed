/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchreduce-private.h"

#include <stdio.h>

GST_DEBUG_CATEGORY_EXTERN (gst_orch_reduce_debug);
#define GST_CAT_DEFAULT gst_orch_reduce_debug

/* Values of several pads over one set of members (S3.7).  What the pads say of a
 * child is put together in its row, and goes into the gather as one fact when all
 * have said it: also of a child that is no member, since a group failure may still
 * come from any of them (S5.2a). */

/* ---- rows; with the lock held ---- */

static void
row_free (gpointer data)
{
  GstOrchReduceRow *row = data;
  guint i;

  for (i = 0; i < row->n; i++) {
    orch_cause_unref (row->inputs[i].cause);
    gst_orch_reduce_value_free (row->values[i]);
  }
  g_free (row->inputs);
  g_free (row->values);
  g_free (row);
}

/* A pad that was released says nothing against anybody. */
static void
pass_gone (GstOrchReduce * self, GstOrchReduceRow * row)
{
  guint i;

  for (i = 0; i < row->n; i++)
    if (gst_orch_reduce_is_gone (g_ptr_array_index (self->inputs, i))
        && !row->inputs[i].outcome)
      row->inputs[i].outcome = ORCH_OUTCOME_PRESENT;
}

static GstOrchReduceRow *
get_row (GstOrchReduce * self, GstOrchReduceGather * gather, guint64 ordinal)
{
  GstOrchReduceRow *row;

  if (!gather->rows)
    gather->rows = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL,
        row_free);
  row = g_hash_table_lookup (gather->rows, &ordinal);
  if (row)
    return row;
  row = g_new0 (GstOrchReduceRow, 1);
  row->ordinal = ordinal;
  row->n = self->inputs->len;
  row->inputs = g_new0 (OrchInput, row->n);
  row->values = g_new0 (GstOrchReduceValue *, row->n);
  pass_gone (self, row);
  g_hash_table_insert (gather->rows, &row->ordinal, row);
  return row;
}

static gchar *
get_path (GstOrchReduceGather * gather, guint64 ordinal)
{
  OrchEntity *child = orch_entity_new (gather->expansion, ordinal);
  gchar *path = orch_entity_get_path (child);

  orch_entity_unref (child);
  return path;
}

/* (transfer full): a member without one of its values */
static OrchCause *
cause_of_dropped_value (GstOrchReduceGather * gather, GstOrchReduceRow * row,
    guint column)
{
  GstOrchReduce *self = gather->owner;
  GstOrchReduceInput *input = g_ptr_array_index (self->inputs, column);
  OrchCause *why = row->inputs[column].cause, *cause, *located;
  g_autofree gchar *path = get_path (gather, row->ordinal);
  g_autofree gchar *message = g_strdup_printf
      ("the value at %s of a present member was dropped%s%s",
      GST_OBJECT_NAME (input->pad), why ? ": " : "", why ? why->message : "");

  cause = orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_VALUE_DROPPED, message,
      why ? why->path : NULL, why ? why->call : NULL);
  located = orch_cause_locate (cause, path, GST_OBJECT_NAME (self));
  orch_cause_unref (cause);
  return located;
}

/* What the child is: as its membership says, and failed when that is present and a
 * value is not.  `cause` (out) (transfer full) (nullable) */
static OrchOutcome
combine (GstOrchReduceGather * gather, GstOrchReduceRow * row,
    OrchCause ** cause)
{
  GstOrchReduceInput *members = gather->owner->members;
  const OrchInput *member = &row->inputs[members ? members->column : 0];
  guint i;

  for (i = 0; i < row->n && member->outcome == ORCH_OUTCOME_PRESENT; i++) {
    OrchInput *value = &row->inputs[i];

    if (value->outcome == ORCH_OUTCOME_DROPPED) {
      *cause = cause_of_dropped_value (gather, row, i);
      return ORCH_OUTCOME_FAILED;
    }
    if (value->outcome != ORCH_OUTCOME_PRESENT)
      member = value;
  }
  *cause = member->cause ? orch_cause_ref (member->cause) : NULL;
  return member->outcome;
}

/* (transfer full): the first holds the others */
static GstOrchReduceValue *
chain_values (GstOrchReduceRow * row)
{
  GstOrchReduceValue *chain = NULL;
  guint i;

  for (i = row->n; i > 0; i--) {
    GstOrchReduceValue *value = g_steal_pointer (&row->values[i - 1]);

    if (!value)
      value = gst_orch_reduce_value_new (NULL, NULL, NULL);
    value->next = chain;
    chain = value;
  }
  return chain;
}

static void
enter_complete (GstOrchReduceGather * gather, GstOrchReduceRow * row)
{
  OrchCause *cause;
  OrchOutcome outcome = combine (gather, row, &cause);

  orch_gather_value (gather->gather, row->ordinal, outcome, cause,
      chain_values (row));
  orch_cause_unref (cause);
}

/* One failed member is enough, whatever else is going to be said (S3.6). */
static gboolean
suppresses_at_once (GstOrchReduce * self, GstOrchReduceInput * input,
    OrchOutcome outcome)
{
  return self->on_failed == ORCH_ON_FAILED_SUPPRESS_PARENT
      && orch_outcome_is_failing (outcome)
      && input == (self->members ? self->members : self->input);
}

void
gst_orch_reduce_enter_row (GstOrchReduceInput * input,
    GstOrchReduceGather * gather, guint64 ordinal, OrchOutcome outcome,
    OrchCause * cause, GstOrchReduceValue * value)
{
  GstOrchReduce *self = input->owner;
  GstOrchReduceRow *row;

  if (orch_gather_has_value (gather->gather, ordinal)
      || suppresses_at_once (self, input, outcome)) {
    orch_gather_value (gather->gather, ordinal, outcome, cause, value);
    return;
  }
  row = get_row (self, gather, ordinal);
  if (row->inputs[input->column].outcome) {
    gst_orch_reduce_value_free (value);
    return;
  }
  row->inputs[input->column].outcome = outcome;
  row->inputs[input->column].cause = cause ? orch_cause_ref (cause) : NULL;
  row->values[input->column] = value;
  if (!orch_inputs_are_resolved (row->inputs, row->n))
    return;
  enter_complete (gather, row);
  g_hash_table_remove (gather->rows, &row->ordinal);
}

/* Enters those that are complete. */
static gboolean
enter_if_complete (gpointer key, gpointer data, gpointer user_data)
{
  GstOrchReduceGather *gather = user_data;
  GstOrchReduceRow *row = data;

  if (!orch_inputs_are_resolved (row->inputs, row->n))
    return FALSE;
  enter_complete (gather, row);
  return TRUE;
}

void
gst_orch_reduce_end_rows (GstOrchReduce * self, GstOrchReduceGather * gather)
{
  GHashTableIter iter;
  gpointer data;
  guint i;

  if (!gather->rows)
    return;
  g_hash_table_iter_init (&iter, gather->rows);
  while (g_hash_table_iter_next (&iter, NULL, &data)) {
    GstOrchReduceRow *row = data;

    for (i = 0; i < row->n; i++)
      if (!row->inputs[i].outcome)
        row->inputs[i].outcome = ORCH_OUTCOME_DROPPED;
  }
  g_hash_table_foreach_remove (gather->rows, enter_if_complete, gather);
}

gboolean
gst_orch_reduce_check_domain (GstOrchReduce * self, OrchEntity * entity)
{
  OrchDomain *domain = orch_entity_get_domain (entity);
  gboolean ok;

  gst_orch_lock (&self->lock);
  if (!self->domain)
    self->domain = orch_domain_ref (domain);
  ok = self->domain == domain;
  g_mutex_unlock (&self->lock);
  if (!ok)
    GST_ELEMENT_ERROR (self, STREAM, FAILED,
        ("%s gets children of different Domains.", GST_OBJECT_NAME (self)),
        ("What is gathered together comes from one orchexpand: use an "
            "orchreduce for each, and join the parents."));
  return ok;
}

/* ---- the pads ---- */

/* With the lock held: the number of a pad by that name, or the next one; 0 when it
 * cannot be had. */
static guint
find_number (GstOrchReduce * self, const gchar * name)
{
  guint number;

  if (name)
    return sscanf (name, "sink_%u", &number) == 1 ? number : 0;
  for (number = 1;; number++) {
    g_autofree gchar *free_name = g_strdup_printf ("sink_%u", number);
    GstPad *taken =
        gst_element_get_static_pad (GST_ELEMENT (self), free_name);

    if (!taken)
      return number;
    gst_object_unref (taken);
  }
}

/* The Port of a further src pad depends on every sink pad (S5.2a), and so do the
 * others on this one. */
static void
add_input (GstOrchReduce * self, GstOrchReduceInput * input)
{
  guint i;

  gst_orch_lock (&self->lock);
  for (i = 0; i < self->inputs->len; i++) {
    GstOrchReduceInput *other = g_ptr_array_index (self->inputs, i);

    if (other->src)
      gst_orch_port_add_input (other->src->egress.port, input->subscriber);
    if (input->src)
      gst_orch_port_add_input (input->src->egress.port, other->subscriber);
  }
  g_ptr_array_add (self->inputs, input);
  g_mutex_unlock (&self->lock);
}

static GstPad *
add_members (GstOrchReduce * self, GstPadTemplate * templ)
{
  GstPad *pad = gst_pad_new_from_template (templ, "members");
  GstOrchReduceInput *input = gst_orch_reduce_input_new (self, pad);

  add_input (self, input);
  self->members = input;
  gst_element_add_pad (GST_ELEMENT (self), pad);
  return pad;
}

static GstPad *
add_column (GstOrchReduce * self, GstPadTemplate * templ, guint number)
{
  GstElement *element = GST_ELEMENT (self);
  g_autofree gchar *sink_name = g_strdup_printf ("sink_%u", number);
  g_autofree gchar *src_name = g_strdup_printf ("src_%u", number);
  GstPad *pad = gst_pad_new_from_template (templ, sink_name);
  GstPad *srcpad = gst_pad_new_from_template
      (gst_element_get_pad_template (element, "src_%u"), src_name);
  GstOrchReduceInput *input = gst_orch_reduce_input_new (self, pad);

  input->src = gst_orch_reduce_src_new (self, srcpad, input);
  add_input (self, input);
  gst_element_add_pad (element, srcpad);
  gst_element_add_pad (element, pad);
  return pad;
}

GstPad *
gst_orch_reduce_request_new_pad (GstElement * element, GstPadTemplate * templ,
    const gchar * name, const GstCaps * caps)
{
  GstOrchReduce *self = GST_ORCH_REDUCE (element);
  gboolean is_members =
      g_str_equal (GST_PAD_TEMPLATE_NAME_TEMPLATE (templ), "members");
  guint number = is_members ? !self->members : find_number (self, name);

  if (self->running || number == 0) {
    GST_WARNING_OBJECT (self, "no pad %s: pads are requested before the element "
        "starts, members once, and the others are numbered from 1",
        name ? name : "");
    return NULL;
  }
  return is_members ? add_members (self, templ)
      : add_column (self, templ, number);
}

/* With the lock held: children that waited for this pad only go on without. */
static void
mark_gone (GstOrchReduce * self, GstOrchReduceInput * input,
    GPtrArray * garbage)
{
  GstOrchReduceGather *gather, *next;
  GHashTableIter iter;
  gpointer row;

  g_atomic_int_set (&input->gone, TRUE);
  if (self->members == input)
    self->members = NULL;
  for (gather = self->open; gather; gather = next) {
    next = gather->next;
    if (!gather->rows)
      continue;
    g_hash_table_iter_init (&iter, gather->rows);
    while (g_hash_table_iter_next (&iter, NULL, &row))
      pass_gone (self, row);
    g_hash_table_foreach_remove (gather->rows, enter_if_complete, gather);
    gst_orch_reduce_check (self, gather, garbage);
  }
}

void
gst_orch_reduce_release_pad (GstElement * element, GstPad * pad)
{
  GstOrchReduce *self = GST_ORCH_REDUCE (element);
  GstOrchReduceInput *input = gst_pad_get_element_private (pad);
  GPtrArray *garbage = gst_orch_reduce_garbage_new ();

  gst_orch_lock (&self->lock);
  mark_gone (self, input, garbage);
  if (input->src)
    input->src->flushing = TRUE;
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
  gst_orch_reduce_dispose (self, garbage);
  gst_orch_reduce_wake (self);
  if (input->src) {
    gst_pad_set_active (input->src->egress.pad, FALSE);
    gst_orch_port_stop (input->src->egress.port);
    gst_element_remove_pad (element, input->src->egress.pad);
  }
  gst_pad_set_active (pad, FALSE);
  gst_orch_subscriber_reset (input->subscriber);
  gst_element_remove_pad (element, pad);
  if (!self->running)
    gst_orch_reduce_forget_released (self);
}

/* With the lock held. */
static void
remove_input (GstOrchReduce * self, GstOrchReduceInput * input)
{
  guint i;

  g_ptr_array_remove (self->inputs, input);
  for (i = 0; i < self->inputs->len; i++) {
    GstOrchReduceInput *other = g_ptr_array_index (self->inputs, i);

    other->column = i;
    if (other->src)
      gst_orch_port_remove_input (other->src->egress.port, input->subscriber);
  }
}

void
gst_orch_reduce_forget_released (GstOrchReduce * self)
{
  GPtrArray *released =
      g_ptr_array_new_with_free_func (gst_orch_reduce_input_free);
  guint i;

  gst_orch_lock (&self->lock);
  self->running = FALSE;
  for (i = 0; i < self->inputs->len; i++)
    if (gst_orch_reduce_is_gone (g_ptr_array_index (self->inputs, i)))
      g_ptr_array_add (released, g_ptr_array_index (self->inputs, i));
  for (i = 0; i < released->len; i++)
    remove_input (self, g_ptr_array_index (released, i));
  g_mutex_unlock (&self->lock);
  g_ptr_array_unref (released);
}
