/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "sim-result.h"

G_BEGIN_DECLS

/* Lets a workload pass through.  Whatever would be an error of the engine (an
 * Entity without outcome, a list out of order, accounts that do not close) ends
 * the program. */
void sim_run (const SimConfig * config, const SimWorkload * workload,
    SimResult * result);

G_END_DECLS
