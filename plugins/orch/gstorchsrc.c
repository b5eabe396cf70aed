/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchsrc
 * @title: orchsrc
 *
 * Gives one buffer for each document that its locations and list name, in that
 * order, as a root unit for the orch elements below.
 *
 * A location is a file, a folder, a glob pattern ("docs/a-*.pdf"), a URI, or "-"
 * for a list on the standard input.  Setting `location` again adds another.
 * The files of a folder and of a pattern come sorted by name.  A location that
 * matches nothing is an error; a document that cannot be opened is not: it
 * fails, and its record says why.
 *
 * A list has one document a line: a path, a URI, or a JSON object with a `uri`
 * (or a path there) whose further fields go into the record's info as `fields`.
 *
 * Documents are opened when they are due: at most `max-open` are open at a time.
 * Local files are handed on as file descriptors and must not be mapped.  An
 * empty file is a buffer without memory.
 *
 * Documents that an orchsink below with existing=resume has records of are
 * skipped, and so are those in the record file `resume-from`.
 *
 * Element messages `orch-progress` tell how far it is: `found` documents listed
 * so far, `total` (all there are, -1 while not known), `opened`, `skipped`,
 * `failed` to open, `finished`, each a guint64 (total: gint64).
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 orchsrc location=docs pattern=*.pdf recursive=true ! orchpdfpages ! orchexpand ! orchpdftext ! orchreduce ! orchsink location=out.jsonl
 * ]|
 * |[
 * find docs -name "*.pdf" | gst-launch-1.0 orchsrc location=- ! orchpdfpages ! orchexpand ! orchpdftext ! orchreduce ! orchsink location=out.jsonl
 * ]|
 */

#include "gstorchsrc-private.h"

#include <gst/orch/gstorchplan-private.h>
#include <string.h>

GST_DEBUG_CATEGORY_STATIC (gst_orch_src_debug);
#define GST_CAT_DEFAULT gst_orch_src_debug

#define DEFAULT_MAX_OPEN 0

enum
{
  PROP_0,
  PROP_LOCATION,
  PROP_LOCATIONS,
  PROP_LIST,
  PROP_RECURSIVE,
  PROP_PATTERN,
  PROP_MAX_FILE_SIZE,
  PROP_MAX_OPEN,
  PROP_CHECKSUM,
  PROP_RESUME_FROM,
  PROP_RETRY_FAILED,
  PROP_STATS,
};

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS ("application/octet-stream"));

G_DEFINE_TYPE (GstOrchSrc, gst_orch_src, GST_TYPE_PUSH_SRC);
GST_ELEMENT_REGISTER_DEFINE (orchsrc, "orchsrc", GST_RANK_NONE,
    GST_TYPE_ORCH_SRC);

/* ---- a run ---- */

/* (transfer full): with the locations */
static void
copy_config (GstOrchSrc * self, GstOrchSourceConfig * config)
{
  guint i;

  GST_OBJECT_LOCK (self);
  gst_orch_source_config_copy (config, &self->config);
  config->locations = g_new0 (gchar *, self->locations->len + 1);
  for (i = 0; i < self->locations->len; i++)
    config->locations[i] =
        g_strdup (g_ptr_array_index (self->locations, i));
  GST_OBJECT_UNLOCK (self);
}

static gboolean
gst_orch_src_start (GstBaseSrc * src)
{
  GstOrchSrc *self = GST_ORCH_SRC (src);
  GstOrchSourceConfig config;
  gboolean is_empty;

  copy_config (self, &config);
  is_empty = !config.locations[0] && !config.list;
  if (is_empty) {
    GST_ELEMENT_ERROR (self, RESOURCE, NOT_FOUND,
        ("%s has no documents: set location or list.", GST_OBJECT_NAME (self)),
        (NULL));
  } else {
    self->list = gst_orch_source_list_new (&config);
    GST_OBJECT_LOCK (self);
    self->roots = gst_orch_roots_new (self->domain);
    memset (&self->counts, 0, sizeof self->counts);
    self->total = G_MAXUINT64;
    GST_OBJECT_UNLOCK (self);
  }
  gst_orch_source_config_clear (&config);
  return !is_empty;
}

