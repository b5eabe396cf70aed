/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchexpand-private.h"

/* Opening and ending parents.  With the element's lock held. */

static void
set_info (OrchExpansion * expansion, GstOrchInfo * info)
{
  if (info)
    orch_expansion_set_data (expansion, gst_orch_info_ref (info),
        (GDestroyNotify) gst_orch_info_unref);
}

void
gst_orch_expand_need_domain (GstOrchExpand * self, OrchDomain * above)
{
  if (!self->domain)
    self->domain = gst_orch_port_get_domain (self->output->egress.port);
  if (!self->domain || orch_domain_get_parent (self->domain) != above) {
    orch_domain_unref (self->domain);
    self->domain = orch_domain_new (GST_OBJECT_NAME (self), above);
    gst_orch_port_set_domain (self->output->egress.port, self->domain);
  }
}

OrchExpansion *
gst_orch_expand_open (GstOrchExpand * self, OrchEntity * parent,
    GstOrchInfo * info)
{
  OrchExpansion *expansion;

  gst_orch_expand_need_domain (self, orch_entity_get_domain (parent));
  self->n_parents++;
  expansion = orch_expansion_new (self->domain, parent);
  set_info (expansion, info);
  return expansion;
}

static GstOrchExpandParent *
parent_new (OrchExpansion * expansion)
{
  GstOrchExpandParent *parent = g_slice_new0 (GstOrchExpandParent);

  parent->link.data = parent;
  parent->expansion = expansion ? orch_expansion_ref (expansion) : NULL;
  return parent;
}

static void
add_parent (GstOrchExpand * self, GstOrchExpandParent * parent,
    OrchLane * lane)
{
  parent->lane = lane;
  g_queue_push_tail_link (&self->parents, &parent->link);
}

/* Its lane goes, or has gone. */
static void
take_out (GstOrchExpand * self, GstOrchExpandParent * parent)
{
  parent->lane = NULL;
  g_queue_unlink (&self->parents, &parent->link);
}

void
gst_orch_expand_parent_free (gpointer data)
{
  GstOrchExpandParent *parent = data;

  guint i;

  g_clear_pointer (&parent->expansion, orch_expansion_unref);
  g_clear_pointer (&parent->groups, orch_expansion_unref);
  for (i = 1; i < parent->n_aligned; i++)
    g_clear_pointer (&parent->aligned[i], gst_orch_list_unref);
  g_free (parent->aligned);
  g_clear_pointer (&parent->list, gst_orch_list_unref);
  gst_clear_caps (&parent->given_caps);
  g_slist_free_full (parent->shared_caps, (GDestroyNotify) gst_caps_unref);
  g_queue_clear_full (&parent->buffers, gst_orch_expand_child_free);
  g_slice_free (GstOrchExpandParent, parent);
}

void
gst_orch_expand_child_free (gpointer data)
{
  GstOrchExpandChild *child = data;

  gst_orch_expand_child_clear (child);
  g_slice_free (GstOrchExpandChild, child);
}

void
gst_orch_expand_child_clear (GstOrchExpandChild * child)
{
  orch_entity_unref (child->entity);
  g_clear_pointer (&child->begins, orch_expansion_unref);
  gst_clear_buffer (&child->buffer);
  if (child->owns_caps)
    gst_caps_unref (child->caps);
  orch_cause_unref (child->cause);
  gst_orch_info_unref (child->info);
}

/* `expansion` is closed already: its children exist before the first is
 * pushed. */
