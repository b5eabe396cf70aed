/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchjson.h"
#include "testrun.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each document becomes a list of texts, its parts are worked on, and what
 * became of them is gathered. */
#define WORK "orchtestlist text=true ! " \
    "orchexpand ! orchtestwork ! orchreduce"

static void
write_documents (TestFolder * folder, guint n)
{
  guint i;

  for (i = 0; i < n; i++) {
    g_autofree gchar *name = g_strdup_printf ("docs/%05u.pdf", i);

    test_folder_write (folder, name, "hello");
  }
}

static void
run_good (TestFolder * folder, const gchar * source, const gchar * work,
    const gchar * sink)
{
  TestRun run;

  test_run (&run, test_run_parse ("orchsrc name=src location=%s/docs %s ! %s ! "
          "orchsink location=%s/out.jsonl %s", folder->path, source, work,
          folder->path, sink));
  test_run_check_good (&run);
  test_run_clear (&run);
}

/* ---- what becomes of documents ---- */

static void
test_all_kinds (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *pipe = test_folder_get (folder, "docs/pipe");
  g_autofree gchar *gone = test_folder_get (folder, "docs/gone");
  GPtrArray *records;
  TestRun run;

  test_folder_write (folder, "docs/a/x.pdf", "hello");
  test_folder_write (folder, "docs/b/x.pdf", "hello");
  test_folder_write (folder, "docs/empty", "");
  test_folder_write (folder, "docs/large", "more than ten bytes");
  test_folder_write (folder, "docs/sp ace\n\xc3\xbc", "hello");
  test_folder_write (folder, "docs/\xff", "hello");
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_cmpint (symlink ("nowhere", gone), ==, 0);
  test_run (&run, test_run_parse ("orchsrc location=%s/docs recursive=true "
          "max-file-size=10 ! " WORK " ! orchsink location=%s/out.jsonl",
          folder->path, folder->path));
  test_run_check_good (&run);
  g_assert_cmpuint (run.n_failures, ==, 3);
  g_assert_cmpuint (test_run_get (run.summary, "documents"), ==, 8);
  g_assert_cmpuint (test_run_get (run.summary, "complete"), ==, 5);
  g_assert_cmpuint (test_run_get (run.progress, "failed"), ==, 3);
  g_assert_cmpuint (test_run_get (run.progress, "opened"), ==, 5);

  records = test_records_read (folder, "out.jsonl");
  g_assert_cmpuint (records->len, ==, 8);
  test_record_check (test_records_find (records, "/a/x.pdf"), "present", NULL);
  test_record_check (test_records_find (records, "/b/x.pdf"), "present", NULL);
  test_record_check (test_records_find (records, "/empty"), "present", NULL);
  test_record_check (test_records_find (records, "/large"), "suppressed",
      "too-large");
  test_record_check (test_records_find (records, "/pipe"), "suppressed",
      "not-a-file");
  test_record_check (test_records_find (records, "/gone"), "suppressed",
      "not-found");
  test_record_check (test_records_find (records, "/sp%20ace%0A%C3%BC"),
      "present", NULL);
  test_record_check (test_records_find (records, "/%FF"), "present", NULL);
  g_ptr_array_unref (records);
  test_run_clear (&run);
}

/* The record tells what failed and which of its parts. */
static void
test_failed_parts (TestFolder * folder, gconstpointer data)
{
  GPtrArray *records;
  JsonArray *failures;

  write_documents (folder, 3);
  run_good (folder, "", "orchtestlist text=true ! "
      "orchexpand ! orchtestwork "
      "record=1/2,1/0 ! orchreduce on-failed=placeholder",
      "order=input");
  records = test_records_read (folder, "out.jsonl");
  test_record_check (test_records_get (records, 0), "present", NULL);
  test_record_check (test_records_get (records, 1), "present", NULL);
  g_assert_false (json_object_get_boolean_member (test_records_get (records,
              1), "complete"));
  failures = json_object_get_array_member (test_records_get (records, 1),
      "failures");
  g_assert_cmpuint (json_array_get_length (failures), ==, 2);
  g_assert_cmpstr (json_object_get_string_member
      (json_array_get_object_element (failures, 0), "path"), ==, "1/0");
  g_assert_cmpstr (json_object_get_string_member
      (json_array_get_object_element (failures, 1), "path"), ==, "1/2");
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member
          (test_records_get (records, 1), "content")), ==, 3);
  g_ptr_array_unref (records);
}

