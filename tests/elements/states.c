/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Flushes, state changes under load, reuse, pads that come and go. */

#include "loaded.h"
#include "run.h"
#include "complaints.h"
#include "chance.h"
#include "script.h"
#include "notation.h"
#include "patience.h"

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

/* One document after the other, so that a failure is readable. */
static void
assert_all (Collector * out, guint n)
{
  g_autofree gchar *text = collector_get_results (out);
  g_auto (GStrv) results = g_strsplit (text, "; ", -1);
  guint i;

  for (i = 0; i < n; i++) {
    g_autofree gchar *expected = g_strdup_printf (LOADED_RESULT, i);

    g_assert_cmpstr (results[i], ==, expected);
  }
  g_assert_cmpstr (results[n], ==, NULL);
}

static void
push_n (Run * self, guint n)
{
  while (n--)
    run_push (self, LOADED_VALUE);
}

/* `n` documents from where the pipeline stands, to EOS. */
static void
assert_full_run (Run * self, guint n)
{
  push_n (self, n);
  run_end (self);
  run_finish (self);
  assert_all (self->out, n);
}

/* A run is what it is, before anything is done to it. */
GST_START_TEST (test_plain)
{
  Run *self = run_new (RUN_IN "! " LOADED " ! " RUN_OUT);

  run_start (self);
  assert_full_run (self, 20);
  fail_unless_equals_int (self->warnings->len, 0);
  run_free (self);
}

GST_END_TEST;

/* ---- reuse ---- */

GST_START_TEST (test_reuse)
{
  static const GstState rests[] = { GST_STATE_READY, GST_STATE_NULL };
  Run *self = run_new (RUN_IN "! " LOADED " ! " RUN_OUT);
  guint i;

  for (i = 0; i < 3; i++) {
    run_start (self);
    assert_full_run (self, 20);
    fail_unless_equals_uint64 (run_get_stat (self, "c2", "entered"), 20 * LOADED_LINES);
    fail_unless_equals_uint64 (run_get_stat (self, "r2", "lost"), 0);
    collector_clear (self->out);
    fail_unless_equals_int (gst_element_set_state (self->pipeline,
            rests[__i__]), GST_STATE_CHANGE_SUCCESS);
  }
  fail_unless_equals_int (self->warnings->len, 0);
  run_free (self);
}

GST_END_TEST;

/* ---- state changes under load ---- */

#define N_CHANGES 100

static void
assert_no_complaint (Run * self)
{
  run_read_bus (self);
  g_assert_null (self->error);
  if (self->warnings->len)
    g_error ("%s", (gchar *) g_ptr_array_index (self->warnings, 0));
}

/* Up and down at whatever moment; then a whole run gives what it should. */
GST_START_TEST (test_state_changes_under_load)
{
  GRand *random = chance_new ();
  Run *self = run_new (RUN_IN "! " LOADED " ! " RUN_OUT);
  guint i;

  for (i = 0; i < N_CHANGES; i++) {
    run_start (self);
    push_n (self, 20);
    g_usleep (g_rand_int_range (random, 0, 4000));
    gst_element_set_state (self->pipeline, i % 3 ? GST_STATE_READY :
        GST_STATE_NULL);
    assert_no_complaint (self);
  }
  collector_clear (self->out);
  run_start (self);
  assert_full_run (self, 20);
  fail_unless_equals_uint64 (run_get_stat (self, "r2", "lost"), 0);
  fail_unless_equals_int (self->warnings->len, 0);
  g_rand_free (random);
  run_free (self);
}

GST_END_TEST;

/* PLAYING <-> PAUSED keeps everything. */
GST_START_TEST (test_pause_under_load)
{
  Run *self = run_new (RUN_IN "! " LOADED " ! " RUN_OUT);
  guint i;

  run_start (self);
  for (i = 0; i < 20; i++) {
    gst_element_set_state (self->pipeline, GST_STATE_PAUSED);
    push_n (self, 1);
    run_start (self);
  }
  run_end (self);
  run_finish (self);
  assert_all (self->out, 20);
  run_free (self);
}

