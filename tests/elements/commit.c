/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* D1 - D3, D5, D7, D10: dispatch, commits and barriers through real elements. */

#include "run.h"
#include "complaints.h"
#include "script.h"
#include "notation.h"
#include "patience.h"

#include <gst/check/gstcheck.h>

/* ---- D1: nothing waits for documents that come later ---- */

typedef struct
{
  Gate first_page;              /* a page of document 0 is worked on */
} Overlap;

/* Document 1 takes until a page of document 0 is worked on. */
static gboolean
open_document (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  Overlap *overlap = data;
  GstCaps *caps;
  GstBuffer *buffer = notation_parse ("[a,b]", &caps);

  fail_unless_equals_int (gst_orch_batch_get_size (batch), 1);
  if (gst_orch_entity_get_ordinal (gst_orch_batch_get_entity (batch, 0)) == 1)
    gate_pass (&overlap->first_page);
  gst_orch_batch_present (batch, 0, buffer, caps);
  gst_caps_unref (caps);
  return TRUE;
}

static gboolean
work_on_page (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  Overlap *overlap = data;

  gate_open (&overlap->first_page);
  script_present_all (batch);
  return TRUE;
}

GST_START_TEST (test_d1)
{
  Overlap overlap;
  Run *self;

  gate_init (&overlap.first_page);
  script_set (0, (Script) {.run = open_document,.data = &overlap});
  script_set (1, (Script) {.run = work_on_page,.data = &overlap});
  self = run_new (RUN_IN "! orchcall function=script ! orchexpand ! "
      "orchscript id=1 batch-size=8 ! orchreduce ! "
      RUN_OUT);
  run_start (self);
  run_push (self, "x");
  run_push (self, "y");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [a,b]; 1 [a,b]");
  run_free (self);
  gate_clear (&overlap.first_page);
}

GST_END_TEST;

/* A document that is done leaves while another is still worked on. */
static gboolean
hold_second (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  Overlap *overlap = data;
  GstOrchEntity *page = gst_orch_batch_get_entity (batch, 0);

  if (gst_orch_entity_get_ordinal (gst_orch_entity_get_parent (page)) == 1)
    gate_pass (&overlap->first_page);
  script_present_all (batch);
  return TRUE;
}

GST_START_TEST (test_d1_leaves_when_done)
{
  Overlap overlap;
  Run *self;

  gate_init (&overlap.first_page);
  script_set (0, (Script) {.run = hold_second,.data = &overlap});
  self = run_new (RUN_IN "! orchexpand interleave=none ! "
      "orchcall function=script ! orchreduce ! " RUN_OUT);
  run_start (self);
  run_push (self, "[a,b]");
  run_push (self, "[c]");
  collector_wait (self->out, 1);
  run_assert_results (self, "0 [a,b]");
  gate_open (&overlap.first_page);
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [a,b]; 1 [c]");
  run_free (self);
  gate_clear (&overlap.first_page);
}

GST_END_TEST;

/* ---- D2, D3: a group failure in one attempt while another one runs ---- */

typedef struct
{
  Gate second_set_up;           /* the second replica may begin */
  Gate late;                    /* p0 may end */
} TwoAttempts;

static gboolean
hold_second_replica (guint replica, gpointer data, GError ** error)
{
  TwoAttempts *two = data;

  if (replica == 1)
    gate_pass (&two->second_set_up);
  return TRUE;
}

/* [p0], and [p1,p2] whose reports are p2's success and p1's group failure, in
 * that order. */
static gboolean
run_one_of_two (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  TwoAttempts *two = data;

  if (gst_orch_batch_get_size (batch) == 1) {
    gate_pass (&two->late);
    script_present (batch, 0);
    return TRUE;
  }
  script_present (batch, 1);
  gst_orch_batch_fail_group (batch, 0, gst_orch_cause_new ("test", "group",
          "told to fail the group"));
  return TRUE;
}

