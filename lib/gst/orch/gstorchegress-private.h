/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchport-private.h>

G_BEGIN_DECLS

/**
 * GstOrchEgress: what every src pad of ours does: its Port, what downstream has
 * been told, and how to tell it.  Part of its element; used by the pad's task,
 * and by others only while that is paused.
 */
typedef struct
{
  GstPad *pad;
  GstOrchPort *port;
  gboolean ended;               /* downstream returned EOS (S5.7) */
  /*< private >*/
  gboolean sent_stream_start;
  GstCaps *sent_caps;
  GstEvent *sent_segment;
} GstOrchEgress;

/* `input` (nullable): what feeds the element, NULL where pads are added with
 * gst_orch_port_add_input(). */
GST_ORCH_API void gst_orch_egress_init (GstOrchEgress * egress, GstPad * pad,
    GstOrchSubscriber * input, GstOrchDomainRelation relation);
GST_ORCH_API void gst_orch_egress_clear (GstOrchEgress * egress);
/* A new run. */
GST_ORCH_API void gst_orch_egress_start (GstOrchEgress * egress);
/* After a flush, before the task goes on: caps and segment go out again, and what
 * nobody has heard of before is forgotten. */
GST_ORCH_API void gst_orch_egress_forget (GstOrchEgress * egress);

/* Once a run, unless `event` (transfer full) (nullable) is a new one.  The Port
 * announces itself behind it. */
GST_ORCH_API void gst_orch_egress_send_stream_start (GstOrchEgress * egress,
    GstEvent * event);
/* If they differ from the last sent; NULL sends nothing. */
GST_ORCH_API void gst_orch_egress_send_caps (GstOrchEgress * egress,
    GstCaps * caps);
/* If it is not the last sent; NULL is a TIME segment from 0, once. */
GST_ORCH_API void gst_orch_egress_send_segment (GstOrchEgress * egress,
    GstEvent * segment);

/* A value (transfer full) that the Port has stamped, or several. */
GST_ORCH_API GstFlowReturn gst_orch_egress_push (GstOrchEgress * egress,
    GstBuffer * buffer);
GST_ORCH_API GstFlowReturn gst_orch_egress_push_list (GstOrchEgress * egress,
    GstBufferList * list);

/* Posts an outcome and, for applications, sends it in-band. */
GST_ORCH_API void gst_orch_egress_announce (GstOrchEgress * egress,
    OrchEntity * entity, OrchOutcome outcome, OrchCause * cause,
    GstOrchInfo * info);
/* The same in-band only: it was posted when it was known. */
GST_ORCH_API void gst_orch_egress_send_outcome (GstOrchEgress * egress,
    OrchEntity * entity, OrchOutcome outcome, OrchCause * cause);
/* Nobody takes the value of this Item any more (S5.7). */
GST_ORCH_API void gst_orch_egress_drop_ended (GstOrchEgress * egress,
    OrchEntity * entity, GstOrchInfo * info);
/* Pauses the task and, but for FLUSHING, ends the stream; with an error message
 * for a flow return that is one, and then the Port is broken. */
GST_ORCH_API void gst_orch_egress_end (GstOrchEgress * egress,
    GstFlowReturn flow);

G_END_DECLS
