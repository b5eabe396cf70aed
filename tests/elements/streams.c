/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* E12 - E16: streams as parents, and plain elements that drop, double and keep
 * what passes them. */

#include "run.h"
#include "complaints.h"
#include "script.h"
#include "notation.h"
#include "patience.h"

#include <gst/check/gstcheck.h>
#include <string.h>

/* ---- E12: many streams, one Call ---- */

#define THREE_SOURCES \
    "appsrc name=s0 format=time ! e.sink_0 appsrc name=s1 format=time ! " \
    "e.sink_1 appsrc name=s2 format=time ! e.sink_2 "

static const gchar *const e12_streams[] = { "s0", "s1", "s2" };
static const guint e12_lengths[] = { 5, 3, 2 };

/* One buffer of each stream in turn, each within the Call before the next. */
static void
push_in_turn (Run * self)
{
  guint i, s, n = 0;

  for (i = 0; i < 5; i++)
    for (s = 0; s < 3; s++) {
      g_autofree gchar *value = g_strdup_printf ("%u%u", s, i);

      if (i >= e12_lengths[s])
        continue;
      run_push_to (self, e12_streams[s], value);
      n++;
      patience_until (run_get_stat (self, "work", "entered") == n);
    }
}

GST_START_TEST (test_e12)
{
  Run *self = run_new ("orchexpand name=e ! orchtestwork name=work batch-size=4 "
      "hold=true ! orchreduce ! " RUN_OUT
      THREE_SOURCES);
  g_autofree gchar *log = NULL;
  guint s;

  run_start (self);
  push_in_turn (self);
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "work")),
      "function::hold", FALSE, NULL);
  for (s = 0; s < 3; s++)
    run_end_of (self, e12_streams[s]);
  run_finish (self);
  run_assert_results (self, "0 [00,01,02,03,04]; 1 [10,11,12]; 2 [20,21]");
  log = run_get_text (self, "work", "function::log");
  fail_unless (g_str_has_prefix (log, "(0/0:0 1/0:0 2/0:0 0/1:0)(1/1:0 "));
  run_free (self);
}

GST_END_TEST;

/* In whatever order they come, a stream is what its pad says (S1.5). */
GST_START_TEST (test_e12_ordinals)
{
  Run *self = run_new ("orchexpand name=e ! orchidentity name=work ! "
      "orchreduce ! " RUN_OUT THREE_SOURCES);
  guint s;

  run_start (self);
  for (s = 3; s-- > 0;) {
    run_push_to (self, e12_streams[s], e12_streams[s]);
    patience_until (run_get_stat (self, "work", "entered") == 3 - s);
  }
  for (s = 0; s < 3; s++)
    run_end_of (self, e12_streams[s]);
  run_finish (self);
  run_assert_results (self, "0 [s0]; 1 [s1]; 2 [s2]");
  run_free (self);
}

GST_END_TEST;

/* A stream without a buffer is a parent without children. */
GST_START_TEST (test_e12_empty_stream)
{
  Run *self = run_new ("orchexpand name=e ! orchidentity ! orchreduce ! "
      RUN_OUT THREE_SOURCES);

  run_start (self);
  run_push_to (self, "s1", "x");
  run_end_of (self, "s0");
  run_end_of (self, "s1");
  run_end_of (self, "s2");
  run_finish (self);
  fail_unless_equals_int (collector_get_n_results (self->out), 3);
  run_free (self);
}

GST_END_TEST;

/* No stream waits for a silent one, and none is cut short by one that ends. */
GST_START_TEST (test_e12_silent_stream)
{
  Run *self = run_new ("orchexpand name=e max-buffers=2 ! "
      "orchidentity batch-size=4 max-buffers=4 ! orchreduce ! " RUN_OUT
      THREE_SOURCES);
  guint i;

  run_start (self);
  for (i = 0; i < 50; i++)
    run_push_to (self, "s0", "x");
  run_push_to (self, "s2", "y");
  run_end_of (self, "s0");
  run_end_of (self, "s2");
  collector_wait (self->out, 2);
  run_push_to (self, "s1", "z");
  run_end_of (self, "s1");
  run_finish (self);
  fail_unless_equals_int (collector_get_n_results (self->out), 3);
  run_free (self);
}

