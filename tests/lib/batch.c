/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* What GstOrchBatch promises a Function, and asks of it. */

#include "run.h"
#include "complaints.h"
#include "script.h"
#include "notation.h"
#include "patience.h"

#include <gst/check/gstcheck.h>
#include <string.h>

typedef struct
{
  Run *run;
  Gate ready;                   /* everything has entered */
  guint attempts;
} Scene;

static gboolean
wait_until_ready (guint replica, gpointer data, GError ** error)
{
  gate_pass (&((Scene *) data)->ready);
  return TRUE;
}

/* `n` Grains in one batch of the scripted Function. */
static void
play (Scene * scene, const gchar * function, const gchar * list, guint n,
    gboolean (*run) (GstOrchBatch *, guint, gpointer, GError **))
{
  gate_init (&scene->ready);
  scene->attempts = 0;
  script_set (0, (Script) {.setup = wait_until_ready,.run = run,
          .data = scene});
  scene->run = run_new (RUN_IN "! orchexpand ! orchcall name=work "
      "batch-size=8 function=%s ! orchreduce on-failed=placeholder ! " RUN_OUT,
      function);
  run_start (scene->run);
  run_push (scene->run, list);
  patience_until (run_get_stat (scene->run, "work", "entered") == n);
  gate_open (&scene->ready);
  run_end (scene->run);
  run_finish (scene->run);
}

static void
clear (Scene * scene)
{
  run_free (scene->run);
  gate_clear (&scene->ready);
}

/* ---- what to work on ---- */

static gboolean
look (GstOrchBatch * batch, guint replica, gpointer data, GError ** error)
{
  guint i;

  fail_unless_equals_int (gst_orch_batch_get_size (batch), 3);
  for (i = 0; i < 3; i++) {
    GstOrchEntity *entity = gst_orch_batch_get_entity (batch, i);
    GstCaps *caps = gst_orch_batch_get_caps (batch, i);

    fail_unless_equals_uint64 (gst_orch_entity_get_ordinal (entity), i);
    fail_unless_equals_int (gst_buffer_get_size (gst_orch_batch_get_buffer
            (batch, i)), i + 1);
    fail_unless (gst_structure_has_name (gst_caps_get_structure (caps, 0),
            "text/x-raw"));
    fail_unless (gst_orch_batch_get_info (batch, i) == NULL);
    fail_unless_equals_int (gst_orch_batch_get_generation (batch, i), 0);
    fail_unless (gst_orch_batch_is_wanted (batch, i));
  }
  fail_if (gst_orch_batch_is_cancelled (batch));
  script_present_all (batch);
  return TRUE;
}

GST_START_TEST (test_accessors)
{
  Scene scene;

  play (&scene, "script", "[a,bb,ccc]", 3, look);
  run_assert_results (scene.run, "0 [a,bb,ccc]");
  clear (&scene);
}

GST_END_TEST;

/* ---- the contract (S4.3) ---- */

static gboolean
do_nothing (GstOrchBatch * batch, guint replica, gpointer data, GError ** error)
{
  gst_orch_batch_commit (batch);
  return TRUE;
}

GST_START_TEST (test_no_outcomes)
{
  Scene scene;

  play (&scene, "script", "[a,b]", 2, do_nothing);
  run_assert_results (scene.run, "0 [-,-] 0/0 F orch:contract@0/0 "
      "0/1 F orch:contract@0/1");
  fail_unless_equals_uint64 (run_get_stat (scene.run, "work", "batches"), 1);
  clear (&scene);
}

GST_END_TEST;

static gboolean
every_outcome_twice (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  fail_unless (gst_orch_batch_drop (batch, 0));
  fail_if (gst_orch_batch_drop (batch, 0));
  fail_unless (gst_orch_batch_fail_record (batch, 1,
          gst_orch_cause_new ("test", "one", "first")));
  fail_if (gst_orch_batch_fail_record (batch, 1,
          gst_orch_cause_new ("test", "two", "second")));
  fail_unless (gst_orch_batch_present_list (batch, 2, gst_orch_list_new ()));
  fail_if (gst_orch_batch_present_list (batch, 2, gst_orch_list_new ()));
  fail_unless (gst_orch_batch_fail_group (batch, 3,
          gst_orch_cause_new ("test", "three", "first")));
  fail_if (gst_orch_batch_fail_group (batch, 3,
          gst_orch_cause_new ("test", "four", "second")));
  /* Outside the batch. */
  fail_if (gst_orch_batch_drop (batch, 4));
  return TRUE;
}

