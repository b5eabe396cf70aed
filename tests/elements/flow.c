/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Order, budgets, and what goes along with the buffers: caps, events, flow
 * returns, queries. */

#include "run.h"
#include "complaints.h"
#include "script.h"
#include "notation.h"
#include "patience.h"

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <string.h>

#define assert_sequence(collector, expected) \
  G_STMT_START { \
    g_autofree gchar *sequence = collector_get_sequence (collector); \
    g_assert_cmpstr (sequence, ==, expected); \
  } G_STMT_END

static void
release (Run * self, const gchar * element)
{
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, element)),
      "function::hold", FALSE, NULL);
}

/* ---- caps (S9.1) ---- */

static void
push_page (Run * self, gint width)
{
  GstCaps *caps = gst_caps_new_simple ("page", "w", G_TYPE_INT, width, NULL);
  GstBuffer *buffer = gst_buffer_new ();
  GstSample *sample = gst_sample_new (buffer, caps, NULL, NULL);
  GstFlowReturn ret;

  g_signal_emit_by_name (self->in, "push-sample", sample, &ret);
  gst_sample_unref (sample);
  gst_buffer_unref (buffer);
  gst_caps_unref (caps);
}

GST_START_TEST (test_caps_of_one_batch)
{
  Run *self = run_new (RUN_IN "! orchtestwork name=work batch-size=5 "
      "hold=true ! " RUN_OUT);
  static const gint widths[] = { 1, 2, 1, 1, 3 };
  guint i;

  run_start (self);
  for (i = 0; i < G_N_ELEMENTS (widths); i++)
    push_page (self, widths[i]);
  patience_until (run_get_stat (self, "work", "entered") == 5);
  release (self, "work");
  run_end (self);
  run_finish (self);
  fail_unless_equals_uint64 (run_get_stat (self, "work", "batches"), 1);
  assert_sequence (self->out, "stream-start caps(page, w=(int)1) segment 0 "
      "caps(page, w=(int)2) 1 caps(page, w=(int)1) 2 3 "
      "caps(page, w=(int)3) 4 eos");
  run_free (self);
}

GST_END_TEST;

static GstCaps *
double_width (GstCaps * caps, gpointer data, GError ** error)
{
  gint width;

  gst_structure_get_int (gst_caps_get_structure (caps, 0), "w", &width);
  if (width == 13) {
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
        "pages of width 13 are not for me");
    return NULL;
  }
  return gst_caps_new_simple ("page", "w", G_TYPE_INT, 2 * width, NULL);
}

static gboolean
present_all (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  script_present_all (batch);
  return TRUE;
}

/* A width that cannot be negotiated fails that Grain, and no other. */
GST_START_TEST (test_negotiate)
{
  Run *self = run_new (RUN_IN "! orchcall function=script ! " RUN_OUT);
  static const gint widths[] = { 1, 13, 2, 2 };
  guint i;

  script_set (0, (Script) {.run = present_all,.negotiate = double_width});
  run_start (self);
  for (i = 0; i < G_N_ELEMENTS (widths); i++)
    push_page (self, widths[i]);
  run_end (self);
  run_finish (self);
  assert_sequence (self->out, "stream-start caps(page, w=(int)2) segment 0 1 "
      "caps(page, w=(int)4) 2 3 eos");
  run_assert_results (self, "0 *; 1 F orch:not-negotiated@1; 2 *; 3 *");
  run_free (self);
}

GST_END_TEST;

static gint
get_width (GstOrchList * list, guint index)
{
  const GstOrchListElement *element = gst_orch_list_get (list, index);
  gint width = 0;

  gst_structure_get_int (gst_caps_get_structure (element->caps, 0), "w",
      &width);
  return width;
}

