/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* What comes out of expand ... reduce, by the ids of the conformance cases. */

#include "run.h"
#include "complaints.h"
#include "script.h"
#include "notation.h"

#include <gst/check/gstcheck.h>
#include <string.h>

static void
present_text (GstOrchBatch * batch, guint i, const gchar * text)
{
  GstCaps *caps;
  GstBuffer *buffer = notation_parse (text, &caps);

  gst_orch_batch_present (batch, i, buffer, caps);
  gst_caps_unref (caps);
}

/* Regions of the n-th page of a document. */
static gboolean
find_regions (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  const gchar *const *regions = data;
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++)
    present_text (batch, i, regions[gst_orch_entity_get_ordinal
            (gst_orch_batch_get_entity (batch, i))]);
  return TRUE;
}

GST_START_TEST (test_e5)
{
  const gchar *regions[] = { "[]", "[10,11]" };

  script_set (0, (Script) {.run = find_regions,.data = regions});
  assert_results ("orchexpand ! orchcall function=script batch-size=3 ! "
      "orchexpand ! orchreduce ! orchreduce",
      "[0,1]; []", "0 [[],[10,11]]; 1 []");
}

GST_END_TEST;

#define THREE_EXPANDS "orchexpand ! orchexpand ! orchexpand "
#define THREE_REDUCES "orchreduce ! orchreduce ! orchreduce"

GST_START_TEST (test_e6)
{
  assert_results (THREE_EXPANDS "! " THREE_REDUCES,
      "[[],[[1]]]; [[[]],[[1],[2,3]]]; [[],[]]",
      "0 [[],[[1]]]; 1 [[[]],[[1],[2,3]]]; 2 [[],[]]");
}

GST_END_TEST;

GST_START_TEST (test_e6_filter_keeps_nothing)
{
  assert_results ("orchexpand ! orchtestwork drop=* ! "
      "orchexpand ! orchexpand ! " THREE_REDUCES,
      "[[],[[1]]]; [[[]],[[1],[2,3]]]; [[],[]]", "0 []; 1 []; 2 []");
}

GST_END_TEST;

GST_START_TEST (test_e7_suppress_parent)
{
  assert_results ("orchexpand ! orchtestwork "
      "record=1/1 ! orchreduce",
      "[a,b,c]; [d,e,f]", "0 [a,b,c]; 1 S test:record@1/1");
}

GST_END_TEST;

GST_START_TEST (test_e7_skip)
{
  assert_results ("orchexpand ! orchtestwork "
      "record=1/1 ! orchreduce on-failed=skip",
      "[a,b,c]; [d,e,f]", "0 [a,b,c]; 1 [d,f] 1/1 F test:record@1/1");
}

GST_END_TEST;

GST_START_TEST (test_e7_placeholder)
{
  assert_results ("orchexpand ! orchtestwork "
      "record=1/1 ! orchreduce on-failed=placeholder",
      "[a,b,c]; [d,e,f]", "0 [a,b,c]; 1 [d,-,f] 1/1 F test:record@1/1");
}

GST_END_TEST;

GST_START_TEST (test_e7n)
{
  assert_results ("orchexpand ! orchexpand ! orchtestwork "
      "record=0/0/1,0/2/0 ! orchreduce on-failed=skip ! "
      "orchreduce on-failed=skip",
      "[[a,b],[c],[d]]; [[e]]",
      "0 [[a],[c],[]] 0/0/1 F test:record@0/0/1 0/2/0 F test:record@0/2/0; "
      "1 [[e]]");
}

GST_END_TEST;

/* The page is suppressed at its own level, and skipped one above. */
GST_START_TEST (test_e7n_mixed_modes)
{
  assert_results ("orchexpand ! orchexpand ! orchtestwork "
      "record=0/0/1 ! orchreduce ! orchreduce on-failed=placeholder",
      "[[a,b],[c]]", "0 [-,[c]] 0/0 S test:record@0/0/1");
}

GST_END_TEST;

