/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchcall-private.h"

G_BEGIN_DECLS

/* What runs a Function's batches: a thread with what setup() gave it. */
struct _GstOrchReplica
{
  GstOrchCall *call;
  guint index;
  GThread *thread;
  GstOrchFunction *function;
  gpointer data;
  gint64 linger_until;          /* monotonic time, us; 0: do not */
};

G_END_DECLS
