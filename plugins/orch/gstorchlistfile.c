/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchlistfile.h"

#include "gstorchbytesource.h"
#include "gstorchjson.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct _GstOrchListFile
{
  FILE *stream;
  gchar *name;
  gchar *cwd;
  gchar *line;
  size_t line_size;
  guint64 n_lines;
};

static FILE *
open_stream (const gchar * name)
{
  FILE *stream;
  gint fd;

  if (strcmp (name, "-") != 0)
    return fopen (name, "re");
  /* a descriptor of its own, so that closing it leaves stdin alone */
  fd = dup (STDIN_FILENO);
  stream = fd < 0 ? NULL : fdopen (fd, "r");
  if (!stream && fd >= 0)
    close (fd);
  return stream;
}

static void
set_error (GError ** error, const gchar * name, gint saved)
{
  g_autofree gchar *shown = g_filename_display_name (name);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved),
      "Could not read the list %s: %s", shown, g_strerror (saved));
}

GstOrchListFile *
gst_orch_list_file_new (const gchar * name, const gchar * cwd, GError ** error)
{
  FILE *stream = open_stream (name);
  GstOrchListFile *file;

  if (!stream) {
    set_error (error, name, errno);
    return NULL;
  }
  file = g_new0 (GstOrchListFile, 1);
  file->stream = stream;
  file->name = g_strdup (strcmp (name, "-") == 0 ? "/dev/stdin" : name);
  file->cwd = g_strdup (cwd);
  return file;
}

void
gst_orch_list_file_free (GstOrchListFile * file)
{
  if (!file)
    return;
  fclose (file->stream);
  free (file->line);
  g_free (file->name);
  g_free (file->cwd);
  g_free (file);
}

gchar *
gst_orch_list_file_to_uri (const gchar * text, const gchar * cwd)
{
  g_autofree gchar *scheme = g_uri_parse_scheme (text);

  if (scheme && g_utf8_validate (text, -1, NULL)
      && g_str_has_prefix (text + strlen (scheme), "://"))
    return g_strdup (text);
  return gst_orch_bytes_uri_from_path (text, cwd);
}

static void
read_bad_line (GstOrchListFile * file, const gchar * why,
    GstOrchSourceEntry * entry)
{
  g_autofree gchar *uri = gst_orch_bytes_uri_from_path (file->name, file->cwd);
  g_autofree gchar *shown = g_filename_display_name (file->name);
  g_autofree gchar *message = NULL;

  entry->uri = g_strdup_printf ("%s#line=%" G_GUINT64_FORMAT, uri,
      file->n_lines);
  message = g_strdup_printf ("Line %" G_GUINT64_FORMAT " of %s names no "
      "document: %s.", file->n_lines, shown, why);
  entry->cause = orch_cause_new (GST_ORCH_SOURCE_DOMAIN, "bad-list-line",
      message, NULL, NULL);
}

static void
read_json (GstOrchListFile * file, const gchar * line, gsize size,
    GstOrchSourceEntry * entry)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = gst_orch_json_parse (line, size, &error);
  JsonObject *object;
  const gchar *uri;

  if (!node) {
    read_bad_line (file, error->message, entry);
    return;
  }
  object = json_node_get_object (node);
  uri = gst_orch_json_get_string (object, "uri");
  if (!uri || !uri[0]) {
    read_bad_line (file, "it has no string \"uri\"", entry);
    return;
  }
  entry->uri = gst_orch_list_file_to_uri (uri, file->cwd);
  if (json_object_get_size (object) > 1)
    entry->fields = gst_orch_json_to_structure (object, "fields", "uri");
}

static void
read_line (GstOrchListFile * file, gchar * line, gsize size,
    GstOrchSourceEntry * entry)
{
  if (memchr (line, '\0', size))
    read_bad_line (file, "it has a zero byte", entry);
  else if (line[0] == '{')
    read_json (file, line, size, entry);
  else
    entry->uri = gst_orch_list_file_to_uri (line, file->cwd);
}

static gchar *
skip_byte_order_mark (gchar * line)
{
  return g_str_has_prefix (line, "\357\273\277") ? line + 3 : line;
}

gboolean
gst_orch_list_file_next (GstOrchListFile * file, GstOrchSourceEntry * entry,
    GError ** error)
{
  gssize size;
  gchar *line;

  memset (entry, 0, sizeof *entry);
  while ((size = getline (&file->line, &file->line_size, file->stream)) > 0) {
    gchar *end = file->line + size;

    while (end > file->line && (end[-1] == '\n' || end[-1] == '\r'))
      *--end = '\0';
    line = file->n_lines++ ? file->line : skip_byte_order_mark (file->line);
    if (line == end)
      continue;
    read_line (file, line, end - line, entry);
    return TRUE;
  }
  if (ferror (file->stream))
    set_error (error, file->name, errno);
  return FALSE;
}