GST_START_TEST (test_e8)
{
  assert_results ("orchtestlist fail=1 n=2 "
      "text=true ! orchexpand ! orchreduce",
      "x; y; z", "0 [0/0,0/1]; 1 S test:no-list@1; 2 [2/0,2/1]");
}

GST_END_TEST;

/* An Expansion that fails without a child is suppressed in every mode. */
GST_START_TEST (test_e8_skip)
{
  assert_results ("orchtestlist fail=0 n=1 "
      "text=true ! orchexpand ! orchreduce on-failed=skip",
      "x; y", "0 S test:no-list@0; 1 [1/0]");
}

GST_END_TEST;

GST_START_TEST (test_e8_empty)
{
  assert_results ("orchexpand ! orchidentity ! orchreduce", "[]; [a]; []",
      "0 []; 1 [a]; 2 []");
}

GST_END_TEST;

/* A driver that is dropped drops its Expansion, and so the parent. */
GST_START_TEST (test_e8_dropped)
{
  assert_results ("orchtestwork drop=0 ! orchexpand ! "
      "orchreduce", "[a]; [b]", "0 D; 1 [b]");
}

GST_END_TEST;

static const gchar *e9_results =
    "0 [a,b,c]; 1 []; 2 S test:record@2/0; 3 [e,f]";
static const gchar *e9_skip_results =
    "0 [a,b,c]; 1 []; 2 [] 2/0 F test:record@2/0; 3 [e,f]";

