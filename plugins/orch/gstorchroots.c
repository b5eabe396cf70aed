/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchroots.h"

#include "lineage/orch-ordinal-set.h"

#define ROOTS_QUERY "orch-roots"

struct _GstOrchRoots
{
  gint refs;
  OrchExpansion *expansion;     /* (nullable) owned until orchsrc is done */

  GMutex lock;
  GCond cond;
  OrchOrdinalSet gone;
  GstOrchRootsCounts counts;
  gchar *resumed;
  gboolean interrupted;
};

/* The key under which an Expansion knows its ledger. */
static gint roots_key;

static void
count_freed (guint64 ordinal, gpointer user_data)
{
  GstOrchRoots *roots = user_data;

  g_mutex_lock (&roots->lock);
  /* a second record may have stood for the same Entity */
  if (orch_ordinal_set_add (&roots->gone, ordinal))
    roots->counts.closed++;
  g_cond_signal (&roots->cond);
  g_mutex_unlock (&roots->lock);
}

static void
unref_roots (gpointer roots)
{
  gst_orch_roots_unref (roots);
}

GstOrchRoots *
gst_orch_roots_new (OrchDomain * domain)
{
  GstOrchRoots *roots = g_new0 (GstOrchRoots, 1);

  roots->refs = 2;              /* the caller's and the Expansion's */
  g_mutex_init (&roots->lock);
  g_cond_init (&roots->cond);
  orch_ordinal_set_init (&roots->gone);
  roots->expansion = orch_expansion_new (domain, NULL);
  orch_expansion_set_entity_freed (roots->expansion, count_freed, roots,
      unref_roots);
  orch_expansion_attach (roots->expansion, &roots_key, roots, NULL);
  return roots;
}

GstOrchRoots *
gst_orch_roots_ref (GstOrchRoots * roots)
{
  g_atomic_int_inc (&roots->refs);
  return roots;
}

void
gst_orch_roots_unref (GstOrchRoots * roots)
{
  if (!roots || !g_atomic_int_dec_and_test (&roots->refs))
    return;
  g_mutex_clear (&roots->lock);
  g_cond_clear (&roots->cond);
  orch_ordinal_set_clear (&roots->gone);
  g_free (roots->resumed);
  g_free (roots);
}

GstOrchRoots *
gst_orch_roots_of (OrchEntity * entity)
{
  return orch_expansion_get_attached (orch_entity_get_root (entity)->expansion,
      &roots_key);
}

/* ---- for orchsrc ---- */

OrchEntity *
gst_orch_roots_open (GstOrchRoots * roots)
{
  g_mutex_lock (&roots->lock);
  roots->counts.opened++;
  g_mutex_unlock (&roots->lock);
  return orch_expansion_next_child (roots->expansion);
}

void
gst_orch_roots_skip (GstOrchRoots * roots)
{
  orch_expansion_skip_child (roots->expansion);
  g_mutex_lock (&roots->lock);
  orch_ordinal_set_add (&roots->gone,
      roots->counts.opened + roots->counts.skipped);
  roots->counts.skipped++;
  g_mutex_unlock (&roots->lock);
}

void
gst_orch_roots_finish (GstOrchRoots * roots)
{
  OrchExpansion *expansion = g_steal_pointer (&roots->expansion);

  if (!expansion)
    return;
  orch_expansion_publish (expansion, ORCH_EXPANSION_SUCCEEDED, NULL);
  orch_expansion_unref (expansion);
}

GstOrchGate
gst_orch_roots_wait (GstOrchRoots * roots, guint64 max_open, gint64 deadline)
{
  GstOrchGate gate = GST_ORCH_GATE_OPEN;

  g_mutex_lock (&roots->lock);
  while (gate == GST_ORCH_GATE_OPEN && !roots->interrupted
      && roots->counts.opened - roots->counts.closed >= max_open)
    if (!g_cond_wait_until (&roots->cond, &roots->lock, deadline))
      gate = GST_ORCH_GATE_TIMEOUT;
  if (roots->interrupted)
    gate = GST_ORCH_GATE_INTERRUPTED;
  g_mutex_unlock (&roots->lock);
  return gate;
}

