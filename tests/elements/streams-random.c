/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* S6 for streams: whatever streams and groups take turns, are flushed, end, begin
 * again and go away, what leaves each pad of orchdemux is what was pushed since the
 * last flush and did not fail, in order, with its own times. */

#include "chance.h"
#include "complaints.h"
#include "patience.h"
#include "run.h"
#include "script.h"

#include <gst/check/gstcheck.h>
#include <string.h>

#define N_ROUNDS 80
#define MAX_STREAMS 6
#define MAX_STEPS 40

/* What a buffer says of itself. */
typedef struct
{
  guint32 stream;
  guint32 epoch;                /* flushes of its stream before it */
  guint32 number;               /* in its epoch */
} Word;

typedef struct
{
  guint index;
  GstPad *src;
  GRand *chance;
  GMutex lock;                  /* held for one step, by who makes it */
  guint32 epoch;
  guint32 n_pushed;             /* in it */
  guint32 n_ends;               /* likewise */
  gboolean ended;               /* its EOS is the last thing that was pushed */
  gboolean released;

  GstPad *sink;
  GMutex out_lock;
  GArray *arrived;              /* Word, since the last flush of its pad */
  guint n_ends_arrived;         /* likewise */
} Stream;

static Stream streams[MAX_STREAMS];
static guint n_streams;
static gint nap;                /* most microseconds that anything takes */

/* ---- what becomes of a buffer ---- */

static gboolean
fails (const Word * word)
{
  return (word->number + word->stream) % 7 == 3;
}

static gboolean
is_dropped (const Word * word)
{
  return (word->number + word->epoch) % 11 == 5;
}

static void
read_word (GstBuffer * buffer, Word * word)
{
  g_assert_cmpuint (gst_buffer_extract (buffer, 0, word, sizeof *word), ==,
      sizeof *word);
}

static gboolean
work (GstOrchBatch * batch, guint replica, gpointer data, GError ** error)
{
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    GstBuffer *buffer = gst_orch_batch_get_buffer (batch, i);
    Word word;

    read_word (buffer, &word);
    g_usleep (g_random_int_range (0, nap));
    if (word.number % 13 == 6 && gst_orch_batch_get_generation (batch, i) == 0)
      return script_fail (error);
    if (fails (&word))
      gst_orch_batch_fail_record (batch, i, gst_orch_cause_new ("test",
              "record", "told to fail"));
    else if (is_dropped (&word))
      gst_orch_batch_drop (batch, i);
    else
      script_present (batch, i);
    if (word.number % 2)
      gst_orch_batch_commit (batch);
  }
  return TRUE;
}

/* ---- what arrives ---- */

static GstClockTime
time_of (const Word * word)
{
  return word->number % 5 == 4 ? GST_CLOCK_TIME_NONE
      : (word->number * 20 + word->stream) * GST_MSECOND;
}

static GstFlowReturn
arrive (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  Stream *self = gst_pad_get_element_private (pad);
  Word word, *last;

  read_word (buffer, &word);
  g_usleep (g_random_int_range (0, nap));
  g_assert_cmpuint (word.stream, ==, self->index);
  g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, time_of (&word));
  gst_buffer_unref (buffer);
  g_mutex_lock (&self->out_lock);
  if (self->arrived->len > 0) {
    last = &g_array_index (self->arrived, Word, self->arrived->len - 1);
    g_assert_cmpuint (word.epoch, ==, last->epoch);
    g_assert_cmpuint (word.number, >, last->number);
  }
  g_array_append_val (self->arrived, word);
  g_mutex_unlock (&self->out_lock);
  return GST_FLOW_OK;
}

static void
forget_arrived (Stream * self)
{
  g_mutex_lock (&self->out_lock);
  self->n_ends_arrived = 0;
  g_array_set_size (self->arrived, 0);
  g_mutex_unlock (&self->out_lock);
}

static gboolean
hear (GstPad * pad, GstObject * parent, GstEvent * event)
{
  Stream *self = gst_pad_get_element_private (pad);

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    forget_arrived (self);
  g_mutex_lock (&self->out_lock);
  self->n_ends_arrived += GST_EVENT_TYPE (event) == GST_EVENT_EOS;
  g_mutex_unlock (&self->out_lock);
  gst_event_unref (event);
  return TRUE;
}

static void
link_sink (GstElement * demux, GstPad * pad, gpointer data)
{
  GstEvent *start = gst_pad_get_sticky_event (pad, GST_EVENT_STREAM_START, 0);
  const gchar *id;
  Stream *stream;

  gst_event_parse_stream_start (start, &id);
  stream = &streams[g_ascii_strtoull (id, NULL, 10)];
  /* What comes late of a stream that was released may have a pad of its own. */
  if (gst_pad_link (pad, stream->sink) == GST_PAD_LINK_OK)
    forget_arrived (stream);
  gst_event_unref (start);
}

