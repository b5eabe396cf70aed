/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "videoextent.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * VideoClip: a part of a video: the frames of times from start on, and before
 * end, in nanoseconds as of VideoFile.
 */
typedef struct
{
  gint64 start;
  gint64 end;
  guint index;                  /* in its video */
  gboolean is_last;
} VideoClip;

/* How a video is cut; durations are nanoseconds. */
typedef struct
{
  guint64 min_duration;         /* 0: any */
  guint64 max_duration;         /* 0: any */
  guint max_clips;              /* 0: any number */
} VideoCutSettings;

/* (transfer full): where clips of equal length begin, of gint64; one more than
 * @max_clips at most */
GArray *video_clips_divide (const VideoExtent * extent, guint64 duration,
    guint max_clips);
/* (transfer full) (nullable): the clips between @boundaries, of VideoClip; NULL
 * with @error set.
 * @boundaries: of gint64, ascending; those outside of @extent do not count */
GArray *video_clips_cut (const VideoExtent * extent, GArray * boundaries,
    const VideoCutSettings * settings, GError ** error);

/* (transfer full): for references */
GstStructure *video_clip_to_locator (const VideoClip * clip);
/* FALSE: @locator is of something else. */
gboolean video_clip_from_locator (VideoClip * clip,
    const GstStructure * locator);
/* (transfer full): "t=12.5,20", a media fragment; @end G_MAXINT64: "t=12.5" */
gchar *video_clip_make_fragment (gint64 start, gint64 end);

G_END_DECLS
