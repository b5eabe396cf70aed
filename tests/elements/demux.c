/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Streams that orchexpand puts together and orchdemux takes apart again. */

#include "run.h"
#include "complaints.h"
#include "patience.h"

#include <gst/check/gstcheck.h>
#include <string.h>

/* Two streams through `calls`; what leaves at src_1 is `out`, at src_0 `other`. */
typedef struct
{
  Run *run;
  Collector *other;
} Pair;

#define SOURCES "appsrc name=s0 format=time ! e.sink_0 " \
    "appsrc name=s1 format=time ! e.sink_1 "
#define SINKS "d.src_0 ! queue name=qa ! fakesink name=other sync=false async=false " \
    "enable-last-sample=false d.src_1 ! queue name=qb ! " RUN_OUT

static Pair
pair_new (const gchar * expand, const gchar * calls)
{
  Pair pair;
  GstPad *pad;

  pair.run = run_new ("orchexpand name=e %s ! %s ! orchdemux name=d " SOURCES
      SINKS, expand, calls);
  pad = gst_element_get_static_pad (run_get (pair.run, "other"), "sink");
  pair.other = collector_new (pad);
  gst_object_unref (pad);
  return pair;
}

static void
pair_free (Pair * pair)
{
  run_free (pair->run);
  collector_free (pair->other);
}

static void
pair_finish (Pair * pair)
{
  run_end_of (pair->run, "s0");
  run_end_of (pair->run, "s1");
  run_finish (pair->run);
}

static void
assert_sequence (Collector * collector, const gchar * expected)
{
  g_autofree gchar *sequence = collector_get_sequence (collector);

  g_assert_cmpstr (sequence, ==, expected);
}

#define TEXT "caps(text/x-raw, format=(string)utf8)"

static void
push_each (Run * run, const gchar * source, guint n)
{
  guint i;

  for (i = 0; i < n; i++)
    run_push_at (run, source, "x", i * 40, 0);
}

/* ---- order ---- */

/* Replicas overtake each other; what leaves is in order, each stream with its own
 * events. */
GST_START_TEST (test_order)
{
  Pair pair = pair_new ("", "orchtestwork sleep=300 replicas=4 batch-size=2 "
      "early=true");

  run_start (pair.run);
  push_each (pair.run, "s0", 5);
  push_each (pair.run, "s1", 3);
  pair_finish (&pair);
  assert_sequence (pair.other, "stream-start " TEXT
      " segment 0/0 0/1 0/2 0/3 0/4 eos");
  assert_sequence (pair.run->out, "stream-start " TEXT
      " segment 1/0 1/1 1/2 eos");
  pair_free (&pair);
}

GST_END_TEST;

typedef struct
{
  gint inside;                  /* atomic: handlers that run now */
  gint most;
} Adding;

static void
note_adding (GstElement * demux, GstPad * pad, gpointer data)
{
  Adding *adding = data;
  gint n = g_atomic_int_add (&adding->inside, 1) + 1;

  if (n > 1)
    g_atomic_int_set (&adding->most, n);
  g_usleep (2000);
  g_atomic_int_add (&adding->inside, -1);
}

/* Pads are added one after the other: the parser of launch lines relies on it. */
GST_START_TEST (test_pads_one_by_one)
{
  Pair pair = pair_new ("", "orchidentity replicas=2");
  Adding adding = { 0, 0 };

  g_signal_connect (run_get (pair.run, "d"), "pad-added",
      G_CALLBACK (note_adding), &adding);
  run_start (pair.run);
  push_each (pair.run, "s0", 1);
  push_each (pair.run, "s1", 1);
  pair_finish (&pair);
  fail_unless_equals_int (adding.most, 0);
  pair_free (&pair);
}

GST_END_TEST;

static void
note_no_more (GstElement * demux, gpointer data)
{
  fail_unless_equals_int (demux->numsrcpads, 2);
  g_atomic_int_inc ((gint *) data);
}

/* That no more pads come is said once, when all of them are there. */
GST_START_TEST (test_no_more_pads)
{
  Pair pair = pair_new ("", "orchidentity replicas=2");
  gint told = 0;

  g_signal_connect (run_get (pair.run, "d"), "no-more-pads",
      G_CALLBACK (note_no_more), &told);
  run_start (pair.run);
  push_each (pair.run, "s0", 2);
  push_each (pair.run, "s1", 1);
  pair_finish (&pair);
  patience_until (g_atomic_int_get (&told) == 1);
  pair_free (&pair);
  fail_unless_equals_int (told, 1);
}

