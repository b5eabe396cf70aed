/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* orchsink stop-after: when so many documents fail that it cannot be them. */

#include "testrun.h"

/* Each document has 3 pages. */
#define RUN "orchsrc location=%s/docs ! orchtestlist text=true ! " \
    "orchexpand interleave=none ! orchtestwork %s ! orchreduce %s ! " \
    "orchsink name=sink location=%s/out.jsonl %s"

#define N_DOCUMENTS 60

static void
write_documents (TestFolder * folder)
{
  guint i;

  for (i = 0; i < N_DOCUMENTS; i++) {
    g_autofree gchar *name = g_strdup_printf ("docs/%05u", i);

    test_folder_write (folder, name, "hello");
  }
}

static guint
run (TestRun * run, TestFolder * folder, const gchar * work,
    const gchar * reduce, const gchar * sink)
{
  GPtrArray *records;
  guint n;

  test_run (run, test_run_parse (RUN, folder->path, work, reduce,
          folder->path, sink));
  records = test_records_read (folder, "out.jsonl");
  n = records->len;
  g_ptr_array_unref (records);
  return n;
}

/* Ends it, with whole records and a message of all that matters. */
static void
assert_stops (TestFolder * folder, const gchar * work, const gchar * reduce,
    const gchar * sink, guint n_records, const gchar * words)
{
  TestRun ended;

  write_documents (folder);
  g_assert_cmpuint (run (&ended, folder, work, reduce, sink), ==, n_records);
  test_run_check_error (&ended, words);
  test_run_check_error (&ended, "stop-after");
  test_run_clear (&ended);
}

static void
assert_goes_on (TestFolder * folder, const gchar * work, const gchar * reduce,
    const gchar * sink)
{
  TestRun ended;

  write_documents (folder);
  g_assert_cmpuint (run (&ended, folder, work, reduce, sink), ==, N_DOCUMENTS);
  test_run_check_good (&ended);
  test_run_clear (&ended);
}

static void
test_first (TestFolder * folder, gconstpointer data)
{
  assert_stops (folder, "record=*", "", "stop-after=0", 1,
      "1 of 1 documents failed");
}

static void
test_count (TestFolder * folder, gconstpointer data)
{
  assert_stops (folder, "record=*", "", "stop-after=10", 11,
      "11 of 11 documents failed");
}

static void
test_count_not_reached (TestFolder * folder, gconstpointer data)
{
  assert_goes_on (folder, "record=1?/*", "", "stop-after=10");
}

static void
test_beyond_counting (TestFolder * folder, gconstpointer data)
{
  assert_goes_on (folder, "record=*", "", "stop-after=1e300");
}

static void
test_share (TestFolder * folder, gconstpointer data)
{
  assert_stops (folder, "record=*", "", "stop-after=0.05", 20,
      "20 of 20 documents failed");
}

static void
test_share_not_reached (TestFolder * folder, gconstpointer data)
{
  assert_goes_on (folder, "record=1?/*", "", "stop-after=0.5");
}

static void
test_no_limit (TestFolder * folder, gconstpointer data)
{
  assert_goes_on (folder, "record=*", "", "");
}

/* Documents of which something is left have not failed, others have. */
static void
test_parts (TestFolder * folder, gconstpointer data)
{
  assert_goes_on (folder, "record=*/0,*/1", "on-failed=skip", "stop-after=0");
}

static void
test_no_parts (TestFolder * folder, gconstpointer data)
{
  assert_stops (folder, "record=*", "on-failed=placeholder", "stop-after=2", 3,
      "test/record (9 times");
}

static void
test_commonest_cause (TestFolder * folder, gconstpointer data)
{
  assert_stops (folder, "group=?/*,1?/*,2?/* record=3?/*,4?/*,5?/*", "",
      "stop-after=44", 45, "test/group (30 times, first in file:");
}

/* What was written stands, and the rest follows. */
static void
test_resume (TestFolder * folder, gconstpointer data)
{
  TestRun again;

  assert_stops (folder, "record=*", "", "stop-after=5", 6, "test/record");
  g_assert_cmpuint (run (&again, folder, "record=* well=true", "",
          "existing=resume stop-after=0"), ==, N_DOCUMENTS);
  test_run_check_good (&again);
  g_assert_cmpuint (test_run_get (again.summary, "skipped"), ==, 6);
  test_run_clear (&again);
}

static void
test_retry (TestFolder * folder, gconstpointer data)
{
  TestRun again;

  assert_stops (folder, "record=*", "", "stop-after=5", 6, "test/record");
  g_assert_cmpuint (run (&again, folder, "record=* well=true", "",
          "existing=resume retry-failed=true"), ==, N_DOCUMENTS);
  test_run_check_good (&again);
  g_assert_cmpuint (test_run_get (again.summary, "complete"), ==, N_DOCUMENTS);
  test_run_clear (&again);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  TEST_ADD ("/stop-after/first", test_first);
  TEST_ADD ("/stop-after/count", test_count);
  TEST_ADD ("/stop-after/count-not-reached", test_count_not_reached);
  TEST_ADD ("/stop-after/beyond-counting", test_beyond_counting);
  TEST_ADD ("/stop-after/share", test_share);
  TEST_ADD ("/stop-after/share-not-reached", test_share_not_reached);
  TEST_ADD ("/stop-after/no-limit", test_no_limit);
  TEST_ADD ("/stop-after/parts", test_parts);
  TEST_ADD ("/stop-after/no-parts", test_no_parts);
  TEST_ADD ("/stop-after/commonest-cause", test_commonest_cause);
  TEST_ADD ("/stop-after/resume", test_resume);
  TEST_ADD ("/stop-after/retry", test_retry);
  return g_test_run ();
}
