/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchegress-private.h"

void
gst_orch_egress_init (GstOrchEgress * egress, GstPad * pad,
    GstOrchSubscriber * input, GstOrchDomainRelation relation)
{
  egress->pad = pad;
  egress->port = gst_orch_port_new (pad);
  if (input)
    gst_orch_port_add_input (egress->port, input);
  gst_orch_port_set_relation (egress->port, relation);
  gst_pad_set_event_function (pad, gst_orch_pad_src_event);
}

void
gst_orch_egress_clear (GstOrchEgress * egress)
{
  gst_orch_egress_forget (egress);
  gst_orch_port_close (egress->port);
}

void
gst_orch_egress_start (GstOrchEgress * egress)
{
  gst_orch_egress_forget (egress);
  gst_orch_port_take_name (egress->port);
  egress->sent_stream_start = FALSE;
}

void
gst_orch_egress_forget (GstOrchEgress * egress)
{
  gst_clear_caps (&egress->sent_caps);
  gst_clear_event (&egress->sent_segment);
  egress->ended = FALSE;
  /* Before its task was paused it may have posted to nobody yet. */
  gst_orch_port_new_epoch (egress->port);
}

/* An id of its own: an element of ours may have many inputs, or none. */
static GstEvent *
make_stream_start (GstOrchEgress * egress)
{
  g_autofree gchar *id =
      gst_object_get_path_string (GST_OBJECT (egress->pad));

  return gst_event_new_stream_start (id);
}

void
gst_orch_egress_send_stream_start (GstOrchEgress * egress, GstEvent * event)
{
  if (!event && egress->sent_stream_start)
    return;
  gst_pad_push_event (egress->pad, event ? event : make_stream_start (egress));
  egress->sent_stream_start = TRUE;
  gst_orch_port_announce (egress->port);
}

void
gst_orch_egress_send_caps (GstOrchEgress * egress, GstCaps * caps)
{
  if (!caps || caps == egress->sent_caps)
    return;
  if (!egress->sent_caps || !gst_caps_is_equal (caps, egress->sent_caps))
    gst_pad_push_event (egress->pad, gst_event_new_caps (caps));
  gst_caps_replace (&egress->sent_caps, caps);
}

void
gst_orch_egress_send_segment (GstOrchEgress * egress, GstEvent * segment)
{
  GstSegment fallback;

  if (egress->sent_segment && (!segment || segment == egress->sent_segment))
    return;
  if (segment) {
    gst_event_replace (&egress->sent_segment, segment);
  } else {
    gst_segment_init (&fallback, GST_FORMAT_TIME);
    egress->sent_segment = gst_event_new_segment (&fallback);
  }
  gst_pad_push_event (egress->pad, gst_event_ref (egress->sent_segment));
}

GstFlowReturn
gst_orch_egress_push (GstOrchEgress * egress, GstBuffer * buffer)
{
  GstFlowReturn ret;

  gst_orch_port_begin_push (egress->port);
  ret = gst_pad_push (egress->pad, buffer);
  gst_orch_port_end_push (egress->port, ret);
  return ret;
}

GstFlowReturn
gst_orch_egress_push_list (GstOrchEgress * egress, GstBufferList * list)
{
  GstFlowReturn ret;

  gst_orch_port_begin_push (egress->port);
  ret = gst_pad_push_list (egress->pad, list);
  gst_orch_port_end_push (egress->port, ret);
  return ret;
}

void
gst_orch_egress_send_outcome (GstOrchEgress * egress, OrchEntity * entity,
    OrchOutcome outcome, OrchCause * cause)
{
  if (!egress->ended)
    gst_pad_push_event (egress->pad,
        gst_orch_event_new_outcome (entity, outcome, cause));
}

void
gst_orch_egress_announce (GstOrchEgress * egress, OrchEntity * entity,
    OrchOutcome outcome, OrchCause * cause, GstOrchInfo * info)
{
  gst_orch_port_post_outcome (egress->port, entity, outcome, cause, info);
  gst_orch_egress_send_outcome (egress, entity, outcome, cause);
}

void
gst_orch_egress_drop_ended (GstOrchEgress * egress, OrchEntity * entity,
    GstOrchInfo * info)
{
  GstObject *element = gst_object_get_parent (GST_OBJECT (egress->pad));
  g_autofree gchar *path = orch_entity_get_path (entity);
  g_autofree gchar *message = g_strdup_printf ("downstream of %s ended",
      GST_OBJECT_NAME (element));
  OrchCause *cause = orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_ENDED,
      message, path, GST_OBJECT_NAME (element));

  gst_orch_port_post_outcome (egress->port, entity, ORCH_OUTCOME_DROPPED,
      cause, info);
  orch_cause_unref (cause);
  gst_object_unref (element);
}

void
gst_orch_egress_end (GstOrchEgress * egress, GstFlowReturn flow)
{
  GstElement *element = gst_pad_get_parent_element (egress->pad);

  gst_pad_pause_task (egress->pad);
  if (!element)
    return;
  if (flow == GST_FLOW_FLUSHING) {
    gst_object_unref (element);
    return;
  }
  if (flow != GST_FLOW_OK) {
    gst_orch_port_break (egress->port);
    GST_ELEMENT_FLOW_ERROR (element, flow);
  }
  gst_orch_egress_send_stream_start (egress, NULL);
  gst_pad_push_event (egress->pad, gst_event_new_eos ());
  gst_object_unref (element);
}
