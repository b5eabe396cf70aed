/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchpredicatefield.h"
#include "gstorchjson.h"
#include "gstorchrecord.h"

#include <string.h>

void
gst_orch_field_source_clear (GstOrchFieldSource * source)
{
  g_clear_pointer (&source->text, g_free);
  g_clear_pointer (&source->json, json_node_unref);
}

void
gst_orch_field_value_clear (GstOrchFieldValue * value)
{
  g_clear_pointer (&value->text, g_free);
}

void
gst_orch_field_value_copy (GstOrchFieldValue * copy,
    const GstOrchFieldValue * value)
{
  *copy = *value;
  copy->text = g_strdup (value->text);
}

gboolean
gst_orch_field_value_make_boolean (GstOrchFieldValue * value)
{
  if (value->type == GST_ORCH_FIELD_TEXT) {
    value->boolean = strcmp (value->text, "true") == 0;
    if (value->boolean || strcmp (value->text, "false") == 0)
      value->type = GST_ORCH_FIELD_BOOLEAN;
  }
  return value->type == GST_ORCH_FIELD_BOOLEAN;
}

gboolean
gst_orch_field_is_one (const gchar * word)
{
  return g_str_has_prefix (word, "info.") || g_str_has_prefix (word, "caps.")
      || g_str_has_prefix (word, "value.") || strcmp (word, "caps") == 0
      || strcmp (word, "value") == 0;
}

static void
set_text (GstOrchFieldValue * value, const gchar * text)
{
  value->type = GST_ORCH_FIELD_TEXT;
  value->text = g_strdup (text ? text : "");
}

/* ---- numbers ---- */

/* The nearest double of a larger integer is never smaller, so that the rest decides
 * only between equal ones. */
static void
set_integer (GstOrchFieldValue * value, guint64 magnitude, gboolean is_negative)
{
  gdouble nearest = magnitude;
  /* 2^64 is 0 here, as differences are taken modulo that. */
  guint64 base = nearest < 18446744073709551616.0 ? (guint64) nearest : 0;
  gint64 rest = (gint64) (magnitude - base);

  value->type = GST_ORCH_FIELD_NUMBER;
  value->number = is_negative ? -nearest : nearest;
  value->rest = is_negative ? -rest : rest;
}

gboolean
gst_orch_field_value_read_number (GstOrchFieldValue * value,
    const gchar * text)
{
  gboolean is_negative = *text == '-';
  gchar *end;
  guint64 magnitude;
  gdouble number = g_ascii_strtod (text, &end);

  if (end == text || *end)
    return FALSE;
  if (g_ascii_string_to_unsigned (text + is_negative, 10, 0, G_MAXUINT64,
          &magnitude, NULL)) {
    set_integer (value, magnitude, is_negative);
    return TRUE;
  }
  value->type = GST_ORCH_FIELD_NUMBER;
  value->number = number;
  value->rest = 0;
  return TRUE;
}

gint
gst_orch_field_value_compare_numbers (const GstOrchFieldValue * a,
    const GstOrchFieldValue * b)
{
  if (a->number != b->number)
    return a->number < b->number ? -1 : 1;
  return (a->rest > b->rest) - (a->rest < b->rest);
}

/* ---- of structures ---- */

static gboolean
is_signed (GType type)
{
  return type == G_TYPE_INT || type == G_TYPE_LONG || type == G_TYPE_INT64;
}

static gboolean
is_unsigned (GType type)
{
  return type == G_TYPE_UINT || type == G_TYPE_ULONG || type == G_TYPE_UINT64;
}

static void
set_from_integer (GstOrchFieldValue * value, const GValue * from)
{
  GValue wide = G_VALUE_INIT;
  gint64 number;

  g_value_init (&wide, is_signed (G_VALUE_TYPE (from)) ? G_TYPE_INT64
      : G_TYPE_UINT64);
  g_value_transform (from, &wide);
  if (G_VALUE_HOLDS_UINT64 (&wide)) {
    set_integer (value, g_value_get_uint64 (&wide), FALSE);
  } else {
    number = g_value_get_int64 (&wide);
    set_integer (value, number < 0 ? -(guint64) number : (guint64) number,
        number < 0);
  }
  g_value_unset (&wide);
}

