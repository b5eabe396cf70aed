/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-grain.h"

G_BEGIN_DECLS

/**
 * OrchCall: the state of one Call: its barriers, what is not wanted from it, its
 * FIFO ready queue, its batches in flight and their recovery.  Which Entities have
 * arrived is known to an OrchArrivals beside it.
 *
 * A Grain is covered when a barrier stands on its parent (S5.2), or its parent or
 * one further up is unwanted (S5.5): it is suppressed when it enters, before it is
 * dispatched, instead of a retry, and in place of any result but a failure.
 *
 * Not thread safe: the owner calls everything under one lock, except
 * orch_call_get_barrier() and orch_call_get_cover().  Whatever ends a Grain
 * appends it to the `sealed` list passed in, in order; the owner emits what is in
 * it.
 */
typedef struct _OrchCall OrchCall;

typedef enum
{
  ORCH_BATCHING_MIXED,          /* any parents, in FIFO order */
  ORCH_BATCHING_SIBLINGS,       /* one parent a batch */
} OrchBatching;

typedef enum
{
  ORCH_RECOVERY_BISECT,
  ORCH_RECOVERY_RETRY_BATCH,
  ORCH_RECOVERY_RETRY_TAIL,
  ORCH_RECOVERY_ABORT,
} OrchRecovery;

ORCH_API OrchCall *orch_call_new (const gchar * name);
/* The owner has ended every batch, and got back what was ready with
 * orch_call_new_epoch(). */
ORCH_API void orch_call_free (OrchCall * call);
/* As causes name it from now on. */
ORCH_API void orch_call_set_name (OrchCall * call, const gchar * name);
ORCH_API void orch_call_set_batching (OrchCall * call, OrchBatching batching);
ORCH_API void orch_call_set_recovery (OrchCall * call, OrchRecovery recovery,
    guint max_retries);
/* With the retries: whether what has used them up ends the Call, as with
 * ORCH_RECOVERY_ABORT, and is not split. */
ORCH_API void orch_call_set_abort_after_retries (OrchCall * call,
    gboolean abort_after_retries);
/* Whether its Function may report group failures: then what was sealed is counted
 * for orch_call_is_parent_sealed().  Before the first Grain. */
ORCH_API void orch_call_set_can_group_fail (OrchCall * call,
    gboolean can_group_fail);

/* ---- entering ---- */

/* Takes over an initialised Grain in phase WAITING, stamps the epoch.  The owner
 * evaluates S2 over several inputs with orch_rule_call(); `input` is what that
 * came to: PRESENT when ready.  Ends it at once
 * (S2.0: it is covered; S2.1, S2.3: `input` is not PRESENT) or queues it (S2.4).
 * `cause` (transfer none) (nullable) */
ORCH_API void orch_call_enter (OrchCall * call, OrchGrain * grain,
    OrchOutcome input, OrchCause * cause, OrchGrainList * sealed);

/* ---- dispatching ---- */

/* The owner may read the public fields under its lock; what a replica works on
 * without the lock it copies first.  A Grain that is sealed belongs to the owner
 * again, who may free it while the batch still runs: its entry becomes NULL. */
struct _OrchBatch
{
  guint n;                      /* entries, sealed ones included */
  OrchGrain **grains;
  guint64 epoch;
  gboolean recovery;            /* repeats or splits a failed one */
  /*< private >*/
  OrchCall *call;
  OrchBatch *next;              /* recovery batch behind it in the queue */
  OrchGrainList ahead;          /* while queued: fresh Grains in front of it */
  guint n_open;                 /* entries that are not NULL */
  guint attempts;               /* failed attempts of the batch as a whole so far */
  gboolean split;               /* a part of a bisected batch: no attempt is repeated */
};

