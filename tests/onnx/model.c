/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* A model is loaded once, by whoever comes first, for all who ask for the same. */

#include "onnxmodel.h"

#include <glib/gstdio.h>

#define N_THREADS 8

static gchar *
model_path (const gchar * name)
{
  return g_strdup_printf ("%s/%s.onnx", g_getenv ("ORCH_TEST_MODELS"), name);
}

static OnnxModel *
open_model (const gchar * path, gint n_threads)
{
  OnnxModelOptions options = { path, ONNX_PROVIDER_CPU, n_threads };
  GError *error = NULL;
  OnnxModel *model = onnx_model_open (&options, &error);

  g_assert_no_error (error);
  return model;
}

static void
test_shared (void)
{
  g_autofree gchar *path = model_path ("features");
  g_autofree gchar *folder = g_path_get_dirname (path);
  g_autofree gchar *detour = g_strdup_printf ("%s/./features.onnx", folder);
  OnnxModel *first = open_model (path, 1), *second = open_model (detour, 1);
  OnnxModel *other = open_model (path, 2);

  g_assert_true (first == second);
  g_assert_true (first != other);
  onnx_model_unref (first);
  /* The second has it still. */
  g_assert_cmpuint (onnx_model_get_n_inputs (second), ==, 1);
  g_assert_cmpstr (onnx_model_get_output (second, 0)->name, ==, "y");
  onnx_model_unref (second);
  onnx_model_unref (other);
}

static gpointer
open_in_thread (gpointer path)
{
  return open_model (path, 1);
}

static void
test_threads (void)
{
  g_autofree gchar *path = model_path ("features");
  guint round, i;

  for (round = 0; round < 20; round++) {
    GThread *threads[N_THREADS];
    OnnxModel *models[N_THREADS];

    for (i = 0; i < N_THREADS; i++)
      threads[i] = g_thread_new ("open", open_in_thread, path);
    for (i = 0; i < N_THREADS; i++)
      models[i] = g_thread_join (threads[i]);
    for (i = 0; i < N_THREADS; i++) {
      g_assert_true (models[i] == models[0]);
      g_assert_cmpuint (onnx_model_get_n_outputs (models[i]), ==, 1);
    }
    for (i = 0; i < N_THREADS; i++)
      onnx_model_unref (models[i]);
  }
}

static void
copy (const gchar * name, const gchar * path)
{
  g_autofree gchar *from = model_path (name), *content = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (from, &content, &size, NULL));
  g_assert_true (g_file_set_contents (path, content, size, NULL));
}

/* Another file of the same name is another model, also while the first is in use. */
static void
test_replaced (void)
{
  g_autofree gchar *folder = g_dir_make_tmp ("orch-onnx-XXXXXX", NULL);
  g_autofree gchar *path = g_build_filename (folder, "model.onnx", NULL);
  OnnxModel *first, *second;

  copy ("features", path);
  first = open_model (path, 1);
  copy ("two-outputs", path);
  second = open_model (path, 1);
  g_assert_cmpuint (onnx_model_get_n_outputs (first), ==, 1);
  g_assert_cmpuint (onnx_model_get_n_outputs (second), ==, 2);
  onnx_model_unref (first);
  onnx_model_unref (second);
  g_unlink (path);
  g_rmdir (folder);
}

/* All threads hear of it, and it is tried again the next time. */
static gpointer
fail_in_thread (gpointer path)
{
  OnnxModelOptions options = { path, ONNX_PROVIDER_CPU, 1 };
  GError *error = NULL;

  g_assert_null (onnx_model_open (&options, &error));
  g_assert_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED);
  g_error_free (error);
  return NULL;
}

static void
test_failure (void)
{
  g_autofree gchar *path = model_path ("corrupt");
  GThread *threads[N_THREADS];
  guint i;

  for (i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("fail", fail_in_thread, path);
  for (i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/onnx-model/shared", test_shared);
  g_test_add_func ("/onnx-model/threads", test_threads);
  g_test_add_func ("/onnx-model/replaced", test_replaced);
  g_test_add_func ("/onnx-model/failure", test_failure);
  return g_test_run ();
}
