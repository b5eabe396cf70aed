/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* S5.3, S5.4, C8: Functions in worker processes, and how those die. */

#include "loaded.h"
#include "run.h"
#include "complaints.h"
#include "patience.h"
#include "script.h"
#include "workers.h"

#include <gst/check/gstcheck.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HOSTILE "orchexpand ! orchtesthostile name=work workers=process "
#define GATHER " ! orchreduce on-failed=skip ! "

static Run *
run_hostile (const gchar * properties, const gchar * value)
{
  Run *self = run_new (RUN_IN "! " HOSTILE "%s" GATHER RUN_OUT, properties);

  run_start (self);
  run_push (self, value);
  run_end (self);
  return self;
}

static void
assert_hostile (const gchar * properties, const gchar * value,
    const gchar * results)
{
  Run *self = run_hostile (properties, value);

  run_finish (self);
  run_assert_results (self, results);
  run_free (self);
  fail_unless_equals_int (workers_count (), 0);
}

/* "[a,a,a]" */
static gchar *
make_list (guint n, gint without)
{
  GString *list = g_string_new ("[");
  guint i;

  for (i = 0; i < n; i++)
    if ((gint) i != without)
      g_string_append (list, list->len > 1 ? ",a" : "a");
  g_string_append_c (list, ']');
  return g_string_free (list, FALSE);
}

static gboolean
has_warning (Run * self, const gchar * text)
{
  guint i;

  for (i = 0; i < self->warnings->len; i++)
    if (strstr (g_ptr_array_index (self->warnings, i), text))
      return TRUE;
  return FALSE;
}

/* ---- S6: where a Function runs changes nothing ---- */

GST_START_TEST (test_same_results)
{
  Run *self = run_new (RUN_IN "! " LOADED_IN_WORKERS " ! " RUN_OUT);
  g_autofree gchar *text = NULL;
  g_auto (GStrv) results = NULL;
  guint i;

  run_start (self);
  for (i = 0; i < 20; i++)
    run_push (self, LOADED_VALUE);
  run_end (self);
  run_finish (self);
  text = collector_get_results (self->out);
  results = g_strsplit (text, "; ", -1);
  for (i = 0; i < 20; i++) {
    g_autofree gchar *expected = g_strdup_printf (LOADED_RESULT, i);

    g_assert_cmpstr (results[i], ==, expected);
  }
  run_free (self);
  fail_unless_equals_int (workers_count (), 0);
}

GST_END_TEST;

/* Lists, references, infos, several outputs: what a Function gets and gives. */
GST_START_TEST (test_lists)
{
  assert_results ("orchexpand ! orchtestlist workers=process n=3 ! orchexpand "
      "! orchtestwork workers=process ! orchreduce ! orchreduce", "[a,b]",
      "0 [[,,],[,,]]");
}

GST_END_TEST;

/* A joined Item keeps the names of its parts, and what is missing. */
GST_START_TEST (test_joined)
{
  Run *self = run_new (RUN_IN "! orchidentity ! tee name=t ! queue ! orchjoin name=j "
      "sink_0::label=a sink_1::label=b sink_1::optional=true ! "
      "orchtestwork workers=process ! " RUN_OUT
      "t. ! queue ! orchtestwork drop=1 workers=process ! j.sink_1");
  GstBuffer *buffer;
  GstOrchList *list;

  run_start (self);
  run_push (self, "x");
  run_push (self, "y");
  run_end (self);
  run_finish (self);
  buffer = collector_get_buffer (self->out, "1");
  list = gst_orch_buffer_get_list (buffer);
  fail_unless_equals_int (gst_orch_list_get_size (list), 2);
  fail_unless_equals_string (gst_orch_list_get (list, 0)->name, "a");
  fail_unless_equals_string (gst_orch_list_get (list, 1)->name, "b");
  fail_unless (gst_orch_list_get (list, 1)->buffer == NULL);
  gst_buffer_unref (buffer);
  run_free (self);
}

GST_END_TEST;

