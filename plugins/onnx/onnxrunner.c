/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "onnxrunner.h"

#include "tensorfill.h"

#include <string.h>

/* More than one: an output that has no batch dimension is seen. */
#define N_PROBES 2

struct _OnnxRunner
{
  OnnxModel *model;
  OrtMemoryInfo *memory_info;
  TensorFormat format;
  TensorFiller *filler;
  gint64 batch_size;            /* 0: any */

  guint8 *tensor;
  gsize n_places;               /* images for which there is memory */
  guint n_images;

  guint first_output;
  GArray *values;               /* of OnnxValue: one for each output */
  GPtrArray *results;           /* of OrtValue, or NULL */
};

static void
release_result (gpointer value)
{
  onnx_api_get (NULL)->ReleaseValue (value);
}

/* ---- running ---- */

static gboolean
make_room (OnnxRunner * runner, gsize n_images, GError ** error)
{
  gsize size = tensor_format_get_size (&runner->format);
  gsize n_places = MAX (n_images, 2 * runner->n_places);
  guint8 *tensor;

  if (n_images <= runner->n_places)
    return TRUE;
  tensor = g_try_realloc_n (runner->tensor, n_places, size);
  if (!tensor) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
        "There is no memory for a batch of %" G_GSIZE_FORMAT " x %"
        G_GSIZE_FORMAT " bytes.", n_places, size);
    return FALSE;
  }
  runner->tensor = tensor;
  runner->n_places = n_places;
  return TRUE;
}

static OrtValue *
wrap_images (OnnxRunner * runner, gint64 n_images, GError ** error)
{
  const OrtApi *api = onnx_api_get (NULL);
  const TensorFormat *format = &runner->format;
  gint64 channels = tensor_format_get_n_channels (format);
  gint64 nchw[] = { n_images, channels, format->height, format->width };
  gint64 nhwc[] = { n_images, format->height, format->width, channels };
  OrtValue *value = NULL;

  onnx_api_check (api->CreateTensorWithDataAsOrtValue (runner->memory_info,
          runner->tensor, n_images * tensor_format_get_size (format),
          format->is_nhwc ? nhwc : nchw, 4,
          onnx_model_get_input (runner->model, 0)->type, &value),
      "The batch", error);
  return value;
}

/* On the first `n_images` places. */
static gboolean
run (OnnxRunner * runner, gint64 n_images, GError ** error)
{
  OrtValue *input = wrap_images (runner, n_images, error);
  guint n = runner->values->len;
  gboolean done;

  if (!input)
    return FALSE;
  g_ptr_array_set_size (runner->results, 0);
  g_ptr_array_set_size (runner->results, n);
  done = onnx_model_run (runner->model, input, runner->first_output, n,
      (OrtValue **) runner->results->pdata, error);
  onnx_api_get (NULL)->ReleaseValue (input);
  return done;
}

/* ---- what comes out ---- */

static gboolean
read_result (OnnxRunner * runner, guint output, OnnxValue * value,
    GError ** error)
{
  const OrtApi *api = onnx_api_get (NULL);
  OrtValue *result = g_ptr_array_index (runner->results, output);
  OrtTensorTypeAndShapeInfo *info = NULL;
  gboolean done;

  if (!onnx_api_check (api->GetTensorTypeAndShape (result, &info),
          value->name, error))
    return FALSE;
  done = onnx_value_read_shape (value, info, error);
  api->ReleaseTensorTypeAndShapeInfo (info);
  return done;
}

static void
refuse (OnnxRunner * runner, const OnnxValue * value, const gchar * expected,
    GError ** error)
{
  g_autofree gchar *found = onnx_value_describe (value, "output");

  g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      "The model '%s' gives %s; expected %s.",
      onnx_model_get_path (runner->model), found, expected);
}