/* The same of parts that became one text; of no part at all it is an empty one. */
static void
test_concat (TestFolder * folder, gconstpointer data)
{
  GPtrArray *records;
  JsonObject *record, *members;

  write_documents (folder, 2);
  run_good (folder, "", "orchtestlist text=true n=2 ! orchexpand ! orchtestwork "
      "record=0/1 drop=1/* ! orchreduce on-failed=placeholder output=concat",
      "order=input");
  records = test_records_read (folder, "out.jsonl");
  record = test_records_get (records, 0);
  members = json_object_get_object_member (record, "members");
  test_record_check (record, "present", NULL);
  g_assert_false (json_object_get_boolean_member (record, "complete"));
  g_assert_cmpint (json_object_get_int_member (members, "total"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (members, "failed"), ==, 1);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (record,
              "failures")), ==, 1);
  record = test_records_get (records, 1);
  members = json_object_get_object_member (record, "members");
  test_record_check (record, "present", NULL);
  g_assert_true (json_object_get_boolean_member (record, "complete"));
  g_assert_cmpint (json_object_get_int_member (members, "dropped"), ==, 2);
  g_assert_cmpstr (json_object_get_string_member (json_array_get_object_element
          (json_object_get_array_member (record, "content"), 0), "text"), ==,
      "");
  g_ptr_array_unref (records);
}

/* What another element loses is a record too, and one warning. */
static void
test_lost (TestFolder * folder, gconstpointer data)
{
  GPtrArray *records;
  TestRun run;
  guint i;

  write_documents (folder, 5);
  test_run (&run, test_run_parse ("orchsrc location=%s/docs ! " WORK " ! "
          "valve drop=true drop-mode=forward-sticky-events ! "
          "orchsink location=%s/out.jsonl", folder->path, folder->path));
  test_run_check_good (&run);
  g_assert_cmpuint (run.n_warnings, ==, 1);
  records = test_records_read (folder, "out.jsonl");
  g_assert_cmpuint (records->len, ==, 5);
  for (i = 0; i < 5; i++) {
    test_record_check (test_records_get (records, i), "dropped", "lost");
    g_assert_false (json_object_get_boolean_member (test_records_get (records,
                i), "complete"));
  }
  g_ptr_array_unref (records);
  test_run_clear (&run);
}

/* Below an expansion there is a record for each part, and one for a document
 * that has none because it failed. */
static void
test_parts (TestFolder * folder, gconstpointer data)
{
  GPtrArray *records;

  write_documents (folder, 3);
  run_good (folder, "", "orchtestlist text=true "
      "n=2 fail=1 ! orchexpand", "");
  records = test_records_read (folder, "out.jsonl");
  g_assert_cmpuint (records->len, ==, 5);
  test_record_check (test_records_find (records, "00001.pdf"), "failed",
      "no-list");
  test_record_check (test_records_find (records, "00000.pdf#item=2"),
      "present", NULL);
  test_record_check (test_records_find (records, "00002.pdf#item=1"),
      "present", NULL);
  g_ptr_array_unref (records);
}

/* ---- order ---- */

/* Whatever is slow and however much runs at once. */
static void
test_order (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *first = NULL, *second = NULL;

  write_documents (folder, 40);
  run_good (folder, "", "orchtestlist text=true "
      "spread=7 ! orchexpand ! orchtestwork "
      "record=3/*,11/1 ! orchreduce", "order=input");
  first = test_folder_read (folder, "out.jsonl");
  run_good (folder, "max-open=5", "orchtestlist "
      "text=true spread=7 replicas=2 ! "
      "orchexpand interleave=shortest ! queue ! orchtestwork "
      "record=3/*,11/1 sleep=100 replicas=3 batch-size=5 ! "
      "orchreduce", "order=input existing=overwrite");
  second = test_folder_read (folder, "out.jsonl");
  /* the names of elements are counted on in one process */
  g_assert_cmpuint (strlen (first), >, 1000);
  g_assert_cmpuint (strlen (second), ==, strlen (first));
}

