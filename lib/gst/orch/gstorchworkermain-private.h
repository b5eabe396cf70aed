/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchprelude.h>

G_BEGIN_DECLS

/* The whole of a worker process, which a Call has started: the program only calls
 * this.  Returns its exit status. */
GST_ORCH_API gint gst_orch_worker_main (void);

G_END_DECLS
