/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchdemux-private.h"

static void
queue_event (GstOrchDemuxOutput * output, GstEvent * event)
{
  output->at_eos = GST_EVENT_TYPE (event) == GST_EVENT_EOS;
  g_queue_push_tail (&output->queue, event);
  g_cond_signal (&output->wake);
}

void
gst_orch_demux_output_begin (GstOrchDemuxOutput * output,
    GstOrchDemuxStream * stream)
{
  GstEvent *start = gst_orch_stream_get_start (stream->origin);
  g_autofree gchar *id = NULL;

  if (start) {
    /* Behind EOS the same event a second time would not be sent. */
    start = output->at_eos ? gst_event_copy (start) : gst_event_ref (start);
  } else {
    id = g_strconcat (GST_OBJECT_NAME (output->owner), "/",
        GST_OBJECT_NAME (output->pad), NULL);
    start = gst_event_new_stream_start (id);
  }
  gst_clear_caps (&output->caps);
  output->is_finished = FALSE;
  queue_event (output, start);
}

/* Segment and tags that came before the child whose turn it is. */
static void
queue_context (GstOrchDemuxOutput * output, GstOrchDemuxStream * stream)
{
  GstEvent *event;

  while ((event = gst_orch_stream_get_event (stream->origin, stream->position,
              stream->node->next, stream->within))) {
    stream->position++;
    if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
      gst_event_copy_segment (event, &stream->segment);
    stream->has_segment |= GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT;
    queue_event (output, event);
  }
  if (!stream->has_segment)
    queue_event (output, gst_event_new_segment (&stream->segment));
  stream->has_segment = TRUE;
}

/* The time that its info has is stream time, if it is of a stream in time. */
static GstClockTime
get_time (GstOrchDemuxStream * stream, const GstStructure * info)
{
  guint64 time, position;

  if (!info || !gst_structure_get_uint64 (info, "time", &time))
    return GST_CLOCK_TIME_NONE;
  if (stream->segment.format != GST_FORMAT_TIME)
    return time;
  return gst_segment_position_from_stream_time_full (&stream->segment,
      GST_FORMAT_TIME, time, &position) == 1 ? position : GST_CLOCK_TIME_NONE;
}

static GstClockTime
get_duration (const GstStructure * info)
{
  guint64 duration = GST_CLOCK_TIME_NONE;

  if (info)
    gst_structure_get_uint64 (info, "duration", &duration);
  return duration;
}

static void
queue_buffer (GstOrchDemuxOutput * output, GstOrchDemuxStream * stream,
    GstOrchDemuxUnit * unit)
{
  const GstStructure *info = gst_orch_info_get (unit->info);
  GstBuffer *buffer =
      gst_orch_buffer_keep_entity (g_steal_pointer (&unit->buffer));

  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_PTS (buffer) = get_time (stream, info);
  GST_BUFFER_DTS (buffer) = GST_CLOCK_TIME_NONE;
  GST_BUFFER_DURATION (buffer) = get_duration (info);
  output->n_buffers++;
  output->at_eos = FALSE;
  g_queue_push_tail (&output->queue, buffer);
  g_cond_signal (&output->wake);
}

static void
queue_caps (GstOrchDemuxOutput * output, GstCaps * caps)
{
  if (!caps || (output->caps && gst_caps_is_equal (caps, output->caps)))
    return;
  gst_caps_replace (&output->caps, caps);
  queue_event (output, gst_event_new_caps (caps));
}

/* What has no value is a gap, once something has come: a sink could do nothing
 * with one before it has caps. */
void
gst_orch_demux_output_give (GstOrchDemuxOutput * output,
    GstOrchDemuxStream * stream, GstOrchDemuxUnit * unit)
{
  GstClockTime time;

  if (unit->buffer) {
    queue_caps (output, unit->caps);
    queue_context (output, stream);
    queue_buffer (output, stream, unit);
  } else if (output->caps) {
    queue_context (output, stream);
    time = get_time (stream, gst_orch_info_get (unit->info));
    if (GST_CLOCK_TIME_IS_VALID (time))
      queue_event (output, gst_event_new_gap (time,
              get_duration (gst_orch_info_get (unit->info))));
  }
  gst_orch_demux_unit_free (unit);
}

void
gst_orch_demux_output_end (GstOrchDemuxOutput * output)
{
  if (!output->at_eos)
    queue_event (output, gst_event_new_eos ());
}

void
gst_orch_demux_output_empty (GstOrchDemuxOutput * output, GPtrArray * garbage)
{
  gpointer item;

  while ((item = g_queue_pop_head (&output->queue)))
    g_ptr_array_add (garbage, item);
  output->n_buffers = 0;
  output->at_eos = FALSE;
  gst_clear_caps (&output->caps);
  g_cond_broadcast (&output->owner->room);
}
