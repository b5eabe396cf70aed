/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Record files as they are read back. */

/* What a record says of itself ahead of its content. */
typedef struct
{
  gchar *uri;
  gchar *path;
  gchar *size;                  /* (nullable): decimal */
  gchar *mtime;                 /* (nullable) */
  gchar *file;                  /* (nullable): the file that has the content */
  gchar *media;                 /* (nullable): name of the folder of its media */
  gchar *shard;                 /* (nullable): name of the shard it is in */
  gboolean complete;
} GstOrchRecordHead;

/* FALSE when the line is no record. */
gboolean gst_orch_record_head_parse (GstOrchRecordHead * head,
    const gchar * line, gsize size);
void gst_orch_record_head_clear (GstOrchRecordHead * head);

/* The whole lines of a record file.  A last line without its newline is what a
 * killed writer left: it is not there. */
typedef struct _GstOrchRecordReader GstOrchRecordReader;

GstOrchRecordReader *gst_orch_record_reader_new (const gchar * file,
    GError ** error);
void gst_orch_record_reader_free (GstOrchRecordReader * reader);
/* FALSE at the end, or with `error` set.  The line, newline included, is valid
 * until the next call. */
gboolean gst_orch_record_reader_next (GstOrchRecordReader * reader,
    const gchar ** line, gsize * size, GError ** error);

/* Which documents a record file holds: uri, size and time of change.  Takes 24
 * bytes a record. */
typedef struct _GstOrchRecordIndex GstOrchRecordIndex;

/* An absent file is an empty one.  With `retry_failed` only complete records
 * count.  A file whose records are of parts of documents is an error. */
GstOrchRecordIndex *gst_orch_record_index_load (const gchar * file,
    gboolean retry_failed, GError ** error);
void gst_orch_record_index_free (GstOrchRecordIndex * index);
/* TRUE as often as there are records of that document, so that the n-th
 * occurrence of one is told from the others.  `mtime` NULL: not known. */
gboolean gst_orch_record_index_take (GstOrchRecordIndex * index,
    const gchar * uri, guint64 size, const gchar * mtime);

G_END_DECLS
