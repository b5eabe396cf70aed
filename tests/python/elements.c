/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Functions in Python: what they get and give, and how their processes end. */

#include "run.h"
#include "complaints.h"
#include "patience.h"
#include "python.h"
#include "workers.h"

#include <gst/check/gstcheck.h>
#include <string.h>

static void
assert_no_workers (void)
{
  fail_unless_equals_int (workers_count (), 0);
}

/* ---- values ---- */

GST_START_TEST (test_text)
{
  assert_results (PYTHON ("Upper"), "ab; ü_ﬀ𝄞; ", "0 AB; 1 Ü_FF𝄞; 2 ");
  assert_results (PYTHON ("reverse"), "abc", "0 cba");
  assert_results (PYTHON ("Outer.Inner"), "abc", "0 ABC");
}

GST_END_TEST;

GST_START_TEST (test_arguments)
{
  assert_results (PYTHON ("Upper")
      " init-args=[" QUOTED ("?") "," QUOTED ("!") "] init-kwargs={" QUOTED ("end")
      ":" QUOTED (".") "} run-kwargs={" QUOTED ("times") ":2}", "a",
      "0 AA?!.");
}

GST_END_TEST;

GST_START_TEST (test_module_by_name)
{
  g_setenv ("PYTHONPATH", PYTHON_FOLDER, TRUE);
  assert_results ("orchpython module=functions class=Upper python="
      PYTHON_PROGRAM, "a", "0 A");
  g_unsetenv ("PYTHONPATH");
}

GST_END_TEST;

/* What changes while it plays is in force for the next batch. */
GST_START_TEST (test_change_while_playing)
{
  Run *self = run_new (RUN_IN "! " PYTHON ("Upper") " name=c ! " RUN_OUT);

  run_start (self);
  run_push (self, "a");
  collector_wait (self->out, 1);
  g_object_set (run_get (self, "c"), "run-kwargs", "{\"times\":3}", NULL);
  run_push (self, "b");
  collector_wait (self->out, 2);
  g_object_set (run_get (self, "c"), "run-kwargs", "{", NULL);
  run_push (self, "c");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 A; 1 BBB; 2 F python:1@2");
  run_free (self);
}

GST_END_TEST;

/* An expansion, and what is gathered of it. */
GST_START_TEST (test_lists)
{
  assert_results (PYTHON ("Words") " ! orchexpand ! " PYTHON ("Upper")
      " batch-size=4 ! orchreduce", "a_b_c; d; ", "0 [A,B,C]; 1 [D]; 2 []");
  assert_results (PYTHON ("Lengths"), "[a,b,c]; []", "0 3; 1 0");
  assert_results (PYTHON ("Identity"), "[a,[b,[]]]", "0 [a,[b,[]]]");
}

GST_END_TEST;

GST_START_TEST (test_mixed_list)
{
  assert_results (PYTHON ("Arrays"), "mixed", "0 [text,-,-,*,*,[]]");
  assert_results (PYTHON ("Arrays") " ! orchexpand ! " PYTHON ("Describe")
      " ! orchreduce on-failed=skip", "mixed", "0 [str 'text',ndarray array([0, "
      "1, 2]),dict {'x': 1},list ['']] 0/1 S python:gone@0/1");
}

GST_END_TEST;

GST_START_TEST (test_outputs)
{
  static const gchar *other[] = { "src", "src_1" };
  static const gchar *results[] = { "0 A; 1 BCD", "0 1; 1 3" };
  guint i;

  for (i = 0; i < 2; i++) {
    Run *self = run_new (RUN_IN "! " PYTHON ("Two") " name=c outputs=2 batch-size=4 "
        "c.%s ! " RUN_OUT "c.%s ! fakesink async=false", other[i],
        other[1 - i]);

    run_start (self);
    run_push (self, "a");
    run_push (self, "bcd");
    run_end (self);
    run_finish (self);
    run_assert_results (self, results[i]);
    run_free (self);
  }
}

GST_END_TEST;

