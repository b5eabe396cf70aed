/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* What people set, read and are told. */

#include "run.h"
#include "complaints.h"
#include "script.h"
#include "patience.h"

#include <gst/check/gstcheck.h>
#include <string.h>

/* ---- settings ---- */

static const gchar *element_names[] = { "orchcall", "orchexpand",
  "orchreduce", "orchidentity", "orchfilter", "orchjoin"
};

static void
check_property (GParamSpec * pspec)
{
  const gchar *blurb = g_param_spec_get_blurb (pspec);

  fail_unless (blurb != NULL && *blurb != '\0');
  fail_unless (g_param_spec_get_nick (pspec) != NULL);
  if (pspec->flags & G_PARAM_WRITABLE)
    fail_unless (pspec->flags & (GST_PARAM_MUTABLE_READY |
            GST_PARAM_MUTABLE_PAUSED | GST_PARAM_MUTABLE_PLAYING));
}

/* Each property says what it is and when it may be set, and gives back its
 * default. */
GST_START_TEST (test_properties_are_documented)
{
  GstElement *element = gst_element_factory_make (element_names[__i__], NULL);
  guint i, n;
  GParamSpec **pspecs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);

  for (i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT;

    if (pspecs[i]->owner_type == GST_TYPE_OBJECT)
      continue;
    check_property (pspecs[i]);
    g_value_init (&value, pspecs[i]->value_type);
    g_object_get_property (G_OBJECT (element), pspecs[i]->name, &value);
    if (pspecs[i]->flags & G_PARAM_WRITABLE)
      fail_unless (g_param_value_defaults (pspecs[i], &value));
    g_value_unset (&value);
  }
  g_free (pspecs);
  gst_object_unref (element);
}

GST_END_TEST;

GST_START_TEST (test_properties_are_kept)
{
  static const gchar *settings = "batch-size=7 replicas=3 batching=siblings "
      "recovery=retry-tail max-retries=4 max-buffers=99 max-bytes=1234567 "
      "order=input on-lost=fail max-wait=5000 attempt-timeout=6000";
  g_autofree gchar *call = g_strconcat ("orchcall function=identity ", settings,
      NULL);
  GstElement *element = gst_parse_launch (call, NULL);
  g_auto (GStrv) pairs = g_strsplit (settings, " ", -1);
  guint i;

  for (i = 0; pairs[i]; i++) {
    g_auto (GStrv) pair = g_strsplit (pairs[i], "=", 2);
    GValue value = G_VALUE_INIT;
    g_autofree gchar *text = NULL;

    g_object_get_property (G_OBJECT (element), pair[0], &value);
    text = gst_value_serialize (&value);
    g_assert_cmpstr (text, ==, pair[1]);
    g_value_unset (&value);
  }
  gst_object_unref (element);
}

GST_END_TEST;

/* Both orders of a Function and its properties (architecture 5). */
GST_START_TEST (test_function_properties_in_both_orders)
{
  static const gchar *calls[] = {
    "orchcall name=l function=test-list function::n=2 function::text=true",
    "orchcall name=l function::n=2 function=test-list function::text=true",
    "orchcall name=l function::text=true function::n=2 function=test-list",
    "orchtestlist name=l n=2 text=true",
  };
  Run *self = run_new (RUN_IN "! %s ! orchexpand ! orchreduce ! " RUN_OUT,
      calls[__i__]);
  guint n;

  if (__i__ < 3)
    gst_child_proxy_get (GST_CHILD_PROXY (run_get (self, "l")), "function::n",
        &n, NULL);
  else
    g_object_get (run_get (self, "l"), "n", &n, NULL);
  fail_unless_equals_int (n, 2);
  run_start (self);
  run_push (self, "x");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [0/0,0/1]");
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_another_function)
{
  Run *self = run_new (RUN_IN "! orchcall name=c function=test-work "
      "function::drop=* ! " RUN_OUT);
  g_autofree gchar *name = NULL;

  g_object_set (run_get (self, "c"), "function", "identity", NULL);
  g_object_get (run_get (self, "c"), "function", &name, NULL);
  fail_unless_equals_string (name, "identity");
  run_start (self);
  run_push (self, "x");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 x");
  run_free (self);
}

GST_END_TEST;

static void
assert_lists_functions (Run * self)
{
  fail_unless (strstr (self->error, "identity")
      || strstr (self->error_debug, "identity"));
  fail_unless (strstr (self->error, "test-work")
      || strstr (self->error_debug, "test-work"));
}