/* S4.4: an outcome for each output, or one for all. */
GST_START_TEST (test_outputs)
{
  static const gchar *values[] = { "ab|cde|f", "a|^x|c", "^x|^^g|c", "a|~|c",
    "-"
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (values); i++) {
    gchar *results[2];
    guint j;

    for (j = 0; j < 2; j++) {
      Run *self = run_new (RUN_IN "! orchtestoutputs name=c workers=%s ! "
          "fakesink async=false c.src_1 ! " RUN_OUT "c.src_2 ! "
          "fakesink async=false", j ? "process" : "thread");

      run_start (self);
      run_push (self, values[i]);
      run_end (self);
      run_finish (self);
      results[j] = collector_get_results (self->out);
      run_free (self);
    }
    g_assert_cmpstr (results[0], ==, results[1]);
    g_free (results[0]);
    g_free (results[1]);
  }
}

GST_END_TEST;

/* ---- S5.3: what a unit does to its worker is its own failure ---- */

static const struct
{
  const gchar *deed;
  const gchar *says;
} ends[] = {
  {"segv", "signal 11"},
  {"abort", "it is so"},
  {"fpe", "signal 8"},
  {"exit", "status 7"},
  {"flood-abort", "the last words"},
  {"close", "status 1"},
  {"nonsense", "makes no sense"},
};

GST_START_TEST (test_poison_among_64)
{
  g_autofree gchar *value = make_list (64, -1);
  g_autofree gchar *rest = make_list (64, 37);
  g_autofree gchar *properties = g_strdup_printf ("batch-size=64 rules=0/37:%s "
      "confine=false", ends[__i__].deed);
  g_autofree gchar *expected =
      g_strdup_printf ("0 %s 0/37 F orch:crashed@0/37", rest);
  Run *self = run_hostile (properties, value);

  run_finish (self);
  run_assert_results (self, expected);
  fail_unless (has_warning (self, ends[__i__].says), "%s",
      (gchar *) g_ptr_array_index (self->warnings, 0));
  g_assert_cmpuint (run_get_stat (self, "work", "workers-died"), >=, 3);
  g_assert_cmpuint (run_get_stat (self, "work", "workers-lost"), ==, 0);
  run_free (self);
  fail_unless_equals_int (workers_count (), 0);
}

GST_END_TEST;

GST_START_TEST (test_overrun)
{
  static const gchar *deeds[] = { "hang", "spin" };
  g_autofree gchar *properties = g_strdup_printf ("batch-size=2 rules=0/1:%s "
      "attempt-timeout=1000000000", deeds[__i__]);
  Run *self = run_hostile (properties, "[a,b]");

  run_finish (self);
  run_assert_results (self, "0 [a] 0/1 F orch:timeout@0/1");
  g_assert_cmpuint (run_get_stat (self, "work", "timeouts"), >=, 2);
  g_assert_cmpuint (run_get_stat (self, "work", "hung"), ==, 0);
  run_free (self);
  fail_unless_equals_int (workers_count (), 0);
}

GST_END_TEST;

GST_START_TEST (test_memory)
{
  static const gchar *deeds[] = { "bomb", "file-bomb" };
  g_autofree gchar *properties = g_strdup_printf ("batch-size=3 rules=0/1:%s "
      "max-memory=200000000", deeds[__i__]);

  assert_hostile (properties, "[a,b,c]", "0 [a,c] 0/1 F orch:max-memory@0/1");
}

GST_END_TEST;

/* Processes are forbidden; of threads there may be many, but not all. */
GST_START_TEST (test_threads)
{
  Run *self = run_hostile ("batch-size=3 rules=0/1:thread-bomb", "[a,b,c]");

  run_finish (self);
  run_assert_results (self, "0 [a,c] 0/1 F orch:crashed@0/1");
  fail_unless (has_warning (self, "threads"));
  run_free (self);
}

GST_END_TEST;

