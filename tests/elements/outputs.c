/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Calls with several outputs. */

#include "run.h"
#include "complaints.h"
#include "patience.h"
#include "script.h"

#include <gst/check/gstcheck.h>
#include <string.h>

#define SINK "fakesink sync=false async=false enable-last-sample=false "
#define CALL "orchtestoutputs name=c "

/* ---- a run whose outputs are each written down ---- */

typedef struct
{
  Run *run;
  Collector *further[2];        /* (nullable): at the pads src_1 and src_2 */
} Scene;

static Collector *
collect (Run * run, const gchar * element, const gchar * name)
{
  GstPad *pad = gst_element_get_static_pad (run_get (run, element), name);
  Collector *collector = pad ? collector_new (pad) : NULL;

  g_clear_pointer (&pad, gst_object_unref);
  return collector;
}

static void
scene_init (Scene * self, const gchar * description)
{
  self->run = run_new ("%s", description);
  self->further[0] = collect (self->run, "c", "src_1");
  self->further[1] = collect (self->run, "c", "src_2");
}

static void
scene_clear (Scene * self)
{
  g_clear_pointer (&self->further[0], collector_free);
  g_clear_pointer (&self->further[1], collector_free);
  run_free (self->run);
}

#define assert_collected(collector, expected) \
  G_STMT_START { \
    g_autofree gchar *collected = collector_get_results (collector); \
    g_assert_cmpstr (collected, ==, expected); \
  } G_STMT_END

#define assert_sequence(collector, expected) \
  G_STMT_START { \
    g_autofree gchar *sequence = collector_get_sequence (collector); \
    g_assert_cmpstr (sequence, ==, expected); \
  } G_STMT_END

static void
push_all (Run * run, const gchar * values)
{
  g_auto (GStrv) texts = g_strsplit (values, "; ", -1);
  guint i;

  for (i = 0; texts[i]; i++)
    run_push (run, texts[i]);
}

static void
run_over (Run * run, const gchar * values)
{
  run_start (run);
  push_all (run, values);
  run_end (run);
  run_finish (run);
}

#define THREE RUN_IN "! " CALL "! " RUN_OUT "c.src_1 ! " SINK "c.src_2 ! " SINK

GST_START_TEST (test_values)
{
  Scene self;

  scene_init (&self, THREE);
  run_over (self.run, "a; b|x; -; d|y|z");
  run_assert_results (self.run, "0 a; 1 b; 2 D; 3 d");
  assert_collected (self.further[0], "0 a1; 1 x; 2 D; 3 y");
  assert_collected (self.further[1], "0 a2; 1 b2; 2 D; 3 z");
  scene_clear (&self);
}

GST_END_TEST;

/* The Function works on stand-ins then. */
GST_START_TEST (test_values_of_timed_attempts)
{
  Scene self;

  scene_init (&self, RUN_IN "! " CALL "attempt-timeout=3600000000000 ! "
      RUN_OUT "c.src_1 ! " SINK "c.src_2 ! " SINK);
  run_over (self.run, "a; b|x; -; d|y|z; e|~; f|^bad|g");
  run_assert_results (self.run,
      "0 a; 1 b; 2 D; 3 d; 4 F orch:contract@4; 5 F test:bad@5");
  assert_collected (self.further[0],
      "0 a1; 1 x; 2 D; 3 y; 4 F orch:contract@4; 5 F test:bad@5");
  assert_collected (self.further[1],
      "0 a2; 1 b2; 2 D; 3 z; 4 F orch:contract@4; 5 F test:bad@5");
  scene_clear (&self);
}

GST_END_TEST;

/* One stream each, which says what it is. */
GST_START_TEST (test_streams)
{
  Scene self;

  scene_init (&self, RUN_IN "! " CALL "! " RUN_OUT "c.src_2 ! " SINK);
  run_over (self.run, "a");
  assert_sequence (self.run->out, "stream-start "
      "caps(text/x-raw, format=(string)utf8) segment 0 eos");
  assert_sequence (self.further[1], "stream-start "
      "caps(text/x-raw, format=(string)utf8) segment 0 eos");
  g_assert_null (self.further[0]);
  scene_clear (&self);
}

