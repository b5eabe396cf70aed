/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* S5.5: what a parent that cannot be present still has open is not worked on, in
 * any Call above that works for nobody else. */

#include "run.h"
#include "complaints.h"
#include "notation.h"
#include "script.h"
#include "patience.h"

#include <gst/check/gstcheck.h>
#include <string.h>

/* Children of the document that fails; orchexpand takes 64 at once. */
#define N_CHILDREN 1000
#define AT_ONCE 64

/* ---- a Function that fails some units and waits before the others ---- */

typedef struct
{
  const gchar *fails;           /* (nullable): pattern of paths */
  gboolean group;
  Gate *before;                 /* (nullable): before one fails */
  const gchar *passes;          /* (nullable): pattern of those that do not wait */
  Gate *gate;                   /* (nullable): before every other unit */
  gint n_doomed;                /* units of document 0 that reached it; atomic */
  gint n_others;
  gint n_skipped;               /* were not wanted any more behind the gate */
} Worker;

static gboolean
matches (const gchar * pattern, const gchar * path)
{
  return pattern && g_pattern_match_simple (pattern, path);
}

static void
doom (Worker * worker, GstOrchBatch * batch, guint i)
{
  GstOrchCause *cause = gst_orch_cause_new ("test", "doomed", "told to fail");

  if (worker->before)
    gate_pass (worker->before);
  if (worker->group)
    gst_orch_batch_fail_group (batch, i, cause);
  else
    gst_orch_batch_fail_record (batch, i, cause);
}

static void
work_on (Worker * worker, GstOrchBatch * batch, guint i)
{
  g_autofree gchar *path =
      gst_orch_entity_get_path (gst_orch_batch_get_entity (batch, i));

  g_atomic_int_inc (g_str_has_prefix (path, "0/") ? &worker->n_doomed
      : &worker->n_others);
  if (matches (worker->fails, path)) {
    doom (worker, batch, i);
    return;
  }
  if (worker->gate && !matches (worker->passes, path))
    gate_pass (worker->gate);
  if (gst_orch_batch_is_wanted (batch, i))
    script_present (batch, i);
  else
    g_atomic_int_inc (&worker->n_skipped);
}

static gboolean
work (GstOrchBatch * batch, guint replica, gpointer data, GError ** error)
{
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    work_on (data, batch, i);
    gst_orch_batch_commit (batch);
  }
  return TRUE;
}

static void
worker_set (guint id, Worker * worker)
{
  script_set (id, (Script) {.run = work,.data = worker});
}

/* In the Call "work". */
static void
set_script (Run * self, guint id, const Worker * worker)
{
  g_object_set (run_get (self, "work"), "function",
      worker->group ? "script-group" : "script", NULL);
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "work")),
      "function::id", id, NULL);
}

/* ---- documents ---- */

/* One that fails, and one that does not. */
static void
push_documents (Run * self)
{
  g_autofree gchar *list = notation_make_list (N_CHILDREN, "x");

  run_push (self, list);
  run_push (self, "[a,b,c]");
}

#define RESULTS "0 S test:doomed@0/0; 1 [a,b,c]"
#define EXPAND RUN_IN "! orchexpand name=e window=2 "
#define CALL(ID) "orchscript id=" #ID " max-buffers=2 "
#define END "fakesink sync=false async=false "

/* Pushes the two documents, opens the gate when the first has failed, and ends. */
static void
run_doomed (Run * self, Gate * gate)
{
  run_start (self);
  push_documents (self);
  collector_wait (self->out, 1);
  gate_open (gate);
  run_end (self);
  run_finish (self);
}

static guint64
get_pruned (Run * self)
{
  return run_get_stat (self, "e", "pruned");
}

/* All have an outcome, but most of those that were left have no value. */
static void
assert_pruned (Run * self)
{
  fail_unless_equals_uint64 (run_get_stat (self, "e", "children"),
      N_CHILDREN + 3);
  fail_unless (get_pruned (self) >= N_CHILDREN - 2 * AT_ONCE);
}

static void
assert_kept (Run * self)
{
  fail_unless_equals_uint64 (get_pruned (self), 0);
}

/* ---- one Call ---- */