GST_END_TEST;

/* Many, through two Calls that reorder. */
GST_START_TEST (test_order_of_many)
{
  Pair pair = pair_new ("max-buffers=64", "orchtestwork sleep=20 replicas=3 "
      "batch-size=4 early=true ! orchidentity replicas=2 batch-size=7");
  g_autofree gchar *sequence = NULL;
  GString *expected = g_string_new ("stream-start " TEXT " segment ");
  guint i;

  run_start (pair.run);
  push_each (pair.run, "s1", 300);
  push_each (pair.run, "s0", 100);
  pair_finish (&pair);
  for (i = 0; i < 300; i++)
    g_string_append_printf (expected, "1/%u ", i);
  g_string_append (expected, "eos");
  sequence = collector_get_sequence (pair.run->out);
  g_assert_cmpstr (sequence, ==, expected->str);
  fail_unless_equals_int (collector_get_n_results (pair.other), 100);
  g_string_free (expected, TRUE);
  pair_free (&pair);
}

GST_END_TEST;

/* Groups in between make no difference. */
GST_START_TEST (test_groups)
{
  Pair pair = pair_new ("group-by=count group-count=2", "orchtestwork sleep=200 "
      "replicas=3 batch-size=2 early=true");

  run_start (pair.run);
  push_each (pair.run, "s0", 5);
  push_each (pair.run, "s1", 2);
  pair_finish (&pair);
  assert_sequence (pair.other, "stream-start " TEXT
      " segment 0/0/0 0/0/1 0/1/0 0/1/1 0/2/0 eos");
  assert_sequence (pair.run->out, "stream-start " TEXT
      " segment 1/0/0 1/0/1 eos");
  pair_free (&pair);
}

GST_END_TEST;

/* ---- the stream's own times and events ---- */

static void
check_time (Collector * collector, const gchar * path, GstClockTime time)
{
  GstBuffer *buffer = collector_get_buffer (collector, path);

  fail_unless (buffer != NULL);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), time);
  gst_buffer_unref (buffer);
}

GST_START_TEST (test_times)
{
  Pair pair = pair_new ("", "orchidentity batch-size=3");

  run_start (pair.run);
  run_push_at (pair.run, "s0", "a", 500, 0);
  run_push_at (pair.run, "s0", "b", 700, 0);
  run_push_at (pair.run, "s1", "c", 30, 0);
  run_push_at (pair.run, "s1", "d", -1, 0);
  pair_finish (&pair);
  check_time (pair.other, "0/0", 500 * GST_MSECOND);
  check_time (pair.other, "0/1", 700 * GST_MSECOND);
  check_time (pair.run->out, "1/0", 30 * GST_MSECOND);
  check_time (pair.run->out, "1/1", GST_CLOCK_TIME_NONE);
  pair_free (&pair);
}

GST_END_TEST;

static GstSegment *
get_segment (Run * run, const gchar * element)
{
  GstPad *pad = gst_element_get_static_pad (run_get (run, element), "sink");
  GstEvent *event = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);
  const GstSegment *segment;
  GstSegment *copy;

  gst_event_parse_segment (event, &segment);
  copy = gst_segment_copy (segment);
  gst_event_unref (event);
  gst_object_unref (pad);
  return copy;
}

static GstPadProbeReturn
replace_segment (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);

  if (GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT)
    return GST_PAD_PROBE_OK;
  gst_event_unref (event);
  GST_PAD_PROBE_INFO_DATA (info) = gst_event_new_segment (data);
  return GST_PAD_PROBE_OK;
}

/* A segment that begins in the middle: its buffers keep their place in it. */
GST_START_TEST (test_segment)
{
  Run *run = run_new ("orchexpand name=e ! orchidentity batch-size=2 ! "
      "orchdemux name=d videotestsrc num-buffers=3 ! "
      "video/x-raw,framerate=10/1,width=16,height=16 ! identity name=i ! "
      "e.sink_0 d.src_0 ! " RUN_OUT);
  GstPad *pad = gst_element_get_static_pad (run_get (run, "i"), "src");
  GstSegment *segment, before;

  gst_segment_init (&before, GST_FORMAT_TIME);
  before.start = 100 * GST_MSECOND;
  before.time = 5 * GST_SECOND;
  before.base = GST_SECOND;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      replace_segment, &before, NULL);
  gst_object_unref (pad);
  run_start (run);
  run_finish (run);
  segment = get_segment (run, "out");
  fail_unless (gst_segment_is_equal (segment, &before));
  check_time (run->out, "0/1", 100 * GST_MSECOND);
  check_time (run->out, "0/2", 200 * GST_MSECOND);
  gst_segment_free (segment);
  run_free (run);
}

