/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchpython
 * @title: orchpython
 *
 * Function `python`: a class in Python, whose `run` gets the values of a batch as a
 * list and returns as many.  Each replica is a Python process of its own, with the
 * interpreter, and so the virtual environment, that `python` names.
 *
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchpdfpages ! orchexpand ! orchpdftext ! orchpython module=words.py class=Count batch-size=16 ! orchreduce ! orchsink location=out.jsonl
 * ]|
 */

#include "gstorchpython.h"

#include <gio/gio.h>
#include <dlfcn.h>
#include <stdlib.h>

#define DEFAULT_PYTHON "python3"
#define MAX_OUTPUTS 32

struct _GstOrchPythonFunction
{
  GstOrchFunction parent;

  /* Object lock. */
  gchar *module;
  gchar *class_name;
  gchar *python;
  gchar *init_args;
  gchar *init_kwargs;
  gchar *run_kwargs;
  guint n_outputs;
};

enum
{
  PROP_0,
  PROP_MODULE,
  PROP_CLASS,
  PROP_PYTHON,
  PROP_INIT_ARGS,
  PROP_INIT_KWARGS,
  PROP_RUN_KWARGS,
  PROP_OUTPUTS,
};

G_DEFINE_FINAL_TYPE (GstOrchPythonFunction, gst_orch_python_function,
    GST_TYPE_ORCH_FUNCTION);

/* ---- the program ---- */

static gchar *plugin_folder;

void
gst_orch_python_set_plugin_folder (const gchar * folder)
{
  gchar *real = folder ? realpath (folder, NULL) : NULL;

  plugin_folder = g_strdup (real);
  free (real);
}

/* (transfer full) (nullable): the package's folder, installed anywhere, or in the
 * tree where it was built */
static gchar *
find_package (GError ** error)
{
  const gchar *named = g_getenv ("GST_ORCH_PYTHON");
  g_autofree gchar *folder = NULL, *package = NULL;

  if (named) {
    folder = g_strdup (named);
  } else if (plugin_folder
      && g_str_has_suffix (plugin_folder, GST_ORCH_PLUGIN_FOLDER)) {
    g_autofree gchar *prefix = g_strndup (plugin_folder,
        strlen (plugin_folder) - strlen (GST_ORCH_PLUGIN_FOLDER));

    folder = g_build_filename (prefix, GST_ORCH_PYTHON_FOLDER, NULL);
  } else if (plugin_folder) {
    folder = g_canonicalize_filename ("../../python", plugin_folder);
  }
  package = folder ? g_build_filename (folder, "gst_orch", NULL) : NULL;
  if (package && g_file_test (package, G_FILE_TEST_IS_DIR))
    return g_steal_pointer (&folder);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
      "its Python side, the package gst_orch, is not in %s; install it, or name "
      "the folder that it is in with the environment variable GST_ORCH_PYTHON",
      folder ? folder : "a place that is known");
  return NULL;
}

static gchar *
find_interpreter (const gchar * python, GError ** error)
{
  gchar *program = g_find_program_in_path (python);

  if (!program)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
        "there is no Python interpreter \"%s\"; install it, or set the property "
        "python to one, such as /path/to/venv/bin/python", python);
  return program;
}

static gboolean
is_complete (GstOrchPythonFunction * self, GError ** error)
{
  const gchar *missing = !self->module ? "module" :
      !self->class_name ? "class" : NULL;

  if (missing)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
        "what to run is not known: set its property %s, as in module=my.py "
        "class=Words", missing);
  return !missing;
}

/* (nullable): the library's file, which a worker that is to be confined loads */
static const gchar *
find_library (void)
{
  Dl_info info;

  return dladdr ((gconstpointer) gst_orch_function_get_type, &info) ?
      info.dli_fname : NULL;
}

/* The folder is what the interpreter runs: its __main__.py is the worker. */
static gchar **
get_worker (GstOrchFunction * function, GError ** error)
{
  GstOrchPythonFunction *self = GST_ORCH_PYTHON_FUNCTION (function);
  g_autofree gchar *program = NULL, *folder = NULL, *python = NULL;
  gboolean ok;

  GST_OBJECT_LOCK (self);
  ok = is_complete (self, error);
  python = g_strdup (self->python);
  GST_OBJECT_UNLOCK (self);
  if (!ok)
    return NULL;
  program = find_interpreter (python, error);
  folder = program ? find_package (error) : NULL;
  if (!folder)
    return NULL;
  return g_strdupv ((gchar *[]) { program, folder,
        (gchar *) find_library (), NULL });
}

static guint
get_n_outputs (GstOrchFunction * function)
{
  GstOrchPythonFunction *self = GST_ORCH_PYTHON_FUNCTION (function);
  guint n;

  GST_OBJECT_LOCK (self);
  n = self->n_outputs;
  GST_OBJECT_UNLOCK (self);
  return n;
}

/* ---- properties ---- */

