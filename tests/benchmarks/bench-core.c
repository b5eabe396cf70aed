/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* The lineage core alone, on one core: lists of children pass through one Call
 * in batches and are gathered again.  Usage: bench-core [LISTS [CHILDREN [BATCH]]] */

#include "lineage/orch-lineage.h"

#include <stdlib.h>

#define MAX_BATCH 1024

typedef struct
{
  OrchGrain grain;
  OrchGather *gather;
} Record;

typedef struct
{
  OrchCall *call;
  guint batch_size;
  OrchArrivals *arrivals;
  guint64 n_grains;
  guint64 n_lists;
} Bench;

static void
gather (Bench * bench, Record * record)
{
  orch_gather_value (record->gather, record->grain.entity->ordinal,
      record->grain.outcome, record->grain.cause, NULL);
  bench->n_grains++;
  if (orch_gather_get_outcome (record->gather) == ORCH_OUTCOME_PRESENT) {
    bench->n_lists++;
    orch_gather_free (record->gather);
  }
  orch_grain_clear (&record->grain);
  g_slice_free (Record, record);
}

static void
run_batch (Bench * bench)
{
  OrchReport reports[MAX_BATCH];
  OrchGrainList sealed = { NULL, NULL, 0 };
  OrchBatch *batch;
  OrchGrain *grain;
  guint i;

  batch = orch_call_reserve (bench->call, bench->batch_size, &sealed);
  for (i = 0; i < batch->n; i++) {
    reports[i] = (OrchReport) {
      .grain = batch->grains[i],
      .generation = batch->grains[i]->generation,
      .epoch = batch->epoch,
      .outcome = ORCH_OUTCOME_PRESENT,
    };
  }
  if (!orch_call_report (bench->call, reports, batch->n, &sealed))
    g_error ("a report was refused");
  orch_batch_finish (bench->call, batch, &sealed);
  while ((grain = orch_grain_list_pop (&sealed)))
    gather (bench, (Record *) grain);
}

/* As the sink pad of an element does. */
static void
arrive (Bench * bench, OrchEntity * entity)
{
  OrchExpansion *complete;

  if (!orch_arrivals_add (bench->arrivals, entity, &complete))
    g_error ("a Grain arrived twice");
  orch_expansion_unref (complete);
}

static void
expand (Bench * bench, OrchExpansion * roots, OrchDomain * pages,
    guint n_children)
{
  OrchEntity *parent = orch_expansion_next_child (roots), *child;
  OrchExpansion *expansion = orch_expansion_new (pages, parent);
  OrchGather *gather =
      orch_gather_new (ORCH_ON_FAILED_SUPPRESS_PARENT, FALSE, NULL);
  OrchGrainList sealed = { NULL, NULL, 0 };

  orch_entity_unref (parent);
  orch_expansion_succeed_with (expansion, n_children);
  orch_gather_expansion (gather, ORCH_EXPANSION_SUCCEEDED, n_children, NULL);
  while ((child = orch_expansion_next_child (expansion))) {
    Record *record = g_slice_new (Record);

    orch_grain_init (&record->grain, child);
    record->gather = gather;
    arrive (bench, record->grain.entity);
    orch_call_enter (bench->call, &record->grain, ORCH_OUTCOME_PRESENT, NULL,
        &sealed);
    if (orch_call_get_n_ready (bench->call) >= bench->batch_size)
      run_batch (bench);
  }
  orch_expansion_unref (expansion);
}

int
main (int argc, char **argv)
{
  guint64 i, n_lists = argc > 1 ? strtoull (argv[1], NULL, 10) : 20000;
  guint n_children = argc > 2 ? atoi (argv[2]) : 100;
  Bench bench = { orch_call_new ("call"), argc > 3 ? atoi (argv[3]) : 64 };
  OrchDomain *documents = orch_domain_new ("documents", NULL);
  OrchDomain *pages = orch_domain_new ("pages", documents);
  OrchExpansion *roots = orch_expansion_new (documents, NULL);
  gdouble seconds;
  gint64 start;

  bench.arrivals = orch_arrivals_new ();
  if (n_lists == 0 || n_children == 0 || bench.batch_size == 0
      || bench.batch_size > MAX_BATCH) {
    g_printerr ("usage: %s [LISTS [CHILDREN [BATCH <= %u]]], all > 0\n",
        argv[0], MAX_BATCH);
    return EXIT_FAILURE;
  }

  start = g_get_monotonic_time ();
  for (i = 0; i < n_lists; i++)
    expand (&bench, roots, pages, n_children);
  while (orch_call_get_n_ready (bench.call) > 0)
    run_batch (&bench);
  seconds = (g_get_monotonic_time () - start) / 1e6;

  g_print ("%" G_GUINT64_FORMAT " Grains in %" G_GUINT64_FORMAT
      " lists, batches of %u: %.3f s, %.0f ns a Grain, %.2f M Grains/s\n",
      bench.n_grains, bench.n_lists, bench.batch_size, seconds,
      seconds * 1e9 / bench.n_grains, bench.n_grains / seconds / 1e6);

  orch_arrivals_free (bench.arrivals);
  orch_call_free (bench.call);
  orch_expansion_unref (roots);
  orch_domain_unref (pages);
  orch_domain_unref (documents);
  return bench.n_grains == n_lists * n_children && bench.n_lists == n_lists
      ? EXIT_SUCCESS : EXIT_FAILURE;
}
