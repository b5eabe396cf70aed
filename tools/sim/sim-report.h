/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "sim-options.h"
#include "sim-result.h"

G_BEGIN_DECLS

typedef struct
{
  const SimOptions *options;
  const SimResult *result;
  gint64 clean;                 /* makespan without failures, 0: not known */
  gint64 ideal;
  gint64 bound;
} SimReport;

/* (transfer full): for people, and for programs.  Times are in seconds. */
gchar *sim_report_to_text (const SimReport * report);
gchar *sim_report_to_json (const SimReport * report);

G_END_DECLS
