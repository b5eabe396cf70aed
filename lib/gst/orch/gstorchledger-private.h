/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchprelude.h>
#include "lineage/orch-outcome.h"

G_BEGIN_DECLS

/* The account of one element for one run (semantics S7): what entered has come to
 * an outcome, was forgotten by a flush, or is open.  Guarded by the element's
 * lock. */
typedef struct
{
  guint64 entered;
  guint64 outcomes[5];          /* by OrchOutcome */
  guint64 forgotten;
  gboolean posted;              /* at the end of the stream */
} GstOrchLedger;

GST_ORCH_API guint64 gst_orch_ledger_get_open (const GstOrchLedger * ledger);
/* A flush: what is open will not come to an outcome. */
GST_ORCH_API void gst_orch_ledger_forget (GstOrchLedger * ledger);
/* (transfer full): `orch-ledger` with each of them, `open`, and `finished` */
GST_ORCH_API GstStructure *gst_orch_ledger_to_structure (const GstOrchLedger *
    ledger, gboolean finished);
/* (transfer full): the `stats` of an element that gathers or joins: the account, and
 * what its pads have lost and got twice */
GST_ORCH_API GstStructure *gst_orch_ledger_make_stats (const GstOrchLedger *
    ledger, const gchar * name, guint64 lost, guint64 duplicates);
/* Posts the element message `orch-ledger`.  At the end of the stream (`finished`),
 * and when the element stops, unless that came before.  `lock`, which guards the
 * ledger, is not held.  Returns what is open. */
GST_ORCH_API guint64 gst_orch_ledger_post (GstOrchLedger * ledger,
    GMutex * lock, GstElement * element, gboolean finished);

G_END_DECLS
