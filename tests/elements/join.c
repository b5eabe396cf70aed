/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Branches that meet again, by the ids of the conformance cases. */

#include "run.h"
#include "complaints.h"
#include "script.h"
#include "notation.h"
#include "patience.h"

#include <gst/check/gstcheck.h>
#include <string.h>

/* Both branches of a tee "t" into "j". */
#define JOIN "orchjoin name=j "
#define LEFT "t. ! queue ! "
#define RIGHT "t. ! queue ! "

static void
push_all (Run * self, const gchar * values)
{
  g_auto (GStrv) inputs = g_strsplit (values, "; ", -1);
  guint i;

  for (i = 0; inputs[i]; i++)
    run_push (self, inputs[i]);
}

static void
set_optional (Run * self, const gchar * pad)
{
  GstPad *found = gst_element_get_static_pad (run_get (self, "j"), pad);

  g_object_set (found, "optional", TRUE, NULL);
  gst_object_unref (found);
}

/* Runs a whole description over `values`. */
static void
assert_run (const gchar * description, const gchar * values,
    const gchar * results)
{
  Run *self = run_new ("%s", description);

  run_start (self);
  push_all (self, values);
  run_end (self);
  run_finish (self);
  run_assert_results (self, results);
  fail_unless_equals_int (self->warnings->len, 0);
  run_free (self);
}

/* ---- what is joined ---- */

GST_START_TEST (test_items)
{
  assert_run (JOIN "! orchreduce ! " RUN_OUT RUN_IN "! orchexpand ! tee name=t "
      LEFT "orchidentity ! j.sink_0 " RIGHT "j.sink_1",
      "[a,b]; []; [c]",
      "0 [{sink_0:a,sink_1:a},{sink_0:b,sink_1:b}]; 1 []; "
      "2 [{sink_0:c,sink_1:c}]");
}

GST_END_TEST;

/* ---- and taken apart ---- */

#define PART(number) JOIN "sink_0::optional=true ! orchpart number=" number \
    " ! orchreduce on-failed=skip ! " RUN_OUT RUN_IN "! orchexpand ! tee name=t " \
    LEFT "orchtestwork drop=*/1 ! j.sink_0 " RIGHT "orchidentity ! j.sink_1"

GST_START_TEST (test_part)
{
  assert_run (PART ("1"), "[a,b,c]; []", "0 [a,b,c]; 1 []");
}

GST_END_TEST;

GST_START_TEST (test_missing_part_is_dropped)
{
  assert_run (PART ("0"), "[a,b,c]", "0 [a,c]");
}

GST_END_TEST;

GST_START_TEST (test_no_such_part)
{
  assert_run (JOIN "! orchpart number=2 ! " RUN_OUT RUN_IN
      "! orchidentity ! tee name=t "
      LEFT "j.sink_0 " RIGHT "j.sink_1", "a", "0 F orch:no-part@0");
}

GST_END_TEST;

/* By the numbers of the pads, not in the order in which they were linked. */
GST_START_TEST (test_order_of_pads)
{
  assert_run (JOIN "! " RUN_OUT RUN_IN "! orchidentity ! tee name=t "
      LEFT "j.sink_7 " RIGHT "orchtestwork ! j.sink_2", "a",
      "0 {sink_2:a,sink_7:a}");
}

GST_END_TEST;

#define TWO_DROPS RUN_IN "! orchexpand ! tee name=t " \
    LEFT "orchtestwork drop=*/0,*/2 ! j.sink_0 " \
    RIGHT "orchtestwork drop=*/1,*/2 ! j.sink_1"

