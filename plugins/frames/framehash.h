/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* 64 bits that are alike for pictures that look alike: the Hamming distance is 0 for
 * one picture at several sizes or qualities, as a rule, about 32 for two that have
 * nothing to do with each other.
 *
 * The luma is averaged into 32 x 32 cells; of their cosine transform, of which the
 * 8 x 8 lowest frequencies count, each bit says whether that coefficient is above
 * their median, row by row, the first in the highest bit.  In whole numbers, so that
 * it is the same on every machine. */
guint64 frame_hash (const guint8 * luma, gint width, gint height);

G_END_DECLS
