/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Parents with their numbers of children, in the order of the source. */

typedef enum
{
  SIM_ORDER_GIVEN,
  SIM_ORDER_PUBLISHED,          /* the 99 largest with 11 % of the others among
                                 * them, then the rest, each at random */
  SIM_ORDER_SHUFFLED,
  SIM_ORDER_LARGEST_FIRST,
  SIM_ORDER_LARGEST_LAST,
} SimOrder;

typedef enum
{
  SIM_POISON_FIRST,
  SIM_POISON_RANDOM,
} SimPoison;

typedef struct
{
  guint rank;                   /* by number of children, 0 the smallest */
  guint n_children;
  gboolean is_poisoned;
  guint poison;                 /* which child fails */
} SimParent;

typedef struct
{
  SimParent *parents;
  guint n;
  guint64 n_children;
} SimWorkload;

/* A stand-in for the page counts of a published corpus of 3,689 PDFs. */
SimWorkload *sim_workload_new_corpus (void);
/* Of these the 99 largest and all that have no more than 23 pages. */
SimWorkload *sim_workload_new_failure (void);
/* One number a line; what follows a '#' is not read. */
SimWorkload *sim_workload_load (const gchar * filename, GError ** error);
void sim_workload_free (SimWorkload * workload);

void sim_workload_set_order (SimWorkload * workload, SimOrder order,
    guint64 seed);
/* One child of each of the `n` largest parents fails. */
void sim_workload_set_poison (SimWorkload * workload, guint n,
    SimPoison poison, guint64 seed);

G_END_DECLS
