/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "videopackets.h"

G_BEGIN_DECLS

typedef enum
{
  VIDEO_CONTAINER_AUTO,         /* MP4 if it can hold the streams */
  VIDEO_CONTAINER_MP4,
  VIDEO_CONTAINER_MATROSKA,
} VideoContainer;

/* (transfer full) (nullable): a file that has @packets, in which @start is time 0;
 * what is ahead of it is not shown if the container can say so.  NULL with @error
 * set.
 * @caps: (out) (transfer full) */
GstBuffer *video_mux (VideoFile * file, const VideoPackets * packets,
    gint64 start, VideoContainer container, GstCaps ** caps, GError ** error);

G_END_DECLS
