/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* (transfer full): pids of the worker processes that process `parent` has started
 * and not waited for yet */
GArray *workers_list_of (pid_t parent);
GArray *workers_list (void);
guint workers_count (void);
/* Descriptors that this process has open. */
guint workers_count_fds (void);

G_END_DECLS
