/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* A clock for Calls that stands still until it is told to go on; it begins at 0
 * and counts microseconds. */
typedef struct _ManualTime ManualTime;

ManualTime *manual_time_new (void);
/* When nobody uses it any more. */
void manual_time_free (ManualTime * self);
/* From now on `call`, which is not running, tells the time by it. */
void manual_time_rule (ManualTime * self, GstElement * call);
void manual_time_set (ManualTime * self, gint64 now);
/* Until somebody waits for `end`, and began to after the last change. */
void manual_time_await (ManualTime * self, gint64 end);

G_END_DECLS