GST_END_TEST;

/* What is ahead of a segment, for a decoder to begin with, keeps its time as well. */
GST_START_TEST (test_ahead_of_segment)
{
  Run *run = run_new ("orchexpand name=e ! orchidentity ! orchdemux name=d "
      "appsrc name=in format=time ! identity name=i ! e.sink_0 d.src_0 ! "
      RUN_OUT);
  GstPad *pad = gst_element_get_static_pad (run_get (run, "i"), "src");
  GstSegment before;

  gst_segment_init (&before, GST_FORMAT_TIME);
  before.start = 100 * GST_MSECOND;
  before.time = 100 * GST_MSECOND;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      replace_segment, &before, NULL);
  gst_object_unref (pad);
  run_start (run);
  run_push_at (run, "in", "a", 60, 0);
  run_push_at (run, "in", "b", 100, 0);
  run_end (run);
  run_finish (run);
  check_time (run->out, "0/0", 60 * GST_MSECOND);
  check_time (run->out, "0/1", 100 * GST_MSECOND);
  run_free (run);
}

GST_END_TEST;

static GstPadProbeReturn
note_tag (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstTagList *tags;

  if (GST_EVENT_TYPE (event) != GST_EVENT_TAG)
    return GST_PAD_PROBE_OK;
  gst_event_parse_tag (event, &tags);
  gst_tag_list_get_string (tags, GST_TAG_TITLE, data);
  return GST_PAD_PROBE_OK;
}

/* Tags are of their own stream only. */
GST_START_TEST (test_tags)
{
  Pair pair = pair_new ("", "orchidentity");
  GstPad *pads[2];
  gchar *titles[2] = { NULL, NULL };
  guint i;

  for (i = 0; i < 2; i++) {
    pads[i] = gst_element_get_static_pad (run_get (pair.run,
            i ? "out" : "other"), "sink");
    gst_pad_add_probe (pads[i], GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, note_tag,
        &titles[i], NULL);
  }
  run_start (pair.run);
  run_push_at (pair.run, "s0", "a", 0, 0);
  patience_until (collector_get_n_results (pair.other) == 1);
  gst_element_send_event (run_get (pair.run, "s0"),
      gst_event_new_tag (gst_tag_list_new (GST_TAG_TITLE, "first", NULL)));
  run_push_at (pair.run, "s0", "b", 40, 0);
  run_push_at (pair.run, "s1", "c", 0, 0);
  pair_finish (&pair);
  g_assert_cmpstr (titles[0], ==, "first");
  g_assert_cmpstr (titles[1], ==, NULL);
  assert_sequence (pair.other, "stream-start " TEXT " segment 0/0 tag 0/1 eos");
  for (i = 0; i < 2; i++) {
    gst_object_unref (pads[i]);
    g_free (titles[i]);
  }
  pair_free (&pair);
}

GST_END_TEST;

/* Groups that were gathered leave as one each: tags are behind the group in which they
 * came. */
GST_START_TEST (test_tags_between_groups)
{
  Pair pair = pair_new ("group-by=count group-count=3",
      "orchidentity ! orchreduce");

  run_start (pair.run);
  push_each (pair.run, "s0", 3);
  collector_wait (pair.other, 1);
  gst_element_send_event (run_get (pair.run, "s0"),
      gst_event_new_tag (gst_tag_list_new (GST_TAG_TITLE, "first", NULL)));
  push_each (pair.run, "s0", 3);
  pair_finish (&pair);
  assert_sequence (pair.other, "stream-start "
      "caps(application/x-orch-list) segment 0/0 tag 0/1 eos");
  pair_free (&pair);
}

GST_END_TEST;

/* ---- what has no value ---- */

