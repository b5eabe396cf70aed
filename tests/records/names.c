/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchfiletree.h"
#include "gstorchnametemplate.h"
#include "testfolder.h"

#include <string.h>
#include <unistd.h>

/* ---- names ---- */

static gchar *
expand (const gchar * location, const gchar * uri, const gchar * suffix)
{
  g_autoptr (GError) error = NULL;
  GstOrchNameTemplate *names = gst_orch_name_template_new (location, &error);
  GstOrchNameValues values = { uri, uri, 7 };
  gchar *name;

  g_assert_no_error (error);
  name = gst_orch_name_template_expand (names, &values, suffix);
  gst_orch_name_template_free (names);
  return name;
}

static void
check_name (const gchar * location, const gchar * uri, const gchar * expected)
{
  g_autofree gchar *name = expand (location, uri, NULL);

  g_assert_cmpstr (name, ==, expected);
}

static void
check_base (const gchar * location, const gchar * expected)
{
  GstOrchNameTemplate *names = gst_orch_name_template_new (location, NULL);

  g_assert_cmpstr (gst_orch_name_template_get_base (names), ==, expected);
  gst_orch_name_template_free (names);
}

static void
test_placeholders (void)
{
  check_name ("out/{stem}.txt", "file:///a/x.pdf", "x.txt");
  check_name ("out/{dir}/{stem}.txt", "file:///a/b/x.pdf", "a/b/x.txt");
  check_name ("out/{dir}/{stem}.txt", "file:///x.pdf", "x.txt");
  check_name ("{dir}-{stem}.txt", "file:///a/b/x.pdf", "a_b-x.txt");
  check_name ("p{page}.txt", "file:///a/x.pdf", "p7.txt");
  check_name ("{stem}/{page}.txt", "file:///a/x.tar.gz", "x.tar/7.txt");
  check_name ("{stem}.txt", "file:///a/.hidden", ".hidden.txt");
  check_name ("{id}.txt", "file:///a/x.pdf", "file:___a_x.pdf.txt");
  check_name ("{dir}/{stem}.txt", "https://host/d/x.pdf?v=1", "host/d/x.txt");
  check_name ("{stem}.txt", "file:///a/%FF%20%C3%BC.pdf", "\xff \xc3\xbc.txt");
  check_name ("{stem}.txt", "", "_.txt");
}

static void
test_base (void)
{
  check_base ("out/sub/{stem}.txt", "out/sub");
  check_base ("out/x-{stem}/{page}.txt", "out");
  check_base ("{stem}.txt", ".");
  check_base ("/{stem}.txt", "/");
  check_base ("../out/{dir}/{stem}.txt", "../out");
}

static void
test_below_working_directory (void)
{
  g_autofree gchar *cwd = g_get_current_dir ();
  g_autofree gchar *uri = g_strconcat ("file://", cwd, "/docs/x.pdf", NULL);
  g_autofree gchar *beside = g_strconcat ("file://", cwd, "y/x.pdf", NULL);
  g_autofree gchar *beside_expected = g_strconcat (cwd + 1, "y/x.txt", NULL);

  check_name ("{dir}/{stem}.txt", uri, "docs/x.txt");
  check_name ("{dir}/{stem}.txt", beside, beside_expected);
}

static void
test_suffix (void)
{
  g_autofree gchar *name = expand ("{dir}/{stem}.txt", "file:///a.b/x.pdf",
      "~1");
  g_autofree gchar *bare = expand ("{stem}", "file:///a/x.pdf", "~1");

  g_assert_cmpstr (name, ==, "a.b/x~1.txt");
  g_assert_cmpstr (bare, ==, "x~1");
}

static void
test_unknown_placeholder (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gst_orch_name_template_new ("{stem}/{nmae}.txt", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME);
  g_assert_nonnull (strstr (error->message, "{nmae}"));
  g_assert_nonnull (strstr (error->message, "{dir}"));
}

/* Nothing that a document is called leads anywhere else. */
static void
test_no_escape (void)
{
  static const gchar *const uris[] = {
    "file:///..", "file:///../../etc/passwd", "file:///a/%2e%2e/%2e%2e/x",
    "file:///%2Fetc%2Fpasswd", "file:///a/..", "file:///a/.", "https://../../x",
    "file:///a%0A%0D%1B/x.pdf", "x/../../../y", "../../y", "/etc/passwd", "..",
    "https://h/%2e%2e%2f%2e%2e%2fx", "file:///a/{stem}/{dir}", "{dir}"
  };
  static const gchar *const locations[] = {
    "{stem}", "{dir}/{stem}", "{id}", "{dir}/../{stem}", "{stem}/..",
    "{dir}", "{stem}{dir}/{id}"
  };
  guint u, l, p;

  for (u = 0; u < G_N_ELEMENTS (uris); u++) {
    for (l = 0; l < G_N_ELEMENTS (locations); l++) {
      g_autofree gchar *name = expand (locations[l], uris[u], NULL);
      g_auto (GStrv) parts = g_strsplit (name, "/", -1);

      for (p = 0; parts[p]; p++) {
        g_assert_cmpstr (parts[p], !=, "");
        g_assert_cmpstr (parts[p], !=, ".");
        g_assert_cmpstr (parts[p], !=, "..");
        g_assert_cmpint (strcspn (parts[p], "\n\r\033"), ==,
            strlen (parts[p]));
      }
    }
  }
}

/* What a document is called is not expanded again. */
static void
test_no_second_expansion (void)
{
  check_name ("{stem}.txt", "file:///a/{page}.pdf", "{page}.txt");
}

