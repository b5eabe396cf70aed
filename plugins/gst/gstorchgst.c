/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchgst
 * @title: orchgst
 *
 * Function `gst`: ordinary elements inside a Call, whose errors are failures of
 * single units and not the end of the pipeline.
 *
 * Each replica has a bin of its own, described as for `gst-launch-1.0`.  What it
 * makes of a unit is the unit's value: one buffer is a value, several are a list for
 * `orchexpand`, none drops the unit.  With `always-list` it is a list in any case.
 * Values have the caps that the bin gives them, and their times.
 *
 * Each unit is a stream of its own for the bin: it ends with EOS, so that encoders
 * and parsers hand out all they have, and the next one gets a new bin.  Elements for
 * images, and converters, need not be made anew: see `reuse`.
 *
 * An ERROR in the bin fails the unit, with the message of the element as its cause,
 * and so does a WARNING if no buffer comes.  A bin that has failed is made anew.
 *
 * With `workers=process` and `confine`, elements may load what they need from below
 * `/usr` at any time, and open other files and devices only while they start for the
 * first time.
 *
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchpdfpages ! orchexpand ! \
 *     orchpdfrender ! orchgst bin="videoscale ! video/x-raw,width=600 ! jpegenc" ! \
 *     orchgst bin="jpegdec ! videoconvert ! video/x-raw,format=GRAY8" replicas=2 ! \
 *     orchtesseract ! orchreduce ! orchsink location=out.jsonl
 * ]|
 */

#include "gstorchgst.h"
#include "gstorchgstbin.h"
#include "gstorchgstrunner.h"

#define CAUSE_DOMAIN "gst"

#define DEFAULT_REUSE GST_ORCH_GST_REUSE_AUTO
#define DEFAULT_ALWAYS_LIST FALSE
#define DEFAULT_MAX_SIZE (1024 * 1024 * G_GUINT64_CONSTANT (1024))

enum
{
  PROP_0,
  PROP_BIN,
  PROP_REUSE,
  PROP_MAX_SIZE,
  PROP_ALWAYS_LIST,
};

struct _GstOrchGstFunction
{
  GstOrchFunction parent;

  /* Protected by the object lock. */
  gchar *bin;                   /* (nullable) */
  GstCaps *sink_caps;           /* (nullable): what it takes, once it is known */
  GstOrchGstReuse reuse;
  guint64 max_size;
  gboolean always_list;
};

typedef struct
{
  GstOrchGstRunner *runner;
  guint64 max_size;
  gboolean always_list;
} Replica;

typedef struct
{
  GstOrchBatch *batch;
  guint index;
} Grain;

#define gst_orch_gst_function_parent_class parent_class
G_DEFINE_FINAL_TYPE (GstOrchGstFunction, gst_orch_gst_function,
    GST_TYPE_ORCH_FUNCTION);

#define GST_TYPE_ORCH_GST_REUSE (gst_orch_gst_reuse_get_type ())
static GType
gst_orch_gst_reuse_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_ORCH_GST_REUSE_AUTO, "The same, if all are known to forget what was before "
          "(images, converters)", "auto"},
    {GST_ORCH_GST_REUSE_ALWAYS, "The same: a unit may be influenced by others, as "
          "with encoders of video", "always"},
    {GST_ORCH_GST_REUSE_NEVER, "New ones", "never"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchGstReuse", values));
  return type;
}

/* ---- replicas ---- */

static gchar *
dup_bin (GstOrchGstFunction * self)
{
  gchar *bin;

  GST_OBJECT_LOCK (self);
  bin = g_strdup (self->bin);
  GST_OBJECT_UNLOCK (self);
  return bin;
}

static gboolean
gst_orch_gst_function_check (GstOrchFunction * function, GError ** error)
{
  g_autofree gchar *description = dup_bin (GST_ORCH_GST_FUNCTION (function));
  GstElement *bin = gst_orch_gst_bin_new (description, error);

  if (!bin)
    return FALSE;
  gst_object_unref (bin);
  return TRUE;
}

/* (transfer full) (nullable) */
static GstCaps *
ref_sink_caps (GstOrchGstFunction * self)
{
  GstCaps *caps;

  GST_OBJECT_LOCK (self);
  caps = self->sink_caps ? gst_caps_ref (self->sink_caps) : NULL;
  GST_OBJECT_UNLOCK (self);
  return caps;
}

/* Of the bin that `description` is, if it still is. */
static void
keep_sink_caps (GstOrchGstFunction * self, const gchar * description,
    GstCaps * caps)
{
  GST_OBJECT_LOCK (self);
  if (g_strcmp0 (self->bin, description) == 0)
    gst_caps_replace (&self->sink_caps, caps);
  GST_OBJECT_UNLOCK (self);
}

