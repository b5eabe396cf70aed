/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "onnxmodel.h"

#include "onnxsession.h"

#include <errno.h>
#include <glib/gstdio.h>

struct _OnnxModel
{
  gint ref_count;               /* protected by models_lock */
  gchar *key;
  gchar *path;

  GMutex lock;                  /* who loads it; the others wait */
  OrtSession *session;          /* NULL: not yet, or it cannot be */
  GArray *inputs;               /* of OnnxValue */
  GArray *outputs;
  gchar **input_names;
  gchar **output_names;
};

/* key -> OnnxModel, without a reference */
static GMutex models_lock;
static GHashTable *models;

GType
onnx_provider_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {ONNX_PROVIDER_AUTO, "CUDA if ONNX Runtime has it, else CPU", "auto"},
    {ONNX_PROVIDER_CPU, "Processor", "cpu"},
    {ONNX_PROVIDER_CUDA, "NVIDIA GPU", "cuda"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchOnnxProvider", values));
  return type;
}

/* ---- what the file says ---- */

typedef OrtStatus *(ORT_API_CALL * GetInfo) (const OrtSession * session,
    size_t index, OrtTypeInfo ** info);
typedef OrtStatus *(ORT_API_CALL * GetName) (const OrtSession * session,
    size_t index, OrtAllocator * allocator, char **name);

static gboolean
read_value (OnnxModel * model, GetName get_name, GetInfo get_info, guint index,
    OnnxValue * value, GError ** error)
{
  const OrtApi *api = onnx_api_get (NULL);
  const OrtTensorTypeAndShapeInfo *tensor = NULL;
  OrtAllocator *allocator = NULL;
  OrtTypeInfo *info = NULL;
  char *name = NULL;
  gboolean done;

  if (!onnx_api_check (api->GetAllocatorWithDefaultOptions (&allocator),
          model->path, error)
      || !onnx_api_check (get_name (model->session, index, allocator, &name),
          model->path, error))
    return FALSE;
  value->name = g_strdup (name);
  onnx_api_check (api->AllocatorFree (allocator, name), model->path, NULL);
  if (!onnx_api_check (get_info (model->session, index, &info), model->path,
          error))
    return FALSE;
  done = onnx_api_check (api->CastTypeInfoToTensorInfo (info, &tensor),
      model->path, error);
  if (done && tensor)
    done = onnx_value_read_shape (value, tensor, error);
  api->ReleaseTypeInfo (info);
  return done;
}

static gboolean
read_values (OnnxModel * model, gsize n, GetName get_name, GetInfo get_info,
    GArray * values, gchar *** names, GError ** error)
{
  gsize i;

  *names = g_new0 (gchar *, n + 1);
  g_array_set_size (values, n);
  for (i = 0; i < n; i++) {
    OnnxValue *value = &g_array_index (values, OnnxValue, i);

    if (!read_value (model, get_name, get_info, i, value, error))
      return FALSE;
    (*names)[i] = g_strdup (value->name);
  }
  return TRUE;
}

static gboolean
describe_session (OnnxModel * model, GError ** error)
{
  const OrtApi *api = onnx_api_get (NULL);
  gsize n_inputs = 0, n_outputs = 0;

  return onnx_api_check (api->SessionGetInputCount (model->session, &n_inputs),
      model->path, error)
      && onnx_api_check (api->SessionGetOutputCount (model->session,
          &n_outputs), model->path, error)
      && read_values (model, n_inputs, api->SessionGetInputName,
      api->SessionGetInputTypeInfo, model->inputs, &model->input_names, error)
      && read_values (model, n_outputs, api->SessionGetOutputName,
      api->SessionGetOutputTypeInfo, model->outputs, &model->output_names,
      error);
}

/* ---- sharing ---- */

gboolean
onnx_model_find (const gchar * path, GError ** error)
{
  GStatBuf about;

  if (!path || !*path) {
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "There is no model: set model=FILE.onnx.");
    return FALSE;
  }
  if (g_stat (path, &about) != 0) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "The model '%s' cannot be opened: %s.", path, g_strerror (errno));
    return FALSE;
  }
  if (!S_ISREG (about.st_mode)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "The model '%s' is no file.", path);
    return FALSE;
  }
  return TRUE;
}

/* A file that was replaced is another model. */
static gchar *
make_key (const OnnxModelOptions * options)
{
  g_autofree gchar *path = g_canonicalize_filename (options->path, NULL);
  GStatBuf about = { 0, };

  g_stat (path, &about);
  return g_strdup_printf ("%d %d %" G_GINT64_FORMAT ".%ld %" G_GINT64_FORMAT
      " %s", options->provider, options->n_threads,
      (gint64) about.st_mtim.tv_sec, about.st_mtim.tv_nsec,
      (gint64) about.st_size, path);
}

