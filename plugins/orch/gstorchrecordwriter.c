/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchrecordwriter.h"

#include "gstorchrecordindex.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK 65536

struct _GstOrchRecordWriter
{
  gchar *file;
  gint fd;
  gboolean is_regular;
  GstOrchDurability durability;
  guint64 size;                 /* of a regular file */
  guint64 last_size;            /* ahead of the last line */
  guint64 n_cut;
  gboolean had_records;
};

GType
gst_orch_existing_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {GST_ORCH_EXISTING_ERROR, "End with an error", "error"},
    {GST_ORCH_EXISTING_RESUME, "Keep the records and add what is missing",
        "resume"},
    {GST_ORCH_EXISTING_RESUME_ANY,
        "As resume, whatever pipeline made the records", "resume-any"},
    {GST_ORCH_EXISTING_OVERWRITE, "Begin anew", "overwrite"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchExisting", values));
  return type;
}

GType
gst_orch_durability_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {GST_ORCH_DURABILITY_NONE, "When the system writes them", "none"},
    {GST_ORCH_DURABILITY_RECORD, "Each record before the next", "record"},
    {GST_ORCH_DURABILITY_CLOSE, "All before EOS", "close"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchDurability", values));
  return type;
}

static gboolean
fail (GError ** error, const gchar * what, const gchar * file, gint saved)
{
  g_autofree gchar *shown = g_filename_display_name (file);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved),
      "Could not %s %s: %s", what, shown, g_strerror (saved));
  return FALSE;
}

/* ---- opening ---- */

static gboolean
is_regular_or_absent (const gchar * file)
{
  struct stat st;

  return stat (file, &st) < 0 || S_ISREG (st.st_mode);
}

