/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchoutput.h"

#include "gstorchjson.h"
#include "gstorchnametemplate.h"

#include <string.h>

/* Beside the files of a template. */
#define RECORD_FILE "orch-records.jsonl"

struct _GstOrchOutput
{
  GstOrchRecordFormat format;
  GstOrchContentFormat content_format;
  gboolean sync;
  gchar *record_file;           /* NULL: a stream of text */
  GstOrchRecordWriter *writer;
  GstOrchNameTemplate *names;   /* NULL: all in one file */
  GstOrchFileTree *tree;
  GstOrchMediaFiles *files;     /* NULL: there are none */
  GstOrchShards *shards;        /* NULL: there are none */
};

GType
gst_orch_record_format_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {GST_ORCH_RECORD_FORMAT_JSONL, "One JSON object a line", "jsonl"},
    {GST_ORCH_RECORD_FORMAT_TEXT, "The text alone", "text"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchRecordFormat", values));
  return type;
}

GType
gst_orch_content_format_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {GST_ORCH_CONTENT_FULL, "Each value with its outcome, cause and info",
        "full"},
    {GST_ORCH_CONTENT_PLAIN, "Bare values", "plain"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchContentFormat", values));
  return type;
}

/* ---- opening ---- */

static gboolean
open_tree (GstOrchOutput * self, const gchar * location, GError ** error)
{
  const gchar *base;

  self->names = gst_orch_name_template_new (location, error);
  if (!self->names)
    return FALSE;
  base = gst_orch_name_template_get_base (self->names);
  self->tree = gst_orch_file_tree_new (base, error);
  self->record_file = g_build_filename (base, RECORD_FILE, NULL);
  return self->tree != NULL;
}

/* A stream of text does not tell what is in it, so it cannot be resumed. */
static gboolean
check_resume (const GstOrchOutputConfig * config, GError ** error)
{
  if (config->existing != GST_ORCH_EXISTING_RESUME
      && config->existing != GST_ORCH_EXISTING_RESUME_ANY)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
      "%s cannot be resumed: text alone does not tell which documents are in "
      "it. Write format=jsonl, or a file for each: "
      "location=DIR/{dir}/{stem}.txt.", config->location);
  return FALSE;
}

static gboolean
refuse_media (GError ** error, const gchar * problem)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, problem);
  return FALSE;
}

/* Media need records that name them, and a shard does not change once it is
 * whole. */
static gboolean
check_media (GstOrchOutput * self, const GstOrchOutputConfig * config,
    GError ** error)
{
  gboolean shards = config->shards.folder != NULL;

  if (!config->files && !shards)
    return TRUE;
  if (config->format == GST_ORCH_RECORD_FORMAT_TEXT)
    return refuse_media (error, "files= and shards= need records that name them: "
        "write format=jsonl.");
  if (config->files && shards)
    return refuse_media (error, "Media go to files= or to shards=, not to both.");
  if (shards && self->names)
    return refuse_media (error, "shards= need one record file: give a location "
        "without placeholders.");
  if (shards && config->retry_failed)
    return refuse_media (error, "retry-failed=true would leave what had failed in "
        "the shards: write files= instead, or begin anew with "
        "existing=overwrite.");
  return TRUE;
}

static gboolean
open_media (GstOrchOutput * self, const GstOrchOutputConfig * config,
    GError ** error)
{
  gboolean sync = config->durability != GST_ORCH_DURABILITY_NONE;

  if (!check_media (self, config, error))
    return FALSE;
  if (config->files)
    self->files = gst_orch_media_files_new (config->files, self->record_file,
        sync, error);
  else if (config->shards.folder)
    self->shards = gst_orch_shards_new (&config->shards, self->record_file,
        sync, error);
  return self->files || self->shards || !(config->files
      || config->shards.folder);
}

