/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Registers the element `testtalker`, which hands on what it is given, and does as its
 * property `deed` says:
 *   warn     posts a warning before
 *   warn-drop  posts a warning instead
 *   double   hands it on twice
 *   hang     waits until it is flushed
 *   hang-at-h  the same, at a buffer that begins with h
 *   fail-at-h  posts an error at one
 *   no-word  fails without a message
 *   no-start does not start */
void talker_register (void);

/* How many hang. */
guint talker_count_hanging (void);

G_END_DECLS
