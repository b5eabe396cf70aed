/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* S8: what is said of a pipeline before data flows.  Each line is read as a
 * plan, and started. */

#include "complaints.h"

#include <gst/check/gstcheck.h>
#include <gst/orch/gstorchplan-private.h>
#include <gst/orch/orch.h>
#include <string.h>

#define IN "appsrc name=in ! "
#define LISTS IN "orchtestlist name=l ! "
#define OUT " ! fakesink name=out async=false sync=false"

static GstElement *
parse (const gchar * line)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);

  if (error)
    g_error ("%s: %s", line, error->message);
  return pipeline;
}

/* ---- as a plan ---- */

/* "r: message", one a line. */
static gchar *
get_findings (GstElement * pipeline, gboolean errors)
{
  GstOrchPlan *plan = gst_orch_plan_new (pipeline);
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < plan->findings->len; i++) {
    GstOrchPlanFinding *finding = g_ptr_array_index (plan->findings, i);

    if (finding->is_error == errors)
      g_string_append_printf (text, "%s%s: %s", text->len ? "\n" : "",
          finding->name, finding->message);
  }
  gst_orch_plan_unref (plan);
  return g_string_free (text, FALSE);
}

/* ---- as a pipeline that runs ---- */

/* What a plan has put on the bus, in the same form.  An unknown Function is
 * found even earlier. */
static gchar *
pop_findings (GstElement * pipeline, GstMessageType type)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GString *text = g_string_new (NULL);
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, type))) {
    GError *error;

    if (type == GST_MESSAGE_ERROR)
      gst_message_parse_error (message, &error, NULL);
    else
      gst_message_parse_warning (message, &error, NULL);
    if (error->domain != GST_STREAM_ERROR)
      g_string_append_printf (text, "%s%s: %s", text->len ? "\n" : "",
          GST_MESSAGE_SRC_NAME (message), error->message);
    g_error_free (error);
    gst_message_unref (message);
  }
  gst_object_unref (bus);
  return g_string_free (text, FALSE);
}

