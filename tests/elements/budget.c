/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* How many units a Call holds where nobody says, by a clock that its Function and
 * what is behind it move. */

#include "run.h"
#include "manualtime.h"
#include "patience.h"
#include "script.h"

#include <gst/check/gstcheck.h>

#define N_FIRST 3
#define N_HELD 100

typedef struct
{
  ManualTime *time;
  gint64 run_time;              /* us */
  gint64 push_time;             /* us */
  GMutex lock;
  GCond released;
  gboolean held;
  gint64 now;                   /* us */
} Pace;

static void
pass (Pace * pace, gint64 time)
{
  g_mutex_lock (&pace->lock);
  pace->now += time;
  manual_time_set (pace->time, pace->now);
  g_mutex_unlock (&pace->lock);
}

static void
set_held (Pace * pace, gboolean held)
{
  g_mutex_lock (&pace->lock);
  pace->held = held;
  g_cond_broadcast (&pace->released);
  g_mutex_unlock (&pace->lock);
}

static gboolean
take_time (GstOrchBatch * batch, guint replica, gpointer data, GError ** error)
{
  Pace *pace = data;

  g_mutex_lock (&pace->lock);
  while (pace->held)
    g_cond_wait (&pace->released, &pace->lock);
  g_mutex_unlock (&pace->lock);
  pass (pace, pace->run_time);
  script_present_all (batch);
  return TRUE;
}

static GstPadProbeReturn
take_time_to_push (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  pass (data, ((Pace *) data)->push_time);
  return GST_PAD_PROBE_OK;
}

static Run *
start (Pace * pace, const gchar * properties)
{
  Run *run = run_new (RUN_IN "! orchscript name=call %s ! " RUN_OUT,
      properties);
  GstPad *pad = gst_element_get_static_pad (run_get (run, "call"), "src");

  script_set (0, (Script) {.run = take_time,.data = pace });
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, take_time_to_push, pace,
      NULL);
  gst_object_unref (pad);
  manual_time_rule (pace->time, run_get (run, "call"));
  run_start (run);
  return run;
}

/* Some run one by one, at that pace; then none does any more, and as many as fit
 * come in. */
static void
assert_held (const gchar * properties, gint64 run_time, gint64 push_time,
    guint most)
{
  Pace pace = { manual_time_new (), run_time, push_time };
  Run *run = start (&pace, properties);
  guint i;

  for (i = 0; i < N_FIRST; i++) {
    run_push (run, "x");
    patience_until (collector_get_n_results (run->out) == i + 1);
  }
  set_held (&pace, TRUE);
  for (i = 0; i < N_HELD; i++)
    run_push (run, "x");
  patience_until (run_get_stat (run, "call", "entered") == N_FIRST + most);
  g_usleep (20000);
  fail_unless_equals_uint64 (run_get_stat (run, "call", "entered"),
      N_FIRST + most);
  set_held (&pace, FALSE);
  run_end (run);
  run_finish (run);
  fail_unless_equals_int (collector_get_n_results (run->out),
      N_FIRST + N_HELD);
  run_free (run);
  manual_time_free (pace.time);
}

GST_START_TEST (test_quick)
{
  assert_held ("", 0, 0, 32);
  assert_held ("", 199, 0, 32);
}

GST_END_TEST;

GST_START_TEST (test_slow_function)
{
  assert_held ("", 200, 0, 16);
}

GST_END_TEST;

/* Nothing is gone in a moment where those behind take their time. */
GST_START_TEST (test_slow_downstream)
{
  assert_held ("", 0, 1000, 16);
}

GST_END_TEST;

GST_START_TEST (test_said)
{
  assert_held ("max-buffers=5", 0, 0, 5);
}

GST_END_TEST;

static Suite *
budget_suite (void)
{
  Suite *suite = suite_create ("budget");
  TCase *tcase = tcase_create ("general");

  script_init ();
  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_quick);
  tcase_add_test (tcase, test_slow_function);
  tcase_add_test (tcase, test_slow_downstream);
  tcase_add_test (tcase, test_said);
  return suite;
}

GST_CHECK_MAIN (budget);
