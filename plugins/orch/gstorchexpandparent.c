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

OrchExpansion *
gst_orch_expand_open (GstOrchExpand * self, OrchEntity * parent,
    GstOrchInfo * info)
{
  OrchDomain *above = orch_entity_get_domain (parent);
  OrchExpansion *expansion;

  if (!self->domain)
    self->domain = gst_orch_port_get_domain (self->output.port);
  if (!self->domain || orch_domain_get_parent (self->domain) != above) {
    orch_domain_unref (self->domain);
    self->domain = orch_domain_new (GST_OBJECT_NAME (self), above);
    gst_orch_port_set_domain (self->output.port, self->domain);
  }
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
  parent->expansion = orch_expansion_ref (expansion);
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

  orch_expansion_unref (parent->expansion);
  g_clear_pointer (&parent->list, gst_orch_list_unref);
  gst_clear_caps (&parent->given_caps);
  gst_clear_caps (&parent->shared_caps);
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
  gst_clear_buffer (&child->buffer);
  if (child->owns_caps)
    gst_caps_unref (child->caps);
  orch_cause_unref (child->cause);
  gst_orch_info_unref (child->info);
}

/* `expansion` is closed already: its children exist before the first is
 * pushed. */
void
gst_orch_expand_add_list (GstOrchExpand * self, OrchExpansion * expansion,
    GstOrchList * list)
{
  GstOrchExpandParent *parent = parent_new (expansion);

  parent->list = gst_orch_list_ref (list);
  self->n_listed += gst_orch_list_get_size (list);
  self->ledger.entered += gst_orch_list_get_size (list);
  if (gst_orch_expand_find_unwanted (self, expansion))
    g_queue_push_tail_link (&self->unwanted, &parent->link);
  else
    add_parent (self, parent, orch_interleave_add_list (self->lanes, parent,
            gst_orch_list_get_size (list)));
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
  OrchExpansion *expansion = gst_orch_expand_open (self, entity, info);

  input->stream = parent_new (expansion);
  input->stream->input = input;
  add_parent (self, input->stream, orch_interleave_add_stream (self->lanes,
          input->stream));
  orch_expansion_unref (expansion);
  gst_orch_info_unref (info);
  orch_entity_unref (entity);
}

static void
publish_end (GstOrchExpand * self, OrchExpansion * expansion,
    OrchExpansionState state, OrchCause * cause)
{
  orch_expansion_publish (expansion, state, cause);
  gst_orch_port_post_expansion (self->output.port, expansion);
}

static OrchCause *
new_stream_cause (GstOrchExpand * self, OrchExpansion * expansion,
    const gchar * code, const gchar * message)
{
  g_autofree gchar *path =
      orch_entity_get_path (orch_expansion_get_parent (expansion));

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
  if (state == ORCH_EXPANSION_SUCCEEDED) {
    /* What waits still goes out; the last child closes it. */
    if (!orch_lane_close (stream->lane))
      return NULL;
  } else {
    orch_lane_remove (stream->lane);
    self->ledger.forgotten += stream->buffers.length;
    cause = new_stream_cause (self, stream->expansion, code, message);
  }
  take_out (self, stream);
  publish_end (self, stream->expansion, state, cause);
  orch_cause_unref (cause);
  return stream;
}

GList *
gst_orch_expand_forget (GstOrchExpand * self)
{
  GList *parents = NULL, *link;

  for (link = self->inputs; link; link = link->next)
    ((GstOrchExpandInput *) link->data)->stream = NULL;
  while ((link = g_queue_peek_head_link (&self->parents))) {
    GstOrchExpandParent *parent = link->data;

    orch_lane_remove (parent->lane);
    take_out (self, parent);
    parents = g_list_prepend (parents, parent);
  }
  while ((link = g_queue_pop_head_link (&self->unwanted)))
    parents = g_list_prepend (parents, link->data);
  self->unwanted_key = orch_expansion_new_key ();
  gst_orch_ledger_forget (&self->ledger);
  return parents;
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
    gst_caps_replace (&parent->shared_caps, self->shared_caps);
  }
  return parent->shared_caps;
}

static void
take_list_child (GstOrchExpand * self, GstOrchExpandParent * parent,
    GstOrchExpandChild * child)
{
  GstOrchListElement element;

  gst_orch_list_take_element (parent->list, parent->next++, &element);
  child->outcome = (OrchOutcome) element.outcome;
  child->buffer = element.buffer;
  child->caps = share_caps (self, parent, element.caps);
  child->owns_caps = FALSE;
  child->cause = element.cause;
  child->info = gst_orch_info_new (element.info);
}

static void
take_stream_child (GstOrchExpand * self, GstOrchExpandParent * parent,
    GstOrchExpandChild * child)
{
  GstOrchExpandChild *queued = g_queue_pop_head (&parent->buffers);
  OrchCause *cause = gst_orch_expand_find_unwanted (self, parent->expansion);

  *child = *queued;
  g_slice_free (GstOrchExpandChild, queued);
  if (cause)
    gst_orch_expand_prune (self, child, cause);
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

/* With its ordinal; it has all but that. */
static void
publish_child (GstOrchExpand * self, GstOrchExpandParent * parent,
    GstOrchExpandChild * child)
{
  child->entity = orch_expansion_next_child (parent->expansion);
  self->n_children++;
  self->ledger.outcomes[child->outcome]++;
}

gboolean
gst_orch_expand_next_child (GstOrchExpand * self, GstOrchExpandChild * child,
    GstOrchExpandParent ** done)
{
  GstOrchExpandParent *parent;
  gpointer data;
  gboolean is_last;

  *done = NULL;
  if (!orch_interleave_next (self->lanes, &data, &is_last))
    return FALSE;
  parent = data;
  if (parent->list)
    take_list_child (self, parent, child);
  else
    take_stream_child (self, parent, child);
  publish_child (self, parent, child);
  if (is_last) {
    if (!parent->list)
      publish_end (self, parent->expansion, ORCH_EXPANSION_SUCCEEDED, NULL);
    take_out (self, parent);
    *done = parent;
    if (parent->list && gst_orch_expand_has_ample_room (self))
      gst_orch_expand_wake_inputs (self);
  }
  return TRUE;
}

gboolean
gst_orch_expand_next_unwanted (GstOrchExpand * self,
    GstOrchExpandChild * child, GstOrchExpandParent ** done)
{
  GstOrchExpandParent *parent = g_queue_peek_head (&self->unwanted);

  *done = NULL;
  if (!parent)
    return FALSE;
  take_list_child (self, parent, child);
  gst_orch_expand_prune (self, child,
      gst_orch_expand_find_unwanted (self, parent->expansion));
  publish_child (self, parent, child);
  if (parent->next == gst_orch_list_get_size (parent->list)) {
    g_queue_unlink (&self->unwanted, &parent->link);
    *done = parent;
    if (gst_orch_expand_has_ample_room (self))
      gst_orch_expand_wake_inputs (self);
  }
  return TRUE;
}
