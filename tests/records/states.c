/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "testrun.h"

#include <string.h>
#include <unistd.h>

#define LIST "orchtestlist text=true ! orchexpand"
#define WORK LIST " ! orchtestwork ! orchreduce"
/* Takes a second or more for 200 documents. */
#define SLOW_WORK LIST " ! orchtestwork sleep=2000 " \
    "replicas=2 ! orchreduce"

static void
write_documents (TestFolder * folder, guint n)
{
  guint i;

  for (i = 0; i < n; i++) {
    g_autofree gchar *name = g_strdup_printf ("docs/%05u.pdf", i);

    test_folder_write (folder, name, "hello");
  }
}

static GstElement *
parse (TestFolder * folder, const gchar * source, const gchar * work,
    const gchar * sink)
{
  return test_run_parse ("orchsrc name=src location=%s/docs %s ! %s ! "
      "orchsink name=sink location=%s/out.jsonl %s", folder->path, source,
      work, folder->path, sink);
}

static guint64
get_stat (GstElement * pipeline, const gchar * name, const gchar * field)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  g_autoptr (GstStructure) stats = NULL;

  g_object_get (element, "stats", &stats, NULL);
  gst_object_unref (element);
  return test_run_get (stats, field);
}

static void
wait_for_records (GstElement * pipeline, guint64 n)
{
  gint64 deadline = g_get_monotonic_time () + G_TIME_SPAN_MINUTE;

  while (get_stat (pipeline, "sink", "documents") < n) {
    g_assert_cmpint (g_get_monotonic_time (), <, deadline);
    g_usleep (1000);
  }
}

static gboolean
take_eos (GstElement * pipeline, GstClockTime timeout)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_timed_pop_filtered (bus, timeout,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  gboolean is_eos = message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;

  g_clear_pointer (&message, gst_message_unref);
  gst_object_unref (bus);
  return is_eos;
}

static guint
count_records (TestFolder * folder)
{
  GPtrArray *records = test_records_read (folder, "out.jsonl");
  guint n = records->len;

  g_ptr_array_unref (records);
  return n;
}

static void
stop (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

/* ---- states ---- */

/* It works while paused, but says that it is done only while it plays, and says
 * so again when it plays again. */
static void
test_eos (TestFolder * folder, gconstpointer data)
{
  GstElement *pipeline;

  write_documents (folder, 3);
  pipeline = parse (folder, "", WORK, "");
  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_PAUSED), ==,
      GST_STATE_CHANGE_SUCCESS);
  wait_for_records (pipeline, 3);
  g_assert_false (take_eos (pipeline, 50 * GST_MSECOND));
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_assert_true (take_eos (pipeline, 10 * GST_SECOND));
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  g_assert_false (take_eos (pipeline, 50 * GST_MSECOND));
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_assert_true (take_eos (pipeline, 10 * GST_SECOND));
  stop (pipeline);
}

static void
test_reuse (TestFolder * folder, gconstpointer data)
{
  GstElement *pipeline;
  guint i;

  write_documents (folder, 20);
  pipeline = parse (folder, "", WORK, "existing=overwrite order=input");
  for (i = 0; i < 3; i++) {
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    g_assert_true (take_eos (pipeline, 10 * GST_SECOND));
    gst_element_set_state (pipeline, i % 2 ? GST_STATE_READY : GST_STATE_NULL);
    g_assert_cmpuint (count_records (folder), ==, 20);
  }
  stop (pipeline);
}

/* Stopped at any moment, it leaves whole lines, and resumes. */
static void
test_stopped_under_load (TestFolder * folder, gconstpointer data)
{
  GstElement *pipeline;
  guint i;

  write_documents (folder, 200);
  pipeline = parse (folder, "max-open=16", SLOW_WORK,
      "existing=resume order=input");
  for (i = 0; i < 8; i++) {
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    g_usleep (g_test_rand_int_range (0, 30000));
    gst_element_set_state (pipeline, i % 2 ? GST_STATE_READY : GST_STATE_NULL);
    count_records (folder);
  }
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_assert_true (take_eos (pipeline, 60 * GST_SECOND));
  g_assert_cmpuint (count_records (folder), ==, 200);
  stop (pipeline);
}

/* EOS from outside: what is open is finished, nothing new is begun. */
static void
test_asked_to_end (TestFolder * folder, gconstpointer data)
{
  GstElement *pipeline;
  guint n;

  write_documents (folder, 200);
  pipeline = parse (folder, "max-open=4", SLOW_WORK, "");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  wait_for_records (pipeline, 3);
  g_assert_true (gst_element_send_event (pipeline, gst_event_new_eos ()));
  g_assert_true (take_eos (pipeline, 30 * GST_SECOND));
  n = count_records (folder);
  g_assert_cmpuint (n, ==, get_stat (pipeline, "src", "opened"));
  g_assert_cmpuint (n, <, 200);
  stop (pipeline);
}

/* A flush forgets what is under way: the run goes on and ends all the same, and
 * says how many documents that cost. */
