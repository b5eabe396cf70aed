/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "sim-call.h"

typedef struct
{
  OrchGrain grain;
  SimDocument *document;
} SimGrain;

typedef struct
{
  SimCall *call;
  OrchBatch *batch;             /* NULL: free */
  guint next;                   /* the Grain that runs, or will */
  gint64 began;
} SimReplica;

struct _SimCall
{
  const SimConfig *config;
  const SimCallConfig *c;       /* its own part */
  guint index;
  SimEvents *events;
  SimOutput output;
  OrchCall *core;
  OrchArrivals *arrivals;
  OrchGrainList finished;       /* present, not handed on yet */
  guint n_used;                 /* the budget: from entry to the next taker */
  gint64 wakes_at;              /* a replica looks again then, -1 */
  SimReplica *replicas;
  OrchReport *reports;
  SimCallStats stats;
};

SimCall *
sim_call_new (const SimConfig * config, guint index, SimEvents * events,
    const SimOutput * output)
{
  SimCall *call = g_new0 (SimCall, 1);
  gchar *name = g_strdup_printf ("call%u", index);
  guint i;

  call->config = config;
  call->c = &config->calls[index];
  call->index = index;
  call->events = events;
  call->output = *output;
  call->core = orch_call_new (name);
  orch_call_set_batching (call->core, call->c->batching);
  call->arrivals = orch_arrivals_new ();
  call->wakes_at = -1;
  call->replicas = g_new0 (SimReplica, call->c->replicas);
  for (i = 0; i < call->c->replicas; i++)
    call->replicas[i].call = call;
  call->reports = g_new (OrchReport, call->c->batch_size);
  g_free (name);
  return call;
}

void
sim_call_free (SimCall * call)
{
  if (!call)
    return;
  orch_arrivals_free (call->arrivals);
  orch_call_free (call->core);
  g_free (call->replicas);
  g_free (call->reports);
  g_free (call);
}

gboolean
sim_call_is_empty (SimCall * call)
{
  return call->n_used == 0;
}

const SimCallStats *
sim_call_get_stats (SimCall * call)
{
  return &call->stats;
}

/* ---- what leaves ---- */

static void
hand_on (SimCall * call, OrchGrain * grain)
{
  call->n_used--;
  call->output.take (call->output.taker, grain->entity, grain->outcome,
      grain->cause);
  orch_grain_clear (grain);
  g_slice_free (SimGrain, (SimGrain *) grain);
}

static void
settle (SimCall * call, OrchGrainList * sealed)
{
  OrchGrain *grain;

  while ((grain = orch_grain_list_pop (sealed))) {
    call->stats.n_outcomes[grain->outcome]++;
    if (grain->outcome == ORCH_OUTCOME_PRESENT)
      orch_grain_list_append (&call->finished, grain);
    else
      hand_on (call, grain);
  }
}

gboolean
sim_call_push (SimCall * call)
{
  gboolean any = FALSE;

  while (call->finished.head && call->output.has_room (call->output.taker)) {
    hand_on (call, orch_grain_list_pop (&call->finished));
    any = TRUE;
  }
  return any;
}

/* ---- what comes in ---- */

gboolean
sim_call_has_room (gpointer data)
{
  SimCall *call = data;

  if (call->n_used == 0)
    return TRUE;
  if (call->c->max_ready
      && orch_call_get_n_ready (call->core) >= call->c->max_ready)
    return FALSE;
  return call->n_used < sim_call_config_get_max_buffers (call->c);
}

void
sim_call_enter (gpointer data, OrchEntity * entity, OrchOutcome outcome,
    OrchCause * cause)
{
  SimCall *call = data;
  SimGrain *grain = g_slice_new (SimGrain);
  OrchGrainList sealed = { NULL, NULL, 0 };
  OrchExpansion *complete;

  if (!orch_arrivals_add (call->arrivals, entity, &complete))
    g_error ("an Entity came twice");
  orch_expansion_unref (complete);
  orch_grain_init (&grain->grain, orch_entity_ref (entity));
  orch_grain_set_entered (&grain->grain, sim_events_get_time (call->events));
  grain->document = orch_expansion_get_data (entity->expansion);
  call->stats.n_entered++;
  call->n_used++;
  orch_call_enter (call->core, &grain->grain, outcome, cause, &sealed);
  settle (call, &sealed);
}

void
sim_call_unwant (SimCall * call, OrchExpansion * children, OrchCause * cause)
{
  orch_call_unwant (call->core, children, cause);
}

/* ---- a batch runs ---- */

