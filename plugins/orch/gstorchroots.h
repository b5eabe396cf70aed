/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

#include "lineage/orch-entity.h"

G_BEGIN_DECLS

/**
 * GstOrchRoots: the ledger of one run of orchsrc: its root Expansion, what
 * became of each ordinal, and the gate that bounds how many documents are open.
 * Refcounted; shared by orchsrc, the Expansion itself and every orchsink.
 *
 * Its lock is a leaf lock: the last reference to a root Entity may be dropped
 * in any thread, under any other lock.
 */
typedef struct _GstOrchRoots GstOrchRoots;

typedef struct
{
  guint64 opened;               /* root Entities made */
  guint64 closed;               /* of those, resolved and forgotten by all */
  guint64 skipped;              /* ordinals that got no Entity */
} GstOrchRootsCounts;

/* `domain`: of documents */
GstOrchRoots *gst_orch_roots_new (OrchDomain * domain);
GstOrchRoots *gst_orch_roots_ref (GstOrchRoots * roots);
void gst_orch_roots_unref (GstOrchRoots * roots);
/* (transfer none) (nullable): the ledger of the run that `entity`, of whatever
 * Domain, belongs to; NULL when it did not start at an orchsrc */
GstOrchRoots *gst_orch_roots_of (OrchEntity * entity);

/* ---- for orchsrc ---- */

/* (transfer full): its next root Entity */
OrchEntity *gst_orch_roots_open (GstOrchRoots * roots);
/* The next ordinal gets none. */
void gst_orch_roots_skip (GstOrchRoots * roots);
/* No further ones. */
void gst_orch_roots_finish (GstOrchRoots * roots);

typedef enum
{
  GST_ORCH_GATE_OPEN,
  GST_ORCH_GATE_TIMEOUT,
  GST_ORCH_GATE_INTERRUPTED,
} GstOrchGate;

/* Waits, at most until the monotonic time `deadline`, until fewer than
 * `max_open` Entities are open. */
GstOrchGate gst_orch_roots_wait (GstOrchRoots * roots, guint64 max_open,
    gint64 deadline);
/* Ends a wait, and every further one until it is set to FALSE again. */
void gst_orch_roots_set_interrupted (GstOrchRoots * roots,
    gboolean interrupted);

/* The record file whose documents were skipped; once, before the first. */
void gst_orch_roots_set_resumed (GstOrchRoots * roots, const gchar * file);

/* ---- for orchsink ---- */

void gst_orch_roots_get_counts (GstOrchRoots * roots,
    GstOrchRootsCounts * counts);
gboolean gst_orch_roots_has_resumed (GstOrchRoots * roots, const gchar * file);
/* TRUE when nothing can come of this ordinal any more: it was skipped, or
 * nobody holds its Entity. */
gboolean gst_orch_roots_is_gone (GstOrchRoots * roots, guint64 ordinal);

/* ---- how the two find each other ---- */

/* A custom downstream query that orchsrc sends before its first document.  Each
 * orchsink takes a reference to the ledger and may add the record file whose
 * documents are to be skipped. */
typedef struct
{
  gchar *file;
  gboolean retry_failed;
} GstOrchResume;

GstQuery *gst_orch_roots_query_new (GstOrchRoots * roots);
/* (transfer none) (nullable): NULL when it is another query */
GstOrchRoots *gst_orch_roots_query_parse (GstQuery * query);
void gst_orch_roots_query_add_resume (GstQuery * query, const gchar * file,
    gboolean retry_failed);
/* (transfer none): of GstOrchResume */
GPtrArray *gst_orch_roots_query_get_resumes (GstQuery * query);

G_END_DECLS