static GstCaps *
gst_orch_gst_function_get_sink_caps (GstOrchFunction * function)
{
  GstOrchGstFunction *self = GST_ORCH_GST_FUNCTION (function);
  g_autofree gchar *description = dup_bin (self);
  GstCaps *caps = ref_sink_caps (self);
  GstElement *bin;

  if (caps)
    return caps;
  bin = gst_orch_gst_bin_new (description, NULL);
  caps = bin ? gst_orch_gst_bin_get_sink_caps (bin) : gst_caps_new_any ();
  keep_sink_caps (self, description, caps);
  g_clear_pointer (&bin, gst_object_unref);
  return caps;
}

static gboolean
is_wanted (gpointer data)
{
  Grain *grain = data;

  return gst_orch_batch_is_wanted (grain->batch, grain->index);
}

static gboolean
gst_orch_gst_function_setup (GstOrchFunction * function,
    gpointer * replica_data, GError ** error)
{
  GstOrchGstFunction *self = GST_ORCH_GST_FUNCTION (function);
  g_autofree gchar *bin = dup_bin (self);
  Replica *replica = g_new (Replica, 1);
  GstOrchGstReuse reuse;

  GST_OBJECT_LOCK (self);
  reuse = self->reuse;
  replica->max_size = self->max_size;
  replica->always_list = self->always_list;
  GST_OBJECT_UNLOCK (self);
  replica->runner = gst_orch_gst_runner_new (bin, reuse, replica->max_size,
      is_wanted, error);
  if (!replica->runner) {
    g_free (replica);
    return FALSE;
  }
  *replica_data = replica;
  return TRUE;
}

static void
gst_orch_gst_function_teardown (GstOrchFunction * function,
    gpointer replica_data)
{
  Replica *replica = replica_data;

  gst_orch_gst_runner_free (replica->runner);
  g_free (replica);
}

/* ---- what goes in ---- */

static void
fail_grain (Grain * grain, const gchar * code, const gchar * message)
{
  gst_orch_batch_fail_record (grain->batch, grain->index,
      gst_orch_cause_new_literal (CAUSE_DOMAIN, code, message));
}

/* Elements map what they are given, which a file of a user must not be: somebody may
 * cut it meanwhile. */