GST_START_TEST (test_gaps)
{
  Pair pair = pair_new ("", "orchtestwork record=0/0,0/2 drop=1/1");

  run_start (pair.run);
  push_each (pair.run, "s0", 4);
  push_each (pair.run, "s1", 2);
  pair_finish (&pair);
  assert_sequence (pair.other, "stream-start " TEXT
      " segment 0/1 gap 0/3 eos");
  assert_sequence (pair.run->out, "stream-start " TEXT " segment 1/0 gap eos");
  fail_unless_equals_uint64 (run_get_stat (pair.run, "d", "present"), 3);
  fail_unless_equals_uint64 (run_get_stat (pair.run, "d", "failed"), 2);
  fail_unless_equals_uint64 (run_get_stat (pair.run, "d", "dropped"), 1);
  pair_free (&pair);
}

GST_END_TEST;

/* What a plain element in between loses keeps nothing back. */
GST_START_TEST (test_lost)
{
  Pair pair = pair_new ("", "orchidentity ! queue leaky=downstream "
      "max-size-buffers=1 ! identity sleep-time=3000");

  run_start (pair.run);
  push_each (pair.run, "s0", 20);
  push_each (pair.run, "s1", 20);
  pair_finish (&pair);
  fail_unless_equals_uint64 (run_get_stat (pair.run, "d", "open"), 0);
  fail_unless_equals_uint64 (run_get_stat (pair.run, "d", "present") +
      run_get_stat (pair.run, "d", "dropped"), 40);
  fail_unless (run_get_stat (pair.run, "d", "lost") > 0);
  pair_free (&pair);
}

GST_END_TEST;

/* A stream without a buffer ends as well. */
GST_START_TEST (test_empty_stream)
{
  Pair pair = pair_new ("", "orchidentity");

  run_start (pair.run);
  push_each (pair.run, "s1", 2);
  pair_finish (&pair);
  assert_sequence (pair.other, "stream-start eos");
  assert_sequence (pair.run->out, "stream-start " TEXT
      " segment 1/0 1/1 eos");
  pair_free (&pair);
}

GST_END_TEST;

/* ---- ends ---- */

/* A stream ends the moment its last child is out, whatever the others do. */
GST_START_TEST (test_early_end)
{
  Pair pair = pair_new ("", "orchidentity batch-size=2");

  run_start (pair.run);
  push_each (pair.run, "s0", 3);
  push_each (pair.run, "s1", 1);
  run_end_of (pair.run, "s0");
  collector_wait_eos (pair.other);
  push_each (pair.run, "s1", 1);
  run_end_of (pair.run, "s1");
  run_finish (pair.run);
  assert_sequence (pair.run->out, "stream-start " TEXT
      " segment 1/0 1/1 eos");
  pair_free (&pair);
}

GST_END_TEST;

/* Who takes nothing more of one stream gets the others whole. */
GST_START_TEST (test_end_from_downstream)
{
  Run *run = run_new ("orchexpand name=e ! orchidentity ! orchdemux name=d "
      "max-buffers=2 " SOURCES "d.src_0 ! identity eos-after=2 ! fakesink "
      "sync=false async=false d.src_1 ! " RUN_OUT);

  run_start (run);
  push_each (run, "s0", 30);
  push_each (run, "s1", 30);
  run_end_of (run, "s0");
  run_end_of (run, "s1");
  run_finish (run);
  fail_unless_equals_int (collector_get_n_results (run->out), 30);
  run_free (run);
}

GST_END_TEST;

/* Not everybody needs each stream. */
GST_START_TEST (test_unlinked)
{
  Run *run = run_new ("orchexpand name=e ! orchidentity ! orchdemux name=d "
      "max-buffers=2 " SOURCES "d.src_1 ! " RUN_OUT);

  run_start (run);
  push_each (run, "s0", 30);
  push_each (run, "s1", 30);
  run_end_of (run, "s0");
  run_end_of (run, "s1");
  run_finish (run);
  fail_unless_equals_int (collector_get_n_results (run->out), 30);
  run_free (run);
}

GST_END_TEST;

/* ---- flushes and seeks ---- */

static void
flush (Run * run, const gchar * source)
{
  GstElement *in = run_get (run, source);

  gst_element_send_event (in, gst_event_new_flush_start ());
  gst_element_send_event (in, gst_event_new_flush_stop (TRUE));
}

/* The pad of the stream is flushed and goes on with what follows; the other knows
 * nothing of it. */
