/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* S5.5, S6: what is given up makes no difference.  Random pipelines run twice, once
 * with probes, which everything is kept for. */

#include "chance.h"
#include "run.h"
#include "complaints.h"

#include <gst/check/gstcheck.h>

#define N_ROUNDS 60
#define MAX_DOCUMENTS 4
#define MAX_CHILDREN 6

static GRand *chance;

static guint
pick (guint n)
{
  return g_rand_int_range (chance, 0, n);
}

static const gchar *
pick_mode (void)
{
  static const gchar *modes[] = { "suppress-parent", "skip", "placeholder",
    "skip max-failed=1", "placeholder max-failed=0.5"
  };

  return modes[pick (G_N_ELEMENTS (modes))];
}

/* ---- values and what becomes of them ---- */

static void
append_value (GString * text, guint depth)
{
  guint i, n = pick (MAX_CHILDREN + 1);

  if (depth == 0) {
    g_string_append_c (text, 'a' + pick (26));
    return;
  }
  g_string_append_c (text, '[');
  for (i = 0; i < n; i++) {
    if (i > 0)
      g_string_append_c (text, ',');
    if (pick (20) == 0)
      g_string_append (text, pick (2) ? "!bad" : "~");
    else
      append_value (text, depth - 1);
  }
  g_string_append_c (text, ']');
}

/* One of the units at `depth`, which may not exist. */
static void
append_path (GString * text, guint depth)
{
  g_string_append_printf (text, "%u", pick (MAX_DOCUMENTS));
  while (depth--)
    g_string_append_printf (text, "/%u", pick (MAX_CHILDREN));
}

static void
append_rule (GString * text, const gchar * name, guint max, guint depth)
{
  guint i, n = pick (max + 1);

  for (i = 0; i < n; i++) {
    g_string_append_printf (text, i ? "," : " %s=", name);
    append_path (text, depth);
  }
}

static void
append_call (GString * text, guint depth)
{
  guint batch_size = 1 + pick (5);

  g_string_append_printf (text, "orchtestwork batch-size=%u replicas=%u "
      "max-buffers=%u early=%s", batch_size, 1 + pick (3), batch_size + pick (8),
      pick (2) ? "true" : "false");
  append_rule (text, "record", 3, depth);
  append_rule (text, "group", 2, depth);
  append_rule (text, "drop", 2, depth);
  append_rule (text, "error", 1, depth);
  append_rule (text, "error-once", 2, depth);
  g_string_append (text, " ! ");
}

static void
append_expand (GString * text)
{
  static const gchar *orders[] = { "fair", "shortest", "none" };

  g_string_append_printf (text, "orchexpand window=%u interleave=%s ! ",
      1 + pick (4), orders[pick (3)]);
}

static void
append_reduce (GString * text)
{
  g_string_append_printf (text, "orchreduce on-failed=%s ! ", pick_mode ());
}

/* A probe here keeps everything wanted: watch() puts one on each. */
#define WATCH "identity ! "
#define OTHER "fakesink name=other sync=false async=false "

static gchar *
make_two_levels (void)
{
  GString *text = g_string_new (RUN_IN "! ");

  append_expand (text);
  append_call (text, 1);
  append_call (text, 1);
  append_expand (text);
  append_call (text, 2);
  g_string_append (text, WATCH);
  append_reduce (text);
  g_string_append (text, WATCH);
  append_reduce (text);
  g_string_append (text, RUN_OUT);
  return g_string_free (text, FALSE);
}

static gchar *
make_two_branches (void)
{
  GString *text = g_string_new (RUN_IN "! ");

  append_expand (text);
  append_call (text, 1);
  g_string_append (text, "tee name=t t. ! queue ! ");
  append_call (text, 1);
  g_string_append (text, WATCH);
  append_reduce (text);
  g_string_append (text, RUN_OUT "t. ! queue max-size-buffers=1 ! ");
  append_call (text, 1);
  g_string_append (text, WATCH);
  append_reduce (text);
  g_string_append (text, OTHER);
  return g_string_free (text, FALSE);
}

