/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Virtual time: what happens when.  Equal times keep the order in which they were
 * added. */
typedef struct _SimEvents SimEvents;

typedef void (*SimEventFunc) (gpointer data);

SimEvents *sim_events_new (void);
void sim_events_free (SimEvents * events);
void sim_events_add (SimEvents * events, gint64 time, SimEventFunc func,
    gpointer data);
/* Moves the clock to the next event and runs it; FALSE when there is none. */
gboolean sim_events_run_next (SimEvents * events);
/* In nanoseconds since the start. */
gint64 sim_events_get_time (const SimEvents * events);

G_END_DECLS