GST_START_TEST (test_second_outcomes)
{
  Scene scene;

  play (&scene, "script-group", "[a,b,c,d]", 4, every_outcome_twice);
  run_assert_results (scene.run, "0 S test:three@0/3");
  /* Counted when run() has returned, which may be after EOS. */
  patience_until (run_get_stat (scene.run, "work", "refused") == 5);
  clear (&scene);
}

GST_END_TEST;

/* ---- early commits (S4.2) ---- */

static gboolean
commit_early (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  Scene *scene = data;

  script_present (batch, 0);
  gst_orch_batch_commit (batch);
  /* It leaves while the batch goes on. */
  patience_until (run_get_stat (scene->run, "work", "present") == 1);
  fail_unless (gst_orch_batch_get_buffer (batch, 0) == NULL);
  fail_unless (gst_orch_batch_get_entity (batch, 0) == NULL);
  fail_unless (gst_orch_batch_get_caps (batch, 0) == NULL);
  fail_unless (gst_orch_batch_get_info (batch, 0) == NULL);
  fail_if (gst_orch_batch_is_wanted (batch, 0));
  fail_if (gst_orch_batch_drop (batch, 0));
  gst_orch_batch_set_info (batch, 0, gst_structure_new_empty ("info"));
  gst_orch_batch_warn (batch, 0, "too late");
  fail_unless (gst_orch_batch_get_buffer (batch, 1) != NULL);
  gst_orch_batch_drop (batch, 1);
  gst_orch_batch_commit (batch);
  script_present (batch, 2);
  return TRUE;
}

GST_START_TEST (test_early_commit)
{
  Scene scene;

  play (&scene, "script", "[a,b,c]", 3, commit_early);
  run_assert_results (scene.run, "0 [a,c]");
  patience_until (run_get_stat (scene.run, "work", "refused") == 1);
  fail_unless_equals_int (scene.run->news->len, 0);
  clear (&scene);
}

GST_END_TEST;

static gboolean
commit_and_fail (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  Scene *scene = data;

  if (scene->attempts++ == 0) {
    fail_unless_equals_int (gst_orch_batch_get_size (batch), 3);
    script_present (batch, 1);
    gst_orch_batch_commit (batch);
    script_present (batch, 0);
    return script_fail (error);
  }
  fail_unless_equals_int (gst_orch_batch_get_size (batch), 2);
  fail_unless_equals_int (gst_orch_batch_get_generation (batch, 0), 1);
  script_present_all (batch);
  return TRUE;
}

/* What is committed is done; the rest is tried again. */
GST_START_TEST (test_early_commit_and_failure)
{
  Scene scene;

  play (&scene, "script", "[a,b,c]", 3, commit_and_fail);
  run_assert_results (scene.run, "0 [a,b,c]");
  fail_unless_equals_int (scene.attempts, 2);
  clear (&scene);
}

GST_END_TEST;

/* ---- failed attempts ---- */

static gboolean
present_own_and_fail (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  Scene *scene = data;

  script_present (batch, 0);
  gst_orch_batch_present (batch, 1, gst_buffer_new (), NULL);
  gst_orch_batch_drop (batch, 2);
  gst_orch_batch_fail_record (batch, 3, gst_orch_cause_new ("test", "x", "y"));
  gst_orch_batch_set_info (batch, 0, gst_structure_new ("info", "attempt",
          G_TYPE_UINT, scene->attempts, NULL));
  if (scene->attempts++ < 2)
    return script_fail (error);
  return TRUE;
}

