/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* When a Call had work, and how much of the time, by a clock that its Function
 * moves. */

#include "run.h"
#include "manualtime.h"
#include "script.h"

#include <gst/check/gstcheck.h>

typedef struct
{
  ManualTime *time;
  gint64 now;                   /* us */
} Clock;

/* Each batch takes 100 us. */
static gboolean
take_time (GstOrchBatch * batch, guint replica, gpointer data, GError ** error)
{
  Clock *clock = data;

  clock->now += 100;
  manual_time_set (clock->time, clock->now);
  script_present_all (batch);
  return TRUE;
}

static guint64
get (Run * run, const gchar * field)
{
  return run_get_stat (run, "call", field);
}

GST_START_TEST (test_times)
{
  Clock clock = { manual_time_new (), 1000 };
  Run *run;
  guint i;

  script_set (0, (Script) {.run = take_time,.data = &clock });
  run = run_new (RUN_IN "! orchscript name=call ! " RUN_OUT);
  manual_time_rule (clock.time, run_get (run, "call"));
  manual_time_set (clock.time, clock.now);
  run_start (run);
  fail_unless_equals_uint64 (get (run, "first-begin"), 0);
  fail_unless_equals_uint64 (get (run, "busy"), 0);
  for (i = 0; i < 3; i++)
    run_push (run, "x");
  run_end (run);
  run_finish (run);
  fail_unless_equals_uint64 (get (run, "batches"), 3);
  fail_unless_equals_uint64 (get (run, "first-begin"), 1000 * GST_USECOND);
  fail_unless_equals_uint64 (get (run, "last-end"), 1300 * GST_USECOND);
  fail_unless_equals_uint64 (get (run, "busy"), 300 * GST_USECOND);
  run_free (run);
  manual_time_free (clock.time);
}

GST_END_TEST;

static Suite *
busy_suite (void)
{
  Suite *suite = suite_create ("busy");
  TCase *tcase = tcase_create ("general");

  script_init ();
  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_times);
  return suite;
}

GST_CHECK_MAIN (busy);