GST_START_TEST (test_optional)
{
  static const struct
  {
    gboolean left, right;
    const gchar *mode, *results;
  } cases[] = {
    {FALSE, FALSE, "items", "0 [{sink_0:d,sink_1:d}]"},
    {TRUE, FALSE, "items", "0 [{sink_0:-,sink_1:a},{sink_0:d,sink_1:d}]"},
    {FALSE, TRUE, "items", "0 [{sink_0:b,sink_1:-},{sink_0:d,sink_1:d}]"},
    {TRUE, TRUE, "items", "0 [{sink_0:-,sink_1:a},{sink_0:b,sink_1:-},"
          "{sink_0:-,sink_1:-},{sink_0:d,sink_1:d}]"},
    {FALSE, FALSE, "first", "0 [d]"},
    {TRUE, TRUE, "first", "0 [a,b,d]"},
  };
  Run *self = run_new (JOIN "output=%s ! orchreduce ! " RUN_OUT TWO_DROPS,
      cases[__i__].mode);

  if (cases[__i__].left)
    set_optional (self, "sink_0");
  if (cases[__i__].right)
    set_optional (self, "sink_1");
  run_start (self);
  run_push (self, "[a,b,c,d]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, cases[__i__].results);
  run_free (self);
}

GST_END_TEST;

/* S2.1: a failure in one branch suppresses, whatever the other one says. */
GST_START_TEST (test_e4)
{
  Run *self = run_new (JOIN "! orchreduce on-failed=skip ! " RUN_OUT
      RUN_IN "! orchexpand ! tee name=t "
      LEFT "orchtestwork record=0/0,0/1 ! j.sink_0 "
      RIGHT "orchtestwork drop=0/0 ! j.sink_1");

  set_optional (self, "sink_0");
  set_optional (self, "sink_1");
  run_start (self);
  run_push (self, "[a,b,c]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [{sink_0:c,sink_1:c}] "
      "0/0 S test:record@0/0 0/1 S test:record@0/1");
  run_free (self);
}

GST_END_TEST;

/* E3: filter(left,[F,T]) and filter(right,[T,F]): nothing is left to run on. */
GST_START_TEST (test_e3)
{
  Run *self = run_new (JOIN "! orchtestwork name=w ! orchreduce ! " RUN_OUT
      RUN_IN "! orchexpand ! tee name=t "
      LEFT "orchfilter predicate=\"value == b\" ! j.sink_0 "
      RIGHT "orchfilter predicate=\"value == a\" ! j.sink_1");
  g_autofree gchar *log = NULL;

  run_start (self);
  run_push (self, "[a,b]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 []");
  log = run_get_text (self, "w", "log");
  g_assert_cmpstr (log, ==, "");
  fail_unless_equals_uint64 (run_get_stat (self, "w", "dropped"), 2);
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_e9)
{
  assert_run (JOIN "! " RUN_OUT RUN_IN "! orchexpand ! tee name=t "
      LEFT "orchtestwork replicas=2 batch-size=2 ! orchreduce ! j.sink_0 "
      RIGHT "orchtestwork drop=*/1 record=1/0 ! orchreduce on-failed=skip ! "
      "j.sink_1",
      "[a,b,c]; [d,e]; []",
      "0 {sink_0:[a,b,c],sink_1:[a,c]}; "
      "1 {sink_0:[d,e],sink_1:[]} 1/0 F test:record@1/0; "
      "2 {sink_0:[],sink_1:[]}");
}

GST_END_TEST;

/* Two sibling Domains meet at the root: three frames, two pieces of sound. */
GST_START_TEST (test_e10)
{
  assert_run (JOIN "! " RUN_OUT RUN_IN "! orchidentity ! tee name=t "
      LEFT "orchtestlist n=3 text=true ! orchexpand ! orchidentity ! "
      "orchreduce ! j.sink_0 "
      RIGHT "orchtestlist n=2 text=true ! orchexpand ! orchreduce ! j.sink_1",
      "x; y", "0 {sink_0:[0/0,0/1,0/2],sink_1:[0/0,0/1]}; "
      "1 {sink_0:[1/0,1/1,1/2],sink_1:[1/0,1/1]}");
}

GST_END_TEST;

/* Where documents of several sources go one way, a plan does not know whether those
 * of another way are the same. */
GST_START_TEST (test_other_domains)
{
  Run *self = run_new (JOIN "! " RUN_OUT "funnel name=f ! j.sink_0 "
      RUN_IN "! orchidentity ! f. appsrc ! orchidentity ! f. "
      "appsrc name=other format=time ! orchidentity ! j.sink_1");

  run_start (self);
  run_push (self, "x");
  run_push_to (self, "other", "x");
  g_assert_false (run_wait (self));
  fail_unless (strstr (self->error, "j cannot put together"));
  run_free (self);
}

GST_END_TEST;

#define E11_N 1000

/* One branch a hundred times as slow as the other. */
GST_START_TEST (test_e11)
{
  Run *self = run_new (JOIN "! " RUN_OUT RUN_IN "! orchidentity ! tee name=t "
      LEFT "orchtestwork ! j.sink_0 "
      RIGHT "orchtestwork sleep=100 batch-size=16 replicas=2 ! j.sink_1");
  GString *expected = g_string_new (NULL);
  guint i;

  run_start (self);
  for (i = 0; i < E11_N; i++) {
    g_autofree gchar *value = g_strdup_printf ("%u", i);

    run_push (self, value);
    g_string_append_printf (expected, "%s%u {sink_0:%u,sink_1:%u}",
        i ? "; " : "", i, i, i);
  }
  run_end (self);
  run_finish (self);
  run_assert_results (self, expected->str);
  g_string_free (expected, TRUE);
  run_free (self);
}

GST_END_TEST;

/* ---- broadcast ---- */

static gboolean
wait_at_gate (GstOrchBatch * batch, guint replica, gpointer gate,
    GError ** error)
{
  gate_pass (gate);
  script_present_all (batch);
  return TRUE;
}

/* S3.9, E1: documents next to their pages, in either order of arrival: the one
 * branch is held until the other has come. */
GST_START_TEST (test_broadcast)
{
  gboolean documents_first = __i__;
  Run *self = run_new (JOIN "! orchreduce ! " RUN_OUT
      RUN_IN "! orchidentity ! tee name=t "
      LEFT "orchexpand ! orchcall name=w ! j.sink_0 "
      RIGHT "orchcall name=d ! j.sink_1");
  GstElement *held = run_get (self, documents_first ? "w" : "d");
  GstElement *other = run_get (self, documents_first ? "d" : "w");
  Gate gate;

  gate_init (&gate);
  script_set (0, (Script) {.run = wait_at_gate,.data = &gate});
  g_object_set (held, "function", "script", NULL);
  g_object_set (other, "function", "identity", NULL);
  run_start (self);
  push_all (self, "[a,b]; []; [c]");
  gate_await_waiting (&gate, 1);
  patience_until (run_get_stat (self, documents_first ? "d" : "w",
          "present") == 3);
  fail_unless_equals_uint64 (run_get_stat (self, "j", "present"), 0);
  run_end (self);
  gate_open (&gate);
  run_finish (self);
  run_assert_results (self,
      "0 [{sink_0:a,sink_1:[a,b]},{sink_0:b,sink_1:[a,b]}]; 1 []; "
      "2 [{sink_0:c,sink_1:[c]}]");
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

/* Over two levels, and from each of them. */
GST_START_TEST (test_broadcast_over_levels)
{
  assert_run (JOIN "! orchreduce ! orchreduce ! " RUN_OUT
      RUN_IN "! orchidentity ! tee name=t "
      LEFT "orchexpand ! tee name=p ! queue ! orchexpand ! orchidentity ! "
      "j.sink_0 p. ! queue ! orchidentity ! j.sink_1 "
      RIGHT "orchtestlist n=0 ! j.sink_2",
      "[[a,b],[]]; []; [[c]]",
      "0 [[{sink_0:a,sink_1:[a,b],sink_2:[]},{sink_0:b,sink_1:[a,b],sink_2:[]}],"
      "[]]; 1 []; 2 [[{sink_0:c,sink_1:[c],sink_2:[]}]]");
}

GST_END_TEST;

/* What is above is dropped or failed: so is everything below. */
GST_START_TEST (test_broadcast_outcomes)
{
  assert_run (JOIN "! orchreduce on-failed=skip ! " RUN_OUT
      RUN_IN "! orchidentity ! tee name=t "
      LEFT "orchexpand ! orchidentity ! j.sink_0 "
      RIGHT "orchtestwork drop=0 record=1 ! j.sink_1",
      "[a]; [b]; [c]", "0 []; 1 [] 1/0 S test:record@1; "
      "2 [{sink_0:c,sink_1:[c]}]");
}

GST_END_TEST;

/* ---- barriers ---- */

/* D9: page 0 fails its group while page 1 has one input; the other one then comes
 * dropped. */
static gboolean
hold_page_1_and_drop_it (GstOrchBatch * batch, guint replica, gpointer gate,
    GError ** error)
{
  if (gst_orch_entity_get_ordinal (gst_orch_batch_get_entity (batch, 0)) == 0) {
    script_present (batch, 0);
    return TRUE;
  }
  gate_pass (gate);
  gst_orch_batch_drop (batch, 0);
  return TRUE;
}

GST_START_TEST (test_d9)
{
  Run *self = run_new (JOIN "! orchtestwork name=g group=0/0 ! "
      "orchreduce on-failed=skip ! " RUN_OUT
      RUN_IN "! orchexpand ! tee name=t "
      LEFT "j.sink_0 " RIGHT "orchcall function=script batch-size=1 ! "
      /* Who wants page 1 whatever becomes of its document. */
      "tee name=u ! queue ! j.sink_1 u. ! queue ! fakesink async=false");
  Gate gate;

  gate_init (&gate);
  script_set (0, (Script) {.run = hold_page_1_and_drop_it,.data = &gate});
  run_start (self);
  run_push (self, "[a,b]");
  run_end (self);
  patience_until (run_get_stat (self, "g", "failed") == 1);
  gate_open (&gate);
  run_finish (self);
  run_assert_results (self, "0 S test:group@0/0");
  fail_unless_equals_uint64 (run_get_stat (self, "j", "dropped"), 1);
  fail_unless_equals_uint64 (run_get_stat (self, "g", "suppressed"), 1);
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

/* Page 1 fails its group last, behind a gate; the others are committed before. */
static gboolean
fail_group_of_page_1_late (GstOrchBatch * batch, guint replica, gpointer gate,
    GError ** error)
{
  guint i, n = gst_orch_batch_get_size (batch);

  g_assert_cmpuint (n, ==, 3);
  for (i = 0; i < n; i++)
    if (i != 1)
      script_present (batch, i);
  gst_orch_batch_commit (batch);
  gate_pass (gate);
  gst_orch_batch_fail_group (batch, 1, gst_orch_cause_new ("test", "group",
          "too late for the others"));
  return TRUE;
}

static Run *
new_late_group (const gchar * description, Gate * gate)
{
  gate_init (gate);
  script_set (0, (Script) {.run = fail_group_of_page_1_late,.data = gate});
  return run_new ("%s", description);
}

/* D11: the page that fails its group is no member of the gather: another branch
 * has dropped it. */
GST_START_TEST (test_d11)
{
  Gate gate;
  Run *self = new_late_group ("orchfilter name=f predicate=\"has value\" ! "
      "orchreduce on-failed=skip ! " RUN_OUT
      RUN_IN "! orchexpand ! tee name=t "
      LEFT "orchtestwork name=w drop=0/1 ! f.sink "
      RIGHT "orchcall name=g function=script-group batch-size=3 max-wait=10000000000 "
      "! f.mask", &gate);

  run_start (self);
  run_push (self, "[a,b,c]");
  run_end (self);
  patience_until (run_get_stat (self, "f", "present") == 2);
  patience_until (run_get_stat (self, "w", "dropped") == 1);
  gate_open (&gate);
  run_finish (self);
  run_assert_results (self, "0 S test:group@0/1");
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

/* The same in a join, where another input has failed the page before. */
GST_START_TEST (test_d11_join)
{
  Gate gate;
  Run *self = new_late_group (JOIN "! orchreduce on-failed=skip ! " RUN_OUT
      RUN_IN "! orchexpand ! tee name=t "
      LEFT "orchtestwork name=w record=0/1 ! j.sink_0 "
      RIGHT "orchcall name=g function=script-group batch-size=3 max-wait=10000000000 "
      "! j.sink_1", &gate);

  run_start (self);
  run_push (self, "[a,b,c]");
  run_end (self);
  patience_until (run_get_stat (self, "j", "present") == 2);
  patience_until (run_get_stat (self, "w", "failed") == 1);
  gate_open (&gate);
  run_finish (self);
  run_assert_results (self, "0 S test:group@0/1");
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

/* Page 1 has no lines, on which the failure of the page could be seen. */
GST_START_TEST (test_d11_broadcast)
{
  Gate gate;
  Run *self = new_late_group (JOIN "! orchreduce name=lines on-failed=skip ! "
      "orchreduce on-failed=skip ! " RUN_OUT
      RUN_IN "! orchexpand ! tee name=t "
      LEFT "orchexpand name=e ! j.sink_0 "
      RIGHT "orchcall name=g function=script-group batch-size=3 max-wait=10000000000 "
      "! j.sink_1", &gate);

  run_start (self);
  run_push (self, "[[a],[],[b]]");
  run_end (self);
  patience_until (run_get_stat (self, "lines", "present") == 3);
  patience_until (run_get_stat (self, "e", "parents") == 3);
  gate_open (&gate);
  run_finish (self);
  run_assert_results (self, "0 S test:group@0/1");
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

/* The same two levels further down: page 1 has a line, which has no words. */
GST_START_TEST (test_d11_broadcast_far)
{
  Gate gate;
  Run *self = new_late_group (JOIN "! orchreduce on-failed=skip ! "
      "orchreduce name=lines on-failed=skip ! orchreduce on-failed=skip ! "
      RUN_OUT RUN_IN "! orchexpand ! tee name=t "
      LEFT "orchexpand ! orchexpand name=e ! j.sink_0 "
      RIGHT "orchcall name=g function=script-group batch-size=3 max-wait=10000000000 "
      "! j.sink_1", &gate);

  run_start (self);
  run_push (self, "[[[a]],[[]],[[b]]]");
  run_end (self);
  patience_until (run_get_stat (self, "lines", "present") == 3);
  patience_until (run_get_stat (self, "e", "parents") == 3);
  gate_open (&gate);
  run_finish (self);
  run_assert_results (self, "0 S test:group@0/1");
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

/* D11 in many schedules. */
GST_START_TEST (test_d11_schedules)
{
  guint batch = 1 + __i__ % 4, replicas = 1 + __i__ / 4;
  g_autofree gchar *description =
      g_strdup_printf ("orchfilter name=f predicate=\"has value\" ! "
      "orchreduce on-failed=placeholder ! " RUN_OUT
      RUN_IN "! orchexpand ! tee name=t "
      LEFT "orchtestwork drop=1/1 ! f.sink "
      RIGHT "orchtestwork group=1/1 early=true batch-size=%u replicas=%u ! "
      "f.mask", batch, replicas);

  assert_run (description, "[a,b,c]; [d,e,f]; [g,h,i]",
      "0 [a,b,c]; 1 S test:group@1/1; 2 [g,h,i]");
}

GST_END_TEST;

/* ---- what does not come ---- */

GST_START_TEST (test_lost_partners)
{
  Run *self = run_new (JOIN "! orchreduce ! " RUN_OUT
      RUN_IN "! orchexpand name=e ! tee name=t "
      LEFT "orchidentity ! j.sink_0 "
      RIGHT "valve drop=true drop-mode=forward-sticky-events ! j.sink_1");

  run_start (self);
  push_all (self, "[a,b]; []");
  run_end (self);
  run_finish (self);
  run_assert_results (self,
      "0 [] 0/0 L orch:lost@0/0 0/1 L orch:lost@0/1; 1 []");
  fail_unless_equals_int (self->warnings->len, 1);
  fail_unless (strstr (g_ptr_array_index (self->warnings, 0),
          "lost between e:src and j"));
  fail_unless_equals_uint64 (run_get_stat (self, "j", "lost"), 2);
  run_free (self);
}

GST_END_TEST;

#define LOST "valve drop=true drop-mode=forward-sticky-events ! "

/* Also at a pad that may miss a unit it is told apart from what was filtered:
 * whoever takes the list is told. */
GST_START_TEST (test_lost_optional)
{
  Run *self = run_new (JOIN "! orchreduce ! " RUN_OUT
      RUN_IN "! orchexpand ! tee name=t " LEFT "orchtestwork drop=0/1 ! j.sink_0 "
      RIGHT LOST "tee name=u u. ! queue ! j.sink_1 u. ! queue ! j.sink_2");

  set_optional (self, "sink_0");
  set_optional (self, "sink_1");
  set_optional (self, "sink_2");
  run_start (self);
  push_all (self, "[a,b]; []");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [{sink_0:a,sink_1:-,sink_2:-},"
      "{sink_0:-,sink_1:-,sink_2:-}] "
      "0/0 L orch:lost@0/0 0/1 L orch:lost@0/1; 1 []");
  run_free (self);
}

GST_END_TEST;

/* (transfer full) (nullable) */
static gchar *
get_lost_inputs (Run * self, guint index)
{
  const GstOrchListElement *element = gst_orch_list_get (gst_orch_buffer_get_list
      (collector_get_buffer (self->out, "0")), index);

  return element->info ? g_strdup (gst_structure_get_string (element->info,
          "lost-inputs")) : NULL;
}

/* The second best says what was lost before it; none at all is lost itself. */
GST_START_TEST (test_lost_first)
{
  Run *self = run_new (JOIN "output=first ! orchreduce ! " RUN_OUT
      RUN_IN "! orchexpand ! tee name=t " LEFT LOST "j.sink_0 "
      RIGHT "orchtestwork drop=0/1 ! j.sink_1");
  g_autofree gchar *lost = NULL;

  set_optional (self, "sink_0");
  set_optional (self, "sink_1");
  run_start (self);
  run_push (self, "[a,b]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [a] 0/1 L orch:lost@0/1");
  lost = get_lost_inputs (self, 0);
  g_assert_cmpstr (lost, ==, "sink_0");
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_lost_fails)
{
  Run *self = run_new (JOIN "on-lost=fail ! orchreduce on-failed=skip ! "
      RUN_OUT RUN_IN "! orchexpand ! tee name=t "
      LEFT "orchidentity ! j.sink_0 "
      RIGHT "identity drop-probability=1 ! j.sink_1");

  run_start (self);
  run_push (self, "[a]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [] 0/0 S orch:lost@0/0");
  run_free (self);
}

GST_END_TEST;

static gboolean
say_and_present (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    gst_orch_batch_set_info (batch, i, gst_structure_new ("info",
            "said", G_TYPE_BOOLEAN, TRUE, NULL));
    script_present (batch, i);
  }
  return TRUE;
}

/* S6: what the input that is well says of the unit comes before the failure of the
 * other, or after it; the record is the same. */
GST_START_TEST (test_info_of_failure)
{
  Run *self = run_new (JOIN "! orchreduce on-failed=placeholder ! " RUN_OUT
      RUN_IN "! orchexpand ! tee name=t "
      LEFT "orchtestwork name=one hold=%s ! orchcall function=script ! j.sink_0 "
      RIGHT "orchtestwork name=two hold=%s record=0/0 ! j.sink_1",
      __i__ ? "true" : "false", __i__ ? "false" : "true");
  const gchar *first = __i__ ? "two" : "one", *second = __i__ ? "one" : "two";
  const GstOrchListElement *element;

  script_set (0, (Script) {.run = say_and_present});
  run_start (self);
  run_push (self, "[a,b]");
  patience_until (run_get_stat (self, first, "present") > 0);
  g_usleep (5000);
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, second)),
      "function::hold", FALSE, NULL);
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [-,{sink_0:b,sink_1:b}] 0/0 S test:record@0/0");
  element = gst_orch_list_get (gst_orch_buffer_get_list (collector_get_buffer
          (self->out, "0")), 0);
  fail_if (element->info && gst_structure_has_field (element->info, "said"));
  run_free (self);
}

GST_END_TEST;

/* A branch that says it is at its end before it is. */
GST_START_TEST (test_early_end)
{
  Run *self = run_new (JOIN "! orchreduce ! " RUN_OUT
      RUN_IN "! orchexpand ! tee name=t "
      LEFT "orchidentity ! j.sink_0 "
      RIGHT "identity eos-after=2 ! j.sink_1");

  set_optional (self, "sink_1");
  run_start (self);
  run_push (self, "[a,b]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [{sink_0:a,sink_1:a},{sink_0:b,sink_1:-}] "
      "0/1 L orch:lost@0/1");
  run_free (self);
}

GST_END_TEST;

/* A pad that is released while units wait for it: what was to come there is lost,
 * which is said once. */
GST_START_TEST (test_released_pad)
{
  Run *self = run_new (JOIN "! " RUN_OUT RUN_IN "! orchidentity ! tee name=t "
      LEFT "j.sink_0 " RIGHT "orchcall name=w function=script ! j.sink_1");
  GstElement *j = run_get (self, "j");
  GstPad *pad = gst_element_get_static_pad (j, "sink_1");
  Gate gate;

  gate_init (&gate);
  script_set (0, (Script) {.run = wait_at_gate,.data = &gate});
  g_object_set (pad, "optional", TRUE, NULL);
  run_start (self);
  run_push (self, "a");
  gate_await_waiting (&gate, 1);
  patience_until (run_get_stat (self, "j", "open") == 1);
  gst_element_release_request_pad (j, pad);
  gst_object_unref (pad);
  collector_wait (self->out, 1);
  run_assert_results (self, "0 {sink_0:a,sink_1:-} 0 L orch:lost@0");
  run_push (self, "b");
  collector_wait (self->out, 2);
  run_read_bus (self);
  fail_unless_equals_int (self->warnings->len, 1);
  g_assert_cmpstr (g_ptr_array_index (self->warnings, 0), ==, "j is losing Items: "
      "lost with the pad sink_1 of j, which was released.");
  gate_open (&gate);
  gst_element_set_state (self->pipeline, GST_STATE_READY);
  run_read_bus (self);
  fail_unless_equals_int (run_count_ledgers (self, "w"), 1);
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

GST_START_TEST (test_no_data)
{
  assert_run (JOIN "! orchreduce ! " RUN_OUT RUN_IN "! orchexpand ! tee name=t "
      LEFT "orchidentity ! j.sink_0 " RIGHT "j.sink_1", "", "");
}

GST_END_TEST;

/* The Domain of a stream's children is known by the first of them. */
GST_START_TEST (test_streams)
{
  Run *self = run_new (JOIN "! orchreduce ! " RUN_OUT
      "orchexpand name=e ! tee name=t "
      LEFT "orchidentity ! j.sink_0 " RIGHT "orchtestwork drop=1/1 ! j.sink_1 "
      "appsrc name=a format=time ! e.sink_0 "
      "appsrc name=b format=time ! e.sink_1");

  set_optional (self, "sink_1");
  run_start (self);
  run_push_to (self, "a", "x");
  run_push_to (self, "b", "y");
  run_push_to (self, "b", "z");
  run_end_of (self, "a");
  run_end_of (self, "b");
  run_finish (self);
  run_assert_results (self, "0 [{sink_0:x,sink_1:x}]; "
      "1 [{sink_0:y,sink_1:y},{sink_0:z,sink_1:-}]");
  run_free (self);
}

GST_END_TEST;

/* What has been decided cannot take another input. */
GST_START_TEST (test_late_pad)
{
  Run *self = run_new (JOIN "! " RUN_OUT RUN_IN "! orchidentity ! tee name=t "
      LEFT "j.sink_0 " RIGHT "j.sink_1");
  GstElement *j = run_get (self, "j");

  run_start (self);
  run_push (self, "a");
  collector_wait (self->out, 1);
  fail_unless (gst_element_request_pad_simple (j, "sink_%u") == NULL);
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 {sink_0:a,sink_1:a}");
  fail_unless_equals_int (self->warnings->len, 1);
  fail_unless (strstr (g_ptr_array_index (self->warnings, 0),
          "j takes no further pad while data flows"));
  run_free (self);
}

GST_END_TEST;

/* A pad that leads nowhere is none. */
GST_START_TEST (test_unlinked_pad)
{
  Run *self = run_new (JOIN "! " RUN_OUT RUN_IN "! orchidentity ! tee name=t "
      LEFT "j.sink_0 " RIGHT "j.sink_1");
  GstElement *j = run_get (self, "j");
  GstPad *pad = gst_element_request_pad_simple (j, "sink_%u");

  fail_unless_equals_string (GST_PAD_NAME (pad), "sink_2");
  run_start (self);
  run_push (self, "a");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 {sink_0:a,sink_1:a}");
  gst_element_release_request_pad (j, pad);
  gst_object_unref (pad);
  run_free (self);
}

GST_END_TEST;

/* What waits in the flush is forgotten. */
GST_START_TEST (test_flush)
{
  Run *self = run_new (JOIN "! orchreduce ! " RUN_OUT
      RUN_IN "! orchexpand ! tee name=t "
      LEFT "orchidentity ! j.sink_0 "
      RIGHT "orchcall function=script batch-size=1 ! j.sink_1");
  Gate gate;

  gate_init (&gate);
  script_set (0, (Script) {.run = wait_at_gate,.data = &gate});
  run_start (self);
  run_push (self, "[a,b]");
  gate_await_waiting (&gate, 1);
  patience_until (run_get_stat (self, "j", "open") == 2);
  gst_element_send_event (self->in, gst_event_new_flush_start ());
  gst_element_send_event (self->in, gst_event_new_flush_stop (TRUE));
  fail_unless_equals_uint64 (run_get_stat (self, "j", "forgotten"), 2);
  gate_open (&gate);
  run_push (self, "[c]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [{sink_0:c,sink_1:c}]");
  fail_unless_equals_int (self->warnings->len, 0);
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

/* Down while units wait, and up again. */
GST_START_TEST (test_states)
{
  Run *self = run_new (JOIN "! orchreduce ! " RUN_OUT
      RUN_IN "! orchidentity ! tee name=t "
      LEFT "orchexpand ! orchidentity ! j.sink_0 "
      RIGHT "orchcall name=w function=script ! j.sink_1");
  Gate gate;
  guint i;

  script_set (0, (Script) {.run = wait_at_gate,.data = &gate});
  for (i = 0; i < 4; i++) {
    gate_init (&gate);
    collector_clear (self->out);
    run_start (self);
    push_all (self, "[a,b]; []");
    gate_await_waiting (&gate, 1);
    patience_until (run_get_stat (self, "j", "open") == 2);
    if (i == 3)
      run_end (self);
    gate_open (&gate);
    if (i < 3)
      gst_element_set_state (self->pipeline, i % 2 ? GST_STATE_NULL
          : GST_STATE_READY);
    else
      run_finish (self);
    gate_clear (&gate);
  }
  run_assert_results (self, "0 [{sink_0:a,sink_1:[a,b]},"
      "{sink_0:b,sink_1:[a,b]}]; 1 []");
  run_free (self);
}

GST_END_TEST;

static gboolean
hold_third (GstOrchBatch * batch, guint replica, gpointer gate, GError ** error)
{
  if (gst_orch_entity_get_ordinal (gst_orch_batch_get_entity (batch, 0)) == 2)
    gate_pass (gate);
  script_present_all (batch);
  return TRUE;
}

/* What comes when nobody below wants more is still accounted for, be it that one
 * pad brings it before, and the other one after the end was known. */
GST_START_TEST (test_downstream_ended)
{
  Run *self = run_new (JOIN "! identity eos-after=2 ! " RUN_OUT
      RUN_IN "! orchidentity name=i ! tee name=t "
      LEFT "j.sink_0 " RIGHT "orchcall function=script batch-size=1 ! j.sink_1");
  Gate gate;

  gate_init (&gate);
  script_set (0, (Script) {.run = hold_third,.data = &gate});
  run_start (self);
  push_all (self, "a; b");
  patience_until (run_get_stat (self, "j", "present") == 2);
  run_push (self, "c");
  patience_until (run_get_stat (self, "j", "open") == 1);
  run_end (self);
  gate_open (&gate);
  run_finish (self);
  run_assert_results (self, "0 {sink_0:a,sink_1:a}");
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

GST_START_TEST (test_labels)
{
  Run *self = run_new (JOIN "! " RUN_OUT RUN_IN "! orchidentity ! tee name=t "
      LEFT "j.sink_0 " RIGHT "j.sink_1");

  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "j")),
      "sink_0::label", "left", "sink_1::label", __i__ ? "left" : "right", NULL);
  if (__i__) {
    fail_unless_equals_int (gst_element_set_state (self->pipeline,
            GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    run_read_bus (self);
    fail_unless (strstr (self->error, "Two pads of j have the label \"left\""));
  } else {
    run_start (self);
    run_push (self, "a");
    run_end (self);
    run_finish (self);
    run_assert_results (self, "0 {left:a,right:a}");
  }
  run_free (self);
}

GST_END_TEST;

/* A joined Item is no list.  The plan does not know what comes out of the
 * identity. */
GST_START_TEST (test_items_are_not_expanded)
{
  assert_run (JOIN "! orchidentity ! orchexpand ! orchreduce ! " RUN_OUT
      RUN_IN "! orchidentity ! tee name=t " LEFT "j.sink_0 " RIGHT "j.sink_1",
      "a", "0 S orch:not-a-list@0");
}

GST_END_TEST;

/* What a Function reads of a joined Item. */
static gboolean
describe_inputs (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  GString *text = g_string_new (NULL);
  const GstOrchListElement *right =
      gst_orch_batch_get_input_by_name (batch, 0, "right");
  GstCaps *caps;
  GstBuffer *buffer;
  guint i;

  for (i = 0; i < gst_orch_batch_get_n_inputs (batch, 0); i++) {
    const GstOrchListElement *input = gst_orch_batch_get_input (batch, 0, i);

    g_string_append_printf (text, "%s=", input->name);
    if (input->buffer)
      notation_append_value (text, input->buffer, input->caps);
  }
  g_assert_true (right == gst_orch_batch_get_input (batch, 0, 1));
  g_assert_null (gst_orch_batch_get_input (batch, 0, 2));
  g_assert_null (gst_orch_batch_get_input_by_name (batch, 0, "middle"));
  buffer = notation_parse (text->str, &caps);
  gst_orch_batch_present (batch, 0, buffer, caps);
  gst_caps_unref (caps);
  g_string_free (text, TRUE);
  return TRUE;
}

GST_START_TEST (test_inputs_of_a_batch)
{
  Run *self = run_new (JOIN "! orchcall function=script ! " RUN_OUT
      RUN_IN "! orchidentity ! tee name=t "
      LEFT "j.sink_0 " RIGHT "orchtestwork drop=1 ! j.sink_1");

  script_set (0, (Script) {.run = describe_inputs});
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "j")),
      "sink_1::label", "right", "sink_1::optional", TRUE, NULL);
  run_start (self);
  push_all (self, "a; b");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 sink_0=aright=a; 1 sink_0=bright=");
  run_free (self);
}

GST_END_TEST;

static void
add_cases (TCase * tc)
{
  tcase_add_test (tc, test_d9);
  tcase_add_test (tc, test_d11);
  tcase_add_test (tc, test_d11_join);
  tcase_add_test (tc, test_d11_broadcast);
  tcase_add_test (tc, test_d11_broadcast_far);
  tcase_add_loop_test (tc, test_d11_schedules, 0, 12);
  tcase_add_test (tc, test_e3);
  tcase_add_test (tc, test_e4);
  tcase_add_test (tc, test_e9);
  tcase_add_test (tc, test_e10);
  tcase_add_test (tc, test_e11);
}

static Suite *
join_suite (void)
{
  Suite *s = suite_create ("join");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (s, tc);
  add_cases (tc);
  tcase_add_test (tc, test_items);
  tcase_add_test (tc, test_part);
  tcase_add_test (tc, test_missing_part_is_dropped);
  tcase_add_test (tc, test_no_such_part);
  tcase_add_test (tc, test_order_of_pads);
  tcase_add_loop_test (tc, test_optional, 0, 6);
  tcase_add_test (tc, test_other_domains);
  tcase_add_loop_test (tc, test_broadcast, 0, 2);
  tcase_add_test (tc, test_broadcast_over_levels);
  tcase_add_test (tc, test_broadcast_outcomes);
  tcase_add_test (tc, test_lost_partners);
  tcase_add_test (tc, test_lost_optional);
  tcase_add_test (tc, test_lost_first);
  tcase_add_test (tc, test_lost_fails);
  tcase_add_loop_test (tc, test_info_of_failure, 0, 2);
  tcase_add_test (tc, test_early_end);
  tcase_add_test (tc, test_released_pad);
  tcase_add_test (tc, test_no_data);
  tcase_add_test (tc, test_streams);
  tcase_add_test (tc, test_late_pad);
  tcase_add_test (tc, test_unlinked_pad);
  tcase_add_test (tc, test_flush);
  tcase_add_test (tc, test_states);
  tcase_add_test (tc, test_downstream_ended);
  tcase_add_loop_test (tc, test_labels, 0, 2);
  tcase_add_test (tc, test_items_are_not_expanded);
  tcase_add_test (tc, test_inputs_of_a_batch);
  return s;
}

GST_CHECK_MAIN (join);
