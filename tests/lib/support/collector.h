/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/orch.h>

G_BEGIN_DECLS

/* Writes down what passes a pad: values, and the outcomes that go by as
 * events. */
typedef struct _Collector Collector;

Collector *collector_new (GstPad * pad);
void collector_free (Collector * self);

/* (transfer full): "0 [a,b]; 1 S test:record@1/1", in path order.  Whatever
 * comes twice is there twice. */
gchar *collector_get_results (Collector * self);
/* (transfer full): everything in order: "stream-start caps(A) segment 0 1
 * event(name) eos"; buffers by their path */
gchar *collector_get_sequence (Collector * self);
guint collector_get_n_results (Collector * self);
/* (transfer full) (nullable): the value of a path */
GstBuffer *collector_get_buffer (Collector * self, const gchar * path);
/* Forgets what has come. */
void collector_clear (Collector * self);
/* Until `n` results have come. */
void collector_wait (Collector * self, guint n);
void collector_wait_eos (Collector * self);

G_END_DECLS