static gboolean
open_files (GstOrchOutput * self, const GstOrchOutputConfig * config,
    GError ** error)
{
  GstOrchRecordWriterConfig writer = { config->location, config->existing,
    config->retry_failed, config->durability, config->header, NULL, NULL, NULL
  };
  gboolean is_stream = strcmp (config->location, "-") == 0;

  if (!is_stream && gst_orch_name_template_is_one (config->location)) {
    if (!open_tree (self, config->location, error))
      return FALSE;
    writer.file = self->record_file;
    writer.tree = self->tree;
  } else if (config->format == GST_ORCH_RECORD_FORMAT_TEXT) {
    if (!check_resume (config, error))
      return FALSE;
    writer.header = NULL;
  } else if (!is_stream) {
    self->record_file = g_strdup (config->location);
  }
  if (!open_media (self, config, error))
    return FALSE;
  writer.media = self->files ? gst_orch_media_files_get_tree (self->files)
      : NULL;
  writer.shards = self->shards ? gst_orch_shards_get_tree (self->shards)
      : NULL;
  self->writer = gst_orch_record_writer_open (&writer, error);
  return self->writer != NULL;
}

GstOrchOutput *
gst_orch_output_open (const GstOrchOutputConfig * config, GError ** error)
{
  GstOrchOutput *self = g_new0 (GstOrchOutput, 1);

  self->format = config->format;
  self->content_format = config->content_format;
  self->sync = config->durability == GST_ORCH_DURABILITY_RECORD;
  if (!open_files (self, config, error)) {
    gst_orch_output_free (self);
    return NULL;
  }
  return self;
}

void
gst_orch_output_free (GstOrchOutput * self)
{
  if (!self)
    return;
  gst_orch_record_writer_free (self->writer);
  gst_orch_media_files_free (self->files);
  gst_orch_shards_free (self->shards);
  gst_orch_file_tree_free (self->tree);
  gst_orch_name_template_free (self->names);
  g_free (self->record_file);
  g_free (self);
}

const gchar *
gst_orch_output_get_record_file (GstOrchOutput * self)
{
  return self->record_file;
}

gboolean
gst_orch_output_has_earlier (GstOrchOutput * self)
{
  return gst_orch_record_writer_had_records (self->writer);
}

GstOrchRecordWriter *
gst_orch_output_get_writer (GstOrchOutput * self)
{
  return self->writer;
}

/* ---- rendering: what needs no file ---- */

static gchar *
render_text (const GstOrchResult * result, GError ** error)
{
  gchar *text = gst_orch_record_get_text (result, error);
  gsize size = text ? strlen (text) : 0;
  gchar *ended;

  /* so that the next one begins on a line of its own */
  if (!text || (size && strchr ("\n\f", text[size - 1])))
    return text;
  ended = g_strconcat (text, "\n", NULL);
  g_free (text);
  return ended;
}

/* What goes into the stream, or into a file of its own. */
static gboolean
render_value (GstOrchOutput * self, const GstOrchResult * result,
    GstOrchRecordMedia * media, gchar ** value, GError ** error)
{
  GstOrchRecord full;
  gsize size;

  if (result->outcome != ORCH_OUTCOME_PRESENT)
    return TRUE;                /* only its record tells of it */
  if (self->format == GST_ORCH_RECORD_FORMAT_TEXT) {
    *value = render_text (result, error);
    return *value != NULL;
  }
  if (!gst_orch_record_build (&full, result, self->content_format, media,
          error))
    return FALSE;
  *value = gst_orch_json_print_line (full.root, &size);
  gst_orch_record_clear (&full);
  return TRUE;
}

static guint64
get_page (const GstOrchResult * result)
{
  const GstStructure *info = gst_orch_info_get (result->info);
  gint page;

  return info && gst_structure_get_int (info, "page", &page) && page > 0
      ? (guint64) page : result->entity->ordinal + 1;
}

static gboolean
render_lines (GstOrchOutput * self, const GstOrchResult * result,
    GstOrchRendered * rendered, GError ** error)
{
  if (self->names)
    return render_value (self, result, rendered->media, &rendered->content,
        error);
  if (self->record_file || self->format == GST_ORCH_RECORD_FORMAT_JSONL) {
    if (self->shards)
      return TRUE;              /* which one is not known yet */
    if (self->files)
      gst_orch_media_files_note (rendered->media, rendered->record.root);
    rendered->line = gst_orch_json_print_line (rendered->record.root, &rendered->size);
    g_clear_pointer (&rendered->record.root, json_node_unref);
    return TRUE;
  }
  if (!render_value (self, result, NULL, &rendered->line, error))
    return FALSE;
  rendered->size = rendered->line ? strlen (rendered->line) : 0;
  return TRUE;
}