GST_END_TEST;

/* Parents of two Domains would share one, so it is refused. */
GST_START_TEST (test_streams_beside_lists)
{
  Run *self = run_new (RUN_IN "! orchexpand name=e ! orchidentity ! "
      "orchreduce ! " RUN_OUT "appsrc name=s format=time ! e.sink_0");

  run_start (self);
  run_push (self, "[a,b]");
  collector_wait (self->out, 1);
  run_push_to (self, "s", "x");
  fail_if (run_wait (self));
  fail_unless (strstr (self->error, "e gets lists and streams together"));
  run_free (self);
}

GST_END_TEST;

/* ---- times (S9.4) ---- */

static GstPadProbeReturn
check_times (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstClockTime *next = data;

  fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), *next);
  fail_unless_equals_uint64 (GST_BUFFER_DURATION (buffer), GST_SECOND);
  *next += GST_SECOND;
  return GST_PAD_PROBE_OK;
}

/* Times rise on the pad, not per parent. */
GST_START_TEST (test_times_rise)
{
  static const gchar *modes[] = { "fair", "shortest", "none" };
  Run *self = run_new (RUN_IN "! orchexpand name=e interleave=%s ! "
      "orchreduce ! " RUN_OUT, modes[__i__]);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "e"), "src");
  GstClockTime next = 0;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, check_times, &next, NULL);
  gst_object_unref (pad);
  run_start (self);
  run_push (self, "[a,b,c]");
  run_push (self, "[d]");
  run_push (self, "[e,f]");
  run_end (self);
  run_finish (self);
  fail_unless_equals_uint64 (next, 6 * GST_SECOND);
  run_free (self);
}

GST_END_TEST;

/* ---- E13 - E16: elements that know nothing of lineage ---- */

#define VIDEO(n) "videotestsrc num-buffers=" #n " ! " \
    "video/x-raw,format=I420,width=64,height=64,framerate=10/1 ! "

static const GstOrchListCounts *
get_counts (Run * self, const gchar * path)
{
  GstBuffer *buffer = collector_get_buffer (self->out, path);
  const GstOrchListCounts *counts;

  fail_unless (buffer != NULL);
  /* The collector keeps it. */
  counts = gst_orch_list_get_counts (gst_orch_buffer_get_list (buffer));
  gst_buffer_unref (buffer);
  return counts;
}

static guint
count_loss_warnings (Run * self)
{
  guint i, n = 0;

  for (i = 0; i < self->warnings->len; i++)
    if (strstr (g_ptr_array_index (self->warnings, i), "is losing Items"))
      n++;
  return n;
}

GST_START_TEST (test_e13_drops)
{
  Run *self = run_new (VIDEO (9) "orchexpand ! videorate ! "
      "video/x-raw,framerate=5/1 ! orchreduce name=r ! " RUN_OUT);
  const GstOrchListCounts *counts;

  run_start (self);
  run_finish (self);
  counts = get_counts (self, "0");
  fail_unless_equals_uint64 (counts->total, 9);
  fail_unless_equals_uint64 (counts->present, 5);
  fail_unless_equals_uint64 (counts->lost, 4);
  fail_unless_equals_uint64 (run_get_stat (self, "r", "lost"), 4);
  fail_unless_equals_int (count_loss_warnings (self), 1);
  run_assert_results (self, "0 [*,*,*,*,*] 0/1 L orch:lost@0/1 "
      "0/3 L orch:lost@0/3 0/5 L orch:lost@0/5 0/7 L orch:lost@0/7");
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_e13_doubles)
{
  Run *self = run_new (VIDEO (8) "orchexpand ! videorate ! "
      "video/x-raw,framerate=20/1 ! orchreduce name=r ! " RUN_OUT);

  run_start (self);
  run_finish (self);
  run_assert_results (self, "0 [*,*,*,*,*,*,*,*]");
  fail_unless (run_get_stat (self, "r", "duplicates") >= 7);
  fail_unless_equals_int (self->warnings->len, 0);
  run_free (self);
}

