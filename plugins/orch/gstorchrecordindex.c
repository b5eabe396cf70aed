/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchrecordindex.h"

#include "gstorchjson.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- one record ---- */

/* Where the long part begins: a member of the outermost object by that name. */
static const gchar *
find_end_of_head (const gchar * line, gsize size)
{
  static const gchar mark[] = ",\"members\":";
  const gchar *end = line + size, *c;
  gboolean in_string = FALSE;
  guint depth = 0;

  for (c = line; c < end; c++) {
    if (in_string) {
      if (*c == '\\')
        c++;
      else if (*c == '"')
        in_string = FALSE;
    } else if (*c == '{' || *c == '[') {
      depth++;
    } else if (*c == '}' || *c == ']') {
      depth--;
    } else if (*c == '"') {
      in_string = TRUE;
    } else if (*c == ',' && depth == 1
        && (gsize) (end - c) > sizeof mark
        && memcmp (c, mark, sizeof mark - 1) == 0) {
      return c;
    }
  }
  return NULL;
}

static JsonNode *
parse_head (const gchar * line, gsize size)
{
  const gchar *end = find_end_of_head (line, size);
  g_autofree gchar *head = NULL;

  if (!end)
    return gst_orch_json_parse (line, size, NULL);
  head = g_strdup_printf ("%.*s}", (gint) (end - line), line);
  return gst_orch_json_parse (head, strlen (head), NULL);
}

/* "files/film-3b2f/", "shards/000001.tar": without the folder, which may have been
 * moved since.  (transfer full) (nullable) */
static gchar *
get_last_name (JsonObject * info, const gchar * member)
{
  const gchar *uri = gst_orch_json_get_string (info, member);
  g_autofree gchar *path = uri ? g_uri_unescape_string (uri, NULL) : NULL;

  return path ? g_path_get_basename (path) : NULL;
}

static void
read_info (GstOrchRecordHead * head, JsonObject * info)
{
  JsonNode *size = json_object_get_member (info, "size");
  const gchar *file;

  if (size && JSON_NODE_HOLDS_VALUE (size)
      && json_node_get_value_type (size) == G_TYPE_INT64)
    head->size = g_strdup_printf ("%" G_GINT64_FORMAT,
        json_node_get_int (size));
  head->mtime = g_strdup (gst_orch_json_get_string (info, "mtime"));
  file = gst_orch_json_get_string (info, "file");
  head->file = file ? g_uri_unescape_string (file, NULL) : NULL;
  head->media = get_last_name (info, "files");
  head->shard = get_last_name (info, "shard");
}

gboolean
gst_orch_record_head_parse (GstOrchRecordHead * head, const gchar * line,
    gsize size)
{
  g_autoptr (JsonNode) node = parse_head (line, size);
  JsonObject *object;
  JsonNode *member;

  memset (head, 0, sizeof *head);
  if (!node || !JSON_NODE_HOLDS_OBJECT (node))
    return FALSE;
  object = json_node_get_object (node);
  head->uri = g_strdup (gst_orch_json_get_string (object, "uri"));
  head->path = g_strdup (gst_orch_json_get_string (object, "path"));
  member = json_object_get_member (object, "complete");
  head->complete = member && JSON_NODE_HOLDS_VALUE (member)
      && json_node_get_boolean (member);
  member = json_object_get_member (object, "info");
  if (member && JSON_NODE_HOLDS_OBJECT (member))
    read_info (head, json_node_get_object (member));
  if (head->uri && head->path)
    return TRUE;
  gst_orch_record_head_clear (head);
  return FALSE;
}

void
gst_orch_record_head_clear (GstOrchRecordHead * head)
{
  g_clear_pointer (&head->uri, g_free);
  g_clear_pointer (&head->path, g_free);
  g_clear_pointer (&head->size, g_free);
  g_clear_pointer (&head->mtime, g_free);
  g_clear_pointer (&head->file, g_free);
  g_clear_pointer (&head->media, g_free);
  g_clear_pointer (&head->shard, g_free);
}

/* ---- a file of them ---- */

struct _GstOrchRecordReader
{
  FILE *stream;
  gchar *file;
  gchar *line;
  size_t line_size;
};

static void
set_read_error (const gchar * file, gint saved, GError ** error)
{
  g_autofree gchar *shown = g_filename_display_name (file);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved),
      "Could not read the records in %s: %s", shown, g_strerror (saved));
}

GstOrchRecordReader *
gst_orch_record_reader_new (const gchar * file, GError ** error)
{
  FILE *stream = fopen (file, "re");
  GstOrchRecordReader *reader;

  if (!stream) {
    set_read_error (file, errno, error);
    return NULL;
  }
  reader = g_new0 (GstOrchRecordReader, 1);
  reader->stream = stream;
  reader->file = g_strdup (file);
  return reader;
}

