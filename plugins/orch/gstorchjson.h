/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Between JSON and GStreamer's values. */

/* More nesting than this is refused: the parser recurses. */
#define GST_ORCH_JSON_MAX_DEPTH 128

/* (transfer full) (nullable): parses `size` bytes of one JSON value.  Errors:
 * JSON_PARSER_ERROR, for bad UTF-8 and for too deep nesting too. */
JsonNode *gst_orch_json_parse (const gchar * text, gsize size, GError ** error);
/* (transfer full): `node` on one line, `size` (out) bytes without a newline. */
gchar *gst_orch_json_print (JsonNode * node, gsize * size);
/* The same with a newline, which counts. */
gchar *gst_orch_json_print_line (JsonNode * node, gsize * size);

/* (transfer full): an object with the fields of `structure` (nullable), in
 * their order, but those named in `leave_out` (nullable, NULL-terminated). */
JsonObject *gst_orch_json_from_structure (const GstStructure * structure,
    const gchar * const *leave_out);
/* (transfer full): the members of `object` but `leave_out` as a structure;
 * objects become structures, null a NULL pointer, an array a GST_TYPE_ARRAY or,
 * if its elements differ in type or are arrays, a structure of the name "array"
 * with the fields 0, 1, 2 ... */
GstStructure *gst_orch_json_to_structure (JsonObject * object,
    const gchar * name, const gchar * leave_out);

/* (transfer full): `size` bytes as UTF-8 without NUL; what is not valid becomes
 * U+FFFD. */
gchar *gst_orch_json_clean_text (const gchar * text, gsize size);

/* (nullable) (transfer none): a string member, NULL when it is missing or
 * something else. */
const gchar *gst_orch_json_get_string (JsonObject * object,
    const gchar * member);
void gst_orch_json_set_string_or_null (JsonObject * object,
    const gchar * member, const gchar * value);

G_END_DECLS
