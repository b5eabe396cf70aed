/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* (transfer full): path of a file made by makevideos.py */
gchar *video_test_path (const gchar * name);
/* (transfer full): that file as a document */
GstBuffer *video_test_open (const gchar * name);
GstBuffer *video_test_open_path (const gchar * path);
/* (transfer full): its bytes in memory */
GstBuffer *video_test_load (const gchar * name);

/* The number that a frame shows; -1 when it cannot be told.
 * @luma: a row of it has @stride bytes, a pixel @step */
gint video_test_read_number (const guint8 * luma, gsize stride, guint step,
    guint width, guint height);

G_END_DECLS
