/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-cause.h"
#include "orch-domain.h"
#include "orch-outcome.h"

G_BEGIN_DECLS

typedef struct _OrchEntity OrchEntity;
typedef struct _OrchExpansion OrchExpansion;

/**
 * OrchEntity: one unit of a Domain: (Domain, parent Entity, 0-based ordinal).
 * Immutable, refcounted (atomically).  Two records may stand for one Entity;
 * orch_entity_equal() compares identities (semantics S1.5).
 *
 * An Entity holds its Expansion, an Expansion its parent Entity, never the
 * other way round: memory follows what is open.
 */
struct _OrchEntity
{
  /*< private >*/
  gint refs;
  gboolean in_chunk;            /* its memory is the Expansion's */
  OrchExpansion *expansion;
  guint64 ordinal;
};

/* Does not publish; see orch_expansion_next_child(). */
ORCH_API OrchEntity *orch_entity_new (OrchExpansion * expansion,
    guint64 ordinal);
ORCH_API OrchEntity *orch_entity_ref (OrchEntity * entity);
/* Frees a chain of any depth without recursion. */
ORCH_API void orch_entity_unref (OrchEntity * entity);

ORCH_API gboolean orch_entity_equal (const OrchEntity * a,
    const OrchEntity * b);
/* By path: ancestors before descendants, siblings by ordinal. */
ORCH_API gint orch_entity_compare (const OrchEntity * a, const OrchEntity * b);
/* (transfer none) (nullable): NULL for a root Entity */
ORCH_API OrchEntity *orch_entity_get_parent (const OrchEntity * entity);
/* (transfer none): the root Entity it descends from, or itself */
ORCH_API OrchEntity *orch_entity_get_root (OrchEntity * entity);
/* (transfer none) */
ORCH_API OrchDomain *orch_entity_get_domain (const OrchEntity * entity);
/* (transfer full): ordinals from the root down, "4/0/17" */
ORCH_API gchar *orch_entity_get_path (const OrchEntity * entity);

/**
 * OrchExpansionState: the terminal fact of an Expansion (semantics S1.1).
 */
typedef enum
{
  ORCH_EXPANSION_OPEN,
  ORCH_EXPANSION_SUCCEEDED,
  ORCH_EXPANSION_DROPPED,
  ORCH_EXPANSION_FAILED,
} OrchExpansionState;

/* Called once, by whichever thread drops the last reference to an Entity of
 * the Expansion; nothing but posting and counting may happen in it. */
typedef void (*OrchEntityFreed) (guint64 ordinal, gpointer user_data);

/**
 * OrchExpansion: the ordered child set of one parent in one child Domain.
 * The root Entities of a run are the children of an Expansion without parent.
 * Refcounted atomically.  One owner (an element, under its own lock) adds
 * children and publishes; any thread may read and attach.
 */

/* `parent` NULL makes the Expansion of a run's root Entities. */
ORCH_API OrchExpansion *orch_expansion_new (OrchDomain * domain,
    OrchEntity * parent);
ORCH_API OrchExpansion *orch_expansion_ref (OrchExpansion * expansion);
ORCH_API void orch_expansion_unref (OrchExpansion * expansion);
/* Before the first child only; `destroy` runs with the Expansion. */
ORCH_API void orch_expansion_set_entity_freed (OrchExpansion * expansion,
    OrchEntityFreed func, gpointer user_data, GDestroyNotify destroy);
/* What the binding wants to find again: the parent's info.  Set before the
 * first child. */
ORCH_API void orch_expansion_set_data (OrchExpansion * expansion,
    gpointer data, GDestroyNotify destroy);
ORCH_API gpointer orch_expansion_get_data (const OrchExpansion * expansion);
ORCH_API OrchDomain *orch_expansion_get_domain (const OrchExpansion * e);
ORCH_API OrchEntity *orch_expansion_get_parent (const OrchExpansion * e);
/* (transfer none) (nullable): the one that its parent is a child of */
ORCH_API OrchExpansion *orch_expansion_get_above (const OrchExpansion * e);

/* (transfer full): publishes the next child of an open Expansion (a stream),
 * or hands out the next record of a list that was closed with
 * orch_expansion_succeed(); NULL when there is none. */
ORCH_API OrchEntity *orch_expansion_next_child (OrchExpansion * expansion);
/* Leaves the next ordinal of an open Expansion without an Entity: a root that
 * was done in an earlier run keeps its place (S1.5). */
ORCH_API void orch_expansion_skip_child (OrchExpansion * expansion);
/* Any thread; for ordinals below orch_expansion_get_n_children(). */
ORCH_API gboolean orch_expansion_is_skipped (OrchExpansion * expansion,
    guint64 ordinal);
/* A list: m children exist at once, and no more. */
ORCH_API gboolean orch_expansion_succeed_with (OrchExpansion * expansion,
    guint64 n_children);
/* A stream: closes with the children published so far.  An identical repeat
 * returns TRUE, a different one FALSE (S1.3).  DROPPED is refused once a child
 * was published (S3.1). */
ORCH_API gboolean orch_expansion_publish (OrchExpansion * expansion,
    OrchExpansionState state, OrchCause * cause);
ORCH_API OrchExpansionState orch_expansion_get_state (const OrchExpansion *
    expansion);
/* Children published so far; final once the state is not OPEN. */
ORCH_API guint64 orch_expansion_get_n_children (const OrchExpansion *
    expansion);
/* (transfer none) (nullable) */
ORCH_API OrchCause *orch_expansion_get_cause (const OrchExpansion * expansion);
/* How S2.5 ends the Expansion that an output drives. */
ORCH_API OrchExpansionState orch_expansion_state_from_outcome (OrchOutcome
    outcome);

/* A key that nothing else has or had, while an address comes back and would find
 * what its last owner left. */
ORCH_API gpointer orch_expansion_new_key (void);
/* Per-consumer state, keyed by consumer, freed with the Expansion.  Lock-free;
 * only the consumer itself attaches under its key.  When it does so again the
 * newest is found; the older ones live on with the Expansion. */
ORCH_API void orch_expansion_attach (OrchExpansion * expansion, gpointer key,
    gpointer data, GDestroyNotify destroy);
ORCH_API gpointer orch_expansion_get_attached (OrchExpansion * expansion,
    gpointer key);

G_END_DECLS
