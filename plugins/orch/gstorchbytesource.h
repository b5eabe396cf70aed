/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gio/gio.h>
#include <gst/gst.h>

#include "lineage/orch-cause.h"

G_BEGIN_DECLS

/* How the bytes of a document are reached.  Local files are opened as file
 * descriptors; anything else goes through GIO into memory.  Another kind of
 * storage is one more GstOrchByteSource in the table of the .c file. */

/* The domain of causes that arise here and in orchsrc. */
#define GST_ORCH_SOURCE_DOMAIN "source"

/* What is known of a document without reading it. */
typedef struct
{
  gboolean known;               /* FALSE: nothing could be found out */
  guint64 size;                 /* bytes */
  gint64 mtime;                 /* microseconds since 1970, UTC */
} GstOrchByteInfo;

typedef struct
{
  guint64 max_size;             /* bytes; 0: no limit */
  gboolean use_reserve;         /* take one of the last file descriptors too */
  GCancellable *cancellable;    /* (nullable) */
} GstOrchByteOptions;

typedef enum
{
  GST_ORCH_BYTES_OK,
  GST_ORCH_BYTES_FAILED,        /* for good: there is a cause */
  GST_ORCH_BYTES_NO_DESCRIPTOR, /* try again when one was closed */
} GstOrchBytesResult;

/* Size and time, without opening.  `info->known` is FALSE on failure. */
void gst_orch_bytes_stat (const gchar * uri, GCancellable * cancellable,
    GstOrchByteInfo * info);
/* Opens a document.  `memory` (out) (transfer full) is NULL for an empty one;
 * `info` (inout) is filled as far as it is known, on failure too; `cause` (out)
 * (transfer full) is set for FAILED. */
GstOrchBytesResult gst_orch_bytes_open (const gchar * uri,
    const GstOrchByteOptions * options, GstMemory ** memory,
    GstOrchByteInfo * info, OrchCause ** cause);
/* (transfer full) (nullable): SHA-256 of the document, in hexadecimal; NULL
 * when it was cancelled, or with `cause` set when it cannot be read. */
gchar *gst_orch_bytes_checksum (const gchar * uri, GstMemory * memory,
    GCancellable * cancellable, OrchCause ** cause);

/* (transfer full): "2026-11-30T02:20:17.123456Z" */
gchar *gst_orch_bytes_format_mtime (gint64 mtime);
/* (transfer full): a URI as a person would write it: a path if it is local */
gchar *gst_orch_bytes_display_name (const gchar * uri);
/* (transfer full): the URI of a local path, which may be relative to `cwd` and
 * hold any bytes */
gchar *gst_orch_bytes_uri_from_path (const gchar * path, const gchar * cwd);

G_END_DECLS
