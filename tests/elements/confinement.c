/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* The walls around worker processes, each tried from inside. */

#include "run.h"
#include "complaints.h"
#include "workers.h"

#include <gst/check/gstcheck.h>
#include <string.h>

/* `open`: whether it can be reached where there is no wall, so that the test knows
 * what it is looking at. */
static const struct
{
  const gchar *deed;
  gboolean open;
} walls[] = {
  {"read-secret", TRUE},
  {"write-file", TRUE},
  {"network", TRUE},
  {"fork", TRUE},
  {"parent", TRUE},
  {"privileges", TRUE},
  {"huge-file", TRUE},
  {"outlive", TRUE},
  {"change-mode", TRUE},
  {"change-open-file", TRUE},
  {"leave-memory", TRUE},
  {"bind-parent", TRUE},
  {"hide", TRUE},
  {"change-flags", FALSE},
  {"parent-memory", FALSE},
  {"exec", FALSE},
  {"core", FALSE},
};

/* (transfer full): what came of it */
static Run *
try_wall (const gchar * deed, const gchar * properties)
{
  Run *self = run_new (RUN_IN "! orchtesthostile workers=process rules=*:%s %s ! "
      RUN_OUT, deed, properties);

  run_start (self);
  run_push (self, "a");
  run_end (self);
  run_finish (self);
  return self;
}

/* What this system does not offer is said, and cannot be tested. */
static gboolean
is_confined (Run * self)
{
  guint i;

  for (i = 0; i < self->warnings->len; i++)
    if (strstr (g_ptr_array_index (self->warnings, i), "cannot confine"))
      return FALSE;
  return TRUE;
}

GST_START_TEST (test_wall)
{
  Run *self = try_wall (walls[__i__].deed, "");

  if (is_confined (self)) {
    run_assert_results (self, "0 refused");
    fail_unless_equals_int (self->warnings->len, 0);
  }
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_without_walls)
{
  Run *self = walls[__i__].open ?
      try_wall (walls[__i__].deed, "confine=false") : NULL;

  if (!self)
    return;
  run_assert_results (self, "0 reached");
  run_free (self);
}

GST_END_TEST;

/* A thread that was there before the walls has them, too. */
GST_START_TEST (test_early_thread)
{
  Run *self = try_wall ("ask-thread", "at-setup=thread");

  if (is_confined (self))
    run_assert_results (self, "0 refused");
  run_free (self);
  self = try_wall ("ask-thread", "at-setup=thread confine=false");
  run_assert_results (self, "0 reached");
  run_free (self);
}

GST_END_TEST;

/* What is given to a worker it can read, and what crashes in there is still told
 * apart. */
GST_START_TEST (test_signals_within)
{
  static const gchar *deeds[] = { "abort", "segv", "exit" };
  Run *self = try_wall (deeds[__i__], "");

  run_assert_results (self, "0 F orch:crashed@0");
  run_free (self);
}

GST_END_TEST;

static Suite *
confinement_suite (void)
{
  Suite *s = suite_create ("confinement");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_wall, 0, G_N_ELEMENTS (walls));
  tcase_add_loop_test (tc, test_without_walls, 0, G_N_ELEMENTS (walls));
  tcase_add_test (tc, test_early_thread);
  tcase_add_loop_test (tc, test_signals_within, 0, 3);
  return s;
}

GST_CHECK_MAIN (confinement);
