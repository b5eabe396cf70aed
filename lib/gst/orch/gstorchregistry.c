/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchcall-private.h"
#include "gstorchfunction-private.h"

#include <string.h>

/* The registry of Functions is GStreamer's own: each Function registers the
 * element generated for it, and the element factory's metadata, which the
 * plugin cache keeps, names the Function.  So a scan loads no plugin, and a
 * third party's Function is found by being on the plugin path. */

/* "pdf-render" -> "orchpdfrender" */
static gchar *
element_name (const gchar * name)
{
  GString *result = g_string_new ("orch");

  for (; *name; name++)
    if (*name != '-')
      g_string_append_c (result, *name);
  return g_string_free (result, FALSE);
}

static gboolean
is_valid_name (const gchar * name)
{
  return g_ascii_islower (name[0])
      && strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789-")
      == strlen (name);
}

/**
 * gst_orch_function_register:
 * @plugin: the plugin, in its init function
 * @name: name of the Function: lower case, digits and dashes ("pdf-render")
 * @type: a subclass of #GstOrchFunction
 *
 * Makes the Function known under @name, for `orchcall function=@name`, and
 * registers the element `orch@name` (without the dashes) that runs it.
 *
 * Returns: whether the element could be registered
 *
 * Since: 0.1
 */
gboolean
gst_orch_function_register (GstPlugin * plugin, const gchar * name, GType type)
{
  g_autofree gchar *element = NULL;

  g_return_val_if_fail (is_valid_name (name), FALSE);
  g_return_val_if_fail (g_type_is_a (type, GST_TYPE_ORCH_FUNCTION), FALSE);

  element = element_name (name);
  return gst_element_register (plugin, element, GST_RANK_NONE,
      gst_orch_generated_get_type (type, name));
}

static const gchar *
get_function_name (GstPluginFeature * feature)
{
  return gst_element_factory_get_metadata (GST_ELEMENT_FACTORY (feature),
      GST_ORCH_METADATA_FUNCTION);
}

static gboolean
runs_function (GstPluginFeature * feature, gpointer name)
{
  return GST_IS_ELEMENT_FACTORY (feature)
      && get_function_name (feature)
      && (!name || g_str_equal (get_function_name (feature), name));
}

GstPluginFeature *
gst_orch_function_find (const gchar * name)
{
  GList *factories = gst_registry_feature_filter (gst_registry_get (),
      runs_function, TRUE, (gpointer) name);
  GstPluginFeature *feature =
      factories ? gst_object_ref (factories->data) : NULL;

  gst_plugin_feature_list_free (factories);
  return feature;
}

/**
 * gst_orch_function_make:
 * @name: name of a registered Function
 *
 * Loads the plugin that has the Function, if need be.
 *
 * Returns: (transfer full) (nullable): a new instance, %NULL if there is no
 *   such Function
 *
 * Since: 0.1
 */
GstOrchFunction *
gst_orch_function_make (const gchar * name)
{
  GstPluginFeature *feature = gst_orch_function_find (name);
  GstPluginFeature *loaded = NULL;
  GstOrchFunction *function = NULL;

  if (feature)
    loaded = gst_plugin_feature_load (feature);
  if (loaded) {
    GType type =
        gst_element_factory_get_element_type (GST_ELEMENT_FACTORY (loaded));

    function = gst_orch_call_type_make_function (type);
    gst_object_unref (loaded);
  }
  if (feature)
    gst_object_unref (feature);
  return function;
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(gchar * const *) a, *(gchar * const *) b);
}

/**
 * gst_orch_function_list_names:
 *
 * Loads nothing.
 *
 * Returns: (transfer full): the names of the known Functions, sorted
 *
 * Since: 0.1
 */
gchar **
gst_orch_function_list_names (void)
{
  GList *factories = gst_registry_feature_filter (gst_registry_get (),
      runs_function, FALSE, NULL);
  GPtrArray *names = g_ptr_array_new ();
  GList *l;

  for (l = factories; l; l = l->next)
    g_ptr_array_add (names, g_strdup (get_function_name (l->data)));
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  gst_plugin_feature_list_free (factories);
  return (gchar **) g_ptr_array_free (names, FALSE);
}