GST_START_TEST (test_flush_of_one)
{
  Pair pair = pair_new ("", "orchidentity");

  run_start (pair.run);
  push_each (pair.run, "s0", 2);
  push_each (pair.run, "s1", 2);
  collector_wait (pair.other, 2);
  collector_wait (pair.run->out, 2);
  flush (pair.run, "s0");
  push_each (pair.run, "s0", 1);
  collector_wait (pair.other, 3);
  push_each (pair.run, "s1", 1);
  pair_finish (&pair);
  assert_sequence (pair.other, "stream-start " TEXT " segment 0/0 0/1 "
      "flush-start flush-stop " TEXT " segment 2/0 eos");
  assert_sequence (pair.run->out, "stream-start " TEXT
      " segment 1/0 1/1 1/2 eos");
  pair_free (&pair);
}

GST_END_TEST;

static GstClockTime
get_position (GstPad * pad)
{
  GstSample *sample;
  GstClockTime time = 0;

  g_object_get (GST_PAD_PARENT (pad), "last-sample", &sample, NULL);
  if (sample)
    time = GST_BUFFER_PTS (gst_sample_get_buffer (sample));
  g_clear_pointer (&sample, gst_sample_unref);
  return time;
}

static void
seek (GstPad * pad, GstClockTime start, GstClockTime stop)
{
  fail_unless (gst_pad_push_event (pad, gst_event_new_seek (1.0,
              GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, start,
              GST_SEEK_TYPE_SET, stop)));
}

/* A seek goes to who feeds the stream, and the others run on; also when it had come
 * to its end. */
GST_START_TEST (test_seek)
{
  Run *run = run_new ("orchexpand name=e ! orchidentity batch-size=2 ! "
      "orchdemux name=d audiotestsrc name=s0 ! e.sink_0 audiotestsrc name=s1 ! "
      "e.sink_1 d.src_0 ! queue ! fakesink name=a sync=true async=false "
      "d.src_1 ! queue ! fakesink name=out sync=true async=false");
  GstPad *pad = gst_element_get_static_pad (run_get (run, "a"), "sink");
  Collector *sought = collector_new (pad);
  g_autofree gchar *sequence = NULL;
  gint64 position;

  run_start (run);
  collector_wait (sought, 3);
  if (__i__) {
    seek (pad, 0, 50 * GST_MSECOND);
    collector_wait_eos (sought);
    collector_clear (sought);
  }
  seek (pad, 100 * GST_SECOND, GST_CLOCK_TIME_NONE);
  patience_until (get_position (pad) >= 100 * GST_SECOND);
  fail_unless (gst_pad_peer_query_position (pad, GST_FORMAT_TIME, &position));
  fail_unless (position >= 100 * GST_SECOND);
  gst_element_send_event (run_get (run, "s0"), gst_event_new_eos ());
  gst_element_send_event (run_get (run, "s1"), gst_event_new_eos ());
  run_finish (run);
  sequence = collector_get_sequence (sought);
  fail_unless (strstr (sequence, "flush-start flush-stop caps"));
  g_free (sequence);
  sequence = collector_get_sequence (run->out);
  fail_if (strstr (sequence, "flush"));
  gst_object_unref (pad);
  run_free (run);
  collector_free (sought);
}

GST_END_TEST;

static void
seek_to_end (GstPad * pad, Collector * collector, GstClockTime start)
{
  collector_clear (collector);
  seek (pad, start, start + 50 * GST_MSECOND);
}

static GstPad *
get_sink_pad (Run * run, const gchar * element)
{
  return gst_element_get_static_pad (run_get (run, element), "sink");
}

/* Behind the end of all streams each goes on where it is sought, be it one or both. */
GST_START_TEST (test_seek_after_end)
{
  Run *run = run_new ("orchexpand name=e ! orchidentity batch-size=2 ! "
      "orchdemux name=d audiotestsrc name=s0 ! e.sink_0 audiotestsrc name=s1 ! "
      "e.sink_1 d.src_0 ! queue ! fakesink name=a async=false "
      "d.src_1 ! queue ! fakesink name=out async=false");
  GstPad *pads[] = { get_sink_pad (run, "a"), get_sink_pad (run, "out") };
  Collector *sought = collector_new (pads[0]);
  guint i;

  run_start (run);
  collector_wait (sought, 1);
  collector_wait (run->out, 1);
  for (i = 0; i < 4; i++) {
    seek_to_end (pads[0], sought, i * GST_SECOND);
    collector_wait (sought, 1);
    collector_wait_eos (sought);
    /* It flushes all: what of the other was still on its way would be gone, and an EOS
     * comes for that one, too. */
    if (i < 3) {
      seek_to_end (pads[1], run->out, i * GST_SECOND);
      collector_wait (run->out, 1);
    }
    collector_wait_eos (run->out);
    patience_until ((run_read_bus (run), run_count_ledgers (run, "d") > i));
    fail_unless (collector_get_n_results (sought) > 0);
    fail_unless (collector_get_n_results (run->out) > 0);
  }
  run_free (run);
  collector_free (sought);
  gst_object_unref (pads[0]);
  gst_object_unref (pads[1]);
}

