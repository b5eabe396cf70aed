/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchreplica-private.h"

G_BEGIN_DECLS

/* Attempts that take longer than attempt-timeout (semantics S5.3).  A thread
 * cannot be killed: its Grains go to the recovery, it is left alone, and another
 * replica takes its place.  When its Function returns after all, it frees what it
 * holds, its reference to the element last. */

/* `batch` is run from now on, for at most self->timeout. */
G_GNUC_INTERNAL void gst_orch_overtime_begin (GstOrchReplica * self,
    GstOrchBatch * batch);
G_GNUC_INTERNAL void gst_orch_overtime_end (GstOrchReplica * self);
/* No replica is left to be watched. */
G_GNUC_INTERNAL void gst_orch_overtime_stop (GstOrchCall * call);

/* Of the nth overrun of a run, with no lock held: FALSE when it is only counted,
 * which is said once. */
G_GNUC_INTERNAL gboolean gst_orch_overtime_is_told (GstOrchCall * call,
    guint64 nth);

G_END_DECLS
