/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* The three pages of a small PDF, made anew for each test program, as Poppler's
 * pdftocairo writes them: text in one column, text in two, nothing at all. */
#define FIXTURE_N_PAGES 3
#define FIXTURE_DPI 150

/* FALSE when pdftocairo or tesseract is missing: skip. */
gboolean fixture_set_up (void);
void fixture_tear_down (void);

/* (transfer full): path of a PNG file */
gchar *fixture_png (guint page, gboolean color);
/* (transfer full): what the tesseract program prints for a PNG file */
gchar *fixture_tesseract (const gchar * png, const gchar * psm,
    const gchar * config);
/* (transfer full): the pixels of a PNG file, each row `padding` bytes longer
 * than it needs to be, with a GstVideoMeta that says so. */
GstBuffer *fixture_pixels (const gchar * png, GstVideoFormat format,
    guint padding, GstVideoInfo * info);

G_END_DECLS
