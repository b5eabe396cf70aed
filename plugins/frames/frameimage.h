/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* What the Functions of this folder read. */
#define FRAME_IMAGE_FORMATS "{ GRAY8, RGB, BGRx, I420, NV12 }"

/* A raw frame whose pixels are read as full-range luma or as RGB, whatever its format. */
typedef struct
{
  GstVideoFrame frame;
  gint width;
  gint height;

  /* What a value of the first plane has to be shifted and multiplied by to be full-range
   * luma, and what a chroma value adds to each colour, once shifted. */
  gint luma_zero, chroma_zero;
  gdouble luma_factor;
  gdouble red_v, green_u, green_v, blue_u;

  /*< private >*/
  guint8 luma[256];             /* of a value of the first plane */
} FrameImage;

/* FALSE when the buffer does not hold the frame that its caps describe, or is of
 * another format; a GstVideoMeta is believed only as far as there are bytes. */
gboolean frame_image_map (FrameImage * image, GstBuffer * buffer,
    GstCaps * caps);
void frame_image_unmap (FrameImage * image);

gboolean frame_image_is_grey (const FrameImage * image);
/* `luma`: width x height bytes, 0 black, 255 white: Rec. 601 of RGB, the Y of
 * others. */
void frame_image_read_luma (const FrameImage * image, guint8 * luma);
/* `rgb`: 3 x width values, 0 to 255.  Chroma that is stored at half the resolution
 * belongs to its four pixels alike. */
void frame_image_read_rgb_row (const FrameImage * image, gint y,
    gdouble * rgb);

G_END_DECLS
