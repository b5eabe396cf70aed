/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Nothing of a pipeline is left behind. */

#include "loaded.h"
#include "run.h"
#include "leaks.h"
#include "patience.h"
#include "script.h"
#include "threads.h"

static void
push_n (Run * self, guint n)
{
  while (n--)
    run_push (self, LOADED_VALUE);
}

static void
run_plain (void)
{
  Run *self = run_new (RUN_IN "! " LOADED " ! " RUN_OUT);

  run_start (self);
  push_n (self, 10);
  run_end (self);
  run_finish (self);
  run_free (self);
}

static void
run_stopped (void)
{
  Run *self = run_new (RUN_IN "! " LOADED " ! " RUN_OUT);
  guint i;

  for (i = 0; i < 20; i++) {
    run_start (self);
    push_n (self, 10);
    g_usleep (i * 100);
    gst_element_set_state (self->pipeline, i % 2 ? GST_STATE_READY :
        GST_STATE_NULL);
  }
  run_free (self);
}

static void
run_flushed (void)
{
  Run *self = run_new (RUN_IN "! " LOADED " ! orchtestwork order=input "
      "sleep=100 ! " RUN_OUT);
  guint i;

  run_start (self);
  for (i = 0; i < 20; i++) {
    push_n (self, 10);
    g_usleep (i * 100);
    gst_element_send_event (self->in, gst_event_new_flush_start ());
    gst_element_send_event (self->in, gst_event_new_flush_stop (TRUE));
  }
  run_end (self);
  run_finish (self);
  run_free (self);
}

static void
run_streams (void)
{
  Run *self = run_new ("orchexpand name=e ! orchidentity ! "
      "orchreduce on-failed=skip ! " RUN_OUT
      "appsrc name=a format=time ! e.sink_0 appsrc name=b format=time ! "
      "e.sink_1");
  GstElement *e = run_get (self, "e");
  GstPad *pad = gst_element_get_static_pad (e, "sink_0");
  guint i;

  run_start (self);
  for (i = 0; i < 50; i++) {
    run_push_to (self, "a", "x");
    run_push_to (self, "b", "y");
  }
  patience_until (run_get_stat (self, "e", "children") > 10);
  gst_element_release_request_pad (e, pad);
  gst_object_unref (pad);
  run_end_of (self, "b");
  patience_until (collector_get_n_results (self->out) == 2);
  run_free (self);
}

/* One is released, one is flushed, and one in groups ends as it should. */
static void
run_demuxed (void)
{
  Run *self = run_new ("orchexpand name=e group-by=count group-count=3 ! "
      "orchidentity batch-size=2 ! orchdemux name=d "
      "appsrc name=a format=time ! e.sink_0 appsrc name=b format=time ! "
      "e.sink_1 appsrc name=in format=time ! e.sink_2 d.src_2 ! " RUN_OUT);
  GstElement *e = run_get (self, "e");
  GstPad *pad = gst_element_get_static_pad (e, "sink_0");
  guint i;

  run_start (self);
  for (i = 0; i < 50; i++) {
    run_push_to (self, "a", "x");
    run_push_to (self, "b", "y");
    run_push (self, "z");
  }
  gst_element_release_request_pad (e, pad);
  gst_object_unref (pad);
  gst_element_send_event (run_get (self, "b"), gst_event_new_flush_start ());
  gst_element_send_event (run_get (self, "b"),
      gst_event_new_flush_stop (TRUE));
  run_end (self);
  collector_wait_eos (self->out);
  run_free (self);
}

/* Facts for a subscriber that never comes, and losses. */
static void
run_branches (void)
{
  Run *self = run_new (RUN_IN "! orchexpand ! tee name=t "
      "t. ! queue ! orchtestwork record=*/1 ! "
      "fakesink sync=false async=false "
      "t. ! queue ! valve drop=true drop-mode=forward-sticky-events ! "
      "orchreduce ! " RUN_OUT);

  run_start (self);
  run_push (self, "[a,b,!x,~]");
  run_push (self, "[]");
  run_end (self);
  run_finish (self);
  run_free (self);
}

static GstPadProbeReturn
return_eos (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_EOS;
  return GST_PAD_PROBE_HANDLED;
}

