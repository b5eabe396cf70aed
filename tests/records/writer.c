/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchoutput.h"
#include "gstorchrecordindex.h"
#include "testfolder.h"
#include "testresult.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define WHOLE(path, complete) \
  "{\"schema\":1,\"id\":\"file:///" path "\",\"path\":\"" path "\"," \
  "\"uri\":\"file:///" path "\",\"complete\":" complete "," \
  "\"info\":{\"size\":3,\"mtime\":\"m\",\"fields\":{\"members\":[1]}}," \
  "\"members\":{},\"content\":[\"x\"]}\n"
#define PART "{\"schema\":1,\"id\":\"file:///9"

static GstOrchRecordWriter *
try_open (TestFolder * folder, GstOrchExisting existing, gboolean retry_failed,
    GError ** error)
{
  g_autofree gchar *file = test_folder_get (folder, "out.jsonl");
  GstOrchRecordWriterConfig config = { file, existing, retry_failed,
    GST_ORCH_DURABILITY_RECORD, NULL, NULL
  };

  return gst_orch_record_writer_open (&config, error);
}

static GstOrchRecordWriter *
open_writer (TestFolder * folder, GstOrchExisting existing,
    gboolean retry_failed)
{
  g_autoptr (GError) error = NULL;
  GstOrchRecordWriter *writer =
      try_open (folder, existing, retry_failed, &error);

  g_assert_no_error (error);
  return writer;
}

static void
append (GstOrchRecordWriter * writer, const gchar * line)
{
  g_autoptr (GError) error = NULL;

  gst_orch_record_writer_append (writer, line, strlen (line), &error);
  g_assert_no_error (error);
}

static void
check_file (TestFolder * folder, const gchar * expected)
{
  g_autofree gchar *text = test_folder_read (folder, "out.jsonl");

  g_assert_cmpstr (text, ==, expected);
}

static void
check_error (GError * error, gint code, const gchar * word)
{
  g_assert_error (error, G_IO_ERROR, code);
  g_assert_nonnull (strstr (error->message, word));
}

/* ---- opening ---- */

static void
test_new (TestFolder * folder, gconstpointer data)
{
  GstOrchRecordWriter *writer =
      open_writer (folder, GST_ORCH_EXISTING_ERROR, FALSE);

  append (writer, "one\n");
  append (writer, "two\n");
  check_file (folder, "one\ntwo\n");
  gst_orch_record_writer_undo (writer);
  check_file (folder, "one\n");
  g_assert_true (gst_orch_record_writer_finish (writer, NULL));
  g_assert_false (gst_orch_record_writer_had_records (writer));
  gst_orch_record_writer_free (writer);
}

static void
test_existing_is_an_error (TestFolder * folder, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  test_folder_write (folder, "out.jsonl", WHOLE ("0", "true"));
  g_assert_null (try_open (folder, GST_ORCH_EXISTING_ERROR, FALSE, &error));
  check_error (error, G_IO_ERROR_EXISTS, "existing=resume");
  check_file (folder, WHOLE ("0", "true"));
}

static void
test_empty_is_new (TestFolder * folder, gconstpointer data)
{
  test_folder_write (folder, "out.jsonl", "");
  gst_orch_record_writer_free (open_writer (folder, GST_ORCH_EXISTING_ERROR,
          FALSE));
}

static void
test_overwrite (TestFolder * folder, gconstpointer data)
{
  GstOrchRecordWriter *writer;

  test_folder_write (folder, "out.jsonl", WHOLE ("0", "true") PART);
  writer = open_writer (folder, GST_ORCH_EXISTING_OVERWRITE, FALSE);
  append (writer, "new\n");
  check_file (folder, "new\n");
  gst_orch_record_writer_free (writer);
}

static void
check_cut (TestFolder * folder, const gchar * before, const gchar * after)
{
  GstOrchRecordWriter *writer;
  g_autofree gchar *expected = g_strconcat (after, "next\n", NULL);

  test_folder_write (folder, "out.jsonl", before);
  writer = open_writer (folder, GST_ORCH_EXISTING_RESUME, FALSE);
  g_assert_cmpuint (gst_orch_record_writer_get_n_cut (writer), ==,
      strlen (before) - strlen (after));
  append (writer, "next\n");
  check_file (folder, expected);
  gst_orch_record_writer_free (writer);
}

