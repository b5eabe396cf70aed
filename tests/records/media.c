/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Values that are pictures: into files, and into shards. */

#include "gstorchjson.h"
#include "gstorchoutput.h"
#include "testfolder.h"
#include "testresult.h"

#include <glib/gstdio.h>

#include <string.h>

#ifdef HAVE_ARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

/* ---- results with pictures ---- */

static void
append (GstOrchList * list, GstBuffer * buffer, const gchar * caps_text,
    const gchar * name)
{
  GstOrchListElement element = { gst_orch_list_get_size (list),
    GST_ORCH_OUTCOME_PRESENT, buffer, gst_caps_from_string (caps_text), NULL,
    NULL, g_intern_string (name)
  };

  gst_orch_list_append_element (list, &element);
  gst_buffer_unref (buffer);
  gst_caps_unref (element.caps);
}

static GstBuffer *
new_bytes (const gchar * text)
{
  return gst_buffer_new_memdup (text, strlen (text));
}

/* Two frames, each with a text and a picture. */
static GstBuffer *
new_frames (const gchar * mark)
{
  GstOrchList *frames = gst_orch_list_new ();
  guint i;

  for (i = 0; i < 2; i++) {
    g_autofree gchar *picture = g_strdup_printf ("JPEG %s %u", mark, i);
    GstOrchList *items = gst_orch_list_new ();
    GstBuffer *buffer;

    append (items, new_bytes ("{\"luma\":1}"), "application/json", "stats");
    append (items, new_bytes (picture), "image/jpeg, width=1, height=1",
        "thumb nail");
    buffer = gst_orch_list_buffer_new (items);
    append (frames, buffer, GST_ORCH_ITEMS_CAPS, NULL);
  }
  return gst_orch_list_buffer_new (frames);
}

/* ---- outputs ---- */

static GstOrchOutput *
try_open (TestFolder * folder, const gchar * media, gboolean shards,
    GstOrchExisting existing, gboolean retry_failed, GError ** error)
{
  g_autofree gchar *location = test_folder_get (folder, "out.jsonl");
  g_autofree gchar *path = test_folder_get (folder, media);
  GstOrchOutputConfig config = { location, GST_ORCH_RECORD_FORMAT_JSONL,
    GST_ORCH_CONTENT_FULL, existing, retry_failed, GST_ORCH_DURABILITY_RECORD,
    NULL, shards ? NULL : path, {shards ? path : NULL, 2, 3000}
  };

  return gst_orch_output_open (&config, error);
}

static GstOrchOutput *
open_output (TestFolder * folder, const gchar * media, gboolean shards,
    GstOrchExisting existing, gboolean retry_failed)
{
  g_autoptr (GError) error = NULL;
  GstOrchOutput *output = try_open (folder, media, shards, existing,
      retry_failed, &error);

  g_assert_no_error (error);
  return output;
}

static void
write_document (GstOrchOutput * output, guint64 ordinal, const gchar * uri,
    GstBuffer * buffer)
{
  GstOrchResult result;

  test_result_init (&result, ordinal, uri, buffer, GST_ORCH_LIST_CAPS);
  test_result_write (&result, output);
}

static void
finish (GstOrchOutput * output)
{
  g_autoptr (GError) error = NULL;

  gst_orch_output_finish (output, &error);
  g_assert_no_error (error);
  gst_orch_output_free (output);
}

/* (transfer full): the records of out.jsonl */
static GPtrArray *
read_records (TestFolder * folder)
{
  GPtrArray *records =
      g_ptr_array_new_with_free_func ((GDestroyNotify) json_node_unref);
  g_autofree gchar *text = test_folder_read (folder, "out.jsonl");
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint i;

  for (i = 0; lines[i + 1]; i++) {
    g_autoptr (GError) error = NULL;

    g_ptr_array_add (records, json_from_string (lines[i], &error));
    g_assert_no_error (error);
  }
  g_assert_cmpstr (lines[i], ==, "");
  return records;
}

static JsonObject *
get_info (GPtrArray * records, guint index)
{
  return json_object_get_object_member (json_node_get_object (g_ptr_array_index
          (records, index)), "info");
}

