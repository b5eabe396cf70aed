/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-entity.h"

G_BEGIN_DECLS

/**
 * OrchGather: the progress of one reduce over one Expansion (semantics S3.6).
 * Counters and a cursor; no fact is ever scanned for twice, in any order of
 * arrival.  Not thread safe.
 */
typedef struct _OrchGather OrchGather;

typedef enum
{
  ORCH_ON_FAILED_SUPPRESS_PARENT,
  ORCH_ON_FAILED_SKIP,
  ORCH_ON_FAILED_PLACEHOLDER,
} OrchOnFailed;

/* `separate_members`: members come by orch_gather_member(), else a value is
 * its own member.  `free_value` frees values. */
ORCH_API OrchGather *orch_gather_new (OrchOnFailed mode,
    gboolean separate_members, GDestroyNotify free_value);
ORCH_API void orch_gather_free (OrchGather * gather);
/* More failed members than `count`, or a larger share of the members than
 * `share` (0..1), suppress the parent in every mode, as soon as that is certain;
 * G_MAXUINT64 and 1.0 mean no limit.  Before the first fact. */
ORCH_API void orch_gather_set_max_failed (OrchGather * gather, guint64 count,
    gdouble share);

/* Each returns TRUE when the fact was news, FALSE for a repeat (of the same or
 * another fact, S1.3) and for anything after the terminal outcome. */
ORCH_API gboolean orch_gather_expansion (OrchGather * gather,
    OrchExpansionState state, guint64 n_children, OrchCause * cause);
ORCH_API gboolean orch_gather_member (OrchGather * gather, guint64 ordinal,
    OrchOutcome outcome, OrchCause * cause);
/* `value` (transfer full) in every case. */
ORCH_API gboolean orch_gather_value (OrchGather * gather, guint64 ordinal,
    OrchOutcome outcome, OrchCause * cause, gpointer value);
/* S5.2a: a Call that this gather depends on may still set a barrier on the parent,
 * even by a child whose own fact does not come here.  Until orch_gather_release()
 * it is not present, whatever is known.  Before the first fact. */
ORCH_API void orch_gather_hold (OrchGather * gather);
/* All Grains under the parent are sealed in every such Call, without a barrier. */
ORCH_API void orch_gather_release (OrchGather * gather);
/* Would it be present, or is it, if it were not held? */
ORCH_API gboolean orch_gather_is_complete (const OrchGather * gather);
/* S5.2a: a Call that this gather depends on has a barrier on the parent. */
ORCH_API gboolean orch_gather_barrier (OrchGather * gather, OrchCause * cause);
/* Has a value been published for it, of whatever outcome? */
ORCH_API gboolean orch_gather_has_value (const OrchGather * gather,
    guint64 ordinal);

/* UNRESOLVED while it waits; then PRESENT, DROPPED or SUPPRESSED for good.  Once
 * it is not PRESENT all values are freed. */
ORCH_API OrchOutcome orch_gather_get_outcome (const OrchGather * gather);
/* (transfer none) (nullable) */
ORCH_API OrchCause *orch_gather_get_cause (const OrchGather * gather);
ORCH_API OrchExpansionState orch_gather_get_expansion (const OrchGather * g,
    guint64 * n_children, OrchCause ** cause);
/* Members, known or not yet, whose outcome it has not heard: all that came after
 * the terminal outcome are among them. */
ORCH_API gboolean orch_gather_lacks_members (const OrchGather * gather);
/* Facts read to decide so far: linear in the number of facts (G1). */
ORCH_API guint64 orch_gather_get_n_reads (const OrchGather * gather);

/* One published child as the gather knows it. */
typedef struct
{
  guint64 ordinal;
  OrchOutcome outcome;          /* of the member, or of its value where that decides;
                                 * a dropped value of a present member is FAILED */
  OrchCause *cause;             /* (nullable) (transfer none) */
  gpointer value;               /* (nullable) (transfer none) */
} OrchGatherChild;

/* Children known so far, all of them once the Expansion is closed: ordinals
 * 0 .. n-1. */
ORCH_API guint64 orch_gather_get_n_children (const OrchGather * gather);
ORCH_API void orch_gather_get_child (const OrchGather * gather,
    guint64 ordinal, OrchGatherChild * child);
/* (transfer full): takes a value out. */
ORCH_API gpointer orch_gather_steal_value (OrchGather * gather,
    guint64 ordinal);

G_END_DECLS
