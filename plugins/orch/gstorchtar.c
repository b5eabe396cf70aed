/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchtar.h"

#ifdef HAVE_ARCHIVE

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

struct _GstOrchTar
{
  struct archive *archive;
  gchar *file;
  gint fd;
};

static gboolean
fail (GstOrchTar * tar, GError ** error)
{
  g_autofree gchar *shown = g_filename_display_name (tar->file);
  gint saved = archive_errno (tar->archive);
  const gchar *why = archive_error_string (tar->archive);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved),
      "Could not write %s: %s", shown, why ? why : g_strerror (saved));
  return FALSE;
}

static gboolean
open_archive (GstOrchTar * tar)
{
  return archive_write_set_format_pax_restricted (tar->archive) == ARCHIVE_OK
      && archive_write_set_options (tar->archive, "hdrcharset=BINARY")
      == ARCHIVE_OK && archive_write_open_fd (tar->archive, tar->fd)
      == ARCHIVE_OK;
}

GstOrchTar *
gst_orch_tar_new (const gchar * file, GError ** error)
{
  gint fd = open (file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
      0666);
  GstOrchTar *tar;

  if (fd < 0) {
    g_autofree gchar *shown = g_filename_display_name (file);
    gint saved = errno;

    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved),
        "Could not open %s: %s", shown, g_strerror (saved));
    return NULL;
  }
  tar = g_new0 (GstOrchTar, 1);
  tar->file = g_strdup (file);
  tar->fd = fd;
  tar->archive = archive_write_new ();
  if (open_archive (tar))
    return tar;
  fail (tar, error);
  gst_orch_tar_close (tar, FALSE, NULL);
  return NULL;
}

gboolean
gst_orch_tar_add (GstOrchTar * tar, const gchar * name, gconstpointer data,
    gsize size, GError ** error)
{
  struct archive_entry *entry = archive_entry_new ();
  gboolean done;

  archive_entry_set_pathname (entry, name);
  archive_entry_set_size (entry, size);
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_entry_set_perm (entry, 0644);
  archive_entry_set_mtime (entry, 0, 0);
  done = archive_write_header (tar->archive, entry) == ARCHIVE_OK
      && archive_write_data (tar->archive, data, size) == (la_ssize_t) size;
  archive_entry_free (entry);
  return done || fail (tar, error);
}

gboolean
gst_orch_tar_close (GstOrchTar * tar, gboolean sync, GError ** error)
{
  gboolean done = archive_write_close (tar->archive) == ARCHIVE_OK
      || fail (tar, error);
  gint problem = done && sync && fsync (tar->fd) < 0 ? errno : 0;

  if (close (tar->fd) < 0 && done && !problem)
    problem = errno;
  if (problem) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (problem),
        "Could not write %s: %s", tar->file, g_strerror (problem));
    done = FALSE;
  }
  archive_write_free (tar->archive);
  g_free (tar->file);
  g_free (tar);
  return done;
}

#else

GstOrchTar *
gst_orch_tar_new (const gchar * file, GError ** error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
      "Shards need libarchive, without which gst-orch was built: install it and "
      "build with -Darchive=enabled, or write files= instead.");
  return NULL;
}

gboolean
gst_orch_tar_add (GstOrchTar * tar, const gchar * name, gconstpointer data,
    gsize size, GError ** error)
{
  g_return_val_if_reached (FALSE);      /* there is none */
}

gboolean
gst_orch_tar_close (GstOrchTar * tar, gboolean sync, GError ** error)
{
  g_return_val_if_reached (FALSE);
}

#endif
