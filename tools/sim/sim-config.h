/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "lineage/orch-lineage.h"
#include "sim-workload.h"

G_BEGIN_DECLS

#define SIM_MAX_CALLS 8
#define SIM_MS G_GINT64_CONSTANT (1000000)
#define SIM_SECOND (1000 * SIM_MS)

/* One Call and what its Function costs.  Times are in nanoseconds. */
typedef struct
{
  guint replicas;
  guint batch_size;
  gint64 max_wait;
  guint max_buffers;            /* budget of orchcall, 0 its default */
  guint max_ready;              /* bound of the ready queue alone, 0 none */
  gint64 batch_cost;            /* of each batch, before its first Grain */
  gint64 item_cost;             /* of each Grain, on average */
  gdouble sigma;                /* of the logarithm of a Grain's cost, 0 fixed */
  OrchBatching batching;
} SimCallConfig;

typedef enum
{
  SIM_FAILURE_NONE,
  SIM_FAILURE_RECORD,
  SIM_FAILURE_GROUP,
} SimFailure;

/* Lists through a chain of Calls into a gather, as the elements do it:
 * orchexpand ! orchcall ! .. ! orchreduce. */
typedef struct
{
  OrchInterleaveMode interleave;
  guint window;                 /* 0: by what the Calls have in flight */
  guint max_open;               /* parents, 0 no limit */
  SimCallConfig calls[SIM_MAX_CALLS];
  guint n_calls;                /* poisoned children fail in the last one */
  SimFailure failure;
  gboolean early;               /* each Grain is reported when it is done */
  gboolean prune;               /* a parent that cannot succeed is unwanted (S5.5) */
  gboolean ask;                 /* Functions ask whether a Grain is still wanted */
  guint64 seed;                 /* of the costs */
} SimConfig;

/* One Call of 4 replicas, batches of 48 and 50 ms a Grain; fair; early reports and
 * pruning; no failures. */
void sim_config_init (SimConfig * config);
void sim_call_config_init (SimCallConfig * config);
guint sim_call_config_get_max_buffers (const SimCallConfig * config);
guint sim_config_get_window (const SimConfig * config);

/* What a Grain of a parent costs; whatever the schedule. */
gint64 sim_config_get_cost (const SimConfig * config, guint call,
    const SimParent * parent, guint child);

/* In the last Call. */
gboolean sim_config_is_poison (const SimConfig * config, guint call,
    const SimParent * parent, guint64 child);

/* The time that the busiest Call needs if none of its replicas is ever idle and
 * all of its batches are full. */
gint64 sim_config_get_ideal (const SimConfig * config,
    const SimWorkload * workload);
/* No schedule is faster: the ideal, or one Grain on its way through all Calls. */
gint64 sim_config_get_bound (const SimConfig * config,
    const SimWorkload * workload);

G_END_DECLS