/* S8 */
GST_START_TEST (test_unknown_function)
{
  Run *self = run_new (RUN_IN "! orchcall name=mine function=test-werk ! "
      RUN_OUT);

  fail_unless_equals_int (gst_element_set_state (self->pipeline,
          GST_STATE_PLAYING), GST_STATE_CHANGE_FAILURE);
  run_read_bus (self);
  fail_unless (strstr (self->error, "mine"));
  fail_unless (strstr (self->error, "\"test-werk\""));
  assert_lists_functions (self);
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_no_function)
{
  Run *self = run_new (RUN_IN "! orchcall name=mine ! " RUN_OUT);

  fail_unless_equals_int (gst_element_set_state (self->pipeline,
          GST_STATE_PLAYING), GST_STATE_CHANGE_FAILURE);
  run_read_bus (self);
  fail_unless (strstr (self->error, "mine has no Function"));
  assert_lists_functions (self);
  run_free (self);
}

GST_END_TEST;

/* What is wrong can be put right. */
GST_START_TEST (test_unknown_function_put_right)
{
  Run *self = run_new (RUN_IN "! orchcall name=mine function=test-werk ! "
      RUN_OUT);

  fail_unless_equals_int (gst_element_set_state (self->pipeline,
          GST_STATE_PLAYING), GST_STATE_CHANGE_FAILURE);
  run_read_bus (self);
  g_clear_pointer (&self->error, g_free);
  g_clear_pointer (&self->error_debug, g_free);
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  g_object_set (run_get (self, "mine"), "function", "test-work", NULL);
  run_start (self);
  run_push (self, "x");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 x");
  run_free (self);
}

GST_END_TEST;

/* ---- changes while playing ---- */

GST_START_TEST (test_batch_size_while_playing)
{
  Run *self = run_new (RUN_IN "! orchcall name=c function=test-work "
      "function::hold=true max-buffers=8 ! " RUN_OUT);
  g_autofree gchar *log = NULL;
  guint i;

  run_start (self);
  for (i = 0; i < 8; i++)
    run_push (self, "x");
  patience_until (run_get_stat (self, "c", "entered") == 8);
  g_object_set (run_get (self, "c"), "batch-size", 3, NULL);
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "c")),
      "function::hold", FALSE, NULL);
  collector_wait (self->out, 8);
  log = run_get_text (self, "c", "function::log");
  fail_unless_equals_string (log, "(0:0 1:0 2:0)(3:0 4:0 5:0)(6:0 7:0)");
  run_end (self);
  run_finish (self);
  run_free (self);
}

GST_END_TEST;

/* Whatever is changed, nothing is lost and nothing hangs. */
GST_START_TEST (test_everything_while_playing)
{
  Run *self = run_new (RUN_IN "! orchexpand name=e ! queue ! "
      "orchcall name=c replicas=2 function=test-work ! orchreduce name=r ! "
      RUN_OUT);
  guint i;

  run_start (self);
  for (i = 0; i < 200; i++) {
    run_push (self, "[a,b,c,d,e]");
    g_object_set (run_get (self, "c"), "batch-size", 1 + i % 5, "max-buffers",
        i % 4, "max-bytes", (guint64) (1 + i % 3), "on-lost", i % 2,
        "max-wait", (guint64) (i % 3) * GST_USECOND, "attempt-timeout",
        (guint64) (i % 2) * 3600 * GST_SECOND, NULL);
    g_object_set (run_get (self, "e"), "max-buffers", 1 + i % 3, NULL);
    g_object_set (run_get (self, "r"), "on-lost", i % 2, NULL);
    gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "c")),
        "function::sleep", i % 7, NULL);
  }
  run_end (self);
  run_finish (self);
  fail_unless_equals_int (collector_get_n_results (self->out), 200);
  fail_unless_equals_uint64 (run_get_stat (self, "r", "present"), 200);
  run_free (self);
}

GST_END_TEST;

/* ---- stats ---- */

/* An array of counts, "0,0,2". */
static void
assert_counts (Run * self, const gchar * field, const gchar * expected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GstStructure *stats;
  const GValue *array;
  guint i;

  g_object_get (run_get (self, "c"), "stats", &stats, NULL);
  array = gst_structure_get_value (stats, field);
  for (i = 0; i < gst_value_array_get_size (array); i++)
    g_string_append_printf (text, "%s%" G_GUINT64_FORMAT, i ? "," : "",
        g_value_get_uint64 (gst_value_array_get_value (array, i)));
  gst_structure_free (stats);
  g_assert_cmpstr (text->str, ==, expected);
}