static void
stop (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

/* It is the only error, and the pipeline does not start for it. */
static void
assert_error (const gchar * line, const gchar * expected)
{
  GstElement *pipeline = parse (line);
  g_autofree gchar *planned = get_findings (pipeline, TRUE);
  g_autofree gchar *posted = NULL;

  g_assert_cmpstr (planned, ==, expected);
  fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  posted = pop_findings (pipeline, GST_MESSAGE_ERROR);
  g_assert_cmpstr (posted, ==, expected);
  stop (pipeline);
}

/* Nothing is wrong but what `expected` warns of, which is said once a start. */
static void
assert_warnings (const gchar * line, const gchar * expected)
{
  GstElement *pipeline = parse (line);
  g_autofree gchar *errors = get_findings (pipeline, TRUE);
  g_autofree gchar *planned = get_findings (pipeline, FALSE);
  guint i;

  g_assert_cmpstr (errors, ==, "");
  g_assert_cmpstr (planned, ==, expected);
  for (i = 0; i < 2; i++) {
    g_autofree gchar *posted = NULL;

    gst_element_set_state (pipeline, GST_STATE_PAUSED);
    posted = pop_findings (pipeline, GST_MESSAGE_WARNING);
    g_assert_cmpstr (posted, ==, expected);
    gst_element_set_state (pipeline, GST_STATE_READY);
  }
  stop (pipeline);
}

static void
assert_nothing (const gchar * line)
{
  assert_warnings (line, "");
}

/* ---- Domains ---- */

GST_START_TEST (test_reduce_at_root)
{
  assert_error (IN "orchidentity ! orchreduce name=r" OUT,
      "r: r has nothing to gather into.");
  assert_error (LISTS "orchexpand ! orchreduce ! queue ! orchreduce name=r" OUT,
      "r: r has nothing to gather into.");
  assert_error ("orchsrc ! orchreduce name=r" OUT,
      "r: r has nothing to gather into.");
}

GST_END_TEST;

GST_START_TEST (test_reduce_of_different_domains)
{
  assert_error (IN "orchidentity ! tee name=t "
      "t. ! orchtestlist ! orchexpand ! funnel name=f ! orchreduce name=r" OUT
      " t. ! orchtestlist ! orchexpand ! f.",
      "r: What comes to the pad sink of r is of different Domains.");
}

GST_END_TEST;

GST_START_TEST (test_reduce_of_one_domain)
{
  assert_nothing (LISTS "orchexpand ! tee name=t t. ! queue ! orchidentity ! "
      "funnel name=f ! orchreduce" OUT " t. ! queue ! orchidentity ! f.");
}

GST_END_TEST;

/* Several values of the same children. */
GST_START_TEST (test_aligned_reduce)
{
  assert_nothing (LISTS "orchexpand ! tee name=t ! queue ! orchidentity ! "
      "orchreduce name=r" OUT " t. ! queue ! r.sink_1 t. ! queue ! r.members "
      "r.src_1 ! fakesink");
  assert_error (IN "orchidentity ! tee name=t ! queue ! orchtestlist ! "
      "orchexpand name=e ! orchreduce name=r" OUT " t. ! queue ! orchtestlist ! "
      "orchexpand name=f ! r.sink_1 r.src_1 ! fakesink",
      "r: The pads sink and sink_1 of r get units of different Domains: those of "
      "e and those of f.");
  assert_error (IN "orchidentity ! tee name=t ! queue ! orchtestlist ! "
      "orchexpand name=e ! orchreduce name=r" OUT " t. ! queue ! r.members",
      "r: The pads sink and members of r get units of different Domains: those "
      "of e and those of in.");
}

GST_END_TEST;

/* Documents of two sources go one way, and are still documents. */
GST_START_TEST (test_two_sources)
{
  assert_nothing ("funnel name=f ! orchtestlist ! orchexpand ! orchreduce" OUT
      " appsrc ! orchidentity ! f. appsrc ! orchidentity ! f.");
  assert_error ("funnel name=f ! orchidentity ! orchreduce name=r" OUT
      " appsrc ! orchidentity ! f. appsrc ! orchidentity ! f.",
      "r: r has nothing to gather into.");
}

GST_END_TEST;

GST_START_TEST (test_aligned_expand_of_two_calls)
{
  assert_error ("appsrc ! tee name=t ! orchtestlist name=a ! "
      "orchexpand name=e ! orchreduce" OUT " t. ! orchtestlist name=b ! "
      "e.aligned_1 e.src_1 ! fakesink",
      "e: e opens lists of a and of b together.");
  assert_nothing ("appsrc ! orchtestoutputs name=c ! orchexpand name=e ! "
      "orchreduce" OUT " c.src_1 ! queue ! e.aligned_1 e.src_1 ! orchidentity ! "
      "orchreduce ! fakesink");
  /* lists of different documents */
  assert_nothing ("appsrc ! orchtestlist ! orchexpand name=e ! orchreduce" OUT
      " appsrc ! orchtestlist ! e.sink_0");
}

GST_END_TEST;

#define TWO_DOMAINS IN "orchidentity ! tee name=t " \
    "t. ! queue ! orchtestlist ! orchexpand name=frames ! %s " \
    "t. ! queue ! orchtestlist ! orchexpand name=sounds ! %s "

GST_START_TEST (test_join_of_different_domains)
{
  g_autofree gchar *line = g_strdup_printf ("orchjoin name=j ! orchreduce" OUT
      " " TWO_DOMAINS, "j.sink_0", "j.sink_1");

  assert_error (line, "j: The pads sink_0 and sink_1 of j get units of "
      "different Domains: those of frames and those of sounds.");
}

GST_END_TEST;

GST_START_TEST (test_filter_of_different_domains)
{
  g_autofree gchar *line = g_strdup_printf ("orchfilter name=f ! orchreduce" OUT
      " " TWO_DOMAINS, "f.sink", "f.mask");

  assert_error (line, "f: The pads sink and mask of f get units of different "
      "Domains: those of frames and those of sounds.");
}

GST_END_TEST;

GST_START_TEST (test_mask_is_a_list)
{
  assert_error ("orchfilter name=f" OUT " appsrc ! orchidentity ! tee name=t "
      "t. ! queue ! f.sink t. ! queue ! orchtestlist ! f.mask",
      "f: The mask of f is a list.");
}

GST_END_TEST;

/* Children, their parents and what was gathered of other children. */
GST_START_TEST (test_join_of_ancestors)
{
  assert_nothing ("orchjoin name=j ! orchreduce" OUT
      " appsrc ! orchidentity ! tee name=t "
      "t. ! queue ! orchtestlist ! orchexpand ! orchfilter predicate=value ! "
      "j.sink_0 t. ! queue ! j.sink_1 "
      "t. ! queue ! orchtestlist ! orchexpand ! orchreduce ! j.sink_2");
}

GST_END_TEST;

/* ---- Calls ---- */

/* Known are those that are built, and those of the tests. */
GST_START_TEST (test_unknown_function)
{
  g_auto (GStrv) names = gst_orch_function_list_names ();
  g_autofree gchar *known = g_strjoinv (", ", names);
  g_autofree gchar *unknown = g_strdup_printf ("c: c: there is no Function "
      "\"nonsense\". Known are: %s.", known);
  g_autofree gchar *none = g_strdup_printf ("c: c has no Function to run. Set "
      "its property function to one of: %s.", known);

  fail_unless (strstr (known, "test-work"));
  assert_error (IN "orchcall name=c function=nonsense" OUT, unknown);
  assert_error (IN "orchcall name=c" OUT, none);
}

GST_END_TEST;

GST_START_TEST (test_batch_that_cannot_fill)
{
  assert_error (IN "orchidentity name=c batch-size=9 max-buffers=8" OUT,
      "c: A batch of c can never be full: batch-size is 9, max-buffers 8.");
  assert_nothing (IN "orchidentity batch-size=8 max-buffers=8" OUT);
  assert_nothing (IN "orchidentity batch-size=1000" OUT);
}

GST_END_TEST;

/* ---- values ---- */

#define TEXT_OF_LIST "c cannot work on what it is given. It gets " \
    "application/x-orch-list, its Function takes text/x-raw, " \
    "format=(string)utf8."

static const gchar *wrong_values[] = {
  /* Function to Function, through what hands on */
  IN "orchcall function=test-list ! queue ! tee ! "
      "orchcall name=c function=text" OUT,
  /* what a gather makes */
  LISTS "orchexpand ! orchreduce ! orchcall name=c function=text" OUT,
  /* an element of a list of lists */
  LISTS "orchexpand ! orchtestlist ! orchexpand ! orchreduce ! orchreduce ! "
      "orchexpand ! orchcall name=c function=text" OUT,
};

GST_START_TEST (test_wrong_values)
{
  assert_error (wrong_values[__i__], "c: " TEXT_OF_LIST);
}

GST_END_TEST;

GST_START_TEST (test_expand_of_no_list)
{
  assert_error (IN "orchcall function=text ! orchexpand name=e ! orchreduce" OUT,
      "e: e cannot work on what it is given. It opens lists, not text/x-raw, "
      "format=(string)utf8: a Call in between has to make a list of each unit.");
  assert_nothing ("videotestsrc ! orchexpand ! orchreduce" OUT);
}

GST_END_TEST;

/* What an element of another kind makes: it says so itself. */
GST_START_TEST (test_wrong_value_of_another_element)
{
  GstElement *pipeline = parse (IN "orchidentity ! capsfilter name=f ! "
      "orchcall name=c function=text" OUT);
  GstElement *filter = gst_bin_get_by_name (GST_BIN (pipeline), "f");
  g_autofree gchar *planned = NULL;

  gst_util_set_object_arg (G_OBJECT (filter), "caps",
      "application/x-orch-list");
  planned = get_findings (pipeline, TRUE);
  g_assert_cmpstr (planned, ==, "c: " TEXT_OF_LIST);
  gst_object_unref (filter);
  stop (pipeline);
}

GST_END_TEST;

#define JOINED "appsrc ! orchidentity ! tee name=t ! queue ! j.sink_0 " \
    "t. ! queue ! j.sink_1 orchjoin name=j"

GST_START_TEST (test_joined_value)
{
  assert_error (JOINED " ! orchcall name=c function=text" OUT, "c: c cannot work "
      "on what it is given. It gets application/x-orch-items, its Function takes "
      "text/x-raw, format=(string)utf8.");
  assert_nothing (JOINED " output=first ! orchcall name=c function=text" OUT);
  assert_error (JOINED " ! orchexpand name=e ! orchreduce" OUT, "e: e cannot work "
      "on what it is given. It opens lists, not application/x-orch-items: a Call "
      "in between has to make a list of each unit.");
}

GST_END_TEST;

static const gchar *right_values[] = {
  IN "orchcall function=text ! queue ! orchcall function=text" OUT,
  LISTS "orchexpand ! orchcall function=text" OUT,
  LISTS "orchidentity ! orchcall function=text" OUT,
  LISTS "orchexpand ! orchreduce output=concat ! orchcall function=text" OUT,
  /* other inputs of a funnel are other values */
  "funnel name=f ! orchcall function=text" OUT " appsrc ! "
      "orchcall function=test-list ! f. "
      "appsrc ! orchcall function=text ! f.",
  IN "orchidentity ! capsfilter caps=text/x-raw ! orchcall function=text" OUT,
};

GST_START_TEST (test_right_values)
{
  assert_nothing (right_values[__i__]);
}

GST_END_TEST;

/* By itself. */
GST_START_TEST (test_filter_settings)
{
  assert_error (IN "orchidentity ! orchfilter name=f" OUT,
      "f: f does not know what to let pass.");
  assert_error (IN "orchidentity ! orchfilter name=f predicate=((" OUT,
      "f: The predicate of f is not one: expected a field, a number or a text at "
      "the end.");
  assert_error (IN "orchidentity ! orchfilter name=f predicate=\"lang == en\""
      OUT, "f: The predicate of f is not one: neither side is a field at "
      "\"lang == en\"; write info.lang, caps.width, value or value.lang.");
  assert_error (IN "orchidentity ! f.mask orchfilter name=f predicate=value" OUT,
      "f: Nothing comes to the pad sink of f.");
  /* which a demuxer may change */
  assert_nothing (IN "orchidentity ! tee name=t ! queue ! f.mask "
      "orchfilter name=f predicate=value" OUT " t. ! queue ! matroskademux");
}

GST_END_TEST;

/* Pads that are of use only beside another one. */
GST_START_TEST (test_further_pads_alone)
{
  assert_error (IN "orchtestoutputs name=o lists=true o.src_1 ! x.aligned_1 "
      "orchexpand name=x" OUT, "x: Nothing comes to the pad sink of x.");
  assert_error (LISTS "orchexpand ! r.sink_1 orchreduce name=r r.src_1 ! "
      "fakesink", "r: Nothing comes to the pad sink of r.");
  assert_error (LISTS "orchexpand ! r.members orchreduce name=r" OUT,
      "r: Nothing comes to the pad sink of r.");
}

GST_END_TEST;

GST_START_TEST (test_join_settings)
{
  assert_error (JOINED " sink_0::label=one sink_1::label=one" OUT,
      "j: Two pads of j have the label \"one\".");
  assert_error (JOINED " sink_0::label=sink_1" OUT,
      "j: Two pads of j have the label \"sink_1\".");
  assert_nothing (JOINED " sink_0::label=one sink_1::label=two" OUT);
}

GST_END_TEST;

#define PICTURES "Records hold text (text/x-raw, text/html), " \
    "application/json and lists of them, not video/x-raw. Put a Call in " \
    "between that reads pictures, as orchtesseract, or makes files of them, as " \
    "orchthumbnail does for files=FOLDER."

GST_START_TEST (test_value_that_no_sink_writes)
{
  const gchar *expected = "s: s cannot work on what it is given. " PICTURES;

  assert_error ("appsrc ! orchcall function=picture ! "
      "orchsink name=s location=x", expected);
  assert_error ("appsrc ! orchtestlist ! orchexpand ! "
      "orchcall function=picture ! orchreduce ! orchsink name=s location=x",
      expected);
  assert_error ("videotestsrc ! orchsink name=s location=x", expected);
}

GST_END_TEST;

/* What a gather makes one buffer of, and that buffer. */
GST_START_TEST (test_gathered_value)
{
  assert_error ("appsrc ! orchtestlist ! orchexpand ! orchcall function=text ! "
      "orchreduce name=r output=stack" OUT, "r: r cannot work on what it is "
      "given. With output=stack it takes raw pictures or tensors, not "
      "text/x-raw: leave output at list, or put a Call in between.");
  assert_error ("appsrc ! orchidentity ! orchtestlist ! orchexpand ! "
      "tee name=t ! queue ! j.sink_0 t. ! queue ! j.sink_1 orchjoin name=j ! "
      "orchreduce name=r output=concat" OUT, "r: r cannot work on what it is "
      "given. With output=concat it takes bytes, not application/x-orch-items: "
      "leave output at list, or put a Call in between.");
  assert_error ("appsrc ! orchtestlist ! orchexpand ! orchcall function=picture "
      "! orchreduce output=stack ! orchsink name=s location=x", "s: s cannot "
      "work on what it is given. Records hold text (text/x-raw, text/html), "
      "application/json and lists of them, not other/tensors. Put a Call in "
      "between that makes text or JSON of it.");
  assert_nothing ("appsrc ! orchtestlist ! orchexpand ! tee name=t ! queue ! "
      "orchcall function=picture ! orchreduce name=r output=stack" OUT
      " t. ! queue ! orchcall function=text ! r.members");
}

GST_END_TEST;

/* ---- warnings ---- */

GST_START_TEST (test_output_that_nobody_consumes)
{
  assert_warnings (IN "orchidentity name=c",
      "c: Nobody consumes the pad src of c.");
  assert_nothing ("bin.( appsrc ! orchidentity )" OUT);
}

GST_END_TEST;

typedef struct
{
  const gchar *name;
  const gchar *chain;
} Plain;

static const Plain strips[] = {
  {"compositor", "compositor name=p"},
  {"videomixer", "videomixer name=p"},
  {"interlace", "interlace name=p"},
  {"rawvideoparse", "rawvideoparse name=p"},
  {"rawaudioparse", "rawaudioparse name=p"},
  {"y4menc", "y4menc name=p"},
  {"gdppay", "gdppay name=p"},
  {"mpegtsmux", "mpegtsmux name=p"},
  {"deinterlace", "deinterlace name=p mode=interlaced"},
};

static gboolean
is_installed (const Plain * plain)
{
  GstElementFactory *factory = gst_element_factory_find (plain->name);

  g_clear_pointer (&factory, gst_object_unref);
  return factory != NULL;
}

GST_START_TEST (test_what_strips_lineage)
{
  g_autofree gchar *line = g_strdup_printf (LISTS "orchexpand ! queue ! %s ! "
      "queue ! orchreduce name=r" OUT, strips[__i__].chain);

  if (is_installed (&strips[__i__]))
    assert_warnings (line, "p: p makes new buffers, and r will not know whose "
        "they are.");
}

GST_END_TEST;

static const Plain states[] = {
  {"videorate", "videorate name=p"},
  {"x264enc", "x264enc name=p"},
  {"h264parse", "h264parse name=p"},
  {"matroskamux", "matroskamux name=p"},
};

GST_START_TEST (test_what_keeps_state)
{
  const gchar *chain = states[__i__].chain;
  g_autofree gchar *lists = g_strdup_printf (LISTS "orchexpand ! orchidentity "
      "! %s ! orchreduce" OUT, chain);
  g_autofree gchar *outside = g_strdup_printf (LISTS "orchexpand ! %s" OUT,
      chain);
  g_autofree gchar *streams = g_strdup_printf ("orchexpand name=e ! %s ! "
      "orchreduce" OUT " appsrc ! e.sink_0 appsrc ! e.sink_1", chain);
  g_autofree gchar *stream = g_strdup_printf (IN "orchexpand ! %s ! orchreduce"
      OUT, chain);
  g_autofree gchar *parents = g_strdup_printf (IN "orchidentity ! %s ! "
      "orchtestlist ! orchexpand ! orchreduce" OUT, chain);
  const gchar *expected = "p: p gets units of several parents in turn.";

  if (!is_installed (&states[__i__]))
    return;
  assert_warnings (lists, expected);
  assert_warnings (streams, expected);
  assert_warnings (outside, expected);
  assert_nothing (stream);
  assert_nothing (parents);
}

GST_END_TEST;

GST_START_TEST (test_pictures_are_each_for_itself)
{
  assert_nothing (LISTS "orchexpand ! jpegenc ! jpegdec ! orchreduce" OUT);
}

GST_END_TEST;

/* ---- links that come later ---- */

static GstElement *
get (GstElement * pipeline, const gchar * name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);

  g_assert_nonnull (element);
  gst_object_unref (element);
  return element;
}

