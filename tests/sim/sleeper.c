/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "sleeper.h"

#include <gst/orch/orch.h>
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

typedef struct
{
  GstOrchFunction parent;
  guint call;
} SleeperFunction;

typedef struct
{
  GstOrchFunctionClass parent_class;
} SleeperFunctionClass;

enum
{
  PROP_0,
  PROP_CALL,
};

static GType sleeper_function_get_type (void);

G_DEFINE_TYPE (SleeperFunction, sleeper_function, GST_TYPE_ORCH_FUNCTION);

/* What all Functions share while a pipeline runs. */
static const SimConfig *config;
static const SimWorkload *workload;
static void (*on_begun) (guint64 parent, gpointer data);
static gpointer on_begun_data;
static GMutex lock;
static SimCallStats counts[SIM_MAX_CALLS];

/* ---- time ---- */

gint64
sleeper_get_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * SIM_SECOND + now.tv_nsec;
}

/* Until a moment, not for a while: a Grain that ends late takes nothing from the
 * next. */
static void
sleep_until (gint64 time)
{
  const struct timespec until = { time / SIM_SECOND, time % SIM_SECOND };

  while (clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &until,
          NULL) == EINTR);
}

/* ---- a batch ---- */

static guint64
get_parent_index (GstOrchEntity * child)
{
  return gst_orch_entity_get_ordinal (gst_orch_entity_get_parent (child));
}

static const SimParent *
get_parent (GstOrchEntity * child)
{
  return &workload->parents[get_parent_index (child)];
}

static void
report (SleeperFunction * self, GstOrchBatch * batch, guint i)
{
  GstOrchEntity *child = gst_orch_batch_get_entity (batch, i);

  if (!sim_config_is_poison (config, self->call, get_parent (child),
          gst_orch_entity_get_ordinal (child)))
    gst_orch_batch_present (batch, i,
        gst_buffer_ref (gst_orch_batch_get_buffer (batch, i)), NULL);
  else if (config->failure == SIM_FAILURE_GROUP)
    gst_orch_batch_fail_group (batch, i, gst_orch_cause_new ("sim", "poison",
            "poisoned"));
  else
    gst_orch_batch_fail_record (batch, i, gst_orch_cause_new ("sim", "poison",
            "poisoned"));
  if (config->early)
    gst_orch_batch_commit (batch);
}

static void
add_counts (SleeperFunction * self, const SimCallStats * batch)
{
  SimCallStats *stats = &counts[self->call];

  g_mutex_lock (&lock);
  stats->n_batches++;
  stats->n_full += batch->n_in_batches == config->calls[self->call].batch_size;
  stats->n_in_batches += batch->n_in_batches;
  stats->n_started += batch->n_started;
  stats->n_started_doomed += batch->n_started_doomed;
  stats->n_started_behind += batch->n_started_behind;
  stats->busy += batch->busy;
  stats->last = MAX (stats->last, batch->last);
  g_mutex_unlock (&lock);
}

/* By default the kernel may wake a thread 50 us late to save power, which is not
 * what is to be measured. */
static gboolean
sleeper_function_setup (GstOrchFunction * function, gpointer * replica_data,
    GError ** error)
{
  prctl (PR_SET_TIMERSLACK, 1);
  *replica_data = g_new0 (gint64, 1);
  return TRUE;
}

static void
sleeper_function_teardown (GstOrchFunction * function, gpointer replica_data)
{
  g_free (replica_data);
}

static gboolean
sleeper_function_run (GstOrchFunction * function, gpointer replica_data,
    GstOrchBatch * batch, GError ** error)
{
  SleeperFunction *self = (SleeperFunction *) function;
  gint64 *late = replica_data;
  gint64 begin = sleeper_get_time ();
  gint64 end = begin - *late + config->calls[self->call].batch_cost;
  SimCallStats stats = {.n_in_batches = gst_orch_batch_get_size (batch) };
  guint i;

  for (i = 0; i < stats.n_in_batches; i++) {
    GstOrchEntity *child = gst_orch_batch_get_entity (batch, i);
    guint64 ordinal = gst_orch_entity_get_ordinal (child);

    if (config->ask && !gst_orch_batch_is_wanted (batch, i))
      continue;
    if (self->call == 0)
      on_begun (get_parent_index (child), on_begun_data);
    sim_call_stats_count_started (&stats, get_parent (child), ordinal);
    end += sim_config_get_cost (config, self->call, get_parent (child),
        ordinal);
    /* what nobody sees in between may be slept in one */
    if (config->early || config->ask)
      sleep_until (end);
    report (self, batch, i);
  }
  sleep_until (end);
  stats.last = sleeper_get_time ();
  /* what the clock was late is made up for, what lies between batches is not */
  *late = stats.last - end;
  stats.busy = stats.last - begin;
  add_counts (self, &stats);
  return TRUE;
}

void
sleeper_begin (const SimConfig * new_config, const SimWorkload * new_workload,
    void (*begun) (guint64 parent, gpointer data), gpointer data)
{
  on_begun = begun;
  on_begun_data = data;
  config = new_config;
  workload = new_workload;
  memset (counts, 0, sizeof counts);
}

void
sleeper_end (SimCallStats * calls, gint64 start)
{
  guint i;

  memcpy (calls, counts, sizeof counts);
  for (i = 0; i < config->n_calls; i++)
    calls[i].last = MAX (0, calls[i].last - start);
}

/* ---- the type ---- */

static void
sleeper_function_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  ((SleeperFunction *) object)->call = g_value_get_uint (value);
}

static void
sleeper_function_class_init (SleeperFunctionClass * klass)
{
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  G_OBJECT_CLASS (klass)->set_property = sleeper_function_set_property;
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_CALL,
      g_param_spec_uint ("call", "Call", "Which one of the configuration", 0,
          SIM_MAX_CALLS - 1, 0, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  function_class->setup = sleeper_function_setup;
  function_class->run = sleeper_function_run;
  function_class->teardown = sleeper_function_teardown;
  gst_orch_function_class_set_can_group_fail (function_class, TRUE);
  gst_orch_function_class_set_metadata (function_class, "Sleeper",
      "Takes the time that the simulator says", "The gst-orch authors");
}

static void
sleeper_function_init (SleeperFunction * self)
{
}

static gboolean
plugin_init (GstPlugin * plugin)
{
  return gst_orch_function_register (plugin, "sleeper",
      sleeper_function_get_type ());
}

void
sleeper_init (void)
{
  g_assert_true (gst_plugin_register_static (GST_VERSION_MAJOR,
          GST_VERSION_MINOR, "orchsleeper", "A Function that sleeps",
          plugin_init, PACKAGE_VERSION, GST_LICENSE, "orchsleeper",
          GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN));
}