/* The picture of a frame of a record. */
static JsonObject *
get_picture (GPtrArray * records, guint index, guint frame)
{
  JsonObject *record =
      json_node_get_object (g_ptr_array_index (records, index));
  JsonArray *content = json_object_get_array_member (record, "content");
  JsonObject *element = json_array_get_object_element (content, frame);

  return json_object_get_object_member (json_object_get_object_member (element,
          "value"), "thumb nail");
}

static const gchar *
get_picture_file (GPtrArray * records, guint index, guint frame)
{
  return json_object_get_string_member (json_object_get_object_member
      (get_picture (records, index, frame), "info"), "file");
}

static void
check_file (TestFolder * folder, const gchar * name, const gchar * expected)
{
  g_autofree gchar *path = g_uri_unescape_string (name, NULL);
  g_autofree gchar *text = test_folder_read (folder, path);

  g_assert_cmpstr (text, ==, expected);
}

/* ---- files ---- */

static void
test_files (TestFolder * folder, gconstpointer data)
{
  GstOrchOutput *output = open_output (folder, "pictures", FALSE,
      GST_ORCH_EXISTING_ERROR, FALSE);
  g_autoptr (GPtrArray) records = NULL;
  g_autofree gchar *name = NULL;
  const gchar *files;

  write_document (output, 0, "file:///x/a.b%20c.mp4", new_frames ("first"));
  write_document (output, 1, "file:///y/a.b%20c.mp4", new_frames ("second"));
  write_document (output, 2, "file:///x/broken.mp4", NULL);
  finish (output);

  records = read_records (folder);
  g_assert_cmpuint (records->len, ==, 3);
  files = json_object_get_string_member (get_info (records, 0), "files");
  g_assert_true (g_str_has_prefix (files, "pictures/a_b%20c-"));
  g_assert_true (g_str_has_suffix (files, "/"));
  name = g_strconcat (files, "0001-thumb_nail.jpg", NULL);
  g_assert_cmpstr (get_picture_file (records, 0, 1), ==, name);
  check_file (folder, name, "JPEG first 1");
  check_file (folder, get_picture_file (records, 0, 0), "JPEG first 0");
  check_file (folder, get_picture_file (records, 1, 1), "JPEG second 1");
  g_assert_true (json_object_get_null_member (get_picture (records, 0, 0),
          "value"));
  g_assert_false (json_object_has_member (get_info (records, 2), "files"));
  g_assert_cmpuint (test_folder_count (folder, "pictures"), ==, 2);
}

/* What a killed run has left is overwritten, not doubled. */
static void
test_files_resumed (TestFolder * folder, gconstpointer data)
{
  GstOrchOutput *output = open_output (folder, "pictures", FALSE,
      GST_ORCH_EXISTING_ERROR, FALSE);
  g_autoptr (GPtrArray) records = NULL;

  write_document (output, 0, "file:///a.mp4", new_frames ("old"));
  finish (output);
  test_folder_write (folder, "out.jsonl", "");
  output = open_output (folder, "pictures", FALSE, GST_ORCH_EXISTING_RESUME_ANY,
      FALSE);
  write_document (output, 0, "file:///a.mp4", new_frames ("new"));
  finish (output);
  records = read_records (folder);
  check_file (folder, get_picture_file (records, 0, 0), "JPEG new 0");
  g_assert_cmpuint (test_folder_count (folder, "pictures"), ==, 1);
}

/* A record and its files go together. */
static void
test_files_removed (TestFolder * folder, gconstpointer data)
{
  GstOrchOutput *output = open_output (folder, "pictures", FALSE,
      GST_ORCH_EXISTING_ERROR, FALSE);
  g_autofree gchar *text = NULL, *mine = NULL;
  GString *edited;

  test_folder_write (folder, "pictures/mine.jpg", "mine");
  write_document (output, 0, "file:///a.mp4", new_frames ("a"));
  write_document (output, 1, "file:///b.mp4", new_frames ("b"));
  finish (output);
  g_assert_cmpuint (test_folder_count (folder, "pictures"), ==, 3);

  /* the first one, as if something had been missing */
  text = test_folder_read (folder, "out.jsonl");
  edited = g_string_new (text);
  g_string_replace (edited, "\"complete\":true", "\"complete\":false", 1);
  test_folder_write (folder, "out.jsonl", edited->str);
  g_string_free (edited, TRUE);
  finish (open_output (folder, "pictures", FALSE, GST_ORCH_EXISTING_RESUME_ANY,
          TRUE));
  g_assert_cmpuint (test_folder_count (folder, "pictures"), ==, 2);

  finish (open_output (folder, "pictures", FALSE, GST_ORCH_EXISTING_OVERWRITE,
          FALSE));
  g_assert_cmpuint (test_folder_count (folder, "pictures"), ==, 1);
  mine = test_folder_read (folder, "pictures/mine.jpg");
  g_assert_cmpstr (mine, ==, "mine");
}

