/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Several outputs of one Call, opened and gathered together (S3.2, S3.7). */

#include "run.h"
#include "complaints.h"
#include "patience.h"

#include <gst/check/gstcheck.h>
#include <string.h>

#define SINK "fakesink sync=false async=false enable-last-sample=false "

#define assert_collected(collector, expected) \
  G_STMT_START { \
    g_autofree gchar *collected = collector_get_results (collector); \
    g_assert_cmpstr (collected, ==, expected); \
  } G_STMT_END

static Collector *
collect (Run * run, const gchar * element, const gchar * name)
{
  GstPad *pad = gst_element_get_static_pad (run_get (run, element), name);
  Collector *collector = collector_new (pad);

  gst_object_unref (pad);
  return collector;
}

static void
push_all (Run * run, const gchar * values)
{
  g_auto (GStrv) texts = g_strsplit (values, "; ", -1);
  guint i;

  for (i = 0; texts[i]; i++)
    run_push (run, texts[i]);
}

static void
run_over (Run * run, const gchar * values)
{
  run_start (run);
  push_all (run, values);
  run_end (run);
  run_finish (run);
}

/* Runs `values`, and compares what comes to "out" and to the sink "other". */
static void
assert_both (const gchar * description, const gchar * values,
    const gchar * results, const gchar * others)
{
  Run *self = run_new ("%s", description);
  Collector *other = collect (self, "other", "sink");

  run_over (self, values);
  run_assert_results (self, results);
  assert_collected (other, others);
  collector_free (other);
  run_free (self);
}

/* ---- expanding ---- */

#define LISTS RUN_IN "! orchtestoutputs name=c lists=true "
#define EXPAND "! orchexpand name=e c.src_1 ! e.aligned_1 e.src ! "
#define OTHER SINK "name=other "

GST_START_TEST (test_s3_2)
{
  assert_both (LISTS EXPAND RUN_OUT "e.src_1 ! " OTHER, "ab; c|d; |",
      "0/0 a; 0/1 b; 1/0 c", "0/0 a1; 0/1 b1; 1/0 d");
}

GST_END_TEST;

/* What is no list fails its parent, wherever it comes (S3.1). */
GST_START_TEST (test_no_list)
{
  assert_both (RUN_IN "! orchtestoutputs name=c " EXPAND "orchreduce ! " RUN_OUT
      "e.src_1 ! " OTHER, "a", "0 S orch:not-a-list@0", "");
}

GST_END_TEST;

/* The n-th elements are values of one Entity, in one Domain. */
static GstPadProbeReturn
keep_entity (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstOrchEntity **entity = data;

  if (!*entity)
    *entity = gst_orch_entity_ref (gst_orch_buffer_get_entity
        (GST_PAD_PROBE_INFO_BUFFER (info)));
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_s3_2_one_entity)
{
  Run *self = run_new (LISTS EXPAND RUN_OUT "e.src_1 ! " OTHER);
  GstOrchEntity *entities[2] = { NULL, };
  static const gchar *const names[] = { "out", "other" };
  GstPad *pad;
  guint i;

  for (i = 0; i < 2; i++) {
    pad = gst_element_get_static_pad (run_get (self, names[i]), "sink");
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, keep_entity,
        &entities[i], NULL);
    gst_object_unref (pad);
  }
  run_over (self, "a");
  fail_unless (entities[0] == entities[1]);
  gst_orch_entity_unref (entities[0]);
  gst_orch_entity_unref (entities[1]);
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_three_columns)
{
  Run *self = run_new (LISTS EXPAND RUN_OUT "c.src_2 ! queue ! e.aligned_7 "
      "e.src_7 ! " SINK "name=third e.src_1 ! " OTHER);
  Collector *other = collect (self, "other", "sink");
  Collector *third = collect (self, "third", "sink");

  run_over (self, "ab");
  run_assert_results (self, "0/0 a; 0/1 b");
  assert_collected (other, "0/0 a1; 0/1 b1");
  assert_collected (third, "0/0 a2; 0/1 b2");
  collector_free (other);
  collector_free (third);
  run_free (self);
}

GST_END_TEST;

#define REDUCE EXPAND "orchreduce on-failed=skip ! " RUN_OUT "e.src_1 ! " \
    "orchreduce on-failed=skip ! " OTHER