void
gst_orch_expand_add_lists (GstOrchExpand * self, OrchExpansion * expansion,
    GstOrchList ** lists, guint n)
{
  GstOrchExpandParent *parent = parent_new (expansion);
  guint i, n_children = gst_orch_list_get_size (lists[0]);

  parent->list = gst_orch_list_ref (lists[0]);
  if (n > 1) {
    parent->aligned = g_new (GstOrchList *, n);
    parent->n_aligned = n;
    parent->aligned[0] = parent->list;
    for (i = 1; i < n; i++)
      parent->aligned[i] = lists[i] ? gst_orch_list_ref (lists[i]) : NULL;
  }
  self->n_listed += n_children;
  for (i = 0; i < n; i++)
    if (lists[i])
      self->ledger.entered += n_children;
  if (gst_orch_expand_find_unwanted (self, expansion))
    g_queue_push_tail_link (&self->unwanted, &parent->link);
  else
    add_parent (self, parent, orch_interleave_add_list (self->lanes, parent,
            n_children));
}

static OrchEntity *
new_stream_entity (GstOrchExpand * self)
{
  if (!self->stream_domain)
    self->stream_domain = orch_domain_new ("stream", NULL);
  if (!self->streams)
    self->streams = orch_expansion_new (self->stream_domain, NULL);
  return orch_expansion_next_child (self->streams);
}

void
gst_orch_expand_reserve_stream (GstOrchExpand * self,
    GstOrchExpandInput * input)
{
  input->reserved = new_stream_entity (self);
}

void
gst_orch_expand_open_stream (GstOrchExpand * self, GstOrchExpandInput * input)
{
  OrchEntity *entity = input->reserved ? g_steal_pointer (&input->reserved)
      : new_stream_entity (self);
  GstOrchInfo *info = gst_orch_info_new (gst_structure_new ("info",
          "stream-id", G_TYPE_STRING, input->stream_id,
          "pad", G_TYPE_STRING, GST_OBJECT_NAME (input->pad), NULL));
  OrchExpansion *expansion = self->group_by == GST_ORCH_GROUP_BY_NONE
      ? gst_orch_expand_open (self, entity, info)
      : gst_orch_expand_open_groups (self, entity, info);

  input->stream = parent_new (NULL);
  if (self->group_by == GST_ORCH_GROUP_BY_NONE)
    input->stream->expansion = expansion;
  else
    input->stream->groups = expansion;
  input->stream->origin = gst_orch_stream_new (expansion, input->pad,
      input->id, input->n_flushes, input->last_serial);
  input->last_serial = gst_orch_stream_get_serial (input->stream->origin);
  input->place = 0;
  input->stream->input = input;
  input->in_group = FALSE;
  input->group_start = GST_CLOCK_TIME_NONE;
  add_parent (self, input->stream, orch_interleave_add_stream (self->lanes,
          input->stream));
  gst_orch_info_unref (info);
  orch_entity_unref (entity);
}

static void
post_expansion (GstOrchExpand * self, OrchExpansion * expansion)
{
  guint i;

  for (i = 0; i < self->columns->len; i++) {
    GstOrchExpandInput *column = g_ptr_array_index (self->columns, i);

    if (column)
      gst_orch_port_post_expansion (column->output->egress.port, expansion);
  }
}

void
gst_orch_expand_publish (GstOrchExpand * self, OrchExpansion * expansion,
    OrchExpansionState state, OrchCause * cause)
{
  if (orch_expansion_get_state (expansion) != ORCH_EXPANSION_OPEN)
    return;
  orch_expansion_publish (expansion, state, cause);
  post_expansion (self, expansion);
}

OrchExpansion *
gst_orch_expand_end_absent (GstOrchExpand * self, OrchEntity * entity,
    GstOrchInfo * info, OrchExpansionState state, OrchCause * cause)
{
  OrchExpansion *expansion = gst_orch_expand_open (self, entity, info);

  gst_orch_expand_publish (self, expansion, state, cause);
  return expansion;
}

OrchExpansion *
gst_orch_expand_open_with (GstOrchExpand * self, OrchEntity * entity,
    GstOrchInfo * info, guint64 n_children)
{
  OrchExpansion *expansion = gst_orch_expand_open (self, entity, info);

  orch_expansion_succeed_with (expansion, n_children);
  post_expansion (self, expansion);
  return expansion;
}