static void
test_flush (TestFolder * folder, gconstpointer data)
{
  GstElement *pipeline, *source;
  TestRun run = { FALSE, };
  guint i;

  write_documents (folder, 200);
  pipeline = parse (folder, "max-open=8", SLOW_WORK, "");
  source = gst_bin_get_by_name (GST_BIN (pipeline), "src");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  wait_for_records (pipeline, 3);
  for (i = 0; i < 3; i++) {
    gst_element_send_event (source, gst_event_new_flush_start ());
    gst_element_send_event (source, gst_event_new_flush_stop (TRUE));
    g_usleep (20000);
  }
  gst_object_unref (source);
  test_run_wait (&run, pipeline, 60 * GST_SECOND);
  test_run_check_good (&run);
  g_assert_cmpuint (test_run_get (run.summary, "forgotten"), >, 0);
  g_assert_cmpuint (test_run_get (run.summary, "missing"), ==, 0);
  g_assert_cmpuint (test_run_get (run.ledger, "entered"), ==, 200);
  g_assert_cmpuint (test_run_get (run.ledger, "forgotten"), ==,
      test_run_get (run.summary, "forgotten"));
  g_assert_cmpuint (test_run_get (run.summary, "documents")
      + test_run_get (run.summary, "forgotten"), ==, 200);
  g_assert_cmpuint (count_records (folder), ==,
      test_run_get (run.summary, "documents"));
  test_run_clear (&run);
  stop (pipeline);
}

/* ---- the gate ---- */

static GstPadProbeReturn
count_buffer (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  g_atomic_int_inc ((gint *) data);
  return GST_PAD_PROBE_OK;
}

static void
count_buffers (GstElement * pipeline, const gchar * name, gint * n)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstPad *pad = gst_element_get_static_pad (element, "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_buffer, n, NULL);
  gst_object_unref (pad);
  gst_object_unref (element);
}

/* Nothing moves below: it does not run ahead, as long as it is paused. */
static void
check_gate (TestFolder * folder, const gchar * properties,
    const gchar * work, gint expected)
{
  GstElement *pipeline;
  gint i, n = 0;

  pipeline = test_run_parse ("orchsrc name=src location=%s/docs %s ! "
      "queue max-size-buffers=0 max-size-bytes=0 max-size-time=0 ! %s ! "
      "fakesink name=sink", folder->path, properties, work);
  count_buffers (pipeline, "src", &n);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  for (i = 0; i < 60000 && g_atomic_int_get (&n) < expected; i++)
    g_usleep (1000);
  g_usleep (1500000);
  g_assert_cmpint (g_atomic_int_get (&n), ==, expected);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_assert_true (take_eos (pipeline, 10 * GST_SECOND));
  g_assert_cmpint (g_atomic_int_get (&n), ==, 300);
  stop (pipeline);
}

static void
test_gate (TestFolder * folder, gconstpointer data)
{
  write_documents (folder, 300);
  check_gate (folder, "max-open=3", "identity", 3);
  check_gate (folder, "", "identity", 64);
  check_gate (folder, "", "orchtestwork batch-size=50 replicas=2", 100);
  check_gate (folder, "", "orchtestwork batch-size=1000", 256);
}

/* Something that waits for more documents than may be open would wait for ever:
 * one more is let in each second, with one warning that says what to do. */
static void
test_stall (TestFolder * folder, gconstpointer data)
{
  TestRun run;

  write_documents (folder, 4);
  test_run (&run, parse (folder, "max-open=2", "queue min-threshold-buffers=4 "
          "! " WORK, ""));
  test_run_check_good (&run);
  g_assert_cmpuint (run.n_warnings, ==, 1);
  g_assert_nonnull (strstr (run.warning, "max-open"));
  g_assert_cmpuint (test_run_get (run.summary, "documents"), ==, 4);
  test_run_clear (&run);
}

/* S10: a batch that waits for documents that may not be opened before it has left
 * goes as it is. */
static void
test_hurry (TestFolder * folder, gconstpointer data)
{
  TestRun run;

  write_documents (folder, 6);
  test_run (&run, parse (folder, "max-open=2", "orchtestlist n=3 text=true ! "
          "orchexpand ! orchtestwork batch-size=64 max-wait=3600000000000 ! "
          "orchtestwork batch-size=7 max-wait=3600000000000 ! "
          "orchreduce", ""));
  test_run_check_good (&run);
  g_assert_cmpuint (run.n_warnings, ==, 0);
  g_assert_cmpuint (test_run_get (run.summary, "documents"), ==, 6);
  test_run_clear (&run);
}

/* Slow is not stalled: one document of many parts keeps the others waiting. */
static void
test_slow_is_no_stall (TestFolder * folder, gconstpointer data)
{
  TestRun run;

  write_documents (folder, 3);
  test_run (&run, parse (folder, "max-open=1", "orchtestlist "
          "n=30 text=true ! orchexpand ! "
          "orchtestwork sleep=80000 ! orchreduce", ""));
  test_run_check_good (&run);
  g_assert_cmpuint (run.n_warnings, ==, 0);
  test_run_clear (&run);
}