/* "in ! a", and what begins with `b` apart from it. */
static GstElement *
start_in_two (const gchar * line)
{
  GstElement *pipeline = parse (line);
  g_autofree gchar *errors = get_findings (pipeline, TRUE);

  g_assert_cmpstr (errors, ==, "");
  fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING)
      == GST_STATE_CHANGE_FAILURE);
  return pipeline;
}

static void
link_and_push (GstElement * pipeline)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstFlowReturn ret;

  g_assert_true (gst_element_link (get (pipeline, "a"), get (pipeline, "b")));
  g_signal_emit_by_name (get (pipeline, "in"), "push-buffer", buffer, &ret);
  gst_buffer_unref (buffer);
}

GST_START_TEST (test_late_error)
{
  GstElement *pipeline = start_in_two ("appsrc name=in ! identity name=a "
      "orchidentity name=b ! orchreduce name=r" OUT);
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  GError *error;

  link_and_push (pipeline);
  message = gst_bus_timed_pop_filtered (bus, 20 * GST_SECOND,
      GST_MESSAGE_ERROR);
  gst_message_parse_error (message, &error, NULL);
  g_assert_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS);
  g_assert_cmpstr (error->message, ==, "r has nothing to gather into.");
  g_error_free (error);
  gst_message_unref (message);
  gst_object_unref (bus);
  stop (pipeline);
}

