/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "videoextent.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* (transfer full): what is known of a video, as info of its document */
GstStructure *video_about (VideoFile * file, const VideoExtent * extent);

G_END_DECLS