GST_END_TEST;

/* Down while the Function is at work: its result is nobody's any more. */
static gboolean
wait_for_cancel (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  gate_open (data);
  patience_until (gst_orch_batch_is_cancelled (batch));
  script_present_all (batch);
  return TRUE;
}

GST_START_TEST (test_stop_while_running)
{
  Gate begun;
  Run *self;

  gate_init (&begun);
  script_set (0, (Script) {.run = wait_for_cancel,.data = &begun});
  self = run_new (RUN_IN "! orchexpand ! orchcall function=script ! "
      "orchreduce ! " RUN_OUT);
  run_start (self);
  run_push (self, "[a,b]");
  gate_pass (&begun);
  fail_unless_equals_int (gst_element_set_state (self->pipeline,
          GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  run_assert_results (self, "");
  assert_no_complaint (self);
  run_free (self);
  gate_clear (&begun);
}

GST_END_TEST;

/* Down while every pad is blocked on what is below. */
static GstPadProbeReturn
block (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_stop_while_blocked)
{
  static const gchar *elements[] = { "e1", "c1", "e2", "c2", "r2", "r1" };
  Run *self = run_new (RUN_IN "! " LOADED " ! " RUN_OUT);
  GstPad *pad = gst_element_get_static_pad (run_get (self, elements[__i__]),
      "src");
  gulong id = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK |
      GST_PAD_PROBE_TYPE_BUFFER, block, NULL, NULL);

  run_start (self);
  push_n (self, 200);
  patience_until (gst_pad_is_blocking (pad));
  g_usleep (5000);
  fail_unless_equals_int (gst_element_set_state (self->pipeline,
          GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  gst_pad_remove_probe (pad, id);
  gst_object_unref (pad);
  assert_no_complaint (self);
  collector_clear (self->out);
  run_start (self);
  assert_full_run (self, 10);
  run_free (self);
}

GST_END_TEST;

/* ---- flushes (S9.2) ---- */

static void
flush (Run * self)
{
  fail_unless (gst_element_send_event (self->in,
          gst_event_new_flush_start ()));
  fail_unless (gst_element_send_event (self->in,
          gst_event_new_flush_stop (TRUE)));
}

GST_START_TEST (test_flush_before_data)
{
  Run *self = run_new (RUN_IN "! " LOADED " ! " RUN_OUT);

  run_start (self);
  flush (self);
  collector_clear (self->out);
  assert_full_run (self, 10);
  fail_unless_equals_int (self->warnings->len, 0);
  run_free (self);
}

GST_END_TEST;

/* What was under way is forgotten, not lost; what comes after is whole, and
 * begins at 0 again. */
GST_START_TEST (test_flush_during)
{
  GRand *random = chance_new ();
  Run *self = run_new (RUN_IN "! " LOADED " ! " RUN_OUT);
  guint i;

  run_start (self);
  for (i = 0; i < 50; i++) {
    push_n (self, 20);
    g_usleep (g_rand_int_range (random, 0, 3000));
    flush (self);
  }
  collector_clear (self->out);
  assert_full_run (self, 10);
  fail_unless_equals_uint64 (run_get_stat (self, "r2", "lost"), 0);
  fail_unless_equals_uint64 (run_get_stat (self, "c1", "lost"), 0);
  fail_unless_equals_int (self->warnings->len, 0);
  g_rand_free (random);
  run_free (self);
}

GST_END_TEST;

static void
push_to_harness (GstHarness * h, guint n)
{
  GstCaps *caps;

  while (n--) {
    GstBuffer *buffer = notation_parse (LOADED_VALUE, &caps);

    gst_caps_unref (caps);
    fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  }
}

/* A source that begins anew after its EOS. */
GST_START_TEST (test_flush_after_eos)
{
  GstHarness *h = gst_harness_new_parse (LOADED);
  Collector *out = collector_new (h->sinkpad);
  GstSegment segment;
  guint i;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_set_drop_buffers (h, TRUE);
  gst_harness_set_src_caps_str (h, GST_ORCH_LIST_CAPS);
  for (i = 0; i < 3; i++) {
    push_to_harness (h, 10);
    fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
    collector_wait_eos (out);
    assert_all (out, 10);
    fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
    fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
    gst_harness_push_event (h, gst_event_new_segment (&segment));
    collector_clear (out);
  }
  collector_free (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Flushed Items that die in a queue, and while a pad is blocked. */
GST_START_TEST (test_flush_while_blocked)
{
  Run *self = run_new (RUN_IN "! orchexpand ! queue ! orchcall name=c "
      "function=test-work max-buffers=2 ! queue ! orchreduce name=r ! "
      RUN_OUT);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "c"), "src");
  gulong id = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK |
      GST_PAD_PROBE_TYPE_BUFFER, block, NULL, NULL);

  run_start (self);
  run_push (self, "[a,b,c,d,e,f]");
  run_push (self, "[a,b,c,d,e,f]");
  patience_until (gst_pad_is_blocking (pad));
  flush (self);
  gst_pad_remove_probe (pad, id);
  gst_object_unref (pad);
  collector_clear (self->out);
  run_push (self, "[g,h]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [g,h]");
  fail_unless_equals_uint64 (run_get_stat (self, "r", "lost"), 0);
  fail_unless_equals_uint64 (run_get_stat (self, "c", "lost"), 0);
  fail_unless_equals_int (self->warnings->len, 0);
  run_free (self);
}

GST_END_TEST;

/* The accounts know what a flush forgot (S7). */
static gboolean
wait_for_gate (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  gate_pass (data);
  script_present_all (batch);
  return TRUE;
}

GST_START_TEST (test_flush_is_accounted_for)
{
  Gate gate;
  Run *self;

  gate_init (&gate);
  script_set (0, (Script) {.run = wait_for_gate,.data = &gate});
  self = run_new (RUN_IN "! orchexpand ! orchcall name=c function=script ! "
      "orchreduce name=r ! " RUN_OUT);
  run_start (self);
  run_push (self, "[a,b,c]");
  patience_until (run_get_stat (self, "c", "entered") == 3);
  patience_until (run_get_stat (self, "r", "open") == 1);
  flush (self);
  fail_unless_equals_uint64 (run_get_stat (self, "c", "forgotten"), 3);
  fail_unless_equals_uint64 (run_get_stat (self, "r", "forgotten"), 1);
  fail_unless_equals_uint64 (run_get_stat (self, "r", "open"), 0);
  gate_open (&gate);
  run_push (self, "[d]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [d]");
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

/* ---- request pads ---- */

static GstPad *
add_stream (Run * self, const gchar * name)
{
  GstElement *source = gst_element_factory_make ("appsrc", name);
  GstPad *src, *sink;

  g_object_set (source, "format", GST_FORMAT_TIME, "max-buffers",
      (guint64) 0, "max-bytes", (guint64) 0, NULL);
  gst_bin_add (GST_BIN (self->pipeline), source);
  src = gst_element_get_static_pad (source, "src");
  sink = gst_element_request_pad_simple (run_get (self, "e"), "sink_%u");
  fail_unless_equals_int (gst_pad_link (src, sink), GST_PAD_LINK_OK);
  gst_object_unref (src);
  gst_element_sync_state_with_parent (source);
  return sink;
}

/* Pushes as fast as it can, until the pad it is linked to goes. */
typedef struct
{
  GstPad *pad, *peer;
  GThread *thread;
  GstFlowReturn ret;
} Feeder;

static gpointer
feed (gpointer data)
{
  Feeder *feeder = data;
  GstCaps *caps = gst_caps_from_string ("text/x-raw, format=utf8");
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (feeder->pad, gst_event_new_stream_start ("feeder"));
  gst_pad_push_event (feeder->pad, gst_event_new_caps (caps));
  gst_caps_unref (caps);
  gst_pad_push_event (feeder->pad, gst_event_new_segment (&segment));
  do
    feeder->ret = gst_pad_push (feeder->pad, gst_buffer_new ());
  while (feeder->ret == GST_FLOW_OK);
  return NULL;
}

static void
feeder_start (Feeder * self, GstElement * expand)
{
  self->pad = gst_pad_new ("src", GST_PAD_SRC);
  self->peer = gst_element_request_pad_simple (expand, "sink_%u");
  fail_unless_equals_int (gst_pad_link (self->pad, self->peer),
      GST_PAD_LINK_OK);
  gst_pad_set_active (self->pad, TRUE);
  self->thread = g_thread_new ("feeder", feed, self);
}

/* Releases the pad in the middle of it. */
static void
feeder_stop (Feeder * self, GstElement * expand)
{
  gst_element_release_request_pad (expand, self->peer);
  g_thread_join (self->thread);
  fail_unless (self->ret == GST_FLOW_FLUSHING
      || self->ret == GST_FLOW_NOT_LINKED);
  gst_pad_set_active (self->pad, FALSE);
  gst_object_unref (self->peer);
  gst_object_unref (self->pad);
}

/* Each release is the failure of that stream, and of no other. */
GST_START_TEST (test_release_while_data_flows)
{
  Run *self = run_new ("orchexpand name=e ! orchcall batch-size=4 name=c "
      "function=identity ! orchreduce name=r on-failed=skip ! " RUN_OUT);
  GstElement *e = run_get (self, "e");
  GstPad *stays = add_stream (self, "stays");
  GRand *random = chance_new ();
  guint i;

  run_start (self);
  for (i = 0; i < 50; i++) {
    Feeder feeder;

    feeder_start (&feeder, e);
    run_push_to (self, "stays", "x");
    g_usleep (g_rand_int_range (random, 0, 1000));
    feeder_stop (&feeder, e);
  }
  run_end_of (self, "stays");
  run_finish (self);
  /* One that is released before its first buffer was never a parent. */
  fail_unless_equals_uint64 (collector_get_n_results (self->out),
      run_get_stat (self, "e", "parents"));
  fail_unless_equals_uint64 (run_get_stat (self, "r", "lost"), 0);
  fail_unless_equals_int (self->warnings->len, 0);
  gst_object_unref (stays);
  g_rand_free (random);
  run_free (self);
}

GST_END_TEST;

/* The chain waits for room on the pad that goes. */
GST_START_TEST (test_release_while_blocked)
{
  Run *self = run_new ("orchexpand name=e max-buffers=2 ! identity name=i ! "
      "orchreduce name=r on-failed=skip ! " RUN_OUT);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "i"), "src");
  gulong id = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK |
      GST_PAD_PROBE_TYPE_BUFFER, block, NULL, NULL);
  GstPad *stays = add_stream (self, "stays");
  Feeder feeder;

  run_start (self);
  feeder_start (&feeder, run_get (self, "e"));
  patience_until (gst_pad_is_blocking (pad));
  g_usleep (5000);
  feeder_stop (&feeder, run_get (self, "e"));
  gst_pad_remove_probe (pad, id);
  gst_object_unref (pad);
  run_push_to (self, "stays", "x");
  run_end_of (self, "stays");
  run_finish (self);
  fail_unless_equals_int (collector_get_n_results (self->out), 2);
  gst_object_unref (stays);
  run_free (self);
}