GST_END_TEST;

/* What was said before is not said again; what the link brings is. */
GST_START_TEST (test_late_warning)
{
  GstElement *pipeline = start_in_two ("appsrc name=in ! identity name=a "
      "orchtestlist name=b n=1 ! orchexpand ! gdppay name=p ! orchreduce name=r"
      OUT " orchidentity name=lone");
  g_autofree gchar *first = NULL;
  g_autofree gchar *second = NULL;
  GstBus *bus = gst_element_get_bus (pipeline);

  first = pop_findings (pipeline, GST_MESSAGE_WARNING);
  g_assert_cmpstr (first, ==, "p: p makes new buffers, and r will not know whose they are.\n"
      "lone: Nobody consumes the pad src of lone.");
  link_and_push (pipeline);
  gst_message_unref (gst_bus_timed_pop_filtered (bus, 20 * GST_SECOND,
          GST_MESSAGE_ERROR));
  second = pop_findings (pipeline, GST_MESSAGE_WARNING);
  g_assert_cmpstr (second, ==, "");
  gst_object_unref (bus);
  stop (pipeline);
}

GST_END_TEST;

/* ---- as text ---- */

#define NESTED "appsrc name=in ! orchtestlist name=l ! orchexpand name=e ! " \
    "orchcall function=text name=c ! queue name=q ! orchreduce name=r ! " \
    "fakesink"

