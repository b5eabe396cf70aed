/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "workers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "(gst-orch-worker)"

static pid_t
get_parent (const gchar * pid)
{
  g_autofree gchar *path = g_build_filename ("/proc", pid, "stat", NULL);
  g_autofree gchar *text = NULL;
  gint parent;
  gchar state;

  /* It may have ended meanwhile. */
  if (!g_file_get_contents (path, &text, NULL, NULL) || !strstr (text, NAME)
      || sscanf (strrchr (text, ')') + 1, " %c %d", &state, &parent) != 2)
    return 0;
  return parent;
}

GArray *
workers_list_of (pid_t parent)
{
  GArray *pids = g_array_new (FALSE, FALSE, sizeof (pid_t));
  GDir *dir = g_dir_open ("/proc", 0, NULL);
  const gchar *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir))) {
    pid_t pid = atoi (name);

    if (pid > 0 && get_parent (name) == parent)
      g_array_append_val (pids, pid);
  }
  g_dir_close (dir);
  return pids;
}

GArray *
workers_list (void)
{
  return workers_list_of (getpid ());
}

guint
workers_count (void)
{
  GArray *pids = workers_list ();
  guint n = pids->len;

  g_array_unref (pids);
  return n;
}

guint
workers_count_fds (void)
{
  GDir *dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  g_assert_nonnull (dir);
  while (g_dir_read_name (dir))
    n++;
  g_dir_close (dir);
  return n;
}
