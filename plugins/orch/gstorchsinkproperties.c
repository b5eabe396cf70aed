/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchsink-private.h"

#define NO_LIMIT -1.0
#define DEFAULT_SHARD_RECORDS 1000
#define DEFAULT_SHARD_BYTES G_GUINT64_CONSTANT (1000000000)

enum
{
  PROP_0,
  PROP_LOCATION,
  PROP_FILES,
  PROP_SHARDS,
  PROP_SHARD_RECORDS,
  PROP_SHARD_BYTES,
  PROP_FORMAT,
  PROP_CONTENT_FORMAT,
  PROP_EXISTING,
  PROP_RETRY_FAILED,
  PROP_STOP_AFTER,
  PROP_DURABILITY,
  PROP_ORDER,
  PROP_ON_LOST,
  PROP_STATS,
};

static GstStructure *
make_stats (GstOrchSink * self)
{
  guint64 n_records = 0, n_complete = 0;

  g_mutex_lock (&self->lock);
  if (self->summary) {
    n_records = gst_orch_summary_get_n_records (self->summary);
    n_complete = gst_orch_summary_get_n_complete (self->summary);
  }
  g_mutex_unlock (&self->lock);
  return gst_structure_new ("orchsink-stats",
      "documents", G_TYPE_UINT64, n_records,
      "complete", G_TYPE_UINT64, n_complete,
      "incomplete", G_TYPE_UINT64, n_records - n_complete,
      "duplicates", G_TYPE_UINT64,
      gst_orch_subscriber_get_n_duplicates (self->input),
      "lost", G_TYPE_UINT64, gst_orch_subscriber_get_n_lost (self->input),
      NULL);
}

void
gst_orch_sink_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstOrchSink *self = GST_ORCH_SINK (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_LOCATION:
      g_free (self->location);
      self->location = g_value_dup_string (value);
      break;
    case PROP_FILES:
      g_free (self->files);
      self->files = g_value_dup_string (value);
      break;
    case PROP_SHARDS:
      g_free (self->shards);
      self->shards = g_value_dup_string (value);
      break;
    case PROP_SHARD_RECORDS:
      self->shard_records = g_value_get_uint64 (value);
      break;
    case PROP_SHARD_BYTES:
      self->shard_bytes = g_value_get_uint64 (value);
      break;
    case PROP_FORMAT:
      self->format = g_value_get_enum (value);
      break;
    case PROP_CONTENT_FORMAT:
      self->content_format = g_value_get_enum (value);
      break;
    case PROP_EXISTING:
      self->existing = g_value_get_enum (value);
      break;
    case PROP_RETRY_FAILED:
      self->retry_failed = g_value_get_boolean (value);
      break;
    case PROP_STOP_AFTER:
      self->stop_after = g_value_get_double (value);
      break;
    case PROP_DURABILITY:
      self->durability = g_value_get_enum (value);
      break;
    case PROP_ORDER:
      self->order = g_value_get_enum (value);
      break;
    case PROP_ON_LOST:
      self->on_lost = g_value_get_enum (value);
      gst_orch_subscriber_set_on_lost (self->input, self->on_lost);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  GST_OBJECT_UNLOCK (self);
}

void
gst_orch_sink_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstOrchSink *self = GST_ORCH_SINK (object);

  if (id == PROP_STATS) {
    g_value_take_boxed (value, make_stats (self));
    return;
  }
  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_LOCATION:
      g_value_set_string (value, self->location);
      break;
    case PROP_FILES:
      g_value_set_string (value, self->files);
      break;
    case PROP_SHARDS:
      g_value_set_string (value, self->shards);
      break;
    case PROP_SHARD_RECORDS:
      g_value_set_uint64 (value, self->shard_records);
      break;
    case PROP_SHARD_BYTES:
      g_value_set_uint64 (value, self->shard_bytes);
      break;
    case PROP_FORMAT:
      g_value_set_enum (value, self->format);
      break;
    case PROP_CONTENT_FORMAT:
      g_value_set_enum (value, self->content_format);
      break;
    case PROP_EXISTING:
      g_value_set_enum (value, self->existing);
      break;
    case PROP_RETRY_FAILED:
      g_value_set_boolean (value, self->retry_failed);
      break;
    case PROP_STOP_AFTER:
      g_value_set_double (value, self->stop_after);
      break;
    case PROP_DURABILITY:
      g_value_set_enum (value, self->durability);
      break;
    case PROP_ORDER:
      g_value_set_enum (value, self->order);
      break;
    case PROP_ON_LOST:
      g_value_set_enum (value, self->on_lost);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  GST_OBJECT_UNLOCK (self);
}

