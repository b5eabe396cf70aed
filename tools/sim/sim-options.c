/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "sim-options.h"

#include <string.h>

#define DEFAULT_POISONED 99
#define NOT_SAID G_MININT

/* ---- names ---- */

/* By value. */
static const gchar *const order_names[] = {
  "given", "published", "shuffled", "largest-first", "largest-last", NULL
};

static const gchar *const interleave_names[] = {
  "fair", "shortest", "none", NULL
};

static const gchar *const failure_names[] = { "none", "record", "group", NULL };
static const gchar *const batching_names[] = { "mixed", "siblings", NULL };
static const gchar *const poison_names[] = { "first", "random", NULL };

const gchar *
sim_order_get_name (SimOrder order)
{
  return order_names[order];
}

const gchar *
sim_interleave_get_name (OrchInterleaveMode mode)
{
  return interleave_names[mode];
}

const gchar *
sim_batching_get_name (OrchBatching batching)
{
  return batching_names[batching];
}

const gchar *
sim_failure_get_name (SimFailure failure)
{
  return failure_names[failure];
}

/* ---- values ---- */

static gboolean
parse_name (const gchar * key, const gchar * value, const gchar * const *names,
    guint * result, GError ** error)
{
  g_autofree gchar *known = NULL;
  guint i;

  for (i = 0; names[i]; i++) {
    if (g_str_equal (value, names[i])) {
      *result = i;
      return TRUE;
    }
  }
  known = g_strjoinv (", ", (gchar **) names);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
      "%s is one of %s, not \"%s\"", key, known, value);
  return FALSE;
}

static gboolean
parse_count (const gchar * key, const gchar * value, guint min,
    guint * result, GError ** error)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (value, 10, min, 1000000, &number, NULL)) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "%s is a number from %u to 1000000, not \"%s\"", key, min, value);
    return FALSE;
  }
  *result = number;
  return TRUE;
}

static gboolean
parse_number (const gchar * key, const gchar * value, gdouble max,
    gdouble * result, GError ** error)
{
  gchar *end;

  *result = g_ascii_strtod (value, &end);
  if (end != value && *end == '\0' && *result >= 0 && *result <= max)
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
      "%s is a number from 0 to %g, not \"%s\"", key, max, value);
  return FALSE;
}

static gboolean
parse_ms (const gchar * key, const gchar * value, gint64 * result,
    GError ** error)
{
  gdouble ms;

  if (!parse_number (key, value, 1e9, &ms, error))
    return FALSE;
  *result = ms * SIM_MS + 0.5;
  return TRUE;
}

/* ---- a Call ---- */

static gboolean
set_call_option (SimCallConfig * call, const gchar * key, const gchar * value,
    GError ** error)
{
  if (g_str_equal (key, "replicas"))
    return parse_count (key, value, 1, &call->replicas, error);
  if (g_str_equal (key, "batch-size"))
    return parse_count (key, value, 1, &call->batch_size, error);
  if (g_str_equal (key, "max-buffers"))
    return parse_count (key, value, 0, &call->max_buffers, error);
  if (g_str_equal (key, "max-ready"))
    return parse_count (key, value, 0, &call->max_ready, error);
  if (g_str_equal (key, "max-wait"))
    return parse_ms (key, value, &call->max_wait, error);
  if (g_str_equal (key, "batch-cost"))
    return parse_ms (key, value, &call->batch_cost, error);
  if (g_str_equal (key, "item-cost"))
    return parse_ms (key, value, &call->item_cost, error);
  if (g_str_equal (key, "sigma"))
    return parse_number (key, value, 5, &call->sigma, error);
  if (g_str_equal (key, "batching"))
    return parse_name (key, value, batching_names, &call->batching, error);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
      "a Call has no \"%s\"", key);
  return FALSE;
}

/* An option of the last Call, by the option's own name. */
static gboolean
on_call_option (const gchar * name, const gchar * value, gpointer data,
    GError ** error)
{
  SimConfig *config = &((SimOptions *) data)->config;

  return set_call_option (&config->calls[config->n_calls - 1], name + 2,
      value, error);
}

