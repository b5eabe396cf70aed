/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* What a condition lets pass, by the ids of the conformance cases. */

#include "run.h"
#include "complaints.h"
#include "notation.h"
#include "patience.h"
#include "script.h"

#include <gst/check/gstcheck.h>
#include <string.h>

static void
push_all (Run * self, const gchar * values)
{
  g_auto (GStrv) inputs = g_strsplit (values, "; ", -1);
  guint i;

  for (i = 0; inputs[i]; i++)
    run_push (self, inputs[i]);
}

/* As a property in the description it would leak, see run.h. */
static void
set_ids (Run * self)
{
  guint i;

  for (i = 0; i < 3; i++) {
    g_autofree gchar *name = g_strdup_printf ("m%u", i);
    GstElement *call = gst_bin_get_by_name (GST_BIN (self->pipeline), name);

    if (call)
      gst_child_proxy_set (GST_CHILD_PROXY (call), "function::id", i, NULL);
    g_clear_pointer (&call, gst_object_unref);
  }
}

static void
assert_run (const gchar * description, const gchar * values,
    const gchar * results)
{
  Run *self = run_new ("%s", description);

  set_ids (self);
  run_start (self);
  push_all (self, values);
  run_end (self);
  run_finish (self);
  run_assert_results (self, results);
  fail_unless_equals_int (self->warnings->len, 0);
  run_free (self);
}

static void
present_text (GstOrchBatch * batch, guint i, const gchar * text)
{
  GstCaps *caps;
  GstBuffer *buffer = notation_parse (text, &caps);

  gst_orch_batch_present (batch, i, buffer, caps);
  gst_caps_unref (caps);
}

/* ---- by itself ---- */

GST_START_TEST (test_predicate)
{
  assert_run ("orchreduce name=r ! " RUN_OUT
      RUN_IN "! orchexpand ! orchfilter predicate=\"value >= b\" ! r.",
      "[a,b,c]; []; [a]", "0 [b,c]; 1 []; 2 []");
}

GST_END_TEST;

/* What is not present is copied through (S3.4). */
GST_START_TEST (test_outcomes)
{
  assert_run ("orchreduce name=r on-failed=placeholder ! " RUN_OUT
      RUN_IN "! orchexpand ! orchtestwork record=0/0 drop=0/1 ! "
      "orchfilter name=f predicate=\"value != c\" ! r.", "[a,b,c,d]",
      "0 [-,d] 0/0 F test:record@0/0");
}

GST_END_TEST;

GST_START_TEST (test_not_evaluated)
{
  assert_run ("orchreduce name=r on-failed=placeholder ! " RUN_OUT
      RUN_IN "! orchexpand ! orchfilter predicate=\"value == a or "
      "info.quality < 0.5\" ! r.", "[a,b]",
      "0 [a,-] 0/1 F orch:not-a-boolean@0/1");
}

GST_END_TEST;

GST_START_TEST (test_roots_without_lineage)
{
  assert_run ("orchfilter name=f predicate=\"value == b\" ! " RUN_OUT
      RUN_IN "! f.", "a; b; c", "0 D; 1 b; 2 D");
}

GST_END_TEST;

/* S9.1, S9.2: caps before what they describe, events behind the unit they
 * followed. */
GST_START_TEST (test_events)
{
  Run *self = run_new ("orchfilter name=f predicate=\"caps == "
      GST_ORCH_LIST_CAPS " or value != b\" ! " RUN_OUT RUN_IN "! f.");
  GstPad *pad = gst_element_get_static_pad (self->in, "src");
  g_autofree gchar *sequence = NULL;

  run_start (self);
  run_push (self, "a");
  collector_wait (self->out, 1);
  gst_pad_push_event (pad, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
          gst_structure_new_empty ("mark")));
  run_push (self, "b");
  run_push (self, "[c]");
  run_end (self);
  run_finish (self);
  sequence = collector_get_sequence (self->out);
  g_assert_cmpstr (sequence, ==, "stream-start caps(text/x-raw, "
      "format=(string)utf8) segment 0 event(mark) 1 "
      "caps(" GST_ORCH_LIST_CAPS ") 2 eos");
  gst_object_unref (pad);
  run_free (self);
}

GST_END_TEST;

/* ---- by a mask ---- */

/* Masks by ordinal: "T" true, "F" false, "?" neither. */
static gboolean
make_masks (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  const gchar *masks = data;
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    gchar mask = masks[gst_orch_entity_get_ordinal
        (gst_orch_batch_get_entity (batch, i))];

    present_text (batch, i, mask == 'T' ? "true" : mask == 'F' ? "false"
        : "perhaps");
  }
  return TRUE;
}