static Run *
start_two_attempts (TwoAttempts * two)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchcall name=work "
      "batch-size=1 replicas=2 function=script-group ! "
      "orchreduce on-failed=skip ! " RUN_OUT);

  gate_init (&two->second_set_up);
  gate_init (&two->late);
  script_set (0, (Script) {.setup = hold_second_replica,.run = run_one_of_two,
          .data = two});
  run_start (self);
  run_push (self, "[p0,p1,p2]");
  gate_await_waiting (&two->late, 1);
  patience_until (run_get_stat (self, "work", "entered") == 3);
  g_object_set (run_get (self, "work"), "batch-size", 2, NULL);
  return self;
}

static void
finish_two_attempts (TwoAttempts * two, Run * self, Collector * pages,
    const gchar * results)
{
  g_autofree gchar *text = NULL;

  run_end (self);
  run_finish (self);
  text = collector_get_results (pages);
  g_assert_cmpstr (text, ==, results);
  run_assert_results (self, "0 S test:group@0/1");
  collector_free (pages);
  run_free (self);
  gate_clear (&two->second_set_up);
  gate_clear (&two->late);
}

static Collector *
collect_pages (Run * self)
{
  GstPad *pad = gst_element_get_static_pad (run_get (self, "work"), "src");
  Collector *pages = collector_new (pad);

  gst_object_unref (pad);
  return pages;
}

/* The success of the first attempt comes late. */
GST_START_TEST (test_d2)
{
  TwoAttempts two;
  Run *self = start_two_attempts (&two);
  Collector *pages = collect_pages (self);

  gate_open (&two.second_set_up);
  patience_until (run_get_stat (self, "work", "suppressed") == 1);
  gate_open (&two.late);
  finish_two_attempts (&two, self, pages, "0/0 S test:group@0/1; "
      "0/1 F test:group@0/1; 0/2 S test:group@0/1");
}

GST_END_TEST;

/* It was committed before: it stays, and the document is suppressed all the
 * same. */
GST_START_TEST (test_d3)
{
  TwoAttempts two;
  Run *self = start_two_attempts (&two);
  Collector *pages = collect_pages (self);

  /* The first replica goes on with the other two. */
  gate_open (&two.late);
  patience_until (run_get_stat (self, "work", "suppressed") == 1);
  gate_open (&two.second_set_up);
  finish_two_attempts (&two, self, pages, "0/0 p0; "
      "0/1 F test:group@0/1; 0/2 S test:group@0/1");
}

GST_END_TEST;

/* ---- D5: a report from before a flush is refused ---- */

typedef struct
{
  Gate flushed;
  gint n_runs;                  /* atomic */
} Epochs;

static void
present_text (GstOrchBatch * batch, guint i, const gchar * text)
{
  GstCaps *caps;
  GstBuffer *buffer = notation_parse (text, &caps);

  gst_orch_batch_present (batch, i, buffer, caps);
  gst_caps_unref (caps);
}

static gboolean
report_late (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  Epochs *epochs = data;

  fail_unless_equals_int (gst_orch_batch_get_generation (batch, 0), 0);
  if (g_atomic_int_add (&epochs->n_runs, 1) > 0) {
    present_text (batch, 0, "new");
    return TRUE;
  }
  fail_if (gst_orch_batch_is_cancelled (batch));
  gate_pass (&epochs->flushed);
  fail_unless (gst_orch_batch_is_cancelled (batch));
  fail_if (gst_orch_batch_is_wanted (batch, 0));
  present_text (batch, 0, "old");
  return TRUE;
}

static void
flush (Run * self)
{
  fail_unless (gst_element_send_event (self->in, gst_event_new_flush_start ()));
  fail_unless (gst_element_send_event (self->in,
          gst_event_new_flush_stop (TRUE)));
}

