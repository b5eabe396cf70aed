/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/video/video.h>

/* Frames that are drawn by arithmetic. */

typedef void (*PicturePainter) (gint x, gint y, guint8 rgb[3], gpointer data);

/* (transfer full): a frame of `format`, which `caps` (out) describe; grey and YUV ones
 * in full range, BT.601, with the colour of every second pixel. */
GstBuffer *picture_new (const gchar * format, gint width, gint height,
    PicturePainter paint, gpointer data, GstCaps ** caps);