static void
run_ended (void)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchidentity name=i ! "
      "orchreduce ! " RUN_OUT);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "i"), "src");
  guint i;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, return_eos, NULL, NULL);
  gst_object_unref (pad);
  run_start (self);
  for (i = 0; i < 50; i++)
    run_push (self, "[a,b]");
  run_end (self);
  run_finish (self);
  run_free (self);
}

static void
run_aborted (void)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchtestwork recovery=abort "
      "batch-size=2 error=*/1 ! orchreduce ! "
      RUN_OUT);

  run_start (self);
  run_push (self, "[a,b,c,d]");
  run_end (self);
  g_assert_false (run_wait (self));
  run_free (self);
}

static void
run_groups (void)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchtestwork replicas=3 "
      "batch-size=2 group=*/1 ! "
      "orchreduce on-failed=skip ! " RUN_OUT);
  guint i;

  run_start (self);
  for (i = 0; i < 20; i++)
    run_push (self, "[a,b,c,d]");
  run_end (self);
  run_finish (self);
  run_free (self);
}

/* Values that nobody takes, failures of one output, and a pad that goes. */
static void
run_outputs (void)
{
  Run *self = run_new (RUN_IN "! orchtestoutputs name=c replicas=2 "
      "order=input ! tee name=t ! " RUN_OUT
      "c.src_1 ! fakesink sync=false async=false");
  GstElement *c = run_get (self, "c");
  GstPad *pad = gst_element_get_static_pad (c, "src_1");
  guint i;

  run_start (self);
  for (i = 0; i < 50; i++)
    run_push (self, i % 3 ? "a|b|c" : "a|^b|c");
  patience_until (run_get_stat (self, "c", "present") > 10);
  gst_element_send_event (self->in, gst_event_new_flush_start ());
  gst_element_send_event (self->in, gst_event_new_flush_stop (TRUE));
  for (i = 0; i < 50; i++)
    run_push (self, i % 3 ? "a|b|c" : "a|~|c");
  patience_until (run_get_stat (self, "c", "failed") > 0);
  gst_element_release_request_pad (c, pad);
  gst_object_unref (pad);
  run_free (self);
}

/* Failures with much behind them, to the end and not. */
static void
run_pruned (void)
{
  Run *self = run_new (RUN_IN "! orchexpand name=e window=2 ! "
      "orchtestwork max-buffers=2 record=*/0 ! orchexpand ! orchtestwork "
      "max-buffers=2 sleep=100 ! orchreduce ! orchreduce ! " RUN_OUT);
  guint i, round;

  for (round = 0; round < 2; round++) {
    run_start (self);
    for (i = 0; i < 20; i++)
      run_push (self, "[a,[b],[c],[d],[e],[f],[g],[h],[i],[j],[k],[l],[m]]");
    if (round == 0) {
      run_end (self);
      run_finish (self);
    }
    patience_until (run_get_stat (self, "e", "parents") > 2);
    gst_element_set_state (self->pipeline, GST_STATE_READY);
  }
  run_free (self);
}

static gboolean
hang_at_first (GstOrchBatch * batch, guint replica, gpointer gate,
    GError ** error)
{
  if (gst_orch_batch_get_generation (batch, 0) == 0)
    gate_pass (gate);
  script_present_all (batch);
  return TRUE;
}

/* The thread outlives the pipeline. */
static void
run_overrun (void)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchcall name=work "
      "function=script batch-size=2 attempt-timeout=1000000 ! orchreduce ! "
      RUN_OUT);
  Gate gate;

  gate_init (&gate);
  script_set (0, (Script) {.run = hang_at_first,.data = &gate});
  run_start (self);
  run_push (self, "[a,b]");
  run_end (self);
  run_finish (self);
  run_free (self);
  gate_open (&gate);
  patience_until (!threads_have ("work:0"));
  gate_clear (&gate);
}

static gboolean
drop_behind_gate (GstOrchBatch * batch, guint replica, gpointer gate,
    GError ** error)
{
  guint i;

  gate_pass (gate);
  for (i = 0; i < gst_orch_batch_get_size (batch); i++)
    gst_orch_batch_drop (batch, i);
  return TRUE;
}

/* Parents wait for a Call that may still fail their group; the second time they are
 * stopped. */
