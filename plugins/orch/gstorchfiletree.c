/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchfiletree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One writer a tree, so one name for what is not finished. */
#define TEMPORARY ".orch-unfinished"

struct _GstOrchFileTree
{
  gchar *base;
  gint fd;
};

static void
set_error (GError ** error, const gchar * what, const gchar * base,
    const gchar * name, gint saved)
{
  g_autofree gchar *path = g_build_filename (base, name, NULL);
  g_autofree gchar *shown = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved),
      "Could not %s %s: %s", what, shown, g_strerror (saved));
}

gint
gst_orch_write_all (gint fd, const gchar * data, gsize size)
{
  while (size > 0) {
    gssize n = write (fd, data, size);

    if (n < 0 && errno != EINTR)
      return errno;
    if (n > 0) {
      data += n;
      size -= n;
    }
  }
  return 0;
}

GstOrchFileTree *
gst_orch_file_tree_new (const gchar * base, GError ** error)
{
  gint fd = open (base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  GstOrchFileTree *tree;

  if (fd < 0) {
    set_error (error, "open the folder", base, NULL, errno);
    return NULL;
  }
  tree = g_new0 (GstOrchFileTree, 1);
  tree->base = g_strdup (base);
  tree->fd = fd;
  return tree;
}

void
gst_orch_file_tree_free (GstOrchFileTree * tree)
{
  if (!tree)
    return;
  close (tree->fd);
  g_free (tree->base);
  g_free (tree);
}

/* The folder that holds `name`, -1 with errno set; `leaf` (out): its name in
 * there. */
static gint
open_folder (GstOrchFileTree * tree, const gchar * name, gboolean create,
    const gchar ** leaf)
{
  gint fd = fcntl (tree->fd, F_DUPFD_CLOEXEC, 0);
  const gchar *slash;

  while (fd >= 0 && (slash = strchr (name, '/'))) {
    g_autofree gchar *part = g_strndup (name, slash - name);
    gint next = -1, saved;

    if (strcmp (part, "..") == 0)
      errno = EXDEV;
    else if (create && mkdirat (fd, part, 0777) < 0 && errno != EEXIST)
      next = -1;
    else
      next = openat (fd, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    saved = errno;
    close (fd);
    errno = saved;
    fd = next;
    name = slash + 1;
  }
  *leaf = name;
  return fd;
}

gboolean
gst_orch_file_tree_exists (GstOrchFileTree * tree, const gchar * name)
{
  const gchar *leaf;
  gint fd = open_folder (tree, name, FALSE, &leaf);
  struct stat st;
  gboolean exists;

  if (fd < 0)
    return FALSE;
  exists = fstatat (fd, leaf, &st, AT_SYMLINK_NOFOLLOW) == 0;
  close (fd);
  return exists;
}

static gint
write_temporary (gint folder, const gchar * data, gsize size, gboolean sync)
{
  gint fd, problem;

  unlinkat (folder, TEMPORARY, 0);
  fd = openat (folder, TEMPORARY,
      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd < 0)
    return errno;
  problem = gst_orch_write_all (fd, data, size);
  if (!problem && sync && fsync (fd) < 0)
    problem = errno;
  if (close (fd) < 0 && !problem)
    problem = errno;
  if (problem)
    unlinkat (folder, TEMPORARY, 0);
  return problem;
}

gboolean
gst_orch_file_tree_prepare (GstOrchFileTree * tree, const gchar * name,
    const gchar * data, gsize size, gboolean sync, GError ** error)
{
  const gchar *leaf;
  gint folder = open_folder (tree, name, TRUE, &leaf);
  gint problem = folder < 0 ? errno : 0;

  if (folder >= 0) {
    problem = write_temporary (folder, data, size, sync);
    close (folder);
  }
  if (problem)
    set_error (error, "write", tree->base, name, problem);
  return problem == 0;
}

gboolean
gst_orch_file_tree_commit (GstOrchFileTree * tree, const gchar * name,
    GError ** error)
{
  const gchar *leaf;
  gint folder = open_folder (tree, name, FALSE, &leaf);
  gint problem = folder < 0
      || renameat (folder, TEMPORARY, folder, leaf) < 0 ? errno : 0;

  if (folder >= 0)
    close (folder);
  if (problem)
    set_error (error, "write", tree->base, name, problem);
  return problem == 0;
}

void
gst_orch_file_tree_remove (GstOrchFileTree * tree, const gchar * name)
{
  const gchar *leaf;
  gint folder = open_folder (tree, name, FALSE, &leaf);

  if (folder < 0)
    return;
  unlinkat (folder, leaf, 0);
  close (folder);
}

static void
remove_files (gint folder)
{
  DIR *stream = fdopendir (folder);
  struct dirent *entry;

  if (!stream) {
    close (folder);
    return;
  }
  while ((entry = readdir (stream)))
    unlinkat (folder, entry->d_name, 0);        /* which removes no folder */
  closedir (stream);
}

void
gst_orch_file_tree_remove_folder (GstOrchFileTree * tree, const gchar * name)
{
  const gchar *leaf;
  gint above = open_folder (tree, name, FALSE, &leaf), folder;

  if (above < 0)
    return;
  folder = strcmp (leaf, "..") == 0 || strcmp (leaf, ".") == 0 || !*leaf ? -1
      : openat (above, leaf, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder >= 0) {
    remove_files (folder);
    unlinkat (above, leaf, AT_REMOVEDIR);
  }
  close (above);
}

gboolean
gst_orch_file_tree_sync (GstOrchFileTree * tree)
{
  return fsync (tree->fd) == 0;
}
