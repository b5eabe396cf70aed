/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Workers are killed at any time: while they start, work, are flushed, drained or
 * taken down.  Whatever comes of it, nothing hangs, nothing is lost, nothing comes
 * twice, and nobody is left. */

#include "chance.h"
#include "complaints.h"
#include "loaded.h"
#include "run.h"
#include "script.h"
#include "workers.h"

#include <gst/check/gstcheck.h>
#include <signal.h>

/* So few in a scenario that no worker is given up: see MAX_LOST_STARTS. */
#define MAX_KILLS 5
#define MAX_ACTIONS 6
#define DEFAULT_SECONDS 3

/* ---- the killer ---- */

typedef struct
{
  GThread *thread;
  guint32 seed;
  gint stops;                   /* atomic */
  guint n_kills;
} Killer;

static gboolean
kill_one (GRand * chance)
{
  GArray *pids = workers_list ();
  gboolean any = pids->len > 0;

  if (any)
    kill (g_array_index (pids, pid_t, g_rand_int_range (chance, 0,
                pids->len)), SIGKILL);
  g_array_unref (pids);
  return any;
}

static gpointer
killer_main (gpointer data)
{
  Killer *self = data;
  GRand *chance = g_rand_new_with_seed (self->seed);
  guint n = g_rand_int_range (chance, 0, MAX_KILLS + 1);

  while (self->n_kills < n && !g_atomic_int_get (&self->stops)) {
    /* Often at once, sometimes when much is done. */
    g_usleep (g_rand_int_range (chance, 0, g_rand_boolean (chance) ? 5000 :
            200000));
    self->n_kills += kill_one (chance);
  }
  g_rand_free (chance);
  return NULL;
}

static void
killer_start (Killer * self, GRand * chance)
{
  self->stops = FALSE;
  self->n_kills = 0;
  self->seed = g_rand_int (chance);
  self->thread = g_thread_new ("killer", killer_main, self);
}

static guint
killer_stop (Killer * self)
{
  g_atomic_int_set (&self->stops, TRUE);
  g_thread_join (self->thread);
  return self->n_kills;
}

/* ---- a scenario ---- */

typedef struct
{
  Run *run;
  GRand *chance;
  guint n_pushed;               /* since what was before was thrown away */
} Scenario;

static void
push_some (Scenario * self)
{
  guint n = g_rand_int_range (self->chance, 1, 8);

  self->n_pushed += n;
  while (n--)
    run_push (self->run, LOADED_VALUE);
}

static void
flush (Scenario * self)
{
  gst_element_send_event (self->run->in, gst_event_new_flush_start ());
  gst_element_send_event (self->run->in, gst_event_new_flush_stop (TRUE));
  collector_clear (self->run->out);
  self->n_pushed = 0;
}

static void
restart (Scenario * self)
{
  gst_element_set_state (self->run->pipeline, g_rand_boolean (self->chance) ?
      GST_STATE_READY : GST_STATE_NULL);
  fail_unless_equals_int (workers_count (), 0);
  collector_clear (self->run->out);
  self->n_pushed = 0;
  run_start (self->run);
}

static void
pause_a_moment (Scenario * self)
{
  gst_element_set_state (self->run->pipeline, GST_STATE_PAUSED);
  g_usleep (g_rand_int_range (self->chance, 0, 20000));
  gst_element_set_state (self->run->pipeline, GST_STATE_PLAYING);
}

static void
act (Scenario * self)
{
  switch (g_rand_int_range (self->chance, 0, 8)) {
    case 0:
      flush (self);
      break;
    case 1:
      restart (self);
      break;
    case 2:
      pause_a_moment (self);
      break;
    case 3:
      g_usleep (g_rand_int_range (self->chance, 0, 100000));
      break;
    default:
      push_some (self);
      break;
  }
}

/* "3 [..." -> "3" */
static guint
count_different (const gchar * results)
{
  g_auto (GStrv) all = g_strsplit (results, "; ", -1);
  GHashTable *paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
      NULL);
  guint i, n;

  for (i = 0; all[i]; i++)
    g_hash_table_add (paths, g_strndup (all[i], strcspn (all[i], " ")));
  n = g_hash_table_size (paths);
  g_hash_table_unref (paths);
  return n;
}

static void
check_results (Scenario * self)
{
  g_autofree gchar *results = collector_get_results (self->run->out);

  fail_unless_equals_int (collector_get_n_results (self->run->out),
      self->n_pushed);
  fail_unless_equals_int (count_different (results), self->n_pushed);
}

/* Returns the number of workers that were killed. */
static guint
play (GRand * chance)
{
  Scenario self = { run_new (RUN_IN "! " LOADED_IN_WORKERS " ! " RUN_OUT),
    chance,
  };
  guint i, n = g_rand_int_range (chance, 1, MAX_ACTIONS + 1), n_kills;
  gboolean to_its_end = g_rand_int_range (chance, 0, 4) > 0;
  Killer killer;

  killer_start (&killer, chance);
  run_start (self.run);
  for (i = 0; i < n; i++)
    act (&self);
  push_some (&self);
  if (to_its_end) {
    run_end (self.run);
    run_finish (self.run);
    check_results (&self);
  }
  run_free (self.run);
  n_kills = killer_stop (&killer);
  fail_unless_equals_int (workers_count (), 0);
  return n_kills;
}

static gint64
get_seconds (void)
{
  const gchar *seconds = g_getenv ("ORCH_TEST_SECONDS");

  return seconds ? g_ascii_strtoll (seconds, NULL, 10) : DEFAULT_SECONDS;
}

GST_START_TEST (test_any_time)
{
  GRand *chance = chance_new ();
  gint64 end = g_get_monotonic_time () + get_seconds () * G_TIME_SPAN_SECOND;
  guint n = 0, n_kills = 0, n_fds = 0;

  do {
    /* One number a scenario, so that a later one can be played alone. */
    guint32 seed = g_rand_int (chance);
    GRand *own = g_rand_new_with_seed (seed);

    GST_INFO ("scenario %u, seed %u", n, seed);
    n_kills += play (own);
    g_rand_free (own);
    /* The first ones load plugins. */
    if (n == 1)
      n_fds = workers_count_fds ();
    n++;
  } while (n < 3 || g_get_monotonic_time () < end);
  fail_unless_equals_int (workers_count_fds (), n_fds);
  g_print ("%u scenarios, %u workers killed\n", n, n_kills);
  g_rand_free (chance);
}

GST_END_TEST;

static Suite *
kills_suite (void)
{
  Suite *suite = suite_create ("kills");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (suite, tc);
  tcase_set_timeout (tc, get_seconds () + 60);
  tcase_add_test (tc, test_any_time);
  return suite;
}

GST_CHECK_MAIN (kills);