/* Of pages that come together again, one of the branches over lines. */
static gchar *
make_join (void)
{
  GString *text = g_string_new ("orchjoin name=j ! " WATCH);

  append_reduce (text);
  g_string_append (text, RUN_OUT RUN_IN "! ");
  append_expand (text);
  append_call (text, 1);
  g_string_append (text, "tee name=t t. ! queue ! ");
  append_call (text, 1);
  g_string_append (text, "j. t. ! queue max-size-buffers=1 ! ");
  append_expand (text);
  append_call (text, 2);
  append_reduce (text);
  g_string_append (text, "j.");
  return g_string_free (text, FALSE);
}

/* ---- running ---- */

static GstPadProbeReturn
let_pass (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  return GST_PAD_PROBE_OK;
}

static void
watch (const GValue * value, gpointer user_data)
{
  GstElement *element = g_value_get_object (value);
  GstElementFactory *factory = gst_element_get_factory (element);
  GstPad *pad;

  if (!g_str_equal (GST_OBJECT_NAME (factory), "identity"))
    return;
  pad = gst_element_get_static_pad (element, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, let_pass, NULL, NULL);
  gst_object_unref (pad);
}

/* (transfer full): without the causes, which the schedule decides about */
static gchar *
get_outcomes (Collector * collector)
{
  g_autofree gchar *results = collector_get_results (collector);
  g_autoptr (GRegex) causes = g_regex_new ("[a-z-]+:[a-z0-9-]+@[0-9/]+", 0, 0,
      NULL);

  return g_regex_replace_literal (causes, results, -1, 0, "", 0, NULL);
}

static Collector *
collect_other (Run * self)
{
  GstElement *other = gst_bin_get_by_name (GST_BIN (self->pipeline), "other");
  Collector *collector;
  GstPad *pad;

  if (!other)
    return NULL;
  pad = gst_element_get_static_pad (other, "sink");
  collector = collector_new (pad);
  gst_object_unref (pad);
  gst_object_unref (other);
  return collector;
}

static gchar *
run (const gchar * pipeline, gchar ** documents, gboolean keep_all)
{
  Run *self = run_new ("%s", pipeline);
  Collector *collector = collect_other (self);
  GstIterator *elements = gst_bin_iterate_elements (GST_BIN (self->pipeline));
  g_autofree gchar *outcomes = NULL;
  g_autofree gchar *other = NULL;
  guint i;

  if (keep_all)
    gst_iterator_foreach (elements, watch, NULL);
  gst_iterator_free (elements);
  run_start (self);
  for (i = 0; documents[i]; i++)
    run_push (self, documents[i]);
  run_end (self);
  run_finish (self);
  outcomes = get_outcomes (self->out);
  if (collector) {
    other = get_outcomes (collector);
    collector_free (collector);
  }
  run_free (self);
  return g_strconcat (outcomes, " | ", other, NULL);
}

static gchar **
make_documents (guint depth)
{
  GPtrArray *documents = g_ptr_array_new ();
  guint i, n = 1 + pick (MAX_DOCUMENTS);

  for (i = 0; i < n; i++) {
    GString *text = g_string_new (NULL);

    append_value (text, depth);
    g_ptr_array_add (documents, g_string_free (text, FALSE));
  }
  g_ptr_array_add (documents, NULL);
  return (gchar **) g_ptr_array_free (documents, FALSE);
}

static void
compare (gchar * (*make) (void), guint depth)
{
  guint i;

  for (i = 0; i < N_ROUNDS; i++) {
    g_autofree gchar *pipeline = make ();
    g_auto (GStrv) documents = make_documents (depth);
    g_autofree gchar *kept = run (pipeline, documents, TRUE);
    g_autofree gchar *pruned = run (pipeline, documents, FALSE);

    if (!g_str_equal (kept, pruned)) {
      g_autofree gchar *values = g_strjoinv ("; ", documents);

      g_error ("round %u: %s\n of %s\n is %s\n not %s", i, pipeline, values,
          pruned, kept);
    }
  }
}

GST_START_TEST (test_two_levels)
{
  compare (make_two_levels, 2);
}

GST_END_TEST;

GST_START_TEST (test_two_branches)
{
  compare (make_two_branches, 1);
}

GST_END_TEST;

GST_START_TEST (test_join)
{
  compare (make_join, 2);
}

GST_END_TEST;

static Suite *
pruning_random_suite (void)
{
  Suite *s = suite_create ("pruning-random");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  chance = chance_new ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_two_levels);
  tcase_add_test (tc, test_two_branches);
  tcase_add_test (tc, test_join);
  return s;
}

GST_CHECK_MAIN (pruning_random);
