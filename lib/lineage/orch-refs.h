/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

/* Reference counts of the core.  Taking needs no order of its own; dropping the
 * last one does.  Who holds the only reference needs no read-modify-write:
 * nobody else can take or drop one meanwhile. */
static inline void
orch_refs_take (gint * refs)
{
  __atomic_fetch_add (refs, 1, __ATOMIC_RELAXED);
}

/* TRUE when that was the last one. */
static inline gboolean
orch_refs_drop (gint * refs)
{
  return __atomic_load_n (refs, __ATOMIC_ACQUIRE) == 1
      || __atomic_sub_fetch (refs, 1, __ATOMIC_ACQ_REL) == 0;
}