/* What it does with images that are all 0. */
static gboolean
probe (OnnxRunner * runner, GError ** error)
{
  gint64 n = runner->batch_size > 0 ? runner->batch_size : N_PROBES;
  guint i;

  if (!make_room (runner, n, error))
    return FALSE;
  memset (runner->tensor, 0, n * tensor_format_get_size (&runner->format));
  if (!run (runner, n, error))
    return FALSE;
  for (i = 0; i < runner->values->len; i++) {
    OnnxValue *value = &g_array_index (runner->values, OnnxValue, i);

    if (!read_result (runner, i, value, error))
      return FALSE;
    if (value->rank == 0 || value->shape[0] != n) {
      g_autofree gchar *expected = g_strdup_printf ("%" G_GINT64_FORMAT
          " in the first dimension, one for each image of the batch", n);

      refuse (runner, value, expected, error);
      return FALSE;
    }
    value->shape[0] = -1;
    if (onnx_value_count (value) == 0) {
      refuse (runner, value, "at least one number for each image", error);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
is_as_probed (const OnnxValue * value, const OnnxValue * probed, gint64 n)
{
  guint i;

  if (value->rank != probed->rank || value->shape[0] != n)
    return FALSE;
  for (i = 1; i < value->rank; i++)
    if (value->shape[i] != probed->shape[i])
      return FALSE;
  return TRUE;
}

static gboolean
check_results (OnnxRunner * runner, gint64 n, GError ** error)
{
  guint i;

  for (i = 0; i < runner->values->len; i++) {
    const OnnxValue *probed = onnx_runner_get_output (runner, i);
    OnnxValue value = *probed;

    if (!read_result (runner, i, &value, error))
      return FALSE;
    if (!is_as_probed (&value, probed, n)) {
      g_autofree gchar *expected = onnx_value_describe (probed, "the shape of");

      refuse (runner, &value, expected, error);
      return FALSE;
    }
  }
  return TRUE;
}

/* ---- the batch ---- */

gboolean
onnx_runner_add (OnnxRunner * runner, const FrameImage * image,
    GError ** error)
{
  g_return_val_if_fail (!onnx_runner_is_full (runner), FALSE);

  if (!make_room (runner, runner->n_images + 1, error))
    return FALSE;
  tensor_filler_fill (runner->filler, image, runner->tensor
      + runner->n_images * tensor_format_get_size (&runner->format));
  runner->n_images++;
  return TRUE;
}

gboolean
onnx_runner_is_full (OnnxRunner * runner)
{
  return runner->batch_size > 0 && runner->n_images >= runner->batch_size;
}

void
onnx_runner_clear (OnnxRunner * runner)
{
  runner->n_images = 0;
}

gboolean
onnx_runner_run (OnnxRunner * runner, GError ** error)
{
  gsize size = tensor_format_get_size (&runner->format);
  gint64 n = runner->batch_size > 0 ? runner->batch_size : runner->n_images;

  /* What was left there by others must not matter. */
  memset (runner->tensor + runner->n_images * size, 0,
      (n - runner->n_images) * size);
  runner->n_images = 0;
  return run (runner, n, error) && check_results (runner, n, error);
}

guint
onnx_runner_get_n_outputs (OnnxRunner * runner)
{
  return runner->values->len;
}

const OnnxValue *
onnx_runner_get_output (OnnxRunner * runner, guint output)
{
  return &g_array_index (runner->values, OnnxValue, output);
}

gconstpointer
onnx_runner_get_result (OnnxRunner * runner, guint output, guint image)
{
  const OnnxValue *value = onnx_runner_get_output (runner, output);
  gpointer data = NULL;

  onnx_api_check (onnx_api_get (NULL)->GetTensorMutableData (g_ptr_array_index
          (runner->results, output), &data), value->name, NULL);
  return (guint8 *) data
      + image * onnx_value_count (value) * onnx_type_get_size (value->type);
}

/* ---- making one ---- */

static gboolean
choose_outputs (OnnxRunner * runner, const gchar * name, gboolean is_single,
    GError ** error)
{
  gint n = onnx_model_get_n_outputs (runner->model), i;
  gint found = name ? onnx_model_find_output (runner->model, name) : 0;

  if (found < 0) {
    g_autofree gchar *all = onnx_model_describe_outputs (runner->model);

    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "The model '%s' has no output '%s'; it has %s.",
        onnx_model_get_path (runner->model), name, all);
    return FALSE;
  }
  runner->first_output = found;
  for (i = found; i < (name || is_single ? found + 1 : n); i++) {
    OnnxValue value = *onnx_model_get_output (runner->model, i);

    if (!onnx_type_get_name (value.type)) {
      refuse (runner, &value, "a tensor of numbers", error);
      return FALSE;
    }
    value.name = g_strdup (value.name);
    g_array_append_val (runner->values, value);
  }
  return TRUE;
}

OnnxRunner *
onnx_runner_new (OnnxModel * model, const OnnxInputSettings * settings,
    const gchar * output_name, gboolean is_single, GError ** error)
{
  g_autoptr (OnnxRunner) runner = g_new0 (OnnxRunner, 1);

  runner->model = model;
  runner->values = g_array_new (FALSE, TRUE, sizeof (OnnxValue));
  g_array_set_clear_func (runner->values, (GDestroyNotify) onnx_value_clear);
  runner->results = g_ptr_array_new_with_free_func (release_result);
  if (!onnx_api_check (onnx_api_get (NULL)->CreateCpuMemoryInfo
          (OrtArenaAllocator, OrtMemTypeDefault, &runner->memory_info),
          "ONNX Runtime", error)
      || !onnx_input_plan (model, settings, &runner->format,
          &runner->batch_size, error)
      || !choose_outputs (runner, output_name, is_single, error)
      || !probe (runner, error))
    return NULL;
  runner->filler = tensor_filler_new (&runner->format);
  return g_steal_pointer (&runner);
}

void
onnx_runner_free (OnnxRunner * runner)
{
  if (runner->memory_info)
    onnx_api_get (NULL)->ReleaseMemoryInfo (runner->memory_info);
  g_clear_pointer (&runner->filler, tensor_filler_free);
  g_ptr_array_unref (runner->results);
  g_array_unref (runner->values);
  g_free (runner->tensor);
  onnx_model_unref (runner->model);
  g_free (runner);
}
