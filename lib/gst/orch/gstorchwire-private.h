/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchentity.h>

G_BEGIN_DECLS

/* Values as bytes, for messages between this process and its workers: both sides
 * are one program on one machine, so numbers are as the machine has them.
 *
 * What is read may come from a worker that a hostile document has taken over.  A
 * reader never goes beyond what it has: when something does not fit it is `bad`
 * from then on, and gives zeros. */
typedef struct
{
  const guint8 *data;
  gsize size;
  gsize at;
  guint depth;
  gboolean bad;
} GstOrchReader;

/* (transfer none): the next n bytes, NULL when there are fewer */
G_GNUC_INTERNAL const guint8 *gst_orch_reader_take (GstOrchReader * reader,
    gsize n);
G_GNUC_INTERNAL guint8 gst_orch_reader_get_u8 (GstOrchReader * reader);
G_GNUC_INTERNAL guint32 gst_orch_reader_get_u32 (GstOrchReader * reader);
G_GNUC_INTERNAL guint64 gst_orch_reader_get_u64 (GstOrchReader * reader);
/* A count of things of which each takes a byte at least. */
G_GNUC_INTERNAL guint32 gst_orch_reader_get_count (GstOrchReader * reader);
/* (transfer none) (nullable): as long as the bytes */
G_GNUC_INTERNAL const gchar *gst_orch_reader_get_string (GstOrchReader *
    reader);
/* FALSE: there is none, or it is bad, and `value` is not initialised. */
G_GNUC_INTERNAL gboolean gst_orch_reader_get_value (GstOrchReader * reader,
    GValue * value);
/* (transfer full) (nullable) */
G_GNUC_INTERNAL GstStructure *gst_orch_reader_get_structure (GstOrchReader *
    reader);
G_GNUC_INTERNAL GstOrchCause *gst_orch_reader_get_cause (GstOrchReader *
    reader);

G_GNUC_INTERNAL void gst_orch_put_u8 (GByteArray * out, guint8 value);
G_GNUC_INTERNAL void gst_orch_put_u32 (GByteArray * out, guint32 value);
G_GNUC_INTERNAL void gst_orch_put_u64 (GByteArray * out, guint64 value);
/* `text` (nullable) */
G_GNUC_INTERNAL void gst_orch_put_string (GByteArray * out,
    const gchar * text);
/* FALSE: values of its type cannot be written; nothing is then. */
G_GNUC_INTERNAL gboolean gst_orch_put_value (GByteArray * out,
    const GValue * value);
/* (nullable).  Fields that cannot be written are left out. */
G_GNUC_INTERNAL void gst_orch_put_structure (GByteArray * out,
    const GstStructure * structure);
/* (nullable).  Without the place where it arose. */
G_GNUC_INTERNAL void gst_orch_put_cause (GByteArray * out,
    GstOrchCause * cause);

G_END_DECLS
