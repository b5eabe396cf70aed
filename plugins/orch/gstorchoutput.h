/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchshards.h"

G_BEGIN_DECLS

/**
 * GstOrchRecordFormat:
 * @GST_ORCH_RECORD_FORMAT_JSONL: one JSON object a line
 * @GST_ORCH_RECORD_FORMAT_TEXT: the text alone
 *
 * How results are written.
 */
typedef enum
{
  GST_ORCH_RECORD_FORMAT_JSONL,
  GST_ORCH_RECORD_FORMAT_TEXT,
} GstOrchRecordFormat;

GType gst_orch_record_format_get_type (void);
#define GST_TYPE_ORCH_RECORD_FORMAT (gst_orch_record_format_get_type ())
GType gst_orch_content_format_get_type (void);
#define GST_TYPE_ORCH_CONTENT_FORMAT (gst_orch_content_format_get_type ())

typedef struct
{
  const gchar *location;
  GstOrchRecordFormat format;
  GstOrchContentFormat content_format;
  GstOrchExisting existing;
  gboolean retry_failed;
  GstOrchDurability durability;
  GstOrchRunHeader *header;     /* (nullable) */
  const gchar *files;           /* (nullable): the folder of media */
  GstOrchShardsConfig shards;   /* no folder: none */
} GstOrchOutputConfig;

/**
 * GstOrchOutput: where results go: a record file, a stream of text, or a file
 * for each Entity with a record file beside them.  Used by one thread.
 */
typedef struct _GstOrchOutput GstOrchOutput;

/* One result, ready to be written. */
typedef struct
{
  GstOrchRecord record;
  gchar *line;                  /* (nullable): of the record file or stream */
  gsize size;
  gchar *content;               /* (nullable): of a file of its own */
  GstOrchRecordMedia *media;    /* (nullable): of files of their own */
  gchar *uri;
  gchar *path;
  guint64 page;
} GstOrchRendered;

/* NULL with `error` (G_IO_ERROR) set. */
GstOrchOutput *gst_orch_output_open (const GstOrchOutputConfig * config,
    GError ** error);
void gst_orch_output_free (GstOrchOutput * output);
/* (transfer none) (nullable): the record file a run can be resumed from */
const gchar *gst_orch_output_get_record_file (GstOrchOutput * output);
/* TRUE when it had records as it was opened. */
gboolean gst_orch_output_has_earlier (GstOrchOutput * output);
/* (transfer none): for messages */
GstOrchRecordWriter *gst_orch_output_get_writer (GstOrchOutput * output);

/* `rendered` is cleared by the caller, on success. */
gboolean gst_orch_output_render (GstOrchOutput * output,
    const GstOrchResult * result, GstOrchRendered * rendered, GError ** error);
gboolean gst_orch_output_write (GstOrchOutput * output,
    GstOrchRendered * rendered, GError ** error);
void gst_orch_rendered_clear (GstOrchRendered * rendered);
gboolean gst_orch_output_finish (GstOrchOutput * output, GError ** error);

G_END_DECLS
