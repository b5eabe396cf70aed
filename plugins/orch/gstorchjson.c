/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchjson.h"

#include <math.h>
#include <string.h>

/* Name of a structure that stands for an array; its fields are the elements. */
#define MIXED_ARRAY "array"

/* ---- text ---- */

static gboolean
is_shallow (const gchar * text, gsize size)
{
  gboolean in_string = FALSE;
  guint depth = 0;
  gsize i;

  for (i = 0; i < size; i++) {
    if (in_string) {
      if (text[i] == '\\')
        i++;
      else if (text[i] == '"')
        in_string = FALSE;
    } else if (text[i] == '"') {
      in_string = TRUE;
    } else if (text[i] == '[' || text[i] == '{') {
      if (++depth > GST_ORCH_JSON_MAX_DEPTH)
        return FALSE;
    } else if (text[i] == ']' || text[i] == '}') {
      depth -= depth > 0;
    }
  }
  return TRUE;
}

JsonNode *
gst_orch_json_parse (const gchar * text, gsize size, GError ** error)
{
  g_autoptr (JsonParser) parser = NULL;
  JsonNode *node;

  if (!g_utf8_validate (text, size, NULL)) {
    g_set_error_literal (error, JSON_PARSER_ERROR,
        JSON_PARSER_ERROR_INVALID_DATA, "The text is not valid UTF-8");
    return NULL;
  }
  if (!is_shallow (text, size)) {
    g_set_error (error, JSON_PARSER_ERROR, JSON_PARSER_ERROR_PARSE,
        "The JSON is nested more than %d deep", GST_ORCH_JSON_MAX_DEPTH);
    return NULL;
  }
  parser = json_parser_new_immutable ();
  if (!json_parser_load_from_data (parser, text, size, error))
    return NULL;
  node = json_parser_steal_root (parser);
  if (!node)
    g_set_error_literal (error, JSON_PARSER_ERROR, JSON_PARSER_ERROR_PARSE,
        "There is no JSON value");
  return node;
}

/* json-glib 1.6 leaves this one control character as it is, and raw ones are not
 * JSON.  Between strings it never stands. */
static gchar *
escape_unit_separator (gchar * text, gsize * size)
{
  GString *escaped;
  const gchar *p;

  if (!strchr (text, 0x1f))
    return text;
  escaped = g_string_new (NULL);
  for (p = text; *p; p++) {
    if (*p == 0x1f)
      g_string_append (escaped, "\\u001f");
    else
      g_string_append_c (escaped, *p);
  }
  g_free (text);
  if (size)
    *size = escaped->len;
  return g_string_free (escaped, FALSE);
}

gchar *
gst_orch_json_print (JsonNode * node, gsize * size)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();

  json_generator_set_root (generator, node);
  return escape_unit_separator (json_generator_to_data (generator, size),
      size);
}

gchar *
gst_orch_json_print_line (JsonNode * node, gsize * size)
{
  gchar *text = gst_orch_json_print (node, size);

  text = g_realloc (text, *size + 2);
  text[(*size)++] = '\n';
  text[*size] = '\0';
  return text;
}

gchar *
gst_orch_json_clean_text (const gchar * text, gsize size)
{
  GString *clean;
  const gchar *nul;

  if (size == 0)
    return g_strdup ("");
  if (g_utf8_validate (text, size, NULL))
    return g_strndup (text, size);

  clean = g_string_sized_new (size);
  while ((nul = memchr (text, '\0', size))) {
    g_string_append_len (clean, text, nul - text);
    g_string_append (clean, "\357\277\275");
    size -= nul + 1 - text;
    text = nul + 1;
  }
  g_string_append_len (clean, text, size);
  if (!g_utf8_validate (clean->str, clean->len, NULL)) {
    gchar *valid = g_utf8_make_valid (clean->str, clean->len);

    g_string_free (clean, TRUE);
    return valid;
  }
  return g_string_free (clean, FALSE);
}

