/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* A worker process: see docs/architecture.md.  Elements start it; by hand it is of no
 * use. */

#include <gst/orch/gstorchworkermain-private.h>

int
main (int argc, char **argv)
{
  return gst_orch_worker_main ();
}