/* ---- what is pushed ---- */

static void
begin_stream (Stream * self)
{
  g_autofree gchar *id = g_strdup_printf ("%u", self->index);

  gst_pad_push_event (self->src, gst_event_new_stream_start (id));
  self->ended = FALSE;
}

static void
push_segment (Stream * self)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (self->src, gst_event_new_segment (&segment));
}

static void
push_buffer (Stream * self)
{
  Word word = { self->index, self->epoch, self->n_pushed };
  GstBuffer *buffer = gst_buffer_new_memdup (&word, sizeof word);

  GST_BUFFER_PTS (buffer) = time_of (&word);
  GST_BUFFER_DURATION (buffer) = 20 * GST_MSECOND;
  if (g_rand_int_range (self->chance, 0, 4) == 0)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  if (gst_pad_push (self->src, buffer) == GST_FLOW_OK)
    self->n_pushed++;
}

static void
end_stream (Stream * self)
{
  gst_pad_push_event (self->src, gst_event_new_eos ());
  self->n_ends++;
  self->ended = TRUE;
}

static void
push_mark (Stream * self)
{
  gst_pad_push_event (self->src,
      gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
          gst_structure_new_empty ("orch-group")));
}

/* The first goes on to the end: with all others ended, nothing could come any more. */
static void
step (Stream * self)
{
  guint what = g_rand_int_range (self->chance, 0, 40);

  if (self->ended)
    begin_stream (self);
  if (what == 0 && self->index > 0)
    end_stream (self);
  else if (what < 5)
    push_mark (self);
  else
    push_buffer (self);
}

static gpointer
run_stream (gpointer data)
{
  Stream *self = data;
  guint i, n = g_rand_int_range (self->chance, 0, MAX_STEPS);

  for (i = 0; i < n; i++) {
    g_mutex_lock (&self->lock);
    if (!self->released)
      step (self);
    g_mutex_unlock (&self->lock);
    g_usleep (g_rand_int_range (self->chance, 0, nap));
  }
  return NULL;
}

/* From another thread than that which pushes, as seeks do. */
static void
flush_stream (Stream * self)
{
  if (self->released)
    return;
  gst_pad_push_event (self->src, gst_event_new_flush_start ());
  g_mutex_lock (&self->lock);
  gst_pad_push_event (self->src, gst_event_new_flush_stop (TRUE));
  self->epoch++;
  self->n_pushed = self->n_ends = 0;
  self->ended = FALSE;
  push_segment (self);
  g_mutex_unlock (&self->lock);
}

static void
release_stream (GstElement * expand, Stream * self)
{
  GstPad *sink = gst_pad_get_peer (self->src);

  gst_element_release_request_pad (expand, sink);
  gst_object_unref (sink);
  g_mutex_lock (&self->lock);
  self->released = TRUE;
  g_mutex_unlock (&self->lock);
}

/* ---- a round ---- */

static void
stream_init (Stream * self, GstElement * expand, GRand * chance,
    guint index)
{
  GstPad *pad;

  memset (self, 0, sizeof *self);
  self->index = index;
  self->chance = g_rand_new_with_seed (g_rand_int (chance));
  self->arrived = g_array_new (FALSE, FALSE, sizeof (Word));
  g_mutex_init (&self->lock);
  g_mutex_init (&self->out_lock);
  self->sink = gst_object_ref_sink (gst_pad_new ("sink", GST_PAD_SINK));
  gst_pad_set_element_private (self->sink, self);
  gst_pad_set_chain_function (self->sink, arrive);
  gst_pad_set_event_function (self->sink, hear);
  gst_pad_set_active (self->sink, TRUE);
  self->src = gst_object_ref_sink (gst_pad_new ("src", GST_PAD_SRC));
  gst_pad_set_active (self->src, TRUE);
  pad = gst_element_request_pad_simple (expand, "sink_%u");
  g_assert_cmpint (gst_pad_link (self->src, pad), ==, GST_PAD_LINK_OK);
  gst_object_unref (pad);
}

static void
stream_begin (Stream * self)
{
  GstCaps *caps = gst_caps_new_empty_simple ("application/x-word");

  begin_stream (self);
  gst_pad_push_event (self->src, gst_event_new_caps (caps));
  push_segment (self);
  gst_caps_unref (caps);
}

static void
stream_clear (Stream * self)
{
  gst_pad_set_active (self->src, FALSE);
  gst_pad_set_active (self->sink, FALSE);
  gst_object_unref (self->src);
  gst_object_unref (self->sink);
  g_array_unref (self->arrived);
  g_rand_free (self->chance);
  g_mutex_clear (&self->lock);
  g_mutex_clear (&self->out_lock);
}