static OnnxModel *
find_or_add (const OnnxModelOptions * options)
{
  g_autofree gchar *key = make_key (options);
  OnnxModel *model;

  g_mutex_lock (&models_lock);
  if (!models)
    models = g_hash_table_new (g_str_hash, g_str_equal);
  model = g_hash_table_lookup (models, key);
  if (!model) {
    model = g_new0 (OnnxModel, 1);
    g_mutex_init (&model->lock);
    model->key = g_steal_pointer (&key);
    model->path = g_strdup (options->path);
    model->inputs = g_array_new (FALSE, TRUE, sizeof (OnnxValue));
    model->outputs = g_array_new (FALSE, TRUE, sizeof (OnnxValue));
    g_array_set_clear_func (model->inputs, (GDestroyNotify) onnx_value_clear);
    g_array_set_clear_func (model->outputs, (GDestroyNotify) onnx_value_clear);
    g_hash_table_insert (models, model->key, model);
  }
  model->ref_count++;
  g_mutex_unlock (&models_lock);
  return model;
}

static void
unload (OnnxModel * model)
{
  if (model->session)
    onnx_api_get (NULL)->ReleaseSession (model->session);
  model->session = NULL;
  g_clear_pointer (&model->input_names, g_strfreev);
  g_clear_pointer (&model->output_names, g_strfreev);
  g_array_set_size (model->inputs, 0);
  g_array_set_size (model->outputs, 0);
}

static gboolean
load (OnnxModel * model, const OnnxModelOptions * options, GError ** error)
{
  gboolean done = TRUE;

  g_mutex_lock (&model->lock);
  if (!model->session) {
    model->session = onnx_session_new (options, error);
    done = model->session && describe_session (model, error);
    if (!done)
      unload (model);
  }
  g_mutex_unlock (&model->lock);
  return done;
}

OnnxModel *
onnx_model_open (const OnnxModelOptions * options, GError ** error)
{
  OnnxModel *model;

  if (!onnx_model_find (options->path, error))
    return NULL;
  model = find_or_add (options);
  if (load (model, options, error))
    return model;
  onnx_model_unref (model);
  return NULL;
}

void
onnx_model_unref (OnnxModel * model)
{
  gboolean is_last;

  g_mutex_lock (&models_lock);
  is_last = --model->ref_count == 0;
  if (is_last)
    g_hash_table_remove (models, model->key);
  g_mutex_unlock (&models_lock);
  if (!is_last)
    return;
  unload (model);
  g_array_unref (model->inputs);
  g_array_unref (model->outputs);
  g_mutex_clear (&model->lock);
  g_free (model->path);
  g_free (model->key);
  g_free (model);
}

/* ---- asking and running ---- */

const gchar *
onnx_model_get_path (OnnxModel * model)
{
  return model->path;
}

guint
onnx_model_get_n_inputs (OnnxModel * model)
{
  return model->inputs->len;
}

const OnnxValue *
onnx_model_get_input (OnnxModel * model, guint index)
{
  return &g_array_index (model->inputs, OnnxValue, index);
}

guint
onnx_model_get_n_outputs (OnnxModel * model)
{
  return model->outputs->len;
}

const OnnxValue *
onnx_model_get_output (OnnxModel * model, guint index)
{
  return &g_array_index (model->outputs, OnnxValue, index);
}

static gchar *
describe_values (GArray * values, const gchar * what)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < values->len; i++) {
    g_autofree gchar *value =
        onnx_value_describe (&g_array_index (values, OnnxValue, i), what);

    g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", value);
  }
  return g_string_free (text, FALSE);
}

gchar *
onnx_model_describe_inputs (OnnxModel * model)
{
  return describe_values (model->inputs, "input");
}

gchar *
onnx_model_describe_outputs (OnnxModel * model)
{
  return describe_values (model->outputs, "output");
}

gint
onnx_model_find_output (OnnxModel * model, const gchar * name)
{
  guint i;

  for (i = 0; i < model->outputs->len; i++)
    if (g_str_equal (model->output_names[i], name))
      return i;
  return -1;
}

gboolean
onnx_model_run (OnnxModel * model, const OrtValue * input, guint first,
    guint n_outputs, OrtValue ** outputs, GError ** error)
{
  const OrtApi *api = onnx_api_get (error);

  return api && onnx_api_check (api->Run (model->session, NULL,
          (const char *const *) model->input_names, &input, 1,
          (const char *const *) model->output_names + first, n_outputs,
          outputs), "The model fails", error);
}