static OrchCause *
new_stream_cause (GstOrchExpand * self, GstOrchExpandParent * stream,
    const gchar * code, const gchar * message)
{
  OrchExpansion *whole = stream->groups ? stream->groups : stream->expansion;
  g_autofree gchar *path =
      orch_entity_get_path (orch_expansion_get_parent (whole));

  return orch_cause_new (ORCH_CAUSE_DOMAIN, code, message, path,
      GST_OBJECT_NAME (self));
}

GstOrchExpandParent *
gst_orch_expand_end_stream (GstOrchExpand * self, GstOrchExpandInput * input,
    OrchExpansionState state, const gchar * code, const gchar * message)
{
  GstOrchExpandParent *stream = g_steal_pointer (&input->stream);
  OrchCause *cause = NULL;

  if (!stream)
    return NULL;
  stream->input = NULL;
  g_clear_pointer (&input->last, orch_expansion_unref);
  input->last = orch_expansion_ref (stream->groups ? stream->groups
      : stream->expansion);
  if (state == ORCH_EXPANSION_SUCCEEDED) {
    /* What waits still goes out; the last child closes it. */
    if (!orch_lane_close (stream->lane))
      return NULL;
  } else {
    orch_lane_remove (stream->lane);
    self->ledger.forgotten += stream->buffers.length;
    cause = new_stream_cause (self, stream, code, message);
  }
  take_out (self, stream);
  gst_orch_expand_publish_stream (self, stream, state, cause);
  orch_cause_unref (cause);
  return stream;
}

/* One that has come to its end may still be on its way: what was posted of it is
 * posted again, for who has to flush what it has made of it. */
void
gst_orch_expand_flush_stream (GstOrchExpand * self, GstOrchExpandInput * input)
{
  input->n_flushes++;
  if (input->stream) {
    gst_orch_stream_flush (input->stream->origin);
  } else if (input->last) {
    gst_orch_stream_flush (gst_orch_stream_of (input->last));
    if (orch_expansion_get_state (input->last) != ORCH_EXPANSION_OPEN)
      post_expansion (self, input->last);
  }
}

GHashTable *
gst_orch_expand_forget (GstOrchExpand * self, GList ** parents,
    GQueue * children)
{
  GHashTable *rows = self->rows;
  GList *link;

  self->rows = gst_orch_expand_rows_new ();
  for (link = self->inputs; link; link = link->next) {
    GstOrchExpandInput *input = link->data;

    input->stream = NULL;
    g_clear_pointer (&input->last, orch_expansion_unref);
    if (input->output)
      gst_orch_expand_output_steal (input->output, children);
  }
  while ((link = g_queue_peek_head_link (&self->parents))) {
    GstOrchExpandParent *parent = link->data;

    orch_lane_remove (parent->lane);
    take_out (self, parent);
    *parents = g_list_prepend (*parents, parent);
  }
  while ((link = g_queue_pop_head_link (&self->unwanted)))
    *parents = g_list_prepend (*parents, link->data);
  self->unwanted_key = orch_expansion_new_key ();
  gst_orch_ledger_forget (&self->ledger);
  return rows;
}

/* ---- children ---- */

/* (transfer none): every list brings caps objects of its own.  Where they are
 * equal, which is the rule, one object stands for all, so that pointers can be
 * compared from here on. */
static GstCaps *
share_caps (GstOrchExpand * self, GstOrchExpandParent * parent, GstCaps * caps)
{
  if (!caps)
    return NULL;
  if (caps != parent->given_caps) {
    gst_caps_replace (&parent->given_caps, caps);
    if (!self->shared_caps || !gst_caps_is_equal (self->shared_caps, caps))
      gst_caps_replace (&self->shared_caps, caps);
    parent->shared_caps = g_slist_prepend (parent->shared_caps,
        gst_caps_ref (self->shared_caps));
  }
  return parent->shared_caps->data;
}