static gboolean
gst_orch_src_stop (GstBaseSrc * src)
{
  GstOrchSrc *self = GST_ORCH_SRC (src);
  GstOrchRoots *roots;

  /* what is still under way is forgotten, not lost */
  gst_orch_port_stop (self->output);
  GST_OBJECT_LOCK (self);
  roots = g_steal_pointer (&self->roots);
  GST_OBJECT_UNLOCK (self);
  if (roots)
    gst_orch_roots_finish (roots);
  gst_orch_roots_unref (roots);
  g_clear_pointer (&self->list, gst_orch_source_list_free);
  g_clear_pointer (&self->index, gst_orch_record_index_free);
  if (self->has_entry)
    gst_orch_source_entry_clear (&self->entry);
  self->has_entry = FALSE;
  self->entry_is_due = FALSE;
  self->has_begun = FALSE;
  self->activity = 0;
  self->has_warned = FALSE;
  self->last_progress = 0;
  return TRUE;
}

static gboolean
gst_orch_src_unlock (GstBaseSrc * src)
{
  GstOrchSrc *self = GST_ORCH_SRC (src);

  g_cancellable_cancel (self->cancellable);
  if (self->roots)
    gst_orch_roots_set_interrupted (self->roots, TRUE);
  return TRUE;
}

static gboolean
gst_orch_src_unlock_stop (GstBaseSrc * src)
{
  GstOrchSrc *self = GST_ORCH_SRC (src);

  g_cancellable_reset (self->cancellable);
  if (self->roots)
    gst_orch_roots_set_interrupted (self->roots, FALSE);
  return TRUE;
}

static GstFlowReturn
gst_orch_src_create (GstPushSrc * src, GstBuffer ** buffer)
{
  GstOrchSrc *self = GST_ORCH_SRC (src);
  GstFlowReturn flow = GST_FLOW_OK;

  *buffer = NULL;
  if (!self->has_begun) {
    gst_orch_port_announce (self->output);
    if (!gst_orch_src_begin (self))
      return g_cancellable_is_cancelled (self->cancellable)
          ? GST_FLOW_FLUSHING : GST_FLOW_ERROR;
    self->has_begun = TRUE;
  }
  while (flow == GST_FLOW_OK && !*buffer)
    flow = gst_orch_src_next_document (self, buffer);
  if (flow == GST_FLOW_EOS)
    gst_orch_roots_finish (self->roots);
  gst_orch_src_post_progress (self, flow == GST_FLOW_EOS);
  return flow;
}

/* ---- progress ---- */

static gboolean
get_counts (GstOrchSrc * self, GstOrchSrcCounts * counts,
    GstOrchRootsCounts * roots_counts, guint64 * total)
{
  gboolean is_running;

  GST_OBJECT_LOCK (self);
  is_running = self->roots != NULL;
  memset (roots_counts, 0, sizeof *roots_counts);
  if (is_running)
    gst_orch_roots_get_counts (self->roots, roots_counts);
  *counts = self->counts;
  *total = self->total;
  GST_OBJECT_UNLOCK (self);
  return is_running;
}

static GstStructure *
make_stats (GstOrchSrc * self, const gchar * name)
{
  GstOrchRootsCounts roots_counts;
  GstOrchSrcCounts counts;
  guint64 total;

  get_counts (self, &counts, &roots_counts, &total);
  return gst_structure_new (name,
      "found", G_TYPE_UINT64, counts.found,
      "total", G_TYPE_INT64, (gint64) total,
      "opened", G_TYPE_UINT64, roots_counts.opened - counts.failed,
      "skipped", G_TYPE_UINT64, roots_counts.skipped,
      "failed", G_TYPE_UINT64, counts.failed,
      "finished", G_TYPE_UINT64, roots_counts.closed, NULL);
}

void
gst_orch_src_post_progress (GstOrchSrc * self, gboolean now)
{
  gint64 time = g_get_monotonic_time ();

  if (!now && time - self->last_progress < G_USEC_PER_SEC / 2)
    return;
  self->last_progress = time;
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self),
          make_stats (self, "orch-progress")));
}