/* Through a Call that mixes two documents, each child keeps its own caps. */
GST_START_TEST (test_caps_of_children)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchcall batch-size=4 replicas=2 "
      "function=identity ! orchreduce ! " RUN_OUT);
  guint d, i;

  run_start (self);
  for (d = 0; d < 2; d++) {
    GstOrchList *list = gst_orch_list_new ();
    GstFlowReturn ret;
    GstBuffer *buffer;

    for (i = 0; i < 6; i++) {
      GstCaps *caps = gst_caps_new_simple ("page", "w", G_TYPE_INT,
          100 * d + i / 2, NULL);

      gst_orch_list_append (list, gst_buffer_new (), caps, NULL);
      gst_caps_unref (caps);
    }
    buffer = gst_orch_list_buffer_new (list);
    g_signal_emit_by_name (self->in, "push-buffer", buffer, &ret);
    gst_buffer_unref (buffer);
  }
  run_end (self);
  run_finish (self);
  for (d = 0; d < 2; d++) {
    GstBuffer *buffer = collector_get_buffer (self->out, d ? "1" : "0");

    for (i = 0; i < 6; i++)
      fail_unless_equals_int (get_width (gst_orch_buffer_get_list (buffer), i),
          100 * d + i / 2);
    gst_buffer_unref (buffer);
  }
  run_free (self);
}

GST_END_TEST;

/* ---- events keep their place ---- */

static GstEvent *
custom_event (const gchar * name)
{
  return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
      gst_structure_new_empty (name));
}

static GstHarness *
harness_new (const gchar * description, Collector ** out)
{
  GstHarness *h = gst_harness_new_parse (description);

  gst_harness_set_drop_buffers (h, TRUE);
  *out = collector_new (h->sinkpad);
  gst_harness_set_src_caps_str (h, "page");
  return h;
}

static void
harness_push (GstHarness * h, guint n)
{
  while (n--)
    fail_unless_equals_int (gst_harness_push (h, gst_buffer_new ()),
        GST_FLOW_OK);
}

static void
harness_end (GstHarness * h, Collector * out)
{
  gst_harness_push_event (h, gst_event_new_eos ());
  collector_wait_eos (out);
}

static void
harness_free (GstHarness * h, Collector * out)
{
  collector_free (out);
  gst_harness_teardown (h);
}

GST_START_TEST (test_events_behind_their_grain)
{
  static const gchar *orders[] = { "completion", "input" };
  g_autofree gchar *call = g_strdup_printf ("orchtestwork "
      "record=1 sleep=200 order=%s", orders[__i__]);
  Collector *out;
  GstHarness *h = harness_new (call, &out);

  gst_harness_push_event (h, custom_event ("first"));
  harness_push (h, 1);
  gst_harness_push_event (h, custom_event ("a"));
  gst_harness_push_event (h, custom_event ("b"));
  harness_push (h, 2);
  gst_harness_push_event (h, custom_event ("c"));
  harness_push (h, 1);
  gst_harness_push_event (h, custom_event ("last"));
  harness_end (h, out);
  assert_sequence (out, "stream-start event(first) caps(page) segment 0 "
      "event(a) event(b) 1 2 event(c) 3 event(last) eos");
  harness_free (h, out);
}

GST_END_TEST;

typedef struct
{
  Gate zero;
} Overtaking;

static gboolean
hold_zero (GstOrchBatch * batch, guint replica, gpointer data, GError ** error)
{
  Overtaking *overtaking = data;

  if (gst_orch_entity_get_ordinal (gst_orch_batch_get_entity (batch, 0)) == 0)
    gate_pass (&overtaking->zero);
  script_present_all (batch);
  return TRUE;
}

/* An event goes with its Grain when another overtakes that. */
GST_START_TEST (test_events_are_overtaken)
{
  Overtaking overtaking;
  Collector *out;
  GstHarness *h;

  gate_init (&overtaking.zero);
  script_set (0, (Script) {.run = hold_zero,.data = &overtaking});
  h = harness_new ("orchcall function=script replicas=2", &out);
  harness_push (h, 1);
  gst_harness_push_event (h, custom_event ("behind-0"));
  harness_push (h, 1);
  gst_harness_push_event (h, custom_event ("behind-1"));
  collector_wait (out, 1);
  gate_open (&overtaking.zero);
  harness_end (h, out);
  assert_sequence (out, "stream-start caps(page) segment 1 event(behind-1) 0 "
      "event(behind-0) eos");
  harness_free (h, out);
  gate_clear (&overtaking.zero);
}