/* D6: no child exists, and the run goes on. */
GST_START_TEST (test_d6)
{
  const gchar *first = "0 S orch:cardinality@0; 1 [c,d]; 2 []; "
      "3 S orch:cardinality@3";
  const gchar *second = "0 S orch:cardinality@0; 1 [e,f]; 2 []; "
      "3 S orch:cardinality@3";

  assert_both (LISTS REDUCE, "ab|abc; cd|ef; |; |x", first, second);
}

GST_END_TEST;

/* S2.5, S4.4: the Call's outputs end together, and so does the Expansion. */
GST_START_TEST (test_absent_parents)
{
  const gchar *expected = "0 S test:x@0; 1 D; 2 S test:y@2; 3 ";
  g_autofree gchar *first = g_strconcat (expected, "[a]", NULL);
  g_autofree gchar *second = g_strconcat (expected, "[a1]", NULL);

  assert_both (LISTS REDUCE, "^x; -; a|^y; a", first, second);
}

GST_END_TEST;

/* A list that is lost on its way to one pad drops the parent everywhere. */
GST_START_TEST (test_one_column_is_lost)
{
  Run *self = run_new (LISTS "! orchexpand name=e c.src_1 ! "
      "valve drop=true drop-mode=forward-sticky-events ! e.aligned_1 "
      "e.src ! orchreduce ! " RUN_OUT "e.src_1 ! orchreduce ! " OTHER);
  Collector *other = collect (self, "other", "sink");

  run_over (self, "a; b");
  run_assert_results (self, "0 D orch:lost@0; 1 D orch:lost@1");
  assert_collected (other, "0 D orch:lost@0; 1 D orch:lost@1");
  fail_unless_equals_int (self->warnings->len, 1);
  collector_free (other);
  run_free (self);
}

GST_END_TEST;

/* Whichever list comes first: one of the ways is held up. */
static GstPadProbeReturn
hold_back (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  g_usleep (500);
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_either_order)
{
  Run *self = run_new (LISTS EXPAND "orchreduce ! " RUN_OUT
      "e.src_1 ! orchreduce ! " OTHER);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "c"),
      __i__ ? "src" : "src_1");
  Collector *other = collect (self, "other", "sink");
  guint i;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, hold_back, NULL, NULL);
  gst_object_unref (pad);
  run_start (self);
  for (i = 0; i < 100; i++)
    run_push (self, "abc");
  run_end (self);
  run_finish (self);
  fail_unless_equals_int (collector_get_n_results (self->out), 100);
  fail_unless_equals_int (collector_get_n_results (other), 100);
  collector_free (other);
  run_free (self);
}

GST_END_TEST;

static GstPadProbeReturn
hold (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  return GST_PAD_PROBE_OK;
}

static gboolean
has_begun (GstPad * pad)
{
  GstEvent *event =
      gst_pad_get_sticky_event (pad, GST_EVENT_STREAM_START, 0);

  if (event)
    gst_event_unref (event);
  return event != NULL;
}

/* Whose children they are is known by the first column: nobody below may ask before
 * that has begun. */
GST_START_TEST (test_first_column_begins_last)
{
  Run *self = run_new ("orchjoin name=j ! " RUN_OUT RUN_IN
      "! orchidentity ! tee name=t ! orchtestoutputs name=c lists=true ! "
      "orchexpand name=e c.src_1 ! e.aligned_1 e.src ! j.sink_0 "
      "t. ! queue ! j.sink_1 e.src_1 ! " OTHER);
  GstPad *first = gst_element_get_static_pad (run_get (self, "c"), "src");
  GstPad *aligned = gst_element_get_static_pad (run_get (self, "e"),
      "aligned_1");
  GstPad *out = gst_element_get_static_pad (run_get (self, "e"), "src");
  gulong probe = gst_pad_add_probe (first, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM,
      hold, NULL, NULL);
  guint i;

  run_start (self);
  run_push (self, "ab");
  patience_until (has_begun (aligned));
  for (i = 0; i < 1000; i++) {
    fail_if (has_begun (out));
    g_thread_yield ();
  }
  gst_pad_remove_probe (first, probe);
  run_end (self);
  run_finish (self);
  run_assert_results (self,
      "0/0 {sink_0:a,sink_1:ab}; 0/1 {sink_0:b,sink_1:ab}");
  gst_object_unref (first);
  gst_object_unref (aligned);
  gst_object_unref (out);
  run_free (self);
}

