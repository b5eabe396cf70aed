/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchgstanswer.h"
#include "gstorchgstwatch.h"

G_BEGIN_DECLS

/* Sends one buffer after the other through a bin, each as a stream of its own, and
 * makes the bin anew when that is needed. */
typedef struct _GstOrchGstRunner GstOrchGstRunner;

/* What the next buffer goes through. */
typedef enum
{
  GST_ORCH_GST_REUSE_AUTO,
  GST_ORCH_GST_REUSE_ALWAYS,
  GST_ORCH_GST_REUSE_NEVER,
} GstOrchGstReuse;

typedef enum
{
  GST_ORCH_GST_ANSWERED,        /* buffers, none, or why it failed */
  GST_ORCH_GST_INTERRUPTED,     /* nobody wants it any more */
  GST_ORCH_GST_BROKEN,          /* there is no bin, for `error` */
} GstOrchGstResult;

/* NULL with `error` set when the bin cannot be made or does not start.  `is_wanted` is
 * asked from a thread of its own. */
GstOrchGstRunner *gst_orch_gst_runner_new (const gchar * description,
    GstOrchGstReuse reuse, guint64 max_size, GstOrchGstWatchIsWanted is_wanted,
    GError ** error);
void gst_orch_gst_runner_free (GstOrchGstRunner * self);

/* `buffer` (transfer full), `caps` (nullable), `work` for is_wanted.  What came of it
 * is the answer. */
GstOrchGstResult gst_orch_gst_runner_run (GstOrchGstRunner * self,
    gpointer work, GstBuffer * buffer, GstCaps * caps, GError ** error);
/* Valid until it is forgotten, or the next run. */
const GstOrchGstAnswer *gst_orch_gst_runner_get_answer (GstOrchGstRunner *
    self);
/* What it has answered may be large, and belongs to others now. */
void gst_orch_gst_runner_forget (GstOrchGstRunner * self);

/* For tests: how many bins it has made. */
guint gst_orch_gst_runner_get_n_bins (GstOrchGstRunner * self);

G_END_DECLS
