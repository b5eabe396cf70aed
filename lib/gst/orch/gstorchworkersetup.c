/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchfunction-private.h"
#include "gstorchworker-private.h"

#include <gio/gio.h>
#include <unistd.h>

/* So long a worker may not listen. */
#define PATIENCE 10000

static gboolean
goes_along (GParamSpec * pspec)
{
  return pspec->owner_type != GST_TYPE_OBJECT
      && (pspec->flags & G_PARAM_READWRITE) == G_PARAM_READWRITE
      && !(pspec->flags & G_PARAM_CONSTRUCT_ONLY);
}

/* A property that is as it is in a new Function need not be said. */
static gboolean
put_property (GByteArray * body, GstOrchFunction * function,
    GParamSpec * pspec, gboolean only_changed)
{
  GValue value = G_VALUE_INIT;
  guint begin = body->len;
  gboolean ok = FALSE;

  g_value_init (&value, pspec->value_type);
  g_object_get_property (G_OBJECT (function), pspec->name, &value);
  if (!only_changed || !g_param_value_defaults (pspec, &value)) {
    gst_orch_put_string (body, pspec->name);
    ok = gst_orch_put_value (body, &value);
    if (!ok)
      g_byte_array_set_size (body, begin);
  }
  g_value_unset (&value);
  return ok;
}

static void
put_properties (GByteArray * body, GstOrchFunction * function,
    gboolean only_changed)
{
  guint i, n;
  GParamSpec **pspecs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (function), &n);

  for (i = 0; i < n; i++)
    if (goes_along (pspecs[i]))
      put_property (body, function, pspecs[i], only_changed);
  gst_orch_put_string (body, NULL);
  g_free (pspecs);
}

/* (transfer full): the file of the plugin that has the Function */
static gchar *
find_plugin (const gchar * name, GError ** error)
{
  GstPluginFeature *feature = name ? gst_orch_function_find (name) : NULL;
  GstPlugin *plugin = feature ? gst_plugin_feature_get_plugin (feature) : NULL;
  gchar *filename = plugin ? g_strdup (gst_plugin_get_filename (plugin)) : NULL;

  if (!filename)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
        "its Function is not in a plugin file, so another process cannot load "
        "it; use workers=thread");
  if (plugin)
    gst_object_unref (plugin);
  if (feature)
    gst_object_unref (feature);
  return filename;
}

gboolean
gst_orch_worker_send_setup (GstOrchWorker * worker, GError ** error)
{
  GstOrchReplica *replica = worker->replica;
  const GstOrchFunctionTraits *traits = gst_orch_function_class_get_traits
      (GST_ORCH_FUNCTION_GET_CLASS (replica->function));
  g_autofree gchar *filename = find_plugin (traits->name, error);
  GByteArray *body;
  gboolean ok;

  if (!filename)
    return FALSE;
  body = g_byte_array_new ();
  gst_orch_put_u32 (body, getpid ());
  gst_orch_put_string (body, filename);
  gst_orch_put_string (body, traits->name);
  gst_orch_put_u8 (body, replica->call->confine);
  worker->serial = g_atomic_int_get (&replica->call->function_serial);
  put_properties (body, replica->function, TRUE);
  ok = gst_orch_link_send (&worker->inbox, GST_ORCH_SAY_SETUP, 0, body, NULL,
      PATIENCE, error);
  g_byte_array_unref (body);
  return ok;
}

gboolean
gst_orch_worker_has_properties (GstOrchWorker * worker)
{
  return worker->serial ==
      (guint) g_atomic_int_get (&worker->replica->call->function_serial);
}

gboolean
gst_orch_worker_send_properties (GstOrchWorker * worker, GError ** error)
{
  guint serial =
      g_atomic_int_get (&worker->replica->call->function_serial);
  GByteArray *body;
  gboolean ok;

  if (worker->serial == serial)
    return TRUE;
  worker->serial = serial;
  body = g_byte_array_new ();
  put_properties (body, worker->replica->function, FALSE);
  ok = gst_orch_link_send (&worker->inbox, GST_ORCH_SAY_PROPERTIES, 0, body, NULL,
      PATIENCE, error);
  g_byte_array_unref (body);
  return ok;
}