GST_END_TEST;

/* order=input: nothing overtakes. */
GST_START_TEST (test_order_input_waits)
{
  Overtaking overtaking;
  Collector *out;
  GstHarness *h;

  gate_init (&overtaking.zero);
  script_set (0, (Script) {.run = hold_zero,.data = &overtaking});
  h = harness_new ("orchcall name=c function=script replicas=2 order=input",
      &out);
  harness_push (h, 4);
  g_usleep (10000);
  fail_unless_equals_int (collector_get_n_results (out), 0);
  gate_open (&overtaking.zero);
  harness_end (h, out);
  assert_sequence (out, "stream-start caps(page) segment 0 1 2 3 eos");
  harness_free (h, out);
  gate_clear (&overtaking.zero);
}

GST_END_TEST;

GST_START_TEST (test_tags_and_segments)
{
  Collector *out;
  GstHarness *h = harness_new ("orchcall function=test-work", &out);
  GstSegment segment;

  harness_push (h, 1);
  gst_harness_push_event (h, gst_event_new_tag (gst_tag_list_new
          (GST_TAG_TITLE, "a title", NULL)));
  harness_push (h, 2);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.position = GST_SECOND;
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  harness_push (h, 1);
  harness_end (h, out);
  assert_sequence (out,
      "stream-start caps(page) segment 0 tag 1 2 segment 3 eos");
  harness_free (h, out);
}

GST_END_TEST;

GST_START_TEST (test_eos_drains)
{
  Run *self = run_new (RUN_IN "! orchtestwork batch-size=4 replicas=2 order=input "
      "sleep=2000 ! " RUN_OUT);
  guint i;

  run_start (self);
  for (i = 0; i < 10; i++)
    run_push (self, "x");
  run_end (self);
  run_finish (self);
  assert_sequence (self->out, "stream-start caps(text/x-raw, "
      "format=(string)utf8) segment 0 1 2 3 4 5 6 7 8 9 eos");
  run_free (self);
}

GST_END_TEST;

#define N_ORDERED 200

static gboolean
sleep_by_ordinal (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  guint64 ordinal =
      gst_orch_entity_get_ordinal (gst_orch_batch_get_entity (batch, 0));

  g_usleep (ordinal * 7919 % 500);
  script_present_all (batch);
  if (ordinal % 10 == 3 && gst_orch_batch_get_generation (batch, 0) == 0)
    return script_fail (error);
  return TRUE;
}

static gchar *
expected_order (void)
{
  GString *text = g_string_new ("stream-start caps(text/x-raw, "
      "format=(string)utf8) segment ");
  guint i;

  for (i = 0; i < N_ORDERED; i++)
    g_string_append_printf (text, "%u ", i);
  g_string_append (text, "eos");
  return g_string_free (text, FALSE);
}

/* With retries, small budgets and several replicas. */
GST_START_TEST (test_order_input)
{
  static const guint budgets[] = { 0, 2, 3 };
  g_autofree gchar *expected = expected_order ();
  Run *self = run_new (RUN_IN "! orchcall order=input replicas=3 batch-size=%u "
      "max-buffers=%u function=script ! " RUN_OUT, 1 + __i__, budgets[__i__]);
  guint i;

  script_set (0, (Script) {.run = sleep_by_ordinal});
  run_start (self);
  for (i = 0; i < N_ORDERED; i++)
    run_push (self, "x");
  run_end (self);
  run_finish (self);
  assert_sequence (self->out, expected);
  run_free (self);
}

GST_END_TEST;

/* ---- budgets ---- */

typedef struct
{
  Run *run;
  guint budget;
  gint n_runs;                  /* atomic */
} Budget;

/* What has entered and is not pushed is within the budget, always. */
static gboolean
check_budget (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  Budget *budget = data;
  guint64 entered = run_get_stat (budget->run, "work", "entered");

  g_assert_cmpuint (entered, <=,
      collector_get_n_results (budget->run->out) + budget->budget);
  g_atomic_int_inc (&budget->n_runs);
  script_present_all (batch);
  return TRUE;
}

