/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* S5.3: attempts that take longer than attempt-timeout, by a clock that the test
 * moves. */

#include "run.h"
#include "complaints.h"
#include "manualtime.h"
#include "notation.h"
#include "patience.h"
#include "script.h"
#include "threads.h"

#include <gst/check/gstcheck.h>
#include <string.h>

#define TIMEOUT 1000            /* us */

/* A Function that hangs at some of its attempts. */
typedef struct
{
  ManualTime *time;
  Run *run;
  gint64 now;
  guint64 n_overruns;
  Gate hang;                    /* where it hangs */
  const gchar *hangs_at;        /* a batch that has it: "0/2:" */
  const gchar *late;            /* (nullable): what it says in the end */
  gboolean fails;               /* returns an error in the end */
  gboolean early;               /* commits the others first */
  gboolean asks;                /* hangs only once it is cancelled */
  GMutex lock;
  GString *log;
  gint n_torn_down;             /* atomic */
} Hang;

static void
present_text (GstOrchBatch * batch, guint i, const gchar * text)
{
  GstCaps *caps;
  GstBuffer *buffer = notation_parse (text, &caps);

  gst_orch_batch_present (batch, i, buffer, caps);
  gst_caps_unref (caps);
}

static gboolean
hangs_at (Hang * hang, GstOrchBatch * batch, guint i)
{
  g_autofree gchar *path =
      gst_orch_entity_get_path (gst_orch_batch_get_entity (batch, i));
  g_autofree gchar *text = g_strdup_printf ("%s:%u", path,
      gst_orch_batch_get_generation (batch, i));

  return g_pattern_match_simple (hang->hangs_at, text);
}

/* Whatever became of the Grain meanwhile, what it was given is still there. */
static void
check_input (GstOrchBatch * batch, guint i)
{
  GstBuffer *buffer = gst_orch_batch_get_buffer (batch, i);
  gchar c;

  fail_unless_equals_int (gst_buffer_extract (buffer, 0, &c, 1), 1);
  fail_unless (g_ascii_isalpha (c));
  fail_unless (gst_caps_is_fixed (gst_orch_batch_get_caps (batch, i)));
  fail_unless (gst_orch_batch_get_entity (batch, i) != NULL);
}

static void
hang_up (Hang * hang, GstOrchBatch * batch, guint i)
{
  fail_if (!hang->asks && gst_orch_batch_is_cancelled (batch));
  while (hang->asks && !gst_orch_batch_is_cancelled (batch))
    g_usleep (200);
  gate_pass (&hang->hang);
  fail_unless (gst_orch_batch_is_cancelled (batch));
  fail_if (gst_orch_batch_is_wanted (batch, i));
  check_input (batch, i);
  if (hang->late)
    present_text (batch, i, hang->late);
  gst_orch_batch_warn (batch, i, "nobody hears of it");
  gst_orch_batch_set_info (batch, i,
      gst_structure_new ("info", "late", G_TYPE_BOOLEAN, TRUE, NULL));
}

static gboolean
hang_run (GstOrchBatch * batch, guint replica, gpointer data, GError ** error)
{
  Hang *hang = data;
  g_autofree gchar *text = script_describe (batch);
  guint i;

  g_mutex_lock (&hang->lock);
  g_string_append_printf (hang->log, "(%s)", text);
  g_mutex_unlock (&hang->lock);
  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    if (hangs_at (hang, batch, i)) {
      hang_up (hang, batch, i);
      return !hang->fails || script_fail (error);
    }
    script_present (batch, i);
    if (hang->early)
      gst_orch_batch_commit (batch);
  }
  return TRUE;
}

static void
hang_teardown (guint replica, gpointer data)
{
  g_atomic_int_inc (&((Hang *) data)->n_torn_down);
}

static void
hang_init (Hang * hang)
{
  gate_init (&hang->hang);
  g_mutex_init (&hang->lock);
  hang->log = g_string_new (NULL);
  hang->time = manual_time_new ();
  script_set (0, (Script) {.run = hang_run,.teardown = hang_teardown,
          .data = hang});
}