GST_START_TEST (test_e9)
{
  Run *self = run_new (RUN_IN "! orchexpand ! tee name=t "
      "t. ! queue ! orchtestwork record=2/0 "
      "replicas=2 batch-size=2 ! orchreduce ! " RUN_OUT
      "t. ! queue ! orchtestwork record=2/0 ! "
      "orchreduce name=r on-failed=skip ! fakesink sync=false async=false");
  GstPad *pad = gst_element_get_static_pad (run_get (self, "r"), "src");
  Collector *other = collector_new (pad);
  g_autofree gchar *results = NULL;

  run_start (self);
  run_push (self, "[a,b,c]");
  run_push (self, "[]");
  run_push (self, "[d]");
  run_push (self, "[e,f]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, e9_results);
  results = collector_get_results (other);
  g_assert_cmpstr (results, ==, e9_skip_results);
  fail_unless_equals_int (self->warnings->len, 0);
  collector_free (other);
  gst_object_unref (pad);
  run_free (self);
}

GST_END_TEST;

/* S3.1: single elements of a list that failed or were dropped. */
GST_START_TEST (test_marked_elements)
{
  const gchar *list = "[a,!bad,~,b]";

  assert_results ("orchexpand ! orchreduce", list, "0 S test:bad@0/1");
  assert_results ("orchexpand ! orchidentity ! orchreduce on-failed=skip", list,
      "0 [a,b] 0/1 S test:bad@0/1");
  assert_results ("orchexpand ! orchreduce on-failed=placeholder", list,
      "0 [a,-,b] 0/1 F test:bad@0/1");
}

GST_END_TEST;

/* A failed input suppresses the Grain, a dropped one drops it (S2.1, S2.3). */
GST_START_TEST (test_marked_elements_through_calls)
{
  assert_results ("orchexpand ! orchidentity ! orchidentity ! orchexpand ! "
      "orchreduce on-failed=placeholder ! orchreduce on-failed=placeholder",
      "[[a],!bad,~,[!worse]]",
      "0 [[a],-,[-]] 0/1 S test:bad@0/1 0/3/0 F test:worse@0/3/0");
}

GST_END_TEST;

GST_START_TEST (test_all_dropped)
{
  assert_results ("orchexpand ! orchtestwork drop=* ! "
      "orchreduce", "[a,b]; []", "0 []; 1 []");
}

GST_END_TEST;

/* S3.6: a limit in every mode, as a count and as a share. */
GST_START_TEST (test_max_failed)
{
  const gchar *lists = "[a,b,c,d]; [e,f,g,h]";
  const gchar *one = "0 [b,c,d] 0/0 F test:record@0/0; ";

  g_autofree gchar *expected = g_strconcat (one, "1 S orch:max-failed@1", NULL);

  assert_results ("orchexpand ! orchtestwork "
      "record=0/0,1/0,1/1 ! orchreduce on-failed=skip max-failed=1",
      lists, expected);
  assert_results ("orchexpand ! orchtestwork "
      "record=0/0,1/0,1/1 ! orchreduce on-failed=skip "
      "max-failed=0.25", lists, expected);
}

GST_END_TEST;

/* As many as can be said. */
GST_START_TEST (test_max_failed_beyond_counting)
{
  assert_results ("orchexpand ! orchtestwork record=0/0 ! "
      "orchreduce on-failed=skip max-failed=1e300", "[a,b]",
      "0 [b] 0/0 F test:record@0/0");
}

GST_END_TEST;

GST_START_TEST (test_concat)
{
  assert_results ("orchexpand ! orchtestwork drop=*/1 "
      "! orchreduce output=concat", "[ab,cd,ef]; []", "0 abef; 1 ");
}

GST_END_TEST;

/* What is missing from one value is listed as well (S3.6), and so on upwards. */
GST_START_TEST (test_concat_lists_failures)
{
  static const gchar *const modes[] = { "skip", "placeholder" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (modes); i++) {
    g_autofree gchar *one = g_strdup_printf ("orchexpand ! orchtestwork "
        "record=0/1 ! orchreduce output=concat on-failed=%s", modes[i]);
    g_autofree gchar *two = g_strdup_printf ("orchexpand ! orchexpand ! "
        "orchtestwork record=0/0/1,0/1/0 ! orchreduce output=concat "
        "on-failed=%s ! orchreduce", modes[i]);

    assert_results (one, "[a,b,c]; [d]", "0 ac 0/1 F test:record@0/1; 1 d");
    assert_results (two, "[[a,b],[c]]", "0 [a,] 0/0/1 F test:record@0/0/1 "
        "0/1/0 F test:record@0/1/0");
  }
  assert_results ("orchexpand ! orchexpand ! orchtestwork record=0/0/1 ! "
      "orchreduce output=concat on-failed=skip ! identity ! orchreduce "
      "output=concat", "[[a,b],[c]]", "0 ac 0/0/1 F test:record@0/0/1");
}

GST_END_TEST;

/* Lists have no bytes to put together; where only the values show what they are, no
 * plan has refused them. */
GST_START_TEST (test_concat_of_lists)
{
  assert_results ("orchexpand ! orchreduce output=concat",
      "[[a],[b]]; []; [c]", "0 F orch:no-bytes@0; 1 ; 2 c");
}

GST_END_TEST;

/* A list that a reduce made is a list like any other (S3.1). */
GST_START_TEST (test_expand_again)
{
  assert_results ("orchexpand ! orchreduce ! orchexpand ! orchreduce",
      "[a,b]; []", "0 [a,b]; 1 []");
}

GST_END_TEST;

GST_START_TEST (test_shared_list)
{
  Run *self = run_new (RUN_IN "! tee name=t "
      "t. ! queue ! orchexpand ! orchidentity ! orchreduce ! " RUN_OUT
      "t. ! queue ! orchexpand ! orchidentity ! orchreduce name=r ! "
      "fakesink sync=false async=false");
  GstPad *pad = gst_element_get_static_pad (run_get (self, "r"), "src");
  Collector *other = collector_new (pad);
  g_autofree gchar *results = NULL;

  run_start (self);
  run_push (self, "[a,[b],c]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [a,[b],c]");
  results = collector_get_results (other);
  g_assert_cmpstr (results, ==, "0 [a,[b],c]");
  collector_free (other);
  gst_object_unref (pad);
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_no_parents)
{
  const gchar *chains[] = { "orchexpand ! orchreduce",
    "orchidentity ! orchexpand ! orchidentity ! orchreduce",
    "orchexpand ! orchexpand ! orchreduce ! orchreduce"
  };
  Run *self = run_new (RUN_IN "! %s ! " RUN_OUT, chains[__i__]);

  run_start (self);
  run_end (self);
  run_finish (self);
  run_assert_results (self, "");
  run_free (self);
}

GST_END_TEST;

/* The inner levels are never opened: what they are told of the outer ones only
 * passes by. */
GST_START_TEST (test_inner_level_without_parents)
{
  assert_results ("orchexpand ! orchexpand ! orchreduce ! orchreduce",
      "[]; []", "0 []; 1 []");
}

GST_END_TEST;

GST_START_TEST (test_inner_level_opens_late)
{
  assert_results ("orchexpand ! orchexpand ! orchexpand ! " THREE_REDUCES,
      "[]; [[]]; [[[a]]]", "0 []; 1 [[]]; 2 [[[a]]]");
}

GST_END_TEST;

GST_START_TEST (test_failed_parent_over_two_levels)
{
  assert_results ("orchtestwork record=0,2 ! "
      "orchexpand ! orchexpand ! orchreduce ! orchreduce",
      "[[a]]; [[b]]; [[c]]",
      "0 S test:record@0; 1 [[b]]; 2 S test:record@2");
}

GST_END_TEST;

GST_START_TEST (test_not_a_list)
{
  assert_results ("orchidentity ! orchexpand ! orchidentity ! orchreduce",
      "a; [b]; c", "0 S orch:not-a-list@0; 1 [b]; 2 S orch:not-a-list@2");
}

GST_END_TEST;

static void
assert_error (const gchar * chain, const gchar * values, const gchar * message)
{
  g_auto (GStrv) inputs = g_strsplit (values, "; ", -1);
  Run *self = run_new (RUN_IN "! %s ! " RUN_OUT, chain);
  guint i;

  /* A plan that cannot work does not start. */
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  for (i = 0; inputs[i]; i++)
    run_push (self, inputs[i]);
  run_end (self);
  g_assert_false (run_wait (self));
  if (!strstr (self->error, message) && !strstr (self->error_debug, message))
    g_error ("'%s' is not in: %s (%s)", message, self->error,
        self->error_debug);
  run_free (self);
}

GST_START_TEST (test_reduce_at_root)
{
  assert_error ("orchidentity ! orchreduce name=r", "a; b",
      "r has nothing to gather into");
}

GST_END_TEST;

/* No buffer tells that it is at root level. */
GST_START_TEST (test_reduce_at_root_of_failures)
{
  assert_error ("orchtestwork record=* ! "
      "orchreduce name=r", "a; b", "r has nothing to gather into");
}

GST_END_TEST;

GST_START_TEST (test_one_reduce_too_many)
{
  assert_error ("orchexpand ! orchreduce ! orchreduce name=r", "[a]; [b]",
      "r has nothing to gather into");
}

GST_END_TEST;

static GstPadProbeReturn
strip_lineage (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstBuffer *buffer =
      gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  GstMeta *meta = gst_buffer_get_meta (buffer, GST_ORCH_META_API_TYPE);

  gst_buffer_remove_meta (buffer, meta);
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  return GST_PAD_PROBE_OK;
}

/* S8: names the last orch element upstream. */
GST_START_TEST (test_no_lineage)
{
  static const gchar *consumers[] = { "orchreduce", "orchidentity",
    "orchexpand"
  };
  Run *self = run_new (RUN_IN "! orchexpand name=e ! identity name=i ! "
      "%s name=c ! " RUN_OUT, consumers[__i__]);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "i"), "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, strip_lineage, NULL,
      NULL);
  gst_object_unref (pad);
  run_start (self);
  run_push (self, "[[a],[b]]");
  run_end (self);
  g_assert_false (run_wait (self));
  fail_unless (strstr (self->error, "without lineage arrived at c"));
  fail_unless (strstr (self->error_debug, "e:src"));
  run_free (self);
}

