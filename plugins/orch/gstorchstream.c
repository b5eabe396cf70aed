/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchstream.h"

typedef struct
{
  guint64 index;                /* of the buffer behind it */
  GstEvent *event;
} Mark;

struct _GstOrchStream
{
  gconstpointer id;
  GWeakRef pad;
  GstEvent *start;              /* (nullable) */
  GMutex lock;
  guint64 n_buffers;
  guint n_flushes;
  gboolean is_flushed;
  GArray *marks;                /* Mark */
};

static gconstpointer
get_key (void)
{
  static gchar key;

  return &key;
}

static void
stream_free (gpointer data)
{
  GstOrchStream *stream = data;

  g_weak_ref_clear (&stream->pad);
  gst_clear_event (&stream->start);
  g_array_unref (stream->marks);
  g_mutex_clear (&stream->lock);
  g_free (stream);
}

static void
clear_mark (gpointer data)
{
  gst_event_unref (((Mark *) data)->event);
}

static gboolean
add_sticky (GstPad * pad, GstEvent ** event, gpointer user_data)
{
  if (GST_EVENT_TYPE (*event) == GST_EVENT_SEGMENT
      || GST_EVENT_TYPE (*event) == GST_EVENT_TAG)
    gst_orch_stream_add (user_data, *event);
  return TRUE;
}

GstOrchStream *
gst_orch_stream_new (OrchExpansion * expansion, GstPad * pad, guint n_flushes)
{
  GstOrchStream *stream = g_new0 (GstOrchStream, 1);

  stream->id = pad;
  stream->n_flushes = n_flushes;
  g_weak_ref_init (&stream->pad, pad);
  stream->start = gst_pad_get_sticky_event (pad, GST_EVENT_STREAM_START, 0);
  g_mutex_init (&stream->lock);
  stream->marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  g_array_set_clear_func (stream->marks, clear_mark);
  gst_pad_sticky_events_foreach (pad, add_sticky, stream);
  orch_expansion_attach (expansion, (gpointer) get_key (), stream, stream_free);
  return stream;
}

GstOrchStream *
gst_orch_stream_of (OrchExpansion * expansion)
{
  return orch_expansion_get_attached (expansion, (gpointer) get_key ());
}

void
gst_orch_stream_count (GstOrchStream * stream)
{
  g_mutex_lock (&stream->lock);
  stream->n_buffers++;
  g_mutex_unlock (&stream->lock);
}

/* Of several segments ahead of one buffer the last holds. */
static void
replace_or_append (GArray * marks, const Mark * mark)
{
  guint i;

  for (i = marks->len; i-- > 0;) {
    Mark *before = &g_array_index (marks, Mark, i);

    if (before->index != mark->index)
      break;
    if (GST_EVENT_TYPE (mark->event) != GST_EVENT_SEGMENT
        || GST_EVENT_TYPE (before->event) != GST_EVENT_SEGMENT)
      continue;
    gst_event_unref (before->event);
    *before = *mark;
    return;
  }
  g_array_append_vals (marks, mark, 1);
}

void
gst_orch_stream_add (GstOrchStream * stream, GstEvent * event)
{
  Mark mark = { 0, gst_event_ref (event) };

  g_mutex_lock (&stream->lock);
  mark.index = stream->n_buffers;
  replace_or_append (stream->marks, &mark);
  g_mutex_unlock (&stream->lock);
}

void
gst_orch_stream_flush (GstOrchStream * stream)
{
  g_mutex_lock (&stream->lock);
  stream->n_flushes++;
  stream->is_flushed = TRUE;
  g_mutex_unlock (&stream->lock);
}

guint
gst_orch_stream_get_n_flushes (GstOrchStream * stream)
{
  guint n;

  g_mutex_lock (&stream->lock);
  n = stream->n_flushes;
  g_mutex_unlock (&stream->lock);
  return n;
}

gboolean
gst_orch_stream_is_flushed (GstOrchStream * stream)
{
  gboolean result;

  g_mutex_lock (&stream->lock);
  result = stream->is_flushed;
  g_mutex_unlock (&stream->lock);
  return result;
}

GstEvent *
gst_orch_stream_get_start (GstOrchStream * stream)
{
  return stream->start;
}

GstEvent *
gst_orch_stream_get_event (GstOrchStream * stream, guint position,
    guint64 index)
{
  GstEvent *event = NULL;

  g_mutex_lock (&stream->lock);
  if (position < stream->marks->len) {
    Mark *mark = &g_array_index (stream->marks, Mark, position);

    if (mark->index <= index)
      event = gst_event_ref (mark->event);
  }
  g_mutex_unlock (&stream->lock);
  return event;
}

GstPad *
gst_orch_stream_ref_pad (GstOrchStream * stream)
{
  return g_weak_ref_get (&stream->pad);
}

gconstpointer
gst_orch_stream_get_id (GstOrchStream * stream)
{
  return stream->id;
}
