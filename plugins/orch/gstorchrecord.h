/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchinfo-private.h>
#include <gst/orch/gstorchlist.h>
#include <json-glib/json-glib.h>

#include "gstorchrecordmedia.h"

#include "lineage/orch-entity.h"

G_BEGIN_DECLS

/* The version of the record's layout; docs/record.schema.json describes it. */
#define GST_ORCH_RECORD_SCHEMA 1

typedef enum
{
  GST_ORCH_CONTENT_FULL,
  GST_ORCH_CONTENT_PLAIN,
  GST_ORCH_CONTENT_NONE,        /* it is in a file of its own */
} GstOrchContentFormat;

/* The end of one Entity, as a sink hears of it. */
typedef struct
{
  OrchEntity *entity;           /* owned */
  OrchOutcome outcome;
  OrchCause *cause;             /* (nullable) owned */
  GstOrchInfo *info;            /* (nullable) owned */
  GstBuffer *buffer;            /* (nullable) owned */
  GstCaps *caps;                /* (nullable) owned */
} GstOrchResult;

void gst_orch_result_clear (GstOrchResult * result);

typedef enum
{
  GST_ORCH_RECORD_ERROR_CAPS,   /* a value of a kind that no record holds */
} GstOrchRecordError;

#define GST_ORCH_RECORD_ERROR (gst_orch_record_error_quark ())
GQuark gst_orch_record_error_quark (void);

/* One record, still to be printed. */
typedef struct
{
  JsonNode *root;
  gchar *id;
  gchar *summary;               /* "" for a complete one */
  gboolean complete;
} GstOrchRecord;

/* `media` (nullable): takes the values that go to files; without it there may be
 * none.  FALSE with `error` set (GST_ORCH_RECORD_ERROR) when a value is of a kind
 * that no record holds.  The outcome of the same result is always the same bytes. */
gboolean gst_orch_record_build (GstOrchRecord * record,
    const GstOrchResult * result, GstOrchContentFormat format,
    GstOrchRecordMedia * media, GError ** error);
void gst_orch_record_clear (GstOrchRecord * record);

/* (transfer full): "file:///a.pdf#page=4": the URI of the root, then how each
 * ancestor and the Entity itself are named within their parents. */
gchar *gst_orch_record_get_id (OrchEntity * entity, const GstStructure * info);

/* (transfer none) (nullable): what is known of the document */
const GstStructure *gst_orch_record_get_root_info (OrchEntity * entity,
    const GstStructure * info);

/* (transfer full): the text of a value alone: each element of a list ends with
 * a form feed, those of lists within it with a newline.  NULL with `error`
 * set as in gst_orch_record_build(). */
gchar *gst_orch_record_get_text (const GstOrchResult * result, GError ** error);

/* ---- kinds of values ---- */

typedef enum
{
  GST_ORCH_VALUE_OTHER,
  GST_ORCH_VALUE_TEXT,
  GST_ORCH_VALUE_JSON,
  GST_ORCH_VALUE_LIST,
  GST_ORCH_VALUE_ITEMS,         /* joined: inputs that have names */
  GST_ORCH_VALUE_MEDIA,         /* goes to a file of its own */
} GstOrchValueKind;

GstOrchValueKind gst_orch_value_get_kind (GstCaps * caps);
/* Whether what has some of `caps` may be of a kind that can be written. */
gboolean gst_orch_value_is_possible (GstCaps * caps, gboolean with_media);
/* (transfer full): what to tell a person whose values cannot */
gchar *gst_orch_value_explain (GstCaps * caps);

G_END_DECLS