GST_END_TEST;

/* What a list says of an element reaches the list that is gathered, be the
 * element present or not. */
GST_START_TEST (test_info_travels)
{
  GstOrchList *list = gst_orch_list_new (), *result;
  Run *self = run_new (RUN_IN "! orchexpand ! orchidentity ! "
      "orchreduce on-failed=placeholder ! " RUN_OUT);
  GstCaps *caps = gst_caps_new_empty_simple ("text/x-raw");
  const GstOrchListElement *element;
  GstFlowReturn ret;
  GstBuffer *buffer;
  gint number;

  gst_orch_list_append (list, gst_buffer_new (), caps,
      gst_structure_new ("info", "number", G_TYPE_INT, 7, NULL));
  gst_orch_list_append_failed (list, gst_orch_cause_new ("test", "x", "y"),
      gst_structure_new ("info", "number", G_TYPE_INT, 8, NULL));
  buffer = gst_orch_list_buffer_new (list);
  run_start (self);
  g_signal_emit_by_name (self->in, "push-buffer", buffer, &ret);
  gst_buffer_unref (buffer);
  run_end (self);
  run_finish (self);
  buffer = collector_get_buffer (self->out, "0");
  result = gst_orch_buffer_get_list (buffer);
  element = gst_orch_list_get (result, 0);
  fail_unless (gst_structure_get_int (element->info, "number", &number));
  fail_unless_equals_int (number, 7);
  element = gst_orch_list_get (result, 1);
  fail_unless_equals_int (element->outcome, GST_ORCH_OUTCOME_SUPPRESSED);
  fail_unless (gst_structure_get_int (element->info, "number", &number));
  fail_unless_equals_int (number, 8);
  gst_buffer_unref (buffer);
  gst_caps_unref (caps);
  run_free (self);
}