/* Memory that was given to a worker is not its own, however much it keeps. */
GST_START_TEST (test_given_memory)
{
  Run *self = run_new ("fakesrc num-buffers=32 sizetype=fixed sizemax=8000000 "
      "! orchtestwork name=b batch-size=32 sleep=20000 workers=process "
      "max-bytes=1000000000 max-wait=60000000000 max-memory=200000000 ! " RUN_OUT);

  run_start (self);
  run_finish (self);
  fail_unless_equals_int (collector_get_n_results (self->out), 32);
  fail_unless_equals_int (run_get_stat (self, "b", "workers-died"), 0);
  run_free (self);
}

GST_END_TEST;

/* What nobody reads holds nothing up. */
GST_START_TEST (test_flood)
{
  assert_hostile ("batch-size=3 rules=0/1:flood", "[a,b,c]", "0 [a,b,c]");
}

GST_END_TEST;

/* What was committed before the crash stays, and is not run again. */
GST_START_TEST (test_early_commits_stay)
{
  Run *self = run_hostile ("batch-size=4 early=true rules=0/2:segv",
      "[a,b,c,d]");

  run_finish (self);
  run_assert_results (self, "0 [a,b,d] 0/2 F orch:crashed@0/2");
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_abort)
{
  Run *self = run_hostile ("recovery=abort rules=0/1:abort", "[a,b,c]");

  fail_if (run_wait (self));
  fail_unless (strstr (self->error, "signal 6") != NULL, "%s", self->error);
  run_free (self);
  fail_unless_equals_int (workers_count (), 0);
}

GST_END_TEST;

/* ---- S5.4, C8: lost from outside ---- */

GST_START_TEST (test_c8_once)
{
  static const gchar *deeds[] = { "once-kill", "once-term" };
  g_autofree gchar *properties = g_strdup_printf ("batch-size=4 "
      "rules=0/2:%s", deeds[__i__]);
  Run *self = run_hostile (properties, "[a,b,c,d]");

  run_finish (self);
  run_assert_results (self, "0 [a,b,c,d]");
  fail_unless_equals_int (run_get_stat (self, "work", "workers-lost"), 1);
  fail_unless_equals_int (run_get_stat (self, "work", "workers-died"), 0);
  run_free (self);
}

GST_END_TEST;

/* At most 3 times a Grain; then it counts. */
GST_START_TEST (test_c8_budget)
{
  Run *self = run_hostile ("batch-size=4 rules=0/2:kill", "[a,b,c,d]");

  run_finish (self);
  run_assert_results (self, "0 [a,b,d] 0/2 F orch:worker-lost@0/2");
  run_free (self);
}

GST_END_TEST;

/* They are dead when it returns. */
static void
kill_workers (void)
{
  GArray *pids = workers_list ();
  siginfo_t about;
  guint i;

  for (i = 0; i < pids->len; i++) {
    pid_t pid = g_array_index (pids, pid_t, i);

    kill (pid, SIGKILL);
    waitid (P_PID, pid, &about, WEXITED | WNOWAIT);
  }
  g_array_unref (pids);
}

/* However often, nothing is lost and nothing comes twice. */
GST_START_TEST (test_killed_from_outside)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchtestwork name=work sleep=2000 "
      "batch-size=2 replicas=2 early=true workers=process" GATHER RUN_OUT);
  guint i;

  run_start (self);
  for (i = 0; i < 20; i++)
    run_push (self, "[a,b,c,d,e,f,g,h,i,j]");
  run_end (self);
  for (i = 1; i <= 6; i++) {
    collector_wait (self->out, 3 * i);
    kill_workers ();
  }
  run_finish (self);
  fail_unless_equals_int (collector_get_n_results (self->out), 20);
  {
    g_autofree gchar *text = collector_get_results (self->out);
    g_auto (GStrv) results = g_strsplit (text, "; ", -1);

    for (i = 0; i < 20; i++)
      fail_unless (g_str_has_suffix (results[i], "[a,b,c,d,e,f,g,h,i,j]"));
  }
  run_free (self);
  fail_unless_equals_int (workers_count (), 0);
}

GST_END_TEST;