GST_END_TEST;

/* ---- pads that come and go ---- */

static guint
count_src_pads (Run * run)
{
  GstElement *demux = run_get (run, "d");
  guint n;

  GST_OBJECT_LOCK (demux);
  n = demux->numsrcpads;
  GST_OBJECT_UNLOCK (demux);
  return n;
}

static void
release (Run * run, const gchar * name)
{
  GstElement *expand = run_get (run, "e");
  GstPad *pad = gst_element_get_static_pad (expand, name);
  GstPad *peer = gst_pad_get_peer (pad);

  gst_pad_unlink (peer, pad);
  gst_element_release_request_pad (expand, pad);
  gst_object_unref (peer);
  gst_object_unref (pad);
}

/* A stream that is taken away ends, its pad goes, and the other stays. */
GST_START_TEST (test_released)
{
  Pair pair = pair_new ("", "orchidentity");

  run_start (pair.run);
  push_each (pair.run, "s0", 2);
  push_each (pair.run, "s1", 1);
  collector_wait (pair.other, 2);
  release (pair.run, "sink_0");
  collector_wait_eos (pair.other);
  patience_until (count_src_pads (pair.run) == 1);
  push_each (pair.run, "s1", 1);
  run_end_of (pair.run, "s1");
  run_finish (pair.run);
  assert_sequence (pair.run->out, "stream-start " TEXT
      " segment 1/0 1/1 eos");
  pair_free (&pair);
}

GST_END_TEST;

static void
link_to_fakesink (GstElement * demux, GstPad * pad, gpointer data)
{
  Run *run = data;
  GstElement *sink;
  GstPad *sinkpad;

  if (gst_pad_is_linked (pad))
    return;
  sink = gst_element_factory_make ("fakesink", NULL);
  sinkpad = gst_element_get_static_pad (sink, "sink");
  g_object_set (sink, "async", FALSE, NULL);
  gst_bin_add (GST_BIN (run->pipeline), sink);
  gst_element_sync_state_with_parent (sink);
  gst_pad_link (pad, sinkpad);
  gst_object_unref (sinkpad);
}

static void
add_source (Run * run, guint number)
{
  g_autofree gchar *name = g_strdup_printf ("n%u", number);
  GstElement *source = gst_element_factory_make ("appsrc", name);

  g_object_set (source, "format", GST_FORMAT_TIME, NULL);
  gst_bin_add (GST_BIN (run->pipeline), source);
  fail_unless (gst_element_link_pads (source, "src", run_get (run, "e"),
          "sink_%u"));
  gst_element_sync_state_with_parent (source);
}

/* Streams that come later have pads of their own, however many came and went. */
GST_START_TEST (test_added_while_playing)
{
  Run *run = run_new ("orchexpand name=e ! orchidentity batch-size=3 ! "
      "orchdemux name=d appsrc name=in format=time ! e.sink_0 d.src_0 ! queue ! "
      RUN_OUT);
  guint i;

  g_signal_connect (run_get (run, "d"), "pad-added",
      G_CALLBACK (link_to_fakesink), run);
  run_start (run);
  push_each (run, "in", 1);
  for (i = 0; i < 5; i++) {
    g_autofree gchar *name = g_strdup_printf ("n%u", i);
    g_autofree gchar *pad = g_strdup_printf ("sink_%u", i + 1);

    add_source (run, i);
    push_each (run, name, 3);
    patience_until (count_src_pads (run) == 2);
    /* What it pushed afterwards would be an error of its own. */
    patience_until (run_get_stat (run, "e", "children") == 1 + 3 * (i + 1));
    release (run, pad);
    patience_until (count_src_pads (run) == 1);
  }
  push_each (run, "in", 2);
  run_end (run);
  run_finish (run);
  fail_unless_equals_int (collector_get_n_results (run->out), 3);
  run_free (run);
}

GST_END_TEST;

/* ---- one of sixteen ---- */