/* ---- documents that change under way ---- */

typedef struct
{
  TestFolder *folder;
  gboolean done;
} Change;

static GstPadProbeReturn
change_documents (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Change *change = data;
  g_autofree gchar *gone = test_folder_get (change->folder, "docs/00003.pdf");
  g_autofree gchar *cut = test_folder_get (change->folder, "docs/00000.pdf");

  if (!change->done) {
    g_assert_cmpint (unlink (gone), ==, 0);
    g_assert_cmpint (truncate (cut, 0), ==, 0);
  }
  change->done = TRUE;
  return GST_PAD_PROBE_OK;
}

/* One vanishes after it was listed, one is truncated after it was opened. */
static void
test_changes (TestFolder * folder, gconstpointer data)
{
  Change change = { folder, FALSE };
  GstElement *pipeline, *source;
  GPtrArray *records;
  GstPad *pad;
  TestRun run;

  write_documents (folder, 5);
  pipeline = parse (folder, "", WORK, "order=input");
  source = gst_bin_get_by_name (GST_BIN (pipeline), "src");
  pad = gst_element_get_static_pad (source, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, change_documents, &change,
      NULL);
  gst_object_unref (pad);
  gst_object_unref (source);
  test_run (&run, pipeline);
  test_run_check_good (&run);
  records = test_records_read (folder, "out.jsonl");
  g_assert_cmpuint (records->len, ==, 5);
  test_record_check (test_records_get (records, 0), "present", NULL);
  test_record_check (test_records_get (records, 3), "suppressed", "not-found");
  test_record_check (test_records_get (records, 4), "present", NULL);
  g_ptr_array_unref (records);
  test_run_clear (&run);
}

/* ---- more ---- */

static void
test_progress (TestFolder * folder, gconstpointer data)
{
  GstElement *pipeline;
  gint64 position = 0, duration;
  guint i;

  write_documents (folder, 7);
  pipeline = parse (folder, "", WORK, "");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_assert_true (take_eos (pipeline, 10 * GST_SECOND));
  /* other threads may still have to let go of the last one */
  for (i = 0; i < 1000 && position != 7; i++) {
    g_assert_true (gst_element_query_position (pipeline, GST_FORMAT_BUFFERS,
            &position));
    g_usleep (1000);
  }
  g_assert_true (gst_element_query_duration (pipeline, GST_FORMAT_BUFFERS,
          &duration));
  g_assert_cmpint (duration, ==, 7);
  g_assert_cmpint (position, ==, 7);
  stop (pipeline);
}

/* Two sinks below a tee: each has its records, and each document ends in both. */
static void
test_two_sinks (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *text = NULL;
  GPtrArray *records;
  TestRun run;

  write_documents (folder, 30);
  test_run (&run, test_run_parse ("orchsrc location=%s/docs max-open=4 ! " WORK
          " ! tee name=t ! queue ! orchsink location=%s/out.jsonl order=input "
          "t. ! queue ! orchsink format=text location=%s/{stem}.txt",
          folder->path, folder->path, folder->path));
  test_run_check_good (&run);
  g_assert_cmpuint (count_records (folder), ==, 30);
  records = test_records_read (folder, "orch-records.jsonl");
  g_assert_cmpuint (records->len, ==, 30);
  g_ptr_array_unref (records);
  text = test_folder_read (folder, "00011.txt");
  g_assert_cmpstr (text, ==, "11/0\f11/1\f11/2\f");
  test_run_clear (&run);
}

/* Two sources below a funnel: the account of each is closed. */
static void
test_two_sources (TestFolder * folder, gconstpointer data)
{
  TestRun run;

  write_documents (folder, 30);
  test_run (&run, test_run_parse ("funnel name=f ! " WORK " ! orchsink "
          "location=%s/out.jsonl orchsrc location=%s/docs max-open=4 ! f. "
          "orchsrc location=%s/docs max-open=4 ! f.", folder->path,
          folder->path, folder->path));
  test_run_check_good (&run);
  g_assert_cmpuint (test_run_get (run.summary, "opened"), ==, 60);
  g_assert_cmpuint (count_records (folder), ==, 60);
  test_run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  TEST_ADD ("/states/eos", test_eos);
  TEST_ADD ("/states/reuse", test_reuse);
  TEST_ADD ("/states/stopped-under-load", test_stopped_under_load);
  TEST_ADD ("/states/asked-to-end", test_asked_to_end);
  TEST_ADD ("/states/flush", test_flush);
  TEST_ADD ("/states/gate", test_gate);
  TEST_ADD ("/states/stall", test_stall);
  TEST_ADD ("/states/hurry", test_hurry);
  TEST_ADD ("/states/slow-is-no-stall", test_slow_is_no_stall);
  TEST_ADD ("/states/changes", test_changes);
  TEST_ADD ("/states/progress", test_progress);
  TEST_ADD ("/states/two-sinks", test_two_sinks);
  TEST_ADD ("/states/two-sources", test_two_sources);
  return g_test_run ();
}
