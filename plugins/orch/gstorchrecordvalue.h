/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchrecord.h"

G_BEGIN_DECLS

/* Values as JSON, for gstorchrecord.c. */

/* Fields of an info that have a place of their own in a record; NULL-terminated. */
extern const gchar *const gst_orch_record_own_fields[];

/* (transfer full): what a record says of a cause (nullable) */
JsonNode *gst_orch_record_cause_node (OrchCause * cause);
/* (transfer full): the content of a record; NULL with `error` set, as in
 * gst_orch_record_build(). */
JsonArray *gst_orch_record_make_content (const GstOrchResult * result,
    GstOrchContentFormat format, GstOrchRecordMedia * media, GError ** error);

G_END_DECLS
