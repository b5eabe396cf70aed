/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* S6: branches that meet come to the same results in every schedule.  A program
 * fixes what each Call says of each unit; schedules differ in batches, replicas,
 * early reports and delays. */

#include "chance.h"
#include "complaints.h"
#include "run.h"

#include <gst/check/gstcheck.h>

#define N_PROGRAMS 30
#define N_SCHEDULES 3
#define N_DOCUMENTS 5
#define MAX_PAGES 5
#define N_CALLS 4

static const gchar *const shapes[] = {
  /* a join, and a Call on what is joined */
  "orchjoin name=j ! queue ! %4$s ! r. "
      "d. ! queue ! orchexpand ! tee name=p p. ! queue ! %1$s ! j.sink_0 "
      "p. ! queue ! %2$s ! j.sink_1 p. ! %3$s ! j.sink_2",
  /* a mask, itself masked */
  "orchfilter name=f ! queue ! %4$s ! r. orchfilter name=g ! f.mask "
      "d. ! queue ! orchexpand ! tee name=p p. ! queue ! %1$s ! f.sink "
      "p. ! queue ! %2$s ! g.sink p. ! queue ! %3$s ! g.mask",
  /* documents next to their pages, through a filter */
  "orchjoin name=j ! queue ! orchfilter name=f ! queue ! %4$s ! r. "
      "d. ! queue ! orchexpand ! tee name=p p. ! queue ! %1$s ! j.sink_1 "
      "d. ! queue ! %2$s ! j.sink_0 p. ! queue ! %3$s ! f.mask",
  /* two gathers of the same pages, joined with their document; the root has
   * nothing to gather into */
  "orchjoin name=j ! queue ! %4$s ! r. "
      "d. ! queue ! orchexpand ! tee name=p "
      "p. ! queue ! %1$s ! orchreduce on-failed=skip ! j.sink_0 "
      "p. ! queue ! %2$s ! orchreduce on-failed=placeholder ! j.sink_1 "
      "d. ! queue ! %3$s ! j.sink_2",
};

/* The one of them that ends at the root. */
#define GATHERED 3

typedef struct
{
  guint shape;
  const gchar *mode;
  gboolean optional;
  gchar *documents[N_DOCUMENTS];
  gchar *rules[N_CALLS];
} Program;

static const gchar *
pick (GRand * rand, const gchar * const *names, guint n)
{
  return names[g_rand_int_range (rand, 0, n)];
}

/* Paths of documents and pages: what is no unit of a Call does not matter. */
static gchar *
make_rules (GRand * rand)
{
  static const gchar *const kinds[] = { "record", "drop", "group", "error",
    "error-once"
  };
  GString *rules = g_string_new (NULL);
  guint i, k;

  for (k = 0; k < G_N_ELEMENTS (kinds); k++) {
    GString *paths = g_string_new (NULL);

    for (i = g_rand_int_range (rand, 0, 3); i > 0; i--) {
      g_string_append_printf (paths, "%s%d", paths->len ? "," : "",
          g_rand_int_range (rand, 0, N_DOCUMENTS));
      if (g_rand_int_range (rand, 0, 6) > 0)
        g_string_append_printf (paths, "/%d", g_rand_int_range (rand, 0,
                MAX_PAGES));
    }
    if (paths->len)
      g_string_append_printf (rules, "%s=%s ", kinds[k], paths->str);
    g_string_free (paths, TRUE);
  }
  return g_string_free (rules, FALSE);
}

static gchar *
make_document (GRand * rand)
{
  static const gchar *const pages[] = { "a", "b", "[c]", "!bad", "~", "d", "e" };
  GString *text = g_string_new ("[");
  guint i, n = g_rand_int_range (rand, 0, MAX_PAGES + 1);

  for (i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i ? "," : "", pick (rand, pages,
            G_N_ELEMENTS (pages)));
  return g_string_free (g_string_append_c (text, ']'), FALSE);
}

static void
program_init (Program * self, GRand * rand)
{
  static const gchar *const modes[] = { "suppress-parent", "skip",
    "placeholder"
  };
  guint i;

  self->shape = g_rand_int_range (rand, 0, G_N_ELEMENTS (shapes));
  self->mode = pick (rand, modes, G_N_ELEMENTS (modes));
  self->optional = g_rand_boolean (rand);
  for (i = 0; i < N_DOCUMENTS; i++)
    self->documents[i] = make_document (rand);
  for (i = 0; i < N_CALLS; i++)
    self->rules[i] = make_rules (rand);
}