GST_END_TEST;

GST_START_TEST (test_only_a_further_output)
{
  Scene self;

  scene_init (&self, RUN_IN "! " CALL "c.src_1 ! " RUN_OUT);
  run_over (self.run, "a; b; c");
  run_assert_results (self.run, "0 a1; 1 b1; 2 c1");
  scene_clear (&self);
}

GST_END_TEST;

GST_START_TEST (test_none_is_linked)
{
  Run *self = run_new (RUN_IN "! " CALL RUN_OUT);
  GstPad *pad = gst_element_request_pad_simple (run_get (self, "c"), "src_1");

  run_start (self);
  run_push (self, "a");
  g_assert_false (run_wait (self));
  fail_unless (strstr (self->error_debug, "not-linked"));
  gst_object_unref (pad);
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_order_of_input)
{
  Scene self;
  guint i;
  g_autoptr (GString) expected = g_string_new ("stream-start "
      "0 caps(text/x-raw, format=(string)utf8) segment ");

  scene_init (&self, RUN_IN "! " CALL "order=input replicas=4 batch-size=3 ! "
      RUN_OUT "c.src_1 ! " SINK);
  run_start (self.run);
  for (i = 0; i < 200; i++) {
    run_push (self.run, i % 7 ? "a" : "^bad");
    if (i)
      g_string_append_printf (expected, "%u ", i);
  }
  g_string_append (expected, "eos");
  run_end (self.run);
  run_finish (self.run);
  assert_sequence (self.run->out, expected->str);
  assert_sequence (self.further[0], expected->str);
  scene_clear (&self);
}

GST_END_TEST;

/* ---- S4.4 ---- */

GST_START_TEST (test_s4_4)
{
  Scene self;
  const gchar *expected = "0 F test:x@0; 1 F test:y@1; 2 F test:z@2; "
      "3 F test:x@3; 4 F test:y@4";

  scene_init (&self, THREE);
  run_over (self.run, "^x; a|^y; a|b|^z; ^x|^y|^z; a|^y|^z");
  run_assert_results (self.run, expected);
  assert_collected (self.further[0], expected);
  assert_collected (self.further[1], expected);
  scene_clear (&self);
}

GST_END_TEST;

/* D8: a group failure gives the outcome before a record failure, wherever it
 * stands.  The siblings tell that both are group failures. */
GST_START_TEST (test_d8)
{
  const gchar *chains[] = { "[^r|^^g,b]; [^^g|^r,b]; [^^g|^^h,b]",
    "0 S test:g@0/0; 1 S test:g@1/0; 2 S test:g@2/0"
  };

  assert_results ("orchexpand ! " CALL "! orchreduce on-failed=skip",
      chains[0], chains[1]);
}

GST_END_TEST;

/* S4.3 */
GST_START_TEST (test_incomplete)
{
  Scene self;
  const gchar *expected = "0 F orch:contract@0; 1 F orch:contract@1; "
      "2 F orch:contract@2; 3 F test:x@3";

  scene_init (&self, THREE);
  run_over (self.run, "a|~; ~|a; ~|~|~; ~|^x");
  run_assert_results (self.run, expected);
  assert_collected (self.further[0], expected);
  scene_clear (&self);
}

GST_END_TEST;

/* ---- what a Function may do ---- */

static void
give (GstOrchBatch * batch, guint i, guint output, const gchar * text)
{
  g_assert_true (gst_orch_batch_present_output (batch, i, output,
          gst_buffer_new_memdup (text, strlen (text)), NULL));
}

static void
give_open (GstOrchBatch * batch, guint i)
{
  GstCaps *caps = gst_caps_new_empty_simple ("a/b");

  g_assert_true (gst_orch_batch_present_output (batch, i, 2,
          gst_buffer_new (), caps));
  gst_caps_unref (caps);
}