GST_END_TEST;

/* on-lost=fail: a loss is a failure like any other. */
GST_START_TEST (test_e13_losses_fail)
{
  Run *self = run_new (VIDEO (4) "orchexpand ! videorate ! "
      "video/x-raw,framerate=5/1 ! orchreduce on-lost=fail ! " RUN_OUT);

  run_start (self);
  run_finish (self);
  run_assert_results (self, "0 S orch:lost@0/1");
  run_free (self);
}

GST_END_TEST;

/* One warning for each edge, however many are lost on it. */
GST_START_TEST (test_one_warning_for_each_edge)
{
  Run *self = run_new (RUN_IN "! orchexpand ! valve drop=true "
      "drop-mode=forward-sticky-events ! orchidentity ! orchreduce ! "
      RUN_OUT);
  guint i;

  run_start (self);
  for (i = 0; i < 10; i++)
    run_push (self, "[a,b,c]");
  run_end (self);
  run_finish (self);
  fail_unless_equals_int (collector_get_n_results (self->out), 10);
  fail_unless_equals_int (count_loss_warnings (self), 1);
  fail_unless (strstr (g_ptr_array_index (self->warnings, 0),
          "lost between orchexpand0:src and orchidentity0"));
  run_free (self);
}

GST_END_TEST;

/* A branch that drops does not hang the other. */
GST_START_TEST (test_e14)
{
  static const gchar *droppers[] = {
    "valve drop=true drop-mode=forward-sticky-events", "valve drop=true",
  };
  Run *self = run_new (RUN_IN "! orchexpand name=e ! tee name=t "
      "t. ! queue ! orchidentity ! orchreduce ! " RUN_OUT
      "t. ! queue ! %s ! orchreduce name=r ! fakesink sync=false async=false",
      droppers[__i__]);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "r"), "src");
  Collector *other = collector_new (pad);
  g_autofree gchar *results = NULL;

  run_start (self);
  run_push (self, "[a,b]");
  run_push (self, "[]");
  run_push (self, "[c]");
  collector_wait (self->out, 3);
  collector_wait (other, 3);
  results = collector_get_results (other);
  g_assert_cmpstr (results, ==, "0 [] 0/0 L orch:lost@0/0 0/1 L orch:lost@0/1; "
      "1 []; 2 [] 2/0 L orch:lost@2/0");
  run_assert_results (self, "0 [a,b]; 1 []; 2 [c]");
  collector_free (other);
  gst_object_unref (pad);
  run_free (self);
}

GST_END_TEST;

static void
check_each_parent (Run * self, guint n, guint total)
{
  guint i;

  fail_unless_equals_int (collector_get_n_results (self->out), n);
  for (i = 0; i < n; i++) {
    g_autofree gchar *path = g_strdup_printf ("%u", i);
    const GstOrchListCounts *counts = get_counts (self, path);

    fail_unless_equals_uint64 (counts->total, total);
    fail_unless_equals_uint64 (counts->present + counts->lost, total);
  }
}

#define LEAKY "queue leaky=%s max-size-buffers=2 ! " \
    "identity sleep-time=200 silent=true ! "

GST_START_TEST (test_e14_leaky)
{
  static const gchar *ends[] = { "upstream", "downstream" };
  Run *self = run_new (RUN_IN "! orchexpand ! tee name=t "
      "t. ! queue ! orchreduce ! fakesink sync=false async=false "
      "t. ! " LEAKY "orchreduce ! " RUN_OUT, ends[__i__]);
  guint i;

  run_start (self);
  for (i = 0; i < 30; i++)
    run_push (self, "[a,b,c,d,e,f]");
  run_end (self);
  run_finish (self);
  check_each_parent (self, 30, 6);
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_e15)
{
  Run *self = run_new (VIDEO (5) "orchexpand ! orchtestwork "
      "record=* ! jpegenc ! jpegdec ! orchreduce on-failed=skip ! "
      RUN_OUT);

  run_start (self);
  run_finish (self);
  run_assert_results (self, "0 [] 0/0 F test:record@0/0 0/1 F test:record@0/1 "
      "0/2 F test:record@0/2 0/3 F test:record@0/3 0/4 F test:record@0/4");
  fail_unless_equals_int (self->warnings->len, 0);
  run_free (self);
}