GST_END_TEST;

/* A pad that is added later is one more parent. */
GST_START_TEST (test_request_while_playing)
{
  Run *self = run_new ("orchexpand name=e ! orchidentity ! "
      "orchreduce ! " RUN_OUT);
  GstPad *first = add_stream (self, "first"), *second;

  run_start (self);
  run_push_to (self, "first", "a");
  patience_until (run_get_stat (self, "e", "children") == 1);
  second = add_stream (self, "second");
  run_push_to (self, "second", "b");
  patience_until (run_get_stat (self, "e", "children") == 2);
  run_end_of (self, "second");
  run_push_to (self, "first", "c");
  run_end_of (self, "first");
  run_finish (self);
  run_assert_results (self, "0 [a,c]; 1 [b]");
  gst_object_unref (first);
  gst_object_unref (second);
  run_free (self);
}

GST_END_TEST;

/* Names that are free, whatever was asked for by name before. */
GST_START_TEST (test_pad_names)
{
  GstElement *element = gst_element_factory_make ("orchexpand", NULL);
  static const gchar *names[] = { "sink_%u", "sink_1", "sink_%u", "sink_7",
    "sink_%u", "sink_%u"
  };
  GHashTable *seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
      NULL);
  GstPad *pads[G_N_ELEMENTS (names)];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    pads[i] = gst_element_request_pad_simple (element, names[i]);
    fail_unless (pads[i] != NULL);
    fail_unless (g_hash_table_add (seen, gst_pad_get_name (pads[i])));
  }
  fail_unless (g_hash_table_contains (seen, "sink_1"));
  fail_unless (g_hash_table_contains (seen, "sink_7"));
  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    gst_element_release_request_pad (element, pads[i]);
    gst_object_unref (pads[i]);
  }
  fail_unless_equals_int (element->numsinkpads, 1);
  g_hash_table_unref (seen);
  gst_object_unref (element);
}

