/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchbytesource.h"
#include "gstorchlistfile.h"
#include "gstorchsourcelist.h"
#include "testfolder.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a list gives, one line an entry: the URI without that of the folder,
 * "!" ahead of one with a cause. */
static gchar *
list_all (TestFolder * folder, const GstOrchSourceConfig * config,
    GError ** error)
{
  GstOrchSourceList *list = gst_orch_source_list_new (config);
  g_autofree gchar *base =
      gst_orch_bytes_uri_from_path (folder->path, "/");
  GString *text = g_string_new (NULL);
  GstOrchSourceEntry entry;

  while (gst_orch_source_list_next (list, &entry, error)) {
    g_string_append_printf (text, "%s%s\n", entry.cause ? "!" : "",
        g_str_has_prefix (entry.uri, base) ? entry.uri + strlen (base) + 1
        : entry.uri);
    gst_orch_source_entry_clear (&entry);
  }
  gst_orch_source_list_free (list);
  return g_string_free (text, FALSE);
}

static void
check_list (TestFolder * folder, GstOrchSourceConfig * config,
    const gchar * expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = list_all (folder, config, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
  gst_orch_source_config_clear (config);
}

static void
check_fails (TestFolder * folder, GstOrchSourceConfig * config, gint code,
    const gchar * word)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = list_all (folder, config, &error);

  g_assert_error (error, G_IO_ERROR, code);
  if (!strstr (error->message, word))
    g_error ("\"%s\" does not tell of \"%s\"", error->message, word);
  gst_orch_source_config_clear (config);
}

static void
init_config (GstOrchSourceConfig * config, TestFolder * folder,
    const gchar * first, const gchar * second)
{
  memset (config, 0, sizeof *config);
  config->locations = g_new0 (gchar *, 3);
  config->locations[0] = test_folder_get (folder, first);
  if (second)
    config->locations[1] = test_folder_get (folder, second);
}

