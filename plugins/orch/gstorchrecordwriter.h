/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchfiletree.h"
#include "gstorchrunheader.h"

G_BEGIN_DECLS

/**
 * GstOrchExisting:
 * @GST_ORCH_EXISTING_ERROR: end with an error
 * @GST_ORCH_EXISTING_RESUME: keep its records and add what is missing
 * @GST_ORCH_EXISTING_RESUME_ANY: the same, whatever pipeline made it
 * @GST_ORCH_EXISTING_OVERWRITE: begin anew
 *
 * What to do about records that are there already.
 */
typedef enum
{
  GST_ORCH_EXISTING_ERROR,
  GST_ORCH_EXISTING_RESUME,
  GST_ORCH_EXISTING_RESUME_ANY,
  GST_ORCH_EXISTING_OVERWRITE,
} GstOrchExisting;

GType gst_orch_existing_get_type (void);
#define GST_TYPE_ORCH_EXISTING (gst_orch_existing_get_type ())

/**
 * GstOrchDurability:
 * @GST_ORCH_DURABILITY_NONE: when the system writes them
 * @GST_ORCH_DURABILITY_RECORD: each before the next
 * @GST_ORCH_DURABILITY_CLOSE: all before EOS
 *
 * When records are on the disk, should the machine lose its power.
 */
typedef enum
{
  GST_ORCH_DURABILITY_NONE,
  GST_ORCH_DURABILITY_RECORD,
  GST_ORCH_DURABILITY_CLOSE,
} GstOrchDurability;

GType gst_orch_durability_get_type (void);
#define GST_TYPE_ORCH_DURABILITY (gst_orch_durability_get_type ())

typedef struct
{
  const gchar *file;            /* "-": standard output */
  GstOrchExisting existing;
  gboolean retry_failed;        /* resuming: drop incomplete records */
  GstOrchDurability durability;
  GstOrchRunHeader *header;     /* (nullable): none is kept */
  GstOrchFileTree *tree;        /* (nullable): where the contents are */
  GstOrchFileTree *media;       /* (nullable): where the folders of media are */
  GstOrchFileTree *shards;      /* (nullable): where the shards are */
} GstOrchRecordWriterConfig;

/**
 * GstOrchRecordWriter: appends to a record file, one write a record, so that a
 * process that is killed leaves whole lines and at most a part of one, which is
 * cut off when the file is resumed.  One writer a file, in all processes.  Used
 * by one thread.
 *
 * What is no regular file (a pipe, a device, standard output) is only written to.
 */
typedef struct _GstOrchRecordWriter GstOrchRecordWriter;

/* NULL with `error` (G_IO_ERROR) set.  The message names the file. */
GstOrchRecordWriter *gst_orch_record_writer_open (const
    GstOrchRecordWriterConfig * config, GError ** error);
void gst_orch_record_writer_free (GstOrchRecordWriter * writer);
/* `line` ends with a newline.  On failure nothing of it stays in the file. */
gboolean gst_orch_record_writer_append (GstOrchRecordWriter * writer,
    const gchar * line, gsize size, GError ** error);
/* Takes the last appended line back. */
void gst_orch_record_writer_undo (GstOrchRecordWriter * writer);
/* Before EOS: to the disk, if durability asks for it. */
gboolean gst_orch_record_writer_finish (GstOrchRecordWriter * writer,
    GError ** error);
/* Bytes that were cut off when it was opened: a part of a record. */
guint64 gst_orch_record_writer_get_n_cut (GstOrchRecordWriter * writer);
/* TRUE when it resumes: there were records as it was opened. */
gboolean gst_orch_record_writer_had_records (GstOrchRecordWriter * writer);

G_END_DECLS
