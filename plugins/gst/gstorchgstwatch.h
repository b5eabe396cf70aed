/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A thread that looks every now and then whether what another works on is still
 * wanted, and interrupts it if not. */
typedef struct _GstOrchGstWatch GstOrchGstWatch;

typedef gboolean (*GstOrchGstWatchIsWanted) (gpointer work);
typedef void (*GstOrchGstWatchInterrupt) (gpointer target);

GstOrchGstWatch *gst_orch_gst_watch_new (GstOrchGstWatchIsWanted is_wanted,
    GstOrchGstWatchInterrupt interrupt, gpointer target);
void gst_orch_gst_watch_free (GstOrchGstWatch * self);

/* From begin to end, `work` is looked at; after the end nothing is interrupted. */
void gst_orch_gst_watch_begin (GstOrchGstWatch * self, gpointer work);
void gst_orch_gst_watch_end (GstOrchGstWatch * self);

G_END_DECLS
