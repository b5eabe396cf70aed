/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchprelude.h>

G_BEGIN_DECLS

/* A file in memory that holds what is copied for one batch after the other.  To get
 * and free the pages of a new one costs several times as much as to fill them, so one
 * is used again when the worker has let go of it.  It cannot be sealed: it is for
 * workers whose code is trusted.  All zeros: there is none yet. */
typedef struct
{
  gint fd;
  guint8 *data;
  gsize size;
} GstOrchArena;

/* The worker may keep what it has mapped of it; the next one is a new one. */
G_GNUC_INTERNAL void gst_orch_arena_clear (GstOrchArena * arena);
/* At the end of a batch whose worker has let go of it: a large one is not kept. */
G_GNUC_INTERNAL void gst_orch_arena_trim (GstOrchArena * arena);
G_GNUC_INTERNAL gboolean gst_orch_arena_write (GstOrchArena * arena,
    guint64 at, gconstpointer data, gsize size, GError ** error);

G_END_DECLS
