/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchexpand-private.h"

/* S5.5: a list whose parent cannot be present any more leaves the window at once.
 * Its children exist, so each gets its outcome; but nothing is pushed for them, and
 * others have their turn first. */

OrchCause *
gst_orch_expand_find_unwanted (GstOrchExpand * self, OrchExpansion * expansion)
{
  OrchCause *cause = NULL;

  if (self->n_unwanted == 0)
    return NULL;
  for (; expansion && !cause; expansion = orch_expansion_get_above (expansion))
    cause = orch_expansion_get_attached (expansion, self->unwanted_key);
  return cause;
}

void
gst_orch_expand_prune (GstOrchExpand * self, GstOrchExpandChild * child,
    OrchCause * cause)
{
  if (child->outcome != ORCH_OUTCOME_PRESENT)
    return;
  child->outcome = ORCH_OUTCOME_SUPPRESSED;
  child->cause = orch_cause_ref (cause);
  self->n_pruned++;
}

static void
leave_window (GstOrchExpand * self, GstOrchExpandParent * parent)
{
  orch_lane_remove (parent->lane);
  parent->lane = NULL;
  g_queue_unlink (&self->parents, &parent->link);
  g_queue_push_tail_link (&self->unwanted, &parent->link);
}

/* The children of a stream, of which nobody knows how many there are, keep their
 * lane: it takes no place in the window. */
static void
unwant (GstOrchExpand * self, OrchExpansion * expansion, OrchCause * cause)
{
  GList *link, *next;

  orch_expansion_attach (expansion, self->unwanted_key, orch_cause_ref (cause),
      (GDestroyNotify) orch_cause_unref);
  self->n_unwanted++;
  for (link = self->parents.head; link; link = next) {
    GstOrchExpandParent *parent = link->data;

    next = link->next;
    if (parent->list && gst_orch_expand_find_unwanted (self,
            parent->expansion))
      leave_window (self, parent);
  }
  if (gst_orch_expand_has_ample_room (self))
    gst_orch_expand_wake_inputs (self);
}

static void
pass_on (GstOrchExpand * self, OrchExpansion * expansion, OrchCause * cause)
{
  GPtrArray *subscribers = gst_orch_expand_copy_subscribers (self, NULL);
  guint i;

  for (i = 0; i < subscribers->len; i++)
    gst_orch_subscriber_unwant (g_ptr_array_index (subscribers, i), expansion,
        cause);
  g_ptr_array_unref (subscribers);
}

/* (transfer container) */
static GPtrArray *
copy_ports (GstOrchExpand * self)
{
  GPtrArray *ports = g_ptr_array_new_with_free_func ((GDestroyNotify)
      gst_orch_port_unref);
  guint i;

  gst_orch_lock (&self->lock);
  for (i = 0; i < self->columns->len; i++) {
    GstOrchExpandInput *column = g_ptr_array_index (self->columns, i);

    if (column)
      g_ptr_array_add (ports, gst_orch_port_ref (column->output->egress.port));
  }
  g_mutex_unlock (&self->lock);
  return ports;
}

/* By what stands behind every src pad. */
static gboolean
is_unwanted (GstOrchExpand * self, OrchExpansion * expansion)
{
  GPtrArray *ports = copy_ports (self);
  gboolean result = TRUE;
  guint i;

  for (i = 0; i < ports->len && result; i++)
    result = gst_orch_port_is_unwanted (g_ptr_array_index (ports, i),
        expansion);
  g_ptr_array_unref (ports);
  return result;
}

void
gst_orch_expand_unwant (GstElement * element, OrchExpansion * expansion,
    OrchCause * cause)
{
  GstOrchExpand *self = GST_ORCH_EXPAND (element);
  gboolean is_news, is_mine;

  if (!is_unwanted (self, expansion))
    return;
  gst_orch_lock (&self->lock);
  is_news = self->lanes && !orch_expansion_get_attached (expansion,
      self->unwanted_key);
  is_mine = orch_expansion_get_domain (expansion) == self->domain;
  if (is_news)
    unwant (self, expansion, cause);
  g_mutex_unlock (&self->lock);
  if (!is_news)
    return;
  gst_orch_subscriber_wake (self->main->subscriber);
  /* Nothing further up works on children that are opened here. */
  if (!is_mine)
    pass_on (self, expansion, cause);
}
