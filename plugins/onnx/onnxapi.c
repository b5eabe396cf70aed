/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "onnxapi.h"

GST_DEBUG_CATEGORY_STATIC (onnx_api_debug);
#define GST_CAT_DEFAULT onnx_api_debug

static void ORT_API_CALL
on_message (void *param, OrtLoggingLevel severity, const char *category,
    const char *id, const char *location, const char *message)
{
  if (severity >= ORT_LOGGING_LEVEL_WARNING)
    GST_WARNING ("%s", message);
  else
    GST_LOG ("%s", message);
}

const OrtApi *
onnx_api_get (GError ** error)
{
  const OrtApiBase *base = OrtGetApiBase ();
  /* It prints, too, when it has to say no. */
  const OrtApi *api = base->GetApi (ORT_API_VERSION);

  if (!api)
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "ONNX Runtime is %s, but 1.%d or later is needed.",
        base->GetVersionString (), ORT_API_VERSION);
  return api;
}

gboolean
onnx_api_check (OrtStatus * status, const gchar * what, GError ** error)
{
  const OrtApi *api = OrtGetApiBase ()->GetApi (ORT_API_VERSION);
  g_autofree gchar *message = NULL;

  if (!status)
    return TRUE;
  message = g_strchomp (g_strdup (api->GetErrorMessage (status)));
  g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED, "%s: %s",
      what, message);
  api->ReleaseStatus (status);
  return FALSE;
}

OrtEnv *
onnx_api_get_environment (GError ** error)
{
  static GMutex lock;
  static OrtEnv *environment;
  const OrtApi *api = onnx_api_get (error);

  if (!api)
    return NULL;
  g_mutex_lock (&lock);
  if (!environment) {
    GST_DEBUG_CATEGORY_INIT (onnx_api_debug, "orchonnx", 0, "ONNX models");
    onnx_api_check (api->CreateEnvWithCustomLogger (on_message, NULL,
            ORT_LOGGING_LEVEL_WARNING, "orchonnx", &environment),
        "ONNX Runtime does not start", error);
  }
  g_mutex_unlock (&lock);
  return environment;
}
