/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchwire-private.h"

#include <string.h>

/* Values within values. */
#define MAX_DEPTH 32
/* Of a structure: GStreamer looks through all of them for each. */
#define MAX_FIELDS 4096
/* Of a text that GStreamer reads. */
#define MAX_TEXT (64 * 1024)
#define MAX_NESTING 6

typedef enum
{
  KIND_NONE,
  KIND_INT,
  KIND_UINT,
  KIND_INT64,
  KIND_UINT64,
  KIND_DOUBLE,
  KIND_BOOLEAN,
  KIND_STRING,
  KIND_STRUCTURE,
  KIND_ARRAY,
  KIND_LIST,
  KIND_TEXT,                    /* of any other type, as GStreamer writes it */
} Kind;

/* ---- reading ---- */

void
gst_orch_reader_refuse (GstOrchReader * reader, const gchar * why)
{
  reader->bad = TRUE;
  if (!reader->why)
    reader->why = why;
}

const guint8 *
gst_orch_reader_take (GstOrchReader * reader, gsize n)
{
  gsize at = reader->at;

  if (reader->bad || n > reader->size - at) {
    reader->bad = TRUE;
    return NULL;
  }
  reader->at += n;
  return reader->data ? reader->data + at : NULL;
}

static void
copy_out (GstOrchReader * reader, gpointer value, gsize size)
{
  const guint8 *data = gst_orch_reader_take (reader, size);

  if (data)
    memcpy (value, data, size);
}

guint8
gst_orch_reader_get_u8 (GstOrchReader * reader)
{
  guint8 value = 0;

  copy_out (reader, &value, sizeof value);
  return value;
}

guint32
gst_orch_reader_get_u32 (GstOrchReader * reader)
{
  guint32 value = 0;

  copy_out (reader, &value, sizeof value);
  return value;
}

guint64
gst_orch_reader_get_u64 (GstOrchReader * reader)
{
  guint64 value = 0;

  copy_out (reader, &value, sizeof value);
  return value;
}

guint32
gst_orch_reader_get_count (GstOrchReader * reader)
{
  guint32 n = gst_orch_reader_get_u32 (reader);

  if (n > reader->size - reader->at)
    reader->bad = TRUE;
  return reader->bad ? 0 : n;
}

const gchar *
gst_orch_reader_get_string (GstOrchReader * reader)
{
  guint32 size = gst_orch_reader_get_u32 (reader);
  const gchar *text;

  if (size == 0)
    return NULL;
  text = (const gchar *) gst_orch_reader_take (reader, size);
  if (text && (text[size - 1] != '\0' || strlen (text) != size - 1
          || !g_utf8_validate (text, size - 1, NULL)))
    reader->bad = TRUE;
  return reader->bad ? NULL : text;
}

/* Of what is in lists in lists; 0: of nothing */
static GType
get_basic_type (const GValue * value)
{
  if (GST_VALUE_HOLDS_LIST (value))
    return gst_value_list_get_size (value) == 0 ? 0 :
        get_basic_type (gst_value_list_get_value (value, 0));
  if (GST_VALUE_HOLDS_ARRAY (value))
    return gst_value_array_get_size (value) == 0 ? 0 :
        get_basic_type (gst_value_array_get_value (value, 0));
  return G_VALUE_TYPE (value);
}

static gboolean
is_range_of (GType range, GType number)
{
  return (range == GST_TYPE_INT_RANGE && number == G_TYPE_INT)
      || (range == GST_TYPE_INT64_RANGE && number == G_TYPE_INT64)
      || (range == GST_TYPE_DOUBLE_RANGE && number == G_TYPE_DOUBLE)
      || (range == GST_TYPE_FRACTION_RANGE && number == GST_TYPE_FRACTION);
}

/* GStreamer does not take, and does not free, what it does not find fit for a
 * list. */
static gboolean
fits_into (const GValue * list, const GValue * item)
{
  GType theirs = get_basic_type (list), its = get_basic_type (item);

  return !theirs || !its || theirs == its || is_range_of (theirs, its)
      || is_range_of (its, theirs);
}