/* Runs the script of that id. */
#define MASK(ID) "orchcall name=m" #ID " function=script batch-size=2 "

/* E2: filter([10,20,30], filter([T,F,T],[T,T,F])): a filter's output is a mask. */
GST_START_TEST (test_e2)
{
  Run *self;

  script_set (1, (Script) {.run = make_masks,.data = (gpointer) "TFT"});
  script_set (2, (Script) {.run = make_masks,.data = (gpointer) "TTF"});
  self = run_new ("orchfilter name=f ! orchreduce ! " RUN_OUT
      "orchfilter name=g ! f.mask " RUN_IN "! orchexpand ! tee name=t "
      "t. ! queue ! f.sink t. ! queue ! " MASK (1) "! g.sink "
      "t. ! queue ! " MASK (2) "! g.mask");
  set_ids (self);
  run_start (self);
  run_push (self, "[10,20,30]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [10]");
  fail_unless_equals_uint64 (run_get_stat (self, "f", "dropped"), 2);
  fail_unless_equals_uint64 (run_get_stat (self, "f", "failed"), 0);
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_not_a_boolean)
{
  script_set (0, (Script) {.run = make_masks,.data = (gpointer) "T?F"});
  assert_run ("orchfilter name=f ! orchreduce on-failed=skip ! " RUN_OUT
      RUN_IN "! orchexpand ! tee name=t t. ! queue ! f.sink "
      "t. ! queue ! " MASK (0) "! f.mask", "[a,b,c]",
      "0 [a] 0/1 F orch:not-a-boolean@0/1");
}

GST_END_TEST;

/* A mask that is not present is what the unit comes to. */
GST_START_TEST (test_mask_outcomes)
{
  assert_run ("orchfilter name=f predicate=\"has value\" ! "
      "orchreduce on-failed=skip ! " RUN_OUT
      RUN_IN "! orchexpand ! tee name=t "
      "t. ! queue ! orchtestwork drop=0/3 record=0/4 ! f.sink "
      "t. ! queue ! orchtestwork record=0/1 drop=0/2,0/3,0/4 ! f.mask",
      "[a,b,c,d,e]",
      "0 [a] 0/1 F test:record@0/1 0/4 F test:record@0/4");
}

GST_END_TEST;

/* In the info, beside a value that is no boolean. */
static gboolean
mask_in_info (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    gboolean odd = gst_orch_entity_get_ordinal (gst_orch_batch_get_entity
        (batch, i)) % 2;

    gst_orch_batch_set_info (batch, i, gst_structure_new ("info",
            "mask", G_TYPE_BOOLEAN, odd, NULL));
    script_present (batch, i);
  }
  return TRUE;
}

GST_START_TEST (test_mask_in_info)
{
  script_set (0, (Script) {.run = mask_in_info});
  assert_run ("orchfilter name=f ! orchreduce ! " RUN_OUT
      RUN_IN "! orchexpand ! tee name=t t. ! queue ! f.sink "
      "t. ! queue ! " MASK (0) "! f.mask", "[a,b,c,d]", "0 [b,d]");
}

GST_END_TEST;

/* The predicate is about the mask, not about the unit. */
GST_START_TEST (test_predicate_of_mask)
{
  script_set (0, (Script) {.run = make_masks,.data = (gpointer) "FTF"});
  assert_run ("orchfilter name=f predicate=\"value == false\" ! orchreduce ! "
      RUN_OUT RUN_IN "! orchexpand ! tee name=t t. ! queue ! f.sink "
      "t. ! queue ! " MASK (0) "! f.mask", "[a,b,c]", "0 [a,c]");
}

GST_END_TEST;

/* Either may come first: the other one is held. */
static gboolean
wait_at_gate (GstOrchBatch * batch, guint replica, gpointer gate,
    GError ** error)
{
  gate_pass (gate);
  script_present_all (batch);
  return TRUE;
}

GST_START_TEST (test_arrival)
{
  Run *self = run_new ("orchfilter name=f predicate=\"value != b\" ! "
      "orchreduce ! " RUN_OUT RUN_IN "! orchexpand ! tee name=t "
      "t. ! queue ! " MASK (0) "! f.%s t. ! queue ! f.%s",
      __i__ ? "sink" : "mask", __i__ ? "mask" : "sink");
  Gate gate;

  gate_init (&gate);
  script_set (0, (Script) {.run = wait_at_gate,.data = &gate});
  run_start (self);
  run_push (self, "[a,b,c]");
  patience_until (run_get_stat (self, "f", "open") == 3);
  run_end (self);
  gate_open (&gate);
  run_finish (self);
  run_assert_results (self, "0 [a,c]");
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

/* E1: chunks at least as long as their document's threshold, which is broadcast. */
static gboolean
make_thresholds (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++)
    present_text (batch, i, "2");
  return TRUE;
}

