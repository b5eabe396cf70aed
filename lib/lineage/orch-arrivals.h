/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-entity.h"

G_BEGIN_DECLS

/**
 * OrchArrivals: which Entities have reached one consumer, and which of those
 * that exist have not.  Not thread safe.
 *
 * What is seen hangs on each Expansion and is freed with it; only Expansions
 * that are not yet complete are held.
 */
typedef struct _OrchArrivals OrchArrivals;

typedef void (*OrchArrivalsFunc) (OrchEntity * entity, gpointer user_data);

ORCH_API OrchArrivals *orch_arrivals_new (void);
ORCH_API void orch_arrivals_free (OrchArrivals * arrivals);
/* (transfer full): what a flush leaves.  All may arrive again, but what exists
 * by now of an open Expansion is not missing if it does not. */
ORCH_API OrchArrivals *orch_arrivals_new_epoch (const OrchArrivals * arrivals);
/* TRUE when this is the first arrival.  `complete` (out) (transfer full)
 * (nullable): an Expansion of which everything has arrived; drop it once no
 * lock is held, since that may free what hangs on it. */
ORCH_API gboolean orch_arrivals_add (OrchArrivals * arrivals,
    OrchEntity * entity, OrchExpansion ** complete);
/* Calls `func` for every Entity that exists, in an Expansion of which something
 * has arrived or which was announced, and has not arrived itself. */
ORCH_API void orch_arrivals_foreach_missing (OrchArrivals * arrivals,
    OrchArrivalsFunc func, gpointer user_data);
/* An Expansion this consumer will get Items of, though none has come yet. */
ORCH_API void orch_arrivals_announce (OrchArrivals * arrivals,
    OrchExpansion * expansion);

G_END_DECLS