/* A Call "work" with `properties`, between expand and reduce. */
static void
hang_start (Hang * hang, const gchar * properties)
{
  hang_init (hang);
  hang->run = run_new (RUN_IN "! orchexpand ! orchcall name=work "
      "attempt-timeout=1000000 function=script %s ! "
      "orchreduce on-failed=skip ! " RUN_OUT, properties);
  manual_time_rule (hang->time, run_get (hang->run, "work"));
  run_start (hang->run);
}

static guint64
get_stat (Hang * hang, const gchar * field)
{
  return run_get_stat (hang->run, "work", field);
}

/* Lets the last attempt of n that hang overrun. */
static void
hang_overrun (Hang * hang, guint n)
{
  gate_await_waiting (&hang->hang, n);
  hang->now += TIMEOUT;
  manual_time_await (hang->time, hang->now);
  manual_time_set (hang->time, hang->now);
  hang->n_overruns++;
  patience_until (get_stat (hang, "timeouts") == hang->n_overruns);
}

/* Every Function returns; nothing of their threads is left. */
static void
hang_free (Hang * hang)
{
  run_free (hang->run);
  gate_open (&hang->hang);
  patience_until (!threads_have ("work:0") && !threads_have ("work:1"));
  manual_time_free (hang->time);
  gate_clear (&hang->hang);
  g_mutex_clear (&hang->lock);
  g_string_free (hang->log, TRUE);
}

/* ---- one attempt ---- */

/* To the end of the stream and of the pipeline while the thread hangs. */
GST_START_TEST (test_overrun)
{
  Hang hang = {.hangs_at = "*:0" };

  hang_start (&hang, "");
  run_push (hang.run, "[a]");
  hang_overrun (&hang, 1);
  run_end (hang.run);
  run_finish (hang.run);
  run_assert_results (hang.run, "0 [a]");
  g_assert_cmpstr (hang.log->str, ==, "(0/0:0)(0/0:1)");
  fail_unless_equals_uint64 (get_stat (&hang, "timeouts"), 1);
  fail_unless_equals_uint64 (get_stat (&hang, "hung"), 1);
  fail_unless_equals_int (hang.run->warnings->len, 1);
  fail_unless (strstr (g_ptr_array_index (hang.run->warnings, 0),
          "work left a thread alone at 0/0: the Function did not end within "
          "0.001 s"));
  hang_free (&hang);
  fail_unless_equals_int (g_atomic_int_get (&hang.n_torn_down), 2);
}

GST_END_TEST;

/* What the thread says when it comes back is refused, and counted. */
GST_START_TEST (test_late_report)
{
  Hang hang = {.hangs_at = "*:0",.late = "late" };

  hang_start (&hang, "");
  run_push (hang.run, "[a]");
  hang_overrun (&hang, 1);
  collector_wait (hang.run->out, 1);
  gate_open (&hang.hang);
  patience_until (get_stat (&hang, "hung") == 0);
  fail_unless_equals_uint64 (get_stat (&hang, "refused"), 1);
  run_end (hang.run);
  run_finish (hang.run);
  run_assert_results (hang.run, "0 [a]");
  fail_unless_equals_int (hang.run->news->len, 0);
  hang_free (&hang);
}

GST_END_TEST;

/* Its attempt has failed already. */
GST_START_TEST (test_late_error)
{
  Hang hang = {.hangs_at = "*:0",.fails = TRUE };

  hang_start (&hang, "");
  run_push (hang.run, "[a]");
  hang_overrun (&hang, 1);
  collector_wait (hang.run->out, 1);
  gate_open (&hang.hang);
  patience_until (get_stat (&hang, "hung") == 0);
  run_end (hang.run);
  run_finish (hang.run);
  run_assert_results (hang.run, "0 [a]");
  fail_unless_equals_uint64 (get_stat (&hang, "batches"), 2);
  hang_free (&hang);
}

GST_END_TEST;

