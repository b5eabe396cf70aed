/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "videofile.h"

G_BEGIN_DECLS

/**
 * VideoExtent: where a video begins and ends, in nanoseconds.
 */
typedef struct
{
  gint64 start;
  gint64 end;
  gboolean was_scanned;         /* the file does not say, all of it was read */
} VideoExtent;

/* Reads as little of the file as will do, and rewinds it.  FALSE with @error
 * set. */
gboolean video_extent_find (VideoFile * file, VideoExtent * extent,
    GError ** error);
/* Reads the whole file for it, and rewinds it.
 * @keys: (nullable): the times of key frames are added there, of gint64 */
gboolean video_extent_scan (VideoFile * file, VideoExtent * extent,
    GArray * keys, GError ** error);

G_END_DECLS
