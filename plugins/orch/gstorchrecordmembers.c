/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchrecordmembers.h"

#include <string.h>

static void
failure_clear (gpointer data)
{
  GstOrchFailure *failure = data;

  orch_entity_unref (failure->entity);
  orch_cause_unref (failure->cause);
  g_free (failure->id);
  g_free (failure->path);
}

/* ---- what a reduce has listed, and handed on ---- */

/* (transfer full) */
static gchar *
get_failure_id (const GstOrchListFailure * failure,
    const GstOrchResult * result)
{
  g_autoptr (GstStructure) info = NULL;

  /* an Expansion that failed is listed under the parent itself */
  if (orch_entity_equal (failure->entity, result->entity))
    return gst_orch_record_get_id (result->entity,
        gst_orch_info_get (result->info));
  if (failure->fragment)
    info = gst_structure_new ("info", "fragment", G_TYPE_STRING,
        failure->fragment, NULL);
  return gst_orch_record_get_id (failure->entity, info);
}

static void
read_failures (GstOrchMembers * members, const GstOrchResult * result,
    GstOrchList * list)
{
  guint i, n = gst_orch_list_get_n_failures (list);

  for (i = 0; i < n; i++) {
    const GstOrchListFailure *from = gst_orch_list_get_failure (list, i);
    GstOrchFailure failure = { orch_entity_ref (from->entity),
      get_failure_id (from, result), orch_entity_get_path (from->entity),
      (OrchOutcome) from->outcome,
      from->cause ? orch_cause_ref (from->cause) : NULL
    };

    g_array_append_val (members->failures, failure);
  }
}

static gint
compare_failures (gconstpointer a, gconstpointer b)
{
  return orch_entity_compare (((const GstOrchFailure *) a)->entity,
      ((const GstOrchFailure *) b)->entity);
}

/* ---- a list that a Function made: its elements tell ---- */

static void
add_element (GstOrchMembers * members, const GstOrchResult * result,
    const GstOrchListElement * element)
{
  g_autofree gchar *parent = orch_entity_get_path (result->entity);
  g_autofree gchar *id = gst_orch_record_get_id (result->entity,
      gst_orch_info_get (result->info));
  GstOrchFailure failure = { NULL,
    g_strdup_printf ("%s%citem=%" G_GUINT64_FORMAT, id,
        strchr (id, '#') ? '&' : '#', element->ordinal + 1),
    g_strdup_printf ("%s/%" G_GUINT64_FORMAT, parent, element->ordinal),
    (OrchOutcome) element->outcome,
    element->cause ? orch_cause_ref (element->cause) : NULL
  };

  g_array_append_val (members->failures, failure);
}

static void
read_elements (GstOrchMembers * members, const GstOrchResult * result,
    GstOrchList * list)
{
  GstOrchListCounts *counts = &members->counts;
  guint i, n = gst_orch_list_get_size (list);

  counts->total = n;
  for (i = 0; i < n; i++) {
    const GstOrchListElement *element = gst_orch_list_get (list, i);
    gboolean is_lost = FALSE;

    switch (element->outcome) {
      case GST_ORCH_OUTCOME_PRESENT:
        counts->present++;
        continue;
      case GST_ORCH_OUTCOME_DROPPED:
        is_lost = orch_cause_is_lost (element->cause);
        counts->dropped += !is_lost;
        counts->lost += is_lost;
        if (!is_lost)
          continue;
        break;
      case GST_ORCH_OUTCOME_SUPPRESSED:
        counts->suppressed++;
        break;
      default:
        counts->failed++;
        break;
    }
    add_element (members, result, element);
  }
}

void
gst_orch_members_init (GstOrchMembers * members, const GstOrchResult * result)
{
  GstOrchList *list = result->buffer
      ? gst_orch_buffer_get_gathered (result->buffer) : NULL;

  memset (members, 0, sizeof *members);
  members->failures = g_array_new (FALSE, FALSE, sizeof (GstOrchFailure));
  g_array_set_clear_func (members->failures, failure_clear);
  /* Inputs that were joined are no parts: it is one value. */
  if (list && gst_orch_value_get_kind (result->caps) == GST_ORCH_VALUE_ITEMS)
    members->counts.total = members->counts.present = 1;
  else if (list && gst_orch_list_get_counts (list))
    members->counts = *gst_orch_list_get_counts (list);
  else if (list)
    read_elements (members, result, list);
  else if (result->outcome == ORCH_OUTCOME_PRESENT)
    members->counts.total = members->counts.present = 1;
  if (list && gst_orch_list_get_n_failures (list) > 0) {
    read_failures (members, result, list);
    g_array_sort (members->failures, compare_failures);
  }
}

void
gst_orch_members_clear (GstOrchMembers * members)
{
  g_clear_pointer (&members->failures, g_array_unref);
}

/* ---- for a person ---- */

/* `path`: of what has this cause; elsewhere it arose if that differs. */
static gchar *
explain (const gchar * what, const gchar * path, OrchCause * cause)
{
  if (!cause)
    return g_strdup_printf ("%s.", what);
  if (!cause->path || g_strcmp0 (cause->path, path) == 0)
    return g_strdup_printf ("%s: %s", what, cause->message);
  return g_strdup_printf ("%s, because of %s: %s", what, cause->path,
      cause->message);
}

static gchar *
summarize_absence (const GstOrchResult * result)
{
  g_autofree gchar *path = orch_entity_get_path (result->entity);
  OrchCause *cause = result->cause;

  if (result->outcome == ORCH_OUTCOME_DROPPED && !orch_cause_is_lost (cause))
    return NULL;
  if (cause && (!cause->path || strcmp (cause->path, path) == 0))
    return g_strdup (cause->message);
  return explain (result->outcome == ORCH_OUTCOME_FAILED ? "Failed"
      : result->outcome == ORCH_OUTCOME_DROPPED ? "Lost" : "Not made", path,
      cause);
}

gchar *
gst_orch_members_summarize (const GstOrchMembers * members,
    const GstOrchResult * result)
{
  guint n = members->failures->len;
  const GstOrchFailure *first;
  g_autofree gchar *what = NULL;

  if (result->outcome != ORCH_OUTCOME_PRESENT)
    return summarize_absence (result);
  if (n == 0)
    return NULL;
  first = &g_array_index (members->failures, GstOrchFailure, 0);
  what = g_strdup_printf ("%u %s missing, the first at %s", n,
      n == 1 ? "part is" : "parts are", first->path);
  return explain (what, first->path, first->cause);
}
