/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* (transfer full): the elements of `description`, as `gst-launch-1.0` reads it, in a
 * bin with the ghost pads "sink" and "src".  NULL with `error` set when it cannot be
 * read, or when not one pad of each direction is left to be linked. */
GstElement *gst_orch_gst_bin_new (const gchar * description, GError ** error);

/* (transfer full): what it takes; bytes of any kind with it, where it may find out. */
GstCaps *gst_orch_gst_bin_get_sink_caps (GstElement * bin);

/* A flush makes it as new. */
gboolean gst_orch_gst_bin_forgets (GstElement * bin);
/* It takes files apart, as demuxers and decodebin do. */
gboolean gst_orch_gst_bin_reads_files (GstElement * bin);
/* Its decoders, those that it makes later included, post the first error that they
 * meet.  Before it starts. */
void gst_orch_gst_bin_make_strict (GstElement * bin);

G_END_DECLS
