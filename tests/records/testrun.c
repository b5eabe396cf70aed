/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "testrun.h"

#include "gstorchjson.h"

#include <string.h>

#define TIMEOUT (120 * GST_SECOND)

GstElement *
test_run_parse (const gchar * format, ...)
{
  g_autofree gchar *launch = NULL;
  g_autoptr (GError) error = NULL;
  GstElement *pipeline;
  va_list args;

  va_start (args, format);
  launch = g_strdup_vprintf (format, args);
  va_end (args);
  pipeline = gst_parse_launch (launch, &error);
  g_assert_no_error (error);
  if (GST_IS_PIPELINE (pipeline))
    return pipeline;
  g_error ("\"%s\" is no pipeline", launch);
}

static void
read_element_message (TestRun * run, GstMessage * message)
{
  const GstStructure *structure = gst_message_get_structure (message);
  GstStructure **kept = NULL;

  if (gst_structure_has_name (structure, "orch-failure"))
    run->n_failures++;
  else if (gst_structure_has_name (structure, "orch-summary"))
    kept = &run->summary;
  else if (gst_structure_has_name (structure, "orch-progress"))
    kept = &run->progress;
  else if (gst_structure_has_name (structure, "orch-ledger")
      && gst_structure_has_field (structure, "skipped"))
    kept = &run->ledger;
  if (kept) {
    gst_clear_structure (kept);
    *kept = gst_structure_copy (structure);
  }
}

static void
read_message (TestRun * run, GstMessage * message)
{
  g_autoptr (GError) problem = NULL;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_EOS:
      run->eos = TRUE;
      break;
    case GST_MESSAGE_ERROR:
      gst_message_parse_error (message, &problem, NULL);
      if (!run->error)
        run->error = g_steal_pointer (&problem);
      break;
    case GST_MESSAGE_WARNING:
      gst_message_parse_warning (message, &problem, NULL);
      run->n_warnings++;
      if (!run->warning)
        run->warning = g_strdup (problem->message);
      break;
    case GST_MESSAGE_ELEMENT:
      read_element_message (run, message);
      break;
    default:
      break;
  }
}

void
test_run_wait (TestRun * run, GstElement * pipeline, GstClockTime timeout)
{
  GstBus *bus = gst_element_get_bus (pipeline);

  while (!run->eos && !run->error) {
    GstMessage *message = gst_bus_timed_pop (bus, timeout);

    if (!message)
      g_error ("The pipeline came to no end");
    read_message (run, message);
    gst_message_unref (message);
  }
  gst_object_unref (bus);
}

void
test_run (TestRun * run, GstElement * pipeline)
{
  memset (run, 0, sizeof *run);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  test_run_wait (run, pipeline, TIMEOUT);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

void
test_run_clear (TestRun * run)
{
  g_clear_error (&run->error);
  g_free (run->warning);
  gst_clear_structure (&run->summary);
  gst_clear_structure (&run->progress);
  gst_clear_structure (&run->ledger);
}

void
test_run_check_good (TestRun * run)
{
  g_assert_no_error (run->error);
  g_assert_true (run->eos);
  test_run_check_ledger (run, TRUE);
}

void
test_run_check_ledger (TestRun * run, gboolean finished)
{
  gboolean flag;

  g_assert_nonnull (run->ledger);
  g_assert_true (gst_structure_get_boolean (run->ledger, "finished", &flag));
  g_assert_cmpint (flag, ==, finished);
  g_assert_cmpuint (test_run_get (run->ledger, "entered"), ==,
      test_run_get (run->ledger, "present")
      + test_run_get (run->ledger, "dropped")
      + test_run_get (run->ledger, "failed")
      + test_run_get (run->ledger, "suppressed")
      + test_run_get (run->ledger, "forgotten")
      + test_run_get (run->ledger, "open"));
  if (finished)
    g_assert_cmpuint (test_run_get (run->ledger, "open"), ==, 0);
}

void
test_run_check_error (TestRun * run, const gchar * word)
{
  g_assert_false (run->eos);
  g_assert_nonnull (run->error);
  if (!strstr (run->error->message, word))
    g_error ("\"%s\" does not tell of \"%s\"", run->error->message, word);
}

guint64
test_run_get (const GstStructure * structure, const gchar * field)
{
  guint64 value;

  g_assert_nonnull (structure);
  g_assert_true (gst_structure_get_uint64 (structure, field, &value));
  return value;
}

/* ---- records ---- */

GPtrArray *
test_records_read (TestFolder * folder, const gchar * name)
{
  GPtrArray *records = g_ptr_array_new_with_free_func ((GDestroyNotify)
      json_node_unref);
  g_autofree gchar *text = test_folder_read (folder, name);
  g_auto (GStrv) lines = NULL;
  guint i;

  g_assert_nonnull (text);
  g_assert_true (text[0] == '\0' || g_str_has_suffix (text, "\n"));
  lines = g_strsplit (text, "\n", -1);
  for (i = 0; lines[i] && lines[i][0]; i++) {
    JsonNode *node = gst_orch_json_parse (lines[i], strlen (lines[i]), NULL);

    g_assert_true (node && JSON_NODE_HOLDS_OBJECT (node));
    g_ptr_array_add (records, node);
  }
  return records;
}

JsonObject *
test_records_get (GPtrArray * records, guint i)
{
  g_assert_cmpuint (i, <, records->len);
  return json_node_get_object (g_ptr_array_index (records, i));
}

JsonObject *
test_records_find (GPtrArray * records, const gchar * end)
{
  guint i;

  for (i = 0; i < records->len; i++) {
    JsonObject *record = test_records_get (records, i);

    if (g_str_has_suffix (json_object_get_string_member (record, "id"), end))
      return record;
  }
  return NULL;
}

void
test_record_check (JsonObject * record, const gchar * outcome,
    const gchar * cause_code)
{
  JsonNode *cause;

  g_assert_nonnull (record);
  g_assert_cmpstr (json_object_get_string_member (record, "outcome"), ==,
      outcome);
  cause = json_object_get_member (record, "cause");
  g_assert_cmpint (JSON_NODE_HOLDS_NULL (cause), ==, cause_code == NULL);
  if (cause_code)
    g_assert_cmpstr (gst_orch_json_get_string (json_node_get_object (cause),
            "code"), ==, cause_code);
}