static gboolean
is_at_end (Stream * self)
{
  gboolean result;

  g_mutex_lock (&self->out_lock);
  result = self->n_ends_arrived == self->n_ends;
  g_mutex_unlock (&self->out_lock);
  return result;
}

/* All of the last epoch. */
static void
check_arrived (Stream * self)
{
  Word word = { self->index, self->epoch, 0 };
  guint i = 0;

  for (; word.number < self->n_pushed; word.number++) {
    if (fails (&word) || is_dropped (&word))
      continue;
    g_assert_cmpuint (i, <, self->arrived->len);
    g_assert_cmpuint (g_array_index (self->arrived, Word, i).epoch, ==,
        self->epoch);
    g_assert_cmpuint (g_array_index (self->arrived, Word, i).number, ==,
        word.number);
    i++;
  }
  g_assert_cmpuint (i, ==, self->arrived->len);
}

static Run *
make_run (GRand * chance)
{
  static const gchar *const groups[] = { "none", "count", "duration",
    "discontinuity", "event"
  };
  guint batch = g_rand_int_range (chance, 1, 6);
  const gchar *group = groups[g_rand_int_range (chance, 0, 5)];

  return run_new ("orchexpand name=e max-buffers=%u group-by=%s group-count=%u "
      "group-duration=50000000 ! orchcall function=script batch-size=%u "
      "replicas=%u max-buffers=%u ! %s orchdemux name=d max-buffers=%u "
      "fakesink name=out async=false", g_rand_int_range (chance, 1, 9), group,
      g_rand_int_range (chance, 1, 5), batch, g_rand_int_range (chance, 1, 4),
      batch + g_rand_int_range (chance, 0, 9),
      g_rand_boolean (chance) ? "orchidentity replicas=2 batch-size=3 !" : "",
      g_rand_int_range (chance, 1, 9));
}

static void
disturb (GRand * chance, GstElement * expand)
{
  guint i, n = g_rand_int_range (chance, 0, 12);

  for (i = 0; i < n; i++) {
    Stream *stream = &streams[g_rand_int_range (chance, 0, n_streams)];

    g_usleep (g_rand_int_range (chance, 0, nap * 4));
    if (stream->index > 0 && g_rand_int_range (chance, 0, 12) == 0
        && !stream->released)
      release_stream (expand, stream);
    else
      flush_stream (stream);
  }
}

/* Behind the account no flush is to come. */
static gboolean
is_accounted_for (Run * run)
{
  run_read_bus (run);
  return run_count_ledgers (run, "d") > 0;
}

static void
end_all (Run * run)
{
  guint i;

  for (i = n_streams; i-- > 0;)
    if (!streams[i].released && !streams[i].ended)
      end_stream (&streams[i]);
  patience_until (is_accounted_for (run));
  for (i = 0; i < n_streams; i++)
    patience_until (streams[i].released || is_at_end (&streams[i]));
}

static void
run_streams (GRand * chance, Run * run)
{
  GThread *threads[MAX_STREAMS];
  guint i;

  for (i = 0; i < n_streams; i++)
    stream_begin (&streams[i]);
  for (i = 0; i < n_streams; i++)
    threads[i] = g_thread_new ("stream", run_stream, &streams[i]);
  disturb (chance, run_get (run, "e"));
  for (i = 0; i < n_streams; i++)
    g_thread_join (threads[i]);
  end_all (run);
}

static void
play (GRand * chance)
{
  Run *run = make_run (chance);
  GstElement *expand = run_get (run, "e");
  guint i;

  n_streams = g_rand_int_range (chance, 2, MAX_STREAMS + 1);
  nap = g_rand_boolean (chance) ? 2 : 300;
  g_signal_connect (run_get (run, "d"), "pad-added", G_CALLBACK (link_sink),
      NULL);
  for (i = 0; i < n_streams; i++)
    stream_init (&streams[i], expand, chance, i);
  run_start (run);
  run_streams (chance, run);
  for (i = 0; i < n_streams; i++)
    if (!streams[i].released)
      check_arrived (&streams[i]);
  run_free (run);
  for (i = 0; i < n_streams; i++)
    stream_clear (&streams[i]);
}

GST_START_TEST (test_streams)
{
  GRand *chance = chance_new ();
  guint i;

  script_set (0, (Script) { .run = work });
  for (i = 0; i < N_ROUNDS; i++)
    play (chance);
  g_rand_free (chance);
}

GST_END_TEST;

static Suite *
streams_random_suite (void)
{
  Suite *s = suite_create ("streams-random");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_streams);
  return s;
}

GST_CHECK_MAIN (streams_random);