const gchar *
gst_orch_json_get_string (JsonObject * object, const gchar * member)
{
  JsonNode *node = json_object_get_member (object, member);

  if (!node || !JSON_NODE_HOLDS_VALUE (node)
      || json_node_get_value_type (node) != G_TYPE_STRING)
    return NULL;
  return json_node_get_string (node);
}

void
gst_orch_json_set_string_or_null (JsonObject * object, const gchar * member,
    const gchar * value)
{
  if (value)
    json_object_set_string_member (object, member, value);
  else
    json_object_set_null_member (object, member);
}

/* ---- from GStreamer ---- */

static JsonNode *node_from_value (const GValue * value);

static JsonNode *
node_from_elements (const GValue * value)
{
  gboolean is_array = GST_VALUE_HOLDS_ARRAY (value);
  guint i, n = is_array ? gst_value_array_get_size (value)
      : gst_value_list_get_size (value);
  JsonArray *array = json_array_sized_new (n);
  JsonNode *node = json_node_new (JSON_NODE_ARRAY);

  for (i = 0; i < n; i++)
    json_array_add_element (array, node_from_value (is_array
            ? gst_value_array_get_value (value, i)
            : gst_value_list_get_value (value, i)));
  json_node_take_array (node, array);
  return node;
}

static JsonNode *
node_from_structure (const GstStructure * structure)
{
  JsonNode *node;
  JsonArray *array;
  gint i;

  if (!gst_structure_has_name (structure, MIXED_ARRAY)) {
    node = json_node_new (JSON_NODE_OBJECT);
    json_node_take_object (node,
        gst_orch_json_from_structure (structure, NULL));
    return node;
  }
  array = json_array_new ();
  for (i = 0; i < gst_structure_n_fields (structure); i++)
    json_array_add_element (array,
        node_from_value (gst_structure_get_value (structure,
                gst_structure_nth_field_name (structure, i))));
  node = json_node_new (JSON_NODE_ARRAY);
  json_node_take_array (node, array);
  return node;
}

static JsonNode *
node_from_double (gdouble number)
{
  JsonNode *node = json_node_new (JSON_NODE_NULL);

  /* JSON has no infinity */
  return isfinite (number) ? json_node_init_double (node, number) : node;
}

static JsonNode *
node_from_unsigned (guint64 number)
{
  JsonNode *node = json_node_alloc ();

  if (number > G_MAXINT64)
    return json_node_init_double (node, number);
  return json_node_init_int (node, number);
}

static JsonNode *
node_from_text (const gchar * text)
{
  g_autofree gchar *clean =
      text ? gst_orch_json_clean_text (text, strlen (text)) : NULL;

  return clean ? json_node_init_string (json_node_alloc (), clean)
      : json_node_new (JSON_NODE_NULL);
}

static JsonNode *
node_from_other (const GValue * value)
{
  g_autofree gchar *text = NULL;

  if (GST_VALUE_HOLDS_ARRAY (value) || GST_VALUE_HOLDS_LIST (value))
    return node_from_elements (value);
  if (GST_VALUE_HOLDS_STRUCTURE (value))
    return node_from_structure (gst_value_get_structure (value));
  if (!G_VALUE_HOLDS_POINTER (value))
    text = gst_value_serialize (value);
  return node_from_text (text);
}

static JsonNode *
node_from_value (const GValue * value)
{
  JsonNode *node;

  switch (G_TYPE_FUNDAMENTAL (G_VALUE_TYPE (value))) {
    case G_TYPE_STRING:
      return node_from_text (g_value_get_string (value));
    case G_TYPE_BOOLEAN:
      node = json_node_alloc ();
      return json_node_init_boolean (node, g_value_get_boolean (value));
    case G_TYPE_INT:
      node = json_node_alloc ();
      return json_node_init_int (node, g_value_get_int (value));
    case G_TYPE_INT64:
      node = json_node_alloc ();
      return json_node_init_int (node, g_value_get_int64 (value));
    case G_TYPE_UINT:
      return node_from_unsigned (g_value_get_uint (value));
    case G_TYPE_UINT64:
      return node_from_unsigned (g_value_get_uint64 (value));
    case G_TYPE_DOUBLE:
      return node_from_double (g_value_get_double (value));
    case G_TYPE_FLOAT:
      return node_from_double (g_value_get_float (value));
    default:
      return node_from_other (value);
  }
}