/* The second word on one output, or on the whole, is refused and counted. */
static gboolean
say_twice (GstOrchBatch * batch, guint replica, gpointer data, GError ** error)
{
  give (batch, 0, 1, "x");
  g_assert_false (gst_orch_batch_present_output (batch, 0, 1,
          gst_buffer_new (), NULL));
  g_assert_false (gst_orch_batch_fail_record_output (batch, 0, 1,
          gst_orch_cause_new ("test", "late", "too late")));
  g_assert_false (gst_orch_batch_drop (batch, 0));
  script_present (batch, 0);
  give_open (batch, 0);
  return TRUE;
}

static gboolean
say_too_much (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  script_present (batch, 0);
  give (batch, 0, 1, "x");
  give_open (batch, 0);
  assert_complaint (g_assert_false (gst_orch_batch_present_output (batch, 0, 3,
              gst_buffer_new (), NULL)));
  return TRUE;
}

#define SCRIPT RUN_IN "! orchcall name=c function=script-outputs ! " RUN_OUT \
    "c.src_1 ! " SINK

static void
assert_scripted (gboolean (*run) (GstOrchBatch *, guint, gpointer, GError **),
    const gchar * first, const gchar * second, guint n_refused)
{
  Scene self;

  script_set (0, (Script) {.run = run});
  scene_init (&self, SCRIPT);
  run_over (self.run, "a");
  run_assert_results (self.run, first);
  assert_collected (self.further[0], second);
  fail_unless_equals_uint64 (run_get_stat (self.run, "c", "refused"),
      n_refused);
  scene_clear (&self);
}

GST_START_TEST (test_refused)
{
  assert_scripted (say_twice, "0 a", "0 x", 3);
  assert_scripted (say_too_much, "0 a", "0 x", 1);
}

GST_END_TEST;

/* An output that declares fixed caps needs none, another does. */
static gboolean
give_without_caps (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  script_present (batch, 0);
  give (batch, 0, 1, "x");
  give (batch, 0, 2, "y");
  return TRUE;
}

GST_START_TEST (test_caps)
{
  assert_scripted (give_without_caps, "0 F orch:not-negotiated@0",
      "0 F orch:not-negotiated@0", 0);
}

GST_END_TEST;

/* S4.2: a Grain is committed when it is whole. */
static gboolean
commit_early (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  script_present (batch, 0);
  gst_orch_batch_commit (batch);
  give (batch, 0, 1, "x");
  gst_orch_batch_commit (batch);
  give_open (batch, 0);
  gst_orch_batch_commit (batch);
  g_assert_null (gst_orch_batch_get_entity (batch, 0));
  return TRUE;
}

GST_START_TEST (test_early_commit)
{
  assert_scripted (commit_early, "0 a", "0 x", 0);
}

GST_END_TEST;

/* S5.3: what an attempt gave before it failed is forgotten, and the input is there
 * again. */
static gboolean
fail_first (GstOrchBatch * batch, guint replica, gpointer data, GError ** error)
{
  gboolean again = gst_orch_batch_get_generation (batch, 0) > 0;

  g_assert_nonnull (gst_orch_batch_get_buffer (batch, 0));
  if (!again)
    gst_orch_batch_fail_record_output (batch, 0, 2,
        gst_orch_cause_new ("test", "early", "told to fail"));
  script_present (batch, 0);
  give (batch, 0, 1, again ? "second" : "first");
  if (again)
    give_open (batch, 0);
  return again || script_fail (error);
}

GST_START_TEST (test_failed_attempt)
{
  assert_scripted (fail_first, "0 a", "0 second", 0);
}

GST_END_TEST;

/* S5.2a: the barrier is found from every output. */
GST_START_TEST (test_barrier_behind_a_further_output)
{
  assert_results ("orchexpand ! " CALL "c.src_1 ! orchreduce on-failed=skip",
      "[a,b]; [c,d|^^g,e]", "0 [a1,b1]; 1 S test:g@1/1");
}

