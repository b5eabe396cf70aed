/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* C1 - C7, D4: what follows a failed attempt, batch by batch. */

#include "run.h"
#include "complaints.h"
#include "script.h"
#include "patience.h"

#include <gst/check/gstcheck.h>
#include <string.h>

/* ---- one replica: the log of the Function tells the batches ---- */

/* All Grains are ready before the first batch is taken. */
static Run *
run_held (const gchar * list, guint n, const gchar * properties)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchtestwork name=work batch-size=4 "
      "hold=true %s ! "
      "orchreduce on-failed=skip ! " RUN_OUT, properties);

  run_start (self);
  run_push (self, list);
  patience_until (run_get_stat (self, "work", "entered") == n);
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "work")),
      "function::hold", FALSE, NULL);
  run_end (self);
  run_finish (self);
  return self;
}

static void
assert_batches (const gchar * list, guint n, const gchar * properties,
    const gchar * batches, const gchar * results)
{
  Run *self = run_held (list, n, properties);
  g_autofree gchar *log = run_get_text (self, "work", "function::log");

  g_assert_cmpstr (log, ==, batches);
  run_assert_results (self, results);
  run_free (self);
}

#define FIVE "[a,b,c,d,e]"
#define ALL_FIVE "0 [a,b,c,d,e]"
#define ALL_BUT_2 "0 [a,b,d,e] 0/2 F gst-library-error-quark:1@0/2"

GST_START_TEST (test_c1)
{
  assert_batches (FIVE, 5, "recovery=retry-batch error-once=0/1",
      "(0/0:0 0/1:0 0/2:0 0/3:0)(0/0:1 0/1:1 0/2:1 0/3:1)(0/4:0)", ALL_FIVE);
}

GST_END_TEST;

GST_START_TEST (test_c2)
{
  assert_batches (FIVE, 5, "recovery=retry-tail error-once=0/1",
      "(0/0:0 0/1:0 0/2:0 0/3:0)(0/4:0)(0/0:1 0/1:1 0/2:1 0/3:1)", ALL_FIVE);
}

GST_END_TEST;

GST_START_TEST (test_c3)
{
  assert_batches (FIVE, 5, "recovery=bisect error=0/2",
      "(0/0:0 0/1:0 0/2:0 0/3:0)(0/4:0)(0/0:1 0/1:1 0/2:1 0/3:1)"
      "(0/0:2 0/1:2)(0/2:2 0/3:2)(0/2:3)(0/3:3)", ALL_BUT_2);
}

GST_END_TEST;

/* The default; a Grain that fails once only costs one repetition. */
GST_START_TEST (test_c3_default_and_once)
{
  assert_batches (FIVE, 5, "error-once=0/2",
      "(0/0:0 0/1:0 0/2:0 0/3:0)(0/4:0)(0/0:1 0/1:1 0/2:1 0/3:1)", ALL_FIVE);
}

GST_END_TEST;

#define FOUR "[a,b,c,d]"
#define ALL_BUT_2_OF_FOUR "0 [a,b,d] 0/2 F gst-library-error-quark:1@0/2"

/* Bisecting 1 bad Grain among 4 takes batches of 4,4,2,2,1,1 (S5.3). */
GST_START_TEST (test_c3_four)
{
  assert_batches (FOUR, 4, "error=0/2",
      "(0/0:0 0/1:0 0/2:0 0/3:0)(0/0:1 0/1:1 0/2:1 0/3:1)"
      "(0/0:2 0/1:2)(0/2:2 0/3:2)(0/2:3)(0/3:3)", ALL_BUT_2_OF_FOUR);
}

GST_END_TEST;

/* A batch of one is tried twice. */
GST_START_TEST (test_c3_one)
{
  assert_batches ("[a]", 1, "error=0/0", "(0/0:0)(0/0:1)",
      "0 [] 0/0 F gst-library-error-quark:1@0/0");
}

GST_END_TEST;

