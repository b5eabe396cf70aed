/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchsubscriber-private.h"

/* S5.5: what nobody wants any more is found out against the stream, from the
 * consumers to the producers.  That a subscriber does not want an Expansion hangs
 * on it, under a key that lasts as long as the subscriber's epoch. */

void
gst_orch_subscriber_unwant (GstOrchSubscriber * self,
    OrchExpansion * expansion, OrchCause * cause)
{
  gpointer key = gst_orch_subscriber_get_unwanted_key (self);
  GPtrArray *ports;
  guint i;

  if (orch_expansion_get_attached (expansion, key))
    return;
  orch_expansion_attach (expansion, key, orch_cause_ref (cause),
      (GDestroyNotify) orch_cause_unref);
  ports = gst_orch_subscriber_copy_ports (self);
  for (i = 0; i < ports->len; i++)
    gst_orch_port_unwant (g_ptr_array_index (ports, i), expansion, cause);
  g_ptr_array_unref (ports);
}

static gboolean
is_unwanted_by (GstOrchSubscriber * self, OrchExpansion * expansion)
{
  gpointer key = gst_orch_subscriber_get_unwanted_key (self);

  for (; expansion; expansion = orch_expansion_get_above (expansion))
    if (orch_expansion_get_attached (expansion, key))
      return TRUE;
  return FALSE;
}

/* ---- where the pad leads ---- */

/* An application may take what passes. */
static gboolean
is_watched (GstPad * pad)
{
  gboolean result;

  GST_OBJECT_LOCK (pad);
  result = pad->num_probes > 0;
  GST_OBJECT_UNLOCK (pad);
  return result;
}

static gboolean
is_of_subscriber (GstPad * pad, GPtrArray * subscribers)
{
  guint i;

  for (i = 0; i < subscribers->len; i++)
    if (gst_orch_subscriber_is_at (g_ptr_array_index (subscribers, i), pad))
      return TRUE;
  return FALSE;
}

static void
add_once (GPtrArray * pads, GstPad * pad)
{
  if (!g_ptr_array_find (pads, pad, NULL))
    g_ptr_array_add (pads, gst_object_ref (pad));
}

static void
collect_pad (const GValue * value, gpointer pads)
{
  add_once (pads, g_value_get_object (value));
}

/* The src pads that what comes in at `sinkpad` may leave by, each once.  FALSE
 * when there is none: it ends here. */
static gboolean
go_through (GstPad * sinkpad, GPtrArray * srcpads)
{
  GstIterator *links = gst_pad_iterate_internal_links (sinkpad);
  GstIteratorResult result = GST_ITERATOR_RESYNC;
  GPtrArray *found = g_ptr_array_new_with_free_func (gst_object_unref);
  gboolean any;
  guint i;

  while (links && result == GST_ITERATOR_RESYNC) {
    gst_iterator_resync (links);
    g_ptr_array_set_size (found, 0);
    result = gst_iterator_foreach (links, collect_pad, found);
  }
  any = found->len > 0;
  for (i = 0; i < found->len; i++)
    add_once (srcpads, g_ptr_array_index (found, i));
  g_ptr_array_unref (found);
  if (links)
    gst_iterator_free (links);
  return any;
}

static gboolean
ends_outside (GstPad * srcpad, GPtrArray * subscribers)
{
  GPtrArray *srcpads = g_ptr_array_new_with_free_func (gst_object_unref);
  gboolean result = FALSE;
  guint i;

  g_ptr_array_add (srcpads, gst_object_ref (srcpad));
  for (i = 0; i < srcpads->len && !result; i++) {
    GstPad *pad = g_ptr_array_index (srcpads, i);
    GstPad *peer = gst_pad_get_peer (pad);

    result = is_watched (pad);
    if (peer) {
      result |= is_watched (peer) || (!is_of_subscriber (peer, subscribers)
          && !go_through (peer, srcpads));
      gst_object_unref (peer);
    }
  }
  g_ptr_array_unref (srcpads);
  return result;
}

static gboolean
is_of_sink (GstPad * pad)
{
  GstElement *element = gst_pad_get_parent_element (pad);
  gboolean result = element
      && GST_OBJECT_FLAG_IS_SET (element, GST_ELEMENT_FLAG_SINK);

  g_clear_pointer (&element, gst_object_unref);
  return result;
}

gboolean
gst_orch_port_leads_to_sinks (GstPad * srcpad)
{
  GPtrArray *srcpads = g_ptr_array_new_with_free_func (gst_object_unref);
  gboolean result = TRUE;
  guint i;

  g_ptr_array_add (srcpads, gst_object_ref (srcpad));
  for (i = 0; i < srcpads->len && result; i++) {
    GstPad *peer = gst_pad_get_peer (g_ptr_array_index (srcpads, i));

    result = peer && (go_through (peer, srcpads) || is_of_sink (peer));
    g_clear_pointer (&peer, gst_object_unref);
  }
  g_ptr_array_unref (srcpads);
  return result;
}

gboolean
gst_orch_port_is_unwanted (GstOrchPort * port, OrchExpansion * expansion)
{
  GPtrArray *subscribers = gst_orch_port_copy_subscribers (port);
  gboolean result = TRUE;
  GstPad *pad;
  guint i;

  for (i = 0; i < subscribers->len && result; i++)
    result = is_unwanted_by (g_ptr_array_index (subscribers, i), expansion);
  pad = result ? gst_orch_port_ref_pad (port) : NULL;
  if (pad) {
    result = !ends_outside (pad, subscribers);
    gst_object_unref (pad);
  }
  g_ptr_array_unref (subscribers);
  return result;
}
