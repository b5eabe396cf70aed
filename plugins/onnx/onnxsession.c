/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "onnxsession.h"

#define CUDA "CUDAExecutionProvider"

/* What this ONNX Runtime was built with. */
static GStrv
list_providers (const OrtApi * api, GError ** error)
{
  char **names = NULL;
  GStrv list;
  gint n = 0, i;

  if (!onnx_api_check (api->GetAvailableProviders (&names, &n),
          "ONNX Runtime's providers", error))
    return NULL;
  list = g_new0 (gchar *, n + 1);
  for (i = 0; i < n; i++)
    list[i] = g_strdup (names[i]);
  onnx_api_check (api->ReleaseAvailableProviders (names, n),
      "ONNX Runtime's providers", NULL);
  return list;
}

static gboolean
append_cuda (const OrtApi * api, OrtSessionOptions * session, GError ** error)
{
  OrtCUDAProviderOptionsV2 *cuda = NULL;
  gboolean done;

  if (!onnx_api_check (api->CreateCUDAProviderOptions (&cuda),
          "ONNX Runtime's provider for CUDA", error))
    return FALSE;
  done = onnx_api_check (api->SessionOptionsAppendExecutionProvider_CUDA_V2
      (session, cuda), "ONNX Runtime's provider for CUDA", error);
  api->ReleaseCUDAProviderOptions (cuda);
  return done;
}

static gboolean
choose_provider (const OrtApi * api, OrtSessionOptions * session,
    OnnxProvider provider, GError ** error)
{
  g_auto (GStrv) providers = NULL;
  g_autofree gchar *known = NULL;

  if (provider == ONNX_PROVIDER_CPU)
    return TRUE;
  providers = list_providers (api, error);
  if (!providers)
    return FALSE;
  if (g_strv_contains ((const gchar * const *) providers, CUDA))
    /* A machine without a GPU is a reason for auto to go on without. */
    return append_cuda (api, session,
        provider == ONNX_PROVIDER_AUTO ? NULL : error)
        || provider == ONNX_PROVIDER_AUTO;
  if (provider == ONNX_PROVIDER_AUTO)
    return TRUE;
  known = g_strjoinv (", ", providers);
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      "This ONNX Runtime has no %s, only %s: use provider=cpu, or a library "
      "that was built for CUDA.", CUDA, known);
  return FALSE;
}

static gboolean
set_options (const OrtApi * api, OrtSessionOptions * session,
    const OnnxModelOptions * options, GError ** error)
{
  return onnx_api_check (api->SetIntraOpNumThreads (session,
          options->n_threads), "threads", error)
      && choose_provider (api, session, options->provider, error);
}

OrtSession *
onnx_session_new (const OnnxModelOptions * options, GError ** error)
{
  OrtEnv *environment = onnx_api_get_environment (error);
  g_autofree gchar *what = NULL;
  OrtSessionOptions *wanted = NULL;
  OrtSession *session = NULL;
  const OrtApi *api;

  if (!environment)
    return NULL;
  api = onnx_api_get (error);
  if (!onnx_api_check (api->CreateSessionOptions (&wanted), "ONNX Runtime",
          error))
    return NULL;
  what = g_strdup_printf ("'%s' is no model that ONNX Runtime %s can use",
      options->path, OrtGetApiBase ()->GetVersionString ());
  if (set_options (api, wanted, options, error)
      && !onnx_api_check (api->CreateSession (environment, options->path,
              wanted, &session), what, error))
    session = NULL;
  api->ReleaseSessionOptions (wanted);
  return session;
}