static void
make_tree (TestFolder * folder)
{
  static const gchar *const names[] = {
    "b.pdf", "a.PDF", "Z.pdf", "note.txt", ".hidden.pdf", "sub/c.pdf",
    "sub/.deep/d.pdf", "sub/deeper/e.pdf", "aa/f.pdf", "\xff.pdf",
    "new\nline.pdf", "sp ace.pdf", "\xc3\xbc.pdf"
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    test_folder_write (folder, names[i], "x");
}

/* ---- folders ---- */

static void
test_folder (TestFolder * folder, gconstpointer data)
{
  GstOrchSourceConfig config;

  make_tree (folder);
  init_config (&config, folder, "", NULL);
  check_list (folder, &config, "Z.pdf\na.PDF\nb.pdf\nnew%0Aline.pdf\nnote.txt\n"
      "sp%20ace.pdf\n%C3%BC.pdf\n%FF.pdf\n");
}

static void
test_folder_recursive (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *loop = test_folder_get (folder, "sub/loop");
  g_autofree gchar *good = test_folder_get (folder, "sub/link.pdf");
  GstOrchSourceConfig config;

  make_tree (folder);
  g_assert_cmpint (symlink ("..", loop), ==, 0);
  g_assert_cmpint (symlink ("../b.pdf", good), ==, 0);
  init_config (&config, folder, "", NULL);
  config.recursive = TRUE;
  config.pattern = g_strdup ("*.pdf");
  check_list (folder, &config, "Z.pdf\na.PDF\naa/f.pdf\nb.pdf\nnew%0Aline.pdf\n"
      "sp%20ace.pdf\nsub/c.pdf\nsub/deeper/e.pdf\nsub/link.pdf\n%C3%BC.pdf\n"
      "%FF.pdf\n");
}

static void
test_folder_several_patterns (TestFolder * folder, gconstpointer data)
{
  GstOrchSourceConfig config;

  make_tree (folder);
  init_config (&config, folder, "", NULL);
  config.pattern = g_strdup ("a.*|*.TXT|*.mp4");
  check_list (folder, &config, "a.PDF\nnote.txt\n");
}

static void
test_folder_without_files (TestFolder * folder, gconstpointer data)
{
  GstOrchSourceConfig config;

  test_folder_write (folder, "docs/sub/a.pdf", "x");
  init_config (&config, folder, "docs", NULL);
  config.pattern = g_strdup ("*.pdf");
  check_fails (folder, &config, G_IO_ERROR_NOT_FOUND, "recursive=true");
  init_config (&config, folder, "docs", NULL);
  config.pattern = g_strdup ("*.txt");
  config.recursive = TRUE;
  check_fails (folder, &config, G_IO_ERROR_NOT_FOUND, "*.txt");
}

/* ---- patterns, files, URIs ---- */

static void
test_pattern (TestFolder * folder, gconstpointer data)
{
  GstOrchSourceConfig config;

  make_tree (folder);
  init_config (&config, folder, "[ab]*", NULL);
  check_list (folder, &config, "a.PDF\nb.pdf\n");
  init_config (&config, folder, "[as]*", NULL);
  config.recursive = TRUE;
  config.pattern = g_strdup ("*.pdf");
  check_list (folder, &config, "a.PDF\naa/f.pdf\nsp%20ace.pdf\nsub/c.pdf\n"
      "sub/deeper/e.pdf\n");
}

static void
test_pattern_without_match (TestFolder * folder, gconstpointer data)
{
  GstOrchSourceConfig config;

  make_tree (folder);
  init_config (&config, folder, "b.pdf", "nothing-*.pdf");
  check_fails (folder, &config, G_IO_ERROR_NOT_FOUND, "nothing-*.pdf");
}

static void
test_name_like_a_pattern (TestFolder * folder, gconstpointer data)
{
  GstOrchSourceConfig config;

  test_folder_write (folder, "a[1].pdf", "x");
  test_folder_write (folder, "a1.pdf", "x");
  init_config (&config, folder, "a[1].pdf", NULL);
  check_list (folder, &config, "a%5B1%5D.pdf\n");
}

/* In the order they are given in, twice if they are given twice. */
static void
test_several (TestFolder * folder, gconstpointer data)
{
  GstOrchSourceConfig config;

  make_tree (folder);
  init_config (&config, folder, "./sub//c.pdf", "b.pdf");
  check_list (folder, &config, "sub/c.pdf\nb.pdf\n");
  init_config (&config, folder, "aa", "aa/f.pdf");
  check_list (folder, &config, "aa/f.pdf\naa/f.pdf\n");
}

/* A document that is not there is a document: it fails when it is opened. */
static void
test_missing (TestFolder * folder, gconstpointer data)
{
  GstOrchSourceConfig config;

  init_config (&config, folder, "gone.pdf", NULL);
  check_list (folder, &config, "gone.pdf\n");
}

static void
test_uris (TestFolder * folder, gconstpointer data)
{
  GstOrchSourceConfig config = { 0, };
  g_autofree gchar *path = test_folder_get (folder, "sub");
  gchar *locations[] = { (gchar *) "https://host/x%20y.pdf", NULL, NULL };

  make_tree (folder);
  locations[1] = g_filename_to_uri (path, NULL, NULL);
  config.locations = g_strdupv (locations);
  g_free (locations[1]);
  check_list (folder, &config, "https://host/x%20y.pdf\nsub/c.pdf\n");
}

/* ---- lists ---- */

static void
check_list_file (TestFolder * folder, const gchar * text,
    const gchar * expected)
{
  GstOrchSourceConfig config = { 0, };

  test_folder_write (folder, "list", text);
  config.list = test_folder_get (folder, "list");
  g_assert_true (gst_orch_source_config_can_repeat (&config));
  check_list (folder, &config, expected);
}

static void
test_plain_list (TestFolder * folder, gconstpointer data)
{
  check_list_file (folder, "/a/b.pdf\n\n\r\nhttp://h/x\r\n/sp ace%41.pdf\n"
      "/\xff\n/last", "file:///a/b.pdf\nhttp://h/x\nfile:///sp%20ace%2541.pdf\n"
      "file:///%FF\nfile:///last\n");
  check_list_file (folder, "\357\273\277/a.pdf\n", "file:///a.pdf\n");
  check_list_file (folder, "", "");
}

static void
test_json_list (TestFolder * folder, gconstpointer data)
{
  check_list_file (folder,
      "{\"uri\":\"http://h/x\"}\n{\"uri\":\"/new\\nline.pdf\",\"more\":1}\n"
      "/plain\n", "http://h/x\nfile:///new%0Aline.pdf\nfile:///plain\n");
}

static void
test_bad_lines (TestFolder * folder, gconstpointer data)
{
  check_list_file (folder, "/a\n{\"url\":\"x\"}\n{broken\n{\"uri\":7}\n"
      "{\"uri\":\"\"}\n{\"uri\":\"\xff\"}\n/b\n",
      "file:///a\n!list#line=2\n!list#line=3\n!list#line=4\n!list#line=5\n"
      "!list#line=6\nfile:///b\n");
}

static void
test_zero_bytes (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *path = test_folder_get (folder, "list");
  GstOrchSourceConfig config = { 0, };

  g_assert_true (g_file_set_contents (path, "/a\0b\n/c\n", 8, NULL));
  config.list = g_strdup (path);
  check_list (folder, &config, "!list#line=1\nfile:///c\n");
}

static void
test_fields (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *path = test_folder_get (folder, "list");
  g_autoptr (GError) error = NULL;
  GstOrchSourceEntry entry;
  GstOrchListFile *file;
  gint64 number;

  test_folder_write (folder, "list",
      "{\"n\":3,\"uri\":\"a.pdf\",\"who\":{\"name\":\"x\"}}\n{\"uri\":\"b\"}\n");
  file = gst_orch_list_file_new (path, "/srv", &error);
  g_assert_no_error (error);
  g_assert_true (gst_orch_list_file_next (file, &entry, &error));
  g_assert_cmpstr (entry.uri, ==, "file:///srv/a.pdf");
  g_assert_cmpint (gst_structure_n_fields (entry.fields), ==, 2);
  g_assert_true (gst_structure_get_int64 (entry.fields, "n", &number));
  g_assert_cmpint (number, ==, 3);
  gst_orch_source_entry_clear (&entry);
  g_assert_true (gst_orch_list_file_next (file, &entry, &error));
  g_assert_null (entry.fields);
  gst_orch_source_entry_clear (&entry);
  g_assert_false (gst_orch_list_file_next (file, &entry, &error));
  g_assert_no_error (error);
  gst_orch_list_file_free (file);
}

static void
test_missing_list (TestFolder * folder, gconstpointer data)
{
  GstOrchSourceConfig config = { 0, };

  config.list = test_folder_get (folder, "none.txt");
  g_assert_false (gst_orch_source_config_can_repeat (&config));
  check_fails (folder, &config, G_IO_ERROR_NOT_FOUND, "none.txt");
}

static void
test_unreadable_list (TestFolder * folder, gconstpointer data)
{
  GstOrchSourceConfig config = { 0, };

  config.list = test_folder_get (folder, "");
  check_fails (folder, &config, G_IO_ERROR_IS_DIRECTORY, "list");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  TEST_ADD ("/sources/folder", test_folder);
  TEST_ADD ("/sources/folder-recursive", test_folder_recursive);
  TEST_ADD ("/sources/folder-without-files", test_folder_without_files);
  TEST_ADD ("/sources/folder-several-patterns", test_folder_several_patterns);
  TEST_ADD ("/sources/pattern", test_pattern);
  TEST_ADD ("/sources/pattern-without-match", test_pattern_without_match);
  TEST_ADD ("/sources/name-like-a-pattern", test_name_like_a_pattern);
  TEST_ADD ("/sources/several", test_several);
  TEST_ADD ("/sources/missing", test_missing);
  TEST_ADD ("/sources/uris", test_uris);
  TEST_ADD ("/sources/plain-list", test_plain_list);
  TEST_ADD ("/sources/json-list", test_json_list);
  TEST_ADD ("/sources/bad-lines", test_bad_lines);
  TEST_ADD ("/sources/zero-bytes", test_zero_bytes);
  TEST_ADD ("/sources/fields", test_fields);
  TEST_ADD ("/sources/missing-list", test_missing_list);
  TEST_ADD ("/sources/unreadable-list", test_unreadable_list);
  return g_test_run ();
}
