/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchreduce-private.h"

GstOrchReduceValue *
gst_orch_reduce_value_new (GstBuffer * buffer, GstCaps * caps,
    GstOrchInfo * info)
{
  GstOrchReduceValue *value = g_slice_new (GstOrchReduceValue);

  value->next = NULL;
  value->buffer = buffer;
  value->caps = caps ? gst_caps_ref (caps) : NULL;
  value->info = info;
  /* Now, as it was just touched: many come before it is looked at again. */
  value->gathered = buffer ? gst_orch_buffer_get_gathered (buffer) : NULL;
  return value;
}

void
gst_orch_reduce_value_free (gpointer data)
{
  GstOrchReduceValue *value = data, *next;

  for (; value; value = next) {
    next = value->next;
    gst_clear_buffer (&value->buffer);
    gst_clear_caps (&value->caps);
    gst_orch_info_unref (value->info);
    g_slice_free (GstOrchReduceValue, value);
  }
}

void
gst_orch_reduce_result_free (gpointer data)
{
  GstOrchReduceResult *result = data;

  orch_entity_unref (result->parent);
  orch_cause_unref (result->cause);
  gst_orch_info_unref (result->info);
  g_clear_pointer (&result->list, gst_orch_list_unref);
  gst_clear_buffer (&result->buffer);
  gst_clear_caps (&result->caps);
  g_slice_free (GstOrchReduceResult, result);
}

/* ---- garbage: what a lock holder took out ---- */

typedef struct
{
  OrchGather *gather;
  GHashTable *rows;
  OrchExpansion *expansion;
} Garbage;

static void
garbage_free (gpointer data)
{
  Garbage *garbage = data;

  orch_gather_free (garbage->gather);
  g_clear_pointer (&garbage->rows, g_hash_table_unref);
  orch_expansion_unref (garbage->expansion);
  g_free (garbage);
}

GPtrArray *
gst_orch_reduce_garbage_new (void)
{
  return g_ptr_array_new_with_free_func (garbage_free);
}

void
gst_orch_reduce_garbage_add_expansion (GPtrArray * garbage,
    OrchExpansion * expansion)
{
  Garbage *piece = g_new0 (Garbage, 1);

  piece->expansion = expansion;
  g_ptr_array_add (garbage, piece);
}

static void
unwant_everywhere (GstOrchReduce * self, OrchExpansion * expansion,
    OrchCause * cause)
{
  guint i;

  for (i = 0; i < self->inputs->len; i++)
    gst_orch_subscriber_unwant (((GstOrchReduceInput *)
            g_ptr_array_index (self->inputs, i))->subscriber, expansion,
        cause);
}

/* S5.5: a parent that is not present needs none of the children that are still
 * under way. */
static void
unwant_rest (GstOrchReduce * self, const Garbage * garbage)
{
  if (garbage->gather
      && orch_gather_get_outcome (garbage->gather) ==
      ORCH_OUTCOME_SUPPRESSED && orch_gather_lacks_members (garbage->gather))
    unwant_everywhere (self, garbage->expansion,
        orch_gather_get_cause (garbage->gather));
}

void
gst_orch_reduce_dispose (GstOrchReduce * self, GPtrArray * garbage)
{
  guint i;

  for (i = 0; i < garbage->len; i++)
    unwant_rest (self, g_ptr_array_index (garbage, i));
  g_ptr_array_unref (garbage);
}

void
gst_orch_reduce_unwant (GstElement * element, OrchExpansion * expansion,
    OrchCause * cause)
{
  GstOrchReduce *self = GST_ORCH_REDUCE (element);
  guint i;

  for (i = 0; i < self->inputs->len; i++) {
    GstOrchReduceInput *input = g_ptr_array_index (self->inputs, i);

    if (input->src && !gst_orch_reduce_is_gone (input)
        && !gst_orch_port_is_unwanted (input->src->egress.port, expansion))
      return;
  }
  unwant_everywhere (self, expansion, cause);
}

static void
throw_away (GPtrArray * garbage, GstOrchReduceGather * self)
{
  Garbage *piece = g_new (Garbage, 1);

  piece->gather = g_steal_pointer (&self->gather);
  piece->rows = g_steal_pointer (&self->rows);
  piece->expansion = g_steal_pointer (&self->expansion);
  g_ptr_array_add (garbage, piece);
}

/* ---- the list of open gathers ---- */