GST_START_TEST (test_d5_epoch)
{
  Epochs epochs = {.n_runs = 0 };
  Run *self;

  gate_init (&epochs.flushed);
  script_set (0, (Script) {.run = report_late,.data = &epochs});
  self = run_new (RUN_IN "! orchexpand ! orchcall name=work replicas=2 "
      "function=script ! orchreduce ! " RUN_OUT);
  run_start (self);
  run_push (self, "[a]");
  gate_await_waiting (&epochs.flushed, 1);
  flush (self);
  run_push (self, "[a]");
  collector_wait (self->out, 1);
  gate_open (&epochs.flushed);
  patience_until (run_get_stat (self, "work", "refused") == 1);
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [new]");
  fail_unless_equals_uint64 (run_get_stat (self, "work", "forgotten"), 1);
  run_free (self);
  gate_clear (&epochs.flushed);
}

GST_END_TEST;

/* A Grain that is retried reports as its own generation, and only that one. */
static gboolean
fail_first_generation (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    g_autofree gchar *text = g_strdup_printf ("g%u",
        gst_orch_batch_get_generation (batch, i));

    present_text (batch, i, text);
  }
  if (gst_orch_batch_get_generation (batch, 0) == 0)
    return script_fail (error);
  return TRUE;
}

GST_START_TEST (test_d5_generation)
{
  script_set (0, (Script) {.run = fail_first_generation});
  assert_results ("orchexpand ! orchcall function=script ! orchreduce",
      "[a,b,c]", "0 [g1,g1,g1]");
}

GST_END_TEST;

/* ---- D7: n outcomes for n Grains ---- */

static gboolean
pass_gate (guint replica, gpointer data, GError ** error)
{
  gate_pass (data);
  return TRUE;
}

static gboolean
miscount (GstOrchBatch * batch, guint replica, gpointer data, GError ** error)
{
  fail_unless_equals_int (gst_orch_batch_get_size (batch), 3);
  present_text (batch, 0, "first");
  /* Refused, whatever they are. */
  fail_if (gst_orch_batch_drop (batch, 0));
  fail_if (gst_orch_batch_present (batch, 0, gst_buffer_new (), NULL));
  fail_if (gst_orch_batch_fail_record (batch, 0, gst_orch_cause_new ("test",
              "second", "a second outcome")));
  fail_if (gst_orch_batch_present_list (batch, 0, gst_orch_list_new ()));
  script_present (batch, 2);
  return TRUE;
}

GST_START_TEST (test_d7)
{
  Gate all_ready;
  Run *self;

  gate_init (&all_ready);
  script_set (0, (Script) {.setup = pass_gate,.run = miscount,
          .data = &all_ready});
  self = run_new (RUN_IN "! orchexpand ! orchcall name=work batch-size=3 "
      "function=script ! orchreduce on-failed=placeholder ! " RUN_OUT);
  run_start (self);
  run_push (self, "[a,b,c]");
  patience_until (run_get_stat (self, "work", "entered") == 3);
  gate_open (&all_ready);
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [first,-,c] 0/1 F orch:contract@0/1");
  patience_until (run_get_stat (self, "work", "refused") == 4);
  fail_unless_equals_uint64 (run_get_stat (self, "work", "present"), 2);
  fail_unless_equals_uint64 (run_get_stat (self, "work", "failed"), 1);
  run_free (self);
  gate_clear (&all_ready);
}

GST_END_TEST;

/* ---- D10: a group failure, in every schedule ---- */

static void
run_d10 (const gchar * mode, guint batch, guint replicas, gboolean early)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchtestwork name=work batch-size=%u "
      "replicas=%u group=1/1 early=%s "
      "! orchreduce on-failed=%s ! " RUN_OUT, batch, replicas,
      early ? "true" : "false", mode);

  run_start (self);
  run_push (self, "[a,b,c]");
  run_push (self, "[d,e,f]");
  run_push (self, "[g,h,i]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [a,b,c]; 1 S test:group@1/1; 2 [g,h,i]");
  run_free (self);
}

