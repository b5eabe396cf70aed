/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* S7: every element says at its end what became of what entered. */

#include "loaded.h"
#include "run.h"
#include "complaints.h"
#include "script.h"
#include "patience.h"

#include <gst/orch/gstorchledger-private.h>
#include <gst/check/gstcheck.h>

static void
assert_ledger (Run * self, const gchar * element, const gchar * expected)
{
  static const gchar *fields[] = { "finished", "entered", "present", "dropped",
    "failed", "suppressed", "forgotten", "open"
  };
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (fields); i++)
    g_string_append_printf (text, "%s%" G_GUINT64_FORMAT, i ? " " : "",
        run_get_ledger (self, element, fields[i]));
  g_assert_cmpstr (text->str, ==, expected);
  g_string_free (text, TRUE);
}

/* ---- the sums ---- */

GST_START_TEST (test_sums)
{
  GstOrchLedger ledger = { 15, {0, 1, 2, 3, 4}, 2 };

  fail_unless_equals_uint64 (gst_orch_ledger_get_open (&ledger), 3);
  gst_orch_ledger_forget (&ledger);
  fail_unless_equals_uint64 (ledger.forgotten, 5);
  fail_unless_equals_uint64 (gst_orch_ledger_get_open (&ledger), 0);
}

GST_END_TEST;

/* ---- the end of the stream ---- */

/* [[a],[b,c],[d,e],[f],[],[!x],~,[g]] of loaded.h, 3 times: its lines, pages and
 * documents, each with one that is dropped, failed or suppressed. */
GST_START_TEST (test_end)
{
  Run *self = run_new (RUN_IN "! " LOADED " ! " RUN_OUT);
  guint i;

  run_start (self);
  for (i = 0; i < 3; i++)
    run_push (self, LOADED_VALUE);
  run_end (self);
  run_finish (self);
  assert_ledger (self, "e1", "1 24 21 3 0 0 0 0");
  assert_ledger (self, "c1", "1 24 18 3 3 0 0 0");
  assert_ledger (self, "e2", "1 21 18 0 3 0 0 0");
  assert_ledger (self, "c2", "1 21 12 3 3 3 0 0");
  assert_ledger (self, "r2", "1 24 18 3 0 3 0 0");
  assert_ledger (self, "r1", "1 3 3 0 0 0 0 0");
  gst_element_set_state (self->pipeline, GST_STATE_READY);
  run_read_bus (self);
  fail_unless_equals_int (run_count_ledgers (self, "c1"), 1);
  fail_unless_equals_int (run_count_ledgers (self, "r1"), 1);
  run_free (self);
}

GST_END_TEST;

/* Of units that come together again, and of a filter. */
GST_START_TEST (test_join)
{
  Run *self = run_new ("orchjoin name=j ! orchreduce name=r on-failed=skip ! "
      RUN_OUT RUN_IN "! orchexpand name=e ! tee name=t "
      "t. ! queue ! orchtestwork record=0/1 ! j. "
      "t. ! queue ! orchfilter name=f predicate=\"value != b\" ! j.");

  run_start (self);
  run_push (self, "[a,b,c,b,~,!x]");
  run_push (self, "[d]");
  run_end (self);
  run_finish (self);
  assert_ledger (self, "f", "1 7 3 3 1 0 0 0");
  assert_ledger (self, "j", "1 7 3 2 0 2 0 0");
  assert_ledger (self, "r", "1 2 2 0 0 0 0 0");
  run_free (self);
}

GST_END_TEST;

/* What was pruned is suppressed, and in the account like all else. */
GST_START_TEST (test_pruned)
{
  Run *self = run_new (RUN_IN "! orchexpand name=e ! "
      "orchtestwork name=c record=0/0 ! orchreduce name=r ! " RUN_OUT);
  guint64 n;

  run_start (self);
  run_push (self, "[a,b,c,d,e,f,g,h]");
  run_end (self);
  run_finish (self);
  fail_unless_equals_uint64 (run_get_ledger (self, "e", "entered"), 8);
  fail_unless_equals_uint64 (run_get_ledger (self, "e", "suppressed"),
      run_get_stat (self, "e", "pruned"));
  n = run_get_ledger (self, "c", "present");
  fail_unless_equals_uint64 (run_get_ledger (self, "c", "suppressed"), 7 - n);
  assert_ledger (self, "r", "1 1 0 0 0 1 0 0");
  run_free (self);
}

