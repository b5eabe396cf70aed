/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-macros.h"

G_BEGIN_DECLS

/**
 * OrchOrdinalSet: which ordinals have been seen.  A base below which all were,
 * and a bitmap above it, so that an endless stream needs no more memory than
 * its disorder does.
 */
typedef struct
{
  /*< private >*/
  guint64 base;                 /* a multiple of 64 */
  guint64 first;                /* base .. base + 63: all that order needs */
  guint64 *words;               /* base + 64 .., from words[head] on */
  guint head;
  guint n_words;
  guint n_allocated;
} OrchOrdinalSet;

ORCH_API void orch_ordinal_set_init (OrchOrdinalSet * set);
ORCH_API void orch_ordinal_set_clear (OrchOrdinalSet * set);
/* TRUE when `ordinal` is new to the set. */
ORCH_API gboolean orch_ordinal_set_add (OrchOrdinalSet * set, guint64 ordinal);
ORCH_API gboolean orch_ordinal_set_contains (const OrchOrdinalSet * set,
    guint64 ordinal);
/* The smallest ordinal >= from that is not in the set. */
ORCH_API guint64 orch_ordinal_set_next_missing (const OrchOrdinalSet * set,
    guint64 from);

G_END_DECLS