static void
link_open (GstOrchReduce * self, GstOrchReduceGather * gather)
{
  gather->next = self->open;
  gather->prev = NULL;
  if (self->open)
    self->open->prev = gather;
  self->open = gather;
  self->ledger.entered++;
}

static void
unlink_open (GstOrchReduce * self, GstOrchReduceGather * gather)
{
  if (gather->prev)
    gather->prev->next = gather->next;
  else
    self->open = gather->next;
  if (gather->next)
    gather->next->prev = gather->prev;
}

static void
gather_free (gpointer gather)
{
  /* An open gather holds its Expansion, so this one is closed and empty. */
  g_slice_free (GstOrchReduceGather, gather);
}

static void
set_limit (GstOrchReduce * self, OrchGather * gather)
{
  if (self->max_failed < 0)
    return;
  if (self->max_failed < 1)
    orch_gather_set_max_failed (gather, G_MAXUINT64, self->max_failed);
  else
    orch_gather_set_max_failed (gather, self->max_failed < G_MAXINT64
        ? (guint64) self->max_failed : G_MAXUINT64, 1.0);
}

void
gst_orch_reduce_read_expansion (GstOrchReduceGather * gather,
    OrchExpansion * expansion)
{
  /* First: what belongs to a state is there once the state is seen. */
  OrchExpansionState state = orch_expansion_get_state (expansion);

  orch_gather_expansion (gather->gather, state,
      orch_expansion_get_n_children (expansion),
      orch_expansion_get_cause (expansion));
}

static gboolean
can_group_fail (GstOrchReduce * self)
{
  gboolean result = FALSE;
  guint i;

  for (i = 0; i < self->inputs->len; i++)
    result |= gst_orch_subscriber_can_group_fail (((GstOrchReduceInput *)
            g_ptr_array_index (self->inputs, i))->subscriber);
  return result;
}

static GstOrchReduceGather *
open_gather (GstOrchReduce * self, OrchExpansion * expansion)
{
  GstOrchReduceGather *gather = g_slice_new0 (GstOrchReduceGather);

  gather->owner = self;
  gather->expansion = orch_expansion_ref (expansion);
  gather->gather = orch_gather_new (self->on_failed, FALSE,
      gst_orch_reduce_value_free);
  set_limit (self, gather->gather);
  if (can_group_fail (self))
    orch_gather_hold (gather->gather);
  orch_expansion_attach (expansion, self->key, gather, gather_free);
  link_open (self, gather);
  /* Who comes late reads the record. */
  gst_orch_reduce_read_expansion (gather, expansion);
  return gather;
}

GstOrchReduceGather *
gst_orch_reduce_get_gather (GstOrchReduce * self, OrchExpansion * expansion)
{
  GstOrchReduceGather *gather =
      orch_expansion_get_attached (expansion, self->key);

  if (!gather)
    gather = open_gather (self, expansion);
  return gather->gather ? gather : NULL;
}

/* ---- outcomes ---- */

/* (transfer full) (nullable): a cause that arose in the gather itself, such as
 * too many failures, arose at the parent. */
static OrchCause *
get_cause (GstOrchReduce * element, GstOrchReduceGather * self)
{
  OrchCause *cause = orch_gather_get_cause (self->gather);
  g_autofree gchar *path = NULL;

  if (!cause)
    return NULL;
  path = orch_entity_get_path (orch_expansion_get_parent (self->expansion));
  return orch_cause_locate (cause, path, GST_OBJECT_NAME (element));
}

static GstOrchReduceResult *
result_new (GstOrchReduce * element, GstOrchReduceGather * self)
{
  GstOrchReduceResult *result = g_slice_new0 (GstOrchReduceResult);

  result->parent =
      orch_entity_ref (orch_expansion_get_parent (self->expansion));
  result->outcome = orch_gather_get_outcome (self->gather);
  result->cause = get_cause (element, self);
  result->info = gst_orch_info_ref (orch_expansion_get_data (self->expansion));
  return result;
}

/* (transfer none) (nullable) */
static OrchCause *
find_barrier (GstOrchReduce * self, OrchExpansion * expansion)
{
  OrchCause *cause = NULL;
  guint i;

  for (i = 0; i < self->inputs->len && !cause; i++)
    cause = gst_orch_subscriber_find_barrier (((GstOrchReduceInput *)
            g_ptr_array_index (self->inputs, i))->subscriber, expansion);
  return cause;
}

