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
  const gchar *why;             /* (nullable): it is bad, where that can be told */
  gint64 give_up_at;            /* monotonic, us; 0: never */
} GstOrchReader;

GST_ORCH_API void gst_orch_reader_refuse (GstOrchReader * reader,
    const gchar * why);

/* (transfer none): the next n bytes, NULL when there are fewer */
GST_ORCH_API const guint8 *gst_orch_reader_take (GstOrchReader * reader,
    gsize n);
GST_ORCH_API guint8 gst_orch_reader_get_u8 (GstOrchReader * reader);
GST_ORCH_API guint32 gst_orch_reader_get_u32 (GstOrchReader * reader);
GST_ORCH_API guint64 gst_orch_reader_get_u64 (GstOrchReader * reader);
/* A count of things of which each takes a byte at least. */
GST_ORCH_API guint32 gst_orch_reader_get_count (GstOrchReader * reader);
/* (transfer none) (nullable): as long as the bytes */
GST_ORCH_API const gchar *gst_orch_reader_get_string (GstOrchReader *
    reader);
/* Do its structures have names?  GStreamer takes that for granted. */
GST_ORCH_API gboolean gst_orch_wire_is_caps (const gchar * text);
/* Is it so short, and so shallow, that GStreamer reads it in no time?  Each level of
 * brackets may double what that takes, and takes some of the stack. */
GST_ORCH_API gboolean gst_orch_wire_is_simple (const gchar * text);
/* What gst_orch_wire_is_simple() demands, for a person. */
#define GST_ORCH_WIRE_LIMITS "64 KB of text, or 6 levels of brackets"
/* FALSE, with the reader bad: no more of such text may be read. */
GST_ORCH_API gboolean gst_orch_reader_may_parse (GstOrchReader * reader,
    const gchar * text);
/* FALSE: there is none, or it is bad, and `value` is not initialised. */
GST_ORCH_API gboolean gst_orch_reader_get_value (GstOrchReader * reader,
    GValue * value);
/* (transfer full) (nullable) */
GST_ORCH_API GstStructure *gst_orch_reader_get_structure (GstOrchReader *
    reader);
GST_ORCH_API GstOrchCause *gst_orch_reader_get_cause (GstOrchReader *
    reader);

GST_ORCH_API void gst_orch_put_u8 (GByteArray * out, guint8 value);
GST_ORCH_API void gst_orch_put_u32 (GByteArray * out, guint32 value);
GST_ORCH_API void gst_orch_put_u64 (GByteArray * out, guint64 value);
/* `text` (nullable) */
GST_ORCH_API void gst_orch_put_string (GByteArray * out,
    const gchar * text);
/* FALSE: values of its type cannot be written; nothing is then. */
GST_ORCH_API gboolean gst_orch_put_value (GByteArray * out,
    const GValue * value);
/* (nullable).  Fields that cannot be written are left out. */
GST_ORCH_API void gst_orch_put_structure (GByteArray * out,
    const GstStructure * structure);
/* (nullable).  Without the place where it arose. */
GST_ORCH_API void gst_orch_put_cause (GByteArray * out,
    GstOrchCause * cause);

G_END_DECLS