/* It comes back while the Grain is in flight again. */
GST_START_TEST (test_late_report_of_running_grain)
{
  Hang hang = {.hangs_at = "*",.late = "late" };

  hang_start (&hang, "");
  run_push (hang.run, "[a]");
  hang_overrun (&hang, 1);
  hang_overrun (&hang, 2);
  run_end (hang.run);
  run_finish (hang.run);
  run_assert_results (hang.run, "0 [] 0/0 F orch:timeout@0/0");
  fail_unless_equals_uint64 (get_stat (&hang, "failed"), 1);
  hang_free (&hang);
}

GST_END_TEST;

/* What was committed before stays, and is not tried again. */
GST_START_TEST (test_early_commit)
{
  Hang hang = {.hangs_at = "0/1:0",.early = TRUE,.late = "late" };

  hang_start (&hang, "batch-size=3 max-wait=1000000000");
  run_push (hang.run, "[a,b,c]");
  hang_overrun (&hang, 1);
  run_end (hang.run);
  run_finish (hang.run);
  run_assert_results (hang.run, "0 [a,b,c]");
  g_assert_cmpstr (hang.log->str, ==, "(0/0:0 0/1:0 0/2:0)(0/1:1 0/2:1)");
  hang_free (&hang);
}

GST_END_TEST;

/* ---- recovery ---- */

/* C3 with a Grain that hangs. */
GST_START_TEST (test_c3_of_overruns)
{
  Hang hang = {.hangs_at = "0/2:*" };
  guint i;

  hang_start (&hang, "batch-size=4 max-wait=1000000000 order=input");
  run_push (hang.run, "[a,b,c,d]");
  for (i = 1; i <= 4; i++)
    hang_overrun (&hang, i);
  run_end (hang.run);
  run_finish (hang.run);
  run_assert_results (hang.run, "0 [a,b,d] 0/2 F orch:timeout@0/2");
  g_assert_cmpstr (hang.log->str, ==, "(0/0:0 0/1:0 0/2:0 0/3:0)"
      "(0/0:1 0/1:1 0/2:1 0/3:1)(0/0:2 0/1:2)(0/2:2 0/3:2)(0/2:3)(0/3:3)");
  fail_unless_equals_uint64 (get_stat (&hang, "timeouts"), 4);
  fail_unless_equals_int (hang.run->warnings->len, 4);
  hang_free (&hang);
  fail_unless_equals_int (g_atomic_int_get (&hang.n_torn_down), 5);
}

GST_END_TEST;

GST_START_TEST (test_abort)
{
  Hang hang = {.hangs_at = "0/1:*" };

  hang_start (&hang, "recovery=abort");
  run_push (hang.run, "[a,b,c]");
  hang_overrun (&hang, 1);
  fail_if (run_wait (hang.run));
  fail_unless (strstr (hang.run->error, "work gave up: the Function did not "
          "end within"));
  hang_free (&hang);
}

GST_END_TEST;

/* The other replica goes on meanwhile. */
GST_START_TEST (test_other_replica)
{
  Hang hang = {.hangs_at = "0/0:0" };
  guint i;

  hang_start (&hang, "replicas=2");
  run_push (hang.run, "[a]");
  gate_await_waiting (&hang.hang, 1);
  for (i = 0; i < 20; i++)
    run_push (hang.run, "[b,c,d]");
  collector_wait (hang.run->out, 20);
  fail_unless_equals_uint64 (get_stat (&hang, "timeouts"), 0);
  hang_overrun (&hang, 1);
  run_end (hang.run);
  run_finish (hang.run);
  fail_unless_equals_int (collector_get_n_results (hang.run->out), 21);
  hang_free (&hang);
  fail_unless_equals_int (g_atomic_int_get (&hang.n_torn_down), 3);
}

GST_END_TEST;

/* ---- too many ---- */

GST_START_TEST (test_too_many)
{
  Hang hang = {.hangs_at = "*" };
  guint i;

  hang_start (&hang, "");
  run_push (hang.run, "[a,b,c,d,e,f,g,h,i,j]");
  for (i = 1; i <= 17; i++)
    hang_overrun (&hang, i);
  fail_if (run_wait (hang.run));
  fail_unless (strstr (hang.run->error, "work has 17 threads that hang"));
  fail_unless (strstr (hang.run->error_debug, "raise attempt-timeout"));
  hang_free (&hang);
  fail_unless_equals_int (g_atomic_int_get (&hang.n_torn_down), 17);
}

