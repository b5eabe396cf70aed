/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "sim-result.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* The Function `sleeper`: for each Grain it sleeps as long as the simulator says
 * that the Grain costs, and fails where the simulator has the poison.  Its property
 * `call` says which Call of the configuration it is. */

/* Registers it; once, after gst_init(). */
void sleeper_init (void);
/* Of all Calls from now on; the two must live until sleeper_end().  `begun` is
 * called for each Grain of the first Call, from any thread. */
void sleeper_begin (const SimConfig * config, const SimWorkload * workload,
    void (*begun) (guint64 parent, gpointer data), gpointer data);
/* Nothing runs any more: what the Functions have counted, all but outcomes, with
 * times since `start`. */
void sleeper_end (SimCallStats * calls, gint64 start);

/* The monotonic clock, in nanoseconds. */
gint64 sleeper_get_time (void);

G_END_DECLS