static void
check_order (GPtrArray * records)
{
  guint i;

  for (i = 0; i < records->len; i++)
    g_assert_cmpint (atoi (json_object_get_string_member (test_records_get
                (records, i), "path")), ==, i);
}

/* What waits for its turn is bounded by max-open. */
static void
test_order_is_bounded (TestFolder * folder, gconstpointer data)
{
  GPtrArray *records;
  TestRun run;

  write_documents (folder, 60);
  test_run (&run, test_run_parse ("orchsrc location=%s/docs max-open=4 ! "
          "orchtestlist text=true ! orchexpand "
          "interleave=none ! orchtestwork sleep=300 "
          "replicas=4 ! orchreduce ! orchsink order=input "
          "location=%s/out.jsonl", folder->path, folder->path));
  test_run_check_good (&run);
  g_assert_cmpuint (run.n_warnings, ==, 0);
  records = test_records_read (folder, "out.jsonl");
  g_assert_cmpuint (records->len, ==, 60);
  check_order (records);
  g_ptr_array_unref (records);
  test_run_clear (&run);
}

/* ---- resuming ---- */

static void
test_resume (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *half = NULL, *text = NULL;
  GPtrArray *records;
  TestRun run;

  write_documents (folder, 6);
  run_good (folder, "", WORK, "order=input");
  /* the first three records, and a part of the fourth */
  text = test_folder_read (folder, "out.jsonl");
  half = g_strdup (text);
  half[strlen (text) / 2 + 20] = '\0';
  test_folder_write (folder, "out.jsonl", half);

  test_run (&run, test_run_parse ("orchsrc location=%s/docs ! " WORK
          " ! orchsink location=%s/out.jsonl existing=resume order=input",
          folder->path, folder->path));
  test_run_check_good (&run);
  g_assert_cmpuint (test_run_get (run.summary, "skipped"), ==, 3);
  g_assert_cmpuint (test_run_get (run.summary, "documents"), ==, 3);
  records = test_records_read (folder, "out.jsonl");
  g_assert_cmpuint (records->len, ==, 6);
  check_order (records);
  g_ptr_array_unref (records);
  test_run_clear (&run);
}

/* All is done: nothing is opened, and it ends at once. */
static void
test_resume_nothing (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *before = NULL, *after = NULL;
  TestRun run;

  write_documents (folder, 6);
  run_good (folder, "", WORK, "");
  before = test_folder_read (folder, "out.jsonl");
  test_run (&run, test_run_parse ("orchsrc location=%s/docs ! " WORK
          " ! orchsink location=%s/out.jsonl existing=resume", folder->path,
          folder->path));
  test_run_check_good (&run);
  g_assert_cmpuint (test_run_get (run.summary, "skipped"), ==, 6);
  after = test_folder_read (folder, "out.jsonl");
  g_assert_cmpstr (before, ==, after);
  test_run_clear (&run);
}

static void
resume (TestFolder * folder, const gchar * locations, guint n_skipped)
{
  TestRun run;

  g_assert_cmpint (chdir (folder->path), ==, 0);
  test_run (&run, test_run_parse ("orchsrc %s ! " WORK
          " ! orchsink location=out.jsonl existing=resume", locations));
  test_run_check_good (&run);
  g_assert_cmpuint (test_run_get (run.summary, "skipped"), ==, n_skipped);
  test_run_clear (&run);
  g_assert_cmpint (chdir ("/"), ==, 0);
}

/* A document that changed is another one, and the second occurrence of one is
 * not the first. */