GST_END_TEST;

/* Those that came back make room for others. */
GST_START_TEST (test_many_one_after_the_other)
{
  Hang hang = {.hangs_at = "*:0" };
  guint i;

  hang_start (&hang, "");
  for (i = 1; i <= 20; i++) {
    run_push (hang.run, "[a]");
    hang_overrun (&hang, 1);
    gate_open (&hang.hang);
    patience_until (get_stat (&hang, "hung") == 0);
    collector_wait (hang.run->out, i);
    gate_shut (&hang.hang);
  }
  run_end (hang.run);
  run_finish (hang.run);
  fail_unless_equals_uint64 (get_stat (&hang, "timeouts"), 20);
  /* Ten, and that no more are told of. */
  fail_unless_equals_int (hang.run->warnings->len, 11);
  fail_unless (strstr (g_ptr_array_index (hang.run->warnings, 10),
          "only counted"));
  hang_free (&hang);
}

GST_END_TEST;

/* ---- flushes and states ---- */

/* The flush has forgotten what hangs; the next one waits for a replica. */
GST_START_TEST (test_flush)
{
  Hang hang = {.hangs_at = "0/0:0",.asks = TRUE,.late = "late" };

  hang_start (&hang, "");
  run_push (hang.run, "[a]");
  patience_until (get_stat (&hang, "batches") == 1);
  fail_unless (gst_element_send_event (hang.run->in,
          gst_event_new_flush_start ()));
  fail_unless (gst_element_send_event (hang.run->in,
          gst_event_new_flush_stop (TRUE)));
  gate_await_waiting (&hang.hang, 1);
  hang.hangs_at = "-";
  run_push (hang.run, "[b]");
  patience_until (get_stat (&hang, "entered") == 2);
  hang_overrun (&hang, 1);
  run_end (hang.run);
  run_finish (hang.run);
  run_assert_results (hang.run, "0 [b]");
  fail_unless_equals_uint64 (get_stat (&hang, "forgotten"), 1);
  fail_unless_equals_uint64 (get_stat (&hang, "timeouts"), 1);
  hang_free (&hang);
}

GST_END_TEST;

static gpointer
stop (gpointer pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return NULL;
}

/* Going down waits until the attempt overruns, and not longer. */
GST_START_TEST (test_stop)
{
  Hang hang = {.hangs_at = "0/0:0",.asks = TRUE };
  GThread *thread;

  hang_start (&hang, __i__ ? "recovery=abort" : "");
  run_push (hang.run, "[a,b,c]");
  patience_until (get_stat (&hang, "batches") == 1);
  thread = g_thread_new ("stop", stop, hang.run->pipeline);
  hang_overrun (&hang, 1);
  g_thread_join (thread);
  fail_unless_equals_uint64 (get_stat (&hang, "hung"), 1);
  hang_free (&hang);
  fail_unless_equals_int (g_atomic_int_get (&hang.n_torn_down), 1);
}

GST_END_TEST;

/* A thread of the last run has no part in the next one. */
GST_START_TEST (test_next_run)
{
  Hang hang = {.hangs_at = "*:0",.late = "late" };

  hang_start (&hang, "");
  run_push (hang.run, "[a]");
  hang_overrun (&hang, 1);
  collector_wait (hang.run->out, 1);
  gst_element_set_state (hang.run->pipeline, GST_STATE_READY);
  collector_clear (hang.run->out);
  hang.hangs_at = "-";
  run_start (hang.run);
  fail_unless_equals_uint64 (get_stat (&hang, "hung"), 1);
  gate_open (&hang.hang);
  patience_until (get_stat (&hang, "hung") == 0);
  run_push (hang.run, "[b]");
  run_end (hang.run);
  run_finish (hang.run);
  run_assert_results (hang.run, "0 [b]");
  fail_unless_equals_uint64 (get_stat (&hang, "entered"), 1);
  hang_free (&hang);
}

GST_END_TEST;