GST_START_TEST (test_c7)
{
  static const gchar *policies[] = { "retry-batch", "retry-tail" };
  g_autofree gchar *properties = g_strdup_printf ("recovery=%s max-retries=1 "
      "error=0/2", policies[__i__]);

  assert_batches (FOUR, 4, properties,
      "(0/0:0 0/1:0 0/2:0 0/3:0)(0/0:1 0/1:1 0/2:1 0/3:1)"
      "(0/0:2 0/1:2)(0/2:2 0/3:2)(0/2:3)(0/3:3)", ALL_BUT_2_OF_FOUR);
}

GST_END_TEST;

GST_START_TEST (test_c7_more_retries)
{
  assert_batches ("[a,b]", 2, "recovery=retry-batch max-retries=3 "
      "error=0/0",
      "(0/0:0 0/1:0)(0/0:1 0/1:1)(0/0:2 0/1:2)(0/0:3 0/1:3)(0/0:4)(0/1:4)",
      "0 [b] 0/0 F gst-library-error-quark:1@0/0");
}

GST_END_TEST;

GST_START_TEST (test_abort)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchtestwork name=work batch-size=4 "
      "recovery=abort error=0/1 ! orchreduce ! "
      RUN_OUT);

  run_start (self);
  run_push (self, FIVE);
  run_end (self);
  fail_if (run_wait (self));
  fail_unless (strstr (self->error, "told to fail the attempt"));
  run_free (self);
}

GST_END_TEST;

/* Twice, and then the end: no unit is tried alone. */
GST_START_TEST (test_abort_after_retries)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchtestwork name=work batch-size=4 "
      "recovery=retry-tail max-retries=1 abort-after-retries=true error=0/1 "
      "hold=true ! orchreduce ! " RUN_OUT);

  run_start (self);
  run_push (self, "[a,b,c,d]");
  patience_until (run_get_stat (self, "work", "entered") == 4);
  g_object_set (run_get (self, "work"), "hold", FALSE, NULL);
  run_end (self);
  fail_if (run_wait (self));
  fail_unless (strstr (self->error, "told to fail the attempt"));
  fail_unless_equals_uint64 (run_get_stat (self, "work", "failed"), 4);
  fail_unless_equals_uint64 (run_get_stat (self, "work", "batches"), 2);
  run_free (self);
}

GST_END_TEST;

/* An EOS that does not wait for the error has all the time to overtake it. */
static GstBusSyncReply
hold_error (GstBus * bus, GstMessage * message, gpointer data)
{
  Run *self = data;
  GstPad *pad;
  guint i;

  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_ERROR)
    return GST_BUS_PASS;
  pad = gst_element_get_static_pad (run_get (self, "work"), "sink");
  patience_until (GST_PAD_IS_EOS (pad));
  gst_object_unref (pad);
  collector_wait (self->out, 1);
  for (i = 0; i < 1000; i++)
    g_thread_yield ();
  return GST_BUS_PASS;
}

GST_START_TEST (test_abort_comes_before_eos)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchtestwork name=work "
      "recovery=abort error=0/0 ! orchreduce ! " RUN_OUT);
  GstBus *bus = gst_element_get_bus (self->pipeline);

  gst_bus_set_sync_handler (bus, hold_error, self, NULL);
  gst_object_unref (bus);
  run_start (self);
  run_push (self, "[a]");
  run_end (self);
  fail_if (run_wait (self));
  run_free (self);
}

GST_END_TEST;

/* A record failure is never retried, whatever the policy (S5.1). */
GST_START_TEST (test_record_failure_is_not_retried)
{
  assert_batches (FIVE, 5, "recovery=retry-batch record=0/1",
      "(0/0:0 0/1:0 0/2:0 0/3:0)(0/4:0)",
      "0 [a,c,d,e] 0/1 F test:record@0/1");
}

GST_END_TEST;

/* ---- two replicas: the first works on a0 and fails its group while the
 * second has a batch with siblings of a0 in flight ---- */

