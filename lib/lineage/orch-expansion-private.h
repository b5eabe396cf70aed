/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-entity.h"
#include "orch-ordinal-set.h"
#include "orch-refs.h"

G_BEGIN_DECLS

typedef struct _OrchAttachment OrchAttachment;

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
  OrchEntityFreed entity_freed;
  gpointer entity_freed_data;
  GDestroyNotify entity_freed_destroy;
  gpointer data;
  GDestroyNotify data_destroy;
};

/* Drops a reference.  Returns the parent (transfer full) (nullable) if it was
 * the last one, so that the caller can go on upwards in a loop. */
G_GNUC_INTERNAL OrchEntity *orch_expansion_release (OrchExpansion * expansion);

G_END_DECLS