static void
test_resume_keys (TestFolder * folder, gconstpointer data)
{
#define FIRST "location=docs/00000.pdf "
#define SECOND "location=docs/00001.pdf "
  GPtrArray *records;

  write_documents (folder, 2);
  resume (folder, FIRST SECOND, 0);
  resume (folder, FIRST FIRST SECOND, 2);
  resume (folder, SECOND FIRST FIRST, 3);
  test_folder_write (folder, "docs/00001.pdf", "hello, longer");
  resume (folder, FIRST SECOND, 1);
  records = test_records_read (folder, "out.jsonl");
  g_assert_cmpuint (records->len, ==, 4);
  g_ptr_array_unref (records);
}

static void
test_retry_failed (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *late = test_folder_get (folder, "docs/00009.pdf");
  GPtrArray *records;
  TestRun run;

  write_documents (folder, 2);
  g_assert_cmpint (symlink ("nowhere", late), ==, 0);
  run_good (folder, "", WORK, "");
  g_assert_cmpint (unlink (late), ==, 0);
  test_folder_write (folder, "docs/00009.pdf", "hello");
  test_run (&run, test_run_parse ("orchsrc location=%s/docs ! " WORK
          " ! orchsink location=%s/out.jsonl existing=resume retry-failed=true",
          folder->path, folder->path));
  test_run_check_good (&run);
  g_assert_cmpuint (test_run_get (run.summary, "skipped"), ==, 2);
  records = test_records_read (folder, "out.jsonl");
  g_assert_cmpuint (records->len, ==, 3);
  test_record_check (test_records_find (records, "00009.pdf"), "present",
      NULL);
  g_ptr_array_unref (records);
  test_run_clear (&run);
}

static void
test_other_pipeline (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *before = NULL, *after = NULL;
  TestRun run;

  write_documents (folder, 2);
  run_good (folder, "", WORK, "");
  before = test_folder_read (folder, "out.jsonl");
  test_run (&run, test_run_parse ("orchsrc location=%s/docs ! orchtestlist "
          " n=5 ! orchexpand ! orchreduce ! "
          "orchsink location=%s/out.jsonl existing=resume", folder->path,
          folder->path));
  test_run_check_error (&run, "another pipeline");
  test_run_clear (&run);
  test_run (&run, test_run_parse ("orchsrc location=%s/docs ! " WORK
          " ! orchsink location=%s/out.jsonl", folder->path, folder->path));
  test_run_check_error (&run, "existing=resume");
  test_run_clear (&run);
  after = test_folder_read (folder, "out.jsonl");
  g_assert_cmpstr (before, ==, after);
}

/* The property, for records that another sink will write. */
static void
test_resume_from (TestFolder * folder, gconstpointer data)
{
  GPtrArray *records;
  TestRun run;

  write_documents (folder, 4);
  test_run (&run, test_run_parse ("orchsrc location=%s/docs/00002.pdf "
          "location=%s/docs/00000.pdf ! " WORK " ! "
          "orchsink location=%s/more.jsonl", folder->path, folder->path,
          folder->path));
  test_run_check_good (&run);
  test_run_clear (&run);

  test_run (&run, test_run_parse ("orchsrc location=%s/docs "
          "resume-from=%s/more.jsonl ! " WORK " ! "
          "orchsink location=%s/rest.jsonl", folder->path, folder->path,
          folder->path));
  test_run_check_good (&run);
  test_run_clear (&run);
  records = test_records_read (folder, "rest.jsonl");
  g_assert_cmpuint (records->len, ==, 2);
  g_assert_null (test_records_find (records, "00002.pdf"));
  g_assert_nonnull (test_records_find (records, "00003.pdf"));
  g_ptr_array_unref (records);
}

/* ---- what is refused ---- */

static void
check_refused (TestFolder * folder, const gchar * launch, const gchar * word)
{
  TestRun run;

  g_assert_cmpint (chdir (folder->path), ==, 0);
  test_run (&run, test_run_parse ("%s", launch));
  test_run_check_error (&run, word);
  test_run_clear (&run);
  g_assert_cmpint (chdir ("/"), ==, 0);
}