GST_END_TEST;

/* The last ones fail: the codec never sees a frame behind what it holds. */
GST_START_TEST (test_e15_some)
{
  Run *self = run_new (VIDEO (5) "orchexpand ! orchtestwork "
      "record=0/3,0/4 ! jpegenc ! jpegdec ! "
      "orchreduce on-failed=placeholder ! " RUN_OUT);

  run_start (self);
  run_finish (self);
  run_assert_results (self, "0 [*,*,*,-,-] 0/3 F test:record@0/3 "
      "0/4 F test:record@0/4");
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_e16)
{
  static const gchar *ends[] = { "upstream", "downstream" };
  Run *self = run_new (RUN_IN "! orchexpand ! " LEAKY
      "orchreduce name=r ! " RUN_OUT, ends[__i__]);
  guint i;

  run_start (self);
  for (i = 0; i < 50; i++)
    run_push (self, "[a,b,c,d]");
  run_end (self);
  run_finish (self);
  check_each_parent (self, 50, 4);
  fail_unless (run_get_stat (self, "r", "lost") > 0);
  fail_unless_equals_int (count_loss_warnings (self), 1);
  run_free (self);
}

GST_END_TEST;

/* What a sink keeps as its last sample is not lost for the others. */
GST_START_TEST (test_last_sample)
{
  Run *self = run_new (RUN_IN "! orchexpand ! tee name=t "
      "t. ! queue ! orchreduce ! " RUN_OUT
      "t. ! queue ! fakesink sync=false async=false enable-last-sample=true");

  run_start (self);
  run_push (self, "[a,b]");
  run_push (self, "[c]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [a,b]; 1 [c]");
  fail_unless_equals_int (self->warnings->len, 0);
  run_free (self);
}

GST_END_TEST;

/* An application may keep a buffer as long as it likes. */
GST_START_TEST (test_kept_buffer)
{
  Run *self = run_new (RUN_IN "! orchexpand name=e ! orchreduce ! " RUN_OUT);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "e"), "src");
  Collector *keeper = collector_new (pad);

  run_start (self);
  run_push (self, "[a,b]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [a,b]");
  fail_unless_equals_int (self->warnings->len, 0);
  run_free (self);
  collector_free (keeper);
  gst_object_unref (pad);
}

GST_END_TEST;

static void
add_plain_elements (TCase * tc)
{
  tcase_add_test (tc, test_e13_drops);
  tcase_add_test (tc, test_e13_doubles);
  tcase_add_test (tc, test_e13_losses_fail);
  tcase_add_test (tc, test_one_warning_for_each_edge);
  tcase_add_loop_test (tc, test_e14, 0, 2);
  tcase_add_loop_test (tc, test_e14_leaky, 0, 2);
  tcase_add_test (tc, test_e15);
  tcase_add_test (tc, test_e15_some);
  tcase_add_loop_test (tc, test_e16, 0, 2);
  tcase_add_test (tc, test_last_sample);
  tcase_add_test (tc, test_kept_buffer);
}

static Suite *
streams_suite (void)
{
  Suite *s = suite_create ("streams");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_e12);
  tcase_add_test (tc, test_e12_ordinals);
  tcase_add_test (tc, test_e12_empty_stream);
  tcase_add_test (tc, test_e12_silent_stream);
  tcase_add_test (tc, test_streams_beside_lists);
  tcase_add_loop_test (tc, test_times_rise, 0, 3);
  add_plain_elements (tc);
  return s;
}

GST_CHECK_MAIN (streams);
