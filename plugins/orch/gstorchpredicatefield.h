/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* What a predicate reads of an Item. */

typedef enum
{
  GST_ORCH_FIELD_MISSING,
  GST_ORCH_FIELD_OTHER,         /* there, but neither of these */
  GST_ORCH_FIELD_BOOLEAN,
  GST_ORCH_FIELD_NUMBER,
  GST_ORCH_FIELD_TEXT,
} GstOrchFieldType;

typedef struct
{
  GstOrchFieldType type;
  gboolean boolean;
  gdouble number;
  gint64 rest;                  /* what an integer is beyond the nearest `number` */
  gchar *text;                  /* owned */
} GstOrchFieldValue;

typedef struct
{
  const GstStructure *info;     /* (nullable) */
  GstCaps *caps;                /* (nullable) */
  GstBuffer *buffer;            /* (nullable) */
  /*< private >*/
  gboolean is_read;
  gchar *text;                  /* of the buffer, stripped; NULL if it is none */
  JsonNode *json;
} GstOrchFieldSource;

void gst_orch_field_source_clear (GstOrchFieldSource * source);
void gst_orch_field_value_clear (GstOrchFieldValue * value);
void gst_orch_field_value_copy (GstOrchFieldValue * copy,
    const GstOrchFieldValue * value);

/* The texts "true" and "false" stand for booleans; FALSE for any other value that
 * is none. */
gboolean gst_orch_field_value_make_boolean (GstOrchFieldValue * value);

/* Reads a whole text as a number; FALSE for any other. */
gboolean gst_orch_field_value_read_number (GstOrchFieldValue * value,
    const gchar * text);
/* Integers are told apart to the last digit.  Not for what is not a number. */
gint gst_orch_field_value_compare_numbers (const GstOrchFieldValue * a,
    const GstOrchFieldValue * b);

/* Whether `word` names a field: "info.quality", "caps", "value.lang". */
gboolean gst_orch_field_is_one (const gchar * word);
/* `names`: "info", "quality" */
void gst_orch_field_read (GstOrchFieldSource * source,
    const gchar * const *names, GstOrchFieldValue * value);

G_END_DECLS
