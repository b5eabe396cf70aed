/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "testfunctions.h"

typedef struct
{
  GstOrchFunction parent;
  gint sleep;                   /* atomic: set while playing */
  gchar *record, *group, *error, *drop;
  gchar *error_once;
  gboolean early;
  gboolean forget;
  gboolean hold;
  gboolean well;
  GMutex lock;
  GCond released;
  GString *log;
  guint64 n_units;
} TestWorkFunction;

typedef struct
{
  GstOrchFunctionClass parent_class;
} TestWorkFunctionClass;

enum
{
  PROP_0,
  PROP_SLEEP,
  PROP_RECORD,
  PROP_GROUP,
  PROP_ERROR,
  PROP_ERROR_ONCE,
  PROP_DROP,
  PROP_EARLY,
  PROP_FORGET,
  PROP_HOLD,
  PROP_WELL,
  PROP_LOG,
  PROP_UNITS,
};

G_DEFINE_TYPE (TestWorkFunction, test_work_function, GST_TYPE_ORCH_FUNCTION);

/* Whether `path` is one of the comma-separated patterns of `rule` ("0/2,*"). */
static gboolean
applies (const gchar * rule, const gchar * path)
{
  g_auto (GStrv) patterns = rule ? g_strsplit (rule, ",", -1) : NULL;
  guint i;

  for (i = 0; patterns && patterns[i]; i++)
    if (g_pattern_match_simple (patterns[i], path))
      return TRUE;
  return FALSE;
}

static void
log_batch (TestWorkFunction * self, GstOrchBatch * batch)
{
  guint i;

  g_mutex_lock (&self->lock);
  self->n_units += gst_orch_batch_get_size (batch);
  g_string_append_c (self->log, '(');
  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    g_autofree gchar *path =
        gst_orch_entity_get_path (gst_orch_batch_get_entity (batch, i));

    g_string_append_printf (self->log, "%s%s:%u", i ? " " : "", path,
        gst_orch_batch_get_generation (batch, i));
  }
  g_string_append_c (self->log, ')');
  g_mutex_unlock (&self->lock);
}

static gboolean
attempt_fails (TestWorkFunction * self, GstOrchBatch * batch)
{
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    g_autofree gchar *path =
        gst_orch_entity_get_path (gst_orch_batch_get_entity (batch, i));

    if (applies (self->error, path))
      return TRUE;
    if (gst_orch_batch_get_generation (batch, i) == 0
        && applies (self->error_once, path))
      return TRUE;
  }
  return FALSE;
}

static void
work_on (TestWorkFunction * self, GstOrchBatch * batch, guint i)
{
  g_autofree gchar *path =
      gst_orch_entity_get_path (gst_orch_batch_get_entity (batch, i));

  if (self->forget)
    return;
  if (!self->well && applies (self->record, path))
    gst_orch_batch_fail_record (batch, i, gst_orch_cause_new ("test",
            "record", "told to fail"));
  else if (applies (self->group, path))
    gst_orch_batch_fail_group (batch, i, gst_orch_cause_new ("test", "group",
            "told to fail the group"));
  else if (applies (self->drop, path))
    gst_orch_batch_drop (batch, i);
  else
    gst_orch_batch_present (batch, i,
        gst_buffer_ref (gst_orch_batch_get_buffer (batch, i)), NULL);
}

static gboolean
test_work_function_setup (GstOrchFunction * function, gpointer * replica_data,
    GError ** error)
{
  TestWorkFunction *self = (TestWorkFunction *) function;

  g_mutex_lock (&self->lock);
  while (self->hold)
    g_cond_wait (&self->released, &self->lock);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

static gboolean
test_work_function_run (GstOrchFunction * function, gpointer replica_data,
    GstOrchBatch * batch, GError ** error)
{
  TestWorkFunction *self = (TestWorkFunction *) function;
  guint i, sleep = g_atomic_int_get (&self->sleep);

  log_batch (self, batch);
  if (attempt_fails (self, batch)) {
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED,
        "told to fail the attempt");
    return FALSE;
  }
  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    if (sleep && !gst_orch_batch_is_cancelled (batch))
      g_usleep (sleep);
    if (!gst_orch_batch_is_wanted (batch, i))
      continue;
    work_on (self, batch, i);
    if (self->early)
      gst_orch_batch_commit (batch);
  }
  return TRUE;
}

static void
take_string (gchar ** field, const GValue * value)
{
  g_free (*field);
  *field = g_value_dup_string (value);
}

static void
set_hold (TestWorkFunction * self, gboolean hold)
{
  g_mutex_lock (&self->lock);
  self->hold = hold;
  g_cond_broadcast (&self->released);
  g_mutex_unlock (&self->lock);
}

