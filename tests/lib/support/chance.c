/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "chance.h"

GRand *
chance_new (void)
{
  const gchar *wanted = g_getenv ("ORCH_TEST_SEED");
  guint32 seed = wanted ? g_ascii_strtoull (wanted, NULL, 10)
      : g_random_int ();

  g_print ("ORCH_TEST_SEED=%u\n", seed);
  return g_rand_new_with_seed (seed);
}