#define N_STREAMS 16
#define ODD 7
#define N_FRAMES 20

typedef enum
{
  STALLS,
  ENDS,
  ERRS,
  GOES,
} Oddity;

typedef struct
{
  gint n_buffers;               /* atomic */
  gint eos;                     /* atomic */
} Arrived;

static Arrived arrived[N_STREAMS];

static GstPadProbeReturn
count_arrival (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Arrived *self = data;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    g_atomic_int_inc (&self->n_buffers);
  else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_EOS)
    g_atomic_int_set (&self->eos, TRUE);
  return GST_PAD_PROBE_OK;
}

static void
count_arrivals (GstElement * demux, GstPad * pad, gpointer data)
{
  guint number = g_ascii_strtoull (GST_PAD_NAME (pad) + strlen ("src_"), NULL,
      10);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER |
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, count_arrival, &arrived[number],
      NULL);
  link_to_fakesink (demux, pad, data);
}

static void
append_source (GString * line, guint i, Oddity oddity)
{
  const gchar *branch = "";
  guint n = N_FRAMES;

  if (i == ODD && oddity == STALLS)
    branch = "valve name=valve drop=true drop-mode=drop-all ! ";
  else if (i == ODD && oddity == ENDS)
    n = 3;
  else if (i == ODD && oddity == ERRS)
    branch = "identity error-after=3 ! ";
  g_string_append_printf (line, "videotestsrc num-buffers=%u ! video/x-raw,"
      "width=%u,height=16,framerate=%u/1 ! %se.sink_%u ", n, 16 + 2 * i, 5 + i,
      branch, i);
}

static gboolean
has_all (guint i)
{
  return g_atomic_int_get (&arrived[i].eos)
      && g_atomic_int_get (&arrived[i].n_buffers) == N_FRAMES;
}

static gboolean
others_are_whole (void)
{
  guint i;

  for (i = 0; i < N_STREAMS; i++)
    if (i != ODD && !has_all (i))
      return FALSE;
  return TRUE;
}

/* E12 with media of all sizes and rates: whatever becomes of one stream, nothing of
 * the others hangs or is lost. */
GST_START_TEST (test_one_of_sixteen)
{
  GString *line = g_string_new ("orchexpand name=e ! orchidentity batch-size=8 "
      "replicas=2 ! orchdemux name=d fakesink name=out ");
  Run *run;
  guint i;

  memset (arrived, 0, sizeof arrived);
  for (i = 0; i < N_STREAMS; i++)
    append_source (line, i, __i__);
  run = run_new ("%s", line->str);
  g_signal_connect (run_get (run, "d"), "pad-added",
      G_CALLBACK (count_arrivals), run);
  run_start (run);
  if (__i__ == GOES) {
    patience_until (g_atomic_int_get (&arrived[ODD].n_buffers) > 0);
    release (run, "sink_7");
  }
  patience_until (others_are_whole ());
  if (__i__ == STALLS)
    release (run, "sink_7");
  if (__i__ == STALLS) {
    fail_unless_equals_int (arrived[ODD].n_buffers, 0);
  } else {
    patience_until (g_atomic_int_get (&arrived[ODD].eos));
  }
  fail_unless (arrived[ODD].n_buffers <= N_FRAMES);
  run_free (run);
  g_string_free (line, TRUE);
}

GST_END_TEST;

/* ---- live ---- */

static GstClockTime
query_latency (Run * run, gboolean * live)
{
  GstQuery *query = gst_query_new_latency ();
  GstClockTime min;

  fail_unless (gst_element_query (run->pipeline, query));
  gst_query_parse_latency (query, live, &min, NULL);
  gst_query_unref (query);
  return min;
}

/* S9.3: what a batch may wait for is in the latency of each stream, and nothing is
 * late then. */
GST_START_TEST (test_live)
{
  Run *run = run_new ("orchexpand name=e ! orchidentity batch-size=64 "
      "max-wait=40000000 ! orchdemux name=d "
      "audiotestsrc is-live=true num-buffers=12 samplesperbuffer=441 ! e.sink_0 "
      "videotestsrc is-live=true num-buffers=6 ! "
      "video/x-raw,width=16,height=16,framerate=50/1 ! e.sink_1 "
      "d.src_0 ! queue ! fakesink sync=true async=false d.src_1 ! queue ! "
      "fakesink name=out sync=true async=false");
  gboolean live;

  run_start (run);
  collector_wait (run->out, 1);
  fail_unless (query_latency (run, &live) >= 40 * GST_MSECOND);
  fail_unless (live);
  run_finish (run);
  fail_unless_equals_int (collector_get_n_results (run->out), 6);
  run_free (run);
}

