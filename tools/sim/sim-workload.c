/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "sim-workload.h"
#include "sim-random.h"

#include <stdlib.h>
#include <string.h>

#define N_LARGEST 99
#define MAX_SMALL 23
#define PERCENT_AMONG_LARGEST 11

enum
{
  FOR_ORDER,
  FOR_POISON,
};

/* ---- page counts ---- */

/* Ascending rank and pages; in between they are interpolated. */
static const struct
{
  guint rank;
  gdouble pages;
} points[] = {
  {0, 1}, {893, 12.5}, {1785, 23}, {1786, 24}, {1844, 24}, {2213, 33},
  {2582, 48.35}, {2951, 78}, {3319, 125}, {3504, 162}, {3589, 191},
  {3590, 192}, {3620, 206.7}, {3651, 236}, {3668, 262}
};

/* Ranks 3669 .. 3688, descending. */
static const guint largest[] = {
  427, 395, 390, 376, 374, 334, 322, 310, 302, 298, 295, 293, 287, 280, 276,
  274, 273, 272, 270, 263
};

static gint
compare_counts (gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;

  return (x > y) - (x < y);
}

/* `counts` (transfer full): of guint */
static SimWorkload *
workload_new (GArray * counts)
{
  SimWorkload *workload = g_new0 (SimWorkload, 1);
  GArray *sorted = g_array_copy (counts);
  GArray *n_used = g_array_new (FALSE, TRUE, sizeof (guint));
  guint i;

  g_array_sort (sorted, compare_counts);
  g_array_set_size (n_used, counts->len);
  workload->n = counts->len;
  workload->parents = g_new0 (SimParent, counts->len);
  for (i = 0; i < counts->len; i++) {
    SimParent *parent = &workload->parents[i];
    guint first;

    parent->n_children = g_array_index (counts, guint, i);
    workload->n_children += parent->n_children;
    g_array_binary_search (sorted, &parent->n_children, compare_counts,
        &first);
    while (first > 0
        && g_array_index (sorted, guint, first - 1) == parent->n_children)
      first--;
    parent->rank = first + g_array_index (n_used, guint, first)++;
  }
  g_array_unref (n_used);
  g_array_unref (sorted);
  g_array_unref (counts);
  return workload;
}

static GArray *
make_corpus (void)
{
  GArray *counts = g_array_new (FALSE, FALSE, sizeof (guint));
  guint i, rank, pages;

  for (i = 0; i + 1 < G_N_ELEMENTS (points); i++) {
    gdouble slope = (points[i + 1].pages - points[i].pages)
        / (points[i + 1].rank - points[i].rank);

    for (rank = points[i].rank; rank < points[i + 1].rank; rank++) {
      pages = points[i].pages + slope * (rank - points[i].rank) + 0.5;
      g_array_append_val (counts, pages);
    }
  }
  pages = points[i].pages + 0.5;
  g_array_append_val (counts, pages);
  for (i = G_N_ELEMENTS (largest); i > 0; i--)
    g_array_append_val (counts, largest[i - 1]);
  return counts;
}

SimWorkload *
sim_workload_new_corpus (void)
{
  return workload_new (make_corpus ());
}

SimWorkload *
sim_workload_new_failure (void)
{
  GArray *counts = make_corpus ();
  guint n = 0;

  while (g_array_index (counts, guint, n) <= MAX_SMALL)
    n++;
  g_array_remove_range (counts, n, counts->len - N_LARGEST - n);
  return workload_new (counts);
}

static gboolean
parse_line (const gchar * line, guint number, GArray * counts, GError ** error)
{
  g_autofree gchar *text = g_strdup (line);
  gchar *comment = strchr (text, '#');
  guint64 value;
  guint count;

  if (comment)
    *comment = '\0';
  g_strstrip (text);
  if (!*text)
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT32, &value, NULL)) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
        "line %u is not a number of children: %s", number, text);
    return FALSE;
  }
  count = value;
  g_array_append_val (counts, count);
  return TRUE;
}

SimWorkload *
sim_workload_load (const gchar * filename, GError ** error)
{
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  GArray *counts;
  guint i;

  if (!g_file_get_contents (filename, &text, NULL, error))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  counts = g_array_new (FALSE, FALSE, sizeof (guint));
  for (i = 0; lines[i]; i++) {
    if (!parse_line (lines[i], i + 1, counts, error)) {
      g_prefix_error (error, "%s: ", filename);
      g_array_unref (counts);
      return NULL;
    }
  }
  return workload_new (counts);
}

void
sim_workload_free (SimWorkload * workload)
{
  if (!workload)
    return;
  g_free (workload->parents);
  g_free (workload);
}

/* ---- order ---- */

static gint
compare_ascending (gconstpointer a, gconstpointer b)
{
  const SimParent *x = a, *y = b;

  return (x->rank > y->rank) - (x->rank < y->rank);
}

static gint
compare_descending (gconstpointer a, gconstpointer b)
{
  return compare_ascending (b, a);
}

static void
shuffle (SimParent * parents, guint n, SimRandom * random)
{
  for (; n > 1; n--) {
    guint i = sim_random_below (random, n);
    SimParent parent = parents[i];

    parents[i] = parents[n - 1];
    parents[n - 1] = parent;
  }
}

static void
sort (SimWorkload * workload, GCompareFunc compare)
{
  /* An empty workload has no array at all, which qsort() may not be given. */
  if (workload->n > 0)
    qsort (workload->parents, workload->n, sizeof (SimParent), compare);
}

static void
set_published_order (SimWorkload * workload, SimRandom * random)
{
  guint n_first = MIN (N_LARGEST, workload->n);

  sort (workload, compare_descending);
  shuffle (workload->parents + n_first, workload->n - n_first, random);
  n_first += (workload->n - n_first) * PERCENT_AMONG_LARGEST / 100;
  shuffle (workload->parents, n_first, random);
}

void
sim_workload_set_order (SimWorkload * workload, SimOrder order, guint64 seed)
{
  SimRandom random;

  sim_random_init (&random, seed, FOR_ORDER);
  switch (order) {
    case SIM_ORDER_GIVEN:
      break;
    case SIM_ORDER_PUBLISHED:
      set_published_order (workload, &random);
      break;
    case SIM_ORDER_SHUFFLED:
      /* whatever the order was before */
      sort (workload, compare_ascending);
      shuffle (workload->parents, workload->n, &random);
      break;
    case SIM_ORDER_LARGEST_FIRST:
      sort (workload, compare_descending);
      break;
    case SIM_ORDER_LARGEST_LAST:
      sort (workload, compare_ascending);
      break;
  }
}

/* ---- failures ---- */

void
sim_workload_set_poison (SimWorkload * workload, guint n, SimPoison poison,
    guint64 seed)
{
  guint i;

  for (i = 0; i < workload->n; i++) {
    SimParent *parent = &workload->parents[i];
    SimRandom random;

    sim_random_init (&random, seed, FOR_POISON + parent->rank);
    parent->is_poisoned = parent->n_children > 0
        && parent->rank + n >= workload->n;
    parent->poison = poison == SIM_POISON_RANDOM
        ? sim_random_below (&random, parent->n_children) : 0;
  }
}