GST_END_TEST;

static GstPadProbeReturn
take_times (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  *(GstClockTime *) data = GST_BUFFER_PTS (GST_PAD_PROBE_INFO_BUFFER (info));
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_times_are_those_of_the_input)
{
  GstClockTime times[2] = { 0, };
  Scene self;
  GstPad *pad;
  guint i;

  scene_init (&self, RUN_IN "! orchexpand ! " CALL "! " RUN_OUT
      "c.src_1 ! " SINK);
  for (i = 0; i < 2; i++) {
    pad = gst_element_get_static_pad (run_get (self.run, "c"),
        i ? "src_1" : "src");
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, take_times, &times[i],
        NULL);
    gst_object_unref (pad);
  }
  run_over (self.run, "[a,b,c]");
  fail_unless_equals_uint64 (times[0], 2 * GST_SECOND);
  fail_unless_equals_uint64 (times[1], 2 * GST_SECOND);
  scene_clear (&self);
}

GST_END_TEST;

/* ---- back-pressure ---- */

typedef struct
{
  GMutex lock;
  guint n[2];
  guint apart;
  Gate gate;
} Race;

typedef struct
{
  Race *race;
  guint which;
} Runner;

static GstPadProbeReturn
count_pushed (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Runner *runner = data;
  Race *race = runner->race;

  g_mutex_lock (&race->lock);
  race->n[runner->which]++;
  race->apart = MAX (race->apart, MAX (race->n[0], race->n[1]) -
      MIN (race->n[0], race->n[1]));
  g_mutex_unlock (&race->lock);
  if (runner->which == 1)
    gate_pass (&race->gate);
  return GST_PAD_PROBE_OK;
}

/* The credit of a Grain comes back when every pad has pushed it. */
GST_START_TEST (test_credit)
{
  Race race = { 0, };
  Runner runners[2] = { {&race, 0}, {&race, 1} };
  Scene self;
  GstPad *pad;
  guint i;

  g_mutex_init (&race.lock);
  gate_init (&race.gate);
  scene_init (&self, RUN_IN "! " CALL "max-buffers=3 ! " RUN_OUT
      "c.src_1 ! " SINK);
  for (i = 0; i < 2; i++) {
    pad = gst_element_get_static_pad (run_get (self.run, "c"),
        i ? "src_1" : "src");
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_pushed,
        &runners[i], NULL);
    gst_object_unref (pad);
  }
  run_start (self.run);
  for (i = 0; i < 50; i++)
    run_push (self.run, "a");
  run_end (self.run);
  /* The first pad does not wait for the other while there is credit. */
  collector_wait (self.run->out, 3);
  gate_await_waiting (&race.gate, 1);
  fail_unless_equals_uint64 (run_get_stat (self.run, "c", "entered"), 3);
  gate_open (&race.gate);
  run_finish (self.run);
  fail_unless_equals_int (race.n[0], 50);
  fail_unless_equals_int (race.n[1], 50);
  fail_unless (race.apart <= 3);
  scene_clear (&self);
  gate_clear (&race.gate);
  g_mutex_clear (&race.lock);
}

GST_END_TEST;

/* ---- what ends, comes and goes ---- */

static GstPadProbeReturn
return_eos (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_EOS;
  return GST_PAD_PROBE_HANDLED;
}

/* S5.7 */
GST_START_TEST (test_end_of_one_output)
{
  const gchar *name = __i__ ? "src_1" : "src";
  Scene self;
  GstPad *pad;

  scene_init (&self, RUN_IN "! " CALL "! " RUN_OUT "c.src_1 ! " SINK);
  pad = gst_element_get_static_pad (run_get (self.run, "c"), name);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, return_eos, NULL, NULL);
  gst_object_unref (pad);
  run_over (self.run, "a; b; c; d");
  if (__i__)
    run_assert_results (self.run, "0 a; 1 b; 2 c; 3 d");
  else
    assert_collected (self.further[0], "0 a1; 1 b1; 2 c1; 3 d1");
  scene_clear (&self);
}

