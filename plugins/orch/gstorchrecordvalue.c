/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchrecordvalue.h"

#include "gstorchjson.h"

#include <string.h>

const gchar *const gst_orch_record_own_fields[] = { "uri", "fragment", NULL };

/* ---- kinds of values ---- */

GstOrchValueKind
gst_orch_value_get_kind (GstCaps * caps)
{
  const GstStructure *structure;
  const gchar *format;

  if (!caps || gst_caps_get_size (caps) != 1)
    return GST_ORCH_VALUE_OTHER;
  structure = gst_caps_get_structure (caps, 0);
  if (gst_structure_has_name (structure, GST_ORCH_LIST_CAPS))
    return GST_ORCH_VALUE_LIST;
  if (gst_structure_has_name (structure, GST_ORCH_ITEMS_CAPS))
    return GST_ORCH_VALUE_ITEMS;
  if (gst_structure_has_name (structure, "application/json"))
    return GST_ORCH_VALUE_JSON;
  if (gst_structure_has_name (structure, "text/html"))
    return GST_ORCH_VALUE_TEXT;
  format = gst_structure_get_string (structure, "format");
  if (gst_structure_has_name (structure, "text/x-raw")
      && g_strcmp0 (format, "utf8") == 0)
    return GST_ORCH_VALUE_TEXT;
  return gst_orch_caps_are_media (caps) ? GST_ORCH_VALUE_MEDIA
      : GST_ORCH_VALUE_OTHER;
}

gboolean
gst_orch_value_is_possible (GstCaps * caps, gboolean with_media)
{
  GstCaps *kinds = gst_caps_from_string (GST_ORCH_LIST_CAPS "; "
      GST_ORCH_ITEMS_CAPS "; application/json; text/html; text/x-raw, format=utf8");
  gboolean possible;

  if (with_media)
    gst_caps_append (kinds, gst_orch_media_caps_new ());
  possible = gst_caps_can_intersect (caps, kinds);

  gst_caps_unref (kinds);
  return possible;
}

gchar *
gst_orch_value_explain (GstCaps * caps)
{
  const gchar *name = caps && gst_caps_get_size (caps) > 0
      ? gst_structure_get_name (gst_caps_get_structure (caps, 0))
      : "values of an unknown kind";
  const gchar *advice;

  if (strcmp (name, "application/x-orch-ref") == 0)
    advice = "Put the Call that reads what these refer to in between: "
        "orchpdftext, or orchpdfrender ! orchtesseract";
  else if (caps && gst_orch_caps_are_media (caps))
    advice = "Set files=FOLDER to write these to files that the records name";
  else if (g_str_has_prefix (name, "video/"))
    advice = "Put a Call in between that reads pictures, as orchtesseract, or "
        "makes files of them, as orchthumbnail does for files=FOLDER";
  else if (g_str_has_prefix (name, "image/"))
    advice = "Put a Call in between that reads pictures: orchtesseract";
  else if (strcmp (name, "application/octet-stream") == 0
      || strcmp (name, "application/pdf") == 0)
    advice = "Put the Calls that read the files in between: "
        "orchpdfpages ! orchexpand ! orchpdftext ! orchreduce";
  else
    advice = "Put a Call in between that makes text or JSON of it";
  return g_strdup_printf ("Records hold text (text/x-raw, text/html), "
      "application/json and lists of them, not %s. %s.", name, advice);
}

static void
set_caps_error (GstCaps * caps, GError ** error)
{
  g_autofree gchar *explanation = gst_orch_value_explain (caps);

  g_set_error_literal (error, GST_ORCH_RECORD_ERROR,
      GST_ORCH_RECORD_ERROR_CAPS, explanation);
}

/* ---- values ---- */

static gchar *
read_text (GstBuffer * buffer)
{
  GstMapInfo map;
  gchar *text;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    return g_strdup ("");
  text = gst_orch_json_clean_text ((const gchar *) map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  return text;
}

static JsonNode *
new_string_node (const gchar * text)
{
  return json_node_init_string (json_node_alloc (), text);
}

static JsonNode *
new_object_node (JsonObject * object)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  json_node_take_object (node, object);
  return node;
}

/* A Function that makes JSON is believed, but not blindly. */
static JsonNode *
read_json (GstBuffer * buffer)
{
  g_autofree gchar *text = read_text (buffer);
  JsonNode *node = gst_orch_json_parse (text, strlen (text), NULL);

  return node ? node : new_string_node (text);
}

