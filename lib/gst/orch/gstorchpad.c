/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchport-private.h"

gboolean
gst_orch_pad_src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) != GST_EVENT_QOS)
    return gst_pad_event_default (pad, parent, event);
  gst_event_unref (event);
  return TRUE;
}

GstPad *
gst_orch_pad_get_feeder (GstPad * sinkpad)
{
  GstPad *pad = gst_pad_get_peer (sinkpad);

  while (pad && GST_IS_PROXY_PAD (pad)) {
    GstPad *next = NULL;

    if (GST_IS_GHOST_PAD (pad)) {
      next = gst_ghost_pad_get_target (GST_GHOST_PAD (pad));
    } else {
      GstProxyPad *ghost = gst_proxy_pad_get_internal (GST_PROXY_PAD (pad));

      next = ghost ? gst_pad_get_peer (GST_PAD (ghost)) : NULL;
      g_clear_pointer (&ghost, gst_object_unref);
    }
    gst_object_unref (pad);
    pad = next;
  }
  return pad;
}

/* Between two of our elements that are linked directly, several Items travel in
 * one GstBufferList: a pad push costs more than all that we do with a small
 * Item.  Anything in between sees single buffers. */

void
gst_orch_pad_answer_caps (GstQuery * query, GstCaps * caps)
{
  GstCaps *filter;

  gst_query_parse_caps (query, &filter);
  if (filter) {
    GstCaps *all = caps;

    caps = gst_caps_intersect_full (filter, all, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref (all);
  }
  gst_query_set_caps_result (query, caps);
  gst_caps_unref (caps);
}

static GQuark
takes_lists_quark (void)
{
  static GQuark quark = 0;

  if (!quark)
    quark = g_quark_from_static_string ("gst-orch-takes-lists");
  return quark;
}

void
gst_orch_pad_set_takes_lists (GstPad * sinkpad)
{
  g_object_set_qdata (G_OBJECT (sinkpad), takes_lists_quark (),
      GINT_TO_POINTER (TRUE));
}

gboolean
gst_orch_pad_peer_takes_lists (GstPad * srcpad)
{
  GstPad *peer = gst_pad_get_peer (srcpad);
  gboolean result;

  if (!peer)
    return FALSE;
  result = g_object_get_qdata (G_OBJECT (peer), takes_lists_quark ()) != NULL
      && srcpad->num_probes == 0 && peer->num_probes == 0;
  gst_object_unref (peer);
  return result;
}

guint
gst_orch_buffer_list_take (GstBufferList * list, GstBuffer ** buffers)
{
  guint i, n = gst_buffer_list_length (list);

  for (i = 0; i < n; i++)
    buffers[i] = gst_buffer_ref (gst_buffer_list_get (list, i));
  /* A list that nobody shares gives its own references back here, so that the
   * buffers are writable. */
  gst_buffer_list_unref (list);
  return n;
}