JsonObject *
gst_orch_json_from_structure (const GstStructure * structure,
    const gchar * const *leave_out)
{
  JsonObject *object = json_object_new ();
  gint i, n = structure ? gst_structure_n_fields (structure) : 0;

  for (i = 0; i < n; i++) {
    const gchar *name = gst_structure_nth_field_name (structure, i);

    if (!leave_out || !g_strv_contains (leave_out, name))
      json_object_set_member (object, name,
          node_from_value (gst_structure_get_value (structure, name)));
  }
  return object;
}

/* ---- to GStreamer ---- */

static void value_from_node (GValue * value, JsonNode * node);

/* GStreamer's arrays hold values of one type, those of JSON any. */
static gboolean
is_uniform (JsonArray * array)
{
  guint i, n = json_array_get_length (array);
  JsonNode *first = n ? json_array_get_element (array, 0) : NULL;

  if (first && JSON_NODE_HOLDS_ARRAY (first))
    return FALSE;
  for (i = 1; i < n; i++) {
    JsonNode *node = json_array_get_element (array, i);

    if (json_node_get_node_type (node) != json_node_get_node_type (first)
        || json_node_get_value_type (node) != json_node_get_value_type (first))
      return FALSE;
  }
  return TRUE;
}

static void
value_from_mixed_array (GValue * value, JsonArray * array)
{
  GstStructure *structure = gst_structure_new_empty (MIXED_ARRAY);
  guint i, n = json_array_get_length (array);

  for (i = 0; i < n; i++) {
    GValue element = G_VALUE_INIT;
    gchar name[16];

    g_snprintf (name, sizeof name, "%u", i);
    value_from_node (&element, json_array_get_element (array, i));
    gst_structure_take_value (structure, name, &element);
  }
  g_value_init (value, GST_TYPE_STRUCTURE);
  g_value_take_boxed (value, structure);
}

static void
value_from_array (GValue * value, JsonArray * array)
{
  guint i, n = json_array_get_length (array);

  if (!is_uniform (array)) {
    value_from_mixed_array (value, array);
    return;
  }
  g_value_init (value, GST_TYPE_ARRAY);
  for (i = 0; i < n; i++) {
    GValue element = G_VALUE_INIT;

    value_from_node (&element, json_array_get_element (array, i));
    gst_value_array_append_and_take_value (value, &element);
  }
}

static void
value_from_scalar (GValue * value, JsonNode * node)
{
  const gchar *text;

  json_node_get_value (node, value);
  if (!G_VALUE_HOLDS_STRING (value))
    return;
  /* an escaped lone surrogate is no UTF-8 */
  text = g_value_get_string (value);
  if (text && !g_utf8_validate (text, -1, NULL))
    g_value_take_string (value, g_utf8_make_valid (text, -1));
}

static void
value_from_node (GValue * value, JsonNode * node)
{
  switch (json_node_get_node_type (node)) {
    case JSON_NODE_OBJECT:
      g_value_init (value, GST_TYPE_STRUCTURE);
      g_value_take_boxed (value,
          gst_orch_json_to_structure (json_node_get_object (node), "object",
              NULL));
      break;
    case JSON_NODE_ARRAY:
      value_from_array (value, json_node_get_array (node));
      break;
    case JSON_NODE_VALUE:
      value_from_scalar (value, node);
      break;
    case JSON_NODE_NULL:
      g_value_init (value, G_TYPE_POINTER);
      break;
  }
}

GstStructure *
gst_orch_json_to_structure (JsonObject * object, const gchar * name,
    const gchar * leave_out)
{
  GstStructure *structure = gst_structure_new_empty (name);
  JsonObjectIter iter;
  const gchar *member;
  JsonNode *node;

  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &member, &node)) {
    GValue value = G_VALUE_INIT;

    if (g_strcmp0 (member, leave_out) == 0)
      continue;
    value_from_node (&value, node);
    gst_structure_take_value (structure, member, &value);
  }
  return structure;
}
