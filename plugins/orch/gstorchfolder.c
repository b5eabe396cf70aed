/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchfolder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/stat.h>

/* One open folder; a name is preceded by its kind. */
#define KIND_FILE 'f'
#define KIND_FOLDER 'd'

typedef struct
{
  gchar *path;
  GPtrArray *names;
  guint next;
} Level;

struct _GstOrchFolder
{
  gchar **patterns;
  gboolean recursive;
  GQueue levels;                /* Level, the innermost first */
};

static void
level_free (gpointer data)
{
  Level *level = data;

  g_free (level->path);
  g_ptr_array_unref (level->names);
  g_slice_free (Level, level);
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar * const *) a + 1,
      *(const gchar * const *) b + 1);
}

/* 0 for what is left out: a link to a folder, which might lead back up. */
static gchar
get_kind (DIR * dir, const struct dirent *entry)
{
  struct stat st;
  gboolean is_link = entry->d_type == DT_LNK;

  if (entry->d_type == DT_DIR)
    return KIND_FOLDER;
  if (entry->d_type != DT_UNKNOWN && !is_link)
    return KIND_FILE;
  if (entry->d_type == DT_UNKNOWN
      && fstatat (dirfd (dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
    is_link = S_ISLNK (st.st_mode);
  /* a link to nothing is a document that is missing */
  if (fstatat (dirfd (dir), entry->d_name, &st, 0) < 0 || !S_ISDIR (st.st_mode))
    return KIND_FILE;
  return is_link ? 0 : KIND_FOLDER;
}

static gboolean
matches (GstOrchFolder * folder, const gchar * name)
{
  guint i;

  for (i = 0; folder->patterns[i]; i++)
    if (fnmatch (folder->patterns[i], name, FNM_PERIOD | FNM_CASEFOLD) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_chosen (GstOrchFolder * folder, gchar kind, const gchar * name)
{
  if (kind == KIND_FOLDER)
    return folder->recursive && name[0] != '.';
  return kind == KIND_FILE && matches (folder, name);
}

static gboolean
enter (GstOrchFolder * folder, const gchar * path, GError ** error)
{
  DIR *dir = opendir (path);
  struct dirent *entry;
  Level *level;

  if (!dir) {
    gint saved = errno;
    g_autofree gchar *name = g_filename_display_name (path);

    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved),
        "Could not read the folder %s: %s", name, g_strerror (saved));
    return FALSE;
  }
  level = g_slice_new0 (Level);
  level->path = g_strdup (path);
  level->names = g_ptr_array_new_with_free_func (g_free);
  while ((entry = readdir (dir))) {
    gchar kind = get_kind (dir, entry);

    if (is_chosen (folder, kind, entry->d_name))
      g_ptr_array_add (level->names,
          g_strdup_printf ("%c%s", kind, entry->d_name));
  }
  closedir (dir);
  g_ptr_array_sort (level->names, compare_names);
  g_queue_push_head (&folder->levels, level);
  return TRUE;
}

GstOrchFolder *
gst_orch_folder_new (const gchar * path, const gchar * pattern,
    gboolean recursive, GError ** error)
{
  GstOrchFolder *folder = g_new0 (GstOrchFolder, 1);

  folder->patterns = g_strsplit (pattern ? pattern : "*", "|", -1);
  folder->recursive = recursive;
  g_queue_init (&folder->levels);
  if (!enter (folder, path, error)) {
    gst_orch_folder_free (folder);
    return NULL;
  }
  return folder;
}

void
gst_orch_folder_free (GstOrchFolder * folder)
{
  if (!folder)
    return;
  g_queue_clear_full (&folder->levels, level_free);
  g_strfreev (folder->patterns);
  g_free (folder);
}

gchar *
gst_orch_folder_next (GstOrchFolder * folder, GError ** error)
{
  Level *level;

  while ((level = g_queue_peek_head (&folder->levels))) {
    g_autofree gchar *path = NULL;
    const gchar *name;

    if (level->next == level->names->len) {
      level_free (g_queue_pop_head (&folder->levels));
      continue;
    }
    name = g_ptr_array_index (level->names, level->next++);
    path = g_build_filename (level->path, name + 1, NULL);
    if (name[0] == KIND_FILE || !enter (folder, path, error))
      return g_steal_pointer (&path);
  }
  return NULL;
}