/* Ready Grains, those in recovery batches included. */
ORCH_API guint orch_call_get_n_ready (const OrchCall * call);
ORCH_API guint orch_call_get_n_in_flight (const OrchCall * call);
/* TRUE when a recovery batch is queued, or one that was returned: then the next
 * batch, be it that one or the fresh Grains ahead of it, gains nothing by waiting. */
ORCH_API gboolean orch_call_has_recovery (const OrchCall * call);
/* (transfer full) (nullable): up to `max` Grains, oldest first; a recovery batch
 * as it is, whatever `max`.  Covered Grains are sealed instead and do not count
 * (S5.2).  NULL when none was left. */
ORCH_API OrchBatch *orch_call_reserve (OrchCall * call, guint max,
    OrchGrainList * sealed);
/* How many to reserve: `batch_size`; once no further Grain will ever come (`eos`)
 * the share of one of `n_replicas`, so that none of them idles. */
ORCH_API guint orch_call_get_batch_limit (const OrchCall * call,
    guint batch_size, guint n_replicas, gboolean eos);

/* ---- waiting for a batch to fill ---- */

#define ORCH_TIME_NOW G_MININT64
#define ORCH_TIME_NEVER G_MAXINT64

/* Until when a replica that is free leaves what is ready alone (S9.3, S10), on
 * the clock of orch_grain_set_entered():
 *
 * ORCH_TIME_NEVER: until something changes (nothing is ready, or no end of
 * `max_wait` can be told); ORCH_TIME_NOW: the batch is full, cannot get fuller or
 * must not wait; else the oldest ready Grain's time of entry + `max_wait`.
 * Later ones do not move it.  With batching=siblings the oldest Grain's parent
 * decides, and is complete when all of its children have entered.
 *
 * `max_wait` 0: never wait; Grains need no time then, and those without one are
 * overdue if it is raised later.  `closed`: waiting brings nothing more: EOS, the
 * budget is used up, or nobody upstream can add anything.
 *
 * Covered Grains which are ready, and would count or hurry, are sealed.
 *
 * A replica calls this in a loop, under the owner's lock: at or after the
 * deadline it reserves (a batch that got full meanwhile counts as full), before
 * it waits on its condition until then.  So it must be woken when a Grain becomes
 * ready while none was, when there are batch_size of them (siblings: whenever one
 * enters), when a batch is queued again, and when `closed` becomes true. */
ORCH_API gint64 orch_call_get_deadline (OrchCall * call, gint64 max_wait,
    guint batch_size, gboolean closed, OrchGrainList * sealed);

/* ---- committing ---- */

typedef struct
{
  OrchGrain *grain;
  guint generation;
  guint64 epoch;
  OrchOutcome outcome;          /* PRESENT, DROPPED or FAILED */
  gboolean group;               /* with FAILED: a group failure (S5.2) */
  OrchCause *cause;             /* (transfer none) (nullable) */
} OrchReport;

/* S4.1, S4.2: the whole set is checked, then applied; a refused set changes
 * nothing, each of its reports is counted, and FALSE is returned.  A set may
 * hold any part of a batch (an early commit), each Grain once.  The Grains must
 * still exist: the owner looks up which of its batch are not sealed.  A group
 * failure needs a cause.  Causes of failures are located (path and Call). */
ORCH_API gboolean orch_call_report (OrchCall * call, const OrchReport *
    reports, guint n, OrchGrainList * sealed);
/* Ends a batch (transfer full) whose run returned: Grains still in flight get
 * a contract failure (S4.3), but covered ones, which a Function may leave out, are
 * suppressed.  A batch of an earlier epoch ends as with
 * orch_batch_abandon(); so it does in orch_batch_fail(). */
ORCH_API void orch_batch_finish (OrchCall * call, OrchBatch * batch,
    OrchGrainList * sealed);
/* Ends a batch (transfer full) whose attempt failed (S5.3).  Grains reported
 * before are done; covered ones are suppressed; the others are
 * retried, split or failed with `cause`.  FALSE: policy abort with a Grain still
 * wanted; those are failed and the owner ends the pipeline. */