GST_END_TEST;

/* No pad waits for another to be pushed: each may be blocked for as long as the
 * other has children. */
static GstPadProbeReturn
block (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_one_pad_is_blocked)
{
  Run *self = run_new (LISTS EXPAND RUN_OUT "e.src_1 ! " OTHER);
  Collector *other = collect (self, "other", "sink");
  GstPad *pad = gst_element_get_static_pad (run_get (self,
          __i__ ? "other" : "out"), "sink");
  gulong probe = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK |
      GST_PAD_PROBE_TYPE_BUFFER, block, NULL, NULL);
  guint i;

  run_start (self);
  for (i = 0; i < 10; i++)
    run_push (self, "abcde");
  run_end (self);
  collector_wait (__i__ ? self->out : other, 50);
  patience_until (gst_pad_is_blocking (pad));
  gst_pad_remove_probe (pad, probe);
  run_finish (self);
  fail_unless_equals_int (collector_get_n_results (self->out), 50);
  fail_unless_equals_int (collector_get_n_results (other), 50);
  gst_object_unref (pad);
  collector_free (other);
  run_free (self);
}

GST_END_TEST;

/* ---- gathering ---- */

#define GATHER(first, second, properties) RUN_IN \
    "! orchtestoutputs name=c lists=true ! orchexpand name=e " \
    "c.src_1 ! e.aligned_1 orchreduce name=r " properties \
    " e.src ! " first " r.sink e.src_1 ! " second " r.sink_1 r.src ! " RUN_OUT \
    "r.src_1 ! " OTHER

GST_START_TEST (test_s3_7)
{
  const gchar *values = "ab; c|d; |; ^x";

  assert_both (GATHER ("", "", ""), values,
      "0 [a,b]; 1 [c]; 2 []; 3 S test:x@3",
      "0 [a1,b1]; 1 [d]; 2 []; 3 S test:x@3");
  assert_both (GATHER ("", "", "order=input"), values,
      "0 [a,b]; 1 [c]; 2 []; 3 S test:x@3",
      "0 [a1,b1]; 1 [d]; 2 []; 3 S test:x@3");
}

GST_END_TEST;

/* The lists that miss the same children are joined again: each is missing once. */
GST_START_TEST (test_s3_7_joined)
{
  Run *self = run_new (RUN_IN "! orchtestoutputs name=c lists=true "
      "! orchexpand name=e c.src_1 ! e.aligned_1 orchreduce name=r "
      "on-failed=skip e.src ! queue ! orchtestwork record=0/2 ! r.sink "
      "e.src_1 ! queue ! orchtestwork record=0/0 ! r.sink_1 "
      "r.src ! j.sink_0 r.src_1 ! j.sink_1 orchjoin name=j ! " RUN_OUT);

  run_over (self, "abc");
  run_assert_results (self, "0 {sink_0:[b],sink_1:[b1]} "
      "0/0 F test:record@0/0 0/2 F test:record@0/2");
  run_free (self);
}

GST_END_TEST;

/* A member whose value is not present in one is a failed member in all. */
GST_START_TEST (test_s3_7_failed_value)
{
  const gchar *failure = " 0/1 F test:record@0/1";
  g_autofree gchar *first = g_strconcat ("0 [a,c]", failure, NULL);
  g_autofree gchar *second = g_strconcat ("0 [a1,c1]", failure, NULL);

  assert_both (GATHER ("", "orchtestwork record=0/1 !", "on-failed=skip"),
      "abc", first, second);
  assert_both (GATHER ("orchtestwork record=0/1 !", "", "on-failed=skip"),
      "abc", first, second);
  assert_both (GATHER ("", "orchtestwork record=0/1 !", ""), "abc; d",
      "0 S test:record@0/1; 1 [d]", "0 S test:record@0/1; 1 [d1]");
  assert_both (GATHER ("", "orchtestwork record=0/1 !",
          "on-failed=placeholder"), "abc",
      "0 [a,-,c] 0/1 F test:record@0/1", "0 [a1,-,c1] 0/1 F test:record@0/1");
}

GST_END_TEST;

