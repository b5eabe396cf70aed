/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "random-shrink.h"

#include <string.h>

/* Small programs that have proved to be hard, under every schedule that comes to
 * mind.  The last node gathers the documents. */

/* One letter a document: what the oracle says, which is not taken on trust. */
static void
assert_expected (const Program * program, const Results * expected,
    const gchar * outcomes)
{
  const Item *items = expected->items[program->n_nodes - 1];
  guint i;

  g_assert_cmpuint (strlen (outcomes), ==, program->n_roots);
  for (i = 0; i < program->n_roots; i++)
    g_assert_cmpint (g_ascii_toupper (orch_outcome_get_name
            (items[i].outcome)[0]), ==, outcomes[i]);
}

/* For each kind of schedule. */
static guint n_seeds = 8;

static void
run_schedules (const Program * program, const Schedule * schedule,
    const Results * expected)
{
  Schedule tried = *schedule;

  for (tried.seed = 0; tried.seed < n_seeds && !g_test_failed ();
      tried.seed++) {
    gchar *problem = run_program (program, &tried, expected);

    if (!problem)
      continue;
    g_printerr ("# %s\n", problem);
    program_print (program);
    schedule_print (&tried);
    g_test_fail ();
    g_free (problem);
    return;
  }
}

/* Batches of 1 to 16, 1 to 3 replicas, early reports or not. */
static void
assert_always (Program * program, const gchar * outcomes, Schedule schedule)
{
  Results *expected;

  program_finish (program);
  expected = oracle_run (program);
  assert_expected (program, expected, outcomes);
  for (schedule.fixed_batch = 1; schedule.fixed_batch <= 16;
      schedule.fixed_batch++)
    for (schedule.fixed_replicas = 1; schedule.fixed_replicas <= 3;
        schedule.fixed_replicas++)
      for (schedule.early = FALSE; schedule.early <= TRUE; schedule.early++)
        run_schedules (program, &schedule, expected);
  results_free (program, expected);
}

/* Documents of `n` pages each, as Items of Domain 1. */
static guint
add_pages (Program * program, guint n)
{
  guint list = program_add (program, NODE_CALL, ROOT_DOMAIN, 1, 0);

  program->nodes[list].makes_list = TRUE;
  program->fixed_fanout = n;
  return program_add_expand (program, list);
}

static guint
add_work (Program * program, guint domain, guint input)
{
  guint call = program_add (program, NODE_CALL, domain, 1, input);

  program->nodes[call].can_group_fail = TRUE;
  return call;
}

static void
add_reduce (Program * program, guint values, guint members, OrchOnFailed mode)
{
  guint above = program->domains[program->nodes[values].domain].parent;
  guint reduce = program_add (program, NODE_REDUCE, above,
      members == values ? 1 : 2, values, members);

  program->nodes[reduce].mode = mode;
}

static void
set_exceptions (Program * program, const Exception * exceptions, guint n)
{
  program->exceptions = exceptions;
  program->n_exceptions = n;
}

/* A group failure on page 1 of document 1. */
static void
test_d10 (gconstpointer mode)
{
  static const Exception exceptions[] = { {3, "1/1", FATE_GROUP} };
  Program program;
  guint pages, work;

  program_init (&program, 3);
  pages = add_pages (&program, 3);
  work = add_work (&program, 1, pages);
  add_reduce (&program, work, work, GPOINTER_TO_INT (mode));
  set_exceptions (&program, exceptions, 1);
  assert_always (&program, "PSP", (Schedule) { 0, });
  assert_always (&program, "PSP", (Schedule) {.prune = TRUE,.windows = TRUE});
}

/* The same, but a filter hides that page from the gather. */
static void
test_d11 (gconstpointer mode)
{
  static const Exception exceptions[] = {
    {3, "1/1", FATE_GROUP}, {4, "1/1", FATE_DROP}
  };
  Program program;
  guint pages, work, kept;

  program_init (&program, 3);
  pages = add_pages (&program, 3);
  work = add_work (&program, 1, pages);
  kept = program_add (&program, NODE_FILTER, 1, 2, pages, pages);
  add_reduce (&program, work, kept, GPOINTER_TO_INT (mode));
  set_exceptions (&program, exceptions, 2);
  assert_always (&program, "PSP", (Schedule) { 0, });
}

/* S5.2a through a mask: the page that fails the group is dropped before the mask
 * is looked at. */