GST_END_TEST;

GST_START_TEST (test_end_of_all_outputs)
{
  Scene self;
  GstPad *pad;
  guint i;

  scene_init (&self, RUN_IN "! " CALL "! " RUN_OUT "c.src_1 ! " SINK);
  for (i = 0; i < 2; i++) {
    pad = gst_element_get_static_pad (run_get (self.run, "c"),
        i ? "src_1" : "src");
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, return_eos, NULL, NULL);
    gst_object_unref (pad);
  }
  run_start (self.run);
  push_all (self.run, "a; b; c; d");
  run_end (self.run);
  run_finish (self.run);
  run_assert_results (self.run, "");
  scene_clear (&self);
}

GST_END_TEST;

GST_START_TEST (test_release)
{
  Scene self;
  GstElement *call;
  GstPad *pad, *peer;

  scene_init (&self, RUN_IN "! " CALL "max-buffers=2 ! " RUN_OUT
      "c.src_1 ! " SINK);
  call = run_get (self.run, "c");
  run_start (self.run);
  push_all (self.run, "a; b; c");
  collector_wait (self.further[0], 3);
  pad = gst_element_get_static_pad (call, "src_1");
  peer = gst_pad_get_peer (pad);
  gst_element_release_request_pad (call, pad);
  g_assert_null (gst_pad_get_parent (pad));
  gst_pad_send_event (peer, gst_event_new_eos ());
  gst_object_unref (peer);
  push_all (self.run, "d; e; f; g");
  run_end (self.run);
  run_finish (self.run);
  run_assert_results (self.run, "0 a; 1 b; 2 c; 3 d; 4 e; 5 f; 6 g");
  assert_collected (self.further[0], "0 a1; 1 b1; 2 c1");
  gst_object_unref (pad);
  scene_clear (&self);
}

GST_END_TEST;

static GstPadProbeReturn
block (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  return GST_PAD_PROBE_OK;
}

static gpointer
release_pad (gpointer pad)
{
  GstElement *call = gst_pad_get_parent_element (pad);

  gst_element_release_request_pad (call, pad);
  gst_object_unref (call);
  return NULL;
}

/* Its task hangs in a sink when the pad is released: what waits gives its credit
 * back. */
GST_START_TEST (test_release_while_blocked)
{
  Scene self;
  GThread *thread;
  GstPad *pad, *peer;

  scene_init (&self, RUN_IN "! " CALL "max-buffers=2 ! " RUN_OUT
      "c.src_1 ! " SINK "name=s");
  pad = gst_element_get_static_pad (run_get (self.run, "c"), "src_1");
  peer = gst_pad_get_peer (pad);
  gst_pad_add_probe (peer, GST_PAD_PROBE_TYPE_BLOCK |
      GST_PAD_PROBE_TYPE_BUFFER, block, NULL, NULL);
  run_start (self.run);
  push_all (self.run, "a; b; c; d; e");
  run_end (self.run);
  collector_wait (self.run->out, 2);
  patience_until (gst_pad_is_blocking (peer));
  thread = g_thread_new ("release", release_pad, pad);
  patience_until (GST_PAD_IS_FLUSHING (pad));
  gst_element_set_state (run_get (self.run, "s"), GST_STATE_NULL);
  g_thread_join (thread);
  gst_bin_remove (GST_BIN (self.run->pipeline), run_get (self.run, "s"));
  run_finish (self.run);
  run_assert_results (self.run, "0 a; 1 b; 2 c; 3 d; 4 e");
  gst_object_unref (peer);
  gst_object_unref (pad);
  scene_clear (&self);
}

GST_END_TEST;

