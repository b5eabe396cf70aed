/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "videogate.h"
#include "videoreader.h"

G_BEGIN_DECLS

struct _VideoReader
{
  VideoFile *file;
  VideoDecoderSettings settings;
  gboolean keys_only;

  AVCodecContext *decoder;      /* (nullable): not yet opened */
  AVPacket *packet;
  AVFrame *frame;
  VideoGate gate;
  GQueue pictures;              /* of VideoPicture: decoded, not passed yet */

  gboolean is_fresh;            /* nothing was read since the file was opened */
  gboolean is_begun;            /* what was read began at the file's beginning */
  gboolean is_drained;          /* the decoder was told that this is the end */
  gboolean takes_any;           /* the video has no key frame to begin with */
  gint64 wanted_from;           /* pictures before are passed over; G_MININT64 */
  gint64 read_timestamp;        /* the latest dts that was read */
  gint64 read_until;            /* the end of the latest frame that was read */
  gint64 placed;                /* time of the last picture */
  gint64 passed;                /* time of the last picture passed; G_MININT64 */
  gint64 reached;
};

/* Forgets what was read, because reading goes on elsewhere. */
void video_reader_reset (VideoReader * reader);
gboolean video_reader_rewind (VideoReader * reader, GError ** error);

G_END_DECLS
