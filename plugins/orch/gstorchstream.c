/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchstream.h"

typedef struct
{
  guint64 child, within;        /* the place of the buffer behind it */
  GstEvent *event;
} Mark;

struct _GstOrchStream
{
  gsize id;
  gsize serial, before;
  GWeakRef pad;
  GstEvent *start;              /* (nullable) */
  GMutex lock;
  guint64 child, within;        /* the place of the next buffer */
  guint n_flushes_before;
  guint n_flushes;
  GArray *marks;                /* Mark */
};

static gsize last_serial, last_id;      /* atomic */

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

gsize
gst_orch_stream_new_id (void)
{
  return g_atomic_pointer_add (&last_id, 1) + 1;
}

GstOrchStream *
gst_orch_stream_new (OrchExpansion * expansion, GstPad * pad, gsize id,
    guint n_flushes, gsize before)
{
  GstOrchStream *stream = g_new0 (GstOrchStream, 1);

  stream->id = id;
  stream->serial = g_atomic_pointer_add (&last_serial, 1) + 1;
  stream->before = before;
  stream->n_flushes = stream->n_flushes_before = n_flushes;
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
gst_orch_stream_advance (GstOrchStream * stream, guint64 child, guint64 within)
{
  g_mutex_lock (&stream->lock);
  stream->child = child;
  stream->within = within;
  g_mutex_unlock (&stream->lock);
}

/* Of several segments ahead of one buffer the last holds. */
static void
replace_or_append (GArray * marks, const Mark * mark)
{
  guint i;

  for (i = marks->len; i-- > 0;) {
    Mark *before = &g_array_index (marks, Mark, i);

    if (before->child != mark->child || before->within != mark->within)
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
  Mark mark = { 0, 0, gst_event_ref (event) };

  g_mutex_lock (&stream->lock);
  mark.child = stream->child;
  mark.within = stream->within;
  replace_or_append (stream->marks, &mark);
  g_mutex_unlock (&stream->lock);
}

void
gst_orch_stream_flush (GstOrchStream * stream)
{
  g_mutex_lock (&stream->lock);
  stream->n_flushes++;
  g_mutex_unlock (&stream->lock);
}

guint
gst_orch_stream_get_n_flushes_before (GstOrchStream * stream)
{
  return stream->n_flushes_before;
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
  return gst_orch_stream_get_n_flushes (stream) > stream->n_flushes_before;
}

GstEvent *
gst_orch_stream_get_start (GstOrchStream * stream)
{
  return stream->start;
}

GstEvent *
gst_orch_stream_get_event (GstOrchStream * stream, guint position,
    guint64 child, guint64 within)
{
  GstEvent *event = NULL;

  g_mutex_lock (&stream->lock);
  if (position < stream->marks->len) {
    Mark *mark = &g_array_index (stream->marks, Mark, position);

    if (mark->child < child
        || (mark->child == child && mark->within <= within))
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

gsize
gst_orch_stream_get_id (GstOrchStream * stream)
{
  return stream->id;
}

gsize
gst_orch_stream_get_serial (GstOrchStream * stream)
{
  return stream->serial;
}

gsize
gst_orch_stream_get_last_serial (void)
{
  return (gsize) g_atomic_pointer_get (&last_serial);
}

gsize
gst_orch_stream_get_before (GstOrchStream * stream)
{
  return stream->before;
}
