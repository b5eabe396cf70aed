/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchfiletree.h"
#include "gstorchrecord.h"

G_BEGIN_DECLS

/**
 * GstOrchMediaFiles: a folder that has a folder for the media of each record, which
 * are written ahead of it.  What a killed process leaves without a record is written
 * again under the same name.  Used by one thread.
 */
typedef struct _GstOrchMediaFiles GstOrchMediaFiles;

/* `record_file` (nullable): records name files relative to its folder, if they lie
 * below that.  NULL with `error` (G_IO_ERROR) set. */
GstOrchMediaFiles *gst_orch_media_files_new (const gchar * folder,
    const gchar * record_file, gboolean sync, GError ** error);
void gst_orch_media_files_free (GstOrchMediaFiles * self);
/* (transfer none) */
GstOrchFileTree *gst_orch_media_files_get_tree (GstOrchMediaFiles * self);

/* (transfer full): takes the media of a record that is built. */
GstOrchRecordMedia *gst_orch_media_files_begin (GstOrchMediaFiles * self,
    const GstOrchResult * result);
/* Notes in the record where they are, if there are any. */
void gst_orch_media_files_note (const GstOrchRecordMedia * media,
    JsonNode * record);
gboolean gst_orch_media_files_write (GstOrchMediaFiles * self,
    const GstOrchRecordMedia * media, GError ** error);

/* ---- what shards need, too ---- */

/* The one above it must be there. */
gboolean gst_orch_media_make_folder (const gchar * folder, GError ** error);
/* (transfer full): the URI of `folder`, which ends with a slash, as records of
 * `record_file` (nullable) name it. */
gchar *gst_orch_media_make_base (const gchar * folder,
    const gchar * record_file);
/* (transfer full): the key of the document that `result` is of, and the place of
 * the result in it. */
gchar *gst_orch_media_make_key (const GstOrchResult * result,
    gchar ** place);

G_END_DECLS
