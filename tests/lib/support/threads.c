/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "threads.h"

gboolean
threads_have (const gchar * prefix)
{
  GDir *tasks = g_dir_open ("/proc/self/task", 0, NULL);
  gboolean found = FALSE;
  const gchar *id;

  g_assert_nonnull (tasks);
  while (!found && (id = g_dir_read_name (tasks))) {
    g_autofree gchar *path =
        g_build_filename ("/proc/self/task", id, "comm", NULL);
    g_autofree gchar *name = NULL;

    /* It may have ended meanwhile. */
    found = g_file_get_contents (path, &name, NULL, NULL)
        && g_str_has_prefix (name, prefix);
  }
  g_dir_close (tasks);
  return found;
}