/* All but its caps. */
static void
take_element (GstOrchList * list, guint index, GstOrchExpandChild * child,
    GstCaps ** caps)
{
  GstOrchListElement element;

  gst_orch_list_take_element (list, index, &element);
  child->outcome = (OrchOutcome) element.outcome;
  child->buffer = element.buffer;
  child->owns_caps = FALSE;
  child->begins = NULL;
  child->ends = FALSE;
  child->cause = element.cause;
  child->info = gst_orch_info_new (element.info);
  *caps = element.caps;
}

static void
take_list_child (GstOrchExpand * self, GstOrchExpandParent * parent,
    GstOrchExpandChild * child)
{
  GstCaps *caps;

  take_element (parent->list, parent->next++, child, &caps);
  child->caps = share_caps (self, parent, caps);
}

static void
take_stream_child (GstOrchExpandParent * parent, GstOrchExpandChild * child)
{
  GstOrchExpandChild *queued = g_queue_pop_head (&parent->buffers);

  *child = *queued;
  g_slice_free (GstOrchExpandChild, queued);
  if (child->begins) {
    g_clear_pointer (&parent->expansion, orch_expansion_unref);
    parent->expansion = g_steal_pointer (&child->begins);
  }
  if (parent->input)
    g_cond_signal (&parent->input->room);
}

/* A quarter of the window is free, so that the streaming thread is not woken for
 * one list at a time. */
gboolean
gst_orch_expand_has_ample_room (GstOrchExpand * self)
{
  return orch_interleave_get_n_lists (self->lanes) <=
      self->open_lists - self->open_lists / 4;
}

/* ---- whose turn it is ---- */

static void
note_done (GstOrchExpand * self, GstOrchExpandParent * parent,
    GstOrchExpandParent ** done)
{
  if (!parent->list)
    gst_orch_expand_publish_stream (self, parent, ORCH_EXPANSION_SUCCEEDED,
        NULL);
  parent->next_done = *done;
  *done = parent;
  if (parent->list && gst_orch_expand_has_ample_room (self))
    gst_orch_expand_wake_inputs (self);
}

/* (nullable): `is_last`: it has one child left, and is in no queue any more */
static GstOrchExpandParent *
next_wanted (GstOrchExpand * self, gboolean * is_last)
{
  gpointer parent = NULL;

  if (!orch_interleave_next (self->lanes, &parent, is_last))
    return NULL;
  if (*is_last)
    take_out (self, parent);
  return parent;
}

/* The same of the lists that nobody wants. */
static GstOrchExpandParent *
next_unwanted (GstOrchExpand * self, gboolean * is_last)
{
  GstOrchExpandParent *parent = g_queue_peek_head (&self->unwanted);

  if (!parent)
    return NULL;
  *is_last = parent->next + 1 == gst_orch_list_get_size (parent->list);
  if (*is_last)
    g_queue_unlink (&self->unwanted, &parent->link);
  return parent;
}

/* A list that has a lane is wanted. */
static void
prune_if_unwanted (GstOrchExpand * self, GstOrchExpandParent * parent,
    GstOrchExpandChild * child)
{
  OrchCause *cause = parent->list && parent->lane ? NULL
      : gst_orch_expand_find_unwanted (self, parent->expansion);

  if (cause)
    gst_orch_expand_prune (self, child, cause);
}

static void
take_child (GstOrchExpand * self, GstOrchExpandParent * parent,
    gboolean is_last, GstOrchExpandChild * child, GstOrchExpandParent ** done)
{
  if (parent->list)
    take_list_child (self, parent, child);
  else
    take_stream_child (parent, child);
  prune_if_unwanted (self, parent, child);
  child->entity = orch_expansion_next_child (parent->expansion);
  if (child->ends)
    gst_orch_expand_publish (self, parent->expansion,
        ORCH_EXPANSION_SUCCEEDED, NULL);
  self->n_children++;
  self->ledger.outcomes[child->outcome]++;
  if (is_last)
    note_done (self, parent, done);
}

