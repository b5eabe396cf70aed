/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchsourcelist.h"

G_BEGIN_DECLS

/**
 * GstOrchFolder: the files of a folder, sorted by the bytes of their names;
 * subfolders in their place when it is recursive.  Hidden ones are left out.
 * Links to folders are not followed, so that there is no loop.
 */
typedef struct _GstOrchFolder GstOrchFolder;

/* NULL with `error` set when it cannot be read. `pattern` (nullable): which
 * file names, whatever their case. */
GstOrchFolder *gst_orch_folder_new (const gchar * path, const gchar * pattern,
    gboolean recursive, GError ** error);
void gst_orch_folder_free (GstOrchFolder * folder);
/* (transfer full) (nullable): the path of the next file; NULL at the end.
 * `error` (out) (transfer full): that path is a folder that cannot be read. */
gchar *gst_orch_folder_next (GstOrchFolder * folder, GError ** error);

G_END_DECLS
