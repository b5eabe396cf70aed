/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* Does the deed of that name to this process: "segv", "abort", "exit", "hang",
 * "bomb", "flood", "kill", "term" ...
 *
 * Returns: (transfer full): for those that try to break a wall "reached" or
 *   "refused"; for others that return, NULL or what they found out */
gchar *test_deed (const gchar * deed);

/* In a worker: returns when the next batch waits in its inbox. */
void test_await_next (void);

G_END_DECLS
