/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* S5.5: what orchexpand does about what its consumer does not want.  The consumer
 * hears no news: what it is told must fit its mailbox. */

#include "run.h"
#include "complaints.h"
#include "notation.h"
#include "patience.h"
#include "script.h"

#include <gst/orch/gstorchport-private.h>
#include <gst/check/gstcheck.h>

/* ---- a consumer that has enough ---- */

#define ENOUGH 100

typedef struct
{
  GstElement element;
  GstOrchSubscriber *subscriber;
  Gate *gate;                   /* (nullable): before it says so */
  guint n_levels;               /* above what it gets: what it has enough of */
  gint n_buffers;               /* atomic */
} Taker;

typedef GstElementClass TakerClass;

static GType taker_get_type (void);

G_DEFINE_TYPE (Taker, taker, GST_TYPE_ELEMENT);

static GstStaticPadTemplate taker_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static void
have_enough (Taker * self, OrchExpansion * expansion)
{
  GstOrchCause *cause = gst_orch_cause_new ("test", "enough", "no more");
  guint i;

  if (self->gate)
    gate_pass (self->gate);
  for (i = 0; i < self->n_levels; i++)
    expansion = orch_expansion_get_above (expansion);
  gst_orch_subscriber_unwant (self->subscriber, expansion, cause);
  gst_orch_cause_unref (cause);
}

static GstFlowReturn
taker_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  Taker *self = (Taker *) parent;
  GstOrchTaken taken;
  GstFlowReturn ret;

  if (!gst_orch_subscriber_take_one (self->subscriber, buffer, &taken, &ret))
    return ret;
  if (g_atomic_int_add (&self->n_buffers, 1) + 1 == ENOUGH)
    have_enough (self, taken.entity->expansion);
  orch_entity_unref (taken.entity);
  gst_orch_info_unref (taken.info);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static gboolean
taker_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    gst_element_post_message (GST_ELEMENT (parent),
        gst_message_new_eos (parent));
  gst_event_unref (event);
  return TRUE;
}

static gboolean
taker_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  return !gst_orch_subscriber_query (((Taker *) parent)->subscriber, query)
      && gst_pad_query_default (pad, parent, query);
}

static GstStateChangeReturn
taker_change_state (GstElement * element, GstStateChange transition)
{
  GstStateChangeReturn ret =
      GST_ELEMENT_CLASS (taker_parent_class)->change_state (element,
      transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    gst_orch_subscriber_reset (((Taker *) element)->subscriber);
  return ret;
}

static void
taker_finalize (GObject * object)
{
  gst_orch_subscriber_unref (((Taker *) object)->subscriber);
  G_OBJECT_CLASS (taker_parent_class)->finalize (object);
}

static void
taker_class_init (TakerClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = taker_finalize;
  klass->change_state = taker_change_state;
  gst_element_class_add_static_pad_template (klass, &taker_template);
  gst_element_class_set_static_metadata (klass, "Taker", "Test", "Test",
      "Test");
}

static void
taker_init (Taker * self)
{
  GstPad *pad = gst_pad_new_from_static_template (&taker_template, "sink");

  gst_pad_set_chain_function (pad, taker_chain);
  gst_pad_set_event_function (pad, taker_event);
  gst_pad_set_query_function (pad, taker_query);
  gst_element_add_pad (GST_ELEMENT (self), pad);
  self->subscriber = gst_orch_subscriber_new (pad);
  GST_OBJECT_FLAG_SET (self, GST_ELEMENT_FLAG_SINK);
}

/* ---- pipelines ---- */

static Taker *
get_taker (Run * self, const gchar * name)
{
  return (Taker *) run_get (self, name);
}

/* What is collected is beside it: the collector's probe would want everything. */
static Run *
run_new_taker (const gchar * chain)
{
  gst_element_register (NULL, "taker", GST_RANK_NONE, taker_get_type ());
  return run_new (RUN_IN "! orchexpand name=e ! %s appsrc name=other ! "
      RUN_OUT, chain);
}

static void
finish_taker (Run * self)
{
  run_end (self);
  run_end_of (self, "other");
  run_finish (self);
}

/* Nothing more comes after that, though orchexpand has taken many at once. */
GST_START_TEST (test_taken_but_not_pushed)
{
  g_autofree gchar *list = notation_make_list (2 * ENOUGH, "x");
  Run *self = run_new_taker ("identity ! taker name=taker");

  run_start (self);
  run_push (self, list);
  finish_taker (self);
  fail_unless_equals_int (get_taker (self, "taker")->n_buffers, ENOUGH);
  fail_unless_equals_uint64 (run_get_stat (self, "e", "pruned"), ENOUGH);
  run_free (self);
}

GST_END_TEST;

/* A list that waits for the window, and comes when its document is not wanted. */
GST_START_TEST (test_late_list)
{
  g_autofree gchar *list = notation_make_list (2 * ENOUGH, "x");
  g_autofree gchar *document = g_strdup_printf ("[%s,%s]", list, list);
  Run *self = run_new_taker ("orchexpand name=inner window=1 ! "
      "taker name=taker");
  Gate gate;

  gate_init (&gate);
  get_taker (self, "taker")->gate = &gate;
  get_taker (self, "taker")->n_levels = 1;
  run_start (self);
  run_push (self, document);
  gate_await_waiting (&gate, 1);
  patience_until (run_get_stat (self, "e", "children") == 2);
  gate_open (&gate);
  finish_taker (self);
  fail_unless_equals_int (get_taker (self, "taker")->n_buffers, ENOUGH);
  fail_unless_equals_uint64 (run_get_stat (self, "inner", "pruned")
      + ENOUGH, run_get_stat (self, "inner", "children"));
  run_free (self);
  gate_clear (&gate);
}

GST_END_TEST;

/* One branch has enough of the page, the other of the whole document. */
GST_START_TEST (test_branches_of_different_levels)
{
  g_autofree gchar *list = notation_make_list (2 * ENOUGH, "x");
  g_autofree gchar *document = g_strdup_printf ("[%s]", list);
  Run *self = run_new_taker ("orchexpand name=inner ! tee name=t "
      "t. ! taker name=a t. ! taker name=b ");

  get_taker (self, "a")->n_levels = 1;
  run_start (self);
  run_push (self, document);
  finish_taker (self);
  fail_unless_equals_int (get_taker (self, "a")->n_buffers, ENOUGH);
  fail_unless_equals_int (get_taker (self, "b")->n_buffers, ENOUGH);
  fail_unless_equals_uint64 (run_get_stat (self, "inner", "pruned"), ENOUGH);
  run_free (self);
}

GST_END_TEST;

static Suite *
pruning_expand_suite (void)
{
  Suite *s = suite_create ("pruning-expand");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_taken_but_not_pushed);
  tcase_add_test (tc, test_late_list);
  tcase_add_test (tc, test_branches_of_different_levels);
  return s;
}

GST_CHECK_MAIN (pruning_expand);
