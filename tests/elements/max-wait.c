/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* F: waiting for a batch to fill, by a clock that the test moves. */

#include "run.h"
#include "complaints.h"
#include "manualtime.h"
#include "patience.h"

#include <gst/check/gstcheck.h>
#include <gst/orch/gstorchactivity-private.h>

#define MAX_WAIT 2000           /* us */

typedef struct
{
  Run *run;
  ManualTime *time;
  guint n_pushed;
} Fill;

/* A Call "work" that waits, with `properties` on top. */
static void
fill_start (Fill * fill, const gchar * properties)
{
  fill->time = manual_time_new ();
  fill->n_pushed = 0;
  fill->run = run_new (RUN_IN "! orchtestwork name=work batch-size=8 "
      "max-wait=2000000 %s ! " RUN_OUT, properties);
  manual_time_rule (fill->time, run_get (fill->run, "work"));
  run_start (fill->run);
}

/* Until all are in the Call. */
static void
fill_push (Fill * fill, guint n)
{
  guint i;

  for (i = 0; i < n; i++)
    run_push (fill->run, "x");
  fill->n_pushed += n;
  patience_until (run_get_stat (fill->run, "work", "entered")
      == fill->n_pushed);
}

static void
assert_stat (Fill * fill, const gchar * field, guint64 n)
{
  if (run_get_stat (fill->run, "work", field) != n)
    g_error ("%s is %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT, field,
        run_get_stat (fill->run, "work", field), n);
}

/* All batches, each of which closed for `reason`. */
static void
assert_batches (Fill * fill, const gchar * batches, const gchar * reason,
    guint n)
{
  g_autofree gchar *log = run_get_text (fill->run, "work", "function::log");

  g_assert_cmpstr (log, ==, batches);
  assert_stat (fill, "batches", n);
  assert_stat (fill, reason, n);
}

static void
fill_free (Fill * fill)
{
  run_free (fill->run);
  manual_time_free (fill->time);
}

static void
fill_finish (Fill * fill)
{
  run_end (fill->run);
  run_finish (fill->run);
  fill_free (fill);
}

/* 3 ready: nothing at 1.9 ms, 3 at 2.0 ms. */
GST_START_TEST (test_f_deadline)
{
  Fill fill;

  fill_start (&fill, "");
  fill_push (&fill, 3);
  manual_time_await (fill.time, MAX_WAIT);
  manual_time_set (fill.time, 1900);
  manual_time_await (fill.time, MAX_WAIT);
  assert_stat (&fill, "batches", 0);
  manual_time_set (fill.time, MAX_WAIT);
  collector_wait (fill.run->out, 3);
  assert_batches (&fill, "(0:0 1:0 2:0)", "batches-deadline", 1);
  fill_finish (&fill);
}

GST_END_TEST;

/* 4 + 4 before the deadline: a full 8. */
GST_START_TEST (test_f_full)
{
  Fill fill;

  fill_start (&fill, "");
  fill_push (&fill, 4);
  manual_time_await (fill.time, MAX_WAIT);
  manual_time_set (fill.time, 1000);
  manual_time_await (fill.time, MAX_WAIT);
  fill_push (&fill, 4);
  collector_wait (fill.run->out, 8);
  assert_batches (&fill, "(0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0)", "batches-full",
      1);
  fill_finish (&fill);
}

GST_END_TEST;

/* Upstream closed: the tail of 3 at once. */
GST_START_TEST (test_f_closed)
{
  Fill fill;

  fill_start (&fill, "");
  fill_push (&fill, 3);
  manual_time_await (fill.time, MAX_WAIT);
  run_end (fill.run);
  run_finish (fill.run);
  assert_batches (&fill, "(0:0 1:0 2:0)", "batches-drained", 1);
  fill_free (&fill);
}

GST_END_TEST;

/* New arrivals do not extend the deadline. */
GST_START_TEST (test_f_new_arrivals)
{
  Fill fill;

  fill_start (&fill, "");
  fill_push (&fill, 3);
  manual_time_await (fill.time, MAX_WAIT);
  manual_time_set (fill.time, 1500);
  fill_push (&fill, 2);
  manual_time_await (fill.time, MAX_WAIT);
  manual_time_set (fill.time, MAX_WAIT);
  collector_wait (fill.run->out, 5);
  assert_batches (&fill, "(0:0 1:0 2:0 3:0 4:0)", "batches-deadline", 1);
  fill_finish (&fill);
}

GST_END_TEST;