GST_END_TEST;

/* ---- flushes ---- */

static gboolean
wait_at_gate (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  gate_pass (data);
  script_present_all (batch);
  return TRUE;
}

GST_START_TEST (test_flush)
{
  Gate gate;
  Run *self;

  gate_init (&gate);
  script_set (0, (Script) {.run = wait_at_gate,.data = &gate});
  self = run_new (RUN_IN "! orchexpand name=e ! orchcall name=c "
      "function=script ! orchreduce name=r ! " RUN_OUT);
  run_start (self);
  run_push (self, "[a,b,c]");
  patience_until (run_get_stat (self, "c", "entered") == 3);
  gst_element_send_event (self->in, gst_event_new_flush_start ());
  gst_element_send_event (self->in, gst_event_new_flush_stop (TRUE));
  gate_open (&gate);
  run_push (self, "[d,e]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [d,e]");
  assert_ledger (self, "e", "1 5 5 0 0 0 0 0");
  assert_ledger (self, "c", "1 5 2 0 0 0 3 0");
  fail_unless_equals_uint64 (run_get_ledger (self, "r", "present"), 1);
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

/* ---- runs that do not come to their end ---- */

/* After an error it says what is missing. */
GST_START_TEST (test_error)
{
  Run *self = run_new (RUN_IN "! orchexpand name=e ! orchtestwork name=c "
      "recovery=abort error=0/1 ! orchreduce name=r ! " RUN_OUT);

  run_start (self);
  run_push (self, "[a,b,c,d]");
  g_assert_false (run_wait (self));
  fail_unless_equals_int (run_count_ledgers (self, "r"), 0);
  gst_element_set_state (self->pipeline, GST_STATE_READY);
  run_read_bus (self);
  fail_unless_equals_int (run_count_ledgers (self, "e"), 1);
  fail_unless_equals_int (run_count_ledgers (self, "c"), 1);
  fail_unless_equals_int (run_count_ledgers (self, "r"), 1);
  fail_unless_equals_uint64 (run_get_ledger (self, "e", "finished"), FALSE);
  fail_unless_equals_uint64 (run_get_ledger (self, "c", "finished"), FALSE);
  fail_unless_equals_uint64 (run_get_ledger (self, "r", "finished"), FALSE);
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_stopped)
{
  Gate gate;
  Run *self;

  gate_init (&gate);
  script_set (0, (Script) {.run = wait_at_gate,.data = &gate});
  self = run_new (RUN_IN "! orchexpand name=e ! orchcall name=c "
      "function=script batch-size=8 ! orchtestwork name=d ! "
      "orchreduce name=r ! " RUN_OUT);
  run_start (self);
  run_push (self, "[a,b,c]");
  patience_until (run_get_stat (self, "c", "entered") == 3);
  patience_until (run_get_stat (self, "r", "open") == 1);
  gst_element_set_state (run_get (self, "r"), GST_STATE_READY);
  run_read_bus (self);
  assert_ledger (self, "r", "0 1 0 0 0 0 0 1");
  gate_open (&gate);
  gst_element_set_state (self->pipeline, GST_STATE_READY);
  run_read_bus (self);
  assert_ledger (self, "e", "0 3 3 0 0 0 0 0");
  fail_unless_equals_uint64 (run_get_ledger (self, "c", "entered"), 3);
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

static Suite *
ledger_suite (void)
{
  Suite *s = suite_create ("ledger");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_sums);
  tcase_add_test (tc, test_end);
  tcase_add_test (tc, test_join);
  tcase_add_test (tc, test_pruned);
  tcase_add_test (tc, test_flush);
  tcase_add_test (tc, test_error);
  tcase_add_test (tc, test_stopped);
  return s;
}

GST_CHECK_MAIN (ledger);