static GstBuffer *
read_file (GstBuffer * buffer, guint64 max_size, GError ** error)
{
  GBytes *bytes = gst_orch_buffer_read_all (buffer, max_size, error);
  GstBuffer *copy;

  if (!bytes)
    return NULL;
  copy = gst_buffer_new_wrapped_bytes (bytes);
  g_bytes_unref (bytes);
  gst_buffer_copy_into (copy, buffer, GST_BUFFER_COPY_FLAGS |
      GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
  return copy;
}

/* (transfer full) (nullable): it for the bin, without whose it is: that is said of the
 * value by the Call. */
static GstBuffer *
take_input (Replica * replica, Grain * grain)
{
  GstBuffer *input = gst_orch_batch_get_buffer (grain->batch, grain->index);
  g_autoptr (GError) error = NULL;
  GstOrchMeta *meta;
  GstBuffer *copy;
  gint fd;

  copy = gst_orch_buffer_get_fd (input, &fd, NULL) ?
      read_file (input, replica->max_size, &error) : gst_buffer_copy (input);
  if (!copy) {
    fail_grain (grain, "not-read", error->message);
    return NULL;
  }
  while ((meta = gst_buffer_get_orch_meta (copy)))
    gst_buffer_remove_meta (copy, &meta->meta);
  return copy;
}

/* ---- what comes out ---- */

static void
present_list (Grain * grain, GPtrArray * samples)
{
  GstOrchList *list = gst_orch_list_new_sized (samples->len);
  guint i;

  for (i = 0; i < samples->len; i++) {
    GstSample *sample = g_ptr_array_index (samples, i);

    gst_orch_list_append (list, gst_buffer_ref (gst_sample_get_buffer (sample)),
        gst_sample_get_caps (sample), NULL);
  }
  gst_orch_batch_present_list (grain->batch, grain->index, list);
}

static void
present_first (Grain * grain, GPtrArray * samples)
{
  GstSample *first = g_ptr_array_index (samples, 0);

  gst_orch_batch_present (grain->batch, grain->index,
      gst_buffer_ref (gst_sample_get_buffer (first)),
      gst_sample_get_caps (first));
}

static void
warn (Grain * grain, GPtrArray * warnings)
{
  guint i;

  for (i = 0; i < warnings->len; i++)
    gst_orch_batch_warn (grain->batch, grain->index, "%s",
        (gchar *) g_ptr_array_index (warnings, i));
}

static void
publish (Replica * replica, Grain * grain, const GstOrchGstAnswer * answer)
{
  g_autofree gchar *reason = gst_orch_gst_answer_explain (answer);
  guint n = answer->samples->len;

  if (answer->code || (n == 0 && answer->warnings->len > 0)) {
    fail_grain (grain, answer->code ? answer->code : "element-warning", reason);
    return;
  }
  warn (grain, answer->warnings);
  if (n > 1 || replica->always_list)
    present_list (grain, answer->samples);
  else if (n == 1)
    present_first (grain, answer->samples);
  else
    gst_orch_batch_drop (grain->batch, grain->index);
}

static gboolean
run_grain (Replica * replica, Grain * grain, GError ** error)
{
  GstBuffer *buffer = take_input (replica, grain);
  GstOrchGstResult result;

  if (!buffer)
    return TRUE;
  result = gst_orch_gst_runner_run (replica->runner, grain, buffer,
      gst_orch_batch_get_caps (grain->batch, grain->index), error);
  if (result == GST_ORCH_GST_ANSWERED)
    publish (replica, grain,
        gst_orch_gst_runner_get_answer (replica->runner));
  gst_orch_gst_runner_forget (replica->runner);
  return result != GST_ORCH_GST_BROKEN;
}

static gboolean
gst_orch_gst_function_run (GstOrchFunction * function, gpointer replica_data,
    GstOrchBatch * batch, GError ** error)
{
  guint n = gst_orch_batch_get_size (batch);
  guint i;

  for (i = 0; i < n && !gst_orch_batch_is_cancelled (batch); i++) {
    Grain grain = { batch, i };

    if (gst_orch_batch_is_wanted (batch, i)
        && !run_grain (replica_data, &grain, error))
      return FALSE;
    gst_orch_batch_commit (batch);
  }
  return TRUE;
}

/* ---- object ---- */

static void
gst_orch_gst_function_set_property (GObject * object, guint prop_id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchGstFunction *self = GST_ORCH_GST_FUNCTION (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_BIN:
      g_free (self->bin);
      self->bin = g_value_dup_string (value);
      gst_clear_caps (&self->sink_caps);
      break;
    case PROP_REUSE:
      self->reuse = g_value_get_enum (value);
      break;
    case PROP_MAX_SIZE:
      self->max_size = g_value_get_uint64 (value);
      break;
    case PROP_ALWAYS_LIST:
      self->always_list = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_gst_function_get_property (GObject * object, guint prop_id,
    GValue * value, GParamSpec * pspec)
{
  GstOrchGstFunction *self = GST_ORCH_GST_FUNCTION (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_BIN:
      g_value_set_string (value, self->bin);
      break;
    case PROP_REUSE:
      g_value_set_enum (value, self->reuse);
      break;
    case PROP_MAX_SIZE:
      g_value_set_uint64 (value, self->max_size);
      break;
    case PROP_ALWAYS_LIST:
      g_value_set_boolean (value, self->always_list);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_gst_function_finalize (GObject * object)
{
  GstOrchGstFunction *self = GST_ORCH_GST_FUNCTION (object);

  g_free (self->bin);
  gst_clear_caps (&self->sink_caps);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
install_properties (GObjectClass * object_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_MUTABLE_READY;

  g_object_class_install_property (object_class, PROP_BIN,
      g_param_spec_string ("bin", "Bin",
          "Elements to run, as gst-launch-1.0 reads them, with one sink and one "
          "src pad that are not linked: \"jpegdec ! videoconvert\"", NULL,
          flags));
  g_object_class_install_property (object_class, PROP_REUSE,
      g_param_spec_enum ("reuse", "Reuse",
          "Whether the next unit goes through the same elements, flushed, or through "
          "new ones", GST_TYPE_ORCH_GST_REUSE, DEFAULT_REUSE, flags));
  g_object_class_install_property (object_class, PROP_MAX_SIZE,
      g_param_spec_uint64 ("max-size", "Maximum size",
          "Most bytes that may be read of a document, and that what the bin "
          "makes of one unit may hold; a unit with more fails", 1, G_MAXUINT64,
          DEFAULT_MAX_SIZE, flags));
  g_object_class_install_property (object_class, PROP_ALWAYS_LIST,
      g_param_spec_boolean ("always-list", "Always a list",
          "Make a list of what comes of a unit, even of one buffer or none, so that "
          "orchexpand can open it", DEFAULT_ALWAYS_LIST, flags));
}

static void
gst_orch_gst_function_class_init (GstOrchGstFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  object_class->set_property = gst_orch_gst_function_set_property;
  object_class->get_property = gst_orch_gst_function_get_property;
  object_class->finalize = gst_orch_gst_function_finalize;
  install_properties (object_class);

  function_class->check = gst_orch_gst_function_check;
  function_class->setup = gst_orch_gst_function_setup;
  function_class->run = gst_orch_gst_function_run;
  function_class->teardown = gst_orch_gst_function_teardown;
  function_class->get_sink_caps = gst_orch_gst_function_get_sink_caps;
  gst_orch_function_class_set_metadata (function_class, "Elements in a Call",
      "Runs ordinary elements on each unit; their errors fail that unit only",
      "the gst-orch authors");
}

static void
gst_orch_gst_function_init (GstOrchGstFunction * self)
{
  self->reuse = DEFAULT_REUSE;
  self->max_size = DEFAULT_MAX_SIZE;
  self->always_list = DEFAULT_ALWAYS_LIST;
}
