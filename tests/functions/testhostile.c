/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "testfunctions.h"
#include "testdeeds.h"

/* Before a deed: not until the next batch waits for this worker. */
#define NEXT "next-"

/* Does to its process whatever a hostile document could make a library do. */
typedef struct
{
  GstOrchFunction parent;
  gchar *rules;
  gchar *at_setup;
  gchar *mark;
  gboolean early;
} TestHostileFunction;

typedef struct
{
  GstOrchFunctionClass parent_class;
} TestHostileFunctionClass;

enum
{
  PROP_0,
  PROP_RULES,
  PROP_AT_SETUP,
  PROP_MARK,
  PROP_EARLY,
};

G_DEFINE_TYPE (TestHostileFunction, test_hostile_function,
    GST_TYPE_ORCH_FUNCTION);

/* (transfer full) (nullable): the deed of the first rule for this path */
static gchar *
find_deed (const gchar * rules, const gchar * path, guint generation)
{
  g_auto (GStrv) all = rules ? g_strsplit (rules, ",", -1) : NULL;
  guint i;

  for (i = 0; all && all[i]; i++) {
    gchar *deed = strchr (all[i], ':');

    if (!deed)
      continue;
    *deed++ = '\0';
    if (!g_pattern_match_simple (all[i], path))
      continue;
    /* "once-segv": at the first attempt only */
    if (!g_str_has_prefix (deed, "once-"))
      return g_strdup (deed);
    if (generation == 0)
      return g_strdup (deed + strlen ("once-"));
  }
  return NULL;
}

static void
present_text (GstOrchBatch * batch, guint i, gchar * text)
{
  GstCaps *caps = gst_caps_from_string ("text/x-raw, format=utf8");

  gst_orch_batch_present (batch, i, gst_buffer_new_wrapped (text,
          strlen (text)), caps);
  gst_caps_unref (caps);
}

/* (transfer full): "3 1 0/1": how many, how many failed, and which */
static gchar *
describe_gathered (GstBuffer * buffer)
{
  GstOrchList *list = gst_orch_buffer_get_gathered (buffer);
  const GstOrchListCounts *counts = list ? gst_orch_list_get_counts (list) : NULL;
  GString *text = g_string_new (NULL);
  guint i;

  if (counts)
    g_string_append_printf (text, "%u %u", (guint) counts->total,
        (guint) counts->failed);
  for (i = 0; list && i < gst_orch_list_get_n_failures (list); i++) {
    g_autofree gchar *path = gst_orch_entity_get_path
        (gst_orch_list_get_failure (list, i)->entity);

    g_string_append_printf (text, " %s", path);
  }
  return g_string_free (text, FALSE);
}

/* (transfer full): what the document says that the unit is a part of */
static gchar *
read_source (GstBuffer * buffer)
{
  GstBuffer *source = gst_buffer_get_orch_ref_meta (buffer)->source;
  gsize size = gst_buffer_get_size (source);
  gchar *text = g_malloc0 (size + 1);

  gst_buffer_extract (source, 0, text, size);
  return text;
}

static void
wait_until_unwanted (GstOrchBatch * batch, guint i)
{
  while (gst_orch_batch_is_wanted (batch, i))
    g_usleep (200);
}

static void
work_on (TestHostileFunction * self, GstOrchBatch * batch, guint i)
{
  g_autofree gchar *path =
      gst_orch_entity_get_path (gst_orch_batch_get_entity (batch, i));
  g_autofree gchar *deed = find_deed (self->rules, path,
      gst_orch_batch_get_generation (batch, i));
  gchar *text = NULL;

  if (deed && g_str_has_prefix (deed, NEXT)) {
    test_await_next ();
    memmove (deed, deed + strlen (NEXT), strlen (deed + strlen (NEXT)) + 1);
  }
  if (g_strcmp0 (deed, "wait") == 0) {
    wait_until_unwanted (batch, i);
    return;
  }
  if (g_strcmp0 (deed, "fail") == 0) {
    gst_orch_batch_fail_record (batch, i, gst_orch_cause_new ("test", "record",
            "told to fail"));
    return;
  }
  if (g_strcmp0 (deed, "mark") == 0)
    text = g_strdup (self->mark);
  else if (g_strcmp0 (deed, "gathered") == 0)
    text = describe_gathered (gst_orch_batch_get_buffer (batch, i));
  else if (g_strcmp0 (deed, "source") == 0)
    text = read_source (gst_orch_batch_get_buffer (batch, i));
  else if (g_strcmp0 (deed, "generation") == 0)
    text = g_strdup_printf ("%u", gst_orch_batch_get_generation (batch, i));
  else if (deed)
    text = test_deed (deed);
  if (text)
    present_text (batch, i, text);
  else
    gst_orch_batch_present (batch, i,
        gst_buffer_ref (gst_orch_batch_get_buffer (batch, i)), NULL);
}

