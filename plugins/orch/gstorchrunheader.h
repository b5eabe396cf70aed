/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * GstOrchRunHeader: what made a record file: versions, the launch line, and
 * what the results depend on, which is what the fingerprint is of: element and
 * Function names and those of their properties that differ from the default,
 * save what only changes speed or order.  It is kept beside the record file, as
 * `<file>.run.json`.
 */
typedef struct _GstOrchRunHeader GstOrchRunHeader;

/* Of the pipeline as it is linked now, from `sink` upwards. */
GstOrchRunHeader *gst_orch_run_header_new (GstElement * sink);
void gst_orch_run_header_free (GstOrchRunHeader * header);

/* (transfer none) */
const gchar *gst_orch_run_header_get_launch (GstOrchRunHeader * header);
const gchar *gst_orch_run_header_get_fingerprint (GstOrchRunHeader * header);

/* Whether the file beside `record_file` is of the same pipeline.  FALSE with
 * `error` set, which names a difference, when it is not or is not there. */
gboolean gst_orch_run_header_check (GstOrchRunHeader * header,
    const gchar * record_file, GError ** error);
gboolean gst_orch_run_header_save (GstOrchRunHeader * header,
    const gchar * record_file, GError ** error);

G_END_DECLS
