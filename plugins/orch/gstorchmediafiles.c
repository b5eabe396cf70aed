/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchmediafiles.h"

#include <gst/orch/gstorchref.h>

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

struct _GstOrchMediaFiles
{
  GstOrchFileTree *tree;
  gchar *base;
  gboolean sync;
};

/* ---- names ---- */

gchar *
gst_orch_media_make_base (const gchar * folder, const gchar * record_file)
{
  g_autofree gchar *path = g_canonicalize_filename (folder, NULL);
  g_autofree gchar *near = record_file
      ? g_canonicalize_filename (record_file, NULL) : NULL;
  g_autofree gchar *uri = NULL, *home = NULL;

  if (near) {
    home = g_path_get_dirname (near);
    if (strcmp (home, path) == 0)
      return g_strdup ("");
    if (g_str_has_prefix (path, home) && path[strlen (home)] == '/')
      uri = g_uri_escape_string (path + strlen (home) + 1, "/", FALSE);
  }
  if (!uri)
    uri = g_filename_to_uri (path, NULL, NULL);
  return g_strconcat (uri, "/", NULL);
}

static void
append_field (GString * identity, const GstStructure * info,
    const gchar * name)
{
  const GValue *value = info ? gst_structure_get_value (info, name) : NULL;
  g_autofree gchar *text = value ? gst_value_serialize (value) : NULL;

  g_string_append_printf (identity, "\n%s", text ? text : "");
}

gchar *
gst_orch_media_make_key (const GstOrchResult * result, gchar ** place)
{
  const GstStructure *info = gst_orch_record_get_root_info (result->entity,
      gst_orch_info_get (result->info));
  const gchar *uri = info ? gst_structure_get_string (info, "uri") : NULL;
  g_autofree gchar *path = orch_entity_get_path (result->entity);
  gchar *rest = path + strcspn (path, "/");
  GString *identity;
  gchar *key;

  *place = g_strdup (*rest ? rest + 1 : "");
  *rest = '\0';
  /* one document may be named twice, and be another one in the next run */
  identity = g_string_new (path);
  append_field (identity, info, "size");
  append_field (identity, info, "mtime");
  key = gst_orch_record_media_make_key (uri ? uri : "", identity->str);
  g_string_free (identity, TRUE);
  return key;
}

/* ---- the folder ---- */

gboolean
gst_orch_media_make_folder (const gchar * folder, GError ** error)
{
  if (g_mkdir (folder, 0777) == 0 || errno == EEXIST)
    return TRUE;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
      "Could not make the folder %s: %s", folder, g_strerror (errno));
  return FALSE;
}

GstOrchMediaFiles *
gst_orch_media_files_new (const gchar * folder, const gchar * record_file,
    gboolean sync, GError ** error)
{
  GstOrchFileTree *tree = gst_orch_media_make_folder (folder, error)
      ? gst_orch_file_tree_new (folder, error) : NULL;
  GstOrchMediaFiles *self;

  if (!tree)
    return NULL;
  self = g_new0 (GstOrchMediaFiles, 1);
  self->tree = tree;
  self->base = gst_orch_media_make_base (folder, record_file);
  self->sync = sync;
  return self;
}

void
gst_orch_media_files_free (GstOrchMediaFiles * self)
{
  if (!self)
    return;
  gst_orch_file_tree_free (self->tree);
  g_free (self->base);
  g_free (self);
}

GstOrchFileTree *
gst_orch_media_files_get_tree (GstOrchMediaFiles * self)
{
  return self->tree;
}

/* ---- one record ---- */

GstOrchRecordMedia *
gst_orch_media_files_begin (GstOrchMediaFiles * self,
    const GstOrchResult * result)
{
  g_autofree gchar *place = NULL;
  g_autofree gchar *key = gst_orch_media_make_key (result, &place);

  return gst_orch_record_media_new (key, '/', self->base, place);
}

void
gst_orch_media_files_note (const GstOrchRecordMedia * media, JsonNode * record)
{
  g_autofree gchar *escaped = g_uri_escape_string (media->key, NULL, FALSE);
  g_autofree gchar *uri = g_strconcat (media->base, escaped, "/", NULL);

  if (media->media->len > 0)
    json_object_set_string_member (json_object_get_object_member
        (json_node_get_object (record), "info"), "files", uri);
}

static gboolean
write_medium (GstOrchMediaFiles * self, const GstOrchMedium * medium,
    GError ** error)
{
  g_autoptr (GBytes) bytes =
      gst_orch_buffer_read_all (medium->buffer, G_MAXUINT64, error);
  const gchar *data;
  gsize size;

  if (!bytes)
    return FALSE;
  data = g_bytes_get_data (bytes, &size);
  return gst_orch_file_tree_prepare (self->tree, medium->name, data, size,
      self->sync, error)
      && gst_orch_file_tree_commit (self->tree, medium->name, error);
}

gboolean
gst_orch_media_files_write (GstOrchMediaFiles * self,
    const GstOrchRecordMedia * media, GError ** error)
{
  guint i;

  for (i = 0; i < media->media->len; i++)
    if (!write_medium (self, g_ptr_array_index (media->media, i), error))
      return FALSE;
  return TRUE;
}
