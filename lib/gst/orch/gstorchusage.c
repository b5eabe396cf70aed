/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchusage-private.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Looks at what is mapped between those at files, which take longer. */
#define FILES_EACH 5
/* Files given that are kept in mind before it is looked which of them are left. */
#define MAX_GIVEN 4096

void
gst_orch_usage_init (GstOrchUsage * usage, pid_t pid)
{
  usage->pid = pid;
  usage->statm = -1;
  usage->n_looks = 0;
  usage->files = 0;
  usage->given = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
      NULL);
}

void
gst_orch_usage_clear (GstOrchUsage * usage)
{
  if (usage->statm >= 0)
    close (usage->statm);
  usage->statm = -1;
  g_clear_pointer (&usage->given, g_hash_table_unref);
}

/* ---- files in memory ---- */

/* All of them are on one device, on which there is nothing else. */
static dev_t
get_device (void)
{
  static gsize device;

  if (g_once_init_enter (&device)) {
    gint fd = memfd_create ("gst-orch", MFD_CLOEXEC);
    struct stat about = { 0, };

    if (fd >= 0) {
      fstat (fd, &about);
      close (fd);
    }
    /* 0 would mean that it is not known yet. */
    g_once_init_leave (&device, about.st_dev ? about.st_dev : G_MAXSIZE);
  }
  return device;
}

static gboolean
is_in_memory (const struct stat *about)
{
  return S_ISREG (about->st_mode) && about->st_dev == get_device ();
}

static void
put (GHashTable * numbers, guint64 number, guint look)
{
  guint64 *key = g_new (guint64, 1);

  *key = number;
  g_hash_table_replace (numbers, key, GUINT_TO_POINTER (look));
}

void
gst_orch_usage_note_given (GstOrchUsage * usage, const GArray * fds)
{
  struct stat about;
  guint i;

  for (i = 0; i < fds->len; i++)
    if (fstat (g_array_index (fds, gint, i), &about) == 0
        && is_in_memory (&about))
      put (usage->given, about.st_ino, usage->n_looks);
}

/* What was given a while ago, and is not there, has been closed. */
static gboolean
is_closed (gpointer number, gpointer look, gpointer data)
{
  GstOrchUsage *usage = data;

  return usage->n_looks - GPOINTER_TO_UINT (look) > FILES_EACH;
}

static guint64
count_files (GstOrchUsage * usage, DIR * dir)
{
  GHashTable *own = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
      NULL);
  guint64 size = 0;
  struct dirent *entry;
  struct stat about;

  while ((entry = readdir (dir))) {
    guint64 number;

    if (fstatat (dirfd (dir), entry->d_name, &about, 0) < 0
        || !is_in_memory (&about))
      continue;
    number = about.st_ino;
    if (g_hash_table_contains (usage->given, &number)) {
      put (usage->given, number, usage->n_looks);
    } else if (!g_hash_table_contains (own, &number)) {
      put (own, number, 0);
      size += about.st_blocks * 512ull;
    }
  }
  g_hash_table_unref (own);
  return size;
}

static void
look_at_files (GstOrchUsage * usage)
{
  g_autofree gchar *name = g_strdup_printf ("/proc/%d/fd", usage->pid);
  DIR *dir = opendir (name);

  if (!dir)
    return;
  usage->files = count_files (usage, dir);
  closedir (dir);
}

/* ---- all of it ---- */

static gboolean
read_statm (GstOrchUsage * usage, guint64 * resident, guint64 * shared)
{
  unsigned long long total, mapped, files;
  gchar text[128];
  gssize n;

  if (usage->statm < 0) {
    g_autofree gchar *name = g_strdup_printf ("/proc/%d/statm", usage->pid);

    usage->statm = open (name, O_RDONLY | O_CLOEXEC);
  }
  n = usage->statm < 0 ? -1 : pread (usage->statm, text, sizeof text - 1, 0);
  if (n <= 0)
    return FALSE;
  text[n] = '\0';
  if (sscanf (text, "%llu %llu %llu", &total, &mapped, &files) != 3)
    return FALSE;
  *resident = mapped * sysconf (_SC_PAGESIZE);
  *shared = files * sysconf (_SC_PAGESIZE);
  return TRUE;
}

guint64
gst_orch_usage_get_memory (GstOrchUsage * usage)
{
  guint64 resident, shared;

  if (!read_statm (usage, &resident, &shared))
    return 0;
  if (++usage->n_looks % FILES_EACH == 0) {
    look_at_files (usage);
    if (g_hash_table_size (usage->given) > MAX_GIVEN)
      g_hash_table_foreach_remove (usage->given, is_closed, usage);
  }
  /* What it has mapped of them is among the resident. */
  return resident + (usage->files > shared ? usage->files - shared : 0);
}

guint
gst_orch_usage_count_threads (GstOrchUsage * usage)
{
  g_autofree gchar *name = g_strdup_printf ("/proc/%d/task", usage->pid);
  struct stat about;

  /* A folder's links are to itself, from above, and from each folder in it. */
  return stat (name, &about) == 0 && about.st_nlink > 2 ? about.st_nlink - 2 : 0;
}