GST_START_TEST (test_d10)
{
  static const gchar *modes[] = { "suppress-parent", "skip", "placeholder" };
  guint batch = __i__ + 1, replicas, mode;

  for (replicas = 1; replicas <= 3; replicas++)
    for (mode = 0; mode < G_N_ELEMENTS (modes); mode++) {
      run_d10 (modes[mode], batch, replicas, FALSE);
      run_d10 (modes[mode], batch, replicas, TRUE);
    }
}

GST_END_TEST;

/* The same with other Calls between the barrier and the gather (S5.2a). */
GST_START_TEST (test_d10_behind_other_calls)
{
  guint i;

  for (i = 0; i < 20; i++)
    assert_results ("orchexpand ! orchtestwork batch-size=2 "
        "group=1/1 ! orchidentity ! orchtestwork "
        "drop=1/1 ! orchreduce on-failed=skip",
        "[a,b,c]; [d,e,f]; [g]",
        "0 [a,b,c]; 1 S test:group@1/1; 2 [g]");
}

GST_END_TEST;

/* A barrier of another level is not this gather's. */
GST_START_TEST (test_d10_two_levels)
{
  assert_results ("orchexpand ! orchexpand ! orchtestwork "
      "group=0/1/0 ! orchreduce on-failed=skip ! "
      "orchreduce on-failed=skip", "[[a],[b,c],[d]]; [[e]]",
      "0 [[a],[d]] 0/1 S test:group@0/1/0; 1 [[e]]");
}

GST_END_TEST;

/* For a root Entity the barrier covers itself only. */
GST_START_TEST (test_d10_root)
{
  assert_results ("orchtestwork group=1 ! orchexpand "
      "! orchreduce", "[a]; [b]; [c]", "0 [a]; 1 S test:group@1; 2 [c]");
}

GST_END_TEST;

static gboolean
fail_group_behind_gate (GstOrchBatch * batch, guint replica, gpointer gate,
    GError ** error)
{
  guint i;

  gate_pass (gate);
  for (i = 0; i < gst_orch_batch_get_size (batch); i++)
    gst_orch_batch_fail_group (batch, i, gst_orch_cause_new ("test", "group",
            "when all that the gather sees is there"));
  return TRUE;
}

/* The gather has every child from one branch, and waits for the Call in the other
 * one, of which it will see nothing (S5.2a). */
GST_START_TEST (test_s5_2a_unseen)
{
  Gate gate;
  Run *self;

  gate_init (&gate);
  script_set (0, (Script) {.run = fail_group_behind_gate,.data = &gate});
  self = run_new ("funnel name=f ! orchreduce name=r on-failed=skip ! " RUN_OUT
      RUN_IN "! orchexpand ! tee name=t ! queue ! orchidentity name=i ! f. "
      "t. ! queue ! orchcall function=script-group ! f.");
  run_start (self);
  run_push (self, "[a,b]");
  run_end (self);
  patience_until (run_get_stat (self, "i", "present") == 2);
  gate_open (&gate);
  run_finish (self);
  run_assert_results (self, "0 S test:group@0/0");
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

static Suite *
commit_suite (void)
{
  Suite *s = suite_create ("commit");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_d1);
  tcase_add_test (tc, test_d1_leaves_when_done);
  tcase_add_test (tc, test_d2);
  tcase_add_test (tc, test_d3);
  tcase_add_test (tc, test_d5_epoch);
  tcase_add_test (tc, test_d5_generation);
  tcase_add_test (tc, test_d7);
  tcase_add_loop_test (tc, test_d10, 0, 16);
  tcase_add_test (tc, test_d10_behind_other_calls);
  tcase_add_test (tc, test_d10_two_levels);
  tcase_add_test (tc, test_d10_root);
  tcase_add_test (tc, test_s5_2a_unseen);
  return s;
}

GST_CHECK_MAIN (commit);
