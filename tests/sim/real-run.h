/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "sim-result.h"

G_BEGIN_DECLS

/* What sim_run() simulates, for real: a pipeline of elements whose Functions
 * sleep, and are late as threads are.  Whatever is an error (an outcome that a
 * parent should not have, a list that is not whole and in order, accounts that do
 * not close) ends the program.  A parent is open from when its first child begins, since nobody can
 * look at what elements give each other without being in the way.  Needs
 * sleeper_init(). */
void real_run (const SimConfig * config, const SimWorkload * workload,
    SimResult * result);

/* FALSE: the elements have nothing like this. */
gboolean real_run_can (const SimConfig * config, GError ** error);

G_END_DECLS
