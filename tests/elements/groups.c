/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Streams that orchexpand cuts into groups: stream, group, buffer. */

#include "run.h"
#include "complaints.h"
#include "patience.h"

#include <gst/check/gstcheck.h>
#include <gst/orch/gstorchplan-private.h>
#include <string.h>

static void
push_each (Run * self, const gchar * source, const gchar * values)
{
  for (; *values; values++)
    run_push_to (self, source, ((gchar[]) { *values, '\0' }));
}

/* ---- where groups begin ---- */

/* Two reduces: the groups, and the streams of which they are. */
static void
assert_groups (const gchar * properties, void (*push) (Run *),
    const gchar * groups, const gchar * streams)
{
  Run *self = run_new (RUN_IN "! orchexpand name=e %s ! orchidentity "
      "batch-size=3 ! orchreduce name=r ! orchreduce ! " RUN_OUT, properties);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "r"), "src");
  Collector *middle = collector_new (pad);
  g_autofree gchar *results = NULL;

  run_start (self);
  push (self);
  run_end (self);
  run_finish (self);
  results = collector_get_results (middle);
  g_assert_cmpstr (results, ==, groups);
  run_assert_results (self, streams);
  collector_free (middle);
  gst_object_unref (pad);
  run_free (self);
}

static void
push_seven (Run * self)
{
  push_each (self, "in", "abcdefg");
}

GST_START_TEST (test_count)
{
  assert_groups ("group-by=count group-count=3", push_seven,
      "0/0 [a,b,c]; 0/1 [d,e,f]; 0/2 [g]", "0 [[a,b,c],[d,e,f],[g]]");
}

GST_END_TEST;

GST_START_TEST (test_count_of_one)
{
  assert_groups ("group-by=count group-count=1 max-buffers=1", push_seven,
      "0/0 [a]; 0/1 [b]; 0/2 [c]; 0/3 [d]; 0/4 [e]; 0/5 [f]; 0/6 [g]",
      "0 [[a],[b],[c],[d],[e],[f],[g]]");
}

GST_END_TEST;

/* No group without a buffer. */
GST_START_TEST (test_count_that_divides)
{
  assert_groups ("group-by=count group-count=7", push_seven,
      "0/0 [a,b,c,d,e,f,g]", "0 [[a,b,c,d,e,f,g]]");
}

GST_END_TEST;

static void
push_times (Run * self)
{
  run_push_at (self, "in", "a", 500, 0);
  run_push_at (self, "in", "b", 1499, 0);
  run_push_at (self, "in", "c", 1500, 0);
  /* Without a time, and a little back: where they are. */
  run_push_at (self, "in", "d", -1, 0);
  run_push_at (self, "in", "e", 1400, 0);
  /* Two groups further, the next of which ends at 4500. */
  run_push_at (self, "in", "f", 4400, 0);
  run_push_at (self, "in", "g", 4500, 0);
  /* A stream that begins anew. */
  run_push_at (self, "in", "h", 0, 0);
  run_push_at (self, "in", "i", 999, 0);
  run_push_at (self, "in", "j", 1000, 0);
}

GST_START_TEST (test_duration)
{
  assert_groups ("group-by=duration group-duration=1000000000", push_times,
      "0/0 [a,b]; 0/1 [c,d,e]; 0/2 [f]; 0/3 [g]; 0/4 [h,i]; 0/5 [j]",
      "0 [[a,b],[c,d,e],[f],[g],[h,i],[j]]");
}

GST_END_TEST;

static void
push_without_times (Run * self)
{
  run_push_at (self, "in", "a", -1, 0);
  run_push_at (self, "in", "b", -1, 0);
  run_push_at (self, "in", "c", 5000, 0);
  run_push_at (self, "in", "d", 5999, 0);
  run_push_at (self, "in", "e", 6000, 0);
}

GST_START_TEST (test_duration_without_times)
{
  assert_groups ("group-by=duration group-duration=1000000000",
      push_without_times, "0/0 [a,b,c,d]; 0/1 [e]", "0 [[a,b,c,d],[e]]");
}

GST_END_TEST;

static void
push_disconts (Run * self)
{
  run_push_at (self, "in", "a", 0, GST_BUFFER_FLAG_DISCONT);
  run_push_at (self, "in", "b", 1, 0);
  run_push_at (self, "in", "c", 2, GST_BUFFER_FLAG_DISCONT);
  run_push_at (self, "in", "d", 3, GST_BUFFER_FLAG_DISCONT);
  run_push_at (self, "in", "e", 4, 0);
}