static void
get_values (GstOrchReader * reader, GValue * value, GType type,
    void (*append) (GValue * list, GValue * item))
{
  guint32 i, n = gst_orch_reader_get_count (reader);

  g_value_init (value, type);
  for (i = 0; i < n && !reader->bad; i++) {
    GValue item = G_VALUE_INIT;

    if (!gst_orch_reader_get_value (reader, &item)) {
      reader->bad = TRUE;
    } else if (!fits_into (value, &item)) {
      reader->bad = TRUE;
      g_value_unset (&item);
    } else {
      append (value, &item);
    }
  }
}

gboolean
gst_orch_wire_is_simple (const gchar * text)
{
  guint depth = 0, n = 0;

  for (; *text && n <= MAX_TEXT && depth <= MAX_NESTING; text++, n++) {
    if (strchr ("[<{", *text))
      depth++;
    else if (strchr ("]>}", *text) && depth > 0)
      depth--;
  }
  return *text == '\0';
}

gboolean
gst_orch_reader_may_parse (GstOrchReader * reader, const gchar * text)
{
  if (!gst_orch_wire_is_simple (text))
    gst_orch_reader_refuse (reader, "more than " GST_ORCH_WIRE_LIMITS);
  if (reader->give_up_at && g_get_monotonic_time () > reader->give_up_at)
    gst_orch_reader_refuse (reader, "what takes too long to be read");
  return !reader->bad;
}

static void
get_text (GstOrchReader * reader, GValue * value)
{
  const gchar *name = gst_orch_reader_get_string (reader);
  const gchar *text = gst_orch_reader_get_string (reader);
  GType type = name ? g_type_from_name (name) : 0;

  if (!text || !type || !G_TYPE_IS_VALUE (type)
      || !gst_orch_reader_may_parse (reader, text)) {
    reader->bad = TRUE;
    return;
  }
  g_value_init (value, type);
  if (!gst_value_deserialize (value, text))
    reader->bad = TRUE;
}

static void
get_number (GstOrchReader * reader, Kind kind, GValue * value)
{
  guint64 bits = gst_orch_reader_get_u64 (reader);
  gdouble number;

  switch (kind) {
    case KIND_INT:
      g_value_init (value, G_TYPE_INT);
      g_value_set_int (value, (gint) bits);
      break;
    case KIND_UINT:
      g_value_init (value, G_TYPE_UINT);
      g_value_set_uint (value, (guint) bits);
      break;
    case KIND_INT64:
      g_value_init (value, G_TYPE_INT64);
      g_value_set_int64 (value, (gint64) bits);
      break;
    case KIND_UINT64:
      g_value_init (value, G_TYPE_UINT64);
      g_value_set_uint64 (value, bits);
      break;
    case KIND_BOOLEAN:
      g_value_init (value, G_TYPE_BOOLEAN);
      g_value_set_boolean (value, bits != 0);
      break;
    default:
      memcpy (&number, &bits, sizeof number);
      g_value_init (value, G_TYPE_DOUBLE);
      g_value_set_double (value, number);
      break;
  }
}

static void
get_value (GstOrchReader * reader, Kind kind, GValue * value)
{
  GstStructure *structure;

  switch (kind) {
    case KIND_STRING:
      g_value_init (value, G_TYPE_STRING);
      g_value_set_string (value, gst_orch_reader_get_string (reader));
      break;
    case KIND_STRUCTURE:
      structure = gst_orch_reader_get_structure (reader);
      if (!structure)
        reader->bad = TRUE;
      g_value_init (value, GST_TYPE_STRUCTURE);
      g_value_take_boxed (value, structure);
      break;
    case KIND_ARRAY:
      get_values (reader, value, GST_TYPE_ARRAY,
          gst_value_array_append_and_take_value);
      break;
    case KIND_LIST:
      get_values (reader, value, GST_TYPE_LIST,
          gst_value_list_append_and_take_value);
      break;
    case KIND_TEXT:
      get_text (reader, value);
      break;
    default:
      get_number (reader, kind, value);
      break;
  }
}

