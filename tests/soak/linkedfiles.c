/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "linkedfiles.h"

#include <glib/gstdio.h>
#include <unistd.h>

gchar *
linked_files_get (TestFolder * folder, guint i)
{
  g_autofree gchar *name = g_strdup_printf ("docs/%05u.pdf", i);

  return test_folder_get (folder, name);
}

static void
copy_one_page (const gchar * path)
{
  const gchar *files = g_getenv ("ORCH_PDF_FILES");
  g_autofree gchar *one = NULL;
  g_autofree gchar *bytes = NULL;
  GError *error = NULL;
  gsize size;

  if (!files)
    g_error ("ORCH_PDF_FILES is not set: to build/tests/pdf");
  one = g_build_filename (files, "one-page.pdf", NULL);
  g_file_get_contents (one, &bytes, &size, &error);
  g_assert_no_error (error);
  g_file_set_contents (path, bytes, size, &error);
  g_assert_no_error (error);
}

void
linked_files_make (TestFolder * folder, guint n)
{
  g_autofree gchar *docs = test_folder_get (folder, "docs");
  g_autofree gchar *first = linked_files_get (folder, 0);
  guint i;

  g_assert_cmpint (g_mkdir (docs, 0777), ==, 0);
  copy_one_page (first);
  for (i = 1; i < n; i++) {
    g_autofree gchar *path = linked_files_get (folder, i);

    g_assert_cmpint (link (first, path), ==, 0);
  }
}