static gboolean
lock_file (gint fd, const gchar * file, GError ** error)
{
  if (flock (fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return TRUE;                /* some file systems have no locks */
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY,
      "Another run is writing to %s.", file);
  return FALSE;
}

static gboolean
open_file (GstOrchRecordWriter * self, GError ** error)
{
  if (strcmp (self->file, "-") == 0)
    self->fd = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  else if (!is_regular_or_absent (self->file))
    self->fd = open (self->file, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
  else
    self->fd = open (self->file, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (self->fd < 0)
    return fail (error, "open", self->file, errno);
  self->is_regular = strcmp (self->file, "-") != 0
      && is_regular_or_absent (self->file);
  return !self->is_regular || lock_file (self->fd, self->file, error);
}

static gboolean
read_size (GstOrchRecordWriter * self, GError ** error)
{
  struct stat st;

  if (fstat (self->fd, &st) < 0)
    return fail (error, "read", self->file, errno);
  self->size = self->last_size = st.st_size;
  return TRUE;
}

static gboolean
truncate_to (GstOrchRecordWriter * self, guint64 size, GError ** error)
{
  if (ftruncate (self->fd, size) < 0)
    return fail (error, "truncate", self->file, errno);
  self->size = self->last_size = size;
  return TRUE;
}

/* ---- what a killed writer left ---- */

/* The end of the last whole line at or before `end`: 0, or behind a newline.
 * -1 with errno set. */
static gint64
find_line_end (gint fd, guint64 end)
{
  g_autofree gchar *chunk = g_malloc (CHUNK);

  while (end > 0) {
    gsize n = MIN (end, CHUNK);
    gssize got = pread (fd, chunk, n, end - n);
    const gchar *newline;

    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return -1;
    newline = memrchr (chunk, '\n', got);
    if (newline)
      return end - n + (newline + 1 - chunk);
    end -= n;
  }
  return 0;
}

static gboolean
cut_partial_line (GstOrchRecordWriter * self, GError ** error)
{
  gint64 end = find_line_end (self->fd, self->size);

  if (end < 0)
    return fail (error, "read", self->file, errno);
  self->n_cut = self->size - end;
  return self->n_cut == 0 || truncate_to (self, end, error);
}

/* A record comes ahead of the file that has its content, or the shard that it is in,
 * so the last ones may promise what never came. */
static gboolean
is_promise_broken (const GstOrchRecordWriterConfig * config,
    const GstOrchRecordHead * head)
{
  if (head->file && config->tree
      && !gst_orch_file_tree_exists (config->tree, head->file))
    return TRUE;
  return head->shard && config->shards
      && !gst_orch_file_tree_exists (config->shards, head->shard);
}

static gboolean
read_last_line (GstOrchRecordWriter * self, gint64 begin,
    GstOrchRecordHead * head, gboolean * is_record, GError ** error)
{
  gsize size = self->size - begin;
  g_autofree gchar *line = g_malloc (size + 1);

  if (pread (self->fd, line, size, begin) != (gssize) size)
    return fail (error, "read", self->file, errno);
  *is_record = gst_orch_record_head_parse (head, line, size);
  return TRUE;
}

static gboolean
cut_broken_promises (GstOrchRecordWriter * self,
    const GstOrchRecordWriterConfig * config, GError ** error)
{
  gboolean is_broken = TRUE;

  while (is_broken && self->size > 0) {
    gint64 begin = find_line_end (self->fd, self->size - 1);
    GstOrchRecordHead head;
    gboolean is_record = FALSE;

    if (begin < 0)
      return fail (error, "read", self->file, errno);
    if (!read_last_line (self, begin, &head, &is_record, error))
      return FALSE;
    is_broken = is_record && is_promise_broken (config, &head);
    if (is_record)
      gst_orch_record_head_clear (&head);
    if (is_broken) {
      self->n_cut += self->size - begin;
      if (!truncate_to (self, begin, error))
        return FALSE;
    }
  }
  return TRUE;
}

/* ---- retrying ---- */

static void
remove_files (const GstOrchRecordWriterConfig * config,
    const GstOrchRecordHead * head)
{
  if (head->file && config->tree)
    gst_orch_file_tree_remove (config->tree, head->file);
  if (head->media && config->media)
    gst_orch_file_tree_remove_folder (config->media, head->media);
  if (head->shard && config->shards)
    gst_orch_file_tree_remove (config->shards, head->shard);
}

static gboolean
copy_complete (GstOrchRecordReader * reader, gint fd, const gchar * file,
    const GstOrchRecordWriterConfig * config, GError ** error)
{
  g_autoptr (GError) problem = NULL;
  const gchar *line;
  gsize size;
  gint saved = 0;

  while (!saved
      && gst_orch_record_reader_next (reader, &line, &size, &problem)) {
    GstOrchRecordHead head;
    gboolean is_record = gst_orch_record_head_parse (&head, line, size);

    if (!is_record || head.complete)
      saved = gst_orch_write_all (fd, line, size);
    else
      remove_files (config, &head);
    if (is_record)
      gst_orch_record_head_clear (&head);
  }
  if (saved)
    return fail (error, "write", file, saved);
  if (problem)
    g_propagate_error (error, g_steal_pointer (&problem));
  return problem == NULL;
}

static gboolean
replace_file (GstOrchRecordWriter * self, gint fd, const gchar * copy,
    GError ** error)
{
  if (self->durability != GST_ORCH_DURABILITY_NONE && fsync (fd) < 0)
    return fail (error, "write", copy, errno);
  if (!lock_file (fd, copy, error))
    return FALSE;
  if (rename (copy, self->file) < 0)
    return fail (error, "replace", self->file, errno);
  close (self->fd);
  self->fd = fd;
  return read_size (self, error);
}

/* So that a document never has two records. */
static gboolean
drop_incomplete (GstOrchRecordWriter * self,
    const GstOrchRecordWriterConfig * config, GError ** error)
{
  g_autofree gchar *copy = g_strconcat (self->file, ".unfinished", NULL);
  GstOrchRecordReader *reader = gst_orch_record_reader_new (self->file, error);
  gboolean done;
  gint fd;

  if (!reader)
    return FALSE;
  fd = open (copy, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) {
    gst_orch_record_reader_free (reader);
    return fail (error, "open", copy, errno);
  }
  done = copy_complete (reader, fd, copy, config, error)
      && replace_file (self, fd, copy, error);
  gst_orch_record_reader_free (reader);
  if (!done && self->fd != fd) {
    close (fd);
    unlink (copy);
  }
  return done;
}

/* ---- what is there already ---- */

static gboolean
refuse (GstOrchRecordWriter * self, GError ** error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
      "%s exists already. Set existing=resume to finish it, or "
      "existing=overwrite to begin anew.", self->file);
  return FALSE;
}

static gboolean
resume (GstOrchRecordWriter * self, const GstOrchRecordWriterConfig * config,
    GError ** error)
{
  g_autoptr (GError) why = NULL;

  if (config->existing == GST_ORCH_EXISTING_RESUME && config->header
      && !gst_orch_run_header_check (config->header, self->file, &why)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
        "%s Set existing=overwrite to begin anew, existing=resume-any to add to "
        "it all the same, or give another location.", why->message);
    return FALSE;
  }
  if (!cut_partial_line (self, error))
    return FALSE;
  if (!cut_broken_promises (self, config, error))
    return FALSE;
  return !config->retry_failed || drop_incomplete (self, config, error);
}

static gboolean
overwrite (GstOrchRecordWriter * self, const GstOrchRecordWriterConfig * config,
    GError ** error)
{
  GstOrchRecordReader *reader =
      config->tree || config->media || config->shards
      ? gst_orch_record_reader_new (self->file, NULL) : NULL;
  const gchar *line;
  gsize size;

  while (reader && gst_orch_record_reader_next (reader, &line, &size, NULL)) {
    GstOrchRecordHead head;

    if (gst_orch_record_head_parse (&head, line, size)) {
      remove_files (config, &head);
      gst_orch_record_head_clear (&head);
    }
  }
  gst_orch_record_reader_free (reader);
  return truncate_to (self, 0, error);
}

static gboolean
treat_existing (GstOrchRecordWriter * self,
    const GstOrchRecordWriterConfig * config, GError ** error)
{
  switch (config->existing) {
    case GST_ORCH_EXISTING_OVERWRITE:
      return overwrite (self, config, error);
    case GST_ORCH_EXISTING_ERROR:
      return refuse (self, error);
    default:
      return resume (self, config, error);
  }
}

/* A new file is on the disk when its name is. */
static gboolean
sync_folder (GstOrchRecordWriter * self, GError ** error)
{
  g_autofree gchar *folder = g_path_get_dirname (self->file);
  gint fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  gint problem = fd < 0 || fsync (fd) < 0 ? errno : 0;

  if (fd >= 0)
    close (fd);
  return !problem || fail (error, "write to", folder, problem);
}

static gboolean
prepare (GstOrchRecordWriter * self, const GstOrchRecordWriterConfig * config,
    GError ** error)
{
  if (!open_file (self, error))
    return FALSE;
  if (!self->is_regular)
    return TRUE;
  if (!read_size (self, error))
    return FALSE;
  if (self->size > 0 && !treat_existing (self, config, error))
    return FALSE;
  self->had_records = self->size > 0;
  if (config->header
      && !gst_orch_run_header_save (config->header, self->file, error))
    return FALSE;
  return self->durability == GST_ORCH_DURABILITY_NONE
      || sync_folder (self, error);
}

GstOrchRecordWriter *
gst_orch_record_writer_open (const GstOrchRecordWriterConfig * config,
    GError ** error)
{
  GstOrchRecordWriter *self = g_new0 (GstOrchRecordWriter, 1);

  self->file = g_strdup (config->file);
  self->fd = -1;
  self->durability = config->durability;
  if (!prepare (self, config, error)) {
    gst_orch_record_writer_free (self);
    return NULL;
  }
  return self;
}

void
gst_orch_record_writer_free (GstOrchRecordWriter * self)
{
  if (!self)
    return;
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->file);
  g_free (self);
}