static gchar **
find_text (GstOrchPythonFunction * self, guint id)
{
  switch (id) {
    case PROP_MODULE:
      return &self->module;
    case PROP_CLASS:
      return &self->class_name;
    case PROP_PYTHON:
      return &self->python;
    case PROP_INIT_ARGS:
      return &self->init_args;
    case PROP_INIT_KWARGS:
      return &self->init_kwargs;
    case PROP_RUN_KWARGS:
      return &self->run_kwargs;
    default:
      return NULL;
  }
}

static void
set_text (gchar ** text, const GValue * value, GParamSpec * pspec)
{
  g_free (*text);
  *text = g_value_dup_string (value);
  if (!*text)
    *text = g_strdup (G_PARAM_SPEC_STRING (pspec)->default_value);
}

static void
gst_orch_python_function_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchPythonFunction *self = GST_ORCH_PYTHON_FUNCTION (object);
  gchar **text = find_text (self, id);

  GST_OBJECT_LOCK (self);
  if (text)
    set_text (text, value, pspec);
  else if (id == PROP_OUTPUTS)
    self->n_outputs = g_value_get_uint (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_python_function_get_property (GObject * object, guint id,
    GValue * value, GParamSpec * pspec)
{
  GstOrchPythonFunction *self = GST_ORCH_PYTHON_FUNCTION (object);
  gchar **text = find_text (self, id);

  GST_OBJECT_LOCK (self);
  if (text)
    g_value_set_string (value, *text);
  else if (id == PROP_OUTPUTS)
    g_value_set_uint (value, self->n_outputs);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_python_function_finalize (GObject * object)
{
  GstOrchPythonFunction *self = GST_ORCH_PYTHON_FUNCTION (object);
  guint id;

  for (id = PROP_MODULE; id <= PROP_RUN_KWARGS; id++)
    g_free (*find_text (self, id));
  G_OBJECT_CLASS (gst_orch_python_function_parent_class)->finalize (object);
}

static void
install_text (GObjectClass * klass, guint id, const gchar * name,
    const gchar * nick, const gchar * blurb, const gchar * fallback,
    GParamFlags flags)
{
  g_object_class_install_property (klass, id, g_param_spec_string (name, nick,
          blurb, fallback, flags | G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
}

static void
install_properties (GObjectClass * klass)
{
  install_text (klass, PROP_MODULE, "module", "Module",
      "Python file (my.py), or name of a module on the Python path "
      "(package.module)", NULL, GST_PARAM_MUTABLE_READY);
  install_text (klass, PROP_CLASS, "class", "Class",
      "Class of the module, with a method run(batch), or a function", NULL,
      GST_PARAM_MUTABLE_READY);
  install_text (klass, PROP_PYTHON, "python", "Python",
      "Interpreter, of a virtual environment perhaps: a path, or a name that is "
      "looked for in PATH", DEFAULT_PYTHON, GST_PARAM_MUTABLE_READY);
  install_text (klass, PROP_INIT_ARGS, "init-args", "Arguments of __init__",
      "Positional arguments of the class, as a JSON array", "[]",
      GST_PARAM_MUTABLE_READY);
  install_text (klass, PROP_INIT_KWARGS, "init-kwargs",
      "Keyword arguments of __init__",
      "Keyword arguments of the class, as a JSON object", "{}",
      GST_PARAM_MUTABLE_READY);
  install_text (klass, PROP_RUN_KWARGS, "run-kwargs",
      "Keyword arguments of run",
      "Keyword arguments of each run, beside the values, as a JSON object", "{}",
      GST_PARAM_MUTABLE_PLAYING);
  g_object_class_install_property (klass, PROP_OUTPUTS,
      g_param_spec_uint ("outputs", "Outputs",
          "Number of outputs: with more than one, run returns a tuple of as "
          "many lists, which leave at the pads src, src_1, ...", 1,
          MAX_OUTPUTS, 1, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_READY));
}

static void
gst_orch_python_function_class_init (GstOrchPythonFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);
  guint i;

  object_class->set_property = gst_orch_python_function_set_property;
  object_class->get_property = gst_orch_python_function_get_property;
  object_class->finalize = gst_orch_python_function_finalize;
  install_properties (object_class);

  function_class->get_worker = get_worker;
  function_class->get_n_outputs = get_n_outputs;
  gst_orch_function_class_set_metadata (function_class, "Python Function",
      "Runs a class in Python over batches of values, in processes of its own",
      "the gst-orch authors");
  gst_orch_function_class_set_can_group_fail (function_class, TRUE);
  gst_orch_function_class_set_trusted (function_class, TRUE);
  for (i = 1; i < MAX_OUTPUTS; i++) {
    g_autofree gchar *name = g_strdup_printf ("outputs[%u]", i);

    gst_orch_function_class_add_output (function_class, name,
        gst_caps_new_any ());
  }
}

static void
gst_orch_python_function_init (GstOrchPythonFunction * self)
{
  self->python = g_strdup (DEFAULT_PYTHON);
  self->init_args = g_strdup ("[]");
  self->init_kwargs = g_strdup ("{}");
  self->run_kwargs = g_strdup ("{}");
  self->n_outputs = 1;
}