GST_START_TEST (test_text)
{
  GstElement *pipeline = parse (NESTED);
  GstOrchPlan *plan = gst_orch_plan_new (pipeline);
  g_autofree gchar *text = gst_orch_plan_to_text (plan);

  g_assert_cmpstr (text, ==,
      "Domains\n"
      "  in: root units\n"
      "    e: children that e opens, gathered by r\n"
      "Elements\n"
      "  l: call of test-list, in in\n"
      "      from in\n"
      "  e: expand, in in, out in e\n"
      "      from l:src\n"
      "  c: call of text, in e\n"
      "      from e:src\n"
      "  r: reduce, in e, out in in\n"
      "      from c:src through q\n");
  g_assert_true (gst_orch_plan_is_complete (plan));
  gst_orch_plan_unref (plan);
  stop (pipeline);
}

GST_END_TEST;

GST_START_TEST (test_not_linked_yet)
{
  GstElement *pipeline = parse ("orchexpand name=e ! orchreduce name=r ! "
      "orchreduce name=s ! fakesink");
  GstOrchPlan *plan = gst_orch_plan_new (pipeline);
  g_autofree gchar *text = gst_orch_plan_to_text (plan);

  g_assert_cmpstr (text, ==,
      "Domains\n"
      "  e: children that e opens, gathered by r\n"
      "Elements\n"
      "  e: expand, in ?, out in e\n"
      "      from what is not linked yet\n"
      "  r: reduce, in e, out in ?\n"
      "      from e:src\n"
      "  s: reduce, in ?\n"
      "      from r:src\n");
  g_assert_false (gst_orch_plan_is_complete (plan));
  gst_orch_plan_unref (plan);
  stop (pipeline);
}