/* What a killed writer left is cut, however long it is. */
static void
test_resume_cuts (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *many = g_strnfill (200000, 'x');
  g_autofree gchar *with_many = g_strconcat (WHOLE ("0", "true"), many, NULL);

  check_cut (folder, WHOLE ("0", "true"), WHOLE ("0", "true"));
  check_cut (folder, WHOLE ("0", "true") PART, WHOLE ("0", "true"));
  check_cut (folder, with_many, WHOLE ("0", "true"));
  check_cut (folder, PART, "");
  check_cut (folder, many, "");
  check_cut (folder, "\n", "\n");
}

static void
test_retry_failed (TestFolder * folder, gconstpointer data)
{
  GstOrchRecordWriter *writer;
  g_autoptr (GError) error = NULL;

  test_folder_write (folder, "out.jsonl", WHOLE ("0", "true")
      WHOLE ("1", "false") WHOLE ("2", "true") "no record\n" PART);
  writer = open_writer (folder, GST_ORCH_EXISTING_RESUME, TRUE);
  check_file (folder, WHOLE ("0", "true") WHOLE ("2", "true") "no record\n");
  append (writer, "next\n");
  check_file (folder, WHOLE ("0", "true") WHOLE ("2", "true") "no record\n"
      "next\n");
  g_assert_null (try_open (folder, GST_ORCH_EXISTING_RESUME, FALSE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BUSY);
  g_assert_cmpuint (test_folder_count (folder, ""), ==, 1);
  gst_orch_record_writer_free (writer);
}

static void
test_one_writer (TestFolder * folder, gconstpointer data)
{
  GstOrchRecordWriter *writer =
      open_writer (folder, GST_ORCH_EXISTING_ERROR, FALSE);
  g_autoptr (GError) error = NULL;

  g_assert_null (try_open (folder, GST_ORCH_EXISTING_OVERWRITE, FALSE,
          &error));
  check_error (error, G_IO_ERROR_BUSY, "out.jsonl");
  gst_orch_record_writer_free (writer);
  gst_orch_record_writer_free (open_writer (folder, GST_ORCH_EXISTING_ERROR,
          FALSE));
}

static void
test_missing_folder (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *file = test_folder_get (folder, "none/out.jsonl");
  GstOrchRecordWriterConfig config = { file, GST_ORCH_EXISTING_ERROR, FALSE,
    GST_ORCH_DURABILITY_NONE, NULL, NULL
  };
  g_autoptr (GError) error = NULL;

  g_assert_null (gst_orch_record_writer_open (&config, &error));
  check_error (error, G_IO_ERROR_NOT_FOUND, file);
  g_assert_nonnull (strstr (error->message, g_strerror (ENOENT)));
}

/* ---- a disk that is full ---- */

static void
test_full_device (TestFolder * folder, gconstpointer data)
{
  GstOrchRecordWriterConfig config = { "/dev/full", GST_ORCH_EXISTING_ERROR,
    FALSE, GST_ORCH_DURABILITY_CLOSE, NULL, NULL
  };
  g_autoptr (GError) error = NULL;
  GstOrchRecordWriter *writer = gst_orch_record_writer_open (&config, &error);

  g_assert_no_error (error);
  g_assert_false (gst_orch_record_writer_append (writer, "line\n", 5, &error));
  check_error (error, G_IO_ERROR_NO_SPACE, "/dev/full");
  gst_orch_record_writer_free (writer);
}

static void
set_file_limit (rlim_t limit)
{
  struct rlimit old;

  getrlimit (RLIMIT_FSIZE, &old);
  old.rlim_cur = limit;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
}

/* The kernel takes a part of the line and refuses the rest: the part goes. */
static void
test_part_of_a_line (TestFolder * folder, gconstpointer data)
{
  GstOrchRecordWriter *writer =
      open_writer (folder, GST_ORCH_EXISTING_ERROR, FALSE);
  g_autoptr (GError) error = NULL;

  append (writer, "one\n");
  append (writer, "two\n");
  signal (SIGXFSZ, SIG_IGN);
  set_file_limit (10);
  g_assert_false (gst_orch_record_writer_append (writer, "three\n", 6,
          &error));
  set_file_limit (RLIM_INFINITY);
  g_assert_nonnull (strstr (error->message, "out.jsonl"));
  check_file (folder, "one\ntwo\n");
  append (writer, "three\n");
  check_file (folder, "one\ntwo\nthree\n");
  gst_orch_record_writer_free (writer);
}

/* ---- a reader that takes little at a time ---- */

#define N_BYTES 1000000

typedef struct
{
  gint fd;
  pthread_t writer;
  GString *got;
} Reader;

/* A signal that interrupts write() makes it short. */
static gpointer
read_and_disturb (gpointer data)
{
  Reader *reader = data;
  gchar bytes[20000];
  gssize n;

  while ((n = read (reader->fd, bytes, sizeof bytes)) > 0) {
    g_string_append_len (reader->got, bytes, n);
    if (reader->got->len == N_BYTES)
      break;
    g_usleep (1000);
    pthread_kill (reader->writer, SIGUSR1);
  }
  return NULL;
}

static void
ignore_signal (int number)
{
}

static void
test_short_writes (void)
{
  g_autofree gchar *line = g_malloc (N_BYTES);
  struct sigaction action = {.sa_handler = ignore_signal };
  GThread *thread;
  Reader reader;
  gint fds[2], i;

  for (i = 0; i < N_BYTES; i++)
    line[i] = "0123456789abcdefghijk"[i % 21];
  g_assert_cmpint (pipe (fds), ==, 0);
  reader.fd = fds[0];
  reader.writer = pthread_self ();
  reader.got = g_string_new (NULL);
  sigaction (SIGUSR1, &action, NULL);
  thread = g_thread_new ("reader", read_and_disturb, &reader);
  g_assert_cmpint (gst_orch_write_all (fds[1], line, N_BYTES), ==, 0);
  g_thread_join (thread);
  g_assert_cmpmem (reader.got->str, reader.got->len, line, N_BYTES);
  close (fds[0]);
  close (fds[1]);
  g_string_free (reader.got, TRUE);
}

/* ---- which documents are there ---- */

static GstOrchRecordIndex *
load (TestFolder * folder, gboolean retry_failed)
{
  g_autofree gchar *file = test_folder_get (folder, "out.jsonl");
  g_autoptr (GError) error = NULL;
  GstOrchRecordIndex *index =
      gst_orch_record_index_load (file, retry_failed, &error);

  g_assert_no_error (error);
  return index;
}

static void
test_index (TestFolder * folder, gconstpointer data)
{
  GstOrchRecordIndex *index;

  test_folder_write (folder, "out.jsonl", WHOLE ("0", "true")
      WHOLE ("1", "false") WHOLE ("0", "true") "no record\n"
      "{\"uri\":\"gone\",\"path\":\"3\",\"complete\":false,\"info\":{}}\n"
      WHOLE ("7", "true") PART);
  index = load (folder, FALSE);
  g_assert_true (gst_orch_record_index_take (index, "file:///0", 3, "m"));
  g_assert_true (gst_orch_record_index_take (index, "file:///0", 3, "m"));
  g_assert_false (gst_orch_record_index_take (index, "file:///0", 3, "m"));
  g_assert_true (gst_orch_record_index_take (index, "file:///1", 3, "m"));
  g_assert_false (gst_orch_record_index_take (index, "file:///7", 4, "m"));
  g_assert_false (gst_orch_record_index_take (index, "file:///7", 3, "n"));
  g_assert_false (gst_orch_record_index_take (index, "file:///7", 3, NULL));
  g_assert_true (gst_orch_record_index_take (index, "file:///7", 3, "m"));
  g_assert_true (gst_orch_record_index_take (index, "gone", 0, NULL));
  g_assert_false (gst_orch_record_index_take (index, "file:///9", 3, "m"));
  gst_orch_record_index_free (index);

  index = load (folder, TRUE);
  g_assert_false (gst_orch_record_index_take (index, "file:///1", 3, "m"));
  g_assert_false (gst_orch_record_index_take (index, "gone", 0, NULL));
  g_assert_true (gst_orch_record_index_take (index, "file:///7", 3, "m"));
  gst_orch_record_index_free (index);
}

static void
test_index_of_nothing (TestFolder * folder, gconstpointer data)
{
  GstOrchRecordIndex *index = load (folder, FALSE);

  g_assert_false (gst_orch_record_index_take (index, "file:///0", 3, "m"));
  gst_orch_record_index_free (index);
}

static void
test_index_of_parts (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *file = test_folder_get (folder, "out.jsonl");
  g_autoptr (GError) error = NULL;

  test_folder_write (folder, "out.jsonl",
      "{\"uri\":\"a\",\"path\":\"3/1\",\"complete\":true}\n");
  g_assert_null (gst_orch_record_index_load (file, FALSE, &error));
  check_error (error, G_IO_ERROR_INVALID_DATA, "3/1");
}

/* ---- a file for each ---- */

static GstOrchOutput *
open_output (TestFolder * folder, const gchar * name, GstOrchExisting existing,
    gboolean retry_failed)
{
  g_autofree gchar *location = test_folder_get (folder, name);
  GstOrchOutputConfig config = { location, GST_ORCH_RECORD_FORMAT_TEXT,
    GST_ORCH_CONTENT_FULL, existing, retry_failed, GST_ORCH_DURABILITY_NONE,
    NULL
  };
  g_autoptr (GError) error = NULL;
  GstOrchOutput *output = gst_orch_output_open (&config, &error);

  g_assert_no_error (error);
  return output;
}

static void
write_result (GstOrchOutput * output, guint64 ordinal, const gchar * uri,
    const gchar * text)
{
  GstOrchResult result;

  test_result_init (&result, ordinal, uri,
      text ? gst_buffer_new_memdup (text, strlen (text)) : NULL,
      "text/x-raw, format=utf8");
  test_result_write (&result, output);
}

static void
check_text (TestFolder * folder, const gchar * name, const gchar * expected)
{
  g_autofree gchar *text = test_folder_read (folder, name);

  g_assert_cmpstr (text, ==, expected);
}

static guint
count_lines (TestFolder * folder, const gchar * name)
{
  g_autofree gchar *text = test_folder_read (folder, name);
  g_auto (GStrv) lines = g_strsplit (text ? text : "", "\n", -1);

  return g_strv_length (lines) - 1;
}

static void
test_files (TestFolder * folder, gconstpointer data)
{
  GstOrchOutput *output = open_output (folder, "{dir}/{stem}.txt",
      GST_ORCH_EXISTING_ERROR, FALSE);

  write_result (output, 0, "file:///a/x.pdf", "one");
  write_result (output, 1, "file:///b/x.pdf", "two\n");
  write_result (output, 2, "file:///b/bad.pdf", NULL);
  gst_orch_output_free (output);
  check_text (folder, "a/x.txt", "one\n");
  check_text (folder, "b/x.txt", "two\n");
  g_assert_cmpuint (test_folder_count (folder, "b"), ==, 1);
  g_assert_cmpuint (count_lines (folder, "orch-records.jsonl"), ==, 3);
}

/* Two documents of one name do not share a file, nor does one that is there
 * twice, whichever comes first; what was there before is left alone. */
static void
test_files_collide (TestFolder * folder, gconstpointer data)
{
  GstOrchOutput *output;

  test_folder_write (folder, "out/keep", "");
  test_folder_write (folder, "mine.txt", "mine");
  output = open_output (folder, "out/../{stem}.txt", GST_ORCH_EXISTING_ERROR,
      FALSE);
  write_result (output, 0, "file:///a/x.pdf", "one\n");
  write_result (output, 1, "file:///b/x.pdf", "two\n");
  write_result (output, 2, "file:///b/x.pdf", "two\n");
  write_result (output, 3, "file:///b/mine.pdf", "theirs\n");
  gst_orch_output_free (output);
  check_text (folder, "x.txt", "one\n");
  check_text (folder, "mine.txt", "mine");
  /* out, the records, x three times, mine twice */
  g_assert_cmpuint (test_folder_count (folder, ""), ==, 7);
}

static void
test_files_overwrite (TestFolder * folder, gconstpointer data)
{
  GstOrchOutput *output = open_output (folder, "{stem}.txt",
      GST_ORCH_EXISTING_ERROR, FALSE);

  write_result (output, 0, "file:///a/x%20y.pdf", "one\n");
  write_result (output, 1, "file:///a/%FF.pdf", "two\n");
  gst_orch_output_free (output);
  g_assert_cmpuint (test_folder_count (folder, ""), ==, 3);

  output = open_output (folder, "{stem}.txt", GST_ORCH_EXISTING_OVERWRITE,
      FALSE);
  g_assert_cmpuint (test_folder_count (folder, ""), ==, 1);
  write_result (output, 0, "file:///a/x%20y.pdf", "three\n");
  gst_orch_output_free (output);
  check_text (folder, "x y.txt", "three\n");
}

/* Killed between the record and the name of its file: both are made again. */
static void
test_files_broken_promise (TestFolder * folder, gconstpointer data)
{
  GstOrchOutput *output = open_output (folder, "{stem}.txt",
      GST_ORCH_EXISTING_ERROR, FALSE);
  g_autofree gchar *last = test_folder_get (folder, "y.txt");

  write_result (output, 0, "file:///a/x.pdf", "one\n");
  write_result (output, 1, "file:///a/y.pdf", "two\n");
  gst_orch_output_free (output);
  g_assert_cmpint (unlink (last), ==, 0);

  output = open_output (folder, "{stem}.txt", GST_ORCH_EXISTING_RESUME_ANY,
      FALSE);
  g_assert_cmpuint (count_lines (folder, "orch-records.jsonl"), ==, 1);
  g_assert_true (gst_orch_output_has_earlier (output));
  gst_orch_output_free (output);
}

static void
test_files_retry (TestFolder * folder, gconstpointer data)
{
  GstOrchOutput *output = open_output (folder, "{stem}.txt",
      GST_ORCH_EXISTING_ERROR, FALSE);

  write_result (output, 0, "file:///a/x.pdf", "one\n");
  write_result (output, 1, "file:///a/bad.pdf", NULL);
  gst_orch_output_free (output);
  output = open_output (folder, "{stem}.txt", GST_ORCH_EXISTING_RESUME_ANY,
      TRUE);
  g_assert_cmpuint (count_lines (folder, "orch-records.jsonl"), ==, 1);
  write_result (output, 1, "file:///a/bad.pdf", "good now\n");
  gst_orch_output_free (output);
  check_text (folder, "x.txt", "one\n");
  check_text (folder, "bad.txt", "good now\n");
}

static void
test_text_stream (TestFolder * folder, gconstpointer data)
{
  GstOrchOutput *output = open_output (folder, "all.txt",
      GST_ORCH_EXISTING_ERROR, FALSE);
  g_autofree gchar *location = test_folder_get (folder, "all.txt");
  GstOrchOutputConfig config = { location, GST_ORCH_RECORD_FORMAT_TEXT,
    GST_ORCH_CONTENT_FULL, GST_ORCH_EXISTING_RESUME, FALSE,
    GST_ORCH_DURABILITY_NONE, NULL
  };
  g_autoptr (GError) error = NULL;

  write_result (output, 0, "file:///a/x.pdf", "one");
  write_result (output, 1, "file:///a/bad.pdf", NULL);
  write_result (output, 2, "file:///a/y.pdf", "two\n");
  gst_orch_output_free (output);
  check_text (folder, "all.txt", "one\ntwo\n");
  g_assert_null (gst_orch_output_open (&config, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  TEST_ADD ("/writer/new", test_new);
  TEST_ADD ("/writer/existing-is-an-error", test_existing_is_an_error);
  TEST_ADD ("/writer/empty-is-new", test_empty_is_new);
  TEST_ADD ("/writer/overwrite", test_overwrite);
  TEST_ADD ("/writer/resume-cuts", test_resume_cuts);
  TEST_ADD ("/writer/retry-failed", test_retry_failed);
  TEST_ADD ("/writer/one-writer", test_one_writer);
  TEST_ADD ("/writer/missing-folder", test_missing_folder);
  TEST_ADD ("/writer/full-device", test_full_device);
  TEST_ADD ("/writer/part-of-a-line", test_part_of_a_line);
  g_test_add_func ("/writer/short-writes", test_short_writes);
  TEST_ADD ("/index/documents", test_index);
  TEST_ADD ("/index/nothing", test_index_of_nothing);
  TEST_ADD ("/index/parts", test_index_of_parts);
  TEST_ADD ("/files/each", test_files);
  TEST_ADD ("/files/collide", test_files_collide);
  TEST_ADD ("/files/overwrite", test_files_overwrite);
  TEST_ADD ("/files/broken-promise", test_files_broken_promise);
  TEST_ADD ("/files/retry", test_files_retry);
  TEST_ADD ("/files/text-stream", test_text_stream);
  return g_test_run ();
}
