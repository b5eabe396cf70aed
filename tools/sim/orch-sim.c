/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* orch-sim: what a workload would do to a machine that is not there. */

#include "sim-report.h"
#include "sim-run.h"

#include <stdio.h>
#include <stdlib.h>

static void
simulate (const SimOptions * options, const SimWorkload * workload)
{
  SimConfig clean = options->config;
  SimResult result, clean_result;
  SimReport report = { options, &result, };
  gchar *text;

  sim_run (&options->config, workload, &result);
  report.clean = result.makespan;
  if (clean.failure != SIM_FAILURE_NONE) {
    clean.failure = SIM_FAILURE_NONE;
    sim_run (&clean, workload, &clean_result);
    report.clean = clean_result.makespan;
  }
  report.ideal = sim_config_get_ideal (&options->config, workload);
  report.bound = sim_config_get_bound (&options->config, workload);
  text = options->json ? sim_report_to_json (&report)
      : sim_report_to_text (&report);
  g_print ("%s", text);
  g_free (text);
}

int
main (int argc, char **argv)
{
  SimWorkload *workload = NULL;
  SimOptions options;
  GError *error = NULL;

  if (sim_options_parse (&options, &argc, &argv, &error))
    workload = sim_options_make_workload (&options, &error);
  if (workload)
    simulate (&options, workload);
  else
    /* As it is: GLib's own quotation marks are more than the C locale has. */
    fprintf (stderr, "%s: %s\n", g_get_prgname (), error->message);
  sim_workload_free (workload);
  sim_options_clear (&options);
  g_clear_error (&error);
  return workload ? EXIT_SUCCESS : 2;
}