GST_END_TEST;

/* ---- what cannot be ---- */

GST_START_TEST (test_documents)
{
  Run *run = run_new (RUN_IN "! orchidentity ! orchexpand ! orchdemux name=d "
      "d. ! " RUN_OUT);

  run_start (run);
  run_push (run, "[a,b]");
  run_end (run);
  fail_if (run_wait (run));
  g_assert_cmpstr (run->error, ==, "d gets units that are of no stream.");
  run_free (run);
}

GST_END_TEST;

/* Behind it lineage begins anew, in the plan as well. */
GST_START_TEST (test_anew)
{
  Run *run = run_new ("videotestsrc num-buffers=4 ! video/x-raw,width=16,"
      "height=16 ! orchexpand ! orchidentity ! orchdemux name=d d. ! queue ! "
      "orchexpand group-by=count group-count=2 ! orchidentity ! orchreduce ! "
      "orchreduce ! " RUN_OUT);

  run_start (run);
  run_finish (run);
  run_assert_results (run, "0 [[*,*],[*,*]]");
  run_free (run);
}

GST_END_TEST;

/* ---- states ---- */

/* Pads go with PAUSED->READY, as those of demuxers do; the parser links once. */
static void
link_again (GstElement * demux, GstPad * pad, gpointer data)
{
  GstElement *queue = run_get (data, g_str_equal (GST_OBJECT_NAME (pad),
          "src_0") ? "qa" : "qb");
  GstPad *sinkpad = gst_element_get_static_pad (queue, "sink");

  if (!gst_pad_is_linked (sinkpad))
    gst_pad_link (pad, sinkpad);
  gst_object_unref (sinkpad);
}

GST_START_TEST (test_states)
{
  Pair pair = pair_new ("", "orchtestwork sleep=100 replicas=2");
  guint i;

  g_signal_connect (run_get (pair.run, "d"), "pad-added",
      G_CALLBACK (link_again), pair.run);
  for (i = 0; i < 20; i++) {
    run_start (pair.run);
    push_each (pair.run, "s0", 10);
    push_each (pair.run, "s1", 5);
    g_usleep (i * 200);
    gst_element_set_state (pair.run->pipeline, i % 2 ? GST_STATE_READY :
        GST_STATE_NULL);
  }
  collector_clear (pair.run->out);
  run_start (pair.run);
  push_each (pair.run, "s1", 3);
  pair_finish (&pair);
  fail_unless_equals_int (collector_get_n_results (pair.run->out), 3);
  pair_free (&pair);
}

GST_END_TEST;

static void
add_streams (TCase * tc)
{
  tcase_add_test (tc, test_order);
  tcase_add_test (tc, test_pads_one_by_one);
  tcase_add_test (tc, test_no_more_pads);
  tcase_add_test (tc, test_order_of_many);
  tcase_add_test (tc, test_groups);
  tcase_add_test (tc, test_times);
  tcase_add_test (tc, test_segment);
  tcase_add_test (tc, test_ahead_of_segment);
  tcase_add_test (tc, test_tags);
  tcase_add_test (tc, test_tags_between_groups);
  tcase_add_test (tc, test_gaps);
  tcase_add_test (tc, test_lost);
  tcase_add_test (tc, test_empty_stream);
}

static Suite *
demux_suite (void)
{
  Suite *s = suite_create ("demux");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (s, tc);
  add_streams (tc);
  tcase_add_test (tc, test_early_end);
  tcase_add_test (tc, test_end_from_downstream);
  tcase_add_test (tc, test_unlinked);
  tcase_add_test (tc, test_flush_of_one);
  tcase_add_loop_test (tc, test_seek, 0, 2);
  tcase_add_test (tc, test_seek_after_end);
  tcase_add_test (tc, test_released);
  tcase_add_test (tc, test_added_while_playing);
  tcase_add_loop_test (tc, test_one_of_sixteen, STALLS, GOES + 1);
  tcase_add_test (tc, test_live);
  tcase_add_test (tc, test_documents);
  tcase_add_test (tc, test_anew);
  tcase_add_test (tc, test_states);
  return s;
}

GST_CHECK_MAIN (demux);
