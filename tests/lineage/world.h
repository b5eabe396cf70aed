/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "lineage/orch-lineage.h"

G_BEGIN_DECLS

/* A Grain that the test owns until the world ends, numbered in order of entry. */
typedef struct
{
  OrchGrain grain;
  guint id;
} TestGrain;

/* Documents with pages, and one Call over the pages (or the documents). */
typedef struct
{
  OrchDomain *documents;
  OrchDomain *pages;
  OrchExpansion *roots;
  guint n_parents;
  OrchEntity **parents;
  OrchExpansion **lists;        /* one open Expansion of pages a parent */
  OrchCall *call;
  GPtrArray *grains;            /* TestGrain, by id */
  OrchGrainList sealed;
  gint64 now;                   /* the clock, in microseconds */
} World;

World *world_new (guint n_parents);
void world_free (World * world);

/* Enters a Grain for the next page of a parent. */
TestGrain *world_enter (World * world, guint parent);
/* The same for the Grain of some Entity, with any input. */
TestGrain *world_enter_entity (World * world, OrchEntity * entity,
    OrchOutcome input, OrchCause * cause);
/* One page for each digit: "0011" */
void world_enter_pages (World * world, const gchar * parents);
TestGrain *world_get (World * world, guint id);

OrchBatch *world_reserve (World * world, guint max);
OrchReport world_report (World * world, guint id, OrchOutcome outcome,
    OrchCause * cause);
/* Reports one Grain by itself. */
gboolean world_commit (World * world, guint id, OrchOutcome outcome,
    gboolean group);

/* The ids of a batch, "0123"; "-" for a sealed entry, "" for NULL. */
void world_assert_batch (OrchBatch * batch, const gchar * ids);
/* What was sealed since the last time, with the first letter of its outcome:
 * "0S 1S 3P"; "U" when it was handed back without one. */
void world_assert_sealed (World * world, const gchar * expected);

OrchCause *world_cause (const gchar * code);

G_END_DECLS
