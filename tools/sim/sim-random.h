/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Numbers that depend on a seed alone, on every machine and with every version of
 * GLib. */

typedef struct
{
  guint64 state;
} SimRandom;

/* Two streams of one seed have different `purpose`s. */
void sim_random_init (SimRandom * random, guint64 seed, guint64 purpose);
/* 0 .. n - 1 */
guint sim_random_below (SimRandom * random, guint n);
/* Of the standard normal distribution. */
gdouble sim_random_normal (SimRandom * random);

G_END_DECLS
