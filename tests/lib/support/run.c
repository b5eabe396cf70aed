/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "run.h"
#include "notation.h"
#include "patience.h"

#include <string.h>

Run *
run_try_new (const gchar * description, GError ** error)
{
  GError *failure = NULL;
  GstElement *pipeline = gst_parse_launch (description, &failure);
  Run *self;
  GstPad *pad;

  if (failure) {
    g_clear_pointer (&pipeline, gst_object_unref);
    g_propagate_error (error, failure);
    return NULL;
  }
  self = g_new0 (Run, 1);
  self->pipeline = pipeline;
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  self->news = g_ptr_array_new_with_free_func ((GDestroyNotify)
      gst_structure_free);
  self->ledgers = g_ptr_array_new_with_free_func ((GDestroyNotify)
      gst_structure_free);
  self->in = gst_bin_get_by_name (GST_BIN (self->pipeline), "in");
  pad = gst_element_get_static_pad (run_get (self, "out"), "sink");
  self->out = collector_new (pad);
  gst_object_unref (pad);
  return self;
}

Run *
run_new (const gchar * description, ...)
{
  g_autofree gchar *text = NULL;
  GError *error = NULL;
  va_list args;
  Run *self;

  va_start (args, description);
  text = g_strdup_vprintf (description, args);
  va_end (args);
  self = run_try_new (text, &error);
  g_assert_no_error (error);
  return self;
}

void
run_free (Run * self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  collector_free (self->out);
  g_clear_pointer (&self->in, gst_object_unref);
  gst_object_unref (self->pipeline);
  g_free (self->error);
  g_free (self->error_debug);
  g_ptr_array_unref (self->warnings);
  g_ptr_array_unref (self->news);
  g_ptr_array_unref (self->ledgers);
  g_free (self);
}

void
run_start (Run * self)
{
  g_assert_cmpint (gst_element_set_state (self->pipeline, GST_STATE_PLAYING),
      !=, GST_STATE_CHANGE_FAILURE);
}

GstElement *
run_get (Run * self, const gchar * element)
{
  GstElement *found = gst_bin_get_by_name (GST_BIN (self->pipeline), element);

  g_assert_nonnull (found);
  gst_object_unref (found);
  return found;
}

void
run_push_at (Run * self, const gchar * source, const gchar * value, gint ms,
    GstBufferFlags flags)
{
  GstElement *in = run_get (self, source);
  GstFlowReturn ret;
  GstCaps *caps;
  GstBuffer *buffer = notation_parse (value, &caps);
  GstSample *sample;

  if (ms >= 0)
    GST_BUFFER_PTS (buffer) = ms * GST_MSECOND;
  GST_BUFFER_FLAG_SET (buffer, flags);
  sample = gst_sample_new (buffer, caps, NULL, NULL);
  g_signal_emit_by_name (in, "push-sample", sample, &ret);
  gst_sample_unref (sample);
  gst_buffer_unref (buffer);
  gst_caps_unref (caps);
}

void
run_push_to (Run * self, const gchar * source, const gchar * value)
{
  run_push_at (self, source, value, -1, 0);
}

void
run_push (Run * self, const gchar * value)
{
  run_push_to (self, "in", value);
}

void
run_end_of (Run * self, const gchar * source)
{
  GstFlowReturn ret;

  g_signal_emit_by_name (run_get (self, source), "end-of-stream", &ret);
}

void
run_end (Run * self)
{
  run_end_of (self, "in");
}

/* ---- messages ---- */

static void
take_error (Run * self, GstMessage * message)
{
  GError *error;
  gchar *debug;

  gst_message_parse_error (message, &error, &debug);
  /* The first is the cause of those that follow. */
  if (!self->error) {
    self->error = g_strdup (error->message);
    self->error_debug = g_steal_pointer (&debug);
  }
  g_error_free (error);
  g_free (debug);
}

static void
take_warning (Run * self, GstMessage * message)
{
  GError *error;

  gst_message_parse_warning (message, &error, NULL);
  g_ptr_array_add (self->warnings, g_strdup (error->message));
  g_error_free (error);
}

static void
take_news (Run * self, GstMessage * message)
{
  GstStructure *news = gst_structure_copy (gst_message_get_structure (message));

  if (!gst_structure_has_name (news, "orch-ledger")) {
    g_ptr_array_add (self->news, news);
    return;
  }
  gst_structure_set (news, "of", G_TYPE_STRING,
      GST_OBJECT_NAME (GST_MESSAGE_SRC (message)), NULL);
  g_ptr_array_add (self->ledgers, news);
}

static void
take_message (Run * self, GstMessage * message)
{
  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      take_error (self, message);
      break;
    case GST_MESSAGE_WARNING:
      take_warning (self, message);
      break;
    case GST_MESSAGE_ELEMENT:
      take_news (self, message);
      break;
    default:
      break;
  }
}

void
run_read_bus (Run * self)
{
  GstBus *bus = gst_element_get_bus (self->pipeline);
  GstMessage *message;

  while ((message = gst_bus_pop (bus))) {
    take_message (self, message);
    gst_message_unref (message);
  }
  gst_object_unref (bus);
}

