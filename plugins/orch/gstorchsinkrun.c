/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchsinkrun.h"

#include <string.h>

typedef struct
{
  OrchEntity *entity;
  GstOrchRendered rendered;
} Held;

struct _GstOrchSinkRun
{
  GstOrchRoots *roots;          /* (nullable) */
  OrchExpansion *expansion;     /* (nullable) */
  GSequence *held;              /* Held, by ordinal */
  guint64 next;                 /* the ordinal that is due */
  guint64 n_recorded;
  guint64 n_forgotten;
};

static void
held_free (gpointer data)
{
  Held *held = data;

  orch_entity_unref (held->entity);
  gst_orch_rendered_clear (&held->rendered);
  g_slice_free (Held, held);
}

GstOrchSinkRun *
gst_orch_sink_run_new (GstOrchRoots * roots, OrchExpansion * expansion)
{
  GstOrchSinkRun *run = g_new0 (GstOrchSinkRun, 1);

  run->roots = roots ? gst_orch_roots_ref (roots) : NULL;
  run->expansion = roots ? NULL : orch_expansion_ref (expansion);
  run->held = g_sequence_new (held_free);
  return run;
}

void
gst_orch_sink_run_free (GstOrchSinkRun * run)
{
  g_sequence_free (run->held);
  gst_orch_roots_unref (run->roots);
  orch_expansion_unref (run->expansion);
  g_free (run);
}

gboolean
gst_orch_sink_run_is_of (GstOrchSinkRun * run, GstOrchRoots * roots,
    OrchExpansion * expansion)
{
  return roots ? run->roots == roots : run->expansion == expansion;
}

/* ---- in order ---- */

static gint
compare_ordinals (gconstpointer a, gconstpointer b, gpointer user_data)
{
  guint64 first = ((const Held *) a)->entity->ordinal;
  guint64 second = ((const Held *) b)->entity->ordinal;

  return (first > second) - (first < second);
}

void
gst_orch_sink_run_push (GstOrchSinkRun * run, OrchEntity * entity,
    const GstOrchRendered * rendered)
{
  Held *held = g_slice_new (Held);

  held->entity = entity;
  held->rendered = *rendered;
  g_sequence_insert_sorted (run->held, held, compare_ordinals, NULL);
}

gboolean
gst_orch_sink_run_pop (GstOrchSinkRun * run, gboolean all,
    OrchEntity ** entity, GstOrchRendered * rendered)
{
  GSequenceIter *first = g_sequence_get_begin_iter (run->held);
  Held *held;

  if (g_sequence_iter_is_end (first))
    return FALSE;
  held = g_sequence_get (first);
  while (run->roots && run->next < held->entity->ordinal
      && gst_orch_roots_is_gone (run->roots, run->next))
    run->next++;
  if (!all && run->next < held->entity->ordinal)
    return FALSE;
  run->next = held->entity->ordinal + 1;
  *entity = orch_entity_ref (held->entity);
  *rendered = held->rendered;
  memset (&held->rendered, 0, sizeof held->rendered);
  g_sequence_remove (first);
  return TRUE;
}

/* ---- the account ---- */

static guint64
count_opened (GstOrchSinkRun * run, guint64 * skipped)
{
  GstOrchRootsCounts counts = { 0, };

  if (!run->roots)
    return orch_expansion_get_n_children (run->expansion);
  gst_orch_roots_get_counts (run->roots, &counts);
  *skipped = counts.skipped;
  return counts.opened;
}

void
gst_orch_sink_run_count (GstOrchSinkRun * run)
{
  run->n_recorded++;
}

void
gst_orch_sink_run_forget (GstOrchSinkRun * run)
{
  guint64 skipped = 0, opened = count_opened (run, &skipped);

  run->n_forgotten = opened - MIN (opened, run->n_recorded);
}

void
gst_orch_sink_run_get_account (GstOrchSinkRun * run,
    GstOrchSinkAccount * account)
{
  guint64 absent;

  memset (account, 0, sizeof *account);
  account->opened = count_opened (run, &account->skipped);
  account->recorded = run->n_recorded;
  absent = account->opened - MIN (account->opened, account->recorded);
  /* some of what was forgotten may have come all the same */
  account->forgotten = MIN (absent, run->n_forgotten);
  account->missing = absent - account->forgotten;
}