static void
set_number (GstOrchFieldValue * value, const GValue * from)
{
  GValue number = G_VALUE_INIT;

  g_value_init (&number, G_TYPE_DOUBLE);
  if (g_value_transform (from, &number)) {
    value->type = GST_ORCH_FIELD_NUMBER;
    value->number = g_value_get_double (&number);
  }
  g_value_unset (&number);
}

static void
set_from_value (GstOrchFieldValue * value, const GValue * from)
{
  value->type = GST_ORCH_FIELD_OTHER;
  if (G_VALUE_HOLDS_STRING (from)) {
    set_text (value, g_value_get_string (from));
  } else if (G_VALUE_HOLDS_BOOLEAN (from)) {
    value->type = GST_ORCH_FIELD_BOOLEAN;
    value->boolean = g_value_get_boolean (from);
  } else if (is_signed (G_VALUE_TYPE (from))
      || is_unsigned (G_VALUE_TYPE (from))) {
    set_from_integer (value, from);
  } else if (GST_VALUE_HOLDS_FRACTION (from)
      || g_value_type_transformable (G_VALUE_TYPE (from), G_TYPE_DOUBLE)) {
    set_number (value, from);
  }
}

/* Structures within structures are gone into. */
static void
read_structure (const GstStructure * structure, const gchar * const *names,
    GstOrchFieldValue * value)
{
  const GValue *found = structure && *names
      ? gst_structure_get_value (structure, *names) : NULL;

  if (!found)
    return;
  if (!names[1])
    set_from_value (value, found);
  else if (GST_VALUE_HOLDS_STRUCTURE (found))
    read_structure (gst_value_get_structure (found), names + 1, value);
}

static void
read_caps (GstCaps * caps, const gchar * const *names,
    GstOrchFieldValue * value)
{
  const GstStructure *structure = caps && gst_caps_get_size (caps) > 0
      ? gst_caps_get_structure (caps, 0) : NULL;

  if (structure && !*names)
    set_text (value, gst_structure_get_name (structure));
  else
    read_structure (structure, names, value);
}

/* ---- of the value ---- */

static gchar *
copy_text (GstBuffer * buffer)
{
  GstMapInfo map;
  gchar *text;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    return NULL;
  text = gst_orch_json_clean_text ((const gchar *) map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  return g_strstrip (text);
}

/* Once, however many fields are asked for. */
static void
read_buffer (GstOrchFieldSource * source, gboolean as_json)
{
  GstOrchValueKind kind = gst_orch_value_get_kind (source->caps);

  if (source->is_read || !source->buffer || (kind != GST_ORCH_VALUE_TEXT
          && kind != GST_ORCH_VALUE_JSON))
    return;
  if (!source->text)
    source->text = copy_text (source->buffer);
  if (!source->text || !(as_json || kind == GST_ORCH_VALUE_JSON))
    return;
  source->is_read = TRUE;
  source->json = gst_orch_json_parse (source->text, strlen (source->text),
      NULL);
}

static void
set_from_json (GstOrchFieldValue * value, JsonNode * node)
{
  GValue content = G_VALUE_INIT;

  value->type = GST_ORCH_FIELD_OTHER;
  if (!JSON_NODE_HOLDS_VALUE (node))
    return;
  json_node_get_value (node, &content);
  set_from_value (value, &content);
  g_value_unset (&content);
}

static void
read_member (JsonNode * node, const gchar * const *names,
    GstOrchFieldValue * value)
{
  for (; node && *names; names++)
    node = JSON_NODE_HOLDS_OBJECT (node)
        ? json_object_get_member (json_node_get_object (node), *names) : NULL;
  if (node)
    set_from_json (value, node);
}

static void
read_value (GstOrchFieldSource * source, const gchar * const *names,
    GstOrchFieldValue * value)
{
  read_buffer (source, *names != NULL);
  if (*names || (source->json
          && gst_orch_value_get_kind (source->caps) == GST_ORCH_VALUE_JSON))
    read_member (source->json, names, value);
  else if (source->text)
    set_text (value, source->text);
}

void
gst_orch_field_read (GstOrchFieldSource * source, const gchar * const *names,
    GstOrchFieldValue * value)
{
  memset (value, 0, sizeof *value);
  if (strcmp (names[0], "info") == 0)
    read_structure (source->info, names + 1, value);
  else if (strcmp (names[0], "caps") == 0)
    read_caps (source->caps, names + 1, value);
  else
    read_value (source, names + 1, value);
}
