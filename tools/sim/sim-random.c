/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "sim-random.h"

#include <math.h>

/* The finaliser of splitmix64: neighbouring inputs have unrelated outputs. */
static guint64
mix (guint64 x)
{
  x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static guint64
next (SimRandom * random)
{
  random->state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return mix (random->state);
}

void
sim_random_init (SimRandom * random, guint64 seed, guint64 purpose)
{
  random->state = mix (mix (seed) + purpose);
}

guint
sim_random_below (SimRandom * random, guint n)
{
  return ((next (random) >> 32) * n) >> 32;
}

/* In (0, 1) */
static gdouble
next_fraction (SimRandom * random)
{
  return ((next (random) >> 11) + 0.5) / (G_GUINT64_CONSTANT (1) << 53);
}

gdouble
sim_random_normal (SimRandom * random)
{
  gdouble radius = sqrt (-2.0 * log (next_fraction (random)));

  return radius * cos (2.0 * G_PI * next_fraction (random));
}
