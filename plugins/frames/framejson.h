/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "framemeasure.h"

G_BEGIN_DECLS

/* The sums of a clip, frame after frame. */
typedef struct
{
  guint n_frames;
  guint n_moves;                /* frames with a motion */
  guint n_black;
  guint n_frozen;
  guint n_bordered;             /* frames that are not black */
  FrameBorder border;           /* what all of them have */
  gdouble luma, contrast, sharpness, colourfulness, motion;
} FrameTotals;

void frame_totals_add (FrameTotals * totals, const FrameMeasure * measure);

/* Appends a JSON object.  `time` (nullable): of the frame, in nanoseconds */
void frame_json_append (GString * json, const FrameMeasure * measure,
    const gint64 * time);
/* Appends the members of a JSON object, without braces. */
void frame_json_append_totals (GString * json, const FrameTotals * totals);

G_END_DECLS