/* 10 units, batches of 4: two are full, one is what was left. */
GST_START_TEST (test_call_stats)
{
  static const gchar *counts = "entered=10 present=5 dropped=2 failed=1 "
      "suppressed=2 forgotten=0 lost=0 duplicates=0 refused=0 batches=2 "
      "batches-full=2 batches-drained=0 batches-recovery=0";
  Run *self = run_new (RUN_IN "! orchexpand ! orchcall name=c batch-size=4 "
      "function=test-work function::hold=true function::drop=0/1,0/2 "
      "function::record=0/3 ! " RUN_OUT);
  g_auto (GStrv) pairs = g_strsplit (counts, " ", -1);
  guint i;

  run_start (self);
  run_push (self, "[a,b,c,d,e,!x,!y,f,g,h]");
  patience_until (run_get_stat (self, "c", "entered") == 10);
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "c")),
      "function::hold", FALSE, NULL);
  run_end (self);
  run_finish (self);
  for (i = 0; pairs[i]; i++) {
    g_auto (GStrv) pair = g_strsplit (pairs[i], "=", 2);
    guint64 n = run_get_stat (self, "c", pair[0]);

    if (n != g_ascii_strtoull (pair[1], NULL, 10))
      g_error ("%s is %" G_GUINT64_FORMAT ", not %s", pair[0], n, pair[1]);
  }
  assert_counts (self, "fill", "0,0,0,0,0,0,0,2");
  assert_counts (self, "sizes", "0,0,0,2");
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_recovery_stats)
{
  Run *self = run_new (RUN_IN "! orchcall name=c batch-size=4 max-buffers=4 "
      "function=test-work function::hold=true function::error-once=1 ! "
      RUN_OUT);
  guint i;

  run_start (self);
  for (i = 0; i < 4; i++)
    run_push (self, "x");
  patience_until (run_get_stat (self, "c", "entered") == 4);
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "c")),
      "function::hold", FALSE, NULL);
  run_end (self);
  run_finish (self);
  fail_unless_equals_uint64 (run_get_stat (self, "c", "batches"), 2);
  fail_unless_equals_uint64 (run_get_stat (self, "c", "batches-full"), 1);
  fail_unless_equals_uint64 (run_get_stat (self, "c", "batches-recovery"), 1);
  fail_unless_equals_uint64 (run_get_stat (self, "c", "repeated"), 4);
  assert_counts (self, "sizes", "0,0,0,2");
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_expand_and_reduce_stats)
{
  Run *self = run_new (RUN_IN "! orchcall function=test-work "
      "function::drop=3 ! orchexpand name=e ! orchcall function=test-work "
      "function::record=1/0 ! orchreduce name=r ! " RUN_OUT);

  run_start (self);
  run_push (self, "[a,b]");
  run_push (self, "[c]");
  run_push (self, "[]");
  run_push (self, "[d]");
  run_end (self);
  run_finish (self);
  fail_unless_equals_uint64 (run_get_stat (self, "e", "parents"), 4);
  fail_unless_equals_uint64 (run_get_stat (self, "e", "children"), 3);
  fail_unless_equals_uint64 (run_get_stat (self, "r", "present"), 2);
  fail_unless_equals_uint64 (run_get_stat (self, "r", "suppressed"), 1);
  fail_unless_equals_uint64 (run_get_stat (self, "r", "dropped"), 1);
  run_free (self);
}

GST_END_TEST;

/* ---- messages ---- */

static gboolean
fail_setup (guint replica, gpointer data, GError ** error)
{
  g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
      "the model is not there");
  return FALSE;
}

static gboolean
warn (GstOrchBatch * batch, guint replica, gpointer data, GError ** error)
{
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    gst_orch_batch_warn (batch, i, "scaled to %d %%", 50);
    gst_orch_batch_warn (batch, i, "and turned");
    script_present (batch, i);
  }
  return TRUE;
}

/* One replica that cannot start is a clear error, not a hang. */
GST_START_TEST (test_setup_fails)
{
  Run *self = run_new (RUN_IN "! orchcall name=mine replicas=2 "
      "function=script ! " RUN_OUT);

  script_set (0, (Script) {.setup = fail_setup});
  run_start (self);
  run_push (self, "x");
  fail_if (run_wait (self));
  fail_unless (strstr (self->error, "mine"));
  fail_unless (strstr (self->error, "the model is not there"));
  run_free (self);
}

GST_END_TEST;

static guint
count_progress (GstBus * bus, GstProgressType wanted)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_PROGRESS))) {
    GstProgressType type;

    gst_message_parse_progress (message, &type, NULL, NULL);
    n += type == wanted;
    gst_message_unref (message);
  }
  return n;
}

