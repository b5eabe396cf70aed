/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchprelude.h>

G_BEGIN_DECLS

/* The documents that one worker has, so that each is described to it once, and
 * stays open there as it would in a thread. */
typedef struct
{
  GHashTable *entries;          /* id -> Entry */
  GQueue order;                 /* of Entry, the last used first */
  GHashTable *held;             /* id -> GstBuffer: of the batch that is worked on */
  GArray *forget;               /* of guint64: what the worker is to let go of */
} GstOrchSources;

G_GNUC_INTERNAL void gst_orch_sources_init (GstOrchSources * sources);
G_GNUC_INTERNAL void gst_orch_sources_clear (GstOrchSources * sources);
/* A new batch: what is gone is to be forgotten. */
G_GNUC_INTERNAL void gst_orch_sources_begin (GstOrchSources * sources);
/* It has ended. */
G_GNUC_INTERNAL void gst_orch_sources_end (GstOrchSources * sources);
/* The id of `buffer`; TRUE if the worker has it. */
G_GNUC_INTERNAL gboolean gst_orch_sources_add (GstOrchSources * sources,
    GstBuffer * buffer, guint64 * id);
/* (transfer full) (nullable): a source of this batch */
G_GNUC_INTERNAL GstBuffer *gst_orch_sources_get (GstOrchSources * sources,
    guint64 id);

G_END_DECLS