GST_START_TEST (test_discontinuity)
{
  assert_groups ("group-by=discontinuity", push_disconts,
      "0/0 [a,b]; 0/1 [c]; 0/2 [d,e]", "0 [[a,b],[c],[d,e]]");
}

GST_END_TEST;

/* A request pad: the always pad, to which nothing comes, is no stream. */
GST_START_TEST (test_empty_stream)
{
  Run *self = run_new ("orchexpand name=e group-by=count ! orchidentity ! "
      "orchreduce ! orchreduce ! " RUN_OUT
      "appsrc name=in format=time ! e.sink_0");

  run_start (self);
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 []");
  run_free (self);
}

GST_END_TEST;

/* ---- events ---- */

static void
send_mark (Run * self, const gchar * name, guint scene)
{
  gst_element_send_event (self->in,
      gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
          gst_structure_new (name, "scene", G_TYPE_UINT, scene, NULL)));
}

static void
push_marks (Run * self)
{
  push_each (self, "in", "ab");
  send_mark (self, "orch-group", 2);
  send_mark (self, "another", 3);
  push_each (self, "in", "c");
  send_mark (self, "orch-group", 4);
  send_mark (self, "orch-group", 5);
  push_each (self, "in", "d");
  send_mark (self, "orch-group", 6);
}

GST_START_TEST (test_event)
{
  assert_groups ("group-by=event", push_marks, "0/0 [a,b]; 0/1 [c]; 0/2 [d]",
      "0 [[a,b],[c],[d]]");
}

GST_END_TEST;

static void
push_other_marks (Run * self)
{
  push_each (self, "in", "a");
  send_mark (self, "orch-group", 1);
  push_each (self, "in", "b");
  send_mark (self, "another", 2);
  push_each (self, "in", "c");
}

GST_START_TEST (test_event_of_another_name)
{
  assert_groups ("group-by=event group-event=another", push_other_marks,
      "0/0 [a,b]; 0/1 [c]", "0 [[a,b],[c]]");
}

GST_END_TEST;

/* What an event says is info of the group that follows, with its place and time. */
GST_START_TEST (test_info)
{
  Run *self = run_new (RUN_IN "! orchexpand group-by=event ! orchreduce ! "
      RUN_OUT);
  const GstStructure *info;
  GstBuffer *buffer;
  guint64 index, time;
  guint scene;

  run_start (self);
  run_push_at (self, "in", "a", 0, 0);
  send_mark (self, "orch-group", 7);
  run_push_at (self, "in", "b", 40, 0);
  run_end (self);
  run_finish (self);
  buffer = collector_get_buffer (self->out, "0/1");
  info = gst_orch_buffer_get_info (buffer);
  fail_unless (gst_structure_get (info, "index", G_TYPE_UINT64, &index,
          "time", G_TYPE_UINT64, &time, "scene", G_TYPE_UINT, &scene, NULL));
  fail_unless_equals_uint64 (index, 1);
  fail_unless_equals_uint64 (time, 40 * GST_MSECOND);
  fail_unless_equals_int (scene, 7);
  gst_buffer_unref (buffer);
  run_free (self);
}

GST_END_TEST;

/* ---- the moment its last unit is done ---- */

/* A group is not kept until the next one begins, where its end is known. */
GST_START_TEST (test_group_leaves_at_once)
{
  Run *self = run_new (RUN_IN "! orchexpand group-by=%s group-count=2 ! "
      "orchidentity ! orchreduce ! " RUN_OUT, __i__ ? "event" : "count");
  guint i;

  run_start (self);
  for (i = 1; i <= 3; i++) {
    push_each (self, "in", "ab");
    if (__i__)
      send_mark (self, "orch-group", i);
    collector_wait (self->out, i);
  }
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0/0 [a,b]; 0/1 [a,b]; 0/2 [a,b]");
  run_free (self);
}

GST_END_TEST;

/* ---- several streams ---- */

#define TWO_SOURCES \
    "appsrc name=s0 format=time ! e.sink_0 appsrc name=s1 format=time ! e.sink_1 "

