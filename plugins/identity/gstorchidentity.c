/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchidentity
 * @title: orchidentity
 *
 * Function `identity`: presents its input again, whatever it is.  For
 * measuring what a Call costs, and for regrouping a stream into batches.
 *
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchpdfpages ! orchexpand ! \
 *     orchidentity ! orchpdftext ! orchreduce ! orchsink location=out.jsonl
 * ]|
 */

#include "gstorchidentity.h"

struct _GstOrchIdentityFunction
{
  GstOrchFunction parent;
};

G_DEFINE_FINAL_TYPE (GstOrchIdentityFunction, gst_orch_identity_function,
    GST_TYPE_ORCH_FUNCTION);

static gboolean
gst_orch_identity_function_run (GstOrchFunction * function,
    gpointer replica_data, GstOrchBatch * batch, GError ** error)
{
  guint n = gst_orch_batch_get_size (batch);
  guint i;

  for (i = 0; i < n; i++)
    gst_orch_batch_present (batch, i,
        gst_buffer_ref (gst_orch_batch_get_buffer (batch, i)),
        gst_orch_batch_get_caps (batch, i));
  return TRUE;
}

static void
gst_orch_identity_function_class_init (GstOrchIdentityFunctionClass * klass)
{
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  function_class->run = gst_orch_identity_function_run;
  gst_orch_function_class_set_metadata (function_class, "Identity",
      "Presents its input again", "the gst-orch authors");
}

static void
gst_orch_identity_function_init (GstOrchIdentityFunction * self)
{
}
