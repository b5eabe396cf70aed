/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "sim-report.h"

static gdouble
seconds (gint64 time)
{
  return (gdouble) time / SIM_SECOND;
}

static gdouble
get_saved (const SimReport * report)
{
  if (report->clean == 0)
    return 0;
  return 1 - (gdouble) report->result->makespan / report->clean;
}

/* ---- text ---- */

static void
add_spread (GString * text, const gchar * name, const SimSpread * spread)
{
  g_string_append_printf (text, "%-18s p50 %.2f  p90 %.2f  p99 %.2f  mean %.2f"
      " s\n", name, seconds (spread->p50), seconds (spread->p90),
      seconds (spread->p99), seconds (spread->mean));
}

static void
add_call (GString * text, const SimReport * report, guint i)
{
  const SimConfig *config = &report->options->config;
  const SimResult *result = report->result;
  const SimCallStats *stats = &result->calls[i];

  g_string_append_printf (text, "call %u             utilisation %.2f %%  "
      "%" G_GUINT64_FORMAT " batches, %" G_GUINT64_FORMAT " full, fill %.1f %%",
      i, 100 * sim_result_get_utilisation (result, config, i),
      stats->n_batches, stats->n_full,
      100 * sim_result_get_fill (result, config, i));
  if (result->n_suppressed > 0)
    g_string_append_printf (text, "\n                   prevented %.2f %% of "
        "what failed parents had, %.2f %% of what was behind the poison",
        100 * sim_result_get_prevented (result, i),
        100 * sim_result_get_prevented_behind (result, i));
  g_string_append_c (text, '\n');
}

static void
add_failures (GString * text, const SimReport * report)
{
  g_string_append_printf (text, "failed             %u parents (%s failures)",
      report->result->n_suppressed,
      sim_failure_get_name (report->options->config.failure));
  if (report->clean > 0)
    g_string_append_printf (text, "; saved %.2f %% of the %.2f s without "
        "failures", 100 * get_saved (report), seconds (report->clean));
  g_string_append_c (text, '\n');
}

gchar *
sim_report_to_text (const SimReport * report)
{
  const SimOptions *options = report->options;
  const SimResult *result = report->result;
  GString *text = g_string_new (NULL);
  guint i;

  g_string_append_printf (text, "%u parents with %" G_GUINT64_FORMAT
      " children, order %s (seed %d), interleave %s, window %u\n",
      result->n_parents, result->n_children,
      sim_order_get_name (options->order), options->seed,
      sim_interleave_get_name (options->config.interleave),
      sim_config_get_window (&options->config));
  g_string_append_printf (text, "makespan           %.2f s (ideal %.2f s, "
      "no schedule below %.2f s)\n", seconds (result->makespan),
      seconds (report->ideal), seconds (report->bound));
  if (result->n_suppressed > 0)
    add_failures (text, report);
  for (i = 0; i < result->n_calls; i++)
    add_call (text, report, i);
  add_spread (text, "completion", &result->completion);
  add_spread (text, "open to done", &result->open_to_done);
  g_string_append_printf (text, "open at once       %u parents\n",
      result->peak_open);
  return g_string_free (text, FALSE);
}

/* ---- JSON ---- */

static void
json_number (GString * text, const gchar * name, gdouble value)
{
  gchar buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, "\"%s\": %s, ", name,
      g_ascii_formatd (buffer, sizeof (buffer), "%.9g", value));
}

/* Closes what was written, whose last member ends with a comma. */
static void
json_end (GString * text, const gchar * end)
{
  g_string_truncate (text, text->len - 2);
  g_string_append (text, end);
}

static void
json_spread (GString * text, const gchar * name, const SimSpread * spread)
{
  g_string_append_printf (text, "\"%s\": {", name);
  json_number (text, "p50", seconds (spread->p50));
  json_number (text, "p90", seconds (spread->p90));
  json_number (text, "p99", seconds (spread->p99));
  json_number (text, "mean", seconds (spread->mean));
  json_end (text, "}, ");
}

static void
json_call (GString * text, const SimReport * report, guint i)
{
  const SimConfig *config = &report->options->config;
  const SimCallStats *stats = &report->result->calls[i];

  g_string_append_c (text, '{');
  json_number (text, "entered", stats->n_entered);
  json_number (text, "started", stats->n_started);
  json_number (text, "present", stats->n_outcomes[ORCH_OUTCOME_PRESENT]);
  json_number (text, "failed", stats->n_outcomes[ORCH_OUTCOME_FAILED]);
  json_number (text, "suppressed", stats->n_outcomes[ORCH_OUTCOME_SUPPRESSED]);
  json_number (text, "batches", stats->n_batches);
  json_number (text, "full", stats->n_full);
  json_number (text, "fill", sim_result_get_fill (report->result, config, i));
  json_number (text, "utilisation", sim_result_get_utilisation (report->result,
          config, i));
  json_number (text, "prevented", sim_result_get_prevented (report->result,
          i));
  json_number (text, "prevented-behind",
      sim_result_get_prevented_behind (report->result, i));
  json_end (text, "}, ");
}

gchar *
sim_report_to_json (const SimReport * report)
{
  const SimOptions *options = report->options;
  const SimResult *result = report->result;
  GString *text = g_string_new ("{");
  guint i;

  json_number (text, "parents", result->n_parents);
  json_number (text, "children", result->n_children);
  g_string_append_printf (text, "\"order\": \"%s\", \"interleave\": \"%s\", "
      "\"failure\": \"%s\", ", sim_order_get_name (options->order),
      sim_interleave_get_name (options->config.interleave),
      sim_failure_get_name (options->config.failure));
  json_number (text, "seed", options->seed);
  json_number (text, "window", sim_config_get_window (&options->config));
  json_number (text, "makespan", seconds (result->makespan));
  json_number (text, "ideal", seconds (report->ideal));
  json_number (text, "bound", seconds (report->bound));
  json_number (text, "clean", seconds (report->clean));
  json_number (text, "saved", get_saved (report));
  json_number (text, "present", result->n_present);
  json_number (text, "suppressed", result->n_suppressed);
  json_number (text, "peak-open", result->peak_open);
  json_spread (text, "completion", &result->completion);
  json_spread (text, "open-to-done", &result->open_to_done);
  g_string_append (text, "\"calls\": [");
  for (i = 0; i < result->n_calls; i++)
    json_call (text, report, i);
  json_end (text, "]}\n");
  return g_string_free (text, FALSE);
}
