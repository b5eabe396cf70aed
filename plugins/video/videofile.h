/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "videosource.h"

#include <libavformat/avformat.h>

G_BEGIN_DECLS

/**
 * VideoFile: a document opened by libavformat, and the one video stream in it
 * that ffmpeg would take: the largest, no cover picture.  Belongs to one thread
 * at a time.
 *
 * Times are nanoseconds.  0 is where the file starts (for ffmpeg, too), which
 * is where its earliest stream does: the video may start later.
 */
typedef struct _VideoFile VideoFile;

typedef gboolean (*VideoWantedFunc) (gpointer data);

/* (transfer full) (nullable): NULL with @error set */
VideoFile *video_file_open (GstBuffer * buffer, GError ** error);
void video_file_free (VideoFile * file);
/* As if just opened.  FALSE with @error set. */
gboolean video_file_rewind (VideoFile * file, GError ** error);

/* What asks whether to go on, before each packet; NULL: always. */
void video_file_set_wanted (VideoFile * file, VideoWantedFunc is_wanted,
    gpointer data);
/* The next packet, of the video unless all streams are read.  FALSE at the end,
 * and with @error set when reading failed or is not wanted any more. */
gboolean video_file_read (VideoFile * file, AVPacket * packet, GError ** error);

/* Goes to somewhere before @time, if the file's index is right.  FALSE: it is not
 * possible. */
gboolean video_file_seek (VideoFile * file, gint64 time);
/* Whether there are bytes before the packet that was read last that belong to no
 * packet: some containers go on behind damage without a word. */
gboolean video_file_has_skipped (VideoFile * file);

AVFormatContext *video_file_get_format (VideoFile * file);
AVStream *video_file_get_stream (VideoFile * file);
VideoSource *video_file_get_source (VideoFile * file);

/* Whether packets of the other streams are read, too; at first they are not. */
void video_file_set_all_streams (VideoFile * file, gboolean all);

/* Between timestamps of @stream, one of the file's, and time. */
gint64 video_file_get_time (VideoFile * file, const AVStream * stream,
    gint64 timestamp);
gint64 video_file_get_timestamp (VideoFile * file, gint64 time);
/* The least time between two timestamps of the stream. */
gint64 video_file_get_tick (VideoFile * file);
/* A packet's time of presentation, or what comes nearest; @otherwise when it has
 * none. */
gint64 video_file_get_packet_time (VideoFile * file, const AVPacket * packet,
    gint64 otherwise);
/* How long its frame lasts, or one usually does; 0 when nothing is known. */
gint64 video_file_get_packet_duration (VideoFile * file,
    const AVPacket * packet);
gint64 video_file_get_frame_duration (VideoFile * file);
/* Whether packets say when they are decoded, at best, but not when they are
 * shown: then frames have the times of as many packets, from the beginning. */
gboolean video_file_is_by_order (VideoFile * file);

/* By how many degrees, clockwise, the frames are to be turned to be upright. */
gdouble video_file_get_rotation (VideoFile * file);
/* (transfer none) (nullable): the display matrix */
const gint32 *video_file_get_matrix (VideoFile * file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VideoFile, video_file_free)
G_END_DECLS