GST_START_TEST (test_request_while_playing)
{
  Run *self = run_new (RUN_IN "! " CALL "! tee name=t ! " RUN_OUT);
  GstElement *sink = gst_element_factory_make ("fakesink", "late");
  Collector *late;
  GstPad *pad;

  run_start (self);
  run_push (self, "a");
  collector_wait (self->out, 1);
  g_object_set (sink, "sync", FALSE, "async", FALSE, NULL);
  gst_bin_add (GST_BIN (self->pipeline), sink);
  gst_element_sync_state_with_parent (sink);
  fail_unless (gst_element_link_pads (run_get (self, "c"), "src_1", sink,
          "sink"));
  late = collect (self, "late", "sink");
  push_all (self, "b; c");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 a; 1 b; 2 c");
  assert_collected (late, "1 b1; 2 c1");
  pad = gst_element_get_static_pad (run_get (self, "c"), "src_1");
  g_assert_nonnull (pad);
  gst_object_unref (pad);
  collector_free (late);
  run_free (self);
}

GST_END_TEST;

/* Their numbers are those of the outputs. */
GST_START_TEST (test_pad_names)
{
  GstElement *call = gst_element_factory_make (__i__ ? "orchcall" :
      "orchtestoutputs", NULL);
  static const gchar *const wrong[] = { "src_0", "src_3" };
  GstPad *pads[2];
  guint i;

  if (__i__)
    g_object_set (call, "function", "test-outputs", NULL);
  pads[1] = gst_element_request_pad_simple (call, "src_2");
  g_assert_nonnull (pads[1]);
  pads[0] = gst_element_request_pad_simple (call, __i__ ? "src_%u" : "src_1");
  g_assert_cmpstr (GST_PAD_NAME (pads[0]), ==, "src_1");
  for (i = 0; __i__ && i < G_N_ELEMENTS (wrong); i++)
    g_assert_null (gst_element_request_pad_simple (call, wrong[i]));
  gst_element_release_request_pad (call, pads[1]);
  gst_object_unref (pads[1]);
  pads[1] = gst_element_request_pad_simple (call, "src_2");
  g_assert_nonnull (pads[1]);
  gst_object_unref (pads[0]);
  gst_object_unref (pads[1]);
  gst_object_unref (call);
}

GST_END_TEST;

/* A Function that makes fewer outputs than there are pads. */
GST_START_TEST (test_no_such_output)
{
  Run *self = run_new (RUN_IN "! orchcall name=c ! " RUN_OUT "c.src_1 ! "
      SINK);

  g_object_set (run_get (self, "c"), "function", "identity", NULL);
  g_assert_cmpint (gst_element_set_state (self->pipeline, GST_STATE_PAUSED),
      ==, GST_STATE_CHANGE_FAILURE);
  g_assert_false (run_wait (self));
  g_assert_cmpstr (self->error, ==,
      "c has a pad src_1, but its Function makes 1 outputs.");
  run_free (self);
}

GST_END_TEST;

/* ---- events, flushes, states ---- */

static void
push_event (Run * self, const gchar * name)
{
  gst_element_send_event (self->in, gst_event_new_custom
      (GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty (name)));
}

/* S9.2: behind the unit it followed, on each pad. */
GST_START_TEST (test_events)
{
  const gchar *expected = "stream-start "
      "caps(text/x-raw, format=(string)utf8) segment 0 1 event(x) 2 event(y) "
      "eos";
  Scene self;

  scene_init (&self, RUN_IN "! " CALL "hold=true batch-size=2 order=input ! "
      RUN_OUT "c.src_1 ! " SINK);
  run_start (self.run);
  push_all (self.run, "a; b");
  patience_until (run_get_stat (self.run, "c", "entered") == 2);
  push_event (self.run, "x");
  run_push (self.run, "c");
  patience_until (run_get_stat (self.run, "c", "entered") == 3);
  push_event (self.run, "y");
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self.run, "c")),
      "function::hold", FALSE, NULL);
  run_end (self.run);
  run_finish (self.run);
  assert_sequence (self.run->out, expected);
  assert_sequence (self.further[0], expected);
  scene_clear (&self);
}