/* A value that was dropped is missing, but a member that was is none (S3.6). */
GST_START_TEST (test_s3_7_dropped_value)
{
  assert_both (GATHER ("", "orchtestwork drop=0/1 !", "on-failed=skip"), "abc",
      "0 [a,c] 0/1 F orch:value-dropped@0/1",
      "0 [a1,c1] 0/1 F orch:value-dropped@0/1");
  assert_both (GATHER ("orchtestwork drop=0/1 !", "", ""), "abc",
      "0 [a,c]", "0 [a1,c1]");
  assert_both (GATHER ("orchtestwork drop=0/1 !", "orchtestwork record=0/1 !",
          ""), "abc", "0 [a,c]", "0 [a1,c1]");
}

GST_END_TEST;

#define MEMBERS(members, values, properties) \
    "orchexpand ! tee name=t ! queue ! " values "orchreduce name=r " \
    properties " t. ! queue ! " members "r.members r."

GST_START_TEST (test_s3_6_members)
{
  const gchar *list = "[a,b,c]; []";

  assert_results (MEMBERS ("", "", ""), list, "0 [a,b,c]; 1 []");
  assert_results (MEMBERS ("orchtestwork drop=0/1 ! ", "", ""), list,
      "0 [a,c]; 1 []");
  assert_results (MEMBERS ("orchtestwork drop=0/1 ! ",
          "orchtestwork record=0/1 ! ", ""), list, "0 [a,c]; 1 []");
  assert_results (MEMBERS ("orchtestwork record=0/1 ! ", "", ""), list,
      "0 S test:record@0/1; 1 []");
  assert_results (MEMBERS ("orchtestwork record=0/1 ! ", "",
          "on-failed=placeholder"), list,
      "0 [a,-,c] 0/1 F test:record@0/1; 1 []");
  assert_results (MEMBERS ("", "orchtestwork drop=0/1 ! ", ""), list,
      "0 S orch:value-dropped@0/1; 1 []");
  assert_results (MEMBERS ("", "orchtestwork drop=0/1 ! ", "on-failed=skip"),
      list, "0 [a,c] 0/1 F orch:value-dropped@0/1; 1 []");
}

GST_END_TEST;

static void
release_hold (Run * run, const gchar * element)
{
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (run, element)),
      "function::hold", FALSE, NULL);
}

/* D11, S5.2a: the page that fails its group is no member.  Either the members are
 * known before it has run, or it has before they are. */
GST_START_TEST (test_d11)
{
  static const gchar *const modes[] = { "suppress-parent", "skip",
    "placeholder"
  };
  gboolean members_first = __i__ % 2;
  Run *self = run_new (RUN_IN "! " MEMBERS
      ("orchtestwork name=m hold=true drop=0/1 ! ",
          "orchtestwork name=v hold=true group=0/1 batch-size=3 ! ",
          "on-failed=%s") "src ! " RUN_OUT, modes[__i__ / 2]);

  run_start (self);
  run_push (self, "[a,b,c]");
  run_push (self, "[d]");
  run_end (self);
  release_hold (self, members_first ? "m" : "v");
  patience_until (run_get_stat (self, members_first ? "m" : "v",
          "present") > 0);
  release_hold (self, members_first ? "v" : "m");
  run_finish (self);
  run_assert_results (self, "0 S test:group@0/1; 1 [d]");
  run_free (self);
}

GST_END_TEST;

/* A9: one child, every outcome at each of three pads, in every mode.  What is said
 * at one pad: 0 present, 1 dropped, 2 failed. */
static gchar *
expect_a9 (guint member, guint first, guint second, guint mode)
{
  const gchar *cause = first == 1 ? "orch:value-dropped"
      : first == 2 ? "test:record" : second == 1 ? "orch:value-dropped"
      : "test:record";

  if (member == 1)
    return g_strdup ("0 []");
  if (member == 2)
    cause = "test:record";
  else if (first == 0 && second == 0)
    return g_strdup ("0 [x]");
  if (mode == 0)
    return g_strdup_printf ("0 S %s@0/0", cause);
  return g_strdup_printf ("0 [%s] 0/0 F %s@0/0", mode == 1 ? "" : "-", cause);
}

