/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchprelude.h>

G_BEGIN_DECLS

/* Walls around this process, for good: no network, no programs, no other processes,
 * and of files only to read what the system has for all.  What is open stays open.
 * A worker in Python calls it as well, by its name.
 *
 * Returns: (transfer full) (nullable): what could not be applied */
GST_ORCH_API gchar *gst_orch_confine (void);

/* gstorchconfinefiles.c, gstorchconfinecalls.c: the parts of it.  FALSE: not
 * applied, `why` (out) (transfer full) */
G_GNUC_INTERNAL gboolean gst_orch_confine_files (gchar ** why);
G_GNUC_INTERNAL gboolean gst_orch_confine_calls (gchar ** why);

G_END_DECLS