gboolean
gst_orch_output_render (GstOrchOutput * self, const GstOrchResult * result,
    GstOrchRendered * rendered, GError ** error)
{
  gboolean is_apart = self->names
      || self->format == GST_ORCH_RECORD_FORMAT_TEXT;
  JsonObject *object;

  memset (rendered, 0, sizeof *rendered);
  if (self->files)
    rendered->media = gst_orch_media_files_begin (self->files, result);
  else if (self->shards)
    rendered->media = gst_orch_shards_begin (self->shards, result);
  if (!gst_orch_record_build (&rendered->record, result,
          is_apart ? GST_ORCH_CONTENT_NONE : self->content_format,
          rendered->media, error)) {
    gst_orch_rendered_clear (rendered);
    return FALSE;
  }
  object = json_node_get_object (rendered->record.root);
  rendered->uri = g_strdup (json_object_get_string_member (object, "uri"));
  rendered->path = g_strdup (json_object_get_string_member (object, "path"));
  rendered->page = get_page (result);
  if (render_lines (self, result, rendered, error))
    return TRUE;
  gst_orch_rendered_clear (rendered);
  return FALSE;
}

void
gst_orch_rendered_clear (GstOrchRendered * rendered)
{
  gst_orch_record_clear (&rendered->record);
  g_clear_pointer (&rendered->line, g_free);
  g_clear_pointer (&rendered->content, g_free);
  g_clear_pointer (&rendered->media, gst_orch_record_media_free);
  g_clear_pointer (&rendered->uri, g_free);
  g_clear_pointer (&rendered->path, g_free);
}

/* ---- writing ---- */

/* (transfer full): the plain name, or one that is this Entity's alone if
 * another has it. */
static gchar *
choose_name (GstOrchOutput * self, const GstOrchRendered * rendered)
{
  GstOrchNameValues values = { rendered->uri, rendered->record.id,
    rendered->page
  };
  g_autofree gchar *key = NULL, *hash = NULL, *suffix = NULL;
  gchar *name = gst_orch_name_template_expand (self->names, &values, NULL);

  if (!gst_orch_file_tree_exists (self->tree, name))
    return name;
  g_free (name);
  key = g_strconcat (rendered->record.id, "\n", rendered->path, NULL);
  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);
  suffix = g_strdup_printf ("~%.8s", hash);
  return gst_orch_name_template_expand (self->names, &values, suffix);
}

static void
set_file (GstOrchRendered * rendered, const gchar * name)
{
  JsonObject *record = json_node_get_object (rendered->record.root);
  g_autofree gchar *escaped = g_uri_escape_string (name, "/", FALSE);

  json_object_set_string_member (json_object_get_object_member (record, "info"),
      "file", escaped);
}

/* The record comes ahead of the name of its file: should the process be killed
 * in between, the writer finds a record whose file is missing and drops it. */
static gboolean
write_file (GstOrchOutput * self, GstOrchRendered * rendered, GError ** error)
{
  g_autofree gchar *name = NULL;

  if (rendered->content) {
    name = choose_name (self, rendered);
    if (!gst_orch_file_tree_prepare (self->tree, name, rendered->content,
            strlen (rendered->content), self->sync, error))
      return FALSE;
    set_file (rendered, name);
  }
  if (self->files)
    gst_orch_media_files_note (rendered->media, rendered->record.root);
  rendered->line = gst_orch_json_print_line (rendered->record.root, &rendered->size);
  if (!gst_orch_record_writer_append (self->writer, rendered->line,
          rendered->size, error))
    return FALSE;
  if (!name || gst_orch_file_tree_commit (self->tree, name, error))
    return TRUE;
  gst_orch_record_writer_undo (self->writer);
  return FALSE;
}

gboolean
gst_orch_output_write (GstOrchOutput * self, GstOrchRendered * rendered,
    GError ** error)
{
  if (self->shards)
    return gst_orch_shards_write (self->shards, rendered->media,
        rendered->record.root, self->writer, error);
  if (self->files
      && !gst_orch_media_files_write (self->files, rendered->media, error))
    return FALSE;
  if (self->names)
    return write_file (self, rendered, error);
  return !rendered->line || gst_orch_record_writer_append (self->writer,
      rendered->line, rendered->size, error);
}

gboolean
gst_orch_output_finish (GstOrchOutput * self, GError ** error)
{
  if (self->shards
      && !gst_orch_shards_finish (self->shards, self->writer, error))
    return FALSE;
  return gst_orch_record_writer_finish (self->writer, error);
}
