/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "script.h"
#include "patience.h"

#define MAX_SCRIPTS 8

typedef struct
{
  GstOrchFunction parent;
  guint id;
  gint n_replicas;              /* atomic */
} ScriptFunction;

typedef struct
{
  GstOrchFunctionClass parent_class;
} ScriptFunctionClass;

enum
{
  PROP_0,
  PROP_ID,
};

static Script scripts[MAX_SCRIPTS];

static GType script_function_get_type (void);
static GType script_group_function_get_type (void);

G_DEFINE_TYPE (ScriptFunction, script_function, GST_TYPE_ORCH_FUNCTION);

static gboolean
script_function_setup (GstOrchFunction * function, gpointer * replica_data,
    GError ** error)
{
  ScriptFunction *self = (ScriptFunction *) function;
  guint replica = g_atomic_int_add (&self->n_replicas, 1);
  Script *script = &scripts[self->id];

  *replica_data = GUINT_TO_POINTER (replica);
  return !script->setup || script->setup (replica, script->data, error);
}

static gboolean
script_function_run (GstOrchFunction * function, gpointer replica_data,
    GstOrchBatch * batch, GError ** error)
{
  Script *script = &scripts[((ScriptFunction *) function)->id];

  return script->run (batch, GPOINTER_TO_UINT (replica_data), script->data,
      error);
}

static void
script_function_teardown (GstOrchFunction * function, gpointer replica_data)
{
  Script *script = &scripts[((ScriptFunction *) function)->id];

  if (script->teardown)
    script->teardown (GPOINTER_TO_UINT (replica_data), script->data);
}

static GstCaps *
script_function_negotiate (GstOrchFunction * function, GstCaps * caps,
    GError ** error)
{
  Script *script = &scripts[((ScriptFunction *) function)->id];

  return script->negotiate ? script->negotiate (caps, script->data, error)
      : gst_caps_ref (caps);
}

static void
script_function_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  ((ScriptFunction *) object)->id = g_value_get_uint (value);
}

static void
script_function_class_init (ScriptFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  object_class->set_property = script_function_set_property;
  g_object_class_install_property (object_class, PROP_ID,
      g_param_spec_uint ("id", "Id", "Which script", 0, MAX_SCRIPTS - 1, 0,
          G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  function_class->setup = script_function_setup;
  function_class->run = script_function_run;
  function_class->teardown = script_function_teardown;
  function_class->negotiate = script_function_negotiate;
}

static void
script_function_init (ScriptFunction * self)
{
}

typedef ScriptFunction ScriptGroupFunction;
typedef ScriptFunctionClass ScriptGroupFunctionClass;

G_DEFINE_TYPE (ScriptGroupFunction, script_group_function,
    script_function_get_type ());

static void
script_group_function_class_init (ScriptGroupFunctionClass * klass)
{
  gst_orch_function_class_set_can_group_fail (GST_ORCH_FUNCTION_CLASS (klass),
      TRUE);
}

static void
script_group_function_init (ScriptGroupFunction * self)
{
}

typedef ScriptFunction ScriptOutputsFunction;
typedef ScriptFunctionClass ScriptOutputsFunctionClass;

static GType script_outputs_function_get_type (void);

G_DEFINE_TYPE (ScriptOutputsFunction, script_outputs_function,
    script_function_get_type ());

static void
script_outputs_function_class_init (ScriptOutputsFunctionClass * klass)
{
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  gst_orch_function_class_add_output (function_class, "fixed",
      gst_caps_from_string ("text/x-raw, format=utf8"));
  gst_orch_function_class_add_output (function_class, "open",
      gst_caps_new_any ());
}

static void
script_outputs_function_init (ScriptOutputsFunction * self)
{
}

static gboolean
plugin_init (GstPlugin * plugin)
{
  return gst_orch_function_register (plugin, "script",
      script_function_get_type ())
      && gst_orch_function_register (plugin, "script-outputs",
      script_outputs_function_get_type ())
      && gst_orch_function_register (plugin, "script-group",
      script_group_function_get_type ());
}

void
script_init (void)
{
  g_assert_true (gst_plugin_register_static (GST_VERSION_MAJOR,
          GST_VERSION_MINOR, "orchscript", "Functions written in a test",
          plugin_init, PACKAGE_VERSION, GST_LICENSE, "orchscript",
          GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN));
}

void
script_set (guint id, Script script)
{
  g_assert_cmpuint (id, <, MAX_SCRIPTS);
  scripts[id] = script;
}

gchar *
script_describe (GstOrchBatch * batch)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    g_autofree gchar *path =
        gst_orch_entity_get_path (gst_orch_batch_get_entity (batch, i));

    g_string_append_printf (text, "%s%s:%u", i ? " " : "", path,
        gst_orch_batch_get_generation (batch, i));
  }
  return g_string_free (text, FALSE);
}

void
script_present (GstOrchBatch * batch, guint index)
{
  gst_orch_batch_present (batch, index,
      gst_buffer_ref (gst_orch_batch_get_buffer (batch, index)), NULL);
}

void
script_present_all (GstOrchBatch * batch)
{
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++)
    script_present (batch, i);
}

gboolean
script_fail (GError ** error)
{
  g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED,
      "the script fails the attempt");
  return FALSE;
}

/* ---- gates ---- */

void
gate_init (Gate * gate)
{
  g_mutex_init (&gate->lock);
  g_cond_init (&gate->cond);
  gate->open = FALSE;
  gate->waiting = 0;
}

void
gate_clear (Gate * gate)
{
  g_mutex_clear (&gate->lock);
  g_cond_clear (&gate->cond);
}

static void
set_open (Gate * gate, gboolean open)
{
  g_mutex_lock (&gate->lock);
  gate->open = open;
  g_cond_broadcast (&gate->cond);
  g_mutex_unlock (&gate->lock);
}

void
gate_open (Gate * gate)
{
  set_open (gate, TRUE);
}

void
gate_shut (Gate * gate)
{
  set_open (gate, FALSE);
}

void
gate_pass (Gate * gate)
{
  gint64 deadline = patience_deadline ();

  g_mutex_lock (&gate->lock);
  gate->waiting++;
  g_cond_broadcast (&gate->cond);
  while (!gate->open)
    if (!g_cond_wait_until (&gate->cond, &gate->lock, deadline))
      g_error ("a gate was never opened");
  gate->waiting--;
  g_mutex_unlock (&gate->lock);
}

void
gate_await_waiting (Gate * gate, guint n)
{
  gint64 deadline = patience_deadline ();

  g_mutex_lock (&gate->lock);
  while (gate->waiting < n)
    if (!g_cond_wait_until (&gate->cond, &gate->lock, deadline))
      g_error ("nobody came to a gate");
  g_mutex_unlock (&gate->lock);
}