GST_START_TEST (test_a9)
{
  static const gchar *const rules[] = { "orchidentity",
    "orchtestwork drop=*", "orchtestwork record=*"
  };
  static const gchar *const modes[] = { "suppress-parent", "skip",
    "placeholder"
  };
  guint member = __i__ / 9, first = __i__ / 3 % 3, second = __i__ % 3, mode;

  for (mode = 0; mode < 3; mode++) {
    Run *self = run_new (RUN_IN "! orchexpand ! tee name=t "
        "orchreduce name=r on-failed=%s t. ! queue ! %s ! r.members "
        "t. ! queue ! %s ! r.sink t. ! queue ! %s ! r.sink_1 "
        "r.src ! " RUN_OUT "r.src_1 ! " OTHER, modes[mode], rules[member],
        rules[first], rules[second]);
    Collector *other = collect (self, "other", "sink");
    g_autofree gchar *expected = expect_a9 (member, first, second, mode);

    run_over (self, "[x]");
    run_assert_results (self, expected);
    assert_collected (other, expected);
    collector_free (other);
    run_free (self);
  }
}

GST_END_TEST;

/* Lists that are gathered together can be opened together again. */
GST_START_TEST (test_expand_again)
{
  assert_both (RUN_IN "! orchtestoutputs name=c lists=true ! "
      "orchexpand name=e c.src_1 ! e.aligned_1 orchreduce name=r "
      "e.src ! r.sink e.src_1 ! r.sink_1 orchexpand name=f "
      "r.src ! f.sink r.src_1 ! f.aligned_1 f.src ! orchreduce ! " RUN_OUT
      "f.src_1 ! orchreduce ! " OTHER, "ab; c|d", "0 [a,b]; 1 [c]",
      "0 [a1,b1]; 1 [d]");
}

GST_END_TEST;

/* Two levels (E5). */
GST_START_TEST (test_nested)
{
  assert_both (RUN_IN "! orchexpand ! orchtestoutputs name=c lists=true ! "
      "orchexpand name=e c.src_1 ! e.aligned_1 "
      "orchreduce name=r on-failed=skip orchreduce name=s on-failed=skip "
      "e.src ! r.sink e.src_1 ! orchtestwork record=*/0/1 ! r.sink_1 "
      "r.src ! s.sink r.src_1 ! s.sink_1 s.src ! " RUN_OUT
      "s.src_1 ! " OTHER, "[ab,|,c|d]; []; [x|yz,^f]",
      "0 [[a],[],[c]] 0/0/1 F test:record@0/0/1; 1 []; "
      "2 [] 2/0 S orch:cardinality@2/0 2/1 S test:f@2/1",
      "0 [[a1],[],[d]] 0/0/1 F test:record@0/0/1; 1 []; "
      "2 [] 2/0 S orch:cardinality@2/0 2/1 S test:f@2/1");
}

GST_END_TEST;

/* S5.6: what is lost on the way to one pad. */
GST_START_TEST (test_lost_value)
{
  Run *self = run_new (GATHER ("", "valve drop=true "
          "drop-mode=forward-sticky-events !", "on-failed=skip"));

  run_over (self, "a");
  run_assert_results (self, "0 [] 0/0 F orch:value-dropped@0/0");
  fail_unless_equals_int (self->warnings->len, 1);
  run_free (self);
}

GST_END_TEST;

/* S5.7: what nobody takes at a further pad. */
GST_START_TEST (test_further_pads_are_not_linked)
{
  Run *self = run_new (RUN_IN "! orchtestoutputs name=c lists=true ! "
      "orchexpand name=e c.src_1 ! e.aligned_1 c.src_2 ! e.aligned_2 "
      "orchreduce name=r e.src ! r.sink e.src_1 ! r.sink_1 r.src ! " RUN_OUT);

  run_over (self, "ab; c; |; d");
  run_assert_results (self, "0 [a,b]; 1 [c]; 2 []; 3 [d]");
  run_free (self);
}

GST_END_TEST;

/* ---- S5.5 ---- */

/* A parent that cannot be present any more is given up on every pad: of its many
 * children none is worked on once that is known, though one way is held up. */
GST_START_TEST (test_s5_5)
{
  g_autofree gchar *many = g_strnfill (1000, 'x');
  Run *self = run_new (GATHER ("orchtestwork name=u record=0/0 !",
          "orchtestwork name=v hold=true max-buffers=2 !", ""));
  Collector *other = collect (self, "other", "sink");

  run_start (self);
  run_push (self, many);
  /* Whoever says so has told those above before. */
  collector_wait (self->out, 1);
  release_hold (self, "v");
  run_push (self, "a");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 S test:record@0/0; 1 [a]");
  assert_collected (other, "0 S test:record@0/0; 1 [a1]");
  fail_unless_equals_uint64 (run_get_stat (self, "v", "present"), 1);
  fail_unless (run_get_stat (self, "e", "pruned") > 0);
  collector_free (other);
  run_free (self);
}