static gboolean
is_sealed (GstOrchReduce * self, OrchExpansion * expansion)
{
  guint i;

  for (i = 0; i < self->inputs->len; i++)
    if (!gst_orch_subscriber_is_sealed (((GstOrchReduceInput *)
                g_ptr_array_index (self->inputs, i))->subscriber, expansion,
            self->input->subscriber))
      return FALSE;
  return TRUE;
}

/* S5.2a: what is held is complete, but a child that does not show here may still
 * fail the group in a Call further up. */
static void
release (GstOrchReduce * self, GstOrchReduceGather * gather)
{
  OrchCause *barrier = find_barrier (self, gather->expansion);

  if (barrier)
    orch_gather_barrier (gather->gather, barrier);
  else
    orch_gather_release (gather->gather);
}

static void
release_if_sealed (GstOrchReduce * self, GstOrchReduceGather * gather)
{
  if (orch_gather_get_outcome (gather->gather) != ORCH_OUTCOME_UNRESOLVED
      || !orch_gather_is_complete (gather->gather))
    return;
  if (is_sealed (self, gather->expansion))
    release (self, gather);
  else
    self->any_held = TRUE;
}

/* What leaves at one src pad. */
static void
finish (GstOrchReduceSrc * src, GstOrchReduceGather * gather,
    GPtrArray * garbage)
{
  GstOrchReduce *self = src->owner;
  GstOrchReduceResult *result = result_new (self, gather);

  if (result->outcome == ORCH_OUTCOME_PRESENT)
    result->list = gst_orch_reduce_make_list (gather->gather,
        gather->expansion, self->on_failed, src->input->column);
  if (src == self->src)
    self->ledger.outcomes[result->outcome]++;
  if (self->order == GST_ORCH_ORDER_COMPLETION) {
    g_queue_push_tail (&src->finished, result);
  } else {
    gst_orch_reduce_rows_add (src->rows, result, &src->finished);
    gst_orch_reduce_rows_collect (src->rows, garbage);
  }
}

void
gst_orch_reduce_check (GstOrchReduce * self, GstOrchReduceGather * gather,
    GPtrArray * garbage)
{
  guint i;

  release_if_sealed (self, gather);
  if (orch_gather_get_outcome (gather->gather) == ORCH_OUTCOME_UNRESOLVED)
    return;
  for (i = 0; i < self->inputs->len; i++) {
    GstOrchReduceInput *input = g_ptr_array_index (self->inputs, i);

    if (input->src && !gst_orch_reduce_is_gone (input))
      finish (input->src, gather, garbage);
  }
  unlink_open (self, gather);
  throw_away (garbage, gather);
}

void
gst_orch_reduce_check_held (GstOrchReduce * self, GPtrArray * garbage)
{
  GstOrchReduceGather *gather, *next;

  self->any_held = FALSE;
  for (gather = self->open; gather; gather = next) {
    next = gather->next;
    gst_orch_reduce_check (self, gather, garbage);
  }
}

static void
cut_off_one (GstOrchReduce * self, GstOrchReduceGather * gather)
{
  OrchEntity *parent = orch_expansion_get_parent (gather->expansion);
  g_autofree gchar *path = orch_entity_get_path (parent);
  g_autofree gchar *message = g_strdup_printf
      ("the stream ended at %s before it ended where it was opened",
      GST_OBJECT_NAME (self));
  OrchCause *cause = orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_LOST,
      message, path, GST_OBJECT_NAME (self));

  orch_gather_expansion (gather->gather, ORCH_EXPANSION_FAILED,
      orch_expansion_get_n_children (gather->expansion), cause);
  orch_cause_unref (cause);
}

void
gst_orch_reduce_cut_off (GstOrchReduce * self, GPtrArray * garbage)
{
  GstOrchReduceGather *gather, *next;

  for (gather = self->open; gather; gather = next) {
    next = gather->next;
    gst_orch_reduce_read_expansion (gather, gather->expansion);
    if (orch_gather_get_expansion (gather->gather, NULL, NULL) ==
        ORCH_EXPANSION_OPEN)
      cut_off_one (self, gather);
    gst_orch_reduce_end_rows (self, gather);
    if (orch_gather_is_complete (gather->gather))
      release (self, gather);
    gst_orch_reduce_check (self, gather, garbage);
  }
}

void
gst_orch_reduce_forget (GstOrchReduce * self, GPtrArray * garbage)
{
  gst_orch_ledger_forget (&self->ledger);
  orch_domain_unref (g_steal_pointer (&self->domain));
  while (self->open) {
    GstOrchReduceGather *gather = self->open;

    unlink_open (self, gather);
    throw_away (garbage, gather);
  }
}