/* `batch_size` is set later: a plan refuses batches that the budget cannot
 * fill. */
static void
assert_budget (const gchar * properties, guint batch_size,
    const gchar * value, guint n, guint most)
{
  Budget budget = { NULL, most, 0 };
  Run *self = run_new (RUN_IN "! orchcall name=work function=script %s ! "
      RUN_OUT, properties);
  guint i;

  budget.run = self;
  script_set (0, (Script) {.run = check_budget,.data = &budget});
  run_start (self);
  g_object_set (run_get (self, "work"), "batch-size", batch_size, NULL);
  for (i = 0; i < n; i++)
    run_push (self, value);
  run_end (self);
  run_finish (self);
  fail_unless_equals_int (collector_get_n_results (self->out), n);
  run_free (self);
}

GST_START_TEST (test_max_buffers)
{
  assert_budget ("max-buffers=1", 1, "x", 100, 1);
  assert_budget ("max-buffers=1 replicas=2", 8, "x", 100, 1);
  assert_budget ("max-buffers=3 replicas=2", 2, "x", 100, 3);
  assert_budget ("max-buffers=3 replicas=2 order=input", 2, "x", 100, 3);
}

GST_END_TEST;

GST_START_TEST (test_max_bytes)
{
  assert_budget ("max-bytes=25 max-buffers=50", 1, "0123456789", 100, 2);
  /* One unit always fits. */
  assert_budget ("max-bytes=1 max-buffers=50", 1, "0123456789", 100, 1);
  assert_budget ("max-bytes=1 max-buffers=50 replicas=3 order=input", 4,
      "0123456789", 100, 1);
}

GST_END_TEST;

/* The streaming thread waits for credit; it does not queue ahead. */
GST_START_TEST (test_chain_waits_for_credit)
{
  Run *self = run_new (RUN_IN "! orchtestwork name=work max-buffers=2 "
      "hold=true ! " RUN_OUT);
  guint i;

  run_start (self);
  for (i = 0; i < 10; i++)
    run_push (self, "x");
  patience_until (run_get_stat (self, "work", "entered") == 2);
  g_usleep (20000);
  fail_unless_equals_uint64 (run_get_stat (self, "work", "entered"), 2);
  /* A larger budget takes effect at once. */
  g_object_set (run_get (self, "work"), "max-buffers", 5, NULL);
  patience_until (run_get_stat (self, "work", "entered") == 5);
  release (self, "work");
  run_end (self);
  run_finish (self);
  fail_unless_equals_int (collector_get_n_results (self->out), 10);
  run_free (self);
}

GST_END_TEST;

static gboolean
present_hundred_bytes (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  Budget *budget = data;

  g_atomic_int_inc (&budget->n_runs);
  gst_orch_batch_present (batch, 0, gst_buffer_new_allocate (NULL, 100, NULL),
      NULL);
  return TRUE;
}

static GstPadProbeReturn
block (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  return GST_PAD_PROBE_OK;
}

/* Outputs that nobody takes hold back dispatch: 250 bytes let three finish and
 * one more run. */
GST_START_TEST (test_outputs_hold_back_dispatch)
{
  Budget budget = { NULL, 0, 0 };
  Run *self = run_new (RUN_IN "! orchcall name=work max-buffers=100 "
      "max-bytes=250 function=script ! " RUN_OUT);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "work"), "src");
  gulong id = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK |
      GST_PAD_PROBE_TYPE_BUFFER, block, NULL, NULL);
  guint i;

  script_set (0, (Script) {.run = present_hundred_bytes,.data = &budget});
  run_start (self);
  for (i = 0; i < 20; i++)
    run_push (self, "");
  patience_until (g_atomic_int_get (&budget.n_runs) >= 3);
  g_usleep (20000);
  fail_unless (g_atomic_int_get (&budget.n_runs) <= 4);
  gst_pad_remove_probe (pad, id);
  gst_object_unref (pad);
  run_end (self);
  run_finish (self);
  fail_unless_equals_int (collector_get_n_results (self->out), 20);
  run_free (self);
}

