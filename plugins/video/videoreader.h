/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "videodecoder.h"

G_BEGIN_DECLS

/**
 * VideoPicture: one frame, as it is decoded, or the place where one is lost.
 */
typedef struct
{
  gint64 time;                  /* in nanoseconds, as of VideoFile */
  gint64 duration;              /* 0: not known */
  gboolean is_key;
  AVFrame *frame;               /* (nullable): NULL when it is lost */
} VideoPicture;

/**
 * VideoReader: the frames of a VideoFile, in the order in which they are shown.
 * Every frame it gives is the right one; frames that are damaged, or predicted
 * from damaged ones, keep their place as pictures without a frame.
 *
 * Belongs to one thread at a time.
 */
typedef struct _VideoReader VideoReader;

/* @file: (transfer full)
 * @settings: its device has to outlive the reader */
VideoReader *video_reader_new (VideoFile * file,
    const VideoDecoderSettings * settings);
void video_reader_free (VideoReader * reader);

VideoFile *video_reader_get_file (VideoReader * reader);
/* Whether only key frames are to be given, which costs decoding these only. */
void video_reader_set_keys_only (VideoReader * reader, gboolean keys_only);
/* Frees what the decoder holds; the next read begins anew. */
void video_reader_close_decoder (VideoReader * reader);

/* Goes to the first picture at @time or after.  FALSE with @error set. */
gboolean video_reader_seek (VideoReader * reader, gint64 time, GError ** error);
/* (transfer full) (nullable): the times of the frames from @start on and before
 * @end, as the file says, of gint64, ascending; NULL with @error set.  Nothing is
 * decoded, and where the reader is afterwards is not said. */
GArray *video_reader_list_times (VideoReader * reader, gint64 start, gint64 end,
    GError ** error);
/* (transfer none) (nullable): the picture that is next; NULL at the end, and
 * with @error set.  Good until the next call. */
const VideoPicture *video_reader_peek (VideoReader * reader, GError ** error);
/* Passes on to the one after. */
void video_reader_skip (VideoReader * reader);
/* Where the last picture ended that was read; G_MININT64: there was none. */
gint64 video_reader_get_reached (VideoReader * reader);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VideoReader, video_reader_free)
G_END_DECLS
