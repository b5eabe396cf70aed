/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchmediafiles.h"
#include "gstorchrecordwriter.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *folder;
  guint64 max_records;          /* of one shard */
  guint64 max_bytes;            /* after which a shard ends */
} GstOrchShardsConfig;

/**
 * GstOrchShards: tar archives 000000.tar, 000001.tar ... as WebDataset reads them: for
 * each record its media, KEY.0002-thumbnail.jpg, and the record itself, KEY.json.
 *
 * A shard has its name when it is whole.  The records of its documents go to the record
 * file just ahead of that, so that a killed run leaves at most records at its end that
 * name a shard which is not there; the writer cuts them off.  Used by one thread.
 */
typedef struct _GstOrchShards GstOrchShards;

/* As gst_orch_media_files_new(). */
GstOrchShards *gst_orch_shards_new (const GstOrchShardsConfig * config,
    const gchar * record_file, gboolean sync, GError ** error);
/* A shard that is not whole is thrown away. */
void gst_orch_shards_free (GstOrchShards * self);
/* (transfer none) */
GstOrchFileTree *gst_orch_shards_get_tree (GstOrchShards * self);

/* (transfer full): takes the media of a record that is built. */
GstOrchRecordMedia *gst_orch_shards_begin (GstOrchShards * self,
    const GstOrchResult * result);
/* Adds a record, in which its shard is noted, and its media.  What is due is
 * appended to `writer`. */
gboolean gst_orch_shards_write (GstOrchShards * self,
    const GstOrchRecordMedia * media, JsonNode * record,
    GstOrchRecordWriter * writer, GError ** error);
/* Ends the shard that is open. */
gboolean gst_orch_shards_finish (GstOrchShards * self,
    GstOrchRecordWriter * writer, GError ** error);

G_END_DECLS