static gboolean
keep_long_chunks (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    const GstOrchListElement *chunk =
        gst_orch_batch_get_input_by_name (batch, i, "sink_0");
    const GstOrchListElement *threshold =
        gst_orch_batch_get_input_by_name (batch, i, "sink_1");
    gchar digit[2] = "";

    gst_buffer_extract (threshold->buffer, 0, digit, 1);
    present_text (batch, i, gst_buffer_get_size (chunk->buffer) >=
        (gsize) (digit[0] - '0') ? "true" : "false");
  }
  return TRUE;
}

GST_START_TEST (test_e1)
{
  script_set (1, (Script) {.run = make_thresholds});
  script_set (2, (Script) {.run = keep_long_chunks});
  assert_run ("orchfilter name=f ! orchreduce ! " RUN_OUT
      "orchjoin name=j ! " MASK (2) "! f.mask "
      RUN_IN "! orchidentity ! tee name=d "
      "d. ! queue ! orchexpand ! tee name=c c. ! queue ! f.sink "
      "c. ! queue ! j.sink_0 d. ! queue ! " MASK (1) "! j.sink_1",
      "[ab,cd,e]; [xy]", "0 [ab,cd]; 1 [xy]");
}

GST_END_TEST;

/* ---- what is wrong ---- */

GST_START_TEST (test_no_condition)
{
  Run *self = run_new ("orchfilter name=f ! " RUN_OUT RUN_IN "! f.");

  fail_unless_equals_int (gst_element_set_state (self->pipeline,
          GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  run_read_bus (self);
  fail_unless (strstr (self->error, "f does not know what to let pass"));
  run_free (self);
}

GST_END_TEST;

/* A mask that leads nowhere shows when data comes. */
GST_START_TEST (test_unlinked_mask)
{
  Run *self = run_new ("orchfilter name=f ! " RUN_OUT RUN_IN "! f.");
  GstElement *f = run_get (self, "f");
  GstPad *pad = gst_element_request_pad_simple (f, "mask");

  run_start (self);
  run_push (self, "a");
  g_assert_false (run_wait (self));
  fail_unless (strstr (self->error, "f does not know what to let pass"));
  gst_object_unref (pad);
  run_free (self);
}

GST_END_TEST;

/* The demuxer could have linked it, and did not. */
GST_START_TEST (test_mask_alone)
{
  Run *self = run_new ("orchfilter name=f predicate=value ! " RUN_OUT
      RUN_IN "! orchidentity ! f.mask matroskademux");

  run_start (self);
  run_push (self, "a");
  g_assert_false (run_wait (self));
  fail_unless (strstr (self->error, "Nothing comes to the pad sink of f"));
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_no_predicate)
{
  Run *self = run_new ("orchfilter name=f predicate=\"value ==\" ! " RUN_OUT
      RUN_IN "! f.");

  fail_unless_equals_int (gst_element_set_state (self->pipeline,
          GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  run_read_bus (self);
  fail_unless (strstr (self->error, "The predicate of f is not one"));
  fail_unless (strstr (self->error, "at the end"));
  run_free (self);
}

GST_END_TEST;

static Suite *
filter_suite (void)
{
  Suite *s = suite_create ("filter");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_e1);
  tcase_add_test (tc, test_e2);
  tcase_add_test (tc, test_predicate);
  tcase_add_test (tc, test_outcomes);
  tcase_add_test (tc, test_not_evaluated);
  tcase_add_test (tc, test_roots_without_lineage);
  tcase_add_test (tc, test_events);
  tcase_add_test (tc, test_not_a_boolean);
  tcase_add_test (tc, test_mask_outcomes);
  tcase_add_test (tc, test_mask_in_info);
  tcase_add_test (tc, test_predicate_of_mask);
  tcase_add_loop_test (tc, test_arrival, 0, 2);
  tcase_add_test (tc, test_no_condition);
  tcase_add_test (tc, test_unlinked_mask);
  tcase_add_test (tc, test_mask_alone);
  tcase_add_test (tc, test_no_predicate);
  return s;
}

GST_CHECK_MAIN (filter);