GST_END_TEST;

/* One gather that goes on keeps the work for all. */
GST_START_TEST (test_s5_5_one_still_wants_it)
{
  Run *self = run_new (LISTS EXPAND "orchtestwork name=u record=0/0 ! "
      "orchreduce ! " RUN_OUT "e.src_1 ! orchtestwork name=v hold=true ! "
      "orchreduce ! " OTHER);
  Collector *other = collect (self, "other", "sink");

  run_start (self);
  run_push (self, "abc");
  collector_wait (self->out, 1);
  release_hold (self, "v");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 S test:record@0/0");
  assert_collected (other, "0 [a1,b1,c1]");
  fail_unless_equals_uint64 (run_get_stat (self, "e", "pruned"), 0);
  collector_free (other);
  run_free (self);
}

GST_END_TEST;

/* ---- S8 ---- */

static void
assert_error (const gchar * description, const gchar * message)
{
  Run *self = run_new ("%s", description);

  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  run_push (self, "ab");
  run_end (self);
  g_assert_false (run_wait (self));
  if (!strstr (self->error, message))
    g_error ("'%s' is not in: %s", message, self->error);
  run_free (self);
}

GST_START_TEST (test_outputs_of_different_calls)
{
  assert_error (RUN_IN "! tee name=t ! queue ! "
      "orchtestoutputs lists=true ! orchexpand name=e ! " RUN_OUT
      "t. ! queue ! orchtestoutputs lists=true ! e.aligned_1 e.src_1 ! " SINK,
      "e opens lists of orchtestoutputs");
}

GST_END_TEST;

GST_START_TEST (test_different_domains)
{
  assert_error (RUN_IN "! tee name=t ! queue ! orchtestlist ! orchexpand ! "
      "orchreduce name=r ! " RUN_OUT "t. ! queue ! orchtestlist ! orchexpand ! "
      "r.sink_1 r.src_1 ! " SINK, "r");
}

GST_END_TEST;

GST_START_TEST (test_no_call)
{
  assert_error (RUN_IN "! orchexpand name=e ! " RUN_OUT "appsrc name=x ! "
      "e.aligned_1 e.src_1 ! " SINK, "e cannot open what comes to its pad");
}

GST_END_TEST;

/* ---- pads, flushes, states ---- */

GST_START_TEST (test_pad_names)
{
  GstElement *e = gst_element_factory_make ("orchexpand", NULL);
  GstPad *first = gst_element_request_pad_simple (e, "aligned_%u");
  GstPad *third = gst_element_request_pad_simple (e, "aligned_3");
  GstPad *src;

  g_assert_cmpstr (GST_PAD_NAME (first), ==, "aligned_1");
  g_assert_cmpstr (GST_PAD_NAME (third), ==, "aligned_3");
  src = gst_element_get_static_pad (e, "src_3");
  g_assert_nonnull (src);
  gst_object_unref (src);
  g_assert_null (gst_element_request_pad_simple (e, "aligned_0"));
  gst_element_release_request_pad (e, third);
  g_assert_null (gst_element_get_static_pad (e, "src_3"));
  gst_object_unref (third);
  gst_element_set_state (e, GST_STATE_PAUSED);
  g_assert_null (gst_element_request_pad_simple (e, "aligned_2"));
  gst_element_set_state (e, GST_STATE_NULL);
  gst_object_unref (first);
  gst_object_unref (e);
}

GST_END_TEST;