typedef struct
{
  Gate second_set_up;           /* the second replica may begin */
  Gate barrier;                 /* a0 may group-fail */
  Gate committed;               /* a0 has */
  GMutex lock;
  GString *attempts;            /* at what is not a0 */
  guint n_attempts;
  guint fail_before;            /* attempts that fail before the barrier */
  gboolean fail_alone;          /* those behind it fail, too */
} Duel;

static gboolean
duel_setup (guint replica, gpointer data, GError ** error)
{
  Duel *duel = data;

  if (replica == 1)
    gate_pass (&duel->second_set_up);
  return TRUE;
}

static void
run_first (Duel * duel, GstOrchBatch * batch)
{
  gate_pass (&duel->barrier);
  gst_orch_batch_fail_group (batch, 0, gst_orch_cause_new ("test", "group",
          "the script fails the group"));
  gst_orch_batch_commit (batch);
  gate_open (&duel->committed);
}

static gboolean
run_other (Duel * duel, guint attempt, GstOrchBatch * batch, GError ** error)
{
  if (attempt < duel->fail_before)
    return script_fail (error);
  if (attempt == duel->fail_before) {
    gate_open (&duel->barrier);
    gate_pass (&duel->committed);
    return script_fail (error);
  }
  if (duel->fail_alone)
    return script_fail (error);
  script_present_all (batch);
  return TRUE;
}

static gboolean
duel_run (GstOrchBatch * batch, guint replica, gpointer data, GError ** error)
{
  Duel *duel = data;
  g_autofree gchar *text = script_describe (batch);
  guint attempt;

  if (g_str_equal (text, "0/0:0")) {
    run_first (duel, batch);
    return TRUE;
  }
  g_mutex_lock (&duel->lock);
  g_string_append_printf (duel->attempts, "(%s)", text);
  attempt = duel->n_attempts++;
  g_mutex_unlock (&duel->lock);
  return run_other (duel, attempt, batch, error);
}

static void
duel_init (Duel * duel)
{
  gate_init (&duel->second_set_up);
  gate_init (&duel->barrier);
  gate_init (&duel->committed);
  g_mutex_init (&duel->lock);
  duel->attempts = g_string_new (NULL);
}

static void
duel_clear (Duel * duel)
{
  gate_clear (&duel->second_set_up);
  gate_clear (&duel->barrier);
  gate_clear (&duel->committed);
  g_mutex_clear (&duel->lock);
  g_string_free (duel->attempts, TRUE);
}

/* a0 is in flight alone; the batch of the n - 1 others is what comes next. */
static Run *
duel_start (Duel * duel, const gchar * recovery, const gchar * values, guint n)
{
  g_auto (GStrv) inputs = g_strsplit (values, "; ", -1);
  Run *self = run_new (RUN_IN "! orchexpand interleave=none ! orchcall "
      "name=work batch-size=1 replicas=2 recovery=%s function=script-group ! "
      "orchreduce on-failed=skip ! " RUN_OUT, recovery);
  guint i;

  script_set (0, (Script) {.setup = duel_setup,.run = duel_run,.data = duel});
  run_start (self);
  for (i = 0; inputs[i]; i++)
    run_push (self, inputs[i]);
  gate_await_waiting (&duel->barrier, 1);
  patience_until (run_get_stat (self, "work", "entered") == n);
  g_object_set (run_get (self, "work"), "batch-size", n - 1, NULL);
  gate_open (&duel->second_set_up);
  /* At EOS it would take only its share. */
  patience_until (run_get_stat (self, "work", "batches") >= 2);
  run_end (self);
  return self;
}

GST_START_TEST (test_c4)
{
  Duel duel = { {{0}} };
  Run *self;

  duel_init (&duel);
  self = duel_start (&duel, "abort", "[a0,a1]; [b0,b1,b2]", 5);
  fail_if (run_wait (self));
  fail_unless (strstr (self->error, "the script fails the attempt"));
  g_assert_cmpstr (duel.attempts->str, ==, "(0/1:0 1/0:0 1/1:0 1/2:0)");
  fail_unless_equals_uint64 (run_get_stat (self, "work", "suppressed"), 1);
  fail_unless_equals_uint64 (run_get_stat (self, "work", "present"), 0);
  run_free (self);
  duel_clear (&duel);
}

