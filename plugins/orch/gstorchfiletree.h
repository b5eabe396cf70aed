/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GstOrchFileTree: the files below one folder, and nothing outside of it: no
 * symbolic link is followed on the way down.  Names are paths relative to it
 * without "..".  Used by one thread.
 */
typedef struct _GstOrchFileTree GstOrchFileTree;

GstOrchFileTree *gst_orch_file_tree_new (const gchar * base, GError ** error);
void gst_orch_file_tree_free (GstOrchFileTree * tree);
gboolean gst_orch_file_tree_exists (GstOrchFileTree * tree, const gchar * name);
/* Writes a temporary file beside `name`, whose folders are made.  `sync`: to
 * the disk. */
gboolean gst_orch_file_tree_prepare (GstOrchFileTree * tree,
    const gchar * name, const gchar * data, gsize size, gboolean sync,
    GError ** error);
/* Makes the last prepared file `name`. */
gboolean gst_orch_file_tree_commit (GstOrchFileTree * tree, const gchar * name,
    GError ** error);
void gst_orch_file_tree_remove (GstOrchFileTree * tree, const gchar * name);
/* Removes the files of the folder `name`, and it if nothing else is in there. */
void gst_orch_file_tree_remove_folder (GstOrchFileTree * tree,
    const gchar * name);
/* The names in the uppermost folder are on the disk.  FALSE with errno set. */
gboolean gst_orch_file_tree_sync (GstOrchFileTree * tree);

/* Writes all of `data`, however little is taken at a time.  0 or an errno. */
gint gst_orch_write_all (gint fd, const gchar * data, gsize size);

G_END_DECLS