ORCH_API gboolean orch_batch_fail (OrchCall * call, OrchBatch * batch,
    OrchCause * cause, OrchGrainList * sealed);
/* How often a Grain is replayed because its worker was lost. */
#define ORCH_GRAIN_MAX_LOST 3
/* Ends a batch (transfer full) whose worker was lost from outside (S5.4): as
 * orch_batch_fail(), but the Grains without a report are replayed unchanged before
 * fresh work, and no attempt is counted.  Where one of them was lost
 * ORCH_GRAIN_MAX_LOST times before, the attempt has failed with `cause`. */
ORCH_API gboolean orch_batch_lost (OrchCall * call, OrchBatch * batch,
    OrchCause * cause, OrchGrainList * sealed);
/* Ends a batch (transfer full) that nobody has begun to work on: what is still wanted
 * of it is the next to be reserved, as it is, and no attempt is counted.  A batch of
 * an earlier epoch ends as with orch_batch_abandon(). */
ORCH_API void orch_batch_return (OrchCall * call, OrchBatch * batch,
    OrchGrainList * sealed);

/* ---- what is not to run ---- */

/* For the two that any thread may call. */
ORCH_API gpointer orch_call_get_key (OrchCall * call);
/* (transfer none) (nullable): cause of the barrier of the Call with `key` on the
 * parent whose children `expansion` holds.  Any thread, even after the Call is
 * gone.  One of an earlier epoch may be returned until something of that Expansion
 * comes again. */
ORCH_API OrchCause *orch_call_get_barrier (gpointer key,
    OrchExpansion * expansion);
/* S5.2a: is every Grain for the children in `expansion`, which is closed, sealed, so
 * that no barrier can come any more?  For the key of a Call that can group-fail;
 * any thread, even after the Call is gone.  Look for its barrier afterwards. */
ORCH_API gboolean orch_call_is_parent_sealed (gpointer key,
    OrchExpansion * expansion);
/* S5.5: nobody who gets this Call's results wants those for the children in
 * `expansion`, or for anything below them, any more: the gather of their parent
 * can no longer be present, for `cause`.  Holds until the epoch ends; the first
 * cause stays.  Unlike a barrier it says nothing to other gathers.
 *
 * The caller knows that it is so: every subscriber of the Call's Ports has said
 * it, no path from them ends outside a subscriber, and no gather there has the
 * mode skip or placeholder.  Covered Grains are found when it is their turn, so
 * wake the replicas if any are ready. */
ORCH_API void orch_call_unwant (OrchCall * call, OrchExpansion * expansion,
    OrchCause * cause);
/* (transfer none) (nullable): what covers `grain`, which entered the Call with
 * `key` and still exists.  Any thread: not NULL means that a Function need not
 * work on it any more. */
ORCH_API OrchCause *orch_call_get_cover (gpointer key,
    const OrchGrain * grain);

/* ---- epochs ---- */

ORCH_API guint64 orch_call_get_epoch (const OrchCall * call);
/* Begins a new epoch (flush, READY->PAUSED): every ready Grain is handed back
 * in `forgotten`, with outcome UNRESOLVED; those in flight stay with their
 * batches, whose reports are refused from now on: their owner gets them back
 * with orch_batch_abandon().  Barriers and what is unwanted are forgotten too. */
ORCH_API void orch_call_new_epoch (OrchCall * call, OrchGrainList * forgotten);
/* Ends a batch (transfer full) of an earlier epoch: its unsealed Grains are
 * handed back with outcome UNRESOLVED. */
ORCH_API void orch_batch_abandon (OrchCall * call, OrchBatch * batch,
    OrchGrainList * forgotten);

/* Reports refused so far, by any epoch (S4.1). */
ORCH_API guint64 orch_call_get_n_refused (const OrchCall * call);

G_END_DECLS