static void
program_clear (Program * self)
{
  guint i;

  for (i = 0; i < N_DOCUMENTS; i++)
    g_free (self->documents[i]);
  for (i = 0; i < N_CALLS; i++)
    g_free (self->rules[i]);
}

static gchar *
make_call (const gchar * rules, GRand * rand, gboolean serial)
{
  if (serial)
    return g_strdup_printf ("orchtestwork batch-size=1 %s", rules);
  return g_strdup_printf ("orchtestwork batch-size=%d replicas=%d early=%s "
      "sleep=%d %s", g_rand_int_range (rand, 1, 5), g_rand_int_range (rand, 1,
          4), g_rand_boolean (rand) ? "true" : "false",
      g_rand_boolean (rand) ? 0 : g_rand_int_range (rand, 0, 500), rules);
}

static Run *
new_run (const Program * program, GRand * rand, gboolean serial)
{
  gchar *calls[N_CALLS];
  g_autofree gchar *middle = NULL;
  g_autofree gchar *gather = program->shape == GATHERED ?
      g_strdup ("identity") : g_strdup_printf ("orchreduce on-failed=%s",
      program->mode);
  guint i;

  for (i = 0; i < N_CALLS; i++)
    calls[i] = make_call (program->rules[i], rand, serial);
  middle = g_strdup_printf (shapes[program->shape], calls[0], calls[1],
      calls[2], calls[3]);
  for (i = 0; i < N_CALLS; i++)
    g_free (calls[i]);
  return run_new ("%s name=r ! queue ! " RUN_OUT
      RUN_IN "! orchidentity ! tee name=d %s", gather, middle);
}

static void
set_up (const Program * program, Run * self)
{
  static const gchar *const names[] = { "f", "g", "j" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    GstElement *element =
        gst_bin_get_by_name (GST_BIN (self->pipeline), names[i]);

    if (element && names[i][0] != 'j')
      g_object_set (element, "predicate", "has caps", NULL);
    else if (element)
      gst_child_proxy_set (GST_CHILD_PROXY (element), "sink_1::optional",
          program->optional, NULL);
    g_clear_pointer (&element, gst_object_unref);
  }
}

/* Which of several failures a cause names is not fixed. */
static gchar *
get_results (Run * self)
{
  g_autofree gchar *results = collector_get_results (self->out);
  g_autoptr (GRegex) causes =
      g_regex_new (" [a-z-]+:[0-9a-z-]+@[0-9/]*", 0, 0, NULL);

  return g_regex_replace_literal (causes, results, -1, 0, "", 0, NULL);
}

static gchar *
run_program (const Program * program, GRand * rand, gboolean serial)
{
  Run *self = new_run (program, rand, serial);
  gchar *results;
  guint i;

  set_up (program, self);
  run_start (self);
  for (i = 0; i < N_DOCUMENTS; i++)
    run_push (self, program->documents[i]);
  run_end (self);
  run_finish (self);
  results = get_results (self);
  run_free (self);
  return results;
}

static void
check_program (GRand * rand)
{
  Program program;
  g_autofree gchar *expected = NULL;
  guint i;

  program_init (&program, rand);
  expected = run_program (&program, rand, TRUE);
  for (i = 0; i < N_SCHEDULES; i++) {
    g_autofree gchar *results = run_program (&program, rand, FALSE);

    if (!g_str_equal (results, expected))
      g_error ("shape %u, %s, %s\n  0: %s\n  1: %s\n  2: %s\n  3: %s\n"
          "%s\nbecame\n%s", program.shape, program.mode,
          program.optional ? "optional" : "required", program.rules[0],
          program.rules[1], program.rules[2], program.rules[3], expected,
          results);
  }
  program_clear (&program);
}

GST_START_TEST (test_s6)
{
  GRand *rand = chance_new ();
  guint i;

  for (i = 0; i < N_PROGRAMS; i++)
    check_program (rand);
  g_rand_free (rand);
}

GST_END_TEST;

static Suite *
join_random_suite (void)
{
  Suite *s = suite_create ("join-random");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_s6);
  return s;
}

GST_CHECK_MAIN (join_random);