static void
run_one_call (const gchar * chain, Worker * worker, const gchar * results)
{
  Gate gate;
  Run *self;

  gate_init (&gate);
  worker->gate = &gate;
  worker_set (0, worker);
  self = run_new (RUN_IN "! orchexpand name=e %s", chain);
  set_script (self, 0, worker);
  run_doomed (self, &gate);
  run_assert_results (self, results);
  assert_pruned (self);
  fail_unless_equals_int (worker->n_others, 3);
  fail_unless_equals_uint64 (run_get_stat (self, "work", "entered"),
      N_CHILDREN + 3);
  run_free (self);
  gate_clear (&gate);
}

/* The one that failed, and what was in flight then. */
static void
assert_two_at_most (const Worker * worker)
{
  fail_unless (worker->n_doomed <= 2);
  fail_unless_equals_int (worker->n_skipped, worker->n_doomed - 1);
}

#define ONE_CALL "window=2 ! orchcall name=work max-buffers=2 ! "

GST_START_TEST (test_record_failure)
{
  Worker worker = {.fails = "0/0" };

  run_one_call (ONE_CALL "orchreduce ! " RUN_OUT, &worker, RESULTS);
  assert_two_at_most (&worker);
}

GST_END_TEST;

/* A tenth failure, of ten that come first, is one too many. */
GST_START_TEST (test_max_failed)
{
  static const gchar *chains[] = {
    "interleave=none ! orchcall name=work max-buffers=2 ! "
        "orchreduce on-failed=skip max-failed=9 ! " RUN_OUT,
    "interleave=none ! orchcall name=work max-buffers=2 ! "
        "orchreduce on-failed=placeholder max-failed=0.0095 ! " RUN_OUT,
  };
  Worker worker = {.fails = "0/?" };

  run_one_call (chains[__i__], &worker,
      "0 S orch:max-failed@0; 1 [a,b,c]");
  fail_unless (worker.n_doomed == 10 || worker.n_doomed == 11);
}

GST_END_TEST;

/* Elements in between are on the way, not its end. */
GST_START_TEST (test_other_elements_between)
{
  Worker worker = {.fails = "0/0" };

  run_one_call ("window=2 ! identity ! queue max-size-buffers=1 ! "
      "bin.( orchcall name=work max-buffers=2 ! identity ) ! tee name=t "
      "t. ! queue max-size-buffers=1 ! funnel name=f ! orchreduce ! " RUN_OUT,
      &worker, RESULTS);
  assert_two_at_most (&worker);
}

GST_END_TEST;

