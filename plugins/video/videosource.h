/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "videoerror.h"

#include <gst/gst.h>
#include <libavformat/avio.h>

G_BEGIN_DECLS

/**
 * VideoSource: the bytes of a document as FFmpeg reads them.  Belongs to one
 * thread at a time.
 *
 * A file is only ever read with pread(), never mapped: one that is truncated
 * while it is open would raise SIGBUS.  So several sources may share it.
 */
typedef struct _VideoSource VideoSource;

/* (transfer full) (nullable): NULL with @error set.  Holds the memory of
 * @buffer, not @buffer. */
VideoSource *video_source_new (GstBuffer * buffer, GError ** error);
void video_source_free (VideoSource * source);

guint64 video_source_get_size (VideoSource * source);
/* (transfer none): at the beginning of the bytes */
AVIOContext *video_source_rewind (VideoSource * source);
/* FALSE with @error set when bytes could not be read since the source is there. */
gboolean video_source_check (VideoSource * source, GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VideoSource, video_source_free)
G_END_DECLS