static void
test_work_function_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  TestWorkFunction *self = (TestWorkFunction *) object;

  switch (id) {
    case PROP_SLEEP:
      g_atomic_int_set (&self->sleep, g_value_get_uint (value));
      break;
    case PROP_RECORD:
      take_string (&self->record, value);
      break;
    case PROP_GROUP:
      take_string (&self->group, value);
      break;
    case PROP_ERROR:
      take_string (&self->error, value);
      break;
    case PROP_ERROR_ONCE:
      take_string (&self->error_once, value);
      break;
    case PROP_DROP:
      take_string (&self->drop, value);
      break;
    case PROP_EARLY:
      self->early = g_value_get_boolean (value);
      break;
    case PROP_FORGET:
      self->forget = g_value_get_boolean (value);
      break;
    case PROP_HOLD:
      set_hold (self, g_value_get_boolean (value));
      break;
    case PROP_WELL:
      self->well = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
test_work_function_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  TestWorkFunction *self = (TestWorkFunction *) object;

  g_mutex_lock (&self->lock);
  switch (id) {
    case PROP_LOG:
      g_value_set_string (value, self->log->str);
      break;
    case PROP_UNITS:
      g_value_set_uint64 (value, self->n_units);
      break;
    case PROP_SLEEP:
      g_value_set_uint (value, g_atomic_int_get (&self->sleep));
      break;
    case PROP_RECORD:
      g_value_set_string (value, self->record);
      break;
    case PROP_GROUP:
      g_value_set_string (value, self->group);
      break;
    case PROP_ERROR:
      g_value_set_string (value, self->error);
      break;
    case PROP_ERROR_ONCE:
      g_value_set_string (value, self->error_once);
      break;
    case PROP_DROP:
      g_value_set_string (value, self->drop);
      break;
    case PROP_EARLY:
      g_value_set_boolean (value, self->early);
      break;
    case PROP_FORGET:
      g_value_set_boolean (value, self->forget);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  g_mutex_unlock (&self->lock);
}

static void
test_work_function_finalize (GObject * object)
{
  TestWorkFunction *self = (TestWorkFunction *) object;

  g_free (self->record);
  g_free (self->group);
  g_free (self->error);
  g_free (self->error_once);
  g_free (self->drop);
  g_string_free (self->log, TRUE);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->released);
  G_OBJECT_CLASS (test_work_function_parent_class)->finalize (object);
}

static void
install_rule (GObjectClass * klass, guint id, const gchar * name,
    const gchar * blurb)
{
  g_object_class_install_property (klass, id, g_param_spec_string (name, name,
          blurb, NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
}

static void
test_work_function_class_init (TestWorkFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  object_class->set_property = test_work_function_set_property;
  object_class->get_property = test_work_function_get_property;
  object_class->finalize = test_work_function_finalize;
  g_object_class_install_property (object_class, PROP_SLEEP,
      g_param_spec_uint ("sleep", "Sleep",
          "Time spent on each unit, in microseconds", 0, G_MAXINT, 0,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  install_rule (object_class, PROP_RECORD, "record",
      "Paths that end as record failures");
  install_rule (object_class, PROP_GROUP, "group",
      "Paths that end as group failures");
  install_rule (object_class, PROP_ERROR, "error",
      "Paths that fail every attempt they are part of");
  install_rule (object_class, PROP_ERROR_ONCE, "error-once",
      "Paths that fail their first attempt");
  install_rule (object_class, PROP_DROP, "drop", "Paths that are dropped");
  g_object_class_install_property (object_class, PROP_EARLY,
      g_param_spec_boolean ("early", "Early", "Commit each unit at once",
          FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (object_class, PROP_FORGET,
      g_param_spec_boolean ("forget", "Forget", "Give no outcome", FALSE,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (object_class, PROP_HOLD,
      g_param_spec_boolean ("hold", "Hold",
          "Replicas wait until it is reset before their first batch", FALSE,
          G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  /* It cannot be read, so the same run may end in another way (orchsink). */
  g_object_class_install_property (object_class, PROP_WELL,
      g_param_spec_boolean ("well", "Well", "No record fails, whatever was said",
          FALSE, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (object_class, PROP_LOG,
      g_param_spec_string ("log", "Log", "Batches: (path:generation ...)",
          NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (object_class, PROP_UNITS,
      g_param_spec_uint64 ("units", "Units", "Units worked on", 0, G_MAXUINT64,
          0, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  function_class->setup = test_work_function_setup;
  function_class->run = test_work_function_run;
  gst_orch_function_class_set_can_group_fail (function_class, TRUE);
  gst_orch_function_class_set_metadata (function_class, "Test work",
      "Sleeps, drops and fails by rule", "The gst-orch authors");
}

static void
test_work_function_init (TestWorkFunction * self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->released);
  self->log = g_string_new (NULL);
}
