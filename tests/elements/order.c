/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* B2, B8 - B10, G3, G4: what is worked on next, and in which order it leaves. */

#include "run.h"
#include "complaints.h"
#include "patience.h"
#include "script.h"

#include <gst/check/gstcheck.h>
#include <string.h>

/* ---- B2: who shares a batch ---- */

/* Parents 0, 1, 0, 1, at most 3 in a batch. */
static void
assert_b2 (const gchar * batching, const gchar * batches)
{
  static const gchar *streams[] = { "a", "b", "a", "b" };
  Run *self = run_new ("orchexpand name=e ! orchtestwork name=work "
      "batch-size=3 hold=true batching=%s ! orchreduce ! " RUN_OUT
      "appsrc name=a format=time ! e.sink_0 appsrc name=b format=time ! "
      "e.sink_1", batching);
  g_autofree gchar *log = NULL;
  guint i;

  run_start (self);
  for (i = 0; i < G_N_ELEMENTS (streams); i++) {
    run_push_to (self, streams[i], "x");
    patience_until (run_get_stat (self, "work", "entered") == i + 1);
  }
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "work")),
      "function::hold", FALSE, NULL);
  run_end_of (self, "a");
  run_end_of (self, "b");
  run_finish (self);
  run_assert_results (self, "0 [x,x]; 1 [x,x]");
  log = run_get_text (self, "work", "function::log");
  g_assert_cmpstr (log, ==, batches);
  run_free (self);
}

GST_START_TEST (test_b2)
{
  assert_b2 ("mixed", "(0/0:0 1/0:0 0/1:0)(1/1:0)");
}

GST_END_TEST;

GST_START_TEST (test_b2p)
{
  assert_b2 ("siblings", "(0/0:0 0/1:0)(1/0:0 1/1:0)");
}

GST_END_TEST;

/* ---- B8, B9: whose child comes next ---- */

static GstPadProbeReturn
block (GstPad * pad, GstPadProbeInfo * info, gpointer blocked)
{
  g_atomic_int_set ((gint *) blocked, TRUE);
  return GST_PAD_PROBE_OK;
}

/* The batches in which the children of `lists` are taken, if all of the lists
 * are there when the first child is chosen: while they come, the only child of
 * document 0 waits at the pad. */
static void
assert_order (const gchar * expand, const gchar * lists, guint batch_size,
    const gchar * batches)
{
  g_auto (GStrv) values = g_strsplit (lists, "; ", -1);
  Run *self = run_new (RUN_IN "! orchexpand name=e %s ! orchtestwork "
      "name=work batch-size=%u hold=true ! " RUN_OUT, expand, batch_size);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "e"), "src");
  g_autofree gchar *log = NULL;
  gint blocked = FALSE;
  gulong probe;
  guint i;

  probe = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK |
      GST_PAD_PROBE_TYPE_BUFFER, block, &blocked, NULL);
  run_start (self);
  run_push (self, "[x]");
  patience_until (g_atomic_int_get (&blocked));
  for (i = 0; values[i]; i++)
    run_push (self, values[i]);
  patience_until (run_get_stat (self, "e", "parents") == i + 1);
  gst_pad_remove_probe (pad, probe);
  gst_object_unref (pad);
  patience_until (run_get_stat (self, "work", "entered")
      == run_get_stat (self, "e", "children")
      && run_get_stat (self, "e", "open-lists") == 0);
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "work")),
      "function::hold", FALSE, NULL);
  run_end (self);
  run_finish (self);
  log = run_get_text (self, "work", "function::log");
  g_assert_cmpstr (log, ==, batches);
  run_free (self);
}

/* Window 2, lists of 6 and 2. */
GST_START_TEST (test_b8)
{
  assert_order ("interleave=fair window=2", "[a,b,c,d,e,f]; [g,h]", 1,
      "(0/0:0)(1/0:0)(2/0:0)(1/1:0)(2/1:0)(1/2:0)(1/3:0)(1/4:0)(1/5:0)");
}

GST_END_TEST;

/* The turn goes on where a batch stopped. */
GST_START_TEST (test_b8_batches)
{
  assert_order ("interleave=fair", "[a,b,c]; [d,e,f]", 3,
      "(0/0:0 1/0:0 2/0:0)(1/1:0 2/1:0 1/2:0)(2/2:0)");
}

GST_END_TEST;

GST_START_TEST (test_b8_none)
{
  assert_order ("interleave=none", "[a,b,c]; [d,e]; [f]", 1,
      "(0/0:0)(1/0:0)(1/1:0)(1/2:0)(2/0:0)(2/1:0)(3/0:0)");
}

GST_END_TEST;

