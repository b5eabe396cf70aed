/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchsourcelist.h"

G_BEGIN_DECLS

/**
 * GstOrchListFile: a list of documents, one a line: a path, a URI, or a JSON
 * object with a `uri` (a path will do) and any further fields.  Empty lines
 * count for nothing.
 */
typedef struct _GstOrchListFile GstOrchListFile;

/* "-" is the standard input.  `cwd`: what relative paths are relative to. */
GstOrchListFile *gst_orch_list_file_new (const gchar * name, const gchar * cwd,
    GError ** error);
void gst_orch_list_file_free (GstOrchListFile * file);
/* FALSE at the end, or with `error` set.  A line that says nothing useful is an
 * entry with a cause. */
gboolean gst_orch_list_file_next (GstOrchListFile * file,
    GstOrchSourceEntry * entry, GError ** error);

/* (transfer full): what a person wrote as a URI: it is one already, or a path */
gchar *gst_orch_list_file_to_uri (const gchar * text, const gchar * cwd);

G_END_DECLS
