/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* S3.6: what a gather has counted and listed is told to Functions, and stays with what
 * they make of it, wherever they run. */

#include "run.h"
#include "complaints.h"
#include "workers.h"

#include <gst/check/gstcheck.h>
#include <string.h>

#define FAILURE " 0/1 F test:record@0/1"

static const struct
{
  const gchar *output;
  const gchar *workers;
} ways[] = {
  {"list", "thread"}, {"list", "process"},
  {"concat", "thread"}, {"concat", "process"},
};

/* Three pages of which one fails are gathered; then comes `chain`. */
static Run *
gather_then (guint way, const gchar * chain)
{
  g_autofree gchar *behind = g_strdup_printf (chain, ways[way].workers,
      ways[way].workers);
  Run *self = run_new (RUN_IN "! orchexpand ! orchtestwork record=0/1 ! "
      "orchreduce on-failed=skip output=%s ! %s ! " RUN_OUT, ways[way].output,
      behind);

  run_start (self);
  run_push (self, "[a,b,c]");
  run_end (self);
  run_finish (self);
  return self;
}

static void
assert_counts (Run * self, guint64 total, guint64 present, guint64 failed)
{
  GstBuffer *buffer = collector_get_buffer (self->out, "0");
  const GstOrchListCounts *counts =
      gst_orch_list_get_counts (gst_orch_buffer_get_gathered (buffer));

  fail_unless_equals_uint64 (counts->total, total);
  fail_unless_equals_uint64 (counts->present, present);
  fail_unless_equals_uint64 (counts->failed, failed);
  gst_buffer_unref (buffer);
}

static void
end (Run * self)
{
  run_free (self);
  fail_unless_equals_int (workers_count (), 0);
}

/* The Function reads it, and its own value has it, as has that of the next one. */
GST_START_TEST (test_value)
{
  Run *self = gather_then (__i__, "orchtesthostile rules=*:gathered workers=%s ! "
      "orchtesthostile rules=*:nothing workers=%s");

  run_assert_results (self, "0 3 1 0/1" FAILURE);
  assert_counts (self, 3, 2, 1);
  end (self);
  self = gather_then (__i__, "orchtesthostile rules=*:mark mark=x workers=%s ! "
      "orchtesthostile rules=*:gathered workers=%s");
  run_assert_results (self, "0 3 1 0/1" FAILURE);
  assert_counts (self, 3, 2, 1);
  end (self);
}

GST_END_TEST;

/* A list has members of its own; what is missing is listed all the same. */
GST_START_TEST (test_list)
{
  Run *self = gather_then (__i__, "orchtestlist n=2 text=true workers=%s ! "
      "orchtesthostile workers=%s");
  GstBuffer *buffer;

  run_assert_results (self, "0 [0/0,0/1]" FAILURE);
  buffer = collector_get_buffer (self->out, "0");
  fail_unless (gst_orch_list_get_counts (gst_orch_buffer_get_list (buffer)) ==
      NULL);
  gst_buffer_unref (buffer);
  end (self);
}

GST_END_TEST;

/* Of its several outputs each. */
GST_START_TEST (test_outputs)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchtestwork record=0/1 ! "
      "orchreduce on-failed=skip output=concat ! orchtestoutputs name=c "
      "workers=%s ! fakesink async=false c.src_1 ! " RUN_OUT
      "c.src_2 ! fakesink async=false", ways[__i__].workers);
  g_autofree gchar *text = NULL;

  run_start (self);
  run_push (self, "[a|b|c,x,a|b|c]");
  run_end (self);
  run_finish (self);
  text = collector_get_results (self->out);
  fail_unless (g_str_has_suffix (text, FAILURE), "%s", text);
  assert_counts (self, 3, 2, 1);
  end (self);
}

GST_END_TEST;

/* Up one more level it is one of the failures of that. */
GST_START_TEST (test_two_levels)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchexpand ! "
      "orchtestwork record=0/0/1 ! orchreduce on-failed=skip output=%s ! "
      "orchtesthostile rules=*:mark mark=x workers=%s ! orchreduce ! " RUN_OUT,
      ways[__i__].output, ways[__i__].workers);

  run_start (self);
  run_push (self, "[[a,b],[c]]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [x,x] 0/0/1 F test:record@0/0/1");
  end (self);
}

GST_END_TEST;

/* What is put together with it tells of it too, and is one value. */
GST_START_TEST (test_joined)
{
  Run *self = run_new (RUN_IN "! orchidentity ! tee name=t ! queue ! orchexpand ! "
      "orchtestwork record=0/1 ! orchreduce on-failed=skip output=%s ! "
      "orchjoin name=j ! orchtesthostile rules=*:mark mark=x workers=%s ! "
      RUN_OUT "t. ! queue ! j.", ways[__i__].output, ways[__i__].workers);

  run_start (self);
  run_push (self, "[a,b,c]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 x" FAILURE);
  assert_counts (self, 1, 1, 0);
  end (self);
}

GST_END_TEST;

static Suite *
gathered_suite (void)
{
  Suite *suite = suite_create ("gathered");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, test_value, 0, G_N_ELEMENTS (ways));
  tcase_add_loop_test (tc, test_list, 0, G_N_ELEMENTS (ways));
  tcase_add_loop_test (tc, test_outputs, 2, G_N_ELEMENTS (ways));
  tcase_add_loop_test (tc, test_two_levels, 0, G_N_ELEMENTS (ways));
  tcase_add_loop_test (tc, test_joined, 0, G_N_ELEMENTS (ways));
  return suite;
}

GST_CHECK_MAIN (gathered);