/* One more Call, before the last: "replicas=2,item-cost=20" */
static gboolean
on_upstream (const gchar * name, const gchar * value, gpointer data,
    GError ** error)
{
  SimConfig *config = &((SimOptions *) data)->config;
  g_auto (GStrv) pairs = g_strsplit (value, ",", -1);
  SimCallConfig call;
  guint i;

  sim_call_config_init (&call);
  for (i = 0; pairs[i]; i++) {
    gchar *equals = strchr (pairs[i], '=');

    if (!equals) {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
          "\"%s\" is not KEY=VALUE", pairs[i]);
      return FALSE;
    }
    *equals = '\0';
    if (!set_call_option (&call, pairs[i], equals + 1, error))
      return FALSE;
  }
  if (config->n_calls == SIM_MAX_CALLS) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "there can be %u Calls", SIM_MAX_CALLS);
    return FALSE;
  }
  config->calls[config->n_calls] = config->calls[config->n_calls - 1];
  config->calls[config->n_calls - 1] = call;
  config->n_calls++;
  return TRUE;
}

/* ---- the rest ---- */

static gboolean
on_option (const gchar * name, const gchar * value, gpointer data,
    GError ** error)
{
  SimOptions *options = data;
  SimConfig *config = &options->config;

  name += 2;
  if (g_str_equal (name, "order"))
    return parse_name (name, value, order_names, &options->order, error);
  if (g_str_equal (name, "interleave"))
    return parse_name (name, value, interleave_names, &config->interleave,
        error);
  if (g_str_equal (name, "failure"))
    return parse_name (name, value, failure_names, &config->failure, error);
  if (g_str_equal (name, "poison"))
    return parse_name (name, value, poison_names, &options->poison, error);
  if (g_str_equal (name, "window"))
    return parse_count (name, value, 0, &config->window, error);
  return parse_count (name, value, 0, &config->max_open, error);
}

#define CALLBACK(func) G_OPTION_ARG_CALLBACK, (gpointer) func

static void
add_entries (GOptionContext * context, SimOptions * options)
{
  const GOptionEntry entries[] = {
    {"pages", 0, 0, G_OPTION_ARG_FILENAME, &options->pages,
        "Children of each parent: failure (1,885 published documents), corpus "
          "(3,689), or a file with one number a line", "PAGES"},
    {"order", 0, 0, CALLBACK (on_option),
        "Order of the parents: given (for the published ones ascending), "
          "published, shuffled, largest-first or largest-last", "ORDER"},
    {"seed", 0, 0, G_OPTION_ARG_INT, &options->seed,
        "Of orders, poison and costs", "N"},
    {"interleave", 0, 0, CALLBACK (on_option), "fair, shortest or none",
        "MODE"},
    {"window", 0, 0, CALLBACK (on_option),
        "Lists open at once (0 = by what the Calls have in flight)", "N"},
    {"max-open", 0, 0, CALLBACK (on_option),
        "Parents without an outcome at once (0 = no limit)", "N"},
    {"failure", 0, 0, CALLBACK (on_option),
        "What a poisoned child reports in the last Call: none, record or group",
        "KIND"},
    {"poisoned", 0, 0, G_OPTION_ARG_INT, &options->n_poisoned,
        "How many of the largest parents have a poisoned child", "K"},
    {"poison", 0, 0, CALLBACK (on_option), "Which child: first or random",
        "CHILD"},
    {"no-early", 0, G_OPTION_FLAG_REVERSE, G_OPTION_ARG_NONE,
          &options->config.early,
        "Report whole batches, not each Grain when it is done", NULL},
    {"no-prune", 0, G_OPTION_FLAG_REVERSE, G_OPTION_ARG_NONE,
          &options->config.prune,
        "Go on with parents that cannot succeed", NULL},
    {"ask", 0, 0, G_OPTION_ARG_NONE, &options->config.ask,
        "Functions leave out Grains that are not wanted any more", NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &options->json, "Print JSON", NULL},
    {NULL}
  };

  g_option_context_add_main_entries (context, entries, NULL);
}

