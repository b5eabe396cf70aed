/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "sim-config.h"

G_BEGIN_DECLS

/* What the command line asks for. */
typedef struct
{
  SimConfig config;
  gchar *pages;                 /* "failure", "corpus" or a file */
  SimOrder order;
  gint seed;
  gint n_poisoned;
  SimPoison poison;
  gboolean json;
} SimOptions;

/* FALSE with `error`, or with none for --help, whose text was printed. */
gboolean sim_options_parse (SimOptions * options, gint * argc, gchar *** argv,
    GError ** error);
void sim_options_clear (SimOptions * options);
/* (transfer full) (nullable): in its order, poisoned if anything is to fail */
SimWorkload *sim_options_make_workload (const SimOptions * options,
    GError ** error);
/* For reports: "published", "fair", ... */
const gchar *sim_order_get_name (SimOrder order);
const gchar *sim_interleave_get_name (OrchInterleaveMode mode);
const gchar *sim_batching_get_name (OrchBatching batching);
const gchar *sim_failure_get_name (SimFailure failure);

G_END_DECLS
