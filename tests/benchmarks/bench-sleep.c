/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* A workload of orch-sim for real: through elements, whose Functions sleep.  Takes
 * the options of orch-sim, as far as the elements have such a thing, and prints the
 * same report. */

#include "real-run.h"
#include "sim-report.h"
#include "sleeper.h"

#include <gst/gst.h>
#include <stdlib.h>

static void
run (const SimOptions * options, const SimWorkload * workload)
{
  SimResult result;
  SimReport report = { options, &result, };
  g_autofree gchar *text = NULL;

  sleeper_init ();
  real_run (&options->config, workload, &result);
  if (options->config.failure == SIM_FAILURE_NONE)
    report.clean = result.makespan;
  report.ideal = sim_config_get_ideal (&options->config, workload);
  report.bound = sim_config_get_bound (&options->config, workload);
  text = options->json ? sim_report_to_json (&report)
      : sim_report_to_text (&report);
  g_print ("%s", text);
}

int
main (int argc, char **argv)
{
  SimWorkload *workload = NULL;
  SimOptions options;
  GError *error = NULL;

  gst_init (NULL, NULL);
  if (sim_options_parse (&options, &argc, &argv, &error)
      && real_run_can (&options.config, &error))
    workload = sim_options_make_workload (&options, &error);
  if (workload)
    run (&options, workload);
  else
    g_printerr ("%s: %s\n", g_get_prgname (), error->message);
  sim_workload_free (workload);
  sim_options_clear (&options);
  g_clear_error (&error);
  return workload ? EXIT_SUCCESS : 2;
}