/* Modes that keep the parent keep its children. */
GST_START_TEST (test_kept_parent)
{
  static const gchar *modes[] = { "skip", "placeholder" };
  Worker worker = {.fails = "0/0" };
  Run *self;

  worker_set (0, &worker);
  self = run_new (EXPAND "! " CALL (0) "! orchreduce on-failed=%s ! " RUN_OUT,
      modes[__i__]);
  run_start (self);
  push_documents (self);
  run_end (self);
  run_finish (self);
  fail_unless_equals_int (worker.n_doomed, N_CHILDREN);
  assert_kept (self);
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_streams)
{
  Gate gate;
  Worker worker = {.fails = "0/0",.passes = "1/*",.gate = &gate };
  Run *self;
  guint i;

  gate_init (&gate);
  worker_set (0, &worker);
  self = run_new ("orchexpand name=e ! " CALL (0) "! orchreduce ! " RUN_OUT
      "appsrc name=a format=time ! e.sink_0 "
      "appsrc name=b format=time ! e.sink_1");
  run_start (self);
  for (i = 0; i < N_CHILDREN; i++)
    run_push_to (self, "a", "x");
  run_push_to (self, "b", "y");
  run_end_of (self, "b");
  collector_wait (self->out, 1);
  run_end_of (self, "a");
  gate_open (&gate);
  run_finish (self);
  run_assert_results (self, "0 S test:doomed@0/0; 1 [y]");
  fail_unless_equals_uint64 (run_get_stat (self, "e", "children"),
      N_CHILDREN + 1);
  fail_unless (get_pruned (self) >= N_CHILDREN - 2 * AT_ONCE);
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

/* ---- further up ---- */

/* What the first Call has in work is for nobody either. */
static void
run_two_calls (Worker * second, const gchar * mode)
{
  Gate gate;
  Worker first = {.passes = "0/0",.gate = &gate };
  Run *self;

  gate_init (&gate);
  worker_set (0, &first);
  worker_set (1, second);
  self = run_new (EXPAND "! " CALL (0) "! orchcall name=work ! "
      "orchreduce on-failed=%s ! " RUN_OUT, mode);
  set_script (self, 1, second);
  run_doomed (self, &gate);
  run_assert_results (self, RESULTS);
  assert_pruned (self);
  assert_two_at_most (&first);
  fail_unless_equals_int (second->n_doomed, 1);
  fail_unless_equals_int (second->n_others, 3);
  run_free (self);
  gate_clear (&gate);
}

GST_START_TEST (test_two_calls)
{
  Worker second = {.fails = "0/0" };

  run_two_calls (&second, "suppress-parent");
}

GST_END_TEST;

/* It ends the parent in every mode. */
GST_START_TEST (test_two_calls_group_failure)
{
  static const gchar *modes[] = { "suppress-parent", "skip", "placeholder" };
  Worker second = {.fails = "0/0",.group = TRUE };

  run_two_calls (&second, modes[__i__]);
}

GST_END_TEST;

/* The line of page 0/0 fails: neither the lines of page 0/1 are worked on, nor the
 * pages behind. */
static void
run_two_levels (Worker * lines, const gchar * mode)
{
  Gate gate, before;
  Worker pages = {.n_doomed = 0 };
  g_autofree gchar *page = notation_make_list (N_CHILDREN, "x");
  g_autofree gchar *more = notation_make_list (N_CHILDREN, "[z]");
  g_autofree gchar *document = g_strdup_printf ("[[y],%s,%s", page, more + 1);
  Run *self;

  gate_init (&gate);
  gate_init (&before);
  lines->gate = &gate;
  lines->before = &before;
  worker_set (0, &pages);
  worker_set (1, lines);
  self = run_new (RUN_IN "! orchexpand name=e interleave=none ! " CALL (0) "! "
      "orchexpand name=inner window=2 ! orchcall name=work max-buffers=2 ! "
      "orchreduce on-failed=%s ! orchreduce ! " RUN_OUT, mode);
  set_script (self, 1, lines);
  run_start (self);
  run_push (self, document);
  run_push (self, "[[a],[b,c]]");
  patience_until (run_get_stat (self, "inner", "parents") >= 2);
  gate_open (&before);
  collector_wait (self->out, 1);
  gate_open (&gate);
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 S test:doomed@0/0/0; 1 [[a],[b,c]]");
  assert_two_at_most (lines);
  fail_unless_equals_int (lines->n_others, 3);
  fail_unless (run_get_stat (self, "inner", "pruned") >=
      N_CHILDREN - 2 * AT_ONCE);
  fail_unless (pages.n_doomed <= 8);
  fail_unless (get_pruned (self) >= N_CHILDREN - 2 * AT_ONCE);
  run_free (self);
  gate_clear (&gate);
  gate_clear (&before);
}

GST_START_TEST (test_two_levels)
{
  Worker lines = {.fails = "0/0/0" };

  run_two_levels (&lines, "suppress-parent");
}

GST_END_TEST;

/* What the outer parent does not need is not kept for the inner one's mode. */
GST_START_TEST (test_two_levels_inner_mode)
{
  static const gchar *modes[] = { "skip", "placeholder" };
  Worker lines = {.fails = "0/0/0",.group = TRUE };

  run_two_levels (&lines, modes[__i__]);
}

GST_END_TEST;

/* ---- what somebody else still wants ---- */

#define TWO_BRANCHES EXPAND "! tee name=t " \
    "t. ! queue max-size-buffers=1 ! " CALL (0) "! orchreduce ! " RUN_OUT \
    "t. ! queue max-size-buffers=1 ! "

/* The other branch keeps the parent: it gets all, this one works on none. */
GST_START_TEST (test_other_branch_keeps)
{
  Gate gate;
  Worker doomed = {.fails = "0/0",.gate = &gate };
  Worker keeping = {.fails = "0/0" };
  Run *self;

  gate_init (&gate);
  worker_set (0, &doomed);
  worker_set (1, &keeping);
  self = run_new (TWO_BRANCHES CALL (1) "! orchreduce on-failed=skip ! " END);
  run_doomed (self, &gate);
  run_assert_results (self, RESULTS);
  assert_kept (self);
  assert_two_at_most (&doomed);
  fail_unless_equals_int (keeping.n_doomed, N_CHILDREN);
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

static void
count_buffer (GstElement * sink, GstBuffer * buffer, GstPad * pad, gint * n)
{
  g_atomic_int_inc (n);
}

/* An application may want what ends in a sink of another kind. */
GST_START_TEST (test_other_branch_ends_outside)
{
  Gate gate;
  Worker worker = {.fails = "0/0",.gate = &gate };
  gint n_buffers = 0;
  Run *self;

  gate_init (&gate);
  worker_set (0, &worker);
  self = run_new (TWO_BRANCHES "fakesink name=other signal-handoffs=true "
      "sync=false async=false");
  g_signal_connect (run_get (self, "other"), "handoff",
      G_CALLBACK (count_buffer), &n_buffers);
  run_doomed (self, &gate);
  run_assert_results (self, RESULTS);
  assert_kept (self);
  assert_two_at_most (&worker);
  fail_unless_equals_int (n_buffers, N_CHILDREN + 3);
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

/* The same behind the Call, whose work is then wanted. */
GST_START_TEST (test_branch_behind_call_ends_outside)
{
  Worker worker = {.fails = "0/0" };
  Run *self;

  worker_set (0, &worker);
  self = run_new (EXPAND "! " CALL (0) "! tee name=t "
      "t. ! queue ! orchreduce ! " RUN_OUT "t. ! queue ! " END);
  run_start (self);
  push_documents (self);
  run_end (self);
  run_finish (self);
  run_assert_results (self, RESULTS);
  assert_kept (self);
  fail_unless_equals_int (worker.n_doomed, N_CHILDREN);
  run_free (self);
}

GST_END_TEST;

static GstPadProbeReturn
let_pass (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  return GST_PAD_PROBE_OK;
}

/* So it may what a probe sees. */
GST_START_TEST (test_probe)
{
  Worker worker = {.fails = "0/0" };
  GstPad *pad;
  Run *self;

  worker_set (0, &worker);
  self = run_new (EXPAND "! " CALL (0) "! identity name=i ! orchreduce ! "
      RUN_OUT);
  pad = gst_element_get_static_pad (run_get (self, "i"), __i__ ? "sink" :
      "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, let_pass, NULL, NULL);
  gst_object_unref (pad);
  run_start (self);
  push_documents (self);
  run_end (self);
  run_finish (self);
  run_assert_results (self, RESULTS);
  assert_kept (self);
  fail_unless_equals_int (worker.n_doomed, N_CHILDREN);
  run_free (self);
}

GST_END_TEST;

/* Nothing is pruned above the tee until both branches have said so. */
GST_START_TEST (test_both_branches)
{
  Gate gate, before;
  Worker first = {.fails = "0/0",.gate = &gate };
  Worker second = {.fails = "0/0",.before = &before,.gate = &gate };
  Collector *other;
  GstPad *pad;
  Run *self;

  gate_init (&gate);
  gate_init (&before);
  worker_set (0, &first);
  worker_set (1, &second);
  self = run_new (TWO_BRANCHES CALL (1) "! orchreduce ! fakesink name=other "
      "sync=false async=false");
  pad = gst_element_get_static_pad (run_get (self, "other"), "sink");
  other = collector_new (pad);
  gst_object_unref (pad);
  run_start (self);
  push_documents (self);
  collector_wait (self->out, 1);
  assert_kept (self);
  gate_open (&before);
  collector_wait (other, 1);
  gate_open (&gate);
  run_end (self);
  run_finish (self);
  run_assert_results (self, RESULTS);
  assert_pruned (self);
  assert_two_at_most (&first);
  assert_two_at_most (&second);
  collector_free (other);
  run_free (self);
  gate_clear (&gate);
  gate_clear (&before);
}

GST_END_TEST;

static void
add_branch (Run * self, const gchar * description)
{
  GError *error = NULL;
  GstElement *branch = gst_parse_bin_from_description (description, TRUE,
      &error);

  g_assert_no_error (error);
  gst_bin_add (GST_BIN (self->pipeline), branch);
  gst_element_sync_state_with_parent (branch);
  fail_unless (gst_element_link (run_get (self, "t"), branch));
}

/* A branch that came while the pipeline ran counts, be it that no buffer has
 * reached it yet. */
GST_START_TEST (test_late_branch)
{
  Gate gate, before;
  Worker doomed = {.fails = "0/0",.before = &before,.gate = &gate };
  Worker keeping = {.fails = NULL };
  Run *self;

  gate_init (&gate);
  gate_init (&before);
  worker_set (0, &doomed);
  worker_set (1, &keeping);
  self = run_new (EXPAND "! tee name=t "
      "t. ! queue max-size-buffers=1 ! " CALL (0) "! orchreduce ! " RUN_OUT);
  run_start (self);
  push_documents (self);
  gate_await_waiting (&before, 1);
  add_branch (self, "queue ! " CALL (1) "! orchreduce on-failed=skip ! " END);
  gate_open (&before);
  collector_wait (self->out, 1);
  gate_open (&gate);
  run_end (self);
  run_finish (self);
  run_assert_results (self, RESULTS);
  assert_kept (self);
  assert_two_at_most (&doomed);
  fail_unless (keeping.n_doomed >= N_CHILDREN - AT_ONCE);
  run_free (self);
  gate_clear (&gate);
  gate_clear (&before);
}

GST_END_TEST;

/* ---- epochs ---- */

GST_START_TEST (test_flush)
{
  Gate gate;
  Worker worker = {.fails = "0/0",.gate = &gate };
  Run *self;

  gate_init (&gate);
  worker_set (0, &worker);
  self = run_new (EXPAND "! " CALL (0) "name=work ! orchreduce ! " RUN_OUT);
  run_start (self);
  push_documents (self);
  collector_wait (self->out, 1);
  gate_await_waiting (&gate, 1);
  gst_element_send_event (self->in, gst_event_new_flush_start ());
  gst_element_send_event (self->in, gst_event_new_flush_stop (TRUE));
  worker.fails = NULL;
  gate_open (&gate);
  collector_clear (self->out);
  run_push (self, "[d,e]");
  run_push (self, "[f]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [d,e]; 1 [f]");
  fail_unless (run_get_stat (self, "work", "present") >= 3);
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

GST_START_TEST (test_again)
{
  Worker worker = {.fails = "0/0" };
  Run *self;
  guint i;

  worker_set (0, &worker);
  self = run_new (EXPAND "! " CALL (0) "! orchreduce ! " RUN_OUT);
  for (i = 0; i < 3; i++) {
    Gate gate;

    gate_init (&gate);
    worker.gate = &gate;
    worker.n_doomed = worker.n_skipped = 0;
    run_doomed (self, &gate);
    run_assert_results (self, RESULTS);
    assert_pruned (self);
    assert_two_at_most (&worker);
    gst_element_set_state (self->pipeline, i ? GST_STATE_NULL :
        GST_STATE_READY);
    collector_clear (self->out);
    gate_clear (&gate);
  }
  run_free (self);
}

GST_END_TEST;

static void
add_cases (TCase * tc)
{
  tcase_add_test (tc, test_record_failure);
  tcase_add_loop_test (tc, test_max_failed, 0, 2);
  tcase_add_test (tc, test_other_elements_between);
  tcase_add_loop_test (tc, test_kept_parent, 0, 2);
  tcase_add_test (tc, test_streams);
  tcase_add_test (tc, test_two_calls);
  tcase_add_loop_test (tc, test_two_calls_group_failure, 0, 3);
  tcase_add_test (tc, test_two_levels);
  tcase_add_loop_test (tc, test_two_levels_inner_mode, 0, 2);
}

static Suite *
pruning_suite (void)
{
  Suite *s = suite_create ("pruning");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (s, tc);
  add_cases (tc);
  tcase_add_test (tc, test_other_branch_keeps);
  tcase_add_test (tc, test_other_branch_ends_outside);
  tcase_add_test (tc, test_branch_behind_call_ends_outside);
  tcase_add_loop_test (tc, test_probe, 0, 2);
  tcase_add_test (tc, test_both_branches);
  tcase_add_test (tc, test_late_branch);
  tcase_add_test (tc, test_flush);
  tcase_add_test (tc, test_again);
  return s;
}

GST_CHECK_MAIN (pruning);