gboolean
gst_orch_reader_get_value (GstOrchReader * reader, GValue * value)
{
  Kind kind = gst_orch_reader_get_u8 (reader);

  if (kind > KIND_TEXT || reader->depth >= MAX_DEPTH)
    reader->bad = TRUE;
  if (reader->bad || kind == KIND_NONE)
    return FALSE;
  reader->depth++;
  get_value (reader, kind, value);
  reader->depth--;
  if (!reader->bad)
    return TRUE;
  if (G_IS_VALUE (value))
    g_value_unset (value);
  return FALSE;
}

/* As gst_structure_new_empty() demands of a name.  NULL, or what is behind it. */
static const gchar *
skip_name (const gchar * name)
{
  if (!name || !g_ascii_isalpha (*name))
    return NULL;
  while (g_ascii_isalnum (*name) || (*name && strchr ("/-_.:+", *name)))
    name++;
  return name;
}

static gboolean
is_name (const gchar * name)
{
  const gchar *end = skip_name (name);

  return end && *end == '\0';
}

/* (nullable): the next ';' that is not within a string */
static const gchar *
find_next_structure (const gchar * text)
{
  gboolean quoted = FALSE;

  for (; *text; text++) {
    if (*text == '\\' && text[1])
      text++;
    else if (*text == '"')
      quoted = !quoted;
    else if (*text == ';' && !quoted)
      return text + 1;
  }
  return NULL;
}

gboolean
gst_orch_wire_is_caps (const gchar * text)
{
  if (g_str_equal (text, "ANY") || g_str_equal (text, "EMPTY"))
    return TRUE;
  for (; text; text = find_next_structure (text)) {
    const gchar *end;

    while (*text == ' ')
      text++;
    end = skip_name (text);
    if (!end || !strchr (",;(", *end))
      return FALSE;
  }
  return TRUE;
}

GstStructure *
gst_orch_reader_get_structure (GstOrchReader * reader)
{
  const gchar *name = gst_orch_reader_get_string (reader);
  GstStructure *structure;
  guint32 i, n;

  if (!name)
    return NULL;
  n = gst_orch_reader_get_count (reader);
  if (!is_name (name))
    reader->bad = TRUE;
  if (n > MAX_FIELDS)
    gst_orch_reader_refuse (reader, "a structure with more than 4096 fields");
  if (reader->bad)
    return NULL;
  structure = gst_structure_new_empty (name);
  for (i = 0; i < n && !reader->bad; i++) {
    const gchar *field = gst_orch_reader_get_string (reader);
    GValue value = G_VALUE_INIT;

    if (field && gst_orch_reader_get_value (reader, &value))
      gst_structure_take_value (structure, field, &value);
    else
      reader->bad = TRUE;
  }
  if (!reader->bad)
    return structure;
  gst_structure_free (structure);
  return NULL;
}

GstOrchCause *
gst_orch_reader_get_cause (GstOrchReader * reader)
{
  const gchar *domain = gst_orch_reader_get_string (reader);
  const gchar *code, *message;

  if (!domain)
    return NULL;
  code = gst_orch_reader_get_string (reader);
  message = gst_orch_reader_get_string (reader);
  if (!code || !message)
    reader->bad = TRUE;
  return reader->bad ? NULL :
      gst_orch_cause_new_literal (domain, code, message);
}

/* ---- writing ---- */

void
gst_orch_put_u8 (GByteArray * out, guint8 value)
{
  g_byte_array_append (out, &value, sizeof value);
}

void
gst_orch_put_u32 (GByteArray * out, guint32 value)
{
  g_byte_array_append (out, (const guint8 *) &value, sizeof value);
}

void
gst_orch_put_u64 (GByteArray * out, guint64 value)
{
  g_byte_array_append (out, (const guint8 *) &value, sizeof value);
}

void
gst_orch_put_string (GByteArray * out, const gchar * text)
{
  g_autofree gchar *valid = NULL;
  gsize size;

  if (!text) {
    gst_orch_put_u32 (out, 0);
    return;
  }
  if (!g_utf8_validate (text, -1, NULL))
    text = valid = g_utf8_make_valid (text, -1);
  size = strlen (text) + 1;
  gst_orch_put_u32 (out, size);
  g_byte_array_append (out, (const guint8 *) text, size);
}

static void
put_number (GByteArray * out, Kind kind, guint64 bits)
{
  gst_orch_put_u8 (out, kind);
  gst_orch_put_u64 (out, bits);
}