static void
test_hidden_mask (gconstpointer mode)
{
  static const Exception exceptions[] = {
    {3, "1/1", FATE_DROP}, {4, "1/1", FATE_GROUP}
  };
  Program program;
  guint pages, source, mask, kept;

  program_init (&program, 3);
  pages = add_pages (&program, 3);
  source = add_work (&program, 1, pages);
  mask = add_work (&program, 1, pages);
  kept = program_add (&program, NODE_FILTER, 1, 2, source, mask);
  add_reduce (&program, kept, kept, GPOINTER_TO_INT (mode));
  set_exceptions (&program, exceptions, 2);
  assert_always (&program, "PSP", (Schedule) { 0, });
}

/* Page 0/0 fails the group, which covers the bad page 0/1 while that is tried again
 * together with 1/0 and 1/1: those are good. */
static void
test_c6 (gconstpointer mode)
{
  static const Exception exceptions[] = {
    {3, "0/0", FATE_GROUP}, {3, "0/1", FATE_UNTYPED}
  };
  Program program;
  guint pages, work;

  program_init (&program, 2);
  pages = add_pages (&program, 2);
  work = add_work (&program, 1, pages);
  add_reduce (&program, work, work, GPOINTER_TO_INT (mode));
  set_exceptions (&program, exceptions, 2);
  n_seeds = 64;
  assert_always (&program, "SP", (Schedule) { 0, });
  assert_always (&program, "SP", (Schedule) {.retries = TRUE});
  n_seeds = 8;
}

/* Workers are lost from outside; only page 0/1 is bad. */
static void
test_c8 (gconstpointer mode)
{
  static const Exception exceptions[] = { {3, "0/1", FATE_UNTYPED} };
  Program program;
  guint pages, work;

  program_init (&program, 2);
  pages = add_pages (&program, 3);
  work = add_work (&program, 1, pages);
  add_reduce (&program, work, work, GPOINTER_TO_INT (mode));
  set_exceptions (&program, exceptions, 1);
  assert_always (&program, GPOINTER_TO_INT (mode) ? "PP" : "SP", (Schedule) {
      .losses = TRUE});
}

/* Line 2 of page 1 of document 0 fails, and the document names it. */
static void
test_e7n (gconstpointer mode)
{
  static const Exception exceptions[] = { {5, "0/1/2", FATE_RECORD} };
  const gchar *place = GPOINTER_TO_INT (mode) == ORCH_ON_FAILED_SKIP ? "" : " F";
  Program program;
  Results *expected;
  guint pages, lines, list, work;
  gchar *text, *end;

  program_init (&program, 2);
  pages = add_pages (&program, 3);
  list = add_work (&program, 1, pages);
  program.nodes[list].makes_list = TRUE;
  lines = program_add_expand (&program, list);
  work = add_work (&program, 2, lines);
  add_reduce (&program, work, work, GPOINTER_TO_INT (mode));
  add_reduce (&program, work + 1, work + 1, GPOINTER_TO_INT (mode));
  set_exceptions (&program, exceptions, 1);
  assert_always (&program, "PP", (Schedule) { 0, });

  expected = oracle_run (&program);
  text = value_to_string (expected->items[work + 2][0].value);
  end = g_strdup_printf ("%s]!0/1/2 ", place);
  g_assert_nonnull (strstr (text, end));
  g_assert_true (g_str_has_suffix (text, "]!0/1/2"));
  results_free (&program, expected);
  g_free (text);
  g_free (end);
}

static void
add (const gchar * path, GTestDataFunc func, OrchOnFailed mode)
{
  g_test_add_data_func (path, GINT_TO_POINTER (mode), func);
}

static void
add_modes (const gchar * id, GTestDataFunc func)
{
  static const gchar *const modes[] = {
    "suppress-parent", "skip", "placeholder"
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (modes); i++) {
    gchar *path = g_strdup_printf ("/lineage/%s/%s", id, modes[i]);

    add (path, func, i);
    g_free (path);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_modes ("D10/group-failure", test_d10);
  add_modes ("D11/hidden-member", test_d11);
  add_modes ("S5.2a/hidden-mask", test_hidden_mask);
  add_modes ("C6/good-beside-covered", test_c6);
  add_modes ("C8/lost-workers", test_c8);
  add ("/lineage/E7n/skip", test_e7n, ORCH_ON_FAILED_SKIP);
  add ("/lineage/E7n/placeholder", test_e7n, ORCH_ON_FAILED_PLACEHOLDER);
  return g_test_run ();
}