/* ---- writing ---- */

gboolean
gst_orch_record_writer_append (GstOrchRecordWriter * self, const gchar * line,
    gsize size, GError ** error)
{
  gint problem = gst_orch_write_all (self->fd, line, size);

  self->last_size = self->size;
  if (!problem) {
    self->size += size;
    if (self->is_regular && self->durability == GST_ORCH_DURABILITY_RECORD
        && fdatasync (self->fd) < 0)
      problem = errno;
  }
  if (!problem)
    return TRUE;
  gst_orch_record_writer_undo (self);
  return fail (error, "write to", self->file, problem);
}

void
gst_orch_record_writer_undo (GstOrchRecordWriter * self)
{
  if (self->is_regular && ftruncate (self->fd, self->last_size) == 0)
    self->size = self->last_size;
}

gboolean
gst_orch_record_writer_finish (GstOrchRecordWriter * self, GError ** error)
{
  if (!self->is_regular || self->durability == GST_ORCH_DURABILITY_NONE
      || fsync (self->fd) == 0)
    return TRUE;
  return fail (error, "write to", self->file, errno);
}

guint64
gst_orch_record_writer_get_n_cut (GstOrchRecordWriter * self)
{
  return self->n_cut;
}

gboolean
gst_orch_record_writer_had_records (GstOrchRecordWriter * self)
{
  return self->had_records;
}
