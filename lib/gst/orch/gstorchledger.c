/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchledger-private.h"
#include "gstorchlock-private.h"

guint64
gst_orch_ledger_get_open (const GstOrchLedger * ledger)
{
  return ledger->entered - ledger->forgotten
      - ledger->outcomes[ORCH_OUTCOME_PRESENT]
      - ledger->outcomes[ORCH_OUTCOME_DROPPED]
      - ledger->outcomes[ORCH_OUTCOME_FAILED]
      - ledger->outcomes[ORCH_OUTCOME_SUPPRESSED];
}

void
gst_orch_ledger_forget (GstOrchLedger * ledger)
{
  ledger->forgotten += gst_orch_ledger_get_open (ledger);
  ledger->posted = FALSE;
}

GstStructure *
gst_orch_ledger_to_structure (const GstOrchLedger * ledger, gboolean finished)
{
  return gst_structure_new ("orch-ledger",
      "finished", G_TYPE_BOOLEAN, finished,
      "entered", G_TYPE_UINT64, ledger->entered,
      "present", G_TYPE_UINT64, ledger->outcomes[ORCH_OUTCOME_PRESENT],
      "dropped", G_TYPE_UINT64, ledger->outcomes[ORCH_OUTCOME_DROPPED],
      "failed", G_TYPE_UINT64, ledger->outcomes[ORCH_OUTCOME_FAILED],
      "suppressed", G_TYPE_UINT64, ledger->outcomes[ORCH_OUTCOME_SUPPRESSED],
      "forgotten", G_TYPE_UINT64, ledger->forgotten,
      "open", G_TYPE_UINT64, gst_orch_ledger_get_open (ledger), NULL);
}

GstStructure *
gst_orch_ledger_make_stats (const GstOrchLedger * ledger, const gchar * name,
    guint64 lost, guint64 duplicates)
{
  return gst_structure_new (name,
      "present", G_TYPE_UINT64, ledger->outcomes[ORCH_OUTCOME_PRESENT],
      "dropped", G_TYPE_UINT64, ledger->outcomes[ORCH_OUTCOME_DROPPED],
      "failed", G_TYPE_UINT64, ledger->outcomes[ORCH_OUTCOME_FAILED],
      "suppressed", G_TYPE_UINT64, ledger->outcomes[ORCH_OUTCOME_SUPPRESSED],
      "open", G_TYPE_UINT64, gst_orch_ledger_get_open (ledger),
      "forgotten", G_TYPE_UINT64, ledger->forgotten,
      "lost", G_TYPE_UINT64, lost,
      "duplicates", G_TYPE_UINT64, duplicates, NULL);
}

guint64
gst_orch_ledger_post (GstOrchLedger * ledger, GMutex * lock,
    GstElement * element, gboolean finished)
{
  GstOrchLedger copy;

  gst_orch_lock (lock);
  copy = *ledger;
  ledger->posted |= finished;
  g_mutex_unlock (lock);
  if (finished || !copy.posted)
    gst_element_post_message (element,
        gst_message_new_element (GST_OBJECT (element), gst_orch_ledger_to_structure
            (&copy, finished)));
  return gst_orch_ledger_get_open (&copy);
}
