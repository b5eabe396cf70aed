/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "videofile.h"

#include <libavcodec/avcodec.h>

G_BEGIN_DECLS

typedef enum
{
  VIDEO_DECODER_AUTO,
  VIDEO_DECODER_SOFTWARE,
  VIDEO_DECODER_NVDEC,
} VideoDecoder;

/* What opening a decoder needs to know. */
typedef struct
{
  AVBufferRef *device;          /* (nullable): the GPU's, when it is to decode */
  guint64 max_pixels;           /* of a frame; 0: any number */
} VideoDecoderSettings;

/* (transfer full): opens the GPU where @decoder wants it.  FALSE with @error
 * set when it has to be there and is not. */
gboolean video_decoder_open_device (VideoDecoder decoder, AVBufferRef ** device,
    GError ** error);
/* (transfer full) (nullable): NULL with @error set */
AVCodecContext *video_decoder_new (VideoFile * file,
    const VideoDecoderSettings * settings, GError ** error);
/* Moves what @frame has on a GPU into memory. */
gint video_decoder_fetch (AVFrame * frame);

G_END_DECLS