/* S4.4: one outcome for all outputs. */
GST_START_TEST (test_outcomes_of_outputs)
{
  Run *self = run_new (RUN_IN "! " PYTHON ("TwoDeeds") " name=c outputs=2 "
      "! fakesink async=false c.src_1 ! " RUN_OUT);

  run_start (self);
  run_push (self, "a|b");
  run_push (self, "a|record");
  run_push (self, "drop|b");
  run_push (self, "record|group");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 b; 1 F python:bad-page@1; 2 D; "
      "3 F python:failed@3");
  run_free (self);
}

GST_END_TEST;

/* A pad for an output that there is not is an error before data flows. */
GST_START_TEST (test_missing_output)
{
  Run *self = run_new (RUN_IN "! " PYTHON ("Two") " name=c ! " RUN_OUT);
  GstElement *call = run_get (self, "c");
  GstPad *pad = gst_element_request_pad_simple (call, "src_%u");

  fail_unless (pad == NULL);
  g_object_set (call, "outputs", 3, NULL);
  pad = gst_element_request_pad_simple (call, "src_2");
  fail_unless (pad != NULL);
  fail_unless (gst_element_request_pad_simple (call, "src_3") == NULL);
  gst_element_release_request_pad (call, pad);
  gst_object_unref (pad);
  run_free (self);
}

GST_END_TEST;

/* Joined inputs are arguments: by number, or by the pads' labels. */
GST_START_TEST (test_joined)
{
  static const struct
  {
    const gchar *labels;
    const gchar *function;
    const gchar *results;
  } cases[] = {
    {"", PYTHON ("Add"), "0 a+A; 1 b+B"},
    {"", PYTHON ("Add") " run-kwargs={" QUOTED ("mark") ":" QUOTED ("-") "}",
        "0 a-A; 1 b-B"},
    {"sink_0::label=text sink_1::label=image", PYTHON ("Named"), "0 A:a; 1 B:b"},
    {"sink_1::label=second", PYTHON ("Add"), "0 a+A; 1 b+B"},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    Run *self = run_new (RUN_IN "! orchidentity ! tee name=t ! queue ! orchjoin name=j %s ! "
        "%s batch-size=4 ! " RUN_OUT "t. ! queue ! " PYTHON ("Upper") " ! j.sink_1",
        cases[i].labels, cases[i].function);

    run_start (self);
    run_push (self, "a");
    run_push (self, "b");
    run_end (self);
    run_finish (self);
    run_assert_results (self, cases[i].results);
    run_free (self);
  }
}

GST_END_TEST;

/* What is missing of an optional one is None. */
GST_START_TEST (test_joined_missing)
{
  Run *self = run_new (RUN_IN "! orchidentity ! tee name=t ! queue ! orchjoin name=j "
      "sink_1::optional=true ! " PYTHON ("Add") " ! " RUN_OUT
      "t. ! queue ! orchtestwork drop=1 ! j.sink_1");

  run_start (self);
  run_push (self, "x");
  run_push (self, "y");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 x+x; 1 y+None");
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_info)
{
  Run *self = run_new (RUN_IN "! orchexpand ! " PYTHON ("Mark") " ! "
      PYTHON ("Where") " batch-size=2 ! orchreduce ! " RUN_OUT);

  run_start (self);
  run_push (self, "[a]");
  run_push (self, "[a,b]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [0/0 text/x-raw, format=(string)utf8 a!]; "
      "1 [1/0 text/x-raw, format=(string)utf8 a!,"
      "1/1 text/x-raw, format=(string)utf8 b!]");
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_warning)
{
  Run *self = run_new (RUN_IN "! " PYTHON ("Warn") " ! " RUN_OUT);

  run_start (self);
  run_push (self, "dogs");
  run_end (self);
  run_finish (self);
  fail_unless_equals_int (self->news->len, 1);
  fail_unless_equals_string (gst_structure_get_string (g_ptr_array_index
          (self->news, 0), "message"), "beware of dogs");
  run_free (self);
}

GST_END_TEST;

/* ---- outcomes ---- */