/* The next batch counts from its own oldest. */
GST_START_TEST (test_f_next_deadline)
{
  Fill fill;

  fill_start (&fill, "");
  fill_push (&fill, 2);
  manual_time_set (fill.time, MAX_WAIT);
  collector_wait (fill.run->out, 2);
  fill_push (&fill, 1);
  manual_time_await (fill.time, 2 * MAX_WAIT);
  manual_time_set (fill.time, 2 * MAX_WAIT);
  collector_wait (fill.run->out, 3);
  assert_batches (&fill, "(0:0 1:0)(2:0)", "batches-deadline", 2);
  fill_finish (&fill);
}

GST_END_TEST;

/* max-wait 0: at once. */
GST_START_TEST (test_f_none)
{
  Fill fill;

  fill_start (&fill, "max-wait=0");
  fill_push (&fill, 1);
  collector_wait (fill.run->out, 1);
  assert_batches (&fill, "(0:0)", "batches-drained", 1);
  fill_finish (&fill);
}

GST_END_TEST;

/* A burst of 1,000 with batch 16: 62 x 16, then 8 at their deadline, or when
 * upstream closes. */
GST_START_TEST (test_f_burst)
{
  gboolean closes = __i__;
  Fill fill;

  fill_start (&fill, "batch-size=16 max-buffers=2000");
  fill_push (&fill, 1000);
  collector_wait (fill.run->out, 992);
  manual_time_await (fill.time, MAX_WAIT);
  assert_stat (&fill, "batches", 62);
  if (closes)
    run_end (fill.run);
  else
    manual_time_set (fill.time, MAX_WAIT);
  collector_wait (fill.run->out, 1000);
  assert_stat (&fill, "batches", 63);
  assert_stat (&fill, "batches-full", 62);
  assert_stat (&fill, closes ? "batches-drained" : "batches-deadline", 1);
  if (closes) {
    run_finish (fill.run);
    fill_free (&fill);
  } else {
    fill_finish (&fill);
  }
}

GST_END_TEST;

/* S10: nor does a Call wait once its budget is full. */
GST_START_TEST (test_f_budget)
{
  Fill fill;

  fill_start (&fill, "max-bytes=3");
  fill_push (&fill, 4);
  collector_wait (fill.run->out, 3);
  assert_batches (&fill, "(0:0 1:0 2:0)", "batches-budget", 1);
  fill_finish (&fill);
}

GST_END_TEST;

/* S10: nor when nothing more can come, until something does. */
GST_START_TEST (test_f_hurry)
{
  Fill fill;
  GstPad *pad;

  fill_start (&fill, "");
  pad = gst_element_get_static_pad (fill.run->in, "src");
  gst_orch_activity_hurry (pad);
  fill_push (&fill, 3);
  manual_time_await (fill.time, MAX_WAIT);
  gst_orch_activity_hurry (pad);
  gst_object_unref (pad);
  collector_wait (fill.run->out, 3);
  assert_batches (&fill, "(0:0 1:0 2:0)", "batches-drained", 1);
  fill_push (&fill, 1);
  manual_time_await (fill.time, MAX_WAIT);
  assert_stat (&fill, "batches", 1);
  fill_finish (&fill);
}

GST_END_TEST;

/* Who is behind one that waits may still get more from it. */
GST_START_TEST (test_f_hurry_first)
{
  ManualTime *time = manual_time_new ();
  Run *self = run_new (RUN_IN "! orchtestwork name=first batch-size=8 ! tee "
      "name=t ! orchtestwork name=second batch-size=8 max-wait=2000000 ! "
      RUN_OUT "t. ! orchtestwork name=third batch-size=8 max-wait=2000000 ! "
      "fakesink sync=false async=false");
  GstPad *pad = gst_element_get_static_pad (self->in, "src");

  manual_time_rule (time, run_get (self, "first"));
  manual_time_rule (time, run_get (self, "second"));
  manual_time_rule (time, run_get (self, "third"));
  run_start (self);
  run_push (self, "x");
  patience_until (run_get_stat (self, "third", "entered") == 1);
  g_object_set (run_get (self, "first"), "max-wait", (guint64) 2000000, NULL);
  run_push (self, "x");
  patience_until (run_get_stat (self, "first", "entered") == 2);
  gst_orch_activity_hurry (pad);
  patience_until (run_get_stat (self, "third", "entered") == 2);
  fail_unless_equals_uint64 (run_get_stat (self, "second", "batches"), 0);
  gst_orch_activity_hurry (pad);
  patience_until (run_get_stat (self, "second", "batches") == 1
      && run_get_stat (self, "third", "batches") == 1);
  gst_object_unref (pad);
  run_end (self);
  run_finish (self);
  run_free (self);
  manual_time_free (time);
}

GST_END_TEST;