void
gst_orch_record_reader_free (GstOrchRecordReader * reader)
{
  if (!reader)
    return;
  fclose (reader->stream);
  free (reader->line);
  g_free (reader->file);
  g_free (reader);
}

gboolean
gst_orch_record_reader_next (GstOrchRecordReader * reader,
    const gchar ** line, gsize * size, GError ** error)
{
  gssize n = getline (&reader->line, &reader->line_size, reader->stream);

  if (n < 0 && ferror (reader->stream))
    set_read_error (reader->file, errno, error);
  if (n <= 0 || reader->line[n - 1] != '\n')
    return FALSE;
  *line = reader->line;
  *size = n;
  return TRUE;
}

/* ---- which documents are there ---- */

typedef struct
{
  guint64 digest[2];
  guint64 count;
} Entry;

struct _GstOrchRecordIndex
{
  GArray *entries;              /* sorted by digest, each once */
};

static void
make_digest (guint64 digest[2], const gchar * uri, const gchar * size,
    const gchar * mtime)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 bytes[32];
  gsize n = sizeof bytes;

  g_checksum_update (checksum, (const guchar *) uri, strlen (uri) + 1);
  if (size && mtime) {
    g_checksum_update (checksum, (const guchar *) size, strlen (size) + 1);
    g_checksum_update (checksum, (const guchar *) mtime, strlen (mtime) + 1);
  }
  g_checksum_get_digest (checksum, bytes, &n);
  memcpy (digest, bytes, 2 * sizeof digest[0]);
}

static gint
compare_entries (gconstpointer a, gconstpointer b)
{
  return memcmp (((const Entry *) a)->digest, ((const Entry *) b)->digest,
      sizeof ((const Entry *) a)->digest);
}

static void
sort_and_count (GArray * entries)
{
  guint i, n = 0;

  g_array_sort (entries, compare_entries);
  for (i = 0; i < entries->len; i++) {
    Entry *entry = &g_array_index (entries, Entry, i);
    Entry *last = n ? &g_array_index (entries, Entry, n - 1) : NULL;

    if (last && compare_entries (last, entry) == 0)
      last->count += entry->count;
    else
      g_array_index (entries, Entry, n++) = *entry;
  }
  g_array_set_size (entries, n);
}

static gboolean
add_record (GstOrchRecordIndex * index, const GstOrchRecordHead * head,
    gboolean retry_failed, GError ** error)
{
  Entry entry = { {0, 0}, 1 };

  if (strchr (head->path, '/')) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
        "The records are of parts of documents (%s), so they do not tell which "
        "documents are done", head->path);
    return FALSE;
  }
  if (retry_failed && !head->complete)
    return TRUE;
  make_digest (entry.digest, head->uri, head->size, head->mtime);
  g_array_append_val (index->entries, entry);
  return TRUE;
}

static void
read_records (GstOrchRecordIndex * index, GstOrchRecordReader * reader,
    gboolean retry_failed, GError ** error)
{
  gboolean is_good = TRUE;
  const gchar *line;
  gsize size;

  while (is_good && gst_orch_record_reader_next (reader, &line, &size, error)) {
    GstOrchRecordHead head;

    if (gst_orch_record_head_parse (&head, line, size)) {
      is_good = add_record (index, &head, retry_failed, error);
      gst_orch_record_head_clear (&head);
    }
  }
}

GstOrchRecordIndex *
gst_orch_record_index_load (const gchar * file, gboolean retry_failed,
    GError ** error)
{
  g_autoptr (GError) problem = NULL;
  GstOrchRecordReader *reader = gst_orch_record_reader_new (file, &problem);
  GstOrchRecordIndex *index = g_new0 (GstOrchRecordIndex, 1);

  index->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  if (reader)
    read_records (index, reader, retry_failed, &problem);
  gst_orch_record_reader_free (reader);
  if (problem && !g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)) {
    g_propagate_error (error, g_steal_pointer (&problem));
    gst_orch_record_index_free (index);
    return NULL;
  }
  sort_and_count (index->entries);
  return index;
}

void
gst_orch_record_index_free (GstOrchRecordIndex * index)
{
  if (!index)
    return;
  g_array_unref (index->entries);
  g_free (index);
}

gboolean
gst_orch_record_index_take (GstOrchRecordIndex * index, const gchar * uri,
    guint64 size, const gchar * mtime)
{
  g_autofree gchar *decimal = g_strdup_printf ("%" G_GUINT64_FORMAT, size);
  Entry wanted = { {0, 0}, 0 }, *found;
  guint at;

  make_digest (wanted.digest, uri, decimal, mtime);
  if (!g_array_binary_search (index->entries, &wanted, compare_entries, &at))
    return FALSE;
  found = &g_array_index (index->entries, Entry, at);
  if (found->count == 0)
    return FALSE;
  found->count--;
  return TRUE;
}