GST_START_TEST (test_streams)
{
  Run *self = run_new ("orchexpand name=e group-by=count group-count=2 ! "
      "orchidentity batch-size=4 ! orchreduce ! orchreduce ! " RUN_OUT
      TWO_SOURCES);

  run_start (self);
  push_each (self, "s0", "ab");
  push_each (self, "s1", "uvw");
  push_each (self, "s0", "cde");
  run_end_of (self, "s1");
  collector_wait (self->out, 1);
  run_end_of (self, "s0");
  run_finish (self);
  run_assert_results (self, "0 [[a,b],[c,d],[e]]; 1 [[u,v],[w]]");
  run_free (self);
}

GST_END_TEST;

/* What failed in one group fails that, and nothing but its stream above. */
GST_START_TEST (test_failure)
{
  Run *self = run_new ("orchexpand name=e group-by=count group-count=2 ! "
      "orchtestwork record=0/1/0 ! orchreduce ! orchreduce on-failed=skip ! "
      RUN_OUT TWO_SOURCES);

  run_start (self);
  push_each (self, "s0", "abcde");
  push_each (self, "s1", "uvw");
  run_end_of (self, "s0");
  run_end_of (self, "s1");
  run_finish (self);
  run_assert_results (self, "0 [[a,b],[e]] 0/1 S test:record@0/1/0; "
      "1 [[u,v],[w]]");
  run_free (self);
}

GST_END_TEST;

static void
flush (Run * self, const gchar * source)
{
  GstElement *in = run_get (self, source);

  gst_element_send_event (in, gst_event_new_flush_start ());
  gst_element_send_event (in, gst_event_new_flush_stop (TRUE));
}

/* It ends that stream and what is open of its groups; what was whole stays. */
GST_START_TEST (test_flush_of_one)
{
  Run *self = run_new ("orchexpand name=e group-by=count group-count=2 ! "
      "orchidentity ! orchreduce name=r ! orchreduce ! " RUN_OUT TWO_SOURCES);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "r"), "src");
  Collector *middle = collector_new (pad);
  g_autofree gchar *results = NULL;

  run_start (self);
  push_each (self, "s1", "uvw");
  push_each (self, "s0", "abc");
  patience_until (run_get_stat (self, "e", "children") == 6);
  flush (self, "s0");
  push_each (self, "s0", "x");
  run_end_of (self, "s0");
  run_end_of (self, "s1");
  run_finish (self);
  results = collector_get_results (middle);
  g_assert_cmpstr (results, ==, "0/0 [a,b]; 0/1 S orch:flushed@0; "
      "1/0 [u,v]; 1/1 [w]; 2/0 [x]");
  run_assert_results (self, "0 S orch:flushed@0; 1 [[u,v],[w]]; 2 [[x]]");
  collector_free (middle);
  gst_object_unref (pad);
  run_free (self);
}

GST_END_TEST;

/* Groups that wait, and have not begun, are accounted for as well. */
GST_START_TEST (test_released_pad)
{
  Run *self = run_new ("orchexpand name=e group-by=count group-count=1 "
      "max-buffers=3 ! orchtestwork name=work hold=true max-buffers=1 ! "
      "orchreduce name=r ! fakesink name=out sync=false async=false "
      TWO_SOURCES);
  GstElement *expand = run_get (self, "e");
  GstPad *pad = gst_element_get_static_pad (expand, "sink_0");
  GstPad *peer = gst_pad_get_peer (pad);

  run_start (self);
  push_each (self, "s0", "abcdefgh");
  patience_until (run_get_stat (self, "e", "parents") >= 4);
  gst_pad_unlink (peer, pad);
  gst_element_release_request_pad (expand, pad);
  gst_object_unref (pad);
  gst_object_unref (peer);
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "work")),
      "function::hold", FALSE, NULL);
  run_end_of (self, "s1");
  run_wait (self);
  run_check_ledger (self);
  /* Every group that was opened has come out, one way or the other. */
  fail_unless_equals_uint64 (run_get_ledger (self, "r", "entered"),
      run_get_ledger (self, "r", "present") + run_get_ledger (self, "r",
          "failed") + run_get_ledger (self, "r", "suppressed")
      + run_get_ledger (self, "r", "dropped"));
  run_free (self);
}

GST_END_TEST;

/* ---- bounds, states, plan ---- */