GST_END_TEST;

/* No policy is consulted, abort neither. */
GST_START_TEST (test_c5)
{
  static const gchar *policies[] = { "bisect", "retry-batch", "retry-tail",
    "abort"
  };
  Duel duel = { {{0}} };
  Run *self;

  duel_init (&duel);
  self = duel_start (&duel, policies[__i__], "[a0,a1,a2,a3,a4]", 5);
  run_finish (self);
  g_assert_cmpstr (duel.attempts->str, ==, "(0/1:0 0/2:0 0/3:0 0/4:0)");
  run_assert_results (self, "0 S test:group@0/0");
  fail_unless_equals_uint64 (run_get_stat (self, "work", "failed"), 1);
  fail_unless_equals_uint64 (run_get_stat (self, "work", "suppressed"), 4);
  run_free (self);
  duel_clear (&duel);
}

GST_END_TEST;

GST_START_TEST (test_c6)
{
  Duel duel = {.fail_before = 1,.fail_alone = __i__ };
  Run *self;

  duel_init (&duel);
  self = duel_start (&duel, "bisect", "[a0,a1,a2,a3]; [b0]", 5);
  run_finish (self);
  g_assert_cmpstr (duel.attempts->str, ==, "(0/1:0 0/2:0 0/3:0 1/0:0)"
      "(0/1:1 0/2:1 0/3:1 1/0:1)(1/0:2)");
  run_assert_results (self, duel.fail_alone ?
      "0 S test:group@0/0; 1 [] 1/0 F gst-library-error-quark:1@1/0" :
      "0 S test:group@0/0; 1 [b0]");
  run_free (self);
  duel_clear (&duel);
}

GST_END_TEST;

/* Of the attempt that dies, a1 is covered and stays at its generation. */
GST_START_TEST (test_d4)
{
  Duel duel = {.fail_before = 0 };
  Run *self;

  duel_init (&duel);
  self = duel_start (&duel, "bisect", "[a0,a1]; [b0,b1]", 4);
  run_finish (self);
  g_assert_cmpstr (duel.attempts->str, ==, "(0/1:0 1/0:0 1/1:0)"
      "(1/0:1 1/1:1)");
  run_assert_results (self, "0 S test:group@0/0; 1 [b0,b1]");
  fail_unless_equals_uint64 (run_get_stat (self, "work", "present"), 2);
  fail_unless_equals_uint64 (run_get_stat (self, "work", "failed"), 1);
  fail_unless_equals_uint64 (run_get_stat (self, "work", "suppressed"), 1);
  run_free (self);
  duel_clear (&duel);
}

GST_END_TEST;

static Suite *
recovery_suite (void)
{
  Suite *s = suite_create ("recovery");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_c1);
  tcase_add_test (tc, test_c2);
  tcase_add_test (tc, test_c3);
  tcase_add_test (tc, test_c3_default_and_once);
  tcase_add_test (tc, test_c3_four);
  tcase_add_test (tc, test_c3_one);
  tcase_add_test (tc, test_c4);
  tcase_add_loop_test (tc, test_c5, 0, 4);
  tcase_add_loop_test (tc, test_c6, 0, 2);
  tcase_add_loop_test (tc, test_c7, 0, 2);
  tcase_add_test (tc, test_c7_more_retries);
  tcase_add_test (tc, test_d4);
  tcase_add_test (tc, test_abort);
  tcase_add_test (tc, test_abort_after_retries);
  tcase_add_test (tc, test_abort_comes_before_eos);
  tcase_add_test (tc, test_record_failure_is_not_retried);
  return s;
}

GST_CHECK_MAIN (recovery);