static void
report (SimReplica * replica, guint from, guint to)
{
  SimCall *call = replica->call;
  OrchGrainList sealed = { NULL, NULL, 0 };
  OrchCause *cause = NULL;
  guint i, n = 0;

  for (i = from; i < to; i++) {
    OrchGrain *grain = replica->batch->grains[i];
    const SimParent *parent = ((SimGrain *) grain)->document->parent;
    OrchReport *next = &call->reports[n];

    /* what is not wanted was left out, and ends with the batch */
    if (call->config->ask && orch_call_get_cover (orch_call_get_key
            (call->core), grain))
      continue;
    n++;
    *next = (OrchReport) {
      grain, grain->generation, grain->epoch, ORCH_OUTCOME_PRESENT
    };
    if (sim_config_is_poison (call->config, call->index, parent,
            grain->entity->ordinal)) {
      if (!cause)
        cause = orch_cause_new ("sim", "poison", "poisoned", NULL, NULL);
      next->outcome = ORCH_OUTCOME_FAILED;
      next->group = call->config->failure == SIM_FAILURE_GROUP;
      next->cause = cause;
    }
  }
  if (!orch_call_report (call->core, call->reports, n, &sealed))
    g_error ("a report was refused");
  settle (call, &sealed);
  orch_cause_unref (cause);
}

static void
end_batch (SimReplica * replica)
{
  SimCall *call = replica->call;
  OrchGrainList sealed = { NULL, NULL, 0 };

  if (!call->config->early)
    report (replica, 0, replica->batch->n);
  orch_batch_finish (call->core, replica->batch, &sealed);
  settle (call, &sealed);
  call->stats.last = sim_events_get_time (call->events);
  call->stats.busy += call->stats.last - replica->began;
  replica->batch = NULL;
}

static gboolean
is_skipped (SimReplica * replica)
{
  SimCall *call = replica->call;

  return call->config->ask && orch_call_get_cover (orch_call_get_key
      (call->core), replica->batch->grains[replica->next]);
}

static void item_ended (gpointer data);

/* The next Grain that is wanted begins, or the batch ends. */
static void
go_on (gpointer data)
{
  SimReplica *replica = data;
  SimCall *call = replica->call;
  SimGrain *grain;

  while (replica->next < replica->batch->n && is_skipped (replica))
    replica->next++;
  if (replica->next == replica->batch->n) {
    end_batch (replica);
    return;
  }
  grain = (SimGrain *) replica->batch->grains[replica->next];
  sim_call_stats_count_started (&call->stats, grain->document->parent,
      grain->grain.entity->ordinal);
  sim_events_add (call->events, sim_events_get_time (call->events)
      + sim_config_get_cost (call->config, call->index,
          grain->document->parent, grain->grain.entity->ordinal), item_ended,
      replica);
}

static void
item_ended (gpointer data)
{
  SimReplica *replica = data;

  if (replica->call->config->early)
    report (replica, replica->next, replica->next + 1);
  replica->next++;
  go_on (replica);
}

static void
begin_batch (SimReplica * replica, OrchBatch * batch)
{
  SimCall *call = replica->call;
  gint64 now = sim_events_get_time (call->events);

  call->stats.n_batches++;
  call->stats.n_in_batches += batch->n;
  call->stats.n_full += batch->n == call->c->batch_size;
  replica->batch = batch;
  replica->next = 0;
  replica->began = now;
  sim_events_add (call->events, now + call->c->batch_cost, go_on, replica);
}

/* ---- dispatching ---- */

static void
wake (gpointer data)
{
  SimCall *call = data;

  /* the run looks at every Call after each event */
  if (call->wakes_at == sim_events_get_time (call->events))
    call->wakes_at = -1;
}

static void
wake_at (SimCall * call, gint64 time)
{
  if (time == ORCH_TIME_NEVER || call->wakes_at == time)
    return;
  call->wakes_at = time;
  sim_events_add (call->events, time, wake, call);
}

/* As in orchcall: what is finished and cannot leave holds back dispatch. */
static gboolean
may_dispatch (SimCall * call)
{
  return call->finished.n == 0
      || call->finished.n < sim_call_config_get_max_buffers (call->c);
}

static SimReplica *
find_free (SimCall * call)
{
  guint i;

  for (i = 0; i < call->c->replicas; i++)
    if (!call->replicas[i].batch)
      return &call->replicas[i];
  return NULL;
}

gboolean
sim_call_dispatch (SimCall * call, gboolean eos, gboolean stalled)
{
  SimReplica *replica = find_free (call);
  OrchGrainList sealed = { NULL, NULL, 0 };
  OrchBatch *batch = NULL;
  gboolean any;
  gint64 deadline;

  if (!replica || !may_dispatch (call))
    return FALSE;
  deadline = orch_call_get_deadline (call->core, call->c->max_wait,
      call->c->batch_size, eos || stalled || !sim_call_has_room (call),
      &sealed);
  if (deadline <= sim_events_get_time (call->events))
    batch = orch_call_reserve (call->core, orch_call_get_batch_limit
        (call->core, call->c->batch_size, call->c->replicas, eos), &sealed);
  else
    wake_at (call, deadline);
  any = batch || sealed.n > 0;
  settle (call, &sealed);
  if (batch)
    begin_batch (replica, batch);
  return any;
}