/* While it has nothing to do: nobody notices. */
GST_START_TEST (test_killed_while_idle)
{
  Run *self = run_new (RUN_IN "! orchtesthostile name=work workers=process ! "
      RUN_OUT);

  run_start (self);
  run_push (self, "a");
  collector_wait (self->out, 1);
  kill_workers ();
  run_push (self, "b");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 a; 1 b");
  fail_unless_equals_int (self->warnings->len, 0);
  run_free (self);
}

GST_END_TEST;

/* ---- starting ---- */

static void
assert_no_start (const gchar * element, const gchar * says)
{
  Run *self = run_new (RUN_IN "! %s ! " RUN_OUT, element);

  run_start (self);
  run_push (self, "a");
  run_end (self);
  fail_if (run_wait (self));
  fail_unless (strstr (self->error, says) != NULL, "%s", self->error);
  run_free (self);
  fail_unless_equals_int (workers_count (), 0);
}

GST_START_TEST (test_cannot_start)
{
  assert_no_start ("orchtesthostile workers=process at-setup=segv",
      "signal 11");
  assert_no_start ("orchtesthostile workers=process at-setup=error",
      "told to fail");
  assert_no_start ("orchcall function=script workers=process",
      "workers=thread");
  g_setenv ("GST_ORCH_WORKER", "/nonexistent/worker", TRUE);
  assert_no_start ("orchtesthostile workers=process", "/nonexistent/worker");
  g_unsetenv ("GST_ORCH_WORKER");
}

GST_END_TEST;

/* A set-up that hangs does not hold up a state change. */
GST_START_TEST (test_stop_while_starting)
{
  Run *self = run_new (RUN_IN "! orchtesthostile workers=process at-setup=hang ! "
      RUN_OUT);

  run_start (self);
  patience_until (workers_count () == 1);
  run_free (self);
  fail_unless_equals_int (workers_count (), 0);
}

GST_END_TEST;

/* ---- what crosses while a batch runs ---- */

GST_START_TEST (test_early_commits_leave)
{
  Run *self = run_new (RUN_IN "! orchtesthostile name=work workers=process "
      "batch-size=2 early=true rules=1:wait ! " RUN_OUT);

  gst_element_set_state (self->pipeline, GST_STATE_READY);
  run_start (self);
  run_push (self, "a");
  run_push (self, "b");
  collector_wait (self->out, 1);
  run_assert_results (self, "0 a");
  /* Going down is heard in the worker, which ends by itself. */
  run_free (self);
  fail_unless_equals_int (workers_count (), 0);
}

GST_END_TEST;

/* S5.5: a unit that nobody wants any more hears of it. */
GST_START_TEST (test_unwanted)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchtesthostile name=work "
      "workers=process batch-size=2 early=true rules=0/0:fail,0/1:wait ! "
      "orchreduce ! " RUN_OUT);

  run_start (self);
  run_push (self, "[a,b]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 S test:record@0/0");
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_properties)
{
  Run *self = run_new (RUN_IN "! orchtesthostile name=work workers=process "
      "rules=*:mark mark=x ! " RUN_OUT);

  run_start (self);
  run_push (self, "a");
  collector_wait (self->out, 1);
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "work")),
      "function::mark", "y", NULL);
  run_push (self, "b");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 x; 1 y");
  run_free (self);
}

GST_END_TEST;

/* ---- nothing is left behind ---- */