GST_END_TEST;

/* ---- Functions with caps ---- */

typedef GstOrchFunction Text;
typedef GstOrchFunctionClass TextClass;
typedef GstOrchFunction Picture;
typedef GstOrchFunctionClass PictureClass;

static GType text_get_type (void);
static GType picture_get_type (void);

G_DEFINE_TYPE (Text, text, GST_TYPE_ORCH_FUNCTION);
G_DEFINE_TYPE (Picture, picture, GST_TYPE_ORCH_FUNCTION);

static void
text_class_init (TextClass * klass)
{
  gst_orch_function_class_set_caps (klass,
      gst_caps_from_string ("text/x-raw, format=utf8"),
      gst_caps_from_string ("text/x-raw, format=utf8"));
}

static void
text_init (Text * self)
{
}

static void
picture_class_init (PictureClass * klass)
{
  gst_orch_function_class_set_caps (klass, gst_caps_new_any (),
      gst_caps_from_string ("video/x-raw, format=GRAY8"));
}

static void
picture_init (Picture * self)
{
}

static gboolean
register_functions (GstPlugin * plugin)
{
  return gst_orch_function_register (plugin, "text", text_get_type ())
      && gst_orch_function_register (plugin, "picture", picture_get_type ());
}

/* ---- all ---- */

