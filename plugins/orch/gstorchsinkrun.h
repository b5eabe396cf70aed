/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchoutput.h"
#include "gstorchroots.h"

G_BEGIN_DECLS

/**
 * GstOrchSinkRun: what one sink has had of one run: how many results, and with
 * order=input those that wait for an earlier one.
 *
 * A result that waits keeps its Entity, so that the gate of orchsrc counts it:
 * what waits is bounded by max-open.  Not thread safe.
 */
typedef struct _GstOrchSinkRun GstOrchSinkRun;

/* `roots` (nullable); without them `expansion` identifies the run. */
GstOrchSinkRun *gst_orch_sink_run_new (GstOrchRoots * roots,
    OrchExpansion * expansion);
void gst_orch_sink_run_free (GstOrchSinkRun * run);
gboolean gst_orch_sink_run_is_of (GstOrchSinkRun * run, GstOrchRoots * roots,
    OrchExpansion * expansion);

/* Takes over what `rendered` and `entity` hold. */
void gst_orch_sink_run_push (GstOrchSinkRun * run, OrchEntity * entity,
    const GstOrchRendered * rendered);
/* The next one in order; with `all` the next one there is, whatever is missing
 * ahead of it.  `entity` (out) (transfer full). */
gboolean gst_orch_sink_run_pop (GstOrchSinkRun * run, gboolean all,
    OrchEntity ** entity, GstOrchRendered * rendered);

/* A result of a root Entity has come. */
void gst_orch_sink_run_count (GstOrchSinkRun * run);
/* A flush: what has not come need not. */
void gst_orch_sink_run_forget (GstOrchSinkRun * run);

/* The account of semantics S7. */
typedef struct
{
  guint64 opened;
  guint64 recorded;
  guint64 skipped;
  guint64 forgotten;
  guint64 missing;              /* what should not be: neither of them */
} GstOrchSinkAccount;

void gst_orch_sink_run_get_account (GstOrchSinkRun * run,
    GstOrchSinkAccount * account);

G_END_DECLS
