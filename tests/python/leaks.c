/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Nothing of what goes to Python and back is left behind. */

#include "run.h"
#include "leaks.h"
#include "patience.h"
#include "python.h"
#include "workers.h"

static void
run_text (const gchar * chain, const gchar * const *values)
{
  Run *self = run_new (RUN_IN "! %s ! " RUN_OUT, chain);

  run_start (self);
  for (; *values; values++)
    run_push (self, *values);
  run_end (self);
  run_finish (self);
  run_free (self);
}

static void
run_values (void)
{
  static const gchar *values[] = { "mixed", "big", "transposed", "json", "frame",
    NULL
  };

  run_text (PYTHON ("Arrays") " batch-size=2 ! " PYTHON ("Identity"), values);
}

static void
run_frames (void)
{
  Run *self = run_new ("videotestsrc num-buffers=50 ! video/x-raw,format=RGB,"
      "width=101,height=99 ! " PYTHON ("Mirror") " batch-size=4 ! " RUN_OUT);

  run_start (self);
  run_finish (self);
  run_free (self);
}

static void
run_deeds (void)
{
  static const gchar *values[] =
      { "[a,segv,record,b]", "[a,raise,drop]", "[group,a]", NULL };

  run_text ("orchexpand ! " PYTHON ("Deeds") " batch-size=4 ! orchreduce "
      "on-failed=skip", values);
}

static void
run_stopped (void)
{
  Run *self = run_new ("videotestsrc ! video/x-raw,format=RGB,width=320,height=240 ! "
      PYTHON ("Mirror") " batch-size=4 ! " RUN_OUT);
  guint i, n_fds = workers_count_fds ();

  for (i = 1; i <= 3; i++) {
    run_start (self);
    collector_wait (self->out, 10 * i);
    gst_element_set_state (self->pipeline, GST_STATE_READY);
    collector_clear (self->out);
  }
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  patience_until (workers_count_fds () <= n_fds);
  run_free (self);
}

static void
run_not_started (void)
{
  Run *self = run_new (RUN_IN "! " PYTHON ("CannotBeMade") " ! " RUN_OUT);

  run_start (self);
  run_push (self, "a");
  run_end (self);
  g_assert_false (run_wait (self));
  run_free (self);
}

int
main (int argc, char **argv)
{
  leaks_init (&argc, &argv);
  leaks_add ("values", run_values);
  leaks_add ("frames", run_frames);
  leaks_add ("deeds", run_deeds);
  leaks_add ("stopped", run_stopped);
  leaks_add ("not-started", run_not_started);
  return g_test_run ();
}
