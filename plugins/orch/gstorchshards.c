/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchshards.h"

#include "gstorchjson.h"
#include "gstorchtar.h"

#include <gst/orch/gstorchref.h>

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define UNFINISHED ".orch-unfinished.tar"
#define NAME "%06" G_GUINT64_FORMAT ".tar"

struct _GstOrchShards
{
  GstOrchFileTree *tree;
  gchar *folder;
  gchar *base;
  gchar *unfinished;
  guint64 max_records, max_bytes;
  gboolean sync;

  guint64 number;               /* of the shard that is open, or the next */
  GstOrchTar *tar;              /* NULL: none is open */
  GPtrArray *lines;             /* GBytes: its records */
  guint64 n_bytes;
};

static gchar *
get_name (guint64 number)
{
  return g_strdup_printf (NAME, number);
}

/* Behind those that there are. */
static guint64
find_number (const gchar * folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;
  guint64 number = 0;

  while (dir && (name = g_dir_read_name (dir))) {
    gchar *end;
    guint64 n = g_ascii_strtoull (name, &end, 10);

    if (end != name && strcmp (end, ".tar") == 0 && n < G_MAXUINT32)
      number = MAX (number, n + 1);
  }
  g_clear_pointer (&dir, g_dir_close);
  return number;
}

GstOrchShards *
gst_orch_shards_new (const GstOrchShardsConfig * config,
    const gchar * record_file, gboolean sync, GError ** error)
{
  GstOrchFileTree *tree = gst_orch_media_make_folder (config->folder, error)
      ? gst_orch_file_tree_new (config->folder, error) : NULL;
  GstOrchShards *self;

  if (!tree)
    return NULL;
  self = g_new0 (GstOrchShards, 1);
  self->tree = tree;
  self->folder = g_strdup (config->folder);
  self->base = gst_orch_media_make_base (config->folder, record_file);
  self->unfinished = g_build_filename (config->folder, UNFINISHED, NULL);
  self->max_records = config->max_records;
  self->max_bytes = config->max_bytes;
  self->sync = sync;
  self->lines = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  return self;
}

void
gst_orch_shards_free (GstOrchShards * self)
{
  if (!self)
    return;
  if (self->tar) {
    gst_orch_tar_close (self->tar, FALSE, NULL);
    g_unlink (self->unfinished);
  }
  gst_orch_file_tree_free (self->tree);
  g_ptr_array_unref (self->lines);
  g_free (self->folder);
  g_free (self->base);
  g_free (self->unfinished);
  g_free (self);
}

GstOrchFileTree *
gst_orch_shards_get_tree (GstOrchShards * self)
{
  return self->tree;
}

GstOrchRecordMedia *
gst_orch_shards_begin (GstOrchShards * self, const GstOrchResult * result)
{
  g_autofree gchar *place = NULL;
  g_autofree gchar *document = gst_orch_media_make_key (result, &place);
  g_autofree gchar *key = NULL;

  g_strdelimit (place, "/", '-');
  key = *place ? g_strconcat (document, "-", place, NULL)
      : g_strdup (document);
  return gst_orch_record_media_new (key, '.', "", "");
}

/* ---- into a shard ---- */

static gboolean
open_shard (GstOrchShards * self, GError ** error)
{
  /* what was there when the run began may have been removed since */
  if (self->number == 0)
    self->number = find_number (self->folder);
  self->n_bytes = 0;
  self->tar = gst_orch_tar_new (self->unfinished, error);
  return self->tar != NULL;
}

static gboolean
add_medium (GstOrchShards * self, const GstOrchMedium * medium,
    GError ** error)
{
  g_autoptr (GBytes) bytes =
      gst_orch_buffer_read_all (medium->buffer, G_MAXUINT64, error);
  gconstpointer data;
  gsize size;

  if (!bytes)
    return FALSE;
  data = g_bytes_get_data (bytes, &size);
  self->n_bytes += size;
  return gst_orch_tar_add (self->tar, medium->name, data, size, error);
}

static gboolean
add_record (GstOrchShards * self, const gchar * key, JsonNode * record,
    GError ** error)
{
  g_autofree gchar *shard = get_name (self->number);
  g_autofree gchar *uri = g_strconcat (self->base, shard, NULL);
  g_autofree gchar *name = g_strconcat (key, ".json", NULL);
  gchar *line;
  gsize size;

  json_object_set_string_member (json_object_get_object_member
      (json_node_get_object (record), "info"), "shard", uri);
  line = gst_orch_json_print_line (record, &size);
  g_ptr_array_add (self->lines, g_bytes_new_take (line, size));
  self->n_bytes += size;
  return gst_orch_tar_add (self->tar, name, line, size, error);
}

gboolean
gst_orch_shards_write (GstOrchShards * self, const GstOrchRecordMedia * media,
    JsonNode * record, GstOrchRecordWriter * writer, GError ** error)
{
  guint i;

  if (!self->tar && !open_shard (self, error))
    return FALSE;
  for (i = 0; i < media->media->len; i++)
    if (!add_medium (self, g_ptr_array_index (media->media, i), error))
      return FALSE;
  if (!add_record (self, media->key, record, error))
    return FALSE;
  if (self->lines->len < self->max_records && self->n_bytes < self->max_bytes)
    return TRUE;
  return gst_orch_shards_finish (self, writer, error);
}

/* ---- a whole shard ---- */

static gboolean
append_records (GstOrchShards * self, GstOrchRecordWriter * writer,
    GError ** error)
{
  guint i;

  for (i = 0; i < self->lines->len; i++) {
    GBytes *line = g_ptr_array_index (self->lines, i);
    gsize size;
    const gchar *text = g_bytes_get_data (line, &size);

    if (!gst_orch_record_writer_append (writer, text, size, error))
      return FALSE;
  }
  g_ptr_array_set_size (self->lines, 0);
  return TRUE;
}

static gboolean
give_name (GstOrchShards * self, GError ** error)
{
  g_autofree gchar *name = get_name (self->number);
  g_autofree gchar *path = g_build_filename (self->folder, name, NULL);

  if (g_rename (self->unfinished, path) == 0
      && (!self->sync || gst_orch_file_tree_sync (self->tree)))
    return TRUE;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
      "Could not write %s: %s", path, g_strerror (errno));
  return FALSE;
}

gboolean
gst_orch_shards_finish (GstOrchShards * self, GstOrchRecordWriter * writer,
    GError ** error)
{
  if (!self->tar)
    return TRUE;
  if (!gst_orch_tar_close (g_steal_pointer (&self->tar), self->sync, error)
      || !append_records (self, writer, error) || !give_name (self, error))
    return FALSE;
  self->number++;
  return TRUE;
}
