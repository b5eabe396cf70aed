/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "frameimage.h"

G_BEGIN_DECLS

typedef struct
{
  guint black_level;            /* luma up to which a pixel is black */
  gdouble black_share;          /* of black pixels that make a frame, or a line
                                 * of pixels at its edge, black */
  gdouble frozen_level;         /* motion up to which a frame is frozen */
} FrameLimits;

typedef struct
{
  guint left, top, right, bottom;
} FrameBorder;

/* What one frame looks like.  Luma is 0 to 255. */
typedef struct
{
  gint width, height;
  gdouble luma;                 /* mean */
  gdouble contrast;             /* standard deviation of luma */
  gdouble sharpness;            /* variance of the Laplacian */
  gdouble colourfulness;        /* by Hasler and Suesstrunk */
  gdouble dark;                 /* share of black pixels */
  gboolean is_black;
  FrameBorder border;           /* black, in pixels; none of a black frame */
  guint64 hash;
  gboolean has_motion;          /* there was a frame of this size before */
  gdouble motion;               /* mean difference of luma from that */
  gboolean is_frozen;
} FrameMeasure;

/* Measures frames one after the other.  Used by one thread. */
typedef struct _FrameMeter FrameMeter;

FrameMeter *frame_meter_new (void);
void frame_meter_free (FrameMeter * meter);
/* The next frame is the first of its row. */
void frame_meter_begin (FrameMeter * meter);
void frame_meter_measure (FrameMeter * meter, const FrameImage * image,
    const FrameLimits * limits, FrameMeasure * measure);

G_END_DECLS
