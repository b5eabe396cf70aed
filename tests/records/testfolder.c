/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "testfolder.h"

#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

void
test_folder_init (TestFolder * folder)
{
  folder->path = g_dir_make_tmp ("orch-records-XXXXXX", NULL);
  g_assert_nonnull (folder->path);
}

static int
remove_one (const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
  return remove (path);
}

void
test_folder_clear (TestFolder * folder)
{
  nftw (folder->path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  g_clear_pointer (&folder->path, g_free);
}

gchar *
test_folder_get (TestFolder * folder, const gchar * name)
{
  return g_build_filename (folder->path, name, NULL);
}

void
test_folder_write (TestFolder * folder, const gchar * name, const gchar * text)
{
  g_autofree gchar *path = test_folder_get (folder, name);
  g_autofree gchar *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0755), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

gchar *
test_folder_read (TestFolder * folder, const gchar * name)
{
  g_autofree gchar *path = test_folder_get (folder, name);
  gchar *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

guint
test_folder_count (TestFolder * folder, const gchar * name)
{
  g_autofree gchar *path = test_folder_get (folder, name);
  GDir *dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  g_assert_nonnull (dir);
  while (g_dir_read_name (dir))
    n++;
  g_dir_close (dir);
  return n;
}

void
test_folder_setup (TestFolder * folder, gconstpointer data)
{
  test_folder_init (folder);
}

void
test_folder_teardown (TestFolder * folder, gconstpointer data)
{
  test_folder_clear (folder);
}