/* ---- children of aligned lists ---- */

/* Most that wait at one src pad: none of them gets further ahead. */
#define MAX_WAITING 64

static void
give_to_column (GstOrchExpandInput * column, GstOrchExpandParent * parent,
    OrchEntity * entity)
{
  GstOrchExpandChild *child = g_slice_new0 (GstOrchExpandChild);
  GstCaps *caps;

  take_element (parent->aligned[column->column], parent->next, child, &caps);
  prune_if_unwanted (column->owner, parent, child);
  column->owner->ledger.outcomes[child->outcome]++;
  child->entity = orch_entity_ref (entity);
  child->caps = caps ? gst_caps_ref (caps) : NULL;
  child->owns_caps = caps != NULL;
  g_queue_push_tail (&column->output->children, child);
}

static gboolean
has_room_at_all (GstOrchExpand * self)
{
  guint i;

  for (i = 0; i < self->columns->len; i++) {
    GstOrchExpandInput *column = g_ptr_array_index (self->columns, i);

    if (column && column->output->children.length >= MAX_WAITING)
      return FALSE;
  }
  return TRUE;
}

/* One child of `parent`, to every src pad. */
static void
distribute (GstOrchExpand * self, GstOrchExpandParent * parent,
    gboolean is_last, GstOrchExpandParent ** done)
{
  OrchEntity *entity = orch_expansion_next_child (parent->expansion);
  guint i;

  for (i = 0; i < self->columns->len; i++) {
    GstOrchExpandInput *column = g_ptr_array_index (self->columns, i);

    if (i >= parent->n_aligned || !parent->aligned[i])
      continue;
    if (column)
      give_to_column (column, parent, entity);
    else
      self->ledger.forgotten++;
  }
  orch_entity_unref (entity);
  parent->next++;
  self->n_children++;
  if (is_last)
    note_done (self, parent, done);
}

static guint
take_waiting (GstOrchExpandOutput * output, GstOrchExpandChild * children,
    guint max)
{
  guint n = 0;

  while (n < max && output->children.length > 0) {
    GstOrchExpandChild *child = g_queue_pop_head (&output->children);

    children[n++] = *child;
    g_slice_free (GstOrchExpandChild, child);
  }
  return n;
}

/* The task of whichever pad has nothing left takes turns for all of them, so that
 * none of them has to wait for another to be pushed. */
static guint
take_aligned (GstOrchExpandOutput * output, GstOrchExpandChild * children,
    guint n_wanted, guint max, GstOrchExpandParent ** done)
{
  GstOrchExpand *self = output->owner;
  GQueue *waiting = &output->children;
  gboolean was_full = waiting->length >= MAX_WAITING, is_last;
  GstOrchExpandParent *parent;
  guint before = waiting->length;

  while (waiting->length < n_wanted && has_room_at_all (self)
      && (parent = next_wanted (self, &is_last)))
    distribute (self, parent, is_last, done);
  while (waiting->length < max && has_room_at_all (self)
      && (parent = next_unwanted (self, &is_last)))
    distribute (self, parent, is_last, done);
  if (was_full || waiting->length > before)
    gst_orch_expand_wake_outputs (self);
  return take_waiting (output, children, max);
}

guint
gst_orch_expand_take (GstOrchExpandOutput * output,
    GstOrchExpandChild * children, guint n_wanted, guint max,
    GstOrchExpandParent ** done)
{
  GstOrchExpand *self = output->owner;
  GstOrchExpandParent *parent;
  gboolean is_last;
  guint n = 0;

  if (self->columns->len > 1)
    return take_aligned (output, children, n_wanted, max, done);
  while (n < n_wanted && (parent = next_wanted (self, &is_last)))
    take_child (self, parent, is_last, &children[n++], done);
  while (n < max && (parent = next_unwanted (self, &is_last)))
    take_child (self, parent, is_last, &children[n++], done);
  return n;
}