/* Setting up is slow for some, so they are told. */
GST_START_TEST (test_progress)
{
  static const GstProgressType types[] = { GST_PROGRESS_TYPE_START,
    GST_PROGRESS_TYPE_COMPLETE
  };
  Run *self = run_new (RUN_IN "! orchcall name=c replicas=3 "
      "function=test-work ! " RUN_OUT);
  GstBus *bus = gst_element_get_bus (self->pipeline);

  run_start (self);
  run_push (self, "x");
  run_end (self);
  collector_wait_eos (self->out);
  gst_element_set_state (self->pipeline, GST_STATE_READY);
  fail_unless_equals_int (count_progress (bus, types[__i__]), 3);
  gst_object_unref (bus);
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_warnings_of_functions)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchcall function=script ! "
      "orchreduce ! " RUN_OUT);
  const GstOrchListElement *element;
  const GValue *warnings;
  GstBuffer *buffer;

  script_set (0, (Script) {.run = warn});
  run_start (self);
  run_push (self, "[a]");
  run_end (self);
  run_finish (self);
  fail_unless_equals_int (self->news->len, 2);
  fail_unless (gst_structure_has_name (g_ptr_array_index (self->news, 0),
          "orch-warning"));
  fail_unless_equals_string (gst_structure_get_string (g_ptr_array_index
          (self->news, 0), "message"), "scaled to 50 %");
  fail_unless_equals_string (gst_structure_get_string (g_ptr_array_index
          (self->news, 1), "path"), "0/0");
  buffer = collector_get_buffer (self->out, "0");
  element = gst_orch_list_get (gst_orch_buffer_get_list (buffer), 0);
  warnings = gst_structure_get_value (element->info, "warnings");
  fail_unless_equals_int (gst_value_list_get_size (warnings), 2);
  fail_unless_equals_string (g_value_get_string (gst_value_list_get_value
          (warnings, 1)), "and turned");
  gst_buffer_unref (buffer);
  run_free (self);
}

GST_END_TEST;

/* Outcomes and Expansions go by as events for applications. */
static GstPadProbeReturn
note_expansions (GstPad * pad, GstPadProbeInfo * info, gpointer text)
{
  const GstStructure *event =
      gst_event_get_structure (GST_PAD_PROBE_INFO_EVENT (info));

  if (event && gst_structure_has_name (event, "orch-expansion")) {
    guint64 n;

    gst_structure_get_uint64 (event, "children", &n);
    fail_unless (gst_structure_get_string (event, "domain") != NULL);
    g_string_append_printf (text, " %s %s %u; ",
        gst_structure_get_string (event, "path"),
        gst_structure_get_string (event, "state"), (guint) n);
  }
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_expansion_events)
{
  Run *self = run_new (RUN_IN "! orchcall function=test-work "
      "function::record=1 function::drop=2 order=input ! "
      "orchexpand ! " RUN_OUT);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "out"), "sink");
  GString *text = g_string_new (NULL);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      note_expansions, text, NULL);
  run_start (self);
  run_push (self, "[a]");
  run_push (self, "[b]");
  run_push (self, "[c]");
  run_end (self);
  run_finish (self);
  fail_unless (strstr (text->str, " 1 failed 0; "));
  fail_unless (strstr (text->str, " 2 dropped 0; "));
  g_string_free (text, TRUE);
  gst_object_unref (pad);
  run_free (self);
}

GST_END_TEST;

static void
add_changes_and_stats (TCase * tc)
{
  tcase_add_test (tc, test_batch_size_while_playing);
  tcase_add_test (tc, test_everything_while_playing);
  tcase_add_test (tc, test_call_stats);
  tcase_add_test (tc, test_recovery_stats);
  tcase_add_test (tc, test_expand_and_reduce_stats);
}

static Suite *
properties_suite (void)
{
  Suite *s = suite_create ("properties");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_properties_are_documented, 0,
      G_N_ELEMENTS (element_names));
  tcase_add_test (tc, test_properties_are_kept);
  tcase_add_loop_test (tc, test_function_properties_in_both_orders, 0, 4);
  tcase_add_test (tc, test_another_function);
  tcase_add_test (tc, test_unknown_function);
  tcase_add_test (tc, test_no_function);
  tcase_add_test (tc, test_unknown_function_put_right);
  add_changes_and_stats (tc);
  tcase_add_test (tc, test_setup_fails);
  tcase_add_loop_test (tc, test_progress, 0, 2);
  tcase_add_test (tc, test_warnings_of_functions);
  tcase_add_test (tc, test_expansion_events);
  return s;
}

GST_CHECK_MAIN (properties);
