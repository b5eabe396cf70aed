/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Many small documents, from files to records: memory and file descriptors follow
 * the open ones.  All are links to one file.  -m slow for the full number. */

#include "soak.h"
#include "linkedfiles.h"

#include <json-glib/json-glib.h>
#include <string.h>
#include <sys/resource.h>

#define DOCUMENTS 20000
#define QUICK_DOCUMENTS (SOAK_IS_INSTRUMENTED ? 500 : 2000)
#define DESCRIPTORS 64

/* Poppler, qpdf, fontconfig and the JSON writer load what they need with the first
 * documents. */
#define FIRST 32000000

/* Of the only page, which must be there. */
static const gchar *
get_text (JsonObject * record)
{
  JsonArray *content = json_object_get_array_member (record, "content");

  g_assert_cmpstr (json_object_get_string_member (record, "outcome"), ==,
      "present");
  g_assert_true (json_object_get_boolean_member (record, "complete"));
  g_assert_cmpuint (json_array_get_length (content), ==, 1);
  return json_object_get_string_member (json_array_get_object_element (content,
          0), "text");
}

static void
check_record (const gchar * line, GHashTable * ids)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  GError *error = NULL;
  JsonObject *record;

  json_parser_load_from_data (parser, line, -1, &error);
  g_assert_no_error (error);
  record = json_node_get_object (json_parser_get_root (parser));
  g_assert_nonnull (g_strstr_len (get_text (record), -1, "Hello orch"));
  g_assert_true (g_hash_table_add (ids,
          g_strdup (json_object_get_string_member (record, "id"))));
}

/* Each document has a record of its own. */
static void
check_records (TestFolder * folder, guint n)
{
  g_autoptr (GHashTable) ids =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree gchar *text = test_folder_read (folder, "out.jsonl");
  gchar *line, *rest = text;

  while ((line = strsep (&rest, "\n")) && *line)
    check_record (line, ids);
  g_assert_cmpuint (g_hash_table_size (ids), ==, n);
}

static Soak *
run_documents (TestFolder * folder, guint n)
{
  Soak *soak;

  linked_files_make (folder, n);
  soak = soak_new (n, "orchsrc location=%s/docs ! orchpdfpages ! orchexpand ! "
      "orchpdftext replicas=2 ! orchreduce ! orchsink name=out "
      "location=%s/out.jsonl", folder->path, folder->path);
  soak_run (soak);
  check_records (folder, n);
  return soak;
}

static void
test_memory (TestFolder * folder, gconstpointer data)
{
  Soak *soak = run_documents (folder, g_test_slow () ? DOCUMENTS :
      QUICK_DOCUMENTS);

  g_assert_true (soak_is_flat (soak, FIRST, 4000000));
  soak_free (soak);
}

static void
test_descriptors (TestFolder * folder, gconstpointer data)
{
  struct rlimit before, limit;

  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &before), ==, 0);
  limit = before;
  limit.rlim_cur = DESCRIPTORS;
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  soak_free (run_documents (folder, QUICK_DOCUMENTS));
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &before), ==, 0);
}

int
main (int argc, char **argv)
{
  soak_init (&argc, &argv);
  soak_skip_without ("orchpdftext");
  TEST_ADD ("/soak/documents/memory", test_memory);
  TEST_ADD ("/soak/documents/descriptors", test_descriptors);
  return g_test_run ();
}