gboolean
run_wait (Run * self)
{
  GstBus *bus = gst_element_get_bus (self->pipeline);
  gint64 deadline = patience_deadline ();
  gboolean eos = FALSE;

  while (!eos && !self->error) {
    gint64 left = deadline - g_get_monotonic_time ();
    GstMessage *message = gst_bus_timed_pop (bus, MAX (left, 0) * 1000);

    if (!message)
      g_error ("neither EOS nor an error came");
    take_message (self, message);
    eos = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
    gst_message_unref (message);
  }
  gst_object_unref (bus);
  run_read_bus (self);
  return eos && !self->error;
}

/* ---- accounts ---- */

static guint64
get_field (const GstStructure * stats, const gchar * field)
{
  guint64 value;
  guint small;

  if (gst_structure_get_uint64 (stats, field, &value))
    return value;
  g_assert_true (gst_structure_get_uint (stats, field, &small));
  return small;
}

/* Those of runs that were stopped may say that something is open. */
static void
check_ledger (gpointer ledger, gpointer user_data)
{
  gboolean finished;

  g_assert_true (gst_structure_get_boolean (ledger, "finished", &finished));
  g_assert_cmpuint (get_field (ledger, "entered"), ==,
      get_field (ledger, "present") + get_field (ledger, "dropped") +
      get_field (ledger, "failed") + get_field (ledger, "suppressed") +
      get_field (ledger, "forgotten") + get_field (ledger, "open"));
  if (finished)
    g_assert_cmpuint (get_field (ledger, "open"), ==, 0);
}

guint
run_count_ledgers (Run * self, const gchar * element)
{
  guint i, n = 0;

  for (i = 0; i < self->ledgers->len; i++)
    n += g_str_equal (gst_structure_get_string (g_ptr_array_index
            (self->ledgers, i), "of"), element);
  return n;
}

guint64
run_get_ledger (Run * self, const gchar * element, const gchar * field)
{
  guint i;

  for (i = self->ledgers->len; i > 0; i--) {
    const GstStructure *ledger = g_ptr_array_index (self->ledgers, i - 1);
    gboolean flag;

    if (!g_str_equal (gst_structure_get_string (ledger, "of"), element))
      continue;
    if (gst_structure_get_boolean (ledger, field, &flag))
      return flag;
    return get_field (ledger, field);
  }
  g_error ("%s has posted no ledger", element);
}

static void
check_stats (GstElement * element, const GstStructure * stats)
{
  if (gst_structure_has_name (stats, "orch-call-stats"))
    g_assert_cmpuint (get_field (stats, "entered"), ==,
        get_field (stats, "present") + get_field (stats, "dropped") +
        get_field (stats, "failed") + get_field (stats, "suppressed") +
        get_field (stats, "forgotten"));
  if (gst_structure_has_name (stats, "orch-reduce-stats")
      || gst_structure_has_name (stats, "orch-zip-stats"))
    g_assert_cmpuint (get_field (stats, "open"), ==, 0);
  if (gst_structure_has_name (stats, "orch-expand-stats"))
    g_assert_cmpuint (get_field (stats, "open-lists"), ==, 0);
}

static void
check_element (const GValue * value, gpointer user_data)
{
  GstElement *element = g_value_get_object (value);
  GParamSpec *pspec =
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), "stats");
  GstStructure *stats = NULL;

  if (!pspec || pspec->value_type != GST_TYPE_STRUCTURE)
    return;
  g_object_get (element, "stats", &stats, NULL);
  check_stats (element, stats);
  gst_structure_free (stats);
}

void
run_check_ledger (Run * self)
{
  GstIterator *elements = gst_bin_iterate_recurse (GST_BIN (self->pipeline));

  gst_iterator_foreach (elements, check_element, NULL);
  gst_iterator_free (elements);
  g_ptr_array_foreach (self->ledgers, check_ledger, NULL);
}

void
run_finish (Run * self)
{
  if (!run_wait (self))
    g_error ("%s (%s)", self->error, self->error_debug);
  run_check_ledger (self);
}

guint64
run_get_stat (Run * self, const gchar * element, const gchar * field)
{
  GstStructure *stats;
  guint64 value;

  g_object_get (run_get (self, element), "stats", &stats, NULL);
  value = get_field (stats, field);
  gst_structure_free (stats);
  return value;
}

gchar *
run_get_text (Run * self, const gchar * element, const gchar * property)
{
  GValue value = G_VALUE_INIT;
  gchar *text;

  gst_child_proxy_get_property (GST_CHILD_PROXY (run_get (self, element)),
      property, &value);
  text = g_value_dup_string (&value);
  g_value_unset (&value);
  return text;
}

void
assert_results (const gchar * chain, const gchar * values,
    const gchar * results)
{
  g_auto (GStrv) inputs = g_strsplit (values, "; ", -1);
  Run *self = run_new (RUN_IN "! %s ! " RUN_OUT, chain);
  guint i;

  run_start (self);
  for (i = 0; inputs[i]; i++)
    run_push (self, inputs[i]);
  run_end (self);
  run_finish (self);
  run_assert_results (self, results);
  run_free (self);
}