static void
test_refused (TestFolder * folder, gconstpointer data)
{
  write_documents (folder, 3);
  check_refused (folder, "orchsrc location=none-*.pdf ! " WORK
      " ! orchsink location=out.jsonl", "none-*.pdf");
  check_refused (folder, "orchsrc ! " WORK " ! orchsink location=o2.jsonl",
      "set location");
  check_refused (folder, "orchsrc location=docs ! " WORK " ! orchsink",
      "no location");
  check_refused (folder, "orchsrc location=docs ! orchsink location=o3.jsonl",
      "orchpdfpages");
  check_refused (folder, "orchsrc location=docs ! " WORK
      " ! orchsink location=none/out.jsonl", "none/out.jsonl");
  check_refused (folder, "orchsrc location=docs ! " WORK
      " ! orchsink location=docs", "docs");
  check_refused (folder, "orchsrc location=docs ! " WORK
      " ! orchsink location=/dev/full", "/dev/full");
  check_refused (folder, "orchsrc location=docs ! " WORK
      " ! orchsink location={steam}.txt", "{steam}");
  check_refused (folder, "orchsrc list=none.txt ! " WORK
      " ! orchsink location=o4.jsonl", "none.txt");
}

/* Parts cannot be put in order or skipped. */
static void
test_refused_parts (TestFolder * folder, gconstpointer data)
{
#define PARTS "orchtestlist text=true ! orchexpand"
  write_documents (folder, 3);
  check_refused (folder, "orchsrc location=docs ! " PARTS
      " ! orchsink location=p1.jsonl order=input", "order=input");
  run_good (folder, "", PARTS, "");
  check_refused (folder, "orchsrc location=docs ! " PARTS
      " ! orchsink location=out.jsonl existing=resume", "parts of documents");
}

/* A resumed file needs a source that skips what is done. */
static void
test_refused_source (TestFolder * folder, gconstpointer data)
{
  test_folder_write (folder, "out.jsonl",
      "{\"uri\":\"a\",\"path\":\"0\",\"complete\":true}\n");
  check_refused (folder, "fakesrc num-buffers=2 sizetype=fixed ! "
      "capsfilter caps=\"text/x-raw,format=utf8\" ! "
      "orchsink location=out.jsonl existing=resume-any", "orchsrc");
}

/* Without any orch element upstream each buffer is a document of its own. */
static void
test_no_lineage (TestFolder * folder, gconstpointer data)
{
  GPtrArray *records;
  TestRun run;

  test_run (&run, test_run_parse ("fakesrc num-buffers=3 sizetype=fixed "
          "sizemax=4 filltype=zero ! capsfilter "
          "caps=\"text/x-raw,format=utf8\" ! "
          "orchsink location=%s/out.jsonl order=input", folder->path));
  test_run_check_good (&run);
  records = test_records_read (folder, "out.jsonl");
  g_assert_cmpuint (records->len, ==, 3);
  test_record_check (test_records_find (records, "#item=3"), "present", NULL);
  g_ptr_array_unref (records);
  test_run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  TEST_ADD ("/pipeline/all-kinds", test_all_kinds);
  TEST_ADD ("/pipeline/failed-parts", test_failed_parts);
  TEST_ADD ("/pipeline/concat", test_concat);
  TEST_ADD ("/pipeline/lost", test_lost);
  TEST_ADD ("/pipeline/parts", test_parts);
  TEST_ADD ("/pipeline/order", test_order);
  TEST_ADD ("/pipeline/order-is-bounded", test_order_is_bounded);
  TEST_ADD ("/pipeline/resume", test_resume);
  TEST_ADD ("/pipeline/resume-nothing", test_resume_nothing);
  TEST_ADD ("/pipeline/resume-keys", test_resume_keys);
  TEST_ADD ("/pipeline/retry-failed", test_retry_failed);
  TEST_ADD ("/pipeline/other-pipeline", test_other_pipeline);
  TEST_ADD ("/pipeline/resume-from", test_resume_from);
  TEST_ADD ("/pipeline/refused", test_refused);
  TEST_ADD ("/pipeline/refused-parts", test_refused_parts);
  TEST_ADD ("/pipeline/refused-source", test_refused_source);
  TEST_ADD ("/pipeline/no-lineage", test_no_lineage);
  return g_test_run ();
}
