/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchdemux-private.h"

/* Children leave in the order of their ordinals, as soon as nothing before them is
 * missing.  Between a stream and its children there may be groups, at any depth:
 * each Expansion has a node, and the node of a group is a unit of the one above. */

GstOrchDemuxUnit *
gst_orch_demux_unit_new (OrchOutcome outcome, GstBuffer * buffer,
    GstCaps * caps, GstOrchInfo * info)
{
  GstOrchDemuxUnit *unit = g_slice_new0 (GstOrchDemuxUnit);

  unit->outcome = outcome;
  unit->buffer = buffer;
  unit->caps = caps ? gst_caps_ref (caps) : NULL;
  unit->info = info;
  return unit;
}

void
gst_orch_demux_unit_free (gpointer data)
{
  GstOrchDemuxUnit *unit = data;

  gst_clear_buffer (&unit->buffer);
  gst_clear_caps (&unit->caps);
  gst_orch_info_unref (unit->info);
  g_slice_free (GstOrchDemuxUnit, unit);
}

/* ---- nodes ---- */

static void
node_free (gpointer data)
{
  GstOrchDemuxNode *node = data;

  g_hash_table_unref (node->units);
  g_slice_free (GstOrchDemuxNode, node);
}

static void
put (GstOrchDemuxNode * node, guint64 ordinal, GstOrchDemuxUnit * unit)
{
  unit->ordinal = ordinal;
  g_hash_table_insert (node->units, &unit->ordinal, unit);
}

static GstOrchDemuxNode *
node_new (GstOrchDemux * self, OrchExpansion * expansion,
    GstOrchDemuxOutput * output)
{
  GstOrchDemuxNode *node = g_slice_new0 (GstOrchDemuxNode);

  node->expansion = orch_expansion_ref (expansion);
  node->output = output;
  node->units = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL,
      gst_orch_demux_unit_free);
  orch_expansion_attach (expansion, self->key, node, node_free);
  return node;
}

/* Nothing comes there any more.  Its Expansion may be the last to hold it. */
static void
end_node (GstOrchDemux * self, GstOrchDemuxNode * node)
{
  node->over = TRUE;
  g_ptr_array_add (self->over, g_steal_pointer (&node->expansion));
}

static gboolean
is_at_end (GstOrchDemuxNode * node)
{
  return orch_expansion_get_state (node->expansion) != ORCH_EXPANSION_OPEN
      && node->next >= orch_expansion_get_n_children (node->expansion);
}

/* ---- streams ---- */

/* (nullable): NULL when it is no stream. */
static GstOrchDemuxNode *
add_stream (GstOrchDemux * self, OrchExpansion * expansion)
{
  GstOrchStream *origin = gst_orch_stream_of (expansion);
  GstOrchDemuxStream *stream;
  GstOrchDemuxOutput *output;

  self->refused |= !origin;
  if (!origin)
    return NULL;
  output = gst_orch_demux_get_output (self, origin,
      orch_expansion_get_parent (expansion)->ordinal);
  stream = g_slice_new0 (GstOrchDemuxStream);
  stream->node = node_new (self, expansion, output);
  stream->origin = origin;
  gst_segment_init (&stream->segment, GST_FORMAT_TIME);
  g_queue_push_tail (&output->streams, stream);
  if (output->streams.length == 1)
    gst_orch_demux_output_begin (output, stream);
  return stream->node;
}

static void
stream_free (GstOrchDemuxStream * stream)
{
  g_slice_free (GstOrchDemuxStream, stream);
}

/* (nullable): NULL when it is over. */
static GstOrchDemuxNode *
get_node (GstOrchDemux * self, OrchExpansion * expansion)
{
  GstOrchDemuxNode *node = orch_expansion_get_attached (expansion, self->key);
  OrchExpansion *above = orch_expansion_get_above (expansion);
  OrchEntity *parent = orch_expansion_get_parent (expansion);
  GstOrchDemuxNode *upper;
  GstOrchDemuxUnit *unit;

  if (node)
    return node->over ? NULL : node;
  if (!orch_entity_get_parent (parent))
    return add_stream (self, expansion);
  upper = get_node (self, above);
  if (!upper || parent->ordinal < upper->next)
    return NULL;
  node = node_new (self, expansion, upper->output);
  unit = gst_orch_demux_unit_new (ORCH_OUTCOME_PRESENT, NULL, NULL, NULL);
  unit->node = node;
  put (upper, parent->ordinal, unit);
  return node;
}

GstOrchDemuxOutput *
gst_orch_demux_find_output (GstOrchDemux * self, OrchExpansion * expansion)
{
  GstOrchDemuxNode *node = orch_expansion_get_attached (expansion, self->key);

  return node && !node->over ? node->output : NULL;
}

/* ---- turns ---- */

static void
take_turn (GstOrchDemuxOutput * output, GstOrchDemuxStream * stream,
    GstOrchDemuxUnit * unit)
{
  output->owner->ledger.outcomes[unit->outcome]++;
  gst_orch_demux_output_give (output, stream, unit);
}