JsonNode *
gst_orch_record_cause_node (OrchCause * cause)
{
  JsonObject *object;

  if (!cause)
    return json_node_new (JSON_NODE_NULL);
  object = json_object_new ();
  json_object_set_string_member (object, "domain", cause->domain);
  json_object_set_string_member (object, "code", cause->code);
  json_object_set_string_member (object, "message",
      cause->message ? cause->message : "");
  gst_orch_json_set_string_or_null (object, "path", cause->path);
  gst_orch_json_set_string_or_null (object, "call", cause->call);
  return new_object_node (object);
}

/* How values are written. */
typedef struct
{
  GstOrchContentFormat format;
  GstOrchRecordMedia *media;    /* (nullable) */
  GError **error;
} Writing;

static JsonArray *list_to_array (GstOrchList * list, const Writing * writing);
static JsonNode *element_node (const GstOrchListElement * element,
    const Writing * writing);

/* The inputs of a joined Item by their names. */
static JsonNode *
items_node (GstOrchList * items, const Writing * writing)
{
  guint i, n = items ? gst_orch_list_get_size (items) : 0;
  JsonObject *object = json_object_new ();

  for (i = 0; i < n; i++) {
    const GstOrchListElement *input = gst_orch_list_get (items, i);
    gsize place = writing->media
        ? gst_orch_record_media_enter_name (writing->media, input->name) : 0;
    JsonNode *node = element_node (input, writing);

    if (!node) {
      json_object_unref (object);
      return NULL;
    }
    if (writing->media)
      gst_orch_record_media_leave (writing->media, place);
    json_object_set_member (object, input->name ? input->name : "", node);
  }
  return new_object_node (object);
}

static JsonNode *
list_node (GstOrchList * list, const Writing * writing)
{
  JsonArray *array = list_to_array (list, writing);
  JsonNode *node;

  if (!array)
    return NULL;
  node = json_node_new (JSON_NODE_ARRAY);
  json_node_take_array (node, array);
  return node;
}

/* {"file": ...} */
static JsonNode *
media_node (const GstOrchListElement * element, const Writing * writing)
{
  JsonObject *object;
  g_autofree gchar *uri = NULL;

  if (!writing->media) {
    set_caps_error (element->caps, writing->error);
    return NULL;
  }
  uri = gst_orch_record_media_add (writing->media, element->buffer,
      element->caps);
  object = json_object_new ();
  json_object_set_string_member (object, "file", uri);
  return new_object_node (object);
}

/* The bare value: a string, a JSON value, an array for a list, null. */
static JsonNode *
value_node (const GstOrchListElement * element, const Writing * writing)
{
  g_autofree gchar *text = NULL;

  if (!element->buffer)
    return json_node_new (JSON_NODE_NULL);
  switch (gst_orch_value_get_kind (element->caps)) {
    case GST_ORCH_VALUE_TEXT:
      text = read_text (element->buffer);
      return new_string_node (text);
    case GST_ORCH_VALUE_JSON:
      return read_json (element->buffer);
    case GST_ORCH_VALUE_LIST:
      return list_node (gst_orch_buffer_get_list (element->buffer), writing);
    case GST_ORCH_VALUE_ITEMS:
      return items_node (gst_orch_buffer_get_list (element->buffer), writing);
    case GST_ORCH_VALUE_MEDIA:
      return media_node (element, writing);
    default:
      set_caps_error (element->caps, writing->error);
      return NULL;
  }
}

/* A file is no value: the info names it, beside what else is known. */
static JsonObject *
info_object (const GstOrchListElement * element, JsonNode ** value)
{
  JsonObject *info = gst_orch_json_from_structure (element->info, gst_orch_record_own_fields);

  if (element->buffer
      && gst_orch_value_get_kind (element->caps) == GST_ORCH_VALUE_MEDIA) {
    json_object_set_string_member (info, "file",
        json_object_get_string_member (json_node_get_object (*value), "file"));
    json_node_unref (*value);
    *value = json_node_new (JSON_NODE_NULL);
  }
  return info;
}