GST_END_TEST;

/* A flush of one pad ends that stream, and only that (architecture 5). */
GST_START_TEST (test_flush_of_one_stream)
{
  Run *self = run_new ("orchexpand name=e ! orchidentity ! "
      "orchreduce on-failed=skip ! " RUN_OUT
      "appsrc name=a format=time ! e.sink_0 appsrc name=b format=time ! "
      "e.sink_1");

  run_start (self);
  run_push_to (self, "a", "a0");
  patience_until (run_get_stat (self, "e", "children") == 1);
  run_push_to (self, "b", "b0");
  patience_until (run_get_stat (self, "e", "children") == 2);
  gst_element_send_event (run_get (self, "a"), gst_event_new_flush_start ());
  gst_element_send_event (run_get (self, "a"),
      gst_event_new_flush_stop (TRUE));
  run_push_to (self, "b", "b1");
  patience_until (run_get_stat (self, "e", "children") == 3);
  run_push_to (self, "a", "a1");
  run_end_of (self, "a");
  run_end_of (self, "b");
  run_finish (self);
  run_assert_results (self, "0 [a0] 0 F orch:flushed@0; 1 [b0,b1]; 2 [a1]");
  run_free (self);
}

GST_END_TEST;

static void
add_flushes (TCase * tc)
{
  tcase_add_test (tc, test_flush_before_data);
  tcase_add_test (tc, test_flush_during);
  tcase_add_test (tc, test_flush_after_eos);
  tcase_add_test (tc, test_flush_while_blocked);
  tcase_add_test (tc, test_flush_is_accounted_for);
}

static Suite *
states_suite (void)
{
  Suite *s = suite_create ("states");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_plain);
  tcase_add_loop_test (tc, test_reuse, 0, 2);
  tcase_add_test (tc, test_state_changes_under_load);
  tcase_add_test (tc, test_pause_under_load);
  tcase_add_test (tc, test_stop_while_running);
  tcase_add_loop_test (tc, test_stop_while_blocked, 0, 6);
  add_flushes (tc);
  tcase_add_test (tc, test_release_while_data_flows);
  tcase_add_test (tc, test_release_while_blocked);
  tcase_add_test (tc, test_request_while_playing);
  tcase_add_test (tc, test_pad_names);
  tcase_add_test (tc, test_flush_of_one_stream);
  return s;
}

GST_CHECK_MAIN (states);