GST_END_TEST;

/* ---- flow returns ---- */

typedef struct
{
  gint n_left;                  /* buffers that still pass */
  GstFlowReturn ret;
} Stop;

static GstPadProbeReturn
stop_after (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Stop *stop = data;

  if (stop->n_left-- > 0)
    return GST_PAD_PROBE_OK;
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = stop->ret;
  return GST_PAD_PROBE_HANDLED;
}

#define N_DOCUMENTS 300

/* The element named x is followed by something that lets `n` buffers pass. */
static Run *
run_stopped (const gchar * chain, Stop * stop)
{
  Run *self = run_new (RUN_IN "! %s ! " RUN_OUT, chain);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "x"), "src");
  guint i;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, stop_after, stop, NULL);
  gst_object_unref (pad);
  run_start (self);
  for (i = 0; i < N_DOCUMENTS; i++)
    run_push (self, "[a,b,c]");
  run_end (self);
  return self;
}

static const gchar *stop_chains[] = {
  "orchcall function=test-work name=x ! orchexpand ! orchidentity ! orchreduce",
  "orchexpand ! identity name=x ! orchidentity ! orchreduce",
  "orchexpand ! orchidentity name=x ! orchreduce",
  "orchexpand ! orchcall replicas=2 batch-size=4 order=input name=x "
      "function=test-work ! orchreduce",
  "orchexpand ! orchidentity ! orchreduce ! identity name=x",
};

/* S5.7: nothing hangs, and no parent goes without an outcome. */
GST_START_TEST (test_eos_from_downstream)
{
  Stop stop = { 4, GST_FLOW_EOS };
  Run *self = run_stopped (stop_chains[__i__], &stop);

  run_finish (self);
  fail_unless (stop.n_left < 0);
  fail_unless_equals_uint64 (run_get_stat (self, "orchexpand0", "parents"),
      run_get_stat (self, "orchreduce0", "present") +
      run_get_stat (self, "orchreduce0", "dropped") +
      run_get_stat (self, "orchreduce0", "suppressed"));
  run_free (self);
}

GST_END_TEST;

/* What follows is dropped, and says why to those who wait for it. */
GST_START_TEST (test_cause_of_eos_from_downstream)
{
  static const gchar *chains[] = {
    "orchexpand ! orchtestwork name=w hold=true ! orchreduce",
    "orchtestwork name=w hold=true",
  };
  Stop stop = { 1, GST_FLOW_EOS };
  Run *self = run_new (RUN_IN "! %s ! identity name=x ! orchidentity ! "
      RUN_OUT, chains[__i__]);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "x"), "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, stop_after, &stop, NULL);
  gst_object_unref (pad);
  run_start (self);
  run_push (self, "[a]");
  run_push (self, "[b]");
  run_push (self, "[c]");
  run_end (self);
  patience_until (run_get_stat (self, "w", "entered") == 3);
  release (self, "w");
  run_finish (self);
  run_assert_results (self,
      "0 [a]; 1 D orch:lost@1; 2 D orch:downstream-ended@2");
  run_free (self);
}

GST_END_TEST;

/* Nobody has filtered it: the list is not whole, and says so. */
GST_START_TEST (test_list_of_eos_from_downstream)
{
  Stop stop = { 1, GST_FLOW_EOS };
  Run *self = run_new (RUN_IN "! orchexpand ! orchtestwork name=w hold=true ! "
      "identity name=x ! orchreduce ! " RUN_OUT);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "x"), "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, stop_after, &stop, NULL);
  gst_object_unref (pad);
  run_start (self);
  run_push (self, "[a,b,c]");
  run_end (self);
  patience_until (run_get_stat (self, "w", "entered") == 3);
  release (self, "w");
  run_finish (self);
  run_assert_results (self,
      "0 [a] 0/1 L orch:lost@0/1 0/2 L orch:downstream-ended@0/2");
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_error_from_downstream)
{
  Stop stop = { 4, GST_FLOW_ERROR };
  Run *self = run_stopped (stop_chains[__i__], &stop);

  fail_if (run_wait (self));
  run_free (self);
}