static JsonNode *
full_node (const GstOrchListElement * element, const Writing * writing)
{
  static const gchar *const members[] = { "text", "value", "content" };
  GstOrchValueKind kind = gst_orch_value_get_kind (element->caps);
  JsonNode *value = value_node (element, writing);
  const gchar *holder = kind == GST_ORCH_VALUE_TEXT ? "text"
      : kind == GST_ORCH_VALUE_LIST ? "content" : "value";
  JsonObject *object, *info;
  guint i;

  if (!value)
    return NULL;
  info = info_object (element, &value);
  object = json_object_new ();
  json_object_set_int_member (object, "ordinal", element->ordinal);
  json_object_set_string_member (object, "outcome",
      orch_outcome_get_name ((OrchOutcome) element->outcome));
  for (i = 0; i < G_N_ELEMENTS (members); i++) {
    if (strcmp (members[i], holder) == 0)
      json_object_set_member (object, members[i], value);
    else
      json_object_set_null_member (object, members[i]);
  }
  json_object_set_member (object, "cause", gst_orch_record_cause_node (element->cause));
  json_object_set_object_member (object, "info", info);
  return new_object_node (object);
}

static JsonNode *
element_node (const GstOrchListElement * element, const Writing * writing)
{
  return writing->format == GST_ORCH_CONTENT_FULL
      ? full_node (element, writing) : value_node (element, writing);
}

static gboolean
append_element (JsonArray * array, const GstOrchListElement * element,
    const Writing * writing)
{
  gsize place = writing->media
      ? gst_orch_record_media_enter_ordinal (writing->media, element->ordinal)
      : 0;
  JsonNode *node = element_node (element, writing);

  if (!node)
    return FALSE;
  if (writing->media)
    gst_orch_record_media_leave (writing->media, place);
  json_array_add_element (array, node);
  return TRUE;
}

static JsonArray *
list_to_array (GstOrchList * list, const Writing * writing)
{
  guint i, n = list ? gst_orch_list_get_size (list) : 0;
  JsonArray *array = json_array_sized_new (n);

  for (i = 0; i < n; i++) {
    if (!append_element (array, gst_orch_list_get (list, i), writing)) {
      json_array_unref (array);
      return NULL;
    }
  }
  return array;
}

/* A value that is no list stands as the only element of one. */
JsonArray *
gst_orch_record_make_content (const GstOrchResult * result,
    GstOrchContentFormat format, GstOrchRecordMedia * media, GError ** error)
{
  const Writing full = { format, media, error }, *writing = &full;
  GstOrchListElement element = { 0, GST_ORCH_OUTCOME_PRESENT, result->buffer,
    result->caps, NULL, NULL
  };
  JsonArray *array;

  if (result->outcome != ORCH_OUTCOME_PRESENT
      || writing->format == GST_ORCH_CONTENT_NONE)
    return json_array_new ();
  if (gst_orch_value_get_kind (result->caps) == GST_ORCH_VALUE_LIST)
    return list_to_array (gst_orch_buffer_get_list (result->buffer), writing);
  array = json_array_new ();
  if (!append_element (array, &element, writing))
    g_clear_pointer (&array, json_array_unref);
  return array;
}

/* ---- text alone ---- */

static gboolean
append_text (GString * text, GstBuffer * buffer, GstCaps * caps, guint depth,
    GError ** error)
{
  GstOrchValueKind kind = gst_orch_value_get_kind (caps);
  g_autofree gchar *value = NULL;
  GstOrchList *list;
  guint i;

  if (kind == GST_ORCH_VALUE_OTHER || kind == GST_ORCH_VALUE_MEDIA) {
    set_caps_error (caps, error);
    return FALSE;
  }
  if (kind != GST_ORCH_VALUE_LIST && kind != GST_ORCH_VALUE_ITEMS) {
    value = read_text (buffer);
    g_string_append (text, value);
    return TRUE;
  }
  list = gst_orch_buffer_get_list (buffer);
  for (i = 0; i < gst_orch_list_get_size (list); i++) {
    const GstOrchListElement *element = gst_orch_list_get (list, i);

    if (element->buffer && !append_text (text, element->buffer, element->caps,
            depth + 1, error))
      return FALSE;
    g_string_append_c (text, depth == 0 ? '\f' : '\n');
  }
  return TRUE;
}

gchar *
gst_orch_record_get_text (const GstOrchResult * result, GError ** error)
{
  GString *text = g_string_new (NULL);

  if (result->buffer
      && !append_text (text, result->buffer, result->caps, 0, error)) {
    g_string_free (text, TRUE);
    return NULL;
  }
  return g_string_free (text, FALSE);
}