static void
run_held (void)
{
  guint stopped;

  for (stopped = 0; stopped < 2; stopped++) {
    Run *self = run_new ("funnel name=f ! orchreduce ! " RUN_OUT
        RUN_IN "! orchexpand ! tee name=t ! queue ! orchidentity name=i ! f. "
        "t. ! queue ! orchcall function=script-group ! f.");
    Gate gate;

    gate_init (&gate);
    script_set (0, (Script) {.run = drop_behind_gate,.data = &gate});
    run_start (self);
    run_push (self, "[a,b]");
    run_end (self);
    patience_until (run_get_stat (self, "i", "present") == 2);
    gate_open (&gate);
    if (!stopped)
      run_finish (self);
    run_free (self);
    gate_clear (&gate);
  }
}

/* Plans of what cannot start, and of what is linked while it runs. */
static void
run_planned (void)
{
  Run *wrong = run_new (RUN_IN "! orchidentity name=c ! orchreduce ! " RUN_OUT);
  Run *late = run_new (RUN_IN "! orchidentity name=a orchidentity name=b ! "
      "orchexpand ! gdppay ! orchreduce ! orchreduce name=r ! " RUN_OUT);
  GstOrchPlan *plan = gst_orch_plan_new (wrong->pipeline);

  g_free (gst_orch_plan_to_text (plan));
  g_free (gst_orch_plan_to_json (plan));
  g_free (gst_orch_plan_to_dot (plan));
  gst_orch_plan_unref (plan);
  gst_element_set_state (wrong->pipeline, GST_STATE_PLAYING);
  g_assert_false (run_wait (wrong));
  run_free (wrong);

  run_start (late);
  g_assert_true (gst_element_link (run_get (late, "a"), run_get (late, "b")));
  run_push (late, "[a]");
  g_assert_false (run_wait (late));
  run_free (late);
}

/* Rows that are never complete, lists that do not fit, pads that go, flushes. */
static void
run_aligned (void)
{
  Run *self = run_new (RUN_IN "! orchtestoutputs name=c lists=true ! "
      "orchexpand name=e c.src_1 ! queue ! e.aligned_1 c.src_2 ! e.aligned_2 "
      "orchreduce name=r on-failed=skip order=input e.src ! r.sink "
      "e.src_1 ! orchtestwork record=*/1 ! r.sink_1 "
      "e.src_2 ! queue ! r.members r.src ! " RUN_OUT
      "r.src_1 ! fakesink sync=false async=false");
  GstElement *r = run_get (self, "r"), *e = run_get (self, "e");
  GstPad *pad;
  guint i;

  run_start (self);
  for (i = 0; i < 30; i++)
    run_push (self, i % 3 ? "abc" : i % 2 ? "ab|a" : "^x");
  gst_element_send_event (self->in, gst_event_new_flush_start ());
  gst_element_send_event (self->in, gst_event_new_flush_stop (TRUE));
  for (i = 0; i < 30; i++)
    run_push (self, i % 3 ? "abc" : i % 2 ? "ab|a" : "^x");
  patience_until (run_get_stat (self, "r", "present") > 3);
  pad = gst_element_get_static_pad (r, "sink_1");
  gst_element_release_request_pad (r, pad);
  gst_object_unref (pad);
  pad = gst_element_get_static_pad (e, "aligned_1");
  gst_element_release_request_pad (e, pad);
  gst_object_unref (pad);
  run_free (self);
}

#define MEETING "orchjoin name=j ! orchfilter name=f ! orchreduce " \
    "on-failed=placeholder ! " RUN_OUT RUN_IN "! orchidentity ! tee name=t " \
    "t. ! queue ! orchexpand ! tee name=p p. ! queue ! orchtestwork " \
    "record=*/1 replicas=2 ! j.sink_0 p. ! queue ! orchtestwork drop=*/2 ! " \
    "j.sink_1 t. ! queue ! orchtestwork drop=3 record=4 ! j.sink_2 " \
    "p. ! queue ! orchtestwork drop=*/3 ! f.mask"

static Run *
new_meeting (void)
{
  Run *self = run_new (MEETING);

  g_object_set (run_get (self, "f"), "predicate", "has value", NULL);
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "j")),
      "sink_1::optional", TRUE, "sink_0::label", "left", NULL);
  return self;
}