static const struct
{
  const gchar *deed;
  const gchar *result;
} outcomes[] = {
  {"record", "0 [a,b] 0/1 F python:bad-page@0/1"},
  {"drop", "0 [a,b]"},
  {"raise", "0 [a,b] 0/1 F python:1@0/1"},
  {"raise_record", "0 [a,b] 0/1 F python:failed@0/1"},
  {"raise_drop", "0 [a,b]"},
  {"memory", "0 [a,b] 0/1 F python:1@0/1"},
  {"deep", "0 [a,b] 0/1 F python:1@0/1"},
  {"set", "0 [a,b] 0/1 F python:value@0/1"},
  {"complex", "0 [a,b] 0/1 F python:value@0/1"},
  {"nan", "0 [a,b] 0/1 F python:value@0/1"},
  {"group", "0 S python:failed@0/1"},
};

GST_START_TEST (test_outcome)
{
  g_autofree gchar *value = g_strdup_printf ("[a,%s,b]",
      outcomes[__i__].deed);

  assert_results ("orchexpand ! " PYTHON ("Deeds") " batch-size=3 ! "
      "orchreduce on-failed=skip", value, outcomes[__i__].result);
  assert_no_workers ();
}

GST_END_TEST;

/* A raised failure is of that unit whatever the recovery. */
GST_START_TEST (test_raise_and_abort)
{
  assert_results ("orchexpand ! " PYTHON ("Deeds") " batch-size=3 recovery=abort ! "
      "orchreduce on-failed=skip", "[a,raise_record,b]",
      "0 [a,b] 0/1 F python:failed@0/1");
}

GST_END_TEST;

/* The cause of a failed document has the traceback of the user's own code. */
GST_START_TEST (test_traceback)
{
  Run *self = run_new (RUN_IN "! " PYTHON ("Deeds") " recovery=abort ! " RUN_OUT);

  run_start (self);
  run_push (self, "raise");
  run_end (self);
  fail_if (run_wait (self));
  fail_unless (strstr (self->error, "ValueError: it is so") != NULL, "%s",
      self->error);
  fail_unless (strstr (self->error, "functions.py\", line ") != NULL, "%s",
      self->error);
  fail_unless (strstr (self->error, "gst_orch/worker") == NULL, "%s",
      self->error);
  run_free (self);
}

GST_END_TEST;

static void
assert_fails (const gchar * function, const gchar * says)
{
  Run *self = run_new (RUN_IN "! %s recovery=abort ! " RUN_OUT, function);

  run_start (self);
  run_push (self, "a");
  run_end (self);
  fail_if (run_wait (self));
  fail_unless (strstr (self->error, says) != NULL, "%s", self->error);
  run_free (self);
}

GST_START_TEST (test_contract)
{
  assert_fails (PYTHON ("WrongNumber"), "returned 0 values where 1 were");
  assert_fails (PYTHON ("WrongType"), "returned a dict where a list");
  assert_fails (PYTHON ("WrongPlace"), "has to yield (place in the batch, value)");
  assert_fails (PYTHON ("Upper") " outputs=2", "where 2 were expected");
}

GST_END_TEST;

/* ---- how a process ends ---- */

static const struct
{
  const gchar *deed;
  const gchar *code;
  const gchar *says;
  guint n;                      /* units in the batch */
} ends[] = {
  {"abort", "crashed", "the last words", 64},
  {"segv", "crashed", "signal 11", 64},
  {"exit", "crashed", "status 7", 8},
  {"sysexit", "crashed", "status 8", 8},
  {"exit_with_child", "crashed", "status 7", 4},
  {"exit_with_thread", "crashed", "status 8", 4},
};

static gboolean
has_warning (Run * self, const gchar * text)
{
  guint i;

  for (i = 0; i < self->warnings->len; i++)
    if (strstr (g_ptr_array_index (self->warnings, i), text))
      return TRUE;
  return FALSE;
}