/* Position and duration are documents done and documents there are. */
static gboolean
gst_orch_src_query (GstBaseSrc * src, GstQuery * query)
{
  GstOrchSrc *self = GST_ORCH_SRC (src);
  GstOrchRootsCounts roots_counts;
  GstOrchSrcCounts counts;
  GstFormat format;
  guint64 total;

  if (gst_orch_port_query (self->output, query))
    return FALSE;               /* it goes on to other inputs of a funnel */
  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_POSITION:
      gst_query_parse_position (query, &format, NULL);
      if (format != GST_FORMAT_BUFFERS
          || !get_counts (self, &counts, &roots_counts, &total))
        return FALSE;
      gst_query_set_position (query, format,
          roots_counts.closed + roots_counts.skipped);
      return TRUE;
    case GST_QUERY_DURATION:
      gst_query_parse_duration (query, &format, NULL);
      if (format != GST_FORMAT_BUFFERS
          || !get_counts (self, &counts, &roots_counts, &total)
          || total == G_MAXUINT64)
        return FALSE;
      gst_query_set_duration (query, format, total);
      return TRUE;
    default:
      return GST_BASE_SRC_CLASS (gst_orch_src_parent_class)->query (src, query);
  }
}

/* ---- properties ---- */

static void
set_locations (GstOrchSrc * self, gchar ** locations)
{
  g_ptr_array_set_size (self->locations, 0);
  for (; locations && *locations; locations++)
    g_ptr_array_add (self->locations, g_strdup (*locations));
}

static gchar **
dup_locations (GstOrchSrc * self)
{
  gchar **copy = g_new0 (gchar *, self->locations->len + 1);
  guint i;

  for (i = 0; i < self->locations->len; i++)
    copy[i] = g_strdup (g_ptr_array_index (self->locations, i));
  return copy;
}

static void
set_string (gchar ** field, const GValue * value)
{
  g_free (*field);
  *field = g_value_dup_string (value);
}

static void
gst_orch_src_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstOrchSrc *self = GST_ORCH_SRC (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_LOCATION:
      if (g_value_get_string (value))
        g_ptr_array_add (self->locations, g_value_dup_string (value));
      break;
    case PROP_LOCATIONS:
      set_locations (self, g_value_get_boxed (value));
      break;
    case PROP_LIST:
      set_string (&self->config.list, value);
      break;
    case PROP_RECURSIVE:
      self->config.recursive = g_value_get_boolean (value);
      break;
    case PROP_PATTERN:
      set_string (&self->config.pattern, value);
      break;
    case PROP_MAX_FILE_SIZE:
      self->max_file_size = g_value_get_uint64 (value);
      break;
    case PROP_MAX_OPEN:
      self->max_open = g_value_get_uint (value);
      break;
    case PROP_CHECKSUM:
      self->checksum = g_value_get_boolean (value);
      break;
    case PROP_RESUME_FROM:
      set_string (&self->resume_from, value);
      break;
    case PROP_RETRY_FAILED:
      self->retry_failed = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_src_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstOrchSrc *self = GST_ORCH_SRC (object);

  if (id == PROP_STATS) {
    g_value_take_boxed (value, make_stats (self, "orchsrc-stats"));
    return;
  }
  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_LOCATIONS:
      g_value_take_boxed (value, dup_locations (self));
      break;
    case PROP_LIST:
      g_value_set_string (value, self->config.list);
      break;
    case PROP_RECURSIVE:
      g_value_set_boolean (value, self->config.recursive);
      break;
    case PROP_PATTERN:
      g_value_set_string (value, self->config.pattern);
      break;
    case PROP_MAX_FILE_SIZE:
      g_value_set_uint64 (value, self->max_file_size);
      break;
    case PROP_MAX_OPEN:
      g_value_set_uint (value, self->max_open);
      break;
    case PROP_CHECKSUM:
      g_value_set_boolean (value, self->checksum);
      break;
    case PROP_RESUME_FROM:
      g_value_set_string (value, self->resume_from);
      break;
    case PROP_RETRY_FAILED:
      g_value_set_boolean (value, self->retry_failed);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  GST_OBJECT_UNLOCK (self);
}