static void
test_long_names (void)
{
  g_autofree gchar *many = g_strnfill (500, 'x');
  g_autofree gchar *first = g_strconcat ("file:///a/", many, "1.pdf", NULL);
  g_autofree gchar *second = g_strconcat ("file:///a/", many, "2.pdf", NULL);
  g_autofree gchar *wide = g_strconcat ("file:///a/", NULL);
  g_autofree gchar *one = expand ("{stem}.txt", first, "~12345678");
  g_autofree gchar *two = expand ("{stem}.txt", second, "~12345678");
  g_autofree gchar *umlauts = NULL;
  GString *uri = g_string_new (wide);
  guint i;

  g_assert_cmpint (strlen (one), <=, 255);
  g_assert_true (g_str_has_suffix (one, "~12345678.txt"));
  g_assert_cmpstr (one, !=, two);

  for (i = 0; i < 300; i++)
    g_string_append (uri, i % 7 ? "%C3%BC" : "x");
  umlauts = expand ("{stem}.txt", uri->str, NULL);
  g_assert_cmpint (strlen (umlauts), <=, 255);
  g_assert_true (g_utf8_validate (umlauts, -1, NULL));
  g_string_free (uri, TRUE);
}

/* ---- files ---- */

static GstOrchFileTree *
open_tree (TestFolder * folder)
{
  g_autoptr (GError) error = NULL;
  GstOrchFileTree *tree = gst_orch_file_tree_new (folder->path, &error);

  g_assert_no_error (error);
  return tree;
}

static void
test_tree_write (TestFolder * folder, gconstpointer data)
{
  GstOrchFileTree *tree = open_tree (folder);
  g_autofree gchar *text = NULL;

  g_assert_false (gst_orch_file_tree_exists (tree, "a/b/x.txt"));
  g_assert_true (gst_orch_file_tree_prepare (tree, "a/b/x.txt", "hello", 5,
          TRUE, NULL));
  g_assert_false (gst_orch_file_tree_exists (tree, "a/b/x.txt"));
  g_assert_true (gst_orch_file_tree_commit (tree, "a/b/x.txt", NULL));
  g_assert_true (gst_orch_file_tree_exists (tree, "a/b/x.txt"));
  text = test_folder_read (folder, "a/b/x.txt");
  g_assert_cmpstr (text, ==, "hello");
  g_assert_cmpuint (test_folder_count (folder, "a/b"), ==, 1);
  gst_orch_file_tree_remove (tree, "a/b/x.txt");
  g_assert_cmpuint (test_folder_count (folder, "a/b"), ==, 0);
  gst_orch_file_tree_free (tree);
}

static void
test_tree_missing (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *path = test_folder_get (folder, "none");
  g_autoptr (GError) error = NULL;

  g_assert_null (gst_orch_file_tree_new (path, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, path));
}

/* A link that was put into the folder does not lead out of it. */
static void
test_tree_links (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *inside = test_folder_get (folder, "inside");
  g_autofree gchar *outside = test_folder_get (folder, "outside");
  g_autofree gchar *link = test_folder_get (folder, "inside/way-out");
  g_autofree gchar *leaf = test_folder_get (folder, "inside/leaf.txt");
  g_autofree gchar *secret = test_folder_get (folder, "outside/secret.txt");
  g_autofree gchar *text = NULL;
  GstOrchFileTree *tree;

  test_folder_write (folder, "inside/x", "x");
  test_folder_write (folder, "outside/secret.txt", "secret");
  g_assert_cmpint (symlink (outside, link), ==, 0);
  g_assert_cmpint (symlink (secret, leaf), ==, 0);
  tree = gst_orch_file_tree_new (inside, NULL);

  g_assert_false (gst_orch_file_tree_prepare (tree, "way-out/x.txt", "y", 1,
          FALSE, NULL));
  g_assert_false (gst_orch_file_tree_prepare (tree, "../outside/x.txt", "y", 1,
          FALSE, NULL));
  gst_orch_file_tree_remove (tree, "way-out/secret.txt");
  gst_orch_file_tree_remove (tree, "../outside/secret.txt");
  /* a link in the place of the file itself is replaced, not followed */
  g_assert_true (gst_orch_file_tree_exists (tree, "leaf.txt"));
  g_assert_true (gst_orch_file_tree_prepare (tree, "leaf.txt", "y", 1, FALSE,
          NULL));
  g_assert_true (gst_orch_file_tree_commit (tree, "leaf.txt", NULL));
  text = test_folder_read (folder, "outside/secret.txt");
  g_assert_cmpstr (text, ==, "secret");
  g_assert_cmpuint (test_folder_count (folder, "outside"), ==, 1);
  gst_orch_file_tree_free (tree);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/names/placeholders", test_placeholders);
  g_test_add_func ("/names/base", test_base);
  g_test_add_func ("/names/below-working-directory",
      test_below_working_directory);
  g_test_add_func ("/names/suffix", test_suffix);
  g_test_add_func ("/names/unknown-placeholder", test_unknown_placeholder);
  g_test_add_func ("/names/no-escape", test_no_escape);
  g_test_add_func ("/names/no-second-expansion", test_no_second_expansion);
  g_test_add_func ("/names/long", test_long_names);
  TEST_ADD ("/files/write", test_tree_write);
  TEST_ADD ("/files/missing-folder", test_tree_missing);
  TEST_ADD ("/files/links", test_tree_links);
  return g_test_run ();
}
