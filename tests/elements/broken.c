/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* S5.6: a run that an error has ended loses nothing: what did not come to its
 * end has no outcome, and nothing is said of it. */

#include "run.h"
#include "complaints.h"
#include "patience.h"

#include <gst/check/gstcheck.h>
#include <glib/gstdio.h>
#include <string.h>

static void
assert_no_loss (Run * self)
{
  guint i;

  for (i = 0; i < self->warnings->len; i++)
    if (strstr (g_ptr_array_index (self->warnings, i), "losing"))
      g_error ("%s", (gchar *) g_ptr_array_index (self->warnings, i));
}

/* ---- a push fails ---- */

/* The third document breaks each. */
static const gchar *chains[] = {
  "orchexpand ! identity error-after=5 ! orchtestwork ! "
      "orchreduce name=r on-failed=placeholder",
  "orchexpand ! orchtestwork ! identity error-after=5 ! "
      "orchreduce name=r on-failed=placeholder",
  "orchexpand ! orchfilter predicate=\"value != x\" ! identity error-after=5 ! "
      "orchreduce name=r on-failed=skip",
  "orchexpand ! orchtestwork ! identity error-after=5 ! orchtestwork ! "
      "orchfilter predicate=\"value != x\" ! tee name=t ! queue ! j.sink_0 "
      "t. ! queue ! j.sink_1 orchjoin name=j sink_1::optional=true ! "
      "orchreduce name=r on-failed=placeholder",
  "orchexpand ! tee name=t ! queue ! j. "
      "t. ! orchtestwork ! identity error-after=5 ! j. orchjoin name=j ! "
      "orchreduce name=r on-failed=placeholder",
  "orchexpand ! orchtestlist n=2 ! orchexpand ! orchreduce ! "
      "identity error-after=5 ! orchreduce name=r on-failed=placeholder",
};

/* What was whole before goes out, and nothing else; every pad comes to EOS. */
GST_START_TEST (test_push)
{
  Run *self = run_new (RUN_IN "! %s ! " RUN_OUT, chains[__i__]);

  run_start (self);
  run_push (self, "[a,b]");
  collector_wait (self->out, 1);
  run_push (self, "[c,d]");
  collector_wait (self->out, 2);
  run_push (self, "[e,f]");
  run_end (self);
  g_assert_false (run_wait (self));
  collector_wait_eos (self->out);
  fail_unless_equals_int (collector_get_n_results (self->out), 2);
  fail_unless_equals_int (run_count_ledgers (self, "r"), 0);
  gst_element_set_state (self->pipeline, GST_STATE_READY);
  run_read_bus (self);
  assert_no_loss (self);
  fail_unless_equals_uint64 (run_get_ledger (self, "r", "finished"), FALSE);
  fail_unless_equals_uint64 (run_get_ledger (self, "r", "present"), 2);
  fail_unless_equals_uint64 (run_get_ledger (self, "r", "dropped"), 0);
  run_free (self);
}

GST_END_TEST;

/* ---- the next run ---- */

GST_START_TEST (test_again)
{
  Run *self = run_new (RUN_IN "! orchexpand ! identity name=i error-after=2 ! "
      "orchtestwork ! orchreduce ! " RUN_OUT);

  run_start (self);
  run_push (self, "[a,b]");
  g_assert_false (run_wait (self));
  gst_element_set_state (self->pipeline, GST_STATE_READY);
  run_read_bus (self);
  g_clear_pointer (&self->error, g_free);
  g_clear_pointer (&self->error_debug, g_free);
  collector_clear (self->out);
  g_object_set (run_get (self, "i"), "error-after", -1, "drop-probability", 1.0,
      NULL);
  run_start (self);
  run_push (self, "[c,d]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [] 0/0 L orch:lost@0/0 0/1 L orch:lost@0/1");
  fail_unless_equals_int (self->warnings->len, 1);
  run_free (self);
}

GST_END_TEST;

/* ---- records ---- */

/* The error is known before anything that was lost in it, whatever stands between
 * it and us, and whoever sends EOS then.  What dies is the last of the third
 * document. */
static const gchar *record_chains[] = {
  "orchexpand ! orchtestwork ! identity error-after=6",
  "orchexpand ! orchtestwork ! queue ! identity error-after=6",
  "orchexpand ! queue ! identity error-after=6 ! orchtestwork",
  "orchexpand ! tee name=u ! queue ! identity error-after=6 ! j. "
      "u. ! queue ! j. orchjoin name=j",
};

/* No document has one that is not to blame. */
GST_START_TEST (test_records)
{
  g_autofree gchar *folder = g_dir_make_tmp ("orch-broken-XXXXXX", NULL);
  g_autofree gchar *file = g_build_filename (folder, "r.jsonl", NULL);
  g_autofree gchar *records = NULL;
  Run *self = run_new (RUN_IN "! %s ! orchreduce on-failed=placeholder ! "
      "orchsink name=out location=%s order=input", record_chains[__i__], file);

  run_start (self);
  run_push (self, "[a,b]");
  run_push (self, "[c,d]");
  patience_until (run_get_stat (self, "out", "documents") == 2);
  run_push (self, "[e,f]");
  run_push (self, "[g,h]");
  run_end (self);
  g_assert_false (run_wait (self));
  gst_element_set_state (self->pipeline, GST_STATE_READY);
  run_read_bus (self);
  g_assert_true (g_file_get_contents (file, &records, NULL, NULL));
  fail_unless (strstr (records, "\"path\":\"0\"") != NULL);
  fail_unless (strstr (records, "\"path\":\"1\"") != NULL);
  fail_if (strstr (records, "\"path\":\"2\"") != NULL);
  fail_if (strstr (records, "\"path\":\"3\"") != NULL);
  fail_unless_equals_uint64 (run_get_ledger (self, "out", "finished"), FALSE);
  fail_unless_equals_uint64 (run_get_ledger (self, "out", "present"), 2);
  run_free (self);
  g_unlink (file);
  g_rmdir (folder);
}

GST_END_TEST;

static Suite *
broken_suite (void)
{
  Suite *s = suite_create ("broken");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_push, 0, G_N_ELEMENTS (chains));
  tcase_add_test (tc, test_again);
  tcase_add_loop_test (tc, test_records, 0, G_N_ELEMENTS (record_chains));
  return s;
}

GST_CHECK_MAIN (broken);
