/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "videoclip.h"
#include "videofile.h"

G_BEGIN_DECLS

/**
 * VideoPackets: the packets that a clip is decoded from: of the video from the key
 * frame at its start, or the last one before, on, until nothing that is shown in the
 * clip is missing; of the audio, what is heard in it.
 */
typedef struct
{
  GPtrArray *packets;           /* of AVPacket, in the order of the file */
  AVStream *video;
  AVStream *audio;              /* (nullable) */
  gint64 key_time;              /* of the first picture; G_MAXINT64: none is there */
  guint64 size;                 /* in bytes */
} VideoPackets;

/* FALSE with @error set, as when there are more than @max_size bytes. */
gboolean video_packets_read (VideoPackets * packets, VideoFile * file,
    const VideoClip * clip, gboolean with_audio, guint64 max_size,
    GError ** error);
void video_packets_clear (VideoPackets * packets);

G_END_DECLS