/* Those of its items that cannot be written are left out. */
static void
put_values (GByteArray * out, Kind kind, const GValue * value, guint n,
    const GValue * (*get) (const GValue * list, guint index))
{
  guint i, at, written = 0;

  gst_orch_put_u8 (out, kind);
  at = out->len;
  gst_orch_put_u32 (out, 0);
  for (i = 0; i < n; i++)
    written += gst_orch_put_value (out, get (value, i));
  memcpy (out->data + at, &(guint32) { written }, sizeof (guint32));
}

static gboolean
put_as_text (GByteArray * out, const GValue * value)
{
  g_autofree gchar *text = gst_value_serialize (value);

  if (!text || !gst_orch_wire_is_simple (text))
    return FALSE;
  gst_orch_put_u8 (out, KIND_TEXT);
  gst_orch_put_string (out, G_VALUE_TYPE_NAME (value));
  gst_orch_put_string (out, text);
  return TRUE;
}

static gboolean
put_container (GByteArray * out, const GValue * value)
{
  if (GST_VALUE_HOLDS_STRUCTURE (value) && g_value_get_boxed (value)) {
    gst_orch_put_u8 (out, KIND_STRUCTURE);
    gst_orch_put_structure (out, gst_value_get_structure (value));
  } else if (GST_VALUE_HOLDS_ARRAY (value)) {
    put_values (out, KIND_ARRAY, value, gst_value_array_get_size (value),
        gst_value_array_get_value);
  } else if (GST_VALUE_HOLDS_LIST (value)) {
    put_values (out, KIND_LIST, value, gst_value_list_get_size (value),
        gst_value_list_get_value);
  } else {
    return put_as_text (out, value);
  }
  return TRUE;
}

gboolean
gst_orch_put_value (GByteArray * out, const GValue * value)
{
  gdouble number;
  guint64 bits;

  switch (G_VALUE_TYPE (value)) {
    case G_TYPE_INT:
      put_number (out, KIND_INT, g_value_get_int (value));
      return TRUE;
    case G_TYPE_UINT:
      put_number (out, KIND_UINT, g_value_get_uint (value));
      return TRUE;
    case G_TYPE_INT64:
      put_number (out, KIND_INT64, g_value_get_int64 (value));
      return TRUE;
    case G_TYPE_UINT64:
      put_number (out, KIND_UINT64, g_value_get_uint64 (value));
      return TRUE;
    case G_TYPE_BOOLEAN:
      put_number (out, KIND_BOOLEAN, g_value_get_boolean (value));
      return TRUE;
    case G_TYPE_DOUBLE:
      number = g_value_get_double (value);
      memcpy (&bits, &number, sizeof bits);
      put_number (out, KIND_DOUBLE, bits);
      return TRUE;
    case G_TYPE_STRING:
      gst_orch_put_u8 (out, KIND_STRING);
      gst_orch_put_string (out, g_value_get_string (value));
      return TRUE;
    default:
      return put_container (out, value);
  }
}

void
gst_orch_put_structure (GByteArray * out, const GstStructure * structure)
{
  guint at, written = 0;
  gint i, n = structure ? gst_structure_n_fields (structure) : 0;

  gst_orch_put_string (out, structure ? gst_structure_get_name (structure) :
      NULL);
  if (!structure)
    return;
  at = out->len;
  gst_orch_put_u32 (out, 0);
  for (i = 0; i < n; i++) {
    const gchar *field = gst_structure_nth_field_name (structure, i);
    guint begin = out->len;

    gst_orch_put_string (out, field);
    if (gst_orch_put_value (out, gst_structure_get_value (structure, field)))
      written++;
    else
      g_byte_array_set_size (out, begin);
  }
  memcpy (out->data + at, &(guint32) { written }, sizeof (guint32));
}

void
gst_orch_put_cause (GByteArray * out, GstOrchCause * cause)
{
  gst_orch_put_string (out, cause ? gst_orch_cause_get_domain (cause) : NULL);
  if (!cause)
    return;
  gst_orch_put_string (out, gst_orch_cause_get_code (cause));
  gst_orch_put_string (out, gst_orch_cause_get_message (cause));
}