GST_START_TEST (test_stop_under_load)
{
  Run *self = run_new (RUN_IN "! " LOADED_IN_WORKERS " ! " RUN_OUT);
  guint i, j, n_fds = 0;

  for (i = 0; i < 6; i++) {
    run_start (self);
    for (j = 0; j < 10; j++)
      run_push (self, LOADED_VALUE);
    g_usleep (i * 30000);
    gst_element_set_state (self->pipeline, GST_STATE_READY);
    fail_unless_equals_int (workers_count (), 0);
    if (i == 1)
      n_fds = workers_count_fds ();
  }
  fail_unless_equals_int (workers_count_fds (), n_fds);
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_flush_under_load)
{
  Run *self = run_new (RUN_IN "! " LOADED_IN_WORKERS " ! " RUN_OUT);
  guint i, j;

  run_start (self);
  for (i = 0; i < 6; i++) {
    for (j = 0; j < 10; j++)
      run_push (self, LOADED_VALUE);
    g_usleep (i * 10000);
    gst_element_send_event (self->in, gst_event_new_flush_start ());
    gst_element_send_event (self->in, gst_event_new_flush_stop (TRUE));
  }
  collector_clear (self->out);
  for (j = 0; j < 10; j++)
    run_push (self, LOADED_VALUE);
  run_end (self);
  run_finish (self);
  fail_unless_equals_int (collector_get_n_results (self->out), 10);
  run_free (self);
}

GST_END_TEST;

/* 0: it has none yet */
static pid_t
find_worker_of (pid_t parent)
{
  GArray *pids = workers_list_of (parent);
  pid_t worker = pids->len ? g_array_index (pids, pid_t, 0) : 0;

  g_array_unref (pids);
  return worker;
}

/* A parent that is killed takes its workers along, whatever they do. */
GST_START_TEST (test_parent_is_killed)
{
  static const gchar *deeds[] = { "*:hang", "*:spin" };
  g_autofree gchar *rules = g_strdup_printf ("rules=%s", deeds[__i__]);
  const gchar *argv[] = { "gst-launch-1.0", "-q", "fakesrc", "num-buffers=1",
    "!", "orchtesthostile", "workers=process", rules, "!", "fakesink", NULL
  };
  GPid parent;
  pid_t worker;

  fail_unless (g_spawn_async (NULL, (gchar **) argv, NULL,
          G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &parent,
          NULL));
  patience_until ((worker = find_worker_of (parent)) != 0);
  g_usleep (__i__ * 200000);
  kill (parent, SIGKILL);
  g_spawn_close_pid (parent);
  patience_until (kill (worker, 0) < 0);
}

GST_END_TEST;

/* AddressSanitizer would turn them into an exit. */
static void
leave_signals_alone (void)
{
  const gchar *before = g_getenv ("ASAN_OPTIONS");
  g_autofree gchar *options = g_strdup_printf ("%s%shandle_segv=0:"
      "handle_sigfpe=0:handle_abort=0", before ? before : "",
      before ? ":" : "");

  g_setenv ("ASAN_OPTIONS", options, TRUE);
}

static Suite *
workers_suite (void)
{
  Suite *suite = suite_create ("workers");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  leave_signals_alone ();
  suite_add_tcase (suite, tc);
  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, test_same_results);
  tcase_add_test (tc, test_lists);
  tcase_add_test (tc, test_joined);
  tcase_add_test (tc, test_outputs);
  tcase_add_loop_test (tc, test_poison_among_64, 0, G_N_ELEMENTS (ends));
  tcase_add_loop_test (tc, test_overrun, 0, 2);
  tcase_add_loop_test (tc, test_memory, 0, 2);
  tcase_add_test (tc, test_threads);
  tcase_add_test (tc, test_given_memory);
  tcase_add_test (tc, test_flood);
  tcase_add_test (tc, test_early_commits_stay);
  tcase_add_test (tc, test_abort);
  tcase_add_loop_test (tc, test_c8_once, 0, 2);
  tcase_add_test (tc, test_c8_budget);
  tcase_add_test (tc, test_killed_from_outside);
  tcase_add_test (tc, test_killed_while_idle);
  tcase_add_test (tc, test_cannot_start);
  tcase_add_test (tc, test_stop_while_starting);
  tcase_add_test (tc, test_early_commits_leave);
  tcase_add_test (tc, test_unwanted);
  tcase_add_test (tc, test_properties);
  tcase_add_test (tc, test_stop_under_load);
  tcase_add_test (tc, test_flush_under_load);
  tcase_add_loop_test (tc, test_parent_is_killed, 0, 2);
  return suite;
}

GST_CHECK_MAIN (workers);