GST_END_TEST;

GST_START_TEST (test_flush)
{
  Scene self;
  guint i;

  scene_init (&self, RUN_IN "! " CALL "max-buffers=2 ! " RUN_OUT
      "c.src_1 ! queue max-size-buffers=1 ! " SINK);
  run_start (self.run);
  for (i = 0; i < 50; i++) {
    push_all (self.run, "a; b; c");
    gst_element_send_event (self.run->in, gst_event_new_flush_start ());
    gst_element_send_event (self.run->in, gst_event_new_flush_stop (TRUE));
  }
  gst_element_send_event (self.run->in, gst_event_new_flush_start ());
  collector_clear (self.run->out);
  collector_clear (self.further[0]);
  gst_element_send_event (self.run->in, gst_event_new_flush_stop (TRUE));
  push_all (self.run, "x; y");
  run_end (self.run);
  run_finish (self.run);
  run_assert_results (self.run, "0 x; 1 y");
  assert_collected (self.further[0], "0 x1; 1 y1");
  scene_clear (&self);
}

GST_END_TEST;

GST_START_TEST (test_reuse)
{
  Scene self;
  guint i;

  scene_init (&self, THREE);
  for (i = 0; i < 3; i++) {
    run_over (self.run, "a; ^x");
    run_assert_results (self.run, "0 a; 1 F test:x@1");
    assert_collected (self.further[0], "0 a1; 1 F test:x@1");
    assert_collected (self.further[1], "0 a2; 1 F test:x@1");
    gst_element_set_state (self.run->pipeline, i ? GST_STATE_READY :
        GST_STATE_NULL);
    collector_clear (self.run->out);
    collector_clear (self.further[0]);
    collector_clear (self.further[1]);
  }
  scene_clear (&self);
}

GST_END_TEST;

GST_START_TEST (test_state_changes_under_load)
{
  Scene self;
  guint i, j;

  scene_init (&self, THREE);
  for (i = 0; i < 20; i++) {
    run_start (self.run);
    for (j = 0; j < 20; j++)
      run_push (self.run, "a");
    g_usleep (i * 50);
    gst_element_set_state (self.run->pipeline, i % 2 ? GST_STATE_READY :
        GST_STATE_NULL);
  }
  scene_clear (&self);
}

GST_END_TEST;

static Suite *
outputs_suite (void)
{
  Suite *s = suite_create ("outputs");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_values);
  tcase_add_test (tc, test_values_of_timed_attempts);
  tcase_add_test (tc, test_streams);
  tcase_add_test (tc, test_only_a_further_output);
  tcase_add_test (tc, test_none_is_linked);
  tcase_add_test (tc, test_order_of_input);
  tcase_add_test (tc, test_s4_4);
  tcase_add_test (tc, test_d8);
  tcase_add_test (tc, test_incomplete);
  tcase_add_test (tc, test_refused);
  tcase_add_test (tc, test_caps);
  tcase_add_test (tc, test_early_commit);
  tcase_add_test (tc, test_failed_attempt);
  tcase_add_test (tc, test_barrier_behind_a_further_output);
  tcase_add_test (tc, test_times_are_those_of_the_input);
  tcase_add_test (tc, test_credit);
  tcase_add_loop_test (tc, test_end_of_one_output, 0, 2);
  tcase_add_test (tc, test_end_of_all_outputs);
  tcase_add_test (tc, test_release);
  tcase_add_test (tc, test_release_while_blocked);
  tcase_add_test (tc, test_request_while_playing);
  tcase_add_loop_test (tc, test_pad_names, 0, 2);
  tcase_add_test (tc, test_no_such_output);
  tcase_add_test (tc, test_events);
  tcase_add_test (tc, test_flush);
  tcase_add_test (tc, test_reuse);
  tcase_add_test (tc, test_state_changes_under_load);
  return s;
}

GST_CHECK_MAIN (outputs);