static void
push_pages (Run * self, guint n)
{
  while (n--)
    run_push (self, "[a,b,c,d,!x,~,[e]]");
}

/* Branches that meet: to the end, flushed, and broken off. */
static void
run_meeting (void)
{
  Run *self = new_meeting ();
  guint i;

  run_start (self);
  push_pages (self, 10);
  run_end (self);
  run_finish (self);
  for (i = 0; i < 20; i++) {
    gst_element_set_state (self->pipeline, i % 2 ? GST_STATE_READY :
        GST_STATE_NULL);
    run_start (self);
    push_pages (self, 10);
    g_usleep (i * 100);
    gst_element_send_event (self->in, gst_event_new_flush_start ());
    gst_element_send_event (self->in, gst_event_new_flush_stop (TRUE));
    push_pages (self, 10);
    g_usleep (i * 100);
  }
  run_end (self);
  run_finish (self);
  run_free (self);
}

static void
use_functions (void)
{
  GstElement *call = gst_element_factory_make ("orchcall", NULL);
  g_auto (GStrv) names = gst_orch_function_list_names ();
  guint i;

  for (i = 0; names[i]; i++)
    g_object_set (call, "function", names[i], NULL);
  gst_object_unref (call);
}

static void
use_lists (void)
{
  GstOrchList *list = gst_orch_list_new ();
  GstBuffer *source = gst_buffer_new ();
  GstCaps *caps = gst_caps_new_empty_simple ("text/x-raw");

  gst_orch_list_append (list, gst_orch_ref_buffer_new (source,
          gst_structure_new_empty ("page")), caps, gst_structure_new_empty
      ("info"));
  gst_orch_list_append_failed (list, gst_orch_cause_new ("a", "b", "c"),
      gst_structure_new_empty ("info"));
  gst_buffer_unref (gst_buffer_copy_deep (source));
  gst_buffer_unref (source);
  gst_caps_unref (caps);
  gst_buffer_unref (gst_orch_list_buffer_new (list));
}

/* Both sides of a worker; what dies there leaves nothing here. */
static void
run_workers (void)
{
  Run *self = run_new (RUN_IN "! " LOADED_IN_WORKERS " ! " RUN_OUT);
  guint i;

  for (i = 0; i < 3; i++) {
    run_start (self);
    push_n (self, 5);
    gst_element_set_state (self->pipeline, GST_STATE_READY);
  }
  run_start (self);
  push_n (self, 5);
  run_end (self);
  run_finish (self);
  run_free (self);

  self = run_new (RUN_IN "! orchexpand ! orchtesthostile workers=process "
      "batch-size=3 rules=0/1:segv ! orchreduce on-failed=skip ! " RUN_OUT);
  run_start (self);
  run_push (self, "[a,b,c]");
  run_end (self);
  run_finish (self);
  run_free (self);
}

typedef struct
{
  const gchar *name;
  void (*run) (void);
} Scene;

static const Scene scenes[] = {
  {"plain", run_plain},
  {"stopped", run_stopped},
  {"flushed", run_flushed},
  {"streams", run_streams},
  {"demuxed", run_demuxed},
  {"branches", run_branches},
  {"ended", run_ended},
  {"aborted", run_aborted},
  {"groups", run_groups},
  {"meeting", run_meeting},
  {"pruned", run_pruned},
  {"outputs", run_outputs},
  {"overrun", run_overrun},
  {"held", run_held},
  {"planned", run_planned},
  {"aligned", run_aligned},
  {"workers", run_workers},
  {"functions", use_functions},
  {"lists", use_lists},
};

/* The tracer itself is there, and sees what is left. */
static void
leave_something (void)
{
  g_assert_nonnull (gst_element_factory_make ("orchreduce", NULL));
}

int
main (int argc, char **argv)
{
  guint i;

  if (leaks_init (&argc, &argv))
    script_init ();
  leaks_add_leaking ("tracer", leave_something);
  for (i = 0; i < G_N_ELEMENTS (scenes); i++)
    leaks_add (scenes[i].name, scenes[i].run);
  return g_test_run ();
}