static void
add_call_entries (GOptionContext * context, SimOptions * options)
{
  static const GOptionEntry entries[] = {
    {"replicas", 0, 0, CALLBACK (on_call_option), "Replicas", "N"},
    {"batch-size", 0, 0, CALLBACK (on_call_option), "Grains of a full batch",
        "N"},
    {"batching", 0, 0, CALLBACK (on_call_option), "mixed or siblings", "MODE"},
    {"max-wait", 0, 0, CALLBACK (on_call_option),
        "Longest wait for a full batch, in milliseconds", "MS"},
    {"max-buffers", 0, 0, CALLBACK (on_call_option),
        "Budget in Grains (0 = eight times what can be in flight)", "N"},
    {"max-ready", 0, 0, CALLBACK (on_call_option),
        "Bound of the ready queue alone (0 = none)", "N"},
    {"batch-cost", 0, 0, CALLBACK (on_call_option),
        "Of each batch, in milliseconds", "MS"},
    {"item-cost", 0, 0, CALLBACK (on_call_option),
        "Of each Grain on average, in milliseconds", "MS"},
    {"sigma", 0, 0, CALLBACK (on_call_option),
        "Of log-normal costs of Grains (0 = all the same)", "X"},
    {"upstream", 0, 0, CALLBACK (on_upstream),
        "One more Call before the last; may be repeated, first to last",
        "KEY=VALUE,.."},
    {NULL}
  };
  GOptionGroup *group = g_option_group_new ("call", "The last Call:",
      "Show the options of Calls", options, NULL);

  g_option_group_add_entries (group, entries);
  g_option_context_add_group (context, group);
}

static gboolean
check (const SimOptions * options, gint argc, gchar ** argv, GError ** error)
{
  gboolean is_said = options->n_poisoned != NOT_SAID;


  if (argc > 1)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
        "what is \"%s\" for?", argv[1]);
  else if (is_said && options->n_poisoned < 0)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "%d parents cannot be poisoned", options->n_poisoned);
  else if (is_said && options->config.failure == SIM_FAILURE_NONE)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "poisoned children fail only with --failure=record or group");
  else
    return TRUE;
  return FALSE;
}

gboolean
sim_options_parse (SimOptions * options, gint * argc, gchar *** argv,
    GError ** error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  GOptionGroup *main_group = g_option_group_new (NULL, NULL, NULL, options,
      NULL);

  *options = (SimOptions) {
    .order = SIM_ORDER_PUBLISHED,
    .seed = 1,
    .n_poisoned = NOT_SAID,
  };
  sim_config_init (&options->config);
  g_option_context_set_main_group (context, main_group);
  g_option_context_set_summary (context,
      "Lists through Calls into a gather, in virtual time, by the scheduling "
      "core of gst-orch.");
  add_entries (context, options);
  add_call_entries (context, options);
  if (!g_option_context_parse (context, argc, argv, error))
    return FALSE;
  options->config.seed = options->seed;
  if (!check (options, *argc, *argv, error))
    return FALSE;
  if (options->n_poisoned == NOT_SAID)
    options->n_poisoned = DEFAULT_POISONED;
  return TRUE;
}

void
sim_options_clear (SimOptions * options)
{
  g_clear_pointer (&options->pages, g_free);
}

SimWorkload *
sim_options_make_workload (const SimOptions * options, GError ** error)
{
  const gchar *pages = options->pages ? options->pages : "failure";
  SimWorkload *workload;

  if (g_str_equal (pages, "failure"))
    workload = sim_workload_new_failure ();
  else if (g_str_equal (pages, "corpus"))
    workload = sim_workload_new_corpus ();
  else
    workload = sim_workload_load (pages, error);
  if (!workload)
    return NULL;
  sim_workload_set_order (workload, options->order, options->seed);
  if (options->config.failure != SIM_FAILURE_NONE)
    sim_workload_set_poison (workload, options->n_poisoned,
        options->poison, options->seed);
  return workload;
}
