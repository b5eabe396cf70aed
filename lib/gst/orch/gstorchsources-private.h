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
  GArray *forget;               /* of guint64: what the worker is to let go of */
} GstOrchSources;

/* What one message says of them, and what it refers to until its batch has ended. */
typedef struct
{
  GHashTable *held;             /* id -> GstBuffer */
  GArray *told;                 /* of guint64: described in it */
  GArray *forget;               /* of guint64: to be let go of when it was read */
} GstOrchMention;

G_GNUC_INTERNAL void gst_orch_mention_init (GstOrchMention * mention);
G_GNUC_INTERNAL void gst_orch_mention_clear (GstOrchMention * mention);
/* (transfer full) (nullable): a source that it refers to */
G_GNUC_INTERNAL GstBuffer *gst_orch_mention_get (GstOrchMention * mention,
    guint64 id);

G_GNUC_INTERNAL void gst_orch_sources_init (GstOrchSources * sources);
G_GNUC_INTERNAL void gst_orch_sources_clear (GstOrchSources * sources);
/* The id of `buffer`; TRUE if the worker has it when it reads the message. */
G_GNUC_INTERNAL gboolean gst_orch_sources_add (GstOrchSources * sources,
    GstOrchMention * mention, GstBuffer * buffer, guint64 * id);
/* The last of a message: what else the worker can do without. */
G_GNUC_INTERNAL void gst_orch_sources_end (GstOrchSources * sources,
    GstOrchMention * mention);
/* The worker will not read the message, which was the last one. */
G_GNUC_INTERNAL void gst_orch_sources_take_back (GstOrchSources * sources,
    GstOrchMention * mention);

G_END_DECLS