static gboolean
test_hostile_function_run (GstOrchFunction * function, gpointer replica_data,
    GstOrchBatch * batch, GError ** error)
{
  TestHostileFunction *self = (TestHostileFunction *) function;
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    work_on (self, batch, i);
    if (self->early)
      gst_orch_batch_commit (batch);
  }
  return TRUE;
}

static gboolean
test_hostile_function_setup (GstOrchFunction * function,
    gpointer * replica_data, GError ** error)
{
  TestHostileFunction *self = (TestHostileFunction *) function;

  if (g_strcmp0 (self->at_setup, "error") == 0) {
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "told to fail");
    return FALSE;
  }
  if (self->at_setup)
    g_free (test_deed (self->at_setup));
  return TRUE;
}

static gchar **
get_field (TestHostileFunction * self, guint id)
{
  switch (id) {
    case PROP_RULES:
      return &self->rules;
    case PROP_AT_SETUP:
      return &self->at_setup;
    default:
      return &self->mark;
  }
}

static void
test_hostile_function_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  TestHostileFunction *self = (TestHostileFunction *) object;
  gchar **field = get_field (self, id);

  if (id == PROP_EARLY) {
    self->early = g_value_get_boolean (value);
    return;
  }
  GST_OBJECT_LOCK (self);
  g_free (*field);
  *field = g_value_dup_string (value);
  GST_OBJECT_UNLOCK (self);
}

static void
test_hostile_function_get_property (GObject * object, guint id,
    GValue * value, GParamSpec * pspec)
{
  TestHostileFunction *self = (TestHostileFunction *) object;

  if (id == PROP_EARLY) {
    g_value_set_boolean (value, self->early);
    return;
  }
  GST_OBJECT_LOCK (self);
  g_value_set_string (value, *get_field (self, id));
  GST_OBJECT_UNLOCK (self);
}

static void
test_hostile_function_finalize (GObject * object)
{
  TestHostileFunction *self = (TestHostileFunction *) object;

  g_free (self->rules);
  g_free (self->at_setup);
  g_free (self->mark);
  G_OBJECT_CLASS (test_hostile_function_parent_class)->finalize (object);
}

static void
install_string (GObjectClass * klass, guint id, const gchar * name,
    const gchar * blurb)
{
  g_object_class_install_property (klass, id, g_param_spec_string (name, name,
          blurb, NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
}

static void
test_hostile_function_class_init (TestHostileFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  object_class->set_property = test_hostile_function_set_property;
  object_class->get_property = test_hostile_function_get_property;
  object_class->finalize = test_hostile_function_finalize;
  install_string (object_class, PROP_RULES, "rules",
      "PATH:DEED,...: what to do at which unit");
  install_string (object_class, PROP_AT_SETUP, "at-setup",
      "What to do when it is set up");
  install_string (object_class, PROP_MARK, "mark",
      "What the deed \"mark\" presents");
  g_object_class_install_property (object_class, PROP_EARLY,
      g_param_spec_boolean ("early", "Early", "Commit each unit at once",
          FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  function_class->setup = test_hostile_function_setup;
  function_class->run = test_hostile_function_run;
  gst_orch_function_class_set_metadata (function_class, "Test hostile",
      "Crashes, hangs and reaches out by rule", "The gst-orch authors");
}

static void
test_hostile_function_init (TestHostileFunction * self)
{
}