void
gst_orch_roots_set_interrupted (GstOrchRoots * roots, gboolean interrupted)
{
  g_mutex_lock (&roots->lock);
  roots->interrupted = interrupted;
  g_cond_signal (&roots->cond);
  g_mutex_unlock (&roots->lock);
}

void
gst_orch_roots_set_resumed (GstOrchRoots * roots, const gchar * file)
{
  g_mutex_lock (&roots->lock);
  g_free (roots->resumed);
  roots->resumed = g_strdup (file);
  g_mutex_unlock (&roots->lock);
}

/* ---- for orchsink ---- */

void
gst_orch_roots_get_counts (GstOrchRoots * roots, GstOrchRootsCounts * counts)
{
  g_mutex_lock (&roots->lock);
  *counts = roots->counts;
  g_mutex_unlock (&roots->lock);
}

gboolean
gst_orch_roots_has_resumed (GstOrchRoots * roots, const gchar * file)
{
  gboolean result;

  g_mutex_lock (&roots->lock);
  result = g_strcmp0 (roots->resumed, file) == 0;
  g_mutex_unlock (&roots->lock);
  return result;
}

gboolean
gst_orch_roots_is_gone (GstOrchRoots * roots, guint64 ordinal)
{
  gboolean result;

  g_mutex_lock (&roots->lock);
  result = orch_ordinal_set_contains (&roots->gone, ordinal);
  g_mutex_unlock (&roots->lock);
  return result;
}

/* ---- queries ---- */

static void
resume_free (gpointer data)
{
  GstOrchResume *resume = data;

  g_free (resume->file);
  g_free (resume);
}

GstQuery *
gst_orch_roots_query_new (GstOrchRoots * roots)
{
  GPtrArray *resumes = g_ptr_array_new_with_free_func (resume_free);
  GstStructure *structure = gst_structure_new (ROOTS_QUERY,
      "roots", G_TYPE_POINTER, roots, NULL);

  gst_structure_set (structure, "resumes", G_TYPE_PTR_ARRAY, resumes, NULL);
  g_ptr_array_unref (resumes);
  return gst_query_new_custom (GST_QUERY_CUSTOM, structure);
}

static const GstStructure *
get_structure (GstQuery * query)
{
  const GstStructure *structure = GST_QUERY_TYPE (query) == GST_QUERY_CUSTOM
      ? gst_query_get_structure (query) : NULL;

  return structure && gst_structure_has_name (structure, ROOTS_QUERY)
      ? structure : NULL;
}

GstOrchRoots *
gst_orch_roots_query_parse (GstQuery * query)
{
  const GstStructure *structure = get_structure (query);
  GstOrchRoots *roots = NULL;

  if (structure)
    gst_structure_get (structure, "roots", G_TYPE_POINTER, &roots, NULL);
  return roots;
}

GPtrArray *
gst_orch_roots_query_get_resumes (GstQuery * query)
{
  return g_value_get_boxed (gst_structure_get_value (get_structure (query),
          "resumes"));
}

void
gst_orch_roots_query_add_resume (GstQuery * query, const gchar * file,
    gboolean retry_failed)
{
  GPtrArray *resumes = gst_orch_roots_query_get_resumes (query);
  GstOrchResume *resume;
  guint i;

  /* The query may come to one sink by several ways: behind a tee and a join. */
  for (i = 0; i < resumes->len; i++)
    if (g_str_equal (((GstOrchResume *) g_ptr_array_index (resumes,
                    i))->file, file))
      return;
  resume = g_new (GstOrchResume, 1);
  resume->file = g_strdup (file);
  resume->retry_failed = retry_failed;
  g_ptr_array_add (resumes, resume);
}
