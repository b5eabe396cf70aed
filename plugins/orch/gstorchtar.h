/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A tar archive that is being written, with names of any bytes.  The same entries
 * are always the same bytes.  Used by one thread. */
typedef struct _GstOrchTar GstOrchTar;

/* Begins `file` anew.  NULL with `error` (G_IO_ERROR) set, as all of them;
 * G_IO_ERROR_NOT_SUPPORTED when gst-orch was built without libarchive. */
GstOrchTar *gst_orch_tar_new (const gchar * file, GError ** error);
gboolean gst_orch_tar_add (GstOrchTar * tar, const gchar * name,
    gconstpointer data, gsize size, GError ** error);
/* Frees it in any case; `sync`: to the disk. */
gboolean gst_orch_tar_close (GstOrchTar * tar, gboolean sync, GError ** error);

G_END_DECLS