/* Whatever a document is called, its key is one component of a path and of a name in
 * a shard. */
static void
test_keys (void)
{
  g_autofree gchar *long_name = g_strnfill (900, 'x');
  g_autofree gchar *long_uri = g_strconcat ("file:///", long_name, ".mp4", NULL);
  const gchar *uris[] = { "file:///..", "file:///a%2F..%2F..%2Fb", "", "x",
    "file:///.hidden", "file:///a%0Ab%09c.mp4", "file:///a.b.c.d", "file:///%FF%FE",
    "https://host/?q=1#2", "file:///", long_uri
  };
  g_autoptr (GHashTable) keys =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (uris); i++) {
    gchar *key = gst_orch_record_media_make_key (uris[i], "0");

    g_assert_null (strpbrk (key, "/.\n\t"));
    g_assert_cmpuint (strlen (key), <, 230);
    g_assert_cmpuint (strlen (key), >, 13);
    g_assert_true (g_hash_table_add (keys, key));
  }
  /* the same document in another place, or of another time */
  g_assert_true (g_hash_table_add (keys,
          gst_orch_record_media_make_key ("x", "1")));
}

/* Bare values name the file in an object; one that is no list is the first. */
static void
test_plain (void)
{
  GstOrchRecordMedia *media =
      gst_orch_record_media_new ("key", '/', "base/", "3");
  g_autofree gchar *content = NULL;
  g_autoptr (GError) error = NULL;
  GstOrchRecord record;
  GstOrchResult result;

  test_result_init (&result, 0, "file:///a.mp4", new_bytes ("PNG"),
      GST_ORCH_LIST_CAPS);
  gst_caps_unref (result.caps);
  result.caps = gst_caps_from_string ("image/png");
  gst_orch_record_build (&record, &result, GST_ORCH_CONTENT_PLAIN, media,
      &error);
  g_assert_no_error (error);
  content = gst_orch_json_print (json_object_get_member (json_node_get_object
          (record.root), "content"), NULL);
  g_assert_cmpstr (content, ==, "[{\"file\":\"base/key/0003-0000.png\"}]");
  g_assert_cmpuint (media->media->len, ==, 1);
  gst_orch_record_media_free (media);
  gst_orch_record_clear (&record);
  gst_orch_result_clear (&result);
}

/* Neither raw pixels nor, without a place for them, pictures. */
static void
test_refused (void)
{
  GstOrchRecordMedia *media =
      gst_orch_record_media_new ("key", '/', "", "");
  g_autoptr (GError) error = NULL, raw_error = NULL;
  GstOrchRecord record;
  GstOrchResult result;

  test_result_init (&result, 0, "file:///a.mp4", new_frames ("x"),
      GST_ORCH_LIST_CAPS);
  g_assert_false (gst_orch_record_build (&record, &result,
          GST_ORCH_CONTENT_FULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "files="));
  gst_orch_result_clear (&result);

  test_result_init (&result, 0, "file:///a.mp4", new_bytes ("pixels"),
      GST_ORCH_LIST_CAPS);
  gst_caps_unref (result.caps);
  result.caps = gst_caps_from_string ("video/x-raw, format=RGB");
  g_assert_false (gst_orch_record_build (&record, &result,
          GST_ORCH_CONTENT_FULL, media, &raw_error));
  g_assert_nonnull (strstr (raw_error->message, "orchthumbnail"));
  gst_orch_result_clear (&result);
  gst_orch_record_media_free (media);
}

/* ---- shards ---- */