/* The first child of each, then those with the fewest left. */
GST_START_TEST (test_b9)
{
  assert_order ("interleave=shortest", "[a,b,c,d]; [e,f]; [g,h,i]", 1,
      "(0/0:0)(1/0:0)(2/0:0)(3/0:0)(2/1:0)(3/1:0)(3/2:0)(1/1:0)(1/2:0)"
      "(1/3:0)");
}

GST_END_TEST;

#define N_LISTS 200

/* Who has had a turn since each other had its last one. */
typedef struct
{
  guint64 last_turn[N_LISTS];   /* of a parent; 0: not begun */
  guint64 turns;
  guint64 window;
  guint64 n_begun;
} Turns;

/* What the window says for sure, whenever the lists came: parents begin in
 * order, and between two children of one no other gives two. */
static GstPadProbeReturn
check_turn (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Turns *turns = data;
  GstOrchEntity *parent = gst_orch_entity_get_parent
      (gst_orch_buffer_get_entity (GST_PAD_PROBE_INFO_BUFFER (info)));
  guint64 ordinal = gst_orch_entity_get_ordinal (parent);

  turns->turns++;
  if (turns->last_turn[ordinal] == 0) {
    fail_unless_equals_uint64 (ordinal, turns->n_begun);
    turns->n_begun++;
  } else {
    fail_unless (turns->turns - turns->last_turn[ordinal] <= turns->window);
  }
  turns->last_turn[ordinal] = turns->turns;
  return GST_PAD_PROBE_OK;
}

static const gchar *
get_list (guint i)
{
  static const gchar *long_list = "[a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,"
      "a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a]";

  return i == 0 ? "[a]" : i < 4 ? long_list : "[a,b,c,d,e]";
}

/* Window 4: lists of 1, many, many, many, then many of 5. */
GST_START_TEST (test_b8_many_lists)
{
  Run *self = run_new (RUN_IN "! orchexpand window=4 ! identity name=i ! "
      RUN_OUT);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "i"), "sink");
  Turns turns = {.window = 4 };
  guint i;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, check_turn, &turns, NULL);
  run_start (self);
  for (i = 0; i < N_LISTS; i++)
    run_push (self, get_list (i));
  run_end (self);
  run_finish (self);
  fail_unless_equals_uint64 (turns.turns, 1 + 3 * 40 + (N_LISTS - 4) * 5);
  fail_unless_equals_uint64 (turns.n_begun, N_LISTS);
  gst_object_unref (pad);
  run_free (self);
}

GST_END_TEST;

#define N_STREAMS 100

/* Streams of one buffer each, one after the other: the window is for lists, and no
 * stream waits for it. */
GST_START_TEST (test_b10)
{
  static const gchar *modes[] = { "fair", "shortest", "none" };
  GString *text = g_string_new ("orchexpand name=e max-buffers=1 window=4 ");
  Run *self;
  guint i;

  g_string_append_printf (text, "interleave=%s ! orchidentity ! orchreduce ! "
      RUN_OUT, modes[__i__]);
  for (i = 0; i < N_STREAMS; i++)
    g_string_append_printf (text, "appsrc name=s%u format=time ! e.sink_%u ",
        i, i);
  self = run_new ("%s", text->str);
  run_start (self);
  for (i = 0; i < N_STREAMS; i++) {
    g_autofree gchar *source = g_strdup_printf ("s%u", i);

    run_push_to (self, source, "x");
    run_end_of (self, source);
    collector_wait (self->out, i + 1);
  }
  run_finish (self);
  fail_unless_equals_uint64 (run_get_stat (self, "e", "parents"), N_STREAMS);
  g_string_free (text, TRUE);
  run_free (self);
}

GST_END_TEST;

/* ---- orchreduce order ---- */

static gboolean
hold_document_0 (GstOrchBatch * batch, guint replica, gpointer gate,
    GError ** error)
{
  GstOrchEntity *page = gst_orch_batch_get_entity (batch, 0);

  if (gst_orch_entity_get_ordinal (gst_orch_entity_get_parent (page)) == 0)
    gate_pass (gate);
  script_present_all (batch);
  return TRUE;
}

static Run *
start_reduce (Gate * gate, const gchar * order)
{
  Run *self = run_new (RUN_IN "! orchexpand interleave=none ! orchcall "
      "replicas=2 function=script ! orchreduce name=r order=%s ! " RUN_OUT,
      order);

  gate_init (gate);
  script_set (0, (Script) {.run = hold_document_0,.data = gate});
  run_start (self);
  run_push (self, "[a]");
  gate_await_waiting (gate, 1);
  run_push (self, "[b]");
  run_push (self, "[]");
  patience_until (run_get_stat (self, "r", "present") == 2);
  return self;
}

