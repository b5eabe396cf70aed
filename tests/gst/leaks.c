/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Nothing of a bin is left behind, whatever became of it. */

#include "fixture.h"
#include "leaks.h"
#include "patience.h"
#include "run.h"
#include "talker.h"
#include "threads.h"

#define CHAIN(PROPERTIES) RUN_IN "! orchexpand ! orchgst name=g " PROPERTIES \
    " ! orchreduce on-failed=skip ! " RUN_OUT

static void
finish (Run * self)
{
  run_start (self);
  run_push (self, "[a,b,c,d]");
  run_push (self, "[e]");
  run_end (self);
  run_finish (self);
  run_free (self);
}

static void
run_values (void)
{
  finish (run_new (CHAIN ("bin=identity")));
  finish (run_new (CHAIN ("bin=\"queue ! identity\" reuse=never replicas=2")));
  finish (run_new (CHAIN ("bin=identity workers=process")));
}

static void
run_lists (void)
{
  finish (run_new (CHAIN ("bin=\"testtalker deed=double ! queue\"")));
}

static void
run_failures (void)
{
  finish (run_new (CHAIN ("bin=\"identity error-after=2\"")));
  finish (run_new (CHAIN ("bin=\"testtalker deed=warn ! queue ! "
              "identity error-after=1\" replicas=2")));
  finish (run_new (CHAIN ("bin=\"testtalker deed=warn\"")));
  finish (run_new (CHAIN ("bin=identity max-size=1")));
}

static void
run_refused (void)
{
  static const gchar *const bins[] = {
    "nosuchelement", "identity name=a identity name=b",
    "testtalker deed=no-start",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (bins); i++) {
    Run *self = run_new (CHAIN (""));

    g_object_set (run_get (self, "g"), "bin", bins[i], NULL);
    gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
    g_assert_false (run_wait (self));
    run_free (self);
  }
}

static void
run_stopped (void)
{
  Run *self = run_new (CHAIN ("bin=\"testtalker deed=hang\" replicas=2"));
  guint i;

  for (i = 0; i < 3; i++) {
    run_start (self);
    run_push (self, "[a,b,c,d]");
    patience_until (talker_count_hanging () == 2);
    if (i == 1) {
      gst_element_send_event (self->in, gst_event_new_flush_start ());
      gst_element_send_event (self->in, gst_event_new_flush_stop (TRUE));
    }
    gst_element_set_state (self->pipeline, i ? GST_STATE_READY :
        GST_STATE_NULL);
  }
  run_free (self);
}

static void
run_overrun (void)
{
  finish (run_new (CHAIN ("bin=\"valve drop=true\" attempt-timeout=20000000")));
  patience_until (!threads_have ("gst:watch"));
  patience_until (!threads_have ("g:0"));
}

static const struct
{
  const gchar *name;
  void (*run) (void);
} scenes[] = {
  {"values", run_values},
  {"lists", run_lists},
  {"failures", run_failures},
  {"refused", run_refused},
  {"stopped", run_stopped},
  {"overrun", run_overrun},
};

int
main (int argc, char **argv)
{
  guint i;

  if (leaks_init (&argc, &argv))
    talker_register ();
  for (i = 0; i < G_N_ELEMENTS (scenes); i++)
    leaks_add (scenes[i].name, scenes[i].run);
  return g_test_run ();
}