static gboolean
then_present (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  Scene *scene = data;

  if (scene->attempts == 0)
    return present_own_and_fail (batch, replica, data, error);
  /* What was said is unsaid, and every input is there again. */
  script_present_all (batch);
  return TRUE;
}

GST_START_TEST (test_present_own_and_fail)
{
  Scene scene;

  play (&scene, "script", "[a,b,c,d]", 4, then_present);
  run_assert_results (scene.run, "0 [a,b,c,d]");
  clear (&scene);
}

GST_END_TEST;

static gboolean
fail_without_error (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  return FALSE;
}

GST_START_TEST (test_failure_without_error)
{
  Scene scene;

  play (&scene, "script", "[a]", 1, fail_without_error);
  run_assert_results (scene.run, "0 [-] 0/0 F orch:unknown@0/0");
  clear (&scene);
}

GST_END_TEST;

/* ---- group failures ---- */

static gboolean
fail_group_of_first (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  gst_orch_batch_fail_group (batch, 0, gst_orch_cause_new ("test", "group",
          "the group fails"));
  script_present (batch, 1);
  return TRUE;
}

GST_START_TEST (test_group_failure)
{
  Scene scene;

  play (&scene, "script-group", "[a,b]", 2, fail_group_of_first);
  run_assert_results (scene.run, "0 S test:group@0/0");
  fail_unless_equals_uint64 (run_get_stat (scene.run, "work", "failed"), 1);
  fail_unless_equals_uint64 (run_get_stat (scene.run, "work", "suppressed"),
      1);
  clear (&scene);
}

GST_END_TEST;

/* Of a Function that has not declared it: a programming error, and one failed
 * record. */
GST_START_TEST (test_undeclared_group_failure)
{
  Scene scene;

  assert_complaint (play (&scene, "script", "[a,b]", 2, fail_group_of_first));
  run_assert_results (scene.run, "0 [-,b] 0/0 F test:group@0/0");
  clear (&scene);
}

GST_END_TEST;

/* ---- causes, info, times ---- */

static gboolean
say_much (GstOrchBatch * batch, guint replica, gpointer data, GError ** error)
{
  gst_orch_batch_set_info (batch, 0, gst_structure_new ("info",
          "a", G_TYPE_INT, 1, "b", G_TYPE_INT, 1, NULL));
  gst_orch_batch_set_info (batch, 0, gst_structure_new ("info",
          "b", G_TYPE_INT, 2, NULL));
  script_present (batch, 0);
  gst_orch_batch_set_info (batch, 0, gst_structure_new ("info",
          "c", G_TYPE_INT, 3, NULL));
  gst_orch_batch_set_info (batch, 1, gst_structure_new ("info",
          "a", G_TYPE_INT, 4, NULL));
  gst_orch_batch_fail_record (batch, 1, gst_orch_cause_new ("test", "x",
          "%d pages too many", 3));
  return TRUE;
}

static gint
get_int (const GstStructure * info, const gchar * field)
{
  gint value = -1;

  fail_unless (info != NULL);
  gst_structure_get_int (info, field, &value);
  return value;
}

GST_START_TEST (test_info_and_causes)
{
  const GstOrchListElement *element;
  GstOrchList *list;
  GstBuffer *buffer;
  Scene scene;

  play (&scene, "script", "[a,b]", 2, say_much);
  buffer = collector_get_buffer (scene.run->out, "0");
  list = gst_orch_buffer_get_list (buffer);
  element = gst_orch_list_get (list, 0);
  fail_unless_equals_int (get_int (element->info, "a"), 1);
  fail_unless_equals_int (get_int (element->info, "b"), 2);
  fail_unless_equals_int (get_int (element->info, "c"), 3);
  element = gst_orch_list_get (list, 1);
  fail_unless_equals_int (get_int (element->info, "a"), 4);
  fail_unless_equals_string (gst_orch_cause_get_message (element->cause),
      "3 pages too many");
  fail_unless_equals_string (gst_orch_cause_get_path (element->cause), "0/1");
  fail_unless_equals_string (gst_orch_cause_get_call (element->cause), "work");
  gst_buffer_unref (buffer);
  clear (&scene);
}