static void
install_list_properties (GObjectClass * klass, GParamFlags flags)
{
  g_object_class_install_property (klass, PROP_LOCATION,
      g_param_spec_string ("location", "Location",
          "A file, folder, glob pattern, URI, or \"-\" for a list on standard "
          "input; setting it again adds another", NULL,
          G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, PROP_LOCATIONS,
      g_param_spec_boxed ("locations", "Locations",
          "All locations; setting it replaces them", G_TYPE_STRV, flags));
  g_object_class_install_property (klass, PROP_LIST,
      g_param_spec_string ("list", "List",
          "A file with one document a line: a path, a URI, or a JSON object "
          "with a \"uri\"; \"-\" for standard input", NULL, flags));
  g_object_class_install_property (klass, PROP_RECURSIVE,
      g_param_spec_boolean ("recursive", "Recursive",
          "Look into the subfolders of folders too; links to folders are not "
          "followed", FALSE, flags));
  g_object_class_install_property (klass, PROP_PATTERN,
      g_param_spec_string ("pattern", "Pattern",
          "Which files of a folder, by their names in any case (\"*.pdf\", or "
          "\"*.mp4|*.mkv\"); without it all that are not hidden", NULL, flags));
}

static void
install_run_properties (GObjectClass * klass, GParamFlags flags)
{
  g_object_class_install_property (klass, PROP_MAX_FILE_SIZE,
      g_param_spec_uint64 ("max-file-size", "Maximum file size",
          "Larger documents fail (bytes, 0 = no limit)", 0, G_MAXUINT64, 0,
          flags));
  g_object_class_install_property (klass, PROP_MAX_OPEN,
      g_param_spec_uint ("max-open", "Maximum open",
          "Documents that are opened and not resolved at a time (0 = as many as "
          "units are in flight in a Call below, 64 to 256)", 0, G_MAXUINT,
          DEFAULT_MAX_OPEN,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, PROP_CHECKSUM,
      g_param_spec_boolean ("checksum", "Checksum",
          "Put each document's SHA-256 into its info", TRUE, flags));
  g_object_class_install_property (klass, PROP_RESUME_FROM,
      g_param_spec_string ("resume-from", "Resume from",
          "A record file; documents it has records of are skipped (an orchsink "
          "with existing=resume needs no such setting)", NULL, flags));
  g_object_class_install_property (klass, PROP_RETRY_FAILED,
      g_param_spec_boolean ("retry-failed", "Retry failed",
          "Do not skip those whose record in resume-from is incomplete", FALSE,
          flags));
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Documents found, in total (-1: not known yet), opened, skipped, "
          "failed to open, finished", GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

/* ---- the type ---- */

static void
gst_orch_src_finalize (GObject * object)
{
  GstOrchSrc *self = GST_ORCH_SRC (object);

  gst_orch_port_close (self->output);
  orch_domain_unref (self->domain);
  g_object_unref (self->cancellable);
  g_ptr_array_unref (self->locations);
  gst_orch_source_config_clear (&self->config);
  g_free (self->resume_from);
  G_OBJECT_CLASS (gst_orch_src_parent_class)->finalize (object);
}

static void
gst_orch_src_class_init (GstOrchSrcClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseSrcClass *base_class = GST_BASE_SRC_CLASS (klass);
  GstPushSrcClass *push_class = GST_PUSH_SRC_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
      GST_PARAM_MUTABLE_READY;

  GST_DEBUG_CATEGORY_INIT (gst_orch_src_debug, "orchsrc", 0,
      "Documents as root units");
  object_class->set_property = gst_orch_src_set_property;
  object_class->get_property = gst_orch_src_get_property;
  object_class->finalize = gst_orch_src_finalize;
  install_list_properties (object_class, flags);
  install_run_properties (object_class, flags);

  base_class->start = gst_orch_src_start;
  base_class->stop = gst_orch_src_stop;
  base_class->unlock = gst_orch_src_unlock;
  base_class->unlock_stop = gst_orch_src_unlock_stop;
  base_class->query = gst_orch_src_query;
  push_class->create = gst_orch_src_create;

  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Document source",
      "Source/File",
      "Gives one buffer for each document of files, folders, globs and lists",
      "The gst-orch authors");
  gst_element_class_add_static_metadata (element_class,
      GST_ORCH_METADATA_KIND, "source");
}

static void
gst_orch_src_init (GstOrchSrc * self)
{
  self->output = gst_orch_port_new (GST_BASE_SRC_PAD (self));
  self->domain = orch_domain_new ("document", NULL);
  gst_orch_port_set_domain (self->output, self->domain);
  self->cancellable = g_cancellable_new ();
  self->locations = g_ptr_array_new_with_free_func (g_free);
  self->max_open = DEFAULT_MAX_OPEN;
  self->checksum = TRUE;
  gst_base_src_set_format (GST_BASE_SRC (self), GST_FORMAT_TIME);
}
