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

static gint
compare_serials (gconstpointer a, gconstpointer b, gpointer user_data)
{
  gsize one = gst_orch_stream_get_serial (((GstOrchDemuxStream *) a)->origin);
  gsize other = gst_orch_stream_get_serial (((GstOrchDemuxStream *) b)->origin);

  return one < other ? -1 : one > other;
}

/* A flush of one stream is one of all that came to its pad before. */
static void
note_flushes (GstOrchDemuxOutput * output, GstOrchStream * origin)
{
  output->n_flushes_due = MAX (output->n_flushes_due,
      gst_orch_stream_get_n_flushes (origin));
}

static void
note_over (GstOrchDemuxOutput * output, GstOrchStream * origin)
{
  output->last_over = MAX (output->last_over,
      gst_orch_stream_get_serial (origin));
}

static GstOrchDemuxStream *
stream_new (GstOrchDemuxOutput * output, OrchExpansion * expansion,
    GstOrchStream * origin)
{
  GstOrchDemuxStream *stream = g_slice_new0 (GstOrchDemuxStream);

  stream->node = node_new (output->owner, expansion, output);
  stream->origin = origin;
  gst_segment_init (&stream->segment, GST_FORMAT_TIME);
  g_queue_insert_sorted (&output->streams, stream, compare_serials, NULL);
  return stream;
}

/* (nullable): NULL when it is no stream, or one that was flushed. */
static GstOrchDemuxNode *
add_stream (GstOrchDemux * self, OrchExpansion * expansion)
{
  GstOrchStream *origin = gst_orch_stream_of (expansion);
  GstOrchDemuxOutput *output;

  self->refused |= !origin;
  if (!origin)
    return NULL;
  output = gst_orch_demux_get_output (self, origin,
      orch_expansion_get_parent (expansion)->ordinal);
  if (!output)
    return NULL;
  note_flushes (output, origin);
  if (gst_orch_stream_is_flushed (origin))
    note_over (output, origin);
  if (gst_orch_stream_get_serial (origin) <= output->last_over)
    return NULL;
  return stream_new (output, expansion, origin)->node;
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

/* The node of one of its own children, be that a group or not. */
static gboolean
is_second (GstOrchDemuxStream * stream, GstOrchDemuxNode * node)
{
  return orch_expansion_get_above (node->expansion) == stream->node->expansion;
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
    if (node == stream->node)
      stream->within = 0;
    else if (is_second (stream, node))
      stream->within = node->next;
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
must_flush (GstOrchDemuxOutput * output)
{
  if (output->n_flushes_due == output->n_flushes)
    return FALSE;
  gst_orch_demux_wake (output->owner);
  return TRUE;
}

/* (nullable): what has its turn.  One that came before it may be unheard of, if it has
 * ended and takes longer. */
static GstOrchDemuxStream *
get_first (GstOrchDemuxOutput * output)
{
  GstOrchDemuxStream *stream = g_queue_peek_head (&output->streams);

  if (!stream || must_flush (output)
      || gst_orch_stream_get_before (stream->origin) > output->last_over)
    return NULL;
  if (!stream->begun)
    gst_orch_demux_output_begin (output, stream);
  stream->begun = TRUE;
  return stream;
}

static void
release_streams (GstOrchDemuxOutput * output)
{
  GstOrchDemuxStream *stream;

  while ((stream = get_first (output))) {
    note_release (output, stream);
    if (!release (output, stream, stream->node))
      return;
    note_over (output, stream->origin);
    stream_free (g_queue_pop_head (&output->streams));
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

/* It is over, or was flushed: what waits behind it may have its turn. */
static void
look_again (GstOrchDemux * self, OrchExpansion * expansion)
{
  GstOrchStream *origin = gst_orch_stream_of (expansion);
  GstOrchDemuxOutput *output = origin
      ? gst_orch_demux_get_output (self, origin,
      orch_expansion_get_parent (expansion)->ordinal) : NULL;

  if (!output)
    return;
  if (gst_orch_stream_is_flushed (origin))
    note_flushes (output, origin);
  release_streams (output);
}

void
gst_orch_demux_enter_expansion (GstOrchDemux * self, OrchExpansion * expansion)
{
  GstOrchDemuxNode *node;

  if (!orch_expansion_get_parent (expansion))
    return;
  node = get_node (self, expansion);
  if (!node) {
    look_again (self, expansion);
    return;
  }
  if (gst_orch_stream_of (expansion))
    note_flushes (node->output, gst_orch_stream_of (expansion));
  release_streams (node->output);
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
gst_orch_demux_expect_new (GstOrchDemux * self)
{
  GList *l;

  self->last_before = gst_orch_stream_get_last_serial ();
  for (l = self->outputs; l; l = l->next)
    ((GstOrchDemuxOutput *) l->data)->last_over = self->last_before;
}

void
gst_orch_demux_forget_stream (GstOrchDemuxOutput * output, GPtrArray * garbage)
{
  GstOrchDemuxStream *stream = g_queue_pop_head (&output->streams);

  if (!stream)
    return;
  note_over (output, stream->origin);
  forget_node (output->owner, stream->node, garbage);
  stream_free (stream);
}

void
gst_orch_demux_forget_flushed (GstOrchDemuxOutput * output,
    GPtrArray * garbage)
{
  GstOrchDemuxStream *stream;

  while ((stream = g_queue_peek_head (&output->streams))
      && gst_orch_stream_get_n_flushes_before (stream->origin)
      < output->n_flushes_due)
    gst_orch_demux_forget_stream (output, garbage);
  output->n_flushes = output->n_flushes_due;
  if (stream)
    stream->begun = FALSE;
  release_streams (output);
}