#ifdef HAVE_ARCHIVE
/* (transfer full): "name=content" of each entry, a line each; NULL: no such file */
static gchar *
list_shard (TestFolder * folder, const gchar * name)
{
  g_autofree gchar *path = test_folder_get (folder, name);
  struct archive *archive = archive_read_new ();
  struct archive_entry *entry;
  GString *text = g_string_new (NULL);
  gboolean is_there;

  archive_read_support_format_tar (archive);
  is_there = archive_read_open_filename (archive, path, 10240) == ARCHIVE_OK;
  while (is_there && archive_read_next_header (archive, &entry) == ARCHIVE_OK) {
    const gchar *entry_name = archive_entry_pathname (entry);
    gchar content[64] = "";

    archive_read_data (archive, content, sizeof content - 1);
    if (g_str_has_suffix (entry_name, ".json"))
      content[9] = '\0';
    g_string_append_printf (text, "%s=%s\n", strchr (entry_name, '.') + 1,
        content);
  }
  archive_read_free (archive);
  return g_string_free (text, !is_there);
}

static void
check_shard (TestFolder * folder, const gchar * name, const gchar * expected)
{
  g_autofree gchar *text = list_shard (folder, name);

  g_assert_cmpstr (text, ==, expected);
}

#define SAMPLE(mark) "0000-thumb_nail.jpg=JPEG " mark " 0\n" \
    "0001-thumb_nail.jpg=JPEG " mark " 1\njson={\"schema\"\n"

static const gchar *
get_shard (GPtrArray * records, guint index)
{
  return json_object_get_string_member (get_info (records, index), "shard");
}

static void
write_documents (GstOrchOutput * output, guint first, guint n)
{
  guint i;

  for (i = first; i < first + n; i++) {
    g_autofree gchar *uri = g_strdup_printf ("file:///%u.mp4", i);
    g_autofree gchar *mark = g_strdup_printf ("%u", i);

    write_document (output, i, uri, new_frames (mark));
  }
}

static void
test_shards (TestFolder * folder, gconstpointer data)
{
  GstOrchOutput *output = open_output (folder, "shards", TRUE,
      GST_ORCH_EXISTING_ERROR, FALSE);
  g_autoptr (GPtrArray) records = NULL;
  g_autofree gchar *early = NULL;

  write_documents (output, 0, 1);
  early = test_folder_read (folder, "out.jsonl");
  g_assert_cmpstr (early, ==, "");      /* its shard is not whole */
  write_documents (output, 1, 2);
  finish (output);

  check_shard (folder, "shards/000000.tar", SAMPLE ("0") SAMPLE ("1"));
  check_shard (folder, "shards/000001.tar", SAMPLE ("2"));
  check_shard (folder, "shards/000002.tar", NULL);
  records = read_records (folder);
  g_assert_cmpuint (records->len, ==, 3);
  g_assert_cmpstr (get_shard (records, 1), ==, "shards/000000.tar");
  g_assert_cmpstr (get_shard (records, 2), ==, "shards/000001.tar");
  g_assert_true (g_str_has_prefix (get_picture_file (records, 0, 1), "0-"));
  g_assert_true (g_str_has_suffix (get_picture_file (records, 0, 1),
          ".0001-thumb_nail.jpg"));
}

/* More bytes than a shard is to have: it ends with that record. */
static void
test_shard_bytes (TestFolder * folder, gconstpointer data)
{
  GstOrchOutput *output = open_output (folder, "shards", TRUE,
      GST_ORCH_EXISTING_ERROR, FALSE);
  g_autofree gchar *large = g_strnfill (3000, 'x');
  g_autofree gchar *text = NULL;

  write_document (output, 0, "file:///0.mp4", new_frames (large));
  text = list_shard (folder, "shards/000000.tar");
  g_assert_nonnull (text);
  finish (output);
}