/* S5.3: a batch that is tried again does not wait to be filled. */
GST_START_TEST (test_f_recovery)
{
  Fill fill;

  fill_start (&fill, "batch-size=2 error-once=1 recovery=retry-batch");
  fill_push (&fill, 2);
  collector_wait (fill.run->out, 2);
  assert_stat (&fill, "batches-full", 1);
  assert_stat (&fill, "batches-recovery", 1);
  fill_finish (&fill);
}

GST_END_TEST;

/* ---- changes while playing ---- */

GST_START_TEST (test_f_less_to_wait)
{
  Fill fill;

  fill_start (&fill, "");
  fill_push (&fill, 3);
  manual_time_await (fill.time, MAX_WAIT);
  g_object_set (run_get (fill.run, "work"), "max-wait",
      (guint64) 1000 * GST_USECOND, NULL);
  manual_time_await (fill.time, 1000);
  g_object_set (run_get (fill.run, "work"), "max-wait", (guint64) 0, NULL);
  collector_wait (fill.run->out, 3);
  assert_batches (&fill, "(0:0 1:0 2:0)", "batches-drained", 1);
  fill_finish (&fill);
}

GST_END_TEST;

static GstClockTime
query_latency (Run * run)
{
  GstPad *pad = gst_element_get_static_pad (run_get (run, "out"), "sink");
  GstQuery *query = gst_query_new_latency ();
  GstClockTime min;

  fail_unless (gst_pad_peer_query (pad, query));
  gst_query_parse_latency (query, NULL, &min, NULL);
  gst_query_unref (query);
  gst_object_unref (pad);
  return min;
}

static guint
count_latency_messages (Run * run)
{
  GstBus *bus = gst_element_get_bus (run->pipeline);
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_LATENCY))) {
    n += GST_MESSAGE_SRC (message) == GST_OBJECT (run_get (run, "work"));
    gst_message_unref (message);
  }
  gst_object_unref (bus);
  return n;
}

/* S9.3: it is part of the latency, and a change is told. */
GST_START_TEST (test_f_latency)
{
  Fill fill;
  GstElement *work;

  fill_start (&fill, "");
  work = run_get (fill.run, "work");
  fill_push (&fill, 1);
  fail_unless_equals_uint64 (query_latency (fill.run), MAX_WAIT * GST_USECOND);
  count_latency_messages (fill.run);
  g_object_set (work, "max-wait", 5 * GST_MSECOND, NULL);
  fail_unless_equals_uint64 (query_latency (fill.run), 5 * GST_MSECOND);
  fail_unless_equals_int (count_latency_messages (fill.run), 1);
  g_object_set (work, "max-wait", 5 * GST_MSECOND, NULL);
  fail_unless_equals_int (count_latency_messages (fill.run), 0);
  fill_finish (&fill);
}

GST_END_TEST;

/* ---- batching=siblings: a parent whose children are all there is full ---- */

GST_START_TEST (test_f_siblings)
{
  ManualTime *time = manual_time_new ();
  Run *self = run_new (RUN_IN "! orchexpand interleave=none ! "
      "orchtestwork name=work batch-size=8 batching=siblings "
      "max-wait=2000000 ! orchreduce ! " RUN_OUT);
  g_autofree gchar *log = NULL;

  manual_time_rule (time, run_get (self, "work"));
  run_start (self);
  run_push (self, "[a,b,c]");
  run_push (self, "[d,e]");
  collector_wait (self->out, 2);
  log = run_get_text (self, "work", "function::log");
  g_assert_cmpstr (log, ==, "(0/0:0 0/1:0 0/2:0)(1/0:0 1/1:0)");
  run_end (self);
  run_finish (self);
  run_free (self);
  manual_time_free (time);
}

GST_END_TEST;

static Suite *
max_wait_suite (void)
{
  Suite *s = suite_create ("max-wait");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_f_deadline);
  tcase_add_test (tc, test_f_full);
  tcase_add_test (tc, test_f_closed);
  tcase_add_test (tc, test_f_new_arrivals);
  tcase_add_test (tc, test_f_next_deadline);
  tcase_add_test (tc, test_f_none);
  tcase_add_loop_test (tc, test_f_burst, 0, 2);
  tcase_add_test (tc, test_f_budget);
  tcase_add_test (tc, test_f_hurry);
  tcase_add_test (tc, test_f_hurry_first);
  tcase_add_test (tc, test_f_recovery);
  tcase_add_test (tc, test_f_less_to_wait);
  tcase_add_test (tc, test_f_latency);
  tcase_add_test (tc, test_f_siblings);
  return s;
}

GST_CHECK_MAIN (max_wait);
