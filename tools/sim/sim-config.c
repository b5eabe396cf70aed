/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "sim-config.h"
#include "sim-random.h"

#include <math.h>

#define MIN_WINDOW 32
#define FOR_COSTS 1000000

void
sim_call_config_init (SimCallConfig * config)
{
  *config = (SimCallConfig) {
    .replicas = 4,
    .batch_size = 48,
    .item_cost = 50 * SIM_MS,
  };
}

void
sim_config_init (SimConfig * config)
{
  *config = (SimConfig) {
    .interleave = ORCH_INTERLEAVE_FAIR,
    .n_calls = 1,
    .early = TRUE,
    .prune = TRUE,
    .seed = 1,
  };
  sim_call_config_init (&config->calls[0]);
}

guint
sim_call_config_get_max_buffers (const SimCallConfig * config)
{
  guint in_flight = config->replicas * config->batch_size;

  return config->max_buffers ? config->max_buffers : MAX (16, 8 * in_flight);
}

guint
sim_config_get_window (const SimConfig * config)
{
  guint i, in_flight = 0;

  if (config->window)
    return config->window;
  for (i = 0; i < config->n_calls; i++)
    in_flight = MAX (in_flight,
        config->calls[i].replicas * config->calls[i].batch_size);
  return MAX (MIN_WINDOW, in_flight / 3);
}

gint64
sim_config_get_cost (const SimConfig * config, guint call,
    const SimParent * parent, guint child)
{
  const SimCallConfig *c = &config->calls[call];
  SimRandom random;

  if (c->sigma == 0)
    return c->item_cost;
  sim_random_init (&random, config->seed,
      ((guint64) FOR_COSTS + parent->rank) * SIM_MAX_CALLS + call);
  random.state += (guint64) child << 32;
  /* the mean of exp(sigma z) is exp(sigma^2 / 2) */
  return c->item_cost * exp (c->sigma * sim_random_normal (&random)
      - c->sigma * c->sigma / 2);
}

gboolean
sim_config_is_poison (const SimConfig * config, guint call,
    const SimParent * parent, guint64 child)
{
  return config->failure != SIM_FAILURE_NONE && call + 1 == config->n_calls
      && parent->is_poisoned && child == parent->poison;
}

static gint64
get_busy_time (const SimConfig * config, const SimWorkload * workload,
    guint call)
{
  const SimCallConfig *c = &config->calls[call];
  guint64 n = workload->n_children;
  guint64 n_batches = (n + c->batch_size - 1) / c->batch_size;
  gint64 sum = n_batches * c->batch_cost;
  guint i, child;

  if (c->sigma == 0)
    return sum + n * c->item_cost;
  for (i = 0; i < workload->n; i++)
    for (child = 0; child < workload->parents[i].n_children; child++)
      sum += sim_config_get_cost (config, call, &workload->parents[i], child);
  return sum;
}

gint64
sim_config_get_ideal (const SimConfig * config, const SimWorkload * workload)
{
  gint64 ideal = 0;
  guint call;

  for (call = 0; call < config->n_calls; call++)
    ideal = MAX (ideal, get_busy_time (config, workload, call)
        / config->calls[call].replicas);
  return ideal;
}

static gint64
get_way_through (const SimConfig * config, const SimParent * parent,
    guint child)
{
  gint64 sum = 0;
  guint call;

  for (call = 0; call < config->n_calls; call++)
    sum += config->calls[call].batch_cost
        + sim_config_get_cost (config, call, parent, child);
  return sum;
}

gint64
sim_config_get_bound (const SimConfig * config, const SimWorkload * workload)
{
  gint64 bound = sim_config_get_ideal (config, workload);
  guint i, child;

  for (i = 0; i < workload->n; i++)
    for (child = 0; child < workload->parents[i].n_children; child++)
      bound = MAX (bound, get_way_through (config, &workload->parents[i],
              child));
  return bound;
}