/* Killed before a shard was whole, and before it had its name. */
static void
test_shards_resumed (TestFolder * folder, gconstpointer data)
{
  GstOrchOutput *output = open_output (folder, "shards", TRUE,
      GST_ORCH_EXISTING_ERROR, FALSE);
  g_autofree gchar *unnamed = test_folder_get (folder, "shards/000001.tar");
  g_autoptr (GPtrArray) records = NULL;

  write_documents (output, 0, 5);
  gst_orch_output_free (output);
  records = read_records (folder);
  g_assert_cmpuint (records->len, ==, 4);
  g_assert_cmpuint (test_folder_count (folder, "shards"), ==, 2);
  g_assert_cmpint (g_unlink (unnamed), ==, 0);
  g_ptr_array_unref (records);

  output = open_output (folder, "shards", TRUE, GST_ORCH_EXISTING_RESUME_ANY,
      FALSE);
  g_assert_cmpuint (gst_orch_record_writer_get_n_cut
      (gst_orch_output_get_writer (output)), >, 0);
  write_documents (output, 2, 3);
  finish (output);
  records = read_records (folder);
  g_assert_cmpuint (records->len, ==, 5);
  check_shard (folder, "shards/000000.tar", SAMPLE ("0") SAMPLE ("1"));
  check_shard (folder, "shards/000001.tar", SAMPLE ("2") SAMPLE ("3"));
  check_shard (folder, "shards/000002.tar", SAMPLE ("4"));
}

static void
test_shards_overwritten (TestFolder * folder, gconstpointer data)
{
  GstOrchOutput *output = open_output (folder, "shards", TRUE,
      GST_ORCH_EXISTING_ERROR, FALSE);

  write_documents (output, 0, 5);
  finish (output);
  g_assert_cmpuint (test_folder_count (folder, "shards"), ==, 3);
  output = open_output (folder, "shards", TRUE, GST_ORCH_EXISTING_OVERWRITE,
      FALSE);
  g_assert_cmpuint (test_folder_count (folder, "shards"), ==, 0);
  write_documents (output, 7, 1);
  finish (output);
  check_shard (folder, "shards/000000.tar", SAMPLE ("7"));
}
#else
static void
test_shards (TestFolder * folder, gconstpointer data)
{
  GstOrchOutput *output = open_output (folder, "shards", TRUE,
      GST_ORCH_EXISTING_ERROR, FALSE);
  g_autoptr (GError) error = NULL;
  GstOrchRendered rendered;
  GstOrchResult result;

  test_result_init (&result, 0, "file:///a.mp4", new_frames ("a"),
      GST_ORCH_LIST_CAPS);
  g_assert_true (gst_orch_output_render (output, &result, &rendered, NULL));
  g_assert_false (gst_orch_output_write (output, &rendered, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  gst_orch_rendered_clear (&rendered);
  gst_orch_result_clear (&result);
  gst_orch_output_free (output);
}
#endif

static void
test_settings (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *location = test_folder_get (folder, "out.jsonl");
  g_autofree gchar *media = test_folder_get (folder, "media");
  g_autofree gchar *deep = test_folder_get (folder, "no/such");
  const struct
  {
    GstOrchRecordFormat format;
    gboolean retry;
    const gchar *files, *shards, *word;
  } cases[] = {
    {GST_ORCH_RECORD_FORMAT_TEXT, FALSE, media, NULL, "format=jsonl"},
    {GST_ORCH_RECORD_FORMAT_JSONL, FALSE, media, media, "not to both"},
    {GST_ORCH_RECORD_FORMAT_JSONL, TRUE, NULL, media, "retry-failed"},
    {GST_ORCH_RECORD_FORMAT_JSONL, FALSE, deep, NULL, "no/such"},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstOrchOutputConfig config = { location, cases[i].format,
      GST_ORCH_CONTENT_FULL, GST_ORCH_EXISTING_ERROR, cases[i].retry,
      GST_ORCH_DURABILITY_NONE, NULL, cases[i].files, {cases[i].shards, 1, 1}
    };
    g_autoptr (GError) error = NULL;

    g_assert_null (gst_orch_output_open (&config, &error));
    g_assert_nonnull (strstr (error->message, cases[i].word));
  }
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  TEST_ADD ("/media/files", test_files);
  TEST_ADD ("/media/files-resumed", test_files_resumed);
  TEST_ADD ("/media/files-removed", test_files_removed);
  g_test_add_func ("/media/keys", test_keys);
  g_test_add_func ("/media/plain", test_plain);
  g_test_add_func ("/media/refused", test_refused);
  TEST_ADD ("/media/settings", test_settings);
  TEST_ADD ("/media/shards", test_shards);
#ifdef HAVE_ARCHIVE
  TEST_ADD ("/media/shard-bytes", test_shard_bytes);
  TEST_ADD ("/media/shards-resumed", test_shards_resumed);
  TEST_ADD ("/media/shards-overwritten", test_shards_overwritten);
#endif
  return g_test_run ();
}
