/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-entity.h"
#include "orch-ordinal-set.h"
#include "orch-refs.h"

G_BEGIN_DECLS

typedef struct _OrchAttachment OrchAttachment;
typedef struct _OrchEntityChunk OrchEntityChunk;

struct _OrchExpansion
{
  gint refs;
  gint state;                   /* OrchExpansionState; published with release */
  guint64 serial;               /* never used twice, unlike an address */
  OrchDomain *domain;
  OrchEntity *parent;           /* (nullable) */
  guint64 n_children;
  guint64 n_handed_out;
  OrchCause *cause;
  gint skipped_lock;            /* bit lock: it is read while the owner adds */
  OrchOrdinalSet *skipped;      /* ordinals without an Entity, NULL for none */
  OrchAttachment *attached;
  OrchEntityChunk *chunks;      /* of a list, newest first */
  OrchEntityFreed entity_freed;
  gpointer entity_freed_data;
  GDestroyNotify entity_freed_destroy;
  gpointer data;
  GDestroyNotify data_destroy;
};

/* Frees an Expansion that has no reference left.  Returns its parent (transfer
 * full) (nullable), so that the caller can go on upwards in a loop. */
G_GNUC_INTERNAL OrchEntity *orch_expansion_finalize (OrchExpansion * expansion);

static inline void
orch_entity_init (OrchEntity * entity, OrchExpansion * expansion,
    guint64 ordinal, gboolean in_chunk)
{
  entity->refs = 1;
  entity->in_chunk = in_chunk;
  entity->expansion = expansion;
  orch_refs_take (&expansion->refs);
  entity->ordinal = ordinal;
}

G_END_DECLS