static void
install_format_properties (GObjectClass * klass, GParamFlags flags)
{
  g_object_class_install_property (klass, PROP_LOCATION,
      g_param_spec_string ("location", "Location",
          "The record file, \"-\" for standard output, or a name with the "
          "placeholders {stem} {dir} {id} {page} for a file each", NULL,
          flags));
  g_object_class_install_property (klass, PROP_FORMAT,
      g_param_spec_enum ("format", "Format",
          "Whether to write records or only their text",
          GST_TYPE_ORCH_RECORD_FORMAT, GST_ORCH_RECORD_FORMAT_JSONL, flags));
  g_object_class_install_property (klass, PROP_CONTENT_FORMAT,
      g_param_spec_enum ("content-format", "Content format",
          "Whether a record's content tells of each value or has it bare",
          GST_TYPE_ORCH_CONTENT_FORMAT, GST_ORCH_CONTENT_FULL, flags));
  g_object_class_install_property (klass, PROP_ORDER,
      g_param_spec_enum ("order", "Order",
          "Write records as they are complete, or in the order of the input",
          GST_TYPE_ORCH_ORDER, GST_ORCH_ORDER_COMPLETION, flags));
}

static void
install_media_properties (GObjectClass * klass, GParamFlags flags)
{
  g_object_class_install_property (klass, PROP_FILES,
      g_param_spec_string ("files", "Files",
          "Folder that pictures, sound and film are written to, a folder for each "
          "document, with records that name them (NULL: they are refused)", NULL,
          flags));
  g_object_class_install_property (klass, PROP_SHARDS,
      g_param_spec_string ("shards", "Shards",
          "Folder of tar archives that pictures, sound and film are written to, "
          "together with the records, as WebDataset reads them (NULL: none)", NULL,
          flags));
  g_object_class_install_property (klass, PROP_SHARD_RECORDS,
      g_param_spec_uint64 ("shard-records", "Records of a shard",
          "Records after which a shard ends", 1, G_MAXUINT32,
          DEFAULT_SHARD_RECORDS, flags));
  g_object_class_install_property (klass, PROP_SHARD_BYTES,
      g_param_spec_uint64 ("shard-bytes", "Bytes of a shard",
          "Bytes after which a shard ends, whose last record makes it larger", 1,
          G_MAXINT64, DEFAULT_SHARD_BYTES, flags));
}

static void
install_run_properties (GObjectClass * klass, GParamFlags flags)
{
  g_object_class_install_property (klass, PROP_EXISTING,
      g_param_spec_enum ("existing", "Existing records",
          "What to do about records that are there already",
          GST_TYPE_ORCH_EXISTING, GST_ORCH_EXISTING_ERROR, flags));
  g_object_class_install_property (klass, PROP_RETRY_FAILED,
      g_param_spec_boolean ("retry-failed", "Retry failed",
          "With existing=resume, replace the records that are not complete",
          FALSE, flags));
  g_object_class_install_property (klass, PROP_STOP_AFTER,
      g_param_spec_double ("stop-after", "Stop after",
          "Failed documents above which the run ends with an error: a share "
          "below 1, of at least 20 documents, a count from 1 on, 0 to stop at "
          "the first (-1 = no limit)", -1, G_MAXDOUBLE, NO_LIMIT,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, PROP_DURABILITY,
      g_param_spec_enum ("durability", "Durability",
          "When records must have reached the disk", GST_TYPE_ORCH_DURABILITY,
          GST_ORCH_DURABILITY_NONE, flags));
  g_object_class_install_property (klass, PROP_ON_LOST,
      g_param_spec_enum ("on-lost", "On lost",
          "What an Item that another element lost on the way counts as",
          GST_TYPE_ORCH_ON_LOST, GST_ORCH_ON_LOST_DROP, flags));
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Records written in this run (documents), complete and incomplete "
          "ones, duplicates and lost Items", GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

void
gst_orch_sink_install_properties (GObjectClass * klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
      GST_PARAM_MUTABLE_READY;

  install_format_properties (klass, flags);
  install_media_properties (klass, flags);
  install_run_properties (klass, flags);
}

void
gst_orch_sink_init_properties (GstOrchSink * self)
{
  self->stop_after = NO_LIMIT;
  self->shard_records = DEFAULT_SHARD_RECORDS;
  self->shard_bytes = DEFAULT_SHARD_BYTES;
}
