/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Instead of g_test_init() and gst_init().  TRUE in the process of a scene. */
gboolean leaks_init (gint * argc, gchar *** argv);

/* Adds the test /leaks/`name`: `scene` runs in a process of its own under GStreamer's
 * leaks tracer, which names what is alive at gst_deinit(); nothing may be. */
void leaks_add (const gchar * name, void (*scene) (void));
/* The same, of a scene that leaves something. */
void leaks_add_leaking (const gchar * name, void (*scene) (void));

G_END_DECLS