/* TRUE: it has come to its end, and is over. */
static gboolean
release (GstOrchDemuxOutput * output, GstOrchDemuxStream * stream,
    GstOrchDemuxNode * node)
{
  while (!is_at_end (node)) {
    GstOrchDemuxUnit *unit = g_hash_table_lookup (node->units, &node->next);

    if (!unit || (unit->node && !release (output, stream, unit->node)))
      return FALSE;
    g_hash_table_steal (node->units, &node->next);
    if (unit->node)
      gst_orch_demux_unit_free (unit);
    else
      take_turn (output, stream, unit);
    node->next++;
  }
  end_node (output->owner, node);
  return TRUE;
}

static void
note_release (GstOrchDemuxOutput * output, GstOrchDemuxStream * stream)
{
  OrchCause *cause = orch_expansion_get_cause (stream->node->expansion);

  output->was_released |= cause
      && g_str_equal (cause->domain, ORCH_CAUSE_DOMAIN)
      && g_str_equal (cause->code, ORCH_CODE_STREAM);
}

/* Nothing goes out before its pad is flushed, which the task does. */
static gboolean
must_flush (GstOrchDemuxOutput * output, GstOrchStream * origin)
{
  output->n_flushes_due = MAX (output->n_flushes_due,
      gst_orch_stream_get_n_flushes (origin));
  if (output->n_flushes_due == output->n_flushes)
    return FALSE;
  gst_orch_demux_wake (output->owner);
  return TRUE;
}

static void
release_streams (GstOrchDemuxOutput * output)
{
  GstOrchDemuxStream *stream;

  while ((stream = g_queue_peek_head (&output->streams))) {
    if (must_flush (output, stream->origin))
      return;
    note_release (output, stream);
    if (!release (output, stream, stream->node))
      return;
    stream_free (g_queue_pop_head (&output->streams));
    if (output->streams.length > 0)
      gst_orch_demux_output_begin (output, output->streams.head->data);
    else
      gst_orch_demux_output_end (output);
  }
}

gboolean
gst_orch_demux_enter (GstOrchDemux * self, OrchEntity * entity,
    GstOrchDemuxUnit * unit)
{
  GstOrchDemuxNode *node = get_node (self, entity->expansion);

  self->ledger.entered++;
  if (!node || entity->ordinal < node->next) {
    self->ledger.forgotten++;
    return FALSE;
  }
  put (node, entity->ordinal, unit);
  if (entity->ordinal == node->next)
    release_streams (node->output);
  return TRUE;
}

/* It had come to its end, and was flushed all the same. */
static void
look_for_flush (GstOrchDemux * self, OrchExpansion * expansion)
{
  GstOrchStream *origin = gst_orch_stream_of (expansion);
  GstOrchDemuxOutput *output = origin
      && gst_orch_stream_is_flushed (origin)
      ? gst_orch_demux_get_output (self, origin, 0) : NULL;

  if (output)
    must_flush (output, origin);
}

void
gst_orch_demux_enter_expansion (GstOrchDemux * self, OrchExpansion * expansion)
{
  GstOrchDemuxNode *node;

  if (!orch_expansion_get_parent (expansion))
    return;
  node = get_node (self, expansion);
  if (node)
    release_streams (node->output);
  else
    look_for_flush (self, expansion);
}

/* ---- flushes ---- */

static void
forget_node (GstOrchDemux * self, GstOrchDemuxNode * node, GPtrArray * garbage)
{
  GHashTableIter iter;
  gpointer unit;

  g_hash_table_iter_init (&iter, node->units);
  while (g_hash_table_iter_next (&iter, NULL, &unit)) {
    GstOrchDemuxNode *below = ((GstOrchDemuxUnit *) unit)->node;

    if (below && !below->over)
      forget_node (self, below, garbage);
    else if (!below)
      self->ledger.forgotten++;
    g_hash_table_iter_steal (&iter);
    g_ptr_array_add (garbage, unit);
  }
  end_node (self, node);
}

void
gst_orch_demux_forget_stream (GstOrchDemuxOutput * output, GPtrArray * garbage)
{
  GstOrchDemuxStream *stream = g_queue_pop_head (&output->streams);

  if (!stream)
    return;
  forget_node (output->owner, stream->node, garbage);
  stream_free (stream);
}

void
gst_orch_demux_forget_flushed (GstOrchDemuxOutput * output,
    GPtrArray * garbage)
{
  GstOrchDemuxStream *stream;

  while ((stream = g_queue_peek_head (&output->streams))
      && gst_orch_stream_is_flushed (stream->origin))
    gst_orch_demux_forget_stream (output, garbage);
  output->n_flushes = output->n_flushes_due;
  if (!stream)
    return;
  gst_orch_demux_output_begin (output, stream);
  release_streams (output);
}