static Suite *
plan_suite (void)
{
  Suite *s = suite_create ("plan");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  gst_plugin_register_static (GST_VERSION_MAJOR, GST_VERSION_MINOR, "plantest",
      "Functions with caps", register_functions, PACKAGE_VERSION, "LGPL",
      "gst-orch", "gst-orch", "gst-orch");
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_reduce_at_root);
  tcase_add_test (tc, test_reduce_of_different_domains);
  tcase_add_test (tc, test_reduce_of_one_domain);
  tcase_add_test (tc, test_aligned_reduce);
  tcase_add_test (tc, test_two_sources);
  tcase_add_test (tc, test_aligned_expand_of_two_calls);
  tcase_add_test (tc, test_join_of_different_domains);
  tcase_add_test (tc, test_filter_of_different_domains);
  tcase_add_test (tc, test_mask_is_a_list);
  tcase_add_test (tc, test_join_of_ancestors);
  tcase_add_test (tc, test_unknown_function);
  tcase_add_test (tc, test_batch_that_cannot_fill);
  tcase_add_loop_test (tc, test_wrong_values, 0, G_N_ELEMENTS (wrong_values));
  tcase_add_test (tc, test_expand_of_no_list);
  tcase_add_test (tc, test_wrong_value_of_another_element);
  tcase_add_test (tc, test_joined_value);
  tcase_add_test (tc, test_filter_settings);
  tcase_add_test (tc, test_further_pads_alone);
  tcase_add_test (tc, test_join_settings);
  tcase_add_loop_test (tc, test_right_values, 0, G_N_ELEMENTS (right_values));
  tcase_add_test (tc, test_value_that_no_sink_writes);
  tcase_add_test (tc, test_gathered_value);
  tcase_add_test (tc, test_output_that_nobody_consumes);
  tcase_add_loop_test (tc, test_what_strips_lineage, 0, G_N_ELEMENTS (strips));
  tcase_add_loop_test (tc, test_what_keeps_state, 0, G_N_ELEMENTS (states));
  tcase_add_test (tc, test_pictures_are_each_for_itself);
  tcase_add_test (tc, test_late_error);
  tcase_add_test (tc, test_late_warning);
  tcase_add_test (tc, test_text);
  tcase_add_test (tc, test_not_linked_yet);
  return s;
}

GST_CHECK_MAIN (plan);