/* Among as many as 64, the one is found. */
GST_START_TEST (test_poison)
{
  guint at = ends[__i__].n / 2 + 1;
  GString *value = g_string_new ("["), *rest = g_string_new ("[");
  g_autofree gchar *expected = NULL;
  Run *self;
  guint i;

  for (i = 0; i < ends[__i__].n; i++) {
    g_string_append_printf (value, i ? ",%s" : "%s",
        i == at ? ends[__i__].deed : "a");
    if (i != at)
      g_string_append (rest, i ? ",a" : "a");
  }
  g_string_append (value, "]");
  g_string_append (rest, "]");
  expected = g_strdup_printf ("0 %s 0/%u F orch:%s@0/%u", rest->str, at,
      ends[__i__].code, at);
  self = run_new (RUN_IN "! orchexpand ! " PYTHON ("Deeds") " name=work "
      "batch-size=64 ! orchreduce on-failed=skip ! " RUN_OUT);
  run_start (self);
  run_push (self, value->str);
  run_end (self);
  run_finish (self);
  run_assert_results (self, expected);
  fail_unless (has_warning (self, ends[__i__].says), "%s",
      (gchar *) g_ptr_array_index (self->warnings, 0));
  run_free (self);
  assert_no_workers ();
  g_string_free (value, TRUE);
  g_string_free (rest, TRUE);
}

GST_END_TEST;

GST_START_TEST (test_overrun)
{
  static const gchar *deeds[] = { "spin", "holdgil" };
  g_autofree gchar *value = g_strdup_printf ("[a,%s]", deeds[__i__]);

  assert_results ("orchexpand ! " PYTHON ("Deeds") " batch-size=2 "
      "attempt-timeout=1000000000 ! orchreduce on-failed=skip", value,
      "0 [a] 0/1 F orch:timeout@0/1");
  assert_no_workers ();
}

GST_END_TEST;

GST_START_TEST (test_max_memory)
{
  assert_results ("orchexpand ! " PYTHON ("Deeds") " batch-size=2 "
      "max-memory=400000000 ! orchreduce on-failed=skip", "[a,bomb]",
      "0 [a] 0/1 F orch:max-memory@0/1");
}

GST_END_TEST;

/* What nobody reads holds nothing up. */
GST_START_TEST (test_flood)
{
  assert_results (PYTHON ("Flood"), "a; b", "0 a; 1 b");
}

GST_END_TEST;

/* Whatever the Function is doing, going down ends its process. */
GST_START_TEST (test_stop)
{
  static const gchar *deeds[] = { "spin", "sleep", "holdgil" };
  Run *self = run_new (RUN_IN "! " PYTHON ("Deeds") " name=work ! " RUN_OUT);

  run_start (self);
  run_push (self, deeds[__i__]);
  patience_until (workers_count () == 1);
  run_free (self);
  assert_no_workers ();
}

GST_END_TEST;

/* Values that are yielded leave at once, and are not run again. */
GST_START_TEST (test_early_commits)
{
  Run *self = run_new (RUN_IN "! " PYTHON ("Early") " batch-size=2 ! " RUN_OUT);

  gst_element_set_state (self->pipeline, GST_STATE_READY);
  run_start (self);
  run_push (self, "a");
  run_push (self, "wait");
  collector_wait (self->out, 1);
  run_assert_results (self, "0 A");
  run_free (self);
  assert_results ("orchexpand ! " PYTHON ("Early") " batch-size=4 ! "
      "orchreduce on-failed=skip", "[a,b,segv,c]",
      "0 [A,B,C] 0/2 F orch:crashed@0/2");
  assert_no_workers ();
}

GST_END_TEST;

/* From PLAYING to READY and back: other processes, the same results. */
GST_START_TEST (test_reuse)
{
  Run *self = run_new (RUN_IN "! " PYTHON ("Upper") " replicas=2 ! " RUN_OUT);
  guint i;

  for (i = 0; i < 2; i++) {
    run_start (self);
    run_push (self, "a");
    run_end (self);
    run_finish (self);
    run_assert_results (self, "0 A");
    collector_clear (self->out);
    gst_element_set_state (self->pipeline, GST_STATE_READY);
    assert_no_workers ();
  }
  run_free (self);
}

GST_END_TEST;

/* ---- starting ---- */

