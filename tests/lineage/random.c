/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "random-shrink.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Conformance H: random programs under random schedules on the real core, against
 * the serial oracle.  ORCH_RANDOM_SEED is the first seed ("any" draws one),
 * ORCH_RANDOM_COUNT how many there are, ORCH_RANDOM_SHRINK=0 leaves what goes wrong
 * as large as it is. */

#define N_SCHEDULES 10

static guint32 seed;
static const gchar *command;

/* The core has stopped itself: say where. */
static void
on_crash (int signal_number)
{
  gchar text[64];
  gint n = g_snprintf (text, sizeof (text), "# ORCH_RANDOM_SEED=%u\n", seed);

  if (write (STDERR_FILENO, text, n) < 0)
    _exit (1);
  signal (signal_number, SIG_DFL);
  raise (signal_number);
}

static guint
get_number (const gchar * name, guint otherwise)
{
  const gchar *text = g_getenv (name);

  if (text && g_str_equal (text, "any"))
    return g_random_int ();
  return text ? strtoul (text, NULL, 10) : otherwise;
}

static void
show (Program * program, Schedule * schedule, gchar * problem)
{
  g_printerr ("# seed %u: %s\n", seed, problem);
  g_free (problem);
  if (!get_number ("ORCH_RANDOM_SHRINK", TRUE))
    return;
  shrink (program, schedule);
  problem = try_program (program, schedule);
  g_printerr ("a small program that goes wrong: %s\n", problem);
  g_free (problem);
  program_print (program);
  schedule_print (schedule);
  g_printerr ("again: ORCH_RANDOM_SEED=%u ORCH_RANDOM_COUNT=1 %s\n", seed,
      command);
}

typedef struct
{
  guint n_entities;
  guint n[ORCH_OUTCOME_SUPPRESSED + 1]; /* Items of gathered documents */
} Counts;

static void
count (Counts * counts, const Program * program, const Results * results)
{
  guint i, j;

  counts->n_entities += results->n_entities;
  for (i = 0; i < program->n_nodes; i++)
    if (results->items[i] && program->nodes[i].kind == NODE_REDUCE)
      for (j = 0; j < program->n_roots; j++)
        counts->n[results->items[i][j].outcome]++;
}

static void
try_seed (Counts * counts)
{
  Program program;
  Schedule schedule;
  Results *expected;
  guint i;

  program_generate (&program, seed);
  expected = oracle_run (&program);
  count (counts, &program, expected);
  for (i = 0; i < N_SCHEDULES; i++) {
    gchar *problem;

    schedule_draw (&schedule, mix (seed, i));
    problem = run_program (&program, &schedule, expected);
    if (problem) {
      show (&program, &schedule, problem);
      g_test_fail ();
      break;
    }
  }
  results_free (&program, expected);
}

static void
test_random (void)
{
  guint i, n = get_number ("ORCH_RANDOM_COUNT", 1000);
  Counts counts = { 0, };

  seed = get_number ("ORCH_RANDOM_SEED", 1);
  g_test_message ("ORCH_RANDOM_SEED=%u ORCH_RANDOM_COUNT=%u", seed, n);
  for (i = 0; i < n && !g_test_failed (); i++, seed++)
    try_seed (&counts);
  g_test_message ("%u programs, %u schedules each, %u Entities; documents: "
      "%u present, %u dropped, %u suppressed", i, N_SCHEDULES,
      counts.n_entities, counts.n[ORCH_OUTCOME_PRESENT],
      counts.n[ORCH_OUTCOME_DROPPED], counts.n[ORCH_OUTCOME_SUPPRESSED]);
}

int
main (int argc, char **argv)
{
  command = argv[0];
  signal (SIGABRT, on_crash);
  signal (SIGTRAP, on_crash);
  signal (SIGSEGV, on_crash);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lineage/H/random", test_random);
  return g_test_run ();
}