GST_END_TEST;

static gboolean
make_new (GstOrchBatch * batch, guint replica, gpointer data, GError ** error)
{
  GstBuffer *own_time = gst_buffer_new ();

  gst_orch_batch_present (batch, 0, gst_buffer_new (), NULL);
  GST_BUFFER_PTS (own_time) = 42;
  gst_orch_batch_present (batch, 1, own_time, NULL);
  return TRUE;
}

/* A new buffer has the times of its input, unless it has its own. */
GST_START_TEST (test_times)
{
  GstOrchList *list;
  GstBuffer *buffer, *plain, *timed;
  Scene scene;

  play (&scene, "script", "[a,b]", 2, make_new);
  buffer = collector_get_buffer (scene.run->out, "0");
  list = gst_orch_buffer_get_list (buffer);
  plain = gst_orch_list_get (list, 0)->buffer;
  timed = gst_orch_list_get (list, 1)->buffer;
  fail_unless_equals_uint64 (GST_BUFFER_PTS (plain), 0);
  fail_unless_equals_uint64 (GST_BUFFER_DURATION (plain), GST_SECOND);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (timed), 42);
  gst_buffer_unref (buffer);
  clear (&scene);
}

GST_END_TEST;

/* ---- is_wanted ---- */

typedef struct
{
  Gate both;                    /* both batches are in flight */
  Gate failed;                  /* the group has failed */
  gboolean wanted_before, wanted_after;
} Pair;

static gboolean
one_fails_the_other (GstOrchBatch * batch, guint replica, gpointer data,
    GError ** error)
{
  Pair *pair = data;
  guint64 ordinal =
      gst_orch_entity_get_ordinal (gst_orch_batch_get_entity (batch, 0));

  if (ordinal == 0) {
    gate_pass (&pair->both);
    gst_orch_batch_fail_group (batch, 0, gst_orch_cause_new ("test", "group",
            "the group fails"));
    gst_orch_batch_commit (batch);
    gate_open (&pair->failed);
    return TRUE;
  }
  pair->wanted_before = gst_orch_batch_is_wanted (batch, 0);
  gate_open (&pair->both);
  gate_pass (&pair->failed);
  pair->wanted_after = gst_orch_batch_is_wanted (batch, 0);
  script_present (batch, 0);
  return TRUE;
}

/* In flight when its sibling fails the group: it may stop, and if it does not,
 * its result is suppressed (S5.2). */
GST_START_TEST (test_is_wanted)
{
  Pair pair = { {{0}} };
  Run *self;

  gate_init (&pair.both);
  gate_init (&pair.failed);
  script_set (0, (Script) {.run = one_fails_the_other,.data = &pair});
  self = run_new (RUN_IN "! orchexpand ! orchcall name=work replicas=2 "
      "function=script-group ! orchreduce ! " RUN_OUT);
  run_start (self);
  run_push (self, "[a,b]");
  run_end (self);
  run_finish (self);
  fail_unless (pair.wanted_before);
  fail_if (pair.wanted_after);
  run_assert_results (self, "0 S test:group@0/0");
  fail_unless_equals_uint64 (run_get_stat (self, "work", "present"), 0);
  run_free (self);
  gate_clear (&pair.both);
  gate_clear (&pair.failed);
}

GST_END_TEST;

static Suite *
batch_suite (void)
{
  Suite *s = suite_create ("batch");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_accessors);
  tcase_add_test (tc, test_no_outcomes);
  tcase_add_test (tc, test_second_outcomes);
  tcase_add_test (tc, test_early_commit);
  tcase_add_test (tc, test_early_commit_and_failure);
  tcase_add_test (tc, test_present_own_and_fail);
  tcase_add_test (tc, test_failure_without_error);
  tcase_add_test (tc, test_group_failure);
  tcase_add_test (tc, test_undeclared_group_failure);
  tcase_add_test (tc, test_info_and_causes);
  tcase_add_test (tc, test_times);
  tcase_add_test (tc, test_is_wanted);
  return s;
}

GST_CHECK_MAIN (batch);