static const struct
{
  const gchar *element;
  const gchar *says[3];
} mistakes[] = {
  {"orchpython class=Upper", {"property module"}},
  {"orchpython module=" PYTHON_FOLDER "/functions.py", {"property class"}},
  {"orchpython module=no.py class=A python=" PYTHON_PROGRAM,
      {"no.py", "no such file"}},
  {"orchpython module=no.such class=A python=" PYTHON_PROGRAM,
      {"no.such", "no such module", "its .py"}},
  {PYTHON ("Missing"), {"no class Missing", "Identity"}},
  {PYTHON ("NoRun"), {"no method run"}},
  {PYTHON ("CannotBeMade"), {"cannot be made", "the model is not there"}},
  {PYTHON ("Upper") " init-kwargs={" QUOTED ("no") ":1}", {"cannot be made", "'no'"}},
  {PYTHON ("Upper") " init-kwargs=[]", {"init-kwargs", "object"}},
  {PYTHON ("Upper") " init-args=[", {"init-args", "not JSON"}},
  {"orchpython module=" PYTHON_FOLDER "/broken.py class=A python="
        PYTHON_PROGRAM, {"SyntaxError", "broken.py"}},
  {"orchpython module=" PYTHON_FOLDER "/needy.py class=A python="
        PYTHON_PROGRAM, {"a_module_that_does_not_exist", "install it"}},
  {"orchpython module=m.py class=A python=/no/python", {"/no/python",
          "no Python interpreter", "property python"}},
};

GST_START_TEST (test_cannot_start)
{
  Run *self = run_new (RUN_IN "! %s name=my-step ! " RUN_OUT,
      mistakes[__i__].element);
  guint i;

  run_start (self);
  run_push (self, "a");
  run_end (self);
  fail_if (run_wait (self));
  fail_unless (g_str_has_prefix (self->error, "my-step "), "%s", self->error);
  for (i = 0; i < 3 && mistakes[__i__].says[i]; i++)
    fail_unless (strstr (self->error, mistakes[__i__].says[i]) != NULL,
        "%s", self->error);
  run_free (self);
  assert_no_workers ();
}

GST_END_TEST;

/* ---- walls ---- */

/* By default a model can be loaded whenever it is needed. */
GST_START_TEST (test_confine)
{
  Run *self = run_new (RUN_IN "! " PYTHON ("Walls") " name=c confine=true ! " RUN_OUT);
  gboolean confine;

  g_object_get (run_get (self, "c"), "confine", &confine, NULL);
  fail_unless (confine);
  run_start (self);
  run_push (self, "read");
  run_push (self, "program");
  run_push (self, "share");
  run_end (self);
  run_finish (self);
  if (!has_warning (self, "cannot confine"))
    run_assert_results (self, "0 refused; 1 refused; 2 0");
  run_free (self);
  assert_results (PYTHON ("Walls"), "read; program", "0 reached; 1 reached");
}

GST_END_TEST;

static Suite *
python_suite (void)
{
  Suite *suite = suite_create ("python");
  TCase *tc = tcase_create ("python");

  complaints_init ();
  suite_add_tcase (suite, tc);
  tcase_add_test (tc, test_text);
  tcase_add_test (tc, test_arguments);
  tcase_add_test (tc, test_module_by_name);
  tcase_add_test (tc, test_change_while_playing);
  tcase_add_test (tc, test_lists);
  tcase_add_test (tc, test_mixed_list);
  tcase_add_test (tc, test_outputs);
  tcase_add_test (tc, test_outcomes_of_outputs);
  tcase_add_test (tc, test_missing_output);
  tcase_add_test (tc, test_joined);
  tcase_add_test (tc, test_joined_missing);
  tcase_add_test (tc, test_info);
  tcase_add_test (tc, test_warning);
  tcase_add_loop_test (tc, test_outcome, 0, G_N_ELEMENTS (outcomes));
  tcase_add_test (tc, test_raise_and_abort);
  tcase_add_test (tc, test_traceback);
  tcase_add_test (tc, test_contract);
  tcase_add_loop_test (tc, test_poison, 0, G_N_ELEMENTS (ends));
  tcase_add_loop_test (tc, test_overrun, 0, 2);
  tcase_add_test (tc, test_max_memory);
  tcase_add_test (tc, test_flood);
  tcase_add_loop_test (tc, test_stop, 0, 3);
  tcase_add_test (tc, test_early_commits);
  tcase_add_test (tc, test_reuse);
  tcase_add_loop_test (tc, test_cannot_start, 0, G_N_ELEMENTS (mistakes));
  tcase_add_test (tc, test_confine);
  return suite;
}

GST_CHECK_MAIN (python);