/* The thread may be the last to know the element. */
GST_START_TEST (test_element_is_gone)
{
  Hang hang = {.hangs_at = "*:0",.late = "late",.early = TRUE };
  gpointer work;

  hang_start (&hang, "");
  work = run_get (hang.run, "work");
  g_object_add_weak_pointer (work, &work);
  run_push (hang.run, "[a]");
  hang_overrun (&hang, 1);
  collector_wait (hang.run->out, 1);
  hang_free (&hang);
  fail_unless (work == NULL);
}

GST_END_TEST;

/* By the system's clock, where an attempt may overrun at any moment: while it
 * commits, ends, is flushed or the element stops.  Whatever comes of it, the
 * accounts close. */
GST_START_TEST (test_any_moment)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchtestwork name=work "
      "batch-size=4 replicas=2 attempt-timeout=500000 sleep=130 early=%s "
      "order=%s ! orchreduce on-failed=skip ! " RUN_OUT,
      __i__ % 2 ? "true" : "false", __i__ / 2 ? "input" : "completion");
  guint i, j;

  for (i = 0; i < 20; i++) {
    run_start (self);
    for (j = 0; j < 10; j++)
      run_push (self, "[a,b,c,d]");
    g_usleep (i * 150);
    if (i % 3 == 0) {
      gst_element_send_event (self->in, gst_event_new_flush_start ());
      gst_element_send_event (self->in, gst_event_new_flush_stop (TRUE));
      run_push (self, "[e,f]");
    }
    if (i % 4 == 0) {
      run_end (self);
      if (run_wait (self))
        run_check_ledger (self);
      g_clear_pointer (&self->error, g_free);
      g_clear_pointer (&self->error_debug, g_free);
    }
    gst_element_set_state (self->pipeline, GST_STATE_READY);
  }
  run_free (self);
  patience_until (!threads_have ("work:0") && !threads_have ("work:1"));
}

GST_END_TEST;

/* ---- attempts that end in time ---- */

/* Whatever a Function says means the same, timed or not. */
GST_START_TEST (test_in_time)
{
  static const gchar *orders[] = { "completion", "input" };
  gboolean early = __i__ % 2;
  Run *self = run_new (RUN_IN "! orchexpand ! orchtestwork name=work "
      "batch-size=3 attempt-timeout=%" G_GINT64_FORMAT " order=%s early=%s "
      "drop=0/1 record=0/2 error=1/1 error-once=1/0 group=2/1 ! "
      "orchreduce on-failed=skip ! " RUN_OUT,
      __i__ < 4 ? 3600 * GST_SECOND : G_MAXINT64, orders[__i__ / 2 % 2],
      early ? "true" : "false");

  run_start (self);
  run_push (self, "[a,b,c,d]");
  run_push (self, "[e,f,g]");
  run_push (self, "[h,i,j]");
  run_push (self, "[[k],l]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [a,d] 0/2 F test:record@0/2; "
      "1 [e,g] 1/1 F gst-library-error-quark:1@1/1; 2 S test:group@2/1; "
      "3 [[k],l]");
  fail_unless_equals_uint64 (run_get_stat (self, "work", "timeouts"), 0);
  run_free (self);
}

GST_END_TEST;

static Suite *
timeout_suite (void)
{
  Suite *s = suite_create ("timeout");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_overrun);
  tcase_add_test (tc, test_late_report);
  tcase_add_test (tc, test_late_error);
  tcase_add_test (tc, test_late_report_of_running_grain);
  tcase_add_test (tc, test_early_commit);
  tcase_add_test (tc, test_c3_of_overruns);
  tcase_add_test (tc, test_abort);
  tcase_add_test (tc, test_other_replica);
  tcase_add_test (tc, test_too_many);
  tcase_add_test (tc, test_many_one_after_the_other);
  tcase_add_test (tc, test_flush);
  tcase_add_loop_test (tc, test_stop, 0, 2);
  tcase_add_test (tc, test_next_run);
  tcase_add_test (tc, test_element_is_gone);
  tcase_add_loop_test (tc, test_any_moment, 0, 4);
  tcase_add_loop_test (tc, test_in_time, 0, 8);
  return s;
}

GST_CHECK_MAIN (timeout);