/* A parent that waited for the pad alone goes on without it. */
GST_START_TEST (test_release_while_a_row_waits)
{
  Run *self = run_new (LISTS "! orchexpand name=e c.src_1 ! queue name=q ! "
      "e.aligned_1 e.src ! orchreduce ! " RUN_OUT "e.src_1 ! " OTHER);
  GstElement *e = run_get (self, "e");
  GstPad *pad = gst_element_get_static_pad (e, "aligned_1");
  GstPad *src = gst_element_get_static_pad (run_get (self, "q"), "src");

  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BLOCK |
      GST_PAD_PROBE_TYPE_BUFFER, block, NULL, NULL);
  run_start (self);
  push_all (self, "ab; c");
  patience_until (gst_pad_is_blocking (src));
  run_end (self);
  patience_until (run_get_stat (self, "c", "present") == 2);
  gst_element_set_locked_state (run_get (self, "other"), TRUE);
  gst_element_release_request_pad (e, pad);
  collector_wait (self->out, 2);
  run_assert_results (self, "0 [a,b]; 1 [c]");
  gst_object_unref (src);
  gst_object_unref (pad);
  gst_element_set_locked_state (run_get (self, "other"), FALSE);
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_flush)
{
  Run *self = run_new (GATHER ("queue !", "orchidentity !", ""));
  Collector *other = collect (self, "other", "sink");
  guint i;

  run_start (self);
  for (i = 0; i < 50; i++) {
    push_all (self, "abc; d; ef|gh");
    gst_element_send_event (self->in, gst_event_new_flush_start ());
    gst_element_send_event (self->in, gst_event_new_flush_stop (TRUE));
  }
  gst_element_send_event (self->in, gst_event_new_flush_start ());
  collector_clear (self->out);
  collector_clear (other);
  gst_element_send_event (self->in, gst_event_new_flush_stop (TRUE));
  push_all (self, "xy; z");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [x,y]; 1 [z]");
  assert_collected (other, "0 [x1,y1]; 1 [z1]");
  collector_free (other);
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_reuse)
{
  Run *self = run_new (GATHER ("", "", ""));
  Collector *other = collect (self, "other", "sink");
  guint i;

  for (i = 0; i < 3; i++) {
    run_over (self, "ab; ^x; c|de");
    run_assert_results (self,
        "0 [a,b]; 1 S test:x@1; 2 S orch:cardinality@2");
    assert_collected (other,
        "0 [a1,b1]; 1 S test:x@1; 2 S orch:cardinality@2");
    gst_element_set_state (self->pipeline, i ? GST_STATE_READY :
        GST_STATE_NULL);
    collector_clear (self->out);
    collector_clear (other);
  }
  collector_free (other);
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_state_changes_under_load)
{
  Run *self = run_new (GATHER ("queue !", "orchidentity !", ""));
  guint i, j;

  for (i = 0; i < 20; i++) {
    run_start (self);
    for (j = 0; j < 20; j++)
      run_push (self, "abcdefgh");
    g_usleep (i * 50);
    gst_element_set_state (self->pipeline, i % 2 ? GST_STATE_READY :
        GST_STATE_NULL);
  }
  run_free (self);
}

GST_END_TEST;

static Suite *
aligned_suite (void)
{
  Suite *s = suite_create ("aligned");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_s3_2);
  tcase_add_test (tc, test_no_list);
  tcase_add_test (tc, test_s3_2_one_entity);
  tcase_add_test (tc, test_three_columns);
  tcase_add_test (tc, test_d6);
  tcase_add_test (tc, test_absent_parents);
  tcase_add_test (tc, test_one_column_is_lost);
  tcase_add_loop_test (tc, test_either_order, 0, 2);
  tcase_add_test (tc, test_first_column_begins_last);
  tcase_add_loop_test (tc, test_one_pad_is_blocked, 0, 2);
  tcase_add_test (tc, test_s3_7);
  tcase_add_test (tc, test_s3_7_joined);
  tcase_add_test (tc, test_s3_7_failed_value);
  tcase_add_test (tc, test_s3_7_dropped_value);
  tcase_add_test (tc, test_s3_6_members);
  tcase_add_loop_test (tc, test_d11, 0, 6);
  tcase_add_loop_test (tc, test_a9, 0, 27);
  tcase_add_test (tc, test_expand_again);
  tcase_add_test (tc, test_nested);
  tcase_add_test (tc, test_lost_value);
  tcase_add_test (tc, test_further_pads_are_not_linked);
  tcase_add_test (tc, test_s5_5);
  tcase_add_test (tc, test_s5_5_one_still_wants_it);
  tcase_add_test (tc, test_outputs_of_different_calls);
  tcase_add_test (tc, test_different_domains);
  tcase_add_test (tc, test_no_call);
  tcase_add_test (tc, test_pad_names);
  tcase_add_test (tc, test_release_while_a_row_waits);
  tcase_add_test (tc, test_flush);
  tcase_add_test (tc, test_reuse);
  tcase_add_test (tc, test_state_changes_under_load);
  return s;
}

GST_CHECK_MAIN (aligned);
