/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchrunheader.h"

#include "gstorchjson.h"
#include "gstorchpipeline.h"

#include <gio/gio.h>
#include <string.h>

#define SCHEMA 1

struct _GstOrchRunHeader
{
  gchar *launch;
  gchar *fingerprint;
  GPtrArray *work;              /* one line an element */
  JsonObject *versions;
};

/* ---- making one ---- */

static void
add_version (JsonObject * versions, GstElement * element)
{
  GstElementFactory *factory = gst_element_get_factory (element);
  GstPlugin *plugin = factory
      ? gst_plugin_feature_get_plugin (GST_PLUGIN_FEATURE (factory)) : NULL;

  if (!plugin)
    return;
  json_object_set_string_member (versions, gst_plugin_get_name (plugin),
      gst_plugin_get_version (plugin));
  gst_object_unref (plugin);
}

static gchar *
get_gstreamer_version (void)
{
  guint major, minor, micro, nano;

  gst_version (&major, &minor, &micro, &nano);
  return g_strdup_printf ("%u.%u.%u", major, minor, micro);
}

/* A file name may hold any bytes, JSON may not. */
static gchar *
take_clean (gchar * text)
{
  gchar *clean = text ? gst_orch_json_clean_text (text, strlen (text)) : NULL;

  g_free (text);
  return clean;
}

GstOrchRunHeader *
gst_orch_run_header_new (GstElement * sink)
{
  GstOrchRunHeader *header = g_new0 (GstOrchRunHeader, 1);
  GPtrArray *elements = gst_orch_pipeline_list (sink);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree gchar *gstreamer = get_gstreamer_version ();
  guint i;

  header->launch = take_clean (gst_orch_pipeline_describe (elements));
  header->work = g_ptr_array_new_with_free_func (g_free);
  header->versions = json_object_new ();
  json_object_set_string_member (header->versions, "gst-orch", PACKAGE_VERSION);
  json_object_set_string_member (header->versions, "gstreamer", gstreamer);
  for (i = 0; i < elements->len; i++) {
    GstElement *element = g_ptr_array_index (elements, i);
    gchar *text = take_clean (gst_orch_element_fingerprint (element));

    add_version (header->versions, element);
    if (!text)
      continue;
    g_checksum_update (checksum, (const guchar *) text, strlen (text) + 1);
    g_ptr_array_add (header->work, text);
  }
  header->fingerprint = g_strdup (g_checksum_get_string (checksum));
  g_ptr_array_unref (elements);
  return header;
}

void
gst_orch_run_header_free (GstOrchRunHeader * header)
{
  if (!header)
    return;
  g_free (header->launch);
  g_free (header->fingerprint);
  g_ptr_array_unref (header->work);
  json_object_unref (header->versions);
  g_free (header);
}

const gchar *
gst_orch_run_header_get_launch (GstOrchRunHeader * header)
{
  return header->launch;
}

const gchar *
gst_orch_run_header_get_fingerprint (GstOrchRunHeader * header)
{
  return header->fingerprint;
}

/* ---- on disk ---- */

static gchar *
get_file (const gchar * record_file)
{
  return g_strconcat (record_file, ".run.json", NULL);
}

static gchar *
print_header (GstOrchRunHeader * header)
{
  g_autoptr (JsonNode) root = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  JsonObject *object = json_object_new ();
  JsonArray *work = json_array_new ();
  guint i;

  for (i = 0; i < header->work->len; i++)
    json_array_add_string_element (work,
        g_ptr_array_index (header->work, i));
  json_object_set_int_member (object, "schema", SCHEMA);
  json_object_set_string_member (object, "launch", header->launch);
  json_object_set_object_member (object, "versions",
      json_object_ref (header->versions));
  json_object_set_array_member (object, "work", work);
  json_object_set_string_member (object, "fingerprint", header->fingerprint);
  json_node_take_object (root, object);
  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  return json_generator_to_data (generator, NULL);
}

gboolean
gst_orch_run_header_save (GstOrchRunHeader * header, const gchar * record_file,
    GError ** error)
{
  g_autofree gchar *file = get_file (record_file);
  g_autofree gchar *json = print_header (header);
  g_autofree gchar *text = g_strconcat (json, "\n", NULL);

  return g_file_set_contents (file, text, -1, error);
}

static JsonObject *
load (const gchar * file, JsonNode ** root, GError ** error)
{
  g_autofree gchar *text = NULL;
  gsize size;

  if (!g_file_get_contents (file, &text, &size, error))
    return NULL;
  *root = gst_orch_json_parse (text, size, error);
  if (!*root)
    return NULL;
  if (JSON_NODE_HOLDS_OBJECT (*root))
    return json_node_get_object (*root);
  g_set_error_literal (error, JSON_PARSER_ERROR, JSON_PARSER_ERROR_PARSE,
      "it is no JSON object");
  return NULL;
}

/* (transfer full): a person wants to know what, not only that. */
static gchar *
find_difference (GstOrchRunHeader * header, JsonObject * other)
{
  JsonNode *node = json_object_get_member (other, "work");
  JsonArray *work = node && JSON_NODE_HOLDS_ARRAY (node)
      ? json_node_get_array (node) : NULL;
  guint i, n = work ? json_array_get_length (work) : 0;

  for (i = 0; i < MAX (n, header->work->len); i++) {
    JsonNode *element = i < n ? json_array_get_element (work, i) : NULL;
    const gchar *then = element && JSON_NODE_HOLDS_VALUE (element)
        ? json_node_get_string (element) : NULL;
    const gchar *now = i < header->work->len
        ? g_ptr_array_index (header->work, i) : NULL;

    if (g_strcmp0 (then, now) != 0)
      return g_strdup_printf ("it was \"%s\" and is \"%s\"",
          then ? then : "", now ? now : "");
  }
  return g_strdup ("their fingerprints differ");
}

gboolean
gst_orch_run_header_check (GstOrchRunHeader * header, const gchar * record_file,
    GError ** error)
{
  g_autofree gchar *file = get_file (record_file);
  g_autofree gchar *difference = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GError) problem = NULL;
  JsonObject *other = load (file, &root, &problem);

  if (!other) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
        "%s exists, but not which pipeline made it (%s).", record_file,
        problem->message);
    return FALSE;
  }
  if (g_strcmp0 (gst_orch_json_get_string (other, "fingerprint"),
          header->fingerprint) == 0)
    return TRUE;
  difference = find_difference (header, other);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
      "%s was made by another pipeline: %s.", record_file, difference);
  return FALSE;
}