GST_END_TEST;

static void
add_cases (TCase * tc)
{
  tcase_add_test (tc, test_e5);
  tcase_add_test (tc, test_e6);
  tcase_add_test (tc, test_e6_filter_keeps_nothing);
  tcase_add_test (tc, test_e7_suppress_parent);
  tcase_add_test (tc, test_e7_skip);
  tcase_add_test (tc, test_e7_placeholder);
  tcase_add_test (tc, test_e7n);
  tcase_add_test (tc, test_e7n_mixed_modes);
  tcase_add_test (tc, test_e8);
  tcase_add_test (tc, test_e8_skip);
  tcase_add_test (tc, test_e8_empty);
  tcase_add_test (tc, test_e8_dropped);
  tcase_add_test (tc, test_e9);
}

static Suite *
structure_suite (void)
{
  Suite *s = suite_create ("structure");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (s, tc);
  add_cases (tc);
  tcase_add_test (tc, test_marked_elements);
  tcase_add_test (tc, test_marked_elements_through_calls);
  tcase_add_test (tc, test_all_dropped);
  tcase_add_test (tc, test_max_failed);
  tcase_add_test (tc, test_max_failed_beyond_counting);
  tcase_add_test (tc, test_concat);
  tcase_add_test (tc, test_concat_lists_failures);
  tcase_add_test (tc, test_concat_of_lists);
  tcase_add_test (tc, test_expand_again);
  tcase_add_test (tc, test_shared_list);
  tcase_add_loop_test (tc, test_no_parents, 0, 3);
  tcase_add_test (tc, test_inner_level_without_parents);
  tcase_add_test (tc, test_inner_level_opens_late);
  tcase_add_test (tc, test_failed_parent_over_two_levels);
  tcase_add_test (tc, test_not_a_list);
  tcase_add_test (tc, test_reduce_at_root);
  tcase_add_test (tc, test_reduce_at_root_of_failures);
  tcase_add_test (tc, test_one_reduce_too_many);
  tcase_add_loop_test (tc, test_no_lineage, 0, 3);
  tcase_add_test (tc, test_info_travels);
  return s;
}

GST_CHECK_MAIN (structure);