GST_END_TEST;

/* An error, not a silent stop. */
GST_START_TEST (test_not_linked)
{
  static const gchar *chains[] = { "orchidentity", "orchexpand",
    "orchexpand ! orchreduce"
  };
  /* The other branch has a sink, and never ends. */
  Run *self = run_new ("appsrc ! " RUN_OUT RUN_IN "! %s", chains[__i__]);

  run_start (self);
  run_push (self, "[a]");
  run_end (self);
  fail_if (run_wait (self));
  run_free (self);
}

GST_END_TEST;

/* ---- queries and upstream events ---- */

GST_START_TEST (test_latency_query)
{
  static const gchar *sources[] = {
    "videotestsrc num-buffers=20", "videotestsrc num-buffers=20 is-live=true"
  };
  Run *self = run_new ("%s ! video/x-raw,framerate=50/1,width=16,height=16 ! "
      "orchexpand ! orchidentity ! orchreduce ! " RUN_OUT, sources[__i__]);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "out"), "sink");
  GstQuery *query = gst_query_new_latency ();
  gboolean live;

  run_start (self);
  patience_until (run_get_stat (self, "orchidentity0", "entered") > 0);
  fail_unless (gst_pad_peer_query (pad, query));
  gst_query_parse_latency (query, &live, NULL, NULL);
  fail_unless_equals_int (live, __i__);
  gst_query_unref (query);
  gst_object_unref (pad);
  run_finish (self);
  run_free (self);
}

GST_END_TEST;

static GstPadProbeReturn
count_qos (GstPad * pad, GstPadProbeInfo * info, gpointer count)
{
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_QOS)
    g_atomic_int_inc ((gint *) count);
  return GST_PAD_PROBE_OK;
}

/* A late sink must not make a source skip documents. */
GST_START_TEST (test_no_qos_upstream)
{
  static const gchar *elements[] = { "orchidentity", "orchexpand",
    "orchreduce"
  };
  GstHarness *h = gst_harness_new (elements[__i__]);
  gint count = 0;

  gst_pad_add_probe (h->srcpad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, count_qos,
      &count, NULL);
  gst_harness_push_upstream_event (h, gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW,
          2.0, GST_SECOND, 0));
  fail_unless_equals_int (count, 0);
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
flow_suite (void)
{
  Suite *s = suite_create ("flow");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_caps_of_one_batch);
  tcase_add_test (tc, test_negotiate);
  tcase_add_test (tc, test_caps_of_children);
  tcase_add_loop_test (tc, test_events_behind_their_grain, 0, 2);
  tcase_add_test (tc, test_events_are_overtaken);
  tcase_add_test (tc, test_order_input_waits);
  tcase_add_test (tc, test_tags_and_segments);
  tcase_add_test (tc, test_eos_drains);
  tcase_add_loop_test (tc, test_order_input, 0, 3);
  tcase_add_test (tc, test_max_buffers);
  tcase_add_test (tc, test_max_bytes);
  tcase_add_test (tc, test_chain_waits_for_credit);
  tcase_add_test (tc, test_outputs_hold_back_dispatch);
  tcase_add_loop_test (tc, test_eos_from_downstream, 0,
      G_N_ELEMENTS (stop_chains));
  tcase_add_loop_test (tc, test_cause_of_eos_from_downstream, 0, 2);
  tcase_add_test (tc, test_list_of_eos_from_downstream);
  tcase_add_loop_test (tc, test_error_from_downstream, 0,
      G_N_ELEMENTS (stop_chains));
  tcase_add_loop_test (tc, test_not_linked, 0, 3);
  tcase_add_loop_test (tc, test_latency_query, 0, 2);
  tcase_add_loop_test (tc, test_no_qos_upstream, 0, 3);
  return s;
}

GST_CHECK_MAIN (flow);