GST_START_TEST (test_reduce_order_input)
{
  Gate gate;
  Run *self = start_reduce (&gate, "input");
  g_autofree gchar *sequence = NULL;

  fail_unless_equals_int (collector_get_n_results (self->out), 0);
  gate_open (&gate);
  run_end (self);
  run_finish (self);
  sequence = collector_get_sequence (self->out);
  fail_unless (g_str_has_suffix (sequence, " 0 1 2 eos"));
  run_assert_results (self, "0 [a]; 1 [b]; 2 []");
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

GST_START_TEST (test_reduce_order_completion)
{
  Gate gate;
  Run *self = start_reduce (&gate, "completion");
  g_autofree gchar *sequence = NULL;

  collector_wait (self->out, 2);
  gate_open (&gate);
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [a]; 1 [b]; 2 []");
  sequence = collector_get_sequence (self->out);
  fail_unless (g_str_has_suffix (sequence, " 0 eos"));
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

/* ---- G3, G4: many ---- */

#define ROWS(n) "fakesrc num-buffers=" n " sizetype=empty ! text/x-raw ! "

static GstPadProbeReturn
check_next (GstPad * pad, GstPadProbeInfo * info, gpointer next)
{
  GstOrchEntity *entity =
      gst_orch_buffer_get_entity (GST_PAD_PROBE_INFO_BUFFER (info));

  fail_unless_equals_uint64 (gst_orch_entity_get_ordinal (entity),
      *(guint64 *) next);
  *(guint64 *) next += 1;
  return GST_PAD_PROBE_OK;
}

static void
watch (Run * self, GstPadProbeCallback callback, gpointer data)
{
  GstPad *pad = gst_element_get_static_pad (run_get (self, "out"), "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, callback, data, NULL);
  gst_object_unref (pad);
}

/* 100,000 rows through 4 Calls: their order, and 400,000 dispatches. */
GST_START_TEST (test_g3)
{
#define G3_CALL(i) "orchidentity name=c" i " replicas=4 batch-size=127 " \
    "order=input ! "
  static const gchar *calls[] = { "c0", "c1", "c2", "c3" };
  Run *self = run_new (ROWS ("100000") G3_CALL ("0") G3_CALL ("1")
      G3_CALL ("2") G3_CALL ("3") RUN_OUT);
  guint64 next = 0, dispatches = 0;
  guint i;

  watch (self, check_next, &next);
  run_start (self);
  run_finish (self);
  fail_unless_equals_uint64 (next, 100000);
  for (i = 0; i < G_N_ELEMENTS (calls); i++)
    dispatches += run_get_stat (self, calls[i], "present");
  fail_unless_equals_uint64 (dispatches, 400000);
  run_free (self);
}

GST_END_TEST;

static GstPadProbeReturn
check_row (GstPad * pad, GstPadProbeInfo * info, gpointer n_children)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstOrchList *list = gst_orch_buffer_get_list (buffer);
  guint n = gst_orch_list_get_size (list);

  fail_unless_equals_int (n, gst_orch_entity_get_ordinal
      (gst_orch_buffer_get_entity (buffer)) % 5);
  *(guint64 *) n_children += n;
  return GST_PAD_PROBE_OK;
}

/* 10,000 rows, the v-th with v mod 5 children. */
GST_START_TEST (test_g4)
{
  Run *self = run_new (ROWS ("10000") "orchtestlist n=0 spread=5 replicas=2 "
      "batch-size=16 ! orchexpand name=e ! orchidentity replicas=4 "
      "batch-size=32 ! orchreduce name=r ! " RUN_OUT);
  guint64 n_children = 0;

  watch (self, check_row, &n_children);
  run_start (self);
  run_finish (self);
  fail_unless_equals_uint64 (n_children, 20000);
  fail_unless_equals_uint64 (run_get_stat (self, "e", "children"), 20000);
  fail_unless_equals_uint64 (run_get_stat (self, "r", "present"), 10000);
  run_free (self);
}

GST_END_TEST;

static Suite *
order_suite (void)
{
  Suite *s = suite_create ("order");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_b2);
  tcase_add_test (tc, test_b2p);
  tcase_add_test (tc, test_b8);
  tcase_add_test (tc, test_b8_batches);
  tcase_add_test (tc, test_b8_none);
  tcase_add_test (tc, test_b8_many_lists);
  tcase_add_test (tc, test_b9);
  tcase_add_loop_test (tc, test_b10, 0, 3);
  tcase_add_test (tc, test_reduce_order_input);
  tcase_add_test (tc, test_reduce_order_completion);
  tcase_add_test (tc, test_g3);
  tcase_add_test (tc, test_g4);
  return s;
}

GST_CHECK_MAIN (order);