/* Whatever its groups are, a stream waits when max-buffers of it do. */
GST_START_TEST (test_bound)
{
  Run *self = run_new ("appsrc name=in format=time max-buffers=1 block=false "
      "leaky-type=upstream ! orchexpand name=e group-by=count group-count=1 "
      "max-buffers=2 ! orchtestwork name=work hold=true max-buffers=1 ! "
      "orchreduce ! " RUN_OUT);
  guint i;

  run_start (self);
  for (i = 0; i < 200; i++)
    run_push (self, "x");
  patience_until (run_get_stat (self, "work", "entered") >= 1);
  fail_unless (run_get_stat (self, "e", "parents") < 100);
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "work")),
      "function::hold", FALSE, NULL);
  run_end (self);
  run_finish (self);
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_again)
{
  Run *self = run_new ("videotestsrc num-buffers=5 ! video/x-raw,width=16,"
      "height=16 ! orchexpand group-by=count group-count=2 ! orchidentity ! "
      "orchreduce ! orchreduce ! " RUN_OUT);
  guint i;

  for (i = 0; i < 3; i++) {
    collector_clear (self->out);
    run_start (self);
    run_finish (self);
    run_assert_results (self, "0 [[*,*],[*,*],[*]]");
    gst_element_set_state (self->pipeline, GST_STATE_READY);
  }
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_lists_are_not_cut)
{
  Run *self = run_new (RUN_IN "! orchexpand name=e group-by=count "
      "group-count=1 ! orchidentity ! orchreduce ! " RUN_OUT);

  run_start (self);
  run_push (self, "[a,b]");
  run_push (self, "[c]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [a,b]; 1 [c]");
  fail_unless_equals_int (self->warnings->len, 1);
  g_assert_cmpstr (g_ptr_array_index (self->warnings, 0), ==,
      "e gets lists, which group-by does not cut.");
  run_free (self);
}

GST_END_TEST;

static gchar *
get_domain_of (GstOrchPlan * plan, const gchar * name)
{
  guint i;

  for (i = 0; i < plan->nodes->len; i++) {
    GstOrchPlanNode *node = g_ptr_array_index (plan->nodes, i);
    GstOrchPlanOutput *output;

    if (!g_str_equal (node->name, name))
      continue;
    output = g_ptr_array_index (node->outputs, 0);
    return g_strdup (output->domain->name);
  }
  return NULL;
}

static void
assert_domain (const gchar * line, const gchar * element,
    const gchar * expected)
{
  GstElement *pipeline = gst_parse_launch (line, NULL);
  GstOrchPlan *plan = gst_orch_plan_new (pipeline);
  g_autofree gchar *domain = get_domain_of (plan, element);

  g_assert_cmpstr (domain, ==, expected);
  gst_orch_plan_unref (plan);
  gst_object_unref (pipeline);
}

/* The plan knows of the Domain in between, where streams come. */
GST_START_TEST (test_plan)
{
  static const gchar line[] = "videotestsrc name=v ! orchexpand name=e "
      "group-by=duration ! orchidentity ! orchreduce name=one ! "
      "orchreduce name=two ! fakesink";

  assert_domain (line, "e", "e");
  assert_domain (line, "one", "e-group");
  assert_domain (line, "two", "v");
  assert_domain ("appsrc name=in ! orchtestlist ! orchexpand name=e "
      "group-by=duration ! orchreduce name=one ! fakesink", "one", "in");
}

GST_END_TEST;

static void
add_cuts (TCase * tc)
{
  tcase_add_test (tc, test_count);
  tcase_add_test (tc, test_count_of_one);
  tcase_add_test (tc, test_count_that_divides);
  tcase_add_test (tc, test_duration);
  tcase_add_test (tc, test_duration_without_times);
  tcase_add_test (tc, test_discontinuity);
  tcase_add_test (tc, test_empty_stream);
  tcase_add_test (tc, test_event);
  tcase_add_test (tc, test_event_of_another_name);
  tcase_add_test (tc, test_info);
  tcase_add_loop_test (tc, test_group_leaves_at_once, 0, 2);
}

static Suite *
groups_suite (void)
{
  Suite *s = suite_create ("groups");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (s, tc);
  add_cuts (tc);
  tcase_add_test (tc, test_streams);
  tcase_add_test (tc, test_failure);
  tcase_add_test (tc, test_flush_of_one);
  tcase_add_test (tc, test_released_pad);
  tcase_add_test (tc, test_bound);
  tcase_add_test (tc, test_again);
  tcase_add_test (tc, test_lists_are_not_cut);
  tcase_add_test (tc, test_plan);
  return s;
}

GST_CHECK_MAIN (groups);
